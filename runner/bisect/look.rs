//! A look at one side of a pair: what no sound tensor shows.

use serde::Serialize;

use super::rows::{Rows, root_mean_square};

/// Counts and sizes of one side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Look {
    /// Values looked at.
    pub values: u64,
    /// Not a number.
    pub nan: u64,
    /// Infinite, either sign.
    pub infinite: u64,
    /// Not zero, and smaller than the least normal number.
    pub denormal: u64,
    /// Zero, either sign.
    pub zero: u64,
    /// Positions whose values are all the same.
    pub constant_positions: u64,
    /// Positions.
    pub positions: u64,
    /// Root mean square of the finite values.
    pub root_mean_square: f64,
    /// The largest finite magnitude.
    pub largest: f32,
}

/// What a look finds suspicious.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Oddity {
    /// So many values are NaN.
    Nan(u64),
    /// So many values are infinite.
    Infinite(u64),
    /// This share of the values is denormal: what memory holds that was never written.
    Denormal(f64),
    /// Every value is zero.
    AllZero,
    /// This share of the values is zero.
    Zero(f64),
    /// At so many positions all values are the same.
    Constant(u64),
}

/// A computed tensor has next to no denormal values; memory that was never written is full of them.
const DENORMAL_SHARE: f64 = 0.001;
/// Zeros are common after a rectifier, so only a clear majority is odd.
const ZERO_SHARE: f64 = 0.5;
/// An oddity is excused where the other side shows it too, at most this many times less: rounding
/// moves a few values over an edge, and no more.
const EXCUSED: u64 = 2;

impl Look {
    /// Looks at all values.
    #[must_use]
    pub fn at(rows: &Rows) -> Look {
        let mut look = Look {
            values: rows.values().len() as u64,
            nan: 0,
            infinite: 0,
            denormal: 0,
            zero: 0,
            constant_positions: 0,
            positions: rows.count() as u64,
            root_mean_square: root_mean_square(rows.values()),
            largest: 0.0,
        };
        for row in rows.iter() {
            for value in row {
                look.nan += u64::from(value.is_nan());
                look.infinite += u64::from(value.is_infinite());
                look.denormal += u64::from(value.is_subnormal());
                look.zero += u64::from(*value == 0.0);
                if value.is_finite() {
                    look.largest = look.largest.max(value.abs());
                }
            }
            let constant = row.len() > 1 && row.iter().all(|value| *value == row[0]);
            look.constant_positions += u64::from(constant);
        }
        look
    }

    fn share(&self, count: u64) -> f64 {
        count as f64 / self.values.max(1) as f64
    }

    /// What is odd by itself.
    #[must_use]
    pub fn oddities(&self) -> Vec<Oddity> {
        let mut found = Vec::new();
        if self.nan > 0 {
            found.push(Oddity::Nan(self.nan));
        }
        if self.infinite > 0 {
            found.push(Oddity::Infinite(self.infinite));
        }
        if self.share(self.denormal) > DENORMAL_SHARE {
            found.push(Oddity::Denormal(self.share(self.denormal)));
        }
        if self.zero == self.values {
            found.push(Oddity::AllZero);
        } else if self.share(self.zero) > ZERO_SHARE {
            found.push(Oddity::Zero(self.share(self.zero)));
        } else if self.constant_positions > 0 {
            found.push(Oddity::Constant(self.constant_positions));
        }
        found
    }

    /// What is odd here and not on the other side, or far more of it: what both show belongs to the
    /// model or its text.
    #[must_use]
    pub fn odd_beside(&self, other: &Look) -> Vec<Oddity> {
        self.oddities().into_iter().filter(|oddity| !other.excuses(oddity)).collect()
    }

    /// Whether about as much is seen here: at least one part in [`EXCUSED`].
    fn excuses(&self, oddity: &Oddity) -> bool {
        let enough = |theirs: u64, mine: u64| theirs <= EXCUSED.saturating_mul(mine);
        let enough_of_all = |theirs: f64, mine: f64| theirs <= EXCUSED as f64 * mine;
        let zero = self.share(self.zero);
        match oddity {
            Oddity::Nan(count) => enough(*count, self.nan),
            Oddity::Infinite(count) => enough(*count, self.infinite),
            Oddity::Denormal(share) => enough_of_all(*share, self.share(self.denormal)),
            Oddity::AllZero => self.zero == self.values,
            // a share near all hardly grows, while what is left of the values may be gone
            Oddity::Zero(share) => enough_of_all(1.0 - zero, 1.0 - share),
            Oddity::Constant(count) => enough(*count, self.constant_positions),
        }
    }
}

impl Oddity {
    /// In words.
    #[must_use]
    pub fn words(&self) -> String {
        let percent = |share: &f64| format!("{:.1} %", share * 100.0);
        match self {
            Oddity::Nan(1) => "one value is NaN".to_owned(),
            Oddity::Nan(count) => format!("{count} values are NaN"),
            Oddity::Infinite(1) => "one value is infinite".to_owned(),
            Oddity::Infinite(count) => format!("{count} values are infinite"),
            Oddity::Denormal(share) => {
                format!("{} of the values are denormal, as in memory never written", percent(share))
            }
            Oddity::AllZero => "every value is zero".to_owned(),
            Oddity::Zero(share) => format!("{} of the values are zero", percent(share)),
            Oddity::Constant(1) => "at one position all values are the same".to_owned(),
            Oddity::Constant(count) => format!("at {count} positions all values are the same"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(width: usize, values: &[f32]) -> Look {
        Look::at(&Rows::new(width, values.to_vec()).unwrap())
    }

    #[test]
    fn what_memory_never_written_holds_is_odd() {
        let tiny = f32::MIN_POSITIVE / 2.0;
        let found = look(2, &[tiny, -tiny, tiny, 1.0]).oddities();
        assert_eq!(found, [Oddity::Denormal(0.75)]);
    }

    #[test]
    fn nan_infinities_zeros_and_constants_are_counted() {
        let found = look(2, &[f32::NAN, 1.0, f32::INFINITY, 2.0]).oddities();
        assert_eq!(found, [Oddity::Nan(1), Oddity::Infinite(1)]);
        assert_eq!(look(2, &[0.0; 4]).oddities(), [Oddity::AllZero]);
        assert_eq!(look(2, &[0.0, 0.0, 0.0, 1.0]).oddities(), [Oddity::Zero(0.75)]);
        assert_eq!(look(2, &[3.0, 3.0, 1.0, 2.0]).oddities(), [Oddity::Constant(1)]);
        assert_eq!(look(2, &[1.0, 2.0, 3.0, 4.0]).oddities(), []);
    }

    #[test]
    fn what_both_sides_show_is_held_against_neither() {
        let masked = look(2, &[f32::NEG_INFINITY, 1.0]);
        let broken = look(2, &[f32::NEG_INFINITY, f32::NAN]);
        assert_eq!(masked.odd_beside(&broken), []);
        assert_eq!(broken.odd_beside(&masked), [Oddity::Nan(1)]);
    }

    #[test]
    fn a_little_on_one_side_does_not_excuse_much_on_the_other() {
        let with = |bad: f32, count: usize| {
            let mut values: Vec<f32> = (1..=64_u8).map(f32::from).collect();
            values[..count].fill(bad);
            look(8, &values)
        };
        let (one, two, many) = (with(f32::NAN, 1), with(f32::NAN, 2), with(f32::NAN, 20));
        assert_eq!(many.odd_beside(&one), [Oddity::Nan(20)]);
        assert_eq!(one.odd_beside(&many), []);
        assert_eq!(two.odd_beside(&one), []);
        let (few, most, all) = (with(0.0, 33), with(0.0, 60), with(0.0, 64));
        assert_eq!(most.odd_beside(&few), [Oddity::Zero(60.0 / 64.0)]);
        assert_eq!(few.odd_beside(&most), []);
        // all are more than most, so the one excuses the other, and not the other way round
        assert_eq!(most.odd_beside(&all), []);
        assert_eq!(all.odd_beside(&most), [Oddity::AllZero]);
        assert_eq!(all.odd_beside(&all), []);
    }
}
