//! Whether the fault is there at all, and still there in a run that is observed: observing changes
//! the graph, since operations that are looked at one by one are not fused.

use serde::Serialize;

use super::divergence::Divergence;

/// How far logits are apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LogitsCheck {
    /// Both sides as they run when nobody looks; absent where the first side has no such logits.
    pub unobserved: Option<Divergence>,
    /// Both sides observed; absent where one has no logits there.
    pub observed: Option<Divergence>,
    /// The second side observed against itself unobserved.
    pub by_observing: Option<Divergence>,
}

/// What follows from that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LogitsFinding {
    /// The logits agree, observed or not.
    Agree,
    /// They part, and do so in the observed run too.
    StillThere,
    /// They part, and no longer do when observed.
    GoneWhenObserved,
    /// They part only when observed.
    OnlyWhenObserved,
    /// There are no logits to tell, or the bar is so wide that being under it says nothing.
    Unknown,
}

/// How many times the bar of a single step the logits may be apart: rounding has been carried
/// through the whole model.
const CARRIED: f64 = 8.0;

/// Up to here the logits' bar tells: it is a difference as large as the logits themselves are.
const WIDEST: f64 = 1.0;

impl LogitsCheck {
    /// What follows; `bar` is that of a single step at the end of the walk.
    #[must_use]
    pub fn finding(&self, bar: f64) -> LogitsFinding {
        let parts = |divergence: &Divergence| divergence.relative > CARRIED * bar;
        match (self.usual().map(parts), self.observed.as_ref().map(parts)) {
            (Some(false), Some(false)) if self.bar_is_too_wide(bar) => LogitsFinding::Unknown,
            (Some(false), Some(false)) => LogitsFinding::Agree,
            (Some(true), Some(true)) => LogitsFinding::StillThere,
            (Some(true), Some(false)) => LogitsFinding::GoneWhenObserved,
            (Some(false), Some(true)) => LogitsFinding::OnlyWhenObserved,
            (_, None) | (None, _) => LogitsFinding::Unknown,
        }
    }

    /// Both sides as they run when nobody looks, or the nearest to it that there is.
    #[must_use]
    pub fn usual(&self) -> Option<&Divergence> {
        self.unobserved.as_ref().or(self.observed.as_ref())
    }

    /// Whether logits that differ under the bar are not known to agree: any two texts might.
    #[must_use]
    pub fn bar_is_too_wide(&self, bar: f64) -> bool {
        let differ = |divergence: &Divergence| divergence.relative > 0.0;
        let any_differ = [&self.unobserved, &self.observed].into_iter().flatten().any(differ);
        any_differ && CARRIED * bar >= WIDEST
    }

    /// The bar of the logits, of that of a single step.
    #[must_use]
    pub fn bar(bar: f64) -> f64 {
        CARRIED * bar
    }
}

#[cfg(test)]
mod tests {
    use super::super::divergence::Place;
    use super::*;

    fn check(unobserved: f64, observed: f64) -> LogitsFinding {
        check_by(1e-3, unobserved, observed)
    }

    fn check_by(bar: f64, unobserved: f64, observed: f64) -> LogitsFinding {
        let apart = |relative| {
            let place = Place { position: 0, index: 0, left: 0.0, right: 0.0 };
            Divergence { relative, place, cosine: 1.0, least_cosine: 1.0, scale: 1.0 }
        };
        let check = LogitsCheck {
            unobserved: Some(apart(unobserved)),
            observed: Some(apart(observed)),
            by_observing: None,
        };
        check.finding(bar)
    }

    #[test]
    fn a_fault_that_observing_hides_or_makes_is_told_from_one_that_stays() {
        assert_eq!(check(1e-3, 1e-3), LogitsFinding::Agree);
        assert_eq!(check(0.5, 0.5), LogitsFinding::StillThere);
        assert_eq!(check(0.5, 1e-3), LogitsFinding::GoneWhenObserved);
        assert_eq!(check(1e-3, f64::INFINITY), LogitsFinding::OnlyWhenObserved);
    }

    #[test]
    fn under_a_bar_that_any_two_texts_would_pass_nothing_is_said() {
        // 8 times 0.8: logits of opposite signs are no further apart
        assert_eq!(check_by(0.8, 2.0, 2.0), LogitsFinding::Unknown);
        assert_eq!(check_by(0.8, 0.3, 0.3), LogitsFinding::Unknown);
        assert_eq!(check_by(0.8, 7.0, 7.0), LogitsFinding::StillThere);
        assert_eq!(check_by(0.8, 0.3, 7.0), LogitsFinding::OnlyWhenObserved);
        assert_eq!(check_by(0.8, 0.0, 0.0), LogitsFinding::Agree);
        assert_eq!(check_by(0.02, 0.1, 0.1), LogitsFinding::Agree);
    }
}
