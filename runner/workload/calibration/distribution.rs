//! How a statistic is spread over the items of a set.

use serde::{Deserialize, Serialize};

/// Values are kept to four decimals: an item has some hundred tokens, so a fifth says nothing.
const PRECISION: f64 = 1e4;

/// Order statistics by the nearest rank, so each is the value of some item.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Distribution {
    /// The least.
    pub min: f64,
    /// One item in ten lies here or below.
    pub p10: f64,
    /// The middle.
    pub median: f64,
    /// Nine items in ten lie here or below.
    pub p90: f64,
    /// The greatest.
    pub max: f64,
}

impl Distribution {
    /// Of the values of all items that have one; `None` where none has.
    #[must_use]
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Distribution> {
        let mut sorted: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let at = |tenths: usize| {
            let rank = (sorted.len() * tenths).div_ceil(10).max(1);
            sorted.get(rank - 1).map(|value| rounded(*value))
        };
        Some(Distribution { min: at(0)?, p10: at(1)?, median: at(5)?, p90: at(9)?, max: at(10)? })
    }
}

/// To four decimals; never a negative zero.
pub(super) fn rounded(value: f64) -> f64 {
    (value * PRECISION).round() / PRECISION + 0.0
}

#[cfg(test)]
mod tests {
    use super::Distribution;

    #[test]
    fn ranks_are_those_of_items() {
        let of_ten = Distribution::of((1..=10).map(f64::from)).unwrap();
        let expected = Distribution { min: 1.0, p10: 1.0, median: 5.0, p90: 9.0, max: 10.0 };
        assert_eq!(of_ten, expected);
        let of_one = Distribution::of([0.25]).unwrap();
        assert_eq!((of_one.min, of_one.p90), (0.25, 0.25));
    }

    #[test]
    fn no_value_is_no_distribution() {
        assert_eq!(Distribution::of([]), None);
        assert_eq!(Distribution::of([f64::NAN]), None);
    }
}
