//! Comparisons of two records that ask the same of an arm.

use crate::manifest::compared_arm;
use crate::record::Record;
use crate::verdict::{Comparison, Effect};

/// A comparison that one or both records have.
#[derive(Debug, Clone)]
pub(super) struct Pair<'records> {
    pub first: Option<&'records Comparison>,
    pub second: Option<&'records Comparison>,
    /// Arms of one name that do not differ from their off in the same: in what each does.
    pub unlike: Option<(String, String)>,
}

/// Whether two intervals meet. It is no test of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Intervals {
    Overlap,
    Apart,
    Unknown,
}

impl Intervals {
    /// Careful words.
    pub fn words(self) -> &'static str {
        match self {
            Intervals::Overlap => "overlap: that neither shows a difference nor its absence",
            Intervals::Apart => {
                "do not meet: the effects differ, by what differs above or by chance"
            }
            Intervals::Unknown => "not both there",
        }
    }
}

impl Pair<'_> {
    pub fn intervals(&self) -> Intervals {
        let ends = |comparison: Option<&Comparison>| {
            let effect: &Effect = comparison?.effect.as_ref()?;
            Some((effect.lo?, effect.hi?))
        };
        match (ends(self.first), ends(self.second)) {
            (Some((lo, hi)), Some((least, most))) if hi < least || most < lo => Intervals::Apart,
            (Some(_), Some(_)) => Intervals::Overlap,
            (None, _) | (_, None) => Intervals::Unknown,
        }
    }
}

/// Judged comparisons, then described ones. Arms that differ from off in the same are one, whatever
/// they are called; else arms of one name stand beside each other.
pub(super) fn pairs<'records>(
    first: &'records Record,
    second: &'records Record,
) -> Vec<Pair<'records>> {
    let all = |record: &'records Record| -> Vec<&'records Comparison> {
        let analysis = &record.sealed.analysis;
        analysis.comparisons.iter().chain(&analysis.described).collect()
    };
    let (ones, mut others) = (all(first), all(second));
    let words =
        |record: &Record, comparison: &Comparison| compared_arm(&record.plan, &comparison.arm);
    let place = |one: &Comparison, other: &Comparison| {
        (&one.condition, &one.metric) == (&other.condition, &other.metric)
    };
    let mut found = Vec::new();
    for one in ones {
        let own = words(first, one);
        let same = others
            .iter()
            .position(|other| place(one, other) && words(second, other) == own)
            .or_else(|| others.iter().position(|other| place(one, other) && one.arm == other.arm));
        let other = same.map(|index| others.remove(index));
        let theirs = other.map(|other| words(second, other));
        let unlike = theirs.filter(|theirs| *theirs != own).map(|theirs| (own, theirs));
        found.push(Pair { first: Some(one), second: other, unlike });
    }
    found.extend(others.into_iter().map(|other| Pair {
        first: None,
        second: Some(other),
        unlike: None,
    }));
    found
}
