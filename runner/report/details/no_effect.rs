//! Tests that assume no distribution.

use super::super::figures::p_value;
use crate::verdict::{Test, TestFigure};

/// All tests in one line; `None` without any.
pub(super) fn line(figures: &[TestFigure]) -> Option<String> {
    let figure = |figure: &TestFigure| {
        let name = match figure.test {
            Test::SignedRank => "signed-rank",
            Test::Sign => "sign",
            Test::SignFlip => "sign-flip",
        };
        let p = figure.p.map_or_else(|| "no p".to_owned(), p_value);
        format!("{name} {p} ({})", figure.method)
    };
    (!figures.is_empty()).then(|| {
        let all: Vec<String> = figures.iter().map(figure).collect();
        format!("tests of no effect over rounds: {}", all.join("; "))
    })
}
