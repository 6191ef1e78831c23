//! The whole analysis of a million samples: `verdict::judge` over a decode experiment of 280
//! rounds with 25 blocks of 48 chunks on three arms. Prints one line: name, tab, seconds (best of
//! the tries). `benches/compare.py` runs it beside SciPy.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench fails by panicking")]

mod evidence;
mod measure;

use std::hint::black_box;

use measure::measure;
use runner::verdict::judge;

fn main() {
    let (plan, evidence) = evidence::a_million_samples();
    println!("# samples\t{}", evidence.samples.len());
    measure("whole_analysis_of_a_million_samples", 3, || {
        judge(black_box(&plan), black_box(&evidence))
    });
}
