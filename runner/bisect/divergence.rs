//! How far two tensors are from each other.

use serde::Serialize;

use super::rows::{Rows, root_mean_square};

/// The distance of two tensors of the same shape.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Divergence {
    /// The largest difference of two values, over the root mean square of the position's row (of
    /// the side where that is larger). It is never under the relative length of the difference, so
    /// a bar on it bounds 1 - cosine (by half its square) as well. Infinite where one value is NaN,
    /// or one alone is infinite.
    pub relative: f64,
    /// Where that is.
    pub place: Place,
    /// Cosine over all values.
    pub cosine: f64,
    /// Cosine of the position where it is smallest.
    pub least_cosine: f64,
    /// Length of the second tensor over the length of the first.
    pub scale: f64,
}

/// A value and its counterpart.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Place {
    /// The row, which is the position in the text.
    pub position: usize,
    /// The index in the row.
    pub index: usize,
    /// The first side's value.
    pub left: f32,
    /// The second side's value.
    pub right: f32,
}

/// Sums over pairs of values.
#[derive(Debug, Clone, Copy, Default)]
struct Products {
    left: f64,
    right: f64,
    both: f64,
}

impl Products {
    fn of(left: &[f32], right: &[f32]) -> Products {
        let mut sums = Products::default();
        for (a, b) in left.iter().zip(right) {
            let (a, b) = (f64::from(*a), f64::from(*b));
            if a.is_finite() && b.is_finite() {
                sums.left = a.mul_add(a, sums.left);
                sums.right = b.mul_add(b, sums.right);
                sums.both = a.mul_add(b, sums.both);
            }
        }
        sums
    }

    fn add(&mut self, other: Products) {
        self.left += other.left;
        self.right += other.right;
        self.both += other.both;
    }

    /// Two zero rows point the same way.
    fn cosine(self) -> f64 {
        match (self.left > 0.0, self.right > 0.0) {
            (true, true) => (self.both / libm::sqrt(self.left * self.right)).clamp(-1.0, 1.0),
            (false, false) => 1.0,
            _ => 0.0,
        }
    }
}

/// Compares two tensors; `None` when their shapes differ.
#[must_use]
pub fn divergence(left: &Rows, right: &Rows) -> Option<Divergence> {
    if left.width() != right.width() || left.count() != right.count() {
        return None;
    }
    let first = Place { position: 0, index: 0, left: left.values()[0], right: right.values()[0] };
    let mut found =
        Divergence { relative: 0.0, place: first, cosine: 1.0, least_cosine: 1.0, scale: 1.0 };
    let mut all = Products::default();
    for (position, (a, b)) in left.iter().zip(right.iter()).enumerate() {
        let products = Products::of(a, b);
        found.least_cosine = found.least_cosine.min(products.cosine());
        all.add(products);
        let (index, relative) = largest(a, b);
        if relative > found.relative {
            found.relative = relative;
            found.place = Place { position, index, left: a[index], right: b[index] };
        }
    }
    found.cosine = all.cosine();
    if all.left > 0.0 {
        found.scale = libm::sqrt(all.right / all.left);
    }
    Some(found)
}

/// The index of a row's largest difference, and its size over the row's root mean square.
fn largest(left: &[f32], right: &[f32]) -> (usize, f64) {
    let (mut index, mut most) = (0, 0.0);
    for (at, (a, b)) in left.iter().zip(right).enumerate() {
        let difference = difference(*a, *b);
        if difference > most {
            (index, most) = (at, difference);
        }
    }
    if most == 0.0 {
        return (index, 0.0);
    }
    let scale = root_mean_square(left).max(root_mean_square(right));
    // two rows of nothing but infinities and zeros have no scale
    (index, if scale > 0.0 { most / scale } else { f64::INFINITY })
}

/// Infinite where one is NaN, or where they are not the same infinity.
fn difference(a: f32, b: f32) -> f64 {
    if a.is_finite() && b.is_finite() {
        return (f64::from(a) - f64::from(b)).abs();
    }
    if a == b { 0.0 } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(width: usize, values: &[f32]) -> Rows {
        Rows::new(width, values.to_vec()).unwrap()
    }

    #[test]
    fn equal_tensors_do_not_differ() {
        let same = rows(2, &[1.0, -2.0, 0.0, 0.0]);
        let found = divergence(&same, &same).unwrap();
        assert_eq!((found.relative, found.cosine, found.least_cosine), (0.0, 1.0, 1.0));
    }

    #[test]
    fn the_largest_difference_is_relative_to_its_own_position() {
        // the first position is a thousand times as large, and parts by less of its own size
        let left = rows(2, &[1000.0, 1000.0, 1.0, 1.0]);
        let right = rows(2, &[1000.0, 1000.5, 1.0, 1.25]);
        let found = divergence(&left, &right).unwrap();
        assert_eq!((found.place.position, found.place.index), (1, 1));
        assert_eq!((found.place.left, found.place.right), (1.0, 1.25));
        assert!((found.relative - 0.25 / root_mean_square(&[1.0, 1.25])).abs() < 1e-12);
    }

    #[test]
    fn nan_and_a_lone_infinity_are_infinitely_far() {
        let sound = rows(1, &[1.0, f32::NEG_INFINITY]);
        for bad in [f32::NAN, f32::INFINITY] {
            let found = divergence(&sound, &rows(1, &[bad, f32::NEG_INFINITY])).unwrap();
            assert!(found.relative.is_infinite());
            assert_eq!(found.place.position, 0);
        }
        // a mask is the same on both sides
        assert_eq!(divergence(&sound, &sound).unwrap().relative, 0.0);
        let nan = rows(1, &[f32::NAN]);
        assert!(divergence(&nan, &nan).unwrap().relative.is_infinite());
    }

    #[test]
    fn one_zero_row_points_nowhere() {
        let found = divergence(&rows(2, &[0.0, 0.0]), &rows(2, &[1.0, 0.0])).unwrap();
        assert_eq!(found.least_cosine, 0.0);
        assert!(found.relative > 1.0);
    }

    #[test]
    fn other_shapes_are_not_compared() {
        assert_eq!(divergence(&rows(2, &[0.0; 4]), &rows(4, &[0.0; 4])), None);
    }
}
