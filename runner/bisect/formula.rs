//! What the operations of a transformer give, one value at a time, in double precision: enough to
//! see which of two sides fits its own inputs.

/// How the dimensions of a head rotate together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairing {
    /// Dimension 2 i with 2 i + 1.
    Neighbours,
    /// Dimension i with i + half.
    Halves,
}

/// A rotary embedding.
#[derive(Debug, Clone, PartialEq)]
pub struct Rotation {
    /// Values of a head.
    pub head: usize,
    /// Angle a position, for each pair; as many as half the dimensions that rotate.
    pub frequencies: Vec<f64>,
    /// What goes with what.
    pub pairing: Pairing,
    /// Times this (YaRN).
    pub factor: f64,
}

/// A value of a row over the row's root mean square.
#[must_use]
pub fn rms_norm(row: &[f32], index: usize, epsilon: f64) -> Option<f64> {
    let squares: f64 = row.iter().map(|value| f64::from(*value) * f64::from(*value)).sum();
    let mean = squares / row.len() as f64;
    Some(f64::from(*row.get(index)?) / libm::sqrt(mean + epsilon))
}

/// The product of a row of weights with a row of values; `None` when they are not as long.
#[must_use]
pub fn product(weights: &[f32], row: &[f32]) -> Option<f64> {
    let terms = weights.iter().zip(row).map(|(a, b)| f64::from(*a) * f64::from(*b));
    (weights.len() == row.len()).then(|| terms.sum())
}

/// A value after the rotation that belongs to a position.
#[must_use]
pub fn rotate(row: &[f32], index: usize, position: usize, rotation: &Rotation) -> Option<f64> {
    let pairs = rotation.frequencies.len();
    let (start, at) = (index - index % rotation.head, index % rotation.head);
    let own = f64::from(*row.get(index)?);
    if at >= 2 * pairs {
        return Some(own);
    }
    let (pair, is_first) = match rotation.pairing {
        Pairing::Neighbours => (at / 2, at.is_multiple_of(2)),
        Pairing::Halves => (at % pairs, at < pairs),
    };
    let partner = match (rotation.pairing, is_first) {
        (Pairing::Neighbours, true) => at + 1,
        (Pairing::Neighbours, false) => at - 1,
        (Pairing::Halves, true) => at + pairs,
        (Pairing::Halves, false) => at - pairs,
    };
    let partner = f64::from(*row.get(start + partner)?);
    let angle = position as f64 * rotation.frequencies.get(pair)?;
    let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
    let turned =
        if is_first { own * cosine - partner * sine } else { own * cosine + partner * sine };
    Some(turned * rotation.factor)
}

/// A gate through its own sigmoid, times the other.
#[must_use]
pub fn swiglu(gate: f32, up: f32) -> f64 {
    let gate = f64::from(gate);
    gate / (1.0 + libm::exp(-gate)) * f64::from(up)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_norm_has_a_mean_square_of_one() {
        let row = [3.0, -4.0, 0.0, 5.0];
        let normed: Vec<f64> = (0..4).filter_map(|at| rms_norm(&row, at, 0.0)).collect();
        let mean = normed.iter().map(|value| value * value).sum::<f64>() / 4.0;
        assert!((mean - 1.0).abs() < 1e-12);
        assert_eq!(rms_norm(&row, 4, 0.0), None);
    }

    #[test]
    fn a_rotation_keeps_lengths_and_position_zero() {
        let row = [1.0, 2.0, 3.0, 4.0, 9.0, 9.0];
        for pairing in [Pairing::Neighbours, Pairing::Halves] {
            let rotation = Rotation { head: 6, frequencies: vec![1.0, 0.1], pairing, factor: 1.0 };
            let turned: Vec<f64> = (0..6).filter_map(|at| rotate(&row, at, 3, &rotation)).collect();
            let squares: f64 = turned[..4].iter().map(|value| value * value).sum();
            assert!((squares - 30.0).abs() < 1e-9);
            // what does not rotate stays
            assert_eq!(turned[4..], [9.0, 9.0]);
            assert_eq!(rotate(&row, 1, 0, &rotation), Some(2.0));
        }
        let neighbours =
            Rotation { head: 2, frequencies: vec![1.0], pairing: Pairing::Neighbours, factor: 1.0 };
        let quarter = rotate(&[1.0, 0.0], 1, 1, &neighbours).unwrap();
        assert!((quarter - libm::sin(1.0)).abs() < 1e-12);
    }

    #[test]
    fn products_need_rows_of_one_length() {
        assert_eq!(product(&[1.0, 2.0], &[3.0, 4.0]), Some(11.0));
        assert_eq!(product(&[1.0], &[3.0, 4.0]), None);
    }
}
