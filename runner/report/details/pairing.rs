//! What pairing bought, in words.

use super::super::figures::size;
use crate::verdict::PairingGain;

/// One plain line.
pub(super) fn line(gain: &PairingGain) -> String {
    let correlation = match gain.correlation {
        Some(correlation) => format!("correlation {correlation:.2}"),
        None => "no correlation (an arm without spread)".to_owned(),
    };
    match gain.blocks_factor {
        Some(factor) => format!(
            "pairing: {correlation}; unpaired, the same interval would have taken {} times the \
             blocks",
            times(factor)
        ),
        None => format!("pairing: {correlation}; no spread of pairs to hold against"),
    }
}

/// Both standard errors side by side.
pub(super) fn errors(gain: &PairingGain) -> String {
    format!(
        "standard error of the mean over blocks: {} paired, {} pooled",
        size(gain.paired_standard_error),
        size(gain.pooled_standard_error)
    )
}

/// Two digits are enough: `0.82`, `5.9`, `120`.
fn times(factor: f64) -> String {
    if factor < 1.0 {
        format!("{factor:.2}")
    } else if factor < 100.0 {
        format!("{factor:.1}")
    } else {
        format!("{factor:.0}")
    }
}
