//! How many differences point the same way.

/// Signs of a sample of differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignCounts {
    /// Above zero.
    pub positive: u32,
    /// Below zero.
    pub negative: u32,
    /// Exactly zero.
    pub zero: u32,
}

impl SignCounts {
    /// How many have the sign of `direction`; 0 when it is zero or NaN, since nothing agrees
    /// with no direction.
    #[must_use]
    pub fn agreeing_with(self, direction: f64) -> u32 {
        if direction > 0.0 {
            self.positive
        } else if direction < 0.0 {
            self.negative
        } else {
            0
        }
    }

    /// All of them.
    #[must_use]
    pub fn total(self) -> u32 {
        self.positive + self.negative + self.zero
    }
}

/// Counts the signs; a NaN counts as zero.
#[must_use]
pub fn sign_counts(differences: &[f64]) -> SignCounts {
    let mut counts = SignCounts { positive: 0, negative: 0, zero: 0 };
    for &difference in differences {
        if difference > 0.0 {
            counts.positive += 1;
        } else if difference < 0.0 {
            counts.negative += 1;
        } else {
            counts.zero += 1;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::sign_counts;

    #[test]
    fn agreement_follows_the_direction_of_the_estimate() {
        let counts = sign_counts(&[0.1, 0.2, -0.3, 0.0]);
        assert_eq!(counts.total(), 4);
        assert_eq!(counts.agreeing_with(0.05), 2);
        assert_eq!(counts.agreeing_with(-0.05), 1);
        assert_eq!(counts.agreeing_with(0.0), 0);
        assert_eq!(counts.agreeing_with(f64::NAN), 0);
    }
}
