//! Whether times have come to rest: a pure function of the series.

use crate::manifest::WarmUp;
use crate::stats::median;

/// The registered rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stationary {
    window: usize,
    tolerance: f64,
    most: usize,
}

impl Stationary {
    /// As the manifest says.
    pub(super) fn of(rule: &WarmUp) -> Stationary {
        let WarmUp::Stationary { window_pieces, tolerance_percent, at_most_pieces } = rule;
        Stationary {
            window: *window_pieces as usize,
            tolerance: tolerance_percent / 100.0,
            most: *at_most_pieces as usize,
        }
    }

    /// Whether the medians of the last window and of the one before it differ by less than the
    /// tolerance, against the earlier one.
    pub(super) fn is_settled(&self, nanoseconds: &[u64]) -> bool {
        let Some(start) = nanoseconds.len().checked_sub(2 * self.window) else { return false };
        let times: Vec<f64> = nanoseconds.iter().skip(start).map(|time| *time as f64).collect();
        let (earlier, last) = times.split_at(self.window.min(times.len()));
        let (Some(earlier), Some(last)) = (median(earlier), median(last)) else { return false };
        (last - earlier).abs() < self.tolerance * earlier || last == earlier
    }

    /// Whether the registered number of pieces is done.
    pub(super) fn is_over(&self, nanoseconds: &[u64]) -> bool {
        nanoseconds.len() >= self.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule() -> Stationary {
        Stationary::of(&WarmUp::Stationary {
            window_pieces: 3,
            tolerance_percent: 10.0,
            at_most_pieces: 8,
        })
    }

    /// How many pieces of a series are done.
    fn settled_after(series: &[u64]) -> Option<usize> {
        (1..=series.len()).find(|done| rule().is_settled(&series[..*done]))
    }

    #[test]
    fn a_steady_series_needs_two_windows_and_a_falling_one_more() {
        assert_eq!(settled_after(&[100; 10]), Some(6));
        assert_eq!(settled_after(&[800, 400, 200, 100, 100, 100, 100, 100, 100]), Some(8));
        assert_eq!(settled_after(&[100, 120, 150, 190, 240, 300, 370, 450]), None);
        // one stall within a window does not count
        assert_eq!(settled_after(&[100, 101, 99, 100, 9000, 101]), Some(6));
    }

    #[test]
    fn times_below_the_timer_are_at_rest_and_the_number_of_pieces_is_a_limit() {
        assert_eq!(settled_after(&[0; 6]), Some(6));
        assert!(!rule().is_over(&[1; 7]));
        assert!(rule().is_over(&[1; 8]));
    }
}
