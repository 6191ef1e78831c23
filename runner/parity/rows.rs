//! Figures of two rows of one length. Sums run in the order of the values, in 64-bit floats.

/// Cosine of two rows; `None` where one of them is zero throughout or holds what is no number.
#[must_use]
pub fn cosine(left: &[f32], right: &[f32]) -> Option<f64> {
    cosine_about(left, right, 0.0, 0.0)
}

/// Cosine after each row's mean was taken off: a common offset, which no softmax sees, does not
/// count as likeness.
#[must_use]
pub fn centred_cosine(left: &[f32], right: &[f32]) -> Option<f64> {
    cosine_about(left, right, mean(left)?, mean(right)?)
}

fn mean(row: &[f32]) -> Option<f64> {
    let sum: f64 = row.iter().map(|value| f64::from(*value)).sum();
    (!row.is_empty()).then(|| sum / row.len() as f64)
}

fn cosine_about(left: &[f32], right: &[f32], left_zero: f64, right_zero: f64) -> Option<f64> {
    if left.len() != right.len() {
        return None;
    }
    let (mut product, mut left_square, mut right_square) = (0.0_f64, 0.0_f64, 0.0_f64);
    for (here, there) in left.iter().zip(right) {
        let (here, there) = (f64::from(*here) - left_zero, f64::from(*there) - right_zero);
        product += here * there;
        left_square += here * here;
        right_square += there * there;
    }
    let length = libm::sqrt(left_square) * libm::sqrt(right_square);
    let cosine = product / length;
    // a length of zero and a NaN both give a quotient that is no number
    cosine.is_finite().then(|| cosine.clamp(-1.0, 1.0))
}

/// The first of the greatest values; `None` for an empty row.
#[must_use]
pub fn argmax(row: &[f32]) -> Option<usize> {
    let mut best: Option<(usize, f32)> = None;
    for (place, value) in row.iter().enumerate() {
        if best.is_none_or(|(_, greatest)| *value > greatest) {
            best = Some((place, *value));
        }
    }
    best.map(|(place, _)| place)
}

/// KL(reference || other) of the two softmax distributions, nats; rounding below zero is zero.
#[must_use]
pub fn kl_divergence(reference: &[f32], other: &[f32]) -> f64 {
    let (here_most, there_most) = (greatest(reference), greatest(other));
    let (mut here_total, mut there_total, mut weighted) = (0.0_f64, 0.0_f64, 0.0_f64);
    for (here, there) in reference.iter().zip(other) {
        let (here, there) = (f64::from(*here) - here_most, f64::from(*there) - there_most);
        let weight = libm::exp(here);
        here_total += weight;
        there_total += libm::exp(there);
        weighted += weight * (here - there);
    }
    (weighted / here_total - libm::log(here_total) + libm::log(there_total)).max(0.0)
}

/// Minus the logarithm of the probability that a row of logits gives a token, nats.
#[must_use]
pub fn negative_log_likelihood(row: &[f32], token: usize) -> Option<f64> {
    let logit = f64::from(*row.get(token)?);
    let most = greatest(row);
    let total: f64 = row.iter().map(|value| libm::exp(f64::from(*value) - most)).sum();
    Some(libm::log(total) + most - logit)
}

fn greatest(row: &[f32]) -> f64 {
    f64::from(row.iter().copied().fold(f32::NEG_INFINITY, f32::max))
}

/// The first value that is no finite number.
pub(super) fn not_finite(row: &[f32]) -> Option<(usize, f32)> {
    row.iter().copied().enumerate().find(|(_, value)| !value.is_finite())
}
