//! The common axis of a drawing.

use crate::report::axis_range::axis_range;
use crate::stats::quantile;
use crate::verdict::RoundFigure;

/// Share of blocks at either end that may lie beyond the axis: one block that stalls for ten
/// times its usual length would press all others into one column.
const BEYOND: f64 = 0.05;

/// Room left at either end, as a share of the whole.
const ROOM: f64 = 0.02;

/// Ends of an axis for every pair, log ratio.
pub(in crate::report) fn pair_axis(rounds: &[RoundFigure], margin: f64) -> (f64, f64) {
    let axis = Axis::of(rounds, margin, 1);
    (axis.lo, axis.hi)
}

/// Log ratios on columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Axis {
    pub lo: f64,
    pub hi: f64,
    pub columns: usize,
}

/// Where a value lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Below,
    Column(usize),
    Above,
}

impl Axis {
    /// Holds zero, both margins, every round's value and nine tenths of the blocks.
    pub fn of(rounds: &[RoundFigure], margin: f64, columns: usize) -> Axis {
        let blocks: Vec<f64> =
            rounds.iter().flat_map(|round| round.blocks.iter().copied()).collect();
        let ends = [BEYOND, 1.0 - BEYOND].map(|share| quantile(&blocks, share));
        let values = [Some(0.0), Some(margin), Some(-margin)]
            .into_iter()
            .chain(ends)
            .flatten()
            .chain(rounds.iter().map(|round| round.value));
        let (lo, hi) = axis_range(values, ROOM);
        Axis { lo, hi, columns: columns.max(1) }
    }

    pub fn place(&self, value: f64) -> Place {
        if value < self.lo {
            Place::Below
        } else if value > self.hi {
            Place::Above
        } else {
            let share = (value - self.lo) / (self.hi - self.lo);
            let column = libm::floor(share * self.columns as f64) as usize;
            Place::Column(column.min(self.columns - 1))
        }
    }

    /// The column of a value, the nearest one for a value beyond the axis.
    pub fn nearest(&self, value: f64) -> usize {
        match self.place(value) {
            Place::Below => 0,
            Place::Column(column) => column,
            Place::Above => self.columns - 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Axis, Place};

    #[test]
    fn zero_margins_and_rounds_lie_on_the_axis_and_a_stall_beyond_it() {
        let mut blocks = vec![0.01; 39];
        blocks.push(-3.0);
        let round = crate::verdict::RoundFigure { round: 0, part: 0, value: 0.05, blocks };
        let axis = Axis::of(&[round], 0.02, 60);
        assert_eq!(axis.place(-3.0), Place::Below);
        assert_eq!(axis.nearest(-3.0), 0);
        for value in [0.0, 0.02, -0.02, 0.05] {
            assert!(matches!(axis.place(value), Place::Column(_)), "{value}");
        }
        assert_eq!(axis.place(1.0), Place::Above);
    }

    #[test]
    fn nothing_but_zeros_has_an_axis() {
        let axis = Axis::of(&[], 0.0, 10);
        assert!(axis.lo < 0.0 && axis.hi > 0.0);
        assert_eq!(axis.place(0.0), Place::Column(5));
    }
}
