//! A verdict as a badge: word, sign and colour say the same.

use crate::record::verdict_word;
use crate::verdict::Verdict;

/// A badge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Badge {
    pub word: String,
    pub sign: &'static str,
    /// Class of the style sheet.
    pub class: &'static str,
}

impl Badge {
    pub fn of(verdict: Verdict) -> Badge {
        let (sign, class) = match verdict {
            Verdict::Win => ("\u{25b2}", "win"),
            Verdict::Loss => ("\u{25bc}", "loss"),
            Verdict::Level => ("=", "level"),
            Verdict::Parked => ("\u{25c7}", "parked"),
            Verdict::Void => ("\u{2715}", "void"),
            Verdict::Refused => ("\u{2013}", "none"),
            Verdict::Incomplete => ("\u{2026}", "none"),
            Verdict::Insufficient => ("?", "none"),
        };
        Badge { word: verdict_word(verdict).to_owned(), sign, class }
    }

    /// Of an arm that is described and not judged.
    pub fn described() -> Badge {
        Badge { word: "described".to_owned(), sign: "\u{00b7}", class: "none" }
    }
}

/// Badges with how many there are of each, in the order of verdicts.
pub(super) fn tallies(verdicts: impl IntoIterator<Item = Verdict>) -> Vec<(Badge, usize)> {
    let mut counts: std::collections::BTreeMap<Verdict, usize> = Default::default();
    for verdict in verdicts {
        *counts.entry(verdict).or_default() += 1;
    }
    counts.into_iter().map(|(verdict, count)| (Badge::of(verdict), count)).collect()
}
