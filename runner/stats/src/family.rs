//! Several comparisons judged together.

/// Confidence of each of `comparisons` intervals that makes all of them hold together with
/// `confidence_percent` or more, percent: `100 - (100 - confidence) / comparisons`. A family of
/// none is a family of one.
///
/// Source: O. J. Dunn, "Multiple comparisons among means", JASA 56 (1961): Bonferroni's
/// inequality.
#[must_use]
pub fn simultaneous_confidence_percent(confidence_percent: f64, comparisons: usize) -> f64 {
    100.0 - (100.0 - confidence_percent) / comparisons.max(1) as f64
}

/// Holm-adjusted p of each member of a family, in the order given. A member without a p
/// (`None`) is counted in the family as if its p were 1, so that a missing result makes nothing
/// else look better; its own adjusted p is `None`.
///
/// Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian
/// Journal of Statistics 6 (1979).
#[must_use]
pub fn holm(family: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut order: Vec<(usize, f64)> = family
        .iter()
        .enumerate()
        .filter_map(|(index, p)| p.filter(|p| !p.is_nan()).map(|p| (index, p)))
        .collect();
    order.sort_by(|left, right| left.1.total_cmp(&right.1).then(left.0.cmp(&right.0)));
    let mut adjusted = vec![None; family.len()];
    let mut greatest = 0.0_f64;
    for (rank, (index, p)) in order.into_iter().enumerate() {
        greatest = greatest.max(p * (family.len() - rank) as f64).min(1.0);
        adjusted[index] = Some(greatest);
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::{holm, simultaneous_confidence_percent};

    #[test]
    fn bonferroni_divides_the_error() {
        assert!((simultaneous_confidence_percent(95.0, 5) - 99.0).abs() < 1e-12);
        assert_eq!(simultaneous_confidence_percent(95.0, 1), 95.0);
        assert_eq!(simultaneous_confidence_percent(95.0, 0), 95.0);
    }

    #[test]
    fn a_missing_p_makes_nothing_else_look_better() {
        assert_eq!(holm(&[Some(0.01), None, Some(0.2)]), [Some(0.03), None, Some(0.4)]);
        assert_eq!(holm(&[]), Vec::<Option<f64>>::new());
        assert_eq!(holm(&[Some(0.9), Some(0.9)]), [Some(1.0), Some(1.0)]);
    }
}
