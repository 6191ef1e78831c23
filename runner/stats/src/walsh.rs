//! Order statistics of Walsh averages, without writing the averages down.

use super::draws::Draws;

/// With so few averages left per value they are written down and one is selected.
const LIST_PER_VALUE: u64 = 4;

/// Averages that are looked at to choose a pivot: the pivot's rank is then right to about a
/// sixteenth of what is left.
const LOOKED_AT: usize = 63;

/// The means `(x_i + x_j) / 2` of all pairs `i <= j` of a sample: `n (n + 1) / 2` of them, held
/// as the sorted sample alone.
#[derive(Debug, Clone)]
pub(super) struct WalshAverages {
    /// Half of each value, in order: their sums are the averages, and cannot overflow.
    halves: Vec<f64>,
}

impl WalshAverages {
    /// `None` for no values or values that are not finite.
    pub(super) fn new(values: &[f64]) -> Option<WalshAverages> {
        if values.is_empty() || values.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let mut halves: Vec<f64> = values.iter().map(|value| value / 2.0).collect();
        halves.sort_by(f64::total_cmp);
        Some(WalshAverages { halves })
    }

    /// How many averages there are.
    pub(super) fn count(&self) -> u64 {
        let n = self.halves.len() as u64;
        n * (n + 1) / 2
    }

    /// Their median: the middle one, or the mean of the middle two.
    pub(super) fn median(&self) -> Option<f64> {
        let count = self.count();
        let low = self.smallest((count - 1) / 2)?;
        if count % 2 == 1 {
            return Some(low);
        }
        let high = self.smallest(count / 2)?;
        Some(low + 0.5 * (high - low))
    }

    /// The average of rank `rank`, from 0; `None` when there are not so many.
    ///
    /// In a row (one `x_i` with all `x_j` from itself on) the averages rise with `j`. Each row
    /// keeps the span of columns that may still hold the one sought. A pivot among them is
    /// counted against all rows in one walk of n steps, since its column falls as `i` rises, and
    /// cuts the spans. Expected time n log n, memory linear in n.
    ///
    /// Source: D. B. Johnson and T. Mizoguchi, "Selecting the Kth element in X + Y and
    /// X1 + X2 + … + Xm", SIAM Journal on Computing 7 (1978), with a sampled pivot as in J. F.
    /// Monahan, "Algorithm 616: fast computation of the Hodges-Lehmann location estimator", ACM
    /// Transactions on Mathematical Software 10 (1984).
    pub(super) fn smallest(&self, rank: u64) -> Option<f64> {
        if rank >= self.count() {
            return None;
        }
        let n = self.halves.len();
        let mut spans: Vec<Span> = (0..n).map(|row| Span { from: row, to: n }).collect();
        // The pivots are drawn; what is found does not depend on them.
        let mut draws = Draws::new(0, "pivots");
        loop {
            let left: u64 = spans.iter().map(Span::len).sum();
            let below_spans: u64 =
                spans.iter().enumerate().map(|(row, span)| (span.from - row) as u64).sum();
            let sought = rank.checked_sub(below_spans)?;
            if left <= LIST_PER_VALUE * n as u64 {
                return self.select_listed(&spans, sought);
            }
            let pivot = self.pivot(&spans, left, sought, &mut draws)?;
            let (less, at_most) = (
                self.columns_below(|value| value < pivot),
                self.columns_below(|value| value <= pivot),
            );
            let count = |ends: &[usize]| -> u64 {
                ends.iter().enumerate().map(|(row, end)| (end - row) as u64).sum()
            };
            if rank < count(&less) {
                for (span, end) in spans.iter_mut().zip(&less) {
                    span.to = span.to.min(*end).max(span.from);
                }
            } else if rank < count(&at_most) {
                return Some(pivot);
            } else {
                for (span, end) in spans.iter_mut().zip(&at_most) {
                    span.from = span.from.max(*end).min(span.to);
                }
            }
        }
    }

    /// For each row the first column, at or after the row itself, whose average fails `holds`
    /// (which holds for small averages and not for large ones).
    fn columns_below(&self, holds: impl Fn(f64) -> bool) -> Vec<usize> {
        let n = self.halves.len();
        let mut end = n;
        let mut ends = Vec::with_capacity(n);
        for (row, first) in self.halves.iter().enumerate() {
            while end > row && self.halves.get(end - 1).is_some_and(|second| !holds(first + second))
            {
                end -= 1;
            }
            // The walk stops at the diagonal; rows after it hold nothing small.
            ends.push(end.max(row));
        }
        ends
    }

    /// One of the averages left, near the rank sought among them.
    fn pivot(&self, spans: &[Span], left: u64, sought: u64, draws: &mut Draws) -> Option<f64> {
        let mut places: Vec<u64> = (0..LOOKED_AT).map(|_| draws.below(left)).collect();
        places.sort_unstable();
        let mut seen = Vec::with_capacity(LOOKED_AT);
        let mut before = 0;
        let mut places = places.into_iter().peekable();
        for (first, span) in self.halves.iter().zip(spans) {
            while let Some(place) = places.next_if(|place| *place < before + span.len()) {
                seen.push(first + self.halves.get(span.from + (place - before) as usize)?);
            }
            before += span.len();
        }
        seen.sort_by(f64::total_cmp);
        let share = sought as f64 / left as f64;
        let place = (share * seen.len() as f64) as usize;
        seen.get(place.min(seen.len().checked_sub(1)?)).copied()
    }

    fn select_listed(&self, spans: &[Span], sought: u64) -> Option<f64> {
        let mut listed = Vec::new();
        for (first, span) in self.halves.iter().zip(spans) {
            let columns = self.halves.get(span.from..span.to)?;
            listed.extend(columns.iter().map(|second| first + second));
        }
        let place = sought as usize;
        if place >= listed.len() {
            return None;
        }
        Some(*listed.select_nth_unstable_by(place, f64::total_cmp).1)
    }
}

/// Columns of a row that may hold the average sought.
#[derive(Debug, Clone, Copy)]
struct Span {
    from: usize,
    to: usize,
}

impl Span {
    fn len(&self) -> u64 {
        (self.to - self.from) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::WalshAverages;
    use crate::Draws;

    fn listed(values: &[f64]) -> Vec<f64> {
        let mut averages: Vec<f64> = values
            .iter()
            .enumerate()
            .flat_map(|(place, first)| {
                values[place..].iter().map(move |second| first / 2.0 + second / 2.0)
            })
            .collect();
        averages.sort_by(f64::total_cmp);
        averages
    }

    #[test]
    fn every_rank_is_that_of_the_list() {
        let mut draws = Draws::new(5, "walsh");
        for n in [1_usize, 2, 3, 17, 40] {
            // Rounded, so that many averages are equal; and not.
            for step in [0.5, 1e-9] {
                let values: Vec<f64> =
                    (0..n).map(|_| libm::round(draws.normal() / step) * step).collect();
                let averages = WalshAverages::new(&values).unwrap();
                for (rank, right) in listed(&values).into_iter().enumerate() {
                    assert_eq!(averages.smallest(rank as u64), Some(right), "{n} {step} {rank}");
                }
                assert_eq!(averages.smallest(averages.count()), None);
            }
        }
    }

    #[test]
    fn memory_and_time_stay_linear_enough_for_a_million_values() {
        let equal = WalshAverages::new(&vec![0.25; 1_000_000]).unwrap();
        assert_eq!(equal.median(), Some(0.25));
        // 0, 1, 2, … 99,999: the averages are symmetric about the middle.
        let even: Vec<f64> = (0..100_000).map(f64::from).collect();
        assert_eq!(WalshAverages::new(&even).unwrap().median(), Some(49_999.5));
    }

    #[test]
    fn huge_values_do_not_overflow() {
        let averages = WalshAverages::new(&[f64::MAX, f64::MAX]).unwrap();
        assert_eq!(averages.median(), Some(f64::MAX));
    }
}
