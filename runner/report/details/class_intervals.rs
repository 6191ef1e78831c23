//! The interval of a claim about a class of inputs.

use super::super::figures::size;
use super::super::rows::counted;
use crate::verdict::ClassIntervals;

/// The three half widths and the one that governs: the widest.
pub(super) fn line(widths: &ClassIntervals) -> String {
    let named = [
        ("rounds", widths.rounds_half_width),
        ("inputs", widths.inputs_half_width),
        ("both", widths.both_half_width),
    ];
    let widest = named
        .iter()
        .copied()
        .fold(named[0], |widest, next| if next.1 > widest.1 { next } else { widest });
    let listed: Vec<String> =
        named.iter().map(|(name, width)| format!("{name} {}", size(*width))).collect();
    format!(
        "class of inputs ({}): half widths clustered by {}; the widest, by {}, governs",
        counted(widths.inputs, "input"),
        listed.join(", "),
        widest.0
    )
}
