//! One look over a row: whether it can be compared, its greatest values, its mean.

use super::fault::{RowFault, Side};
use super::lanes::{LANES, Lanes, each, first_index, total};

/// The sign of an `f32` is not of its size.
const WITHOUT_SIGN: u32 = 0x7fff_ffff;
/// Bits of infinity; NaN is above.
const INFINITE: u32 = 0x7f80_0000;

/// The greatest value of a row of logits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Top {
    /// Index of the greatest; the lowest of several equal ones.
    pub token: usize,
    /// Its logit.
    pub logit: f32,
    /// The greatest less the second: 0 on a tie.
    pub margin: f64,
}

/// That a row is finite and not all zeros.
///
/// # Errors
/// The first value that is not finite, or that there is nothing but zeros.
pub(super) fn check(row: &[f32], side: Side) -> Result<(), RowFault> {
    let mut greatest = [0_i32; LANES];
    // without its sign a size is below 2^31: signed, since processors compare so
    each(row, |lane, value| {
        let size = (value.to_bits() & WITHOUT_SIGN).cast_signed();
        greatest[lane] = if size > greatest[lane] { size } else { greatest[lane] };
    });
    let size = greatest.into_iter().max().unwrap_or(0).cast_unsigned();
    if size >= INFINITE {
        let found = row.iter().enumerate().find(|(_, value)| !value.is_finite());
        let (index, value) = found.map_or((0, f32::NAN), |(index, value)| (index, *value));
        return Err(RowFault::NotFinite { side, index, value });
    }
    if size == 0 { Err(RowFault::AllZero { side }) } else { Ok(()) }
}

/// The mean of a row, which has a value.
pub(super) fn mean(row: &[f32]) -> f64 {
    let mut sums: Lanes = [0.0; LANES];
    each(row, |lane, value| sums[lane] += f64::from(value));
    total(&sums) / row.len() as f64
}

/// The greatest value of a finite row of two or more, and by how much.
pub(super) fn top(row: &[f32]) -> Top {
    let mut best = [f32::NEG_INFINITY; LANES];
    let mut second = [f32::NEG_INFINITY; LANES];
    let take = |best: &mut f32, second: &mut f32, value: f32| {
        let lesser = if value > *best { *best } else { value };
        *second = if lesser > *second { lesser } else { *second };
        *best = if value > *best { value } else { *best };
    };
    each(row, |lane, value| take(&mut best[lane], &mut second[lane], value));
    let (mut first, mut runner_up) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
    for value in best.into_iter().chain(second) {
        take(&mut first, &mut runner_up, value);
    }
    Top {
        token: first_index(row, row, |value, _| value == first).unwrap_or(0),
        logit: first,
        margin: f64::from(first) - f64::from(runner_up),
    }
}

#[cfg(test)]
mod tests {
    use super::{check, top};
    use crate::divergence::{RowFault, Side};

    #[test]
    fn the_lowest_of_equal_ones_and_the_margin_wherever_they_stand() {
        for length in [2, 7, 8, 9, 31, 32, 33, 100] {
            for best in 0..length {
                let mut row = vec![-3.0_f32; length];
                row[best] = 2.5;
                let found = top(&row);
                assert_eq!((found.token, found.logit, found.margin), (best, 2.5, 5.5));
                for other in (0..length).filter(|other| *other != best) {
                    let mut row = row.clone();
                    row[other] = 2.0;
                    assert_eq!((top(&row).token, top(&row).margin), (best, 0.5));
                    row[other] = 2.5;
                    assert_eq!((top(&row).token, top(&row).margin), (best.min(other), 0.0));
                }
            }
        }
    }

    #[test]
    fn what_is_not_finite_is_found_wherever_it_stands() {
        for index in 0..21 {
            for bad in [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                let mut row = [1.0_f32; 21];
                row[index] = bad;
                match check(&row, Side::There) {
                    Err(RowFault::NotFinite { side: Side::There, index: found, value }) => {
                        assert_eq!((found, value.to_bits()), (index, bad.to_bits()));
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
        assert_eq!(check(&[0.0, -0.0], Side::Here), Err(RowFault::AllZero { side: Side::Here }));
        let mut row = [0.0_f32; 20];
        row[19] = f32::from_bits(1); // the least that is not zero
        assert_eq!(check(&row, Side::Here), Ok(()));
    }
}
