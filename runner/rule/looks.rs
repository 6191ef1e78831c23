//! When a rule looks at the samples, and with which error.

use super::confidence_sequence::sequence_z;
use super::group_sequential::group_sequential_z;
use crate::manifest::Stop;
use crate::stats::{normal_upper, student_quantile};

/// Fewest rounds with which a verdict is given at all.
pub const FEWEST_ROUNDS: u32 = 3;

/// Fewest rounds at a look of a group-sequential rule: the spread must be known well enough.
pub const EARLIEST_LOOK: u32 = 8;

/// Fewest rounds at a look of a confidence sequence, whose promise is asymptotic.
pub const EARLIEST_SEQUENCE_LOOK: u32 = 20;

/// One look at the samples, for one comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// From 1.
    pub number: u32,
    /// Whole rounds that it sees.
    pub rounds: u32,
    /// Those over the rounds of the last look.
    pub information: f64,
    /// Two-sided error of the interval at this look: 1 less its nominal confidence.
    pub nominal_p: f64,
    /// Student's t for as many units as rounds, worked out once; `None`: work it out when asked.
    pub(super) own_quantile: Option<f64>,
}

impl Look {
    /// A look with its own quantile worked out.
    #[must_use]
    pub fn new(number: u32, rounds: u32, information: f64, nominal_p: f64) -> Look {
        let mut look = Look { number, rounds, information, nominal_p, own_quantile: None };
        look.own_quantile = look.quantile(rounds);
        look
    }

    /// Student's t for the interval at this look when the spread comes from `units` values.
    /// `None` under two units.
    ///
    /// The boundary's own z would assume a spread known for certain.
    #[must_use]
    pub fn quantile(&self, units: u32) -> Option<f64> {
        if let (true, Some(own)) = (units == self.rounds, self.own_quantile) {
            return Some(own);
        }
        let freedom = units.checked_sub(1).filter(|freedom| *freedom > 0)?;
        student_quantile(self.nominal_p, f64::from(freedom))
    }
}

/// Why a stopping rule has no looks.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LookFault {
    /// A place in the list of looks that is out of order, too early, or beyond the rounds.
    #[error("looks must increase from {EARLIEST_LOOK} rounds or more up to the registered rounds")]
    Order,
    /// Spending that falls, or passes the whole.
    #[error("the error spent must increase from look to look and end at the whole")]
    Spending,
    /// An error that is not strictly between 0 and 1.
    #[error("the error must lie strictly between 0 and 1")]
    Alpha,
    /// A confidence sequence over fewer rounds than its first look needs.
    #[error("a confidence sequence looks from {EARLIEST_SEQUENCE_LOOK} rounds on")]
    TooShort,
}

/// The looks of a stopping rule over `rounds` registered rounds at a two-sided error `alpha` of
/// one comparison (0.05, shared out over the family).
///
/// - Fixed: one look, after all rounds, with all of the error.
/// - Group-sequential: the registered looks; the boundary's z at each becomes the nominal p
///   `2 (1 - Phi(z))`, where the recursion allows for the spread's being found from the same rounds
///   (so later looks are a little stricter than in tables for a known spread). A look that may spend next to nothing (a boundary beyond z = 8) has a nominal
///   p of 0 and cannot stop.
/// - Confidence sequence: a look after every whole round from the 20th, at the normal mixture's
///   boundary, tuned to half of the registered rounds.
///
/// # Errors
/// [`LookFault`] when the rule cannot be carried out; `check` refuses such manifests.
pub fn looks(stop: &Stop, rounds: u32, alpha: f64) -> Result<Vec<Look>, LookFault> {
    if !(alpha > 0.0 && alpha < 1.0) {
        return Err(LookFault::Alpha);
    }
    match stop {
        Stop::Fixed { .. } => Ok(vec![Look::new(1, rounds, 1.0, alpha)]),
        Stop::GroupSequential { looks_at_rounds, spending, .. } => {
            let boundaries = group_sequential_z(spending, looks_at_rounds, rounds, alpha)?;
            Ok(numbered(looks_at_rounds.iter().copied().zip(boundaries), rounds))
        }
        Stop::ConfidenceSequence { .. } => {
            if rounds < EARLIEST_SEQUENCE_LOOK {
                return Err(LookFault::TooShort);
            }
            let all: Option<Vec<(u32, f64)>> = (EARLIEST_SEQUENCE_LOOK..=rounds)
                .map(|look| Some((look, sequence_z(look, rounds, alpha)?)))
                .collect();
            Ok(numbered(all.ok_or(LookFault::Alpha)?.into_iter(), rounds))
        }
    }
}

fn numbered(looks: impl Iterator<Item = (u32, f64)>, rounds: u32) -> Vec<Look> {
    looks
        .zip(1..)
        .map(|((look, z), number)| {
            let information = f64::from(look) / f64::from(rounds);
            Look::new(number, look, information, 2.0 * normal_upper(z))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Look, LookFault, looks};
    use crate::manifest::{Spending, Stop};

    fn group(looks_at_rounds: &[u32], spending: Spending) -> Stop {
        Stop::GroupSequential {
            looks_at_rounds: looks_at_rounds.to_vec(),
            spending,
            futility_percent: None,
            cap_minutes: 60.0,
        }
    }

    fn nominal(looks: &[Look]) -> Vec<f64> {
        looks.iter().map(|look| look.nominal_p).collect()
    }

    #[test]
    fn a_group_sequential_rule_has_the_nominal_p_of_its_boundary() {
        // z of 2.7965 and 1.9774 (O'Brien and Fleming, two looks): 2 (1 - Phi(z))
        let exact =
            |at: [u32; 2]| looks(&group(&at, Spending::ExactOBrienFleming), at[1], 0.05).unwrap();
        let found = exact([8, 16]);
        assert_eq!((found[0].number, found[0].rounds, found[0].information), (1, 8, 0.5));
        assert_eq!((found[1].number, found[1].rounds, found[1].information), (2, 16, 1.0));
        let found = nominal(&found);
        assert!((found[0] - 0.005_166).abs() < 2e-6, "{found:?}");
        assert!(found[1] < 0.047_9 && found[1] > 0.047, "{found:?}");
        // what t takes away is gone when the spread is known well
        let known = nominal(&exact([800_000, 1_600_000]));
        assert!((known[0] - 0.005_166).abs() < 2e-6, "{known:?}");
        assert!((known[1] - 0.047_993).abs() < 2e-6, "{known:?}");
        let pocock = looks(&group(&[8, 16], Spending::ExactPocock), 16, 0.05).unwrap();
        assert!((pocock[0].nominal_p - 0.029_39).abs() < 2e-5, "{pocock:?}");
    }

    #[test]
    fn each_way_of_spending_begins_small_and_never_passes_the_whole() {
        for spending in [
            Spending::OBrienFleming,
            Spending::Pocock,
            Spending::ExactOBrienFleming,
            Spending::ExactPocock,
            Spending::Listed { cumulative_percent: vec![10.0, 40.0, 100.0] },
        ] {
            let found = nominal(&looks(&group(&[8, 13, 24], spending.clone()), 24, 0.02).unwrap());
            assert!(found[0] < 0.02 && found[2] < 0.02, "{spending:?}: {found:?}");
            assert!(found.iter().sum::<f64>() > 0.02, "{spending:?}: {found:?}");
        }
    }

    #[test]
    fn a_look_that_may_spend_nothing_cannot_stop() {
        let early = group(&[8, 400], Spending::OBrienFleming);
        let found = looks(&early, 400, 0.05).unwrap();
        assert_eq!((found[0].nominal_p, found[0].quantile(8)), (0.0, None));
        assert!((found[1].nominal_p - 0.05).abs() < 1e-9);
    }

    #[test]
    fn looks_out_of_order_are_refused() {
        for at in [&[][..], &[7, 16], &[8, 8, 16], &[12, 10, 16], &[8, 12], &[8, 16, 20], &[0, 16]]
        {
            let found = looks(&group(at, Spending::Pocock), 16, 0.05);
            assert_eq!(found, Err(LookFault::Order), "{at:?}");
        }
        assert!(looks(&group(&[16], Spending::Pocock), 16, 0.05).is_ok());
    }

    #[test]
    fn spending_that_is_not_increasing_to_the_whole_is_refused() {
        for percents in [
            &[][..],
            &[100.0],
            &[50.0, 40.0],
            &[50.0, 99.0],
            &[50.0, 101.0],
            &[100.0, 100.0],
            &[-1.0, 100.0],
            &[f64::NAN, 100.0],
            &[50.0, f64::NAN],
            &[10.0, 50.0, 100.0],
        ] {
            let listed = Spending::Listed { cumulative_percent: percents.to_vec() };
            let found = looks(&group(&[8, 16], listed), 16, 0.05);
            assert_eq!(found, Err(LookFault::Spending), "{percents:?}");
        }
    }

    #[test]
    fn an_error_outside_is_refused() {
        let sequence = Stop::ConfidenceSequence { futility_percent: None, cap_minutes: 1.0 };
        for alpha in [0.0, 1.0, -1.0, f64::NAN] {
            let found = looks(&group(&[8, 16], Spending::Pocock), 16, alpha);
            assert_eq!(found, Err(LookFault::Alpha));
            assert_eq!(looks(&sequence, 40, alpha), Err(LookFault::Alpha));
        }
    }

    #[test]
    fn a_confidence_sequence_looks_after_every_round_from_the_twentieth() {
        let sequence = Stop::ConfidenceSequence { futility_percent: None, cap_minutes: 1.0 };
        let found = looks(&sequence, 200, 0.05).unwrap();
        assert_eq!((found.len(), found[0].rounds, found[180].rounds), (181, 20, 200));
        assert_eq!((found[0].number, found[180].information), (1, 1.0));
        assert!(found.iter().all(|look| look.nominal_p > 0.0 && look.nominal_p < 0.01));
        assert_eq!(looks(&sequence, 19, 0.05), Err(LookFault::TooShort));
        assert_eq!(looks(&sequence, 20, 0.05).unwrap().len(), 1);
        // intervals only get narrower
        let widths: Vec<f64> = found
            .iter()
            .map(|look| look.quantile(look.rounds).unwrap() / f64::from(look.rounds).sqrt())
            .collect();
        assert!(widths.windows(2).all(|pair| pair[1] < pair[0]));
    }
}
