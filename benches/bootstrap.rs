//! BCa interval of the mean log ratio of 1,000 pairs from 10,000 resamples. Prints one line:
//! name, tab, seconds (best of the tries). `benches/compare.py` runs it beside SciPy.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench fails by panicking")]

mod measure;

use std::hint::black_box;

use measure::measure;
use runner::stats::{Draws, Resampling, log_ratios};

const PAIRS: usize = 1_000;
const RESAMPLES: u32 = 10_000;

fn main() {
    let mut draws = Draws::new(20_261_129, "bench");
    let baseline: Vec<f64> = (0..PAIRS).map(|_| 30.0 * (0.1 * draws.normal()).exp()).collect();
    let treatment: Vec<f64> =
        baseline.iter().map(|rate| rate * (0.02 + 0.03 * draws.normal()).exp()).collect();
    let resampling = Resampling { draws: RESAMPLES, seed: 20_261_129 };
    measure("bca_10000_resamples_of_1000_pairs", 20, || {
        let differences = log_ratios(black_box(&treatment), black_box(&baseline)).unwrap();
        resampling.of_values(&differences).unwrap().bca(95.0).unwrap()
    });
}
