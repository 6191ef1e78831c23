//! What the aa arm's interval allows.

/// Of the aa interval.
pub const AA_CONFIDENCE_PERCENT: f64 = 99.0;

/// What two identical arms show of the instrument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AaState {
    /// They differ, by more than half the margin: nothing can be believed.
    Biased,
    /// Their interval is wider than the margin on either side: `level` cannot be shown.
    TooWideForLevel,
    /// Every verdict is possible.
    Sound,
}

/// Judges ln(aa/off): `estimate` with the half width of its 99 % interval against `margin`, all
/// log ratios. A NaN is too wide.
#[must_use]
pub fn aa_state(estimate: f64, half_width: f64, margin: f64) -> AaState {
    if estimate.abs() > half_width && estimate.abs() > margin / 2.0 {
        AaState::Biased
    } else if half_width <= margin {
        AaState::Sound
    } else {
        AaState::TooWideForLevel
    }
}

#[cfg(test)]
mod tests {
    use super::{AaState, aa_state};

    #[test]
    fn a_bias_is_seen_and_large_enough_to_matter() {
        assert_eq!(aa_state(0.012, 0.010, 0.02), AaState::Biased);
        assert_eq!(aa_state(-0.012, 0.010, 0.02), AaState::Biased);
        assert_eq!(aa_state(0.009, 0.005, 0.02), AaState::Sound);
        assert_eq!(aa_state(0.012, 0.013, 0.02), AaState::Sound);
    }

    #[test]
    fn a_wide_interval_rules_out_level() {
        assert_eq!(aa_state(0.0, 0.021, 0.02), AaState::TooWideForLevel);
        assert_eq!(aa_state(f64::NAN, f64::NAN, 0.02), AaState::TooWideForLevel);
    }
}
