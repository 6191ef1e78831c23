//! Numerical integration of smooth functions.

/// Places and weights of Gauss and Legendre's rule with 10 points on -1 to 1: exact for
/// polynomials up to degree 19. The other half is its mirror image.
///
/// Source: M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions (1964), table 25.4;
/// computed anew with 40 digits.
const HALF: [(f64, f64); 5] = [
    (0.148_874_338_981_631_22, 0.295_524_224_714_752_87),
    (0.433_395_394_129_247_2, 0.269_266_719_309_996_35),
    (0.679_409_568_299_024_4, 0.219_086_362_515_982_04),
    (0.865_063_366_688_984_5, 0.149_451_349_150_580_6),
    (0.973_906_528_517_171_7, 0.066_671_344_308_688_14),
];

/// A place with the width that it stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Node {
    pub at: f64,
    pub weight: f64,
}

/// Nodes over `lo..hi` in order, in equal panels no wider than `panel`. None when the range is
/// empty or not finite.
pub(super) fn nodes(lo: f64, hi: f64, panel: f64) -> Vec<Node> {
    let length = hi - lo;
    if !(length > 0.0 && length.is_finite() && panel > 0.0) {
        return Vec::new();
    }
    let panels = libm::ceil(length / panel).max(1.0);
    let half = length / panels / 2.0;
    let mut found = Vec::with_capacity(10 * panels as usize);
    for place in 0..panels as u32 {
        let centre = lo + half * (2.0 * f64::from(place) + 1.0);
        let left = HALF.iter().rev().map(|(at, weight)| (-at, weight));
        for (at, weight) in left.chain(HALF.iter().map(|(at, weight)| (*at, weight))) {
            found.push(Node { at: centre + half * at, weight: half * weight });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::nodes;

    fn integral(lo: f64, hi: f64, panel: f64, of: impl Fn(f64) -> f64) -> f64 {
        nodes(lo, hi, panel).iter().map(|node| node.weight * of(node.at)).sum()
    }

    #[test]
    fn polynomials_up_to_degree_19_are_exact() {
        for degree in 0..20 {
            let right = (2_f64.powi(degree + 1) - 1.0) / f64::from(degree + 1);
            let found = integral(1.0, 2.0, 2.0, |x| x.powi(degree));
            assert!((found / right - 1.0).abs() < 1e-14, "{degree}: {found} {right}");
        }
    }

    #[test]
    fn panels_add_up_in_order() {
        let found = nodes(-8.0, 8.0, 0.7);
        assert_eq!(found.len(), 230);
        assert!(found.windows(2).all(|pair| pair[0].at < pair[1].at));
        let bell = integral(-9.0, 9.0, 1.5, super::super::normal::normal_density);
        assert!((bell - 1.0).abs() < 1e-14, "{bell}");
    }

    #[test]
    fn no_range_has_no_nodes() {
        for (lo, hi, panel) in [(1.0, 1.0, 1.0), (2.0, 1.0, 1.0), (0.0, f64::INFINITY, 1.0)] {
            assert!(nodes(lo, hi, panel).is_empty());
        }
        assert!(nodes(0.0, 1.0, 0.0).is_empty());
        assert!(nodes(f64::NAN, 1.0, 1.0).is_empty());
    }
}
