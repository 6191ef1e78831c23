//! Two files' worth of logits held against each other: 512 positions of a vocabulary of 49,152.
//! Prints one line: name, tab, seconds (best of the tries). `benches/compare.py` runs it beside
//! NumPy.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench fails by panicking")]

mod measure;

use std::hint::black_box;

use measure::measure;
use runner::stats::{Draws, compare_logits};

const POSITIONS: usize = 512;
const VOCABULARY: usize = 49_152;
/// Rows that are really there; the work goes round over them. More than any cache holds.
const ROWS: usize = 128;

fn main() {
    let mut draws = Draws::new(20_261_129, "bench");
    let mut rows = |spread: f64| -> Vec<f32> {
        (0..ROWS * VOCABULARY).map(|_| (spread * draws.normal()) as f32).collect()
    };
    let here = rows(4.0);
    let there: Vec<f32> = here.iter().zip(rows(0.01)).map(|(logit, noise)| logit + noise).collect();
    measure("logits_of_512_positions", 5, || {
        let mut worst = 0.0_f64;
        for position in 0..POSITIONS {
            let at = position % ROWS * VOCABULARY;
            let row = at..at + VOCABULARY;
            let found = compare_logits(black_box(&here[row.clone()]), &there[row]).unwrap();
            worst = worst.max(found.kl);
        }
        worst
    });
}
