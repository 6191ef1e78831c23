//! Cosine and largest difference of two rows of values.

use super::fault::{RowFault, Side};
use super::lanes::{Lanes, each_pair, first_index, total};
use super::survey::{check, mean};

/// How far two rows of values are apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValueDivergence {
    /// Cosine of the angle between the rows, -1 to 1.
    pub cosine: f64,
    /// The same after each row's mean was taken from it: what remains when a common offset, on
    /// which a softmax does not depend, is out of the way. `None` when a row is constant.
    pub centred_cosine: Option<f64>,
    /// The largest |here - there|.
    pub largest_difference: f64,
    /// The first index at which it is; 0 where all are equal.
    pub largest_difference_at: usize,
}

/// Compares two rows of one length.
///
/// # Errors
/// [`RowFault`] when there is no value, lengths differ, a value is not finite or a row is all
/// zeros: such rows have no cosine, and none is made up.
pub fn compare_values(here: &[f32], there: &[f32]) -> Result<ValueDivergence, RowFault> {
    same_length(here, there, 1)?;
    check(here, Side::Here)?;
    check(there, Side::There)?;
    Ok(compare_sound(here, there))
}

/// That the rows are of one length, and long enough.
pub(super) fn same_length(here: &[f32], there: &[f32], least: usize) -> Result<(), RowFault> {
    if here.len() != there.len() {
        return Err(RowFault::UnlikeLengths { here: here.len(), there: there.len() });
    }
    if here.len() < least {
        return Err(RowFault::TooShort { values: here.len(), least });
    }
    Ok(())
}

/// The same of rows that were checked.
pub(super) fn compare_sound(here: &[f32], there: &[f32]) -> ValueDivergence {
    let means = (mean(here), mean(there));
    let mut sums = Sums::default();
    each_pair(here, there, |lane, here, there| sums.take(lane, here, there, means));
    let largest = sums.largest.iter().fold(0.0_f64, |most, value| most.max(*value));
    ValueDivergence {
        cosine: sums.plain.cosine().unwrap_or(0.0),
        centred_cosine: sums.centred.cosine(),
        largest_difference: largest,
        largest_difference_at: first_difference(here, there, largest),
    }
}

/// The first index at which the rows differ by this much.
fn first_difference(here: &[f32], there: &[f32], largest: f64) -> usize {
    if largest == 0.0 {
        return 0;
    }
    first_index(here, there, |here, there| (f64::from(here) - f64::from(there)).abs() == largest)
        .unwrap_or(0)
}

/// Products of two rows, lane by lane.
#[derive(Default)]
struct Products {
    across: Lanes,
    here: Lanes,
    there: Lanes,
}

impl Products {
    #[inline(always)]
    fn take(&mut self, lane: usize, here: f64, there: f64) {
        self.across[lane] += here * there;
        self.here[lane] += here * here;
        self.there[lane] += there * there;
    }

    /// `None` when a row has no length.
    fn cosine(&self) -> Option<f64> {
        let lengths = libm::sqrt(total(&self.here)) * libm::sqrt(total(&self.there));
        (lengths > 0.0).then(|| (total(&self.across) / lengths).clamp(-1.0, 1.0))
    }
}

#[derive(Default)]
struct Sums {
    plain: Products,
    centred: Products,
    largest: Lanes,
}

impl Sums {
    #[inline(always)]
    fn take(&mut self, lane: usize, here: f32, there: f32, means: (f64, f64)) {
        let (here, there) = (f64::from(here), f64::from(there));
        self.plain.take(lane, here, there);
        self.centred.take(lane, here - means.0, there - means.1);
        let difference = (here - there).abs();
        let largest = self.largest[lane];
        self.largest[lane] = if difference > largest { difference } else { largest };
    }
}
