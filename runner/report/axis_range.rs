//! The range of an axis of changes, on a page and in text: it always holds zero.

/// Where all values lie close to zero, the axis still shows one percent to either side.
const LEAST_HALF_WIDTH: f64 = 0.01;

/// Lower and upper end of an axis that holds zero and all values that are numbers, with room left at
/// either end, as a share of the whole.
pub(super) fn axis_range(values: impl IntoIterator<Item = f64>, room: f64) -> (f64, f64) {
    let (mut lo, mut hi) = (0.0_f64, 0.0_f64);
    for value in values.into_iter().filter(|value| value.is_finite()) {
        lo = lo.min(value);
        hi = hi.max(value);
    }
    if hi - lo < LEAST_HALF_WIDTH {
        lo -= LEAST_HALF_WIDTH;
        hi += LEAST_HALF_WIDTH;
    }
    let room = room * (hi - lo);
    (lo - room, hi + room)
}
