//! Figures of 50,000 lines: half of them prose with figures, the rest code without.
//! Prints one line: name, tab, seconds (best of the tries).

#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]

mod measure;

use std::hint::black_box;

use measure::measure;
use runner::audit::figures;

const LINES: usize = 50_000;
const PROSE: &str = "Decode rose from 41.20 (40.1 to 42.3) tokens/s to ~44.9 tok/s, 1.09x (+9.0 %), \
                     at depth 2 048, with 1,5 ms a token and 96,576,768 bytes.";
const CODE: &str =
    "    let found = spans.iter().find(|span| span.contains(&offset)).map(Span::len);";

fn main() {
    let lines: Vec<&str> =
        (0..LINES).map(|line| if line % 2 == 0 { PROSE } else { CODE }).collect();
    measure("audit_figures_of_50000_lines", 5, || {
        lines.iter().map(|line| figures(black_box(line), 0).len()).sum::<usize>()
    });
}
