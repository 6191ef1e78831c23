//! One sequence beside others: what it chooses may not depend on who they are.

use super::gate::{Bar, Counts, Gate, GateKind};

/// Alone and among others other kernels run, and a near-tie may fall the other way. A fork at a
/// larger margin is no rounding.
pub(super) const MOST_FORK_MARGIN: f32 = 0.01;

/// What one sequence chose in three settings.
#[derive(Debug, Clone, PartialEq)]
pub struct SlotsComparison {
    /// By itself.
    pub alone: Vec<(i32, f32)>,
    /// Among others: tokens with their margins.
    pub among: Vec<(i32, f32)>,
    /// Among as many others, with other texts.
    pub among_others: Vec<(i32, f32)>,
    /// Sequences in the batch.
    pub sequences: usize,
}

impl SlotsComparison {
    /// Both gates. `required` tokens had to be chosen in each setting.
    #[must_use]
    pub fn gates(&self, required: u64) -> [Gate; 2] {
        [self.equal_batch(required), self.alone(required)]
    }

    fn equal_batch(&self, required: u64) -> Gate {
        let fork = fork(&self.among, &self.among_others);
        let detail = match fork {
            None => format!("equal among {} sequences, whatever the others", self.sequences),
            Some((step, margin)) => {
                format!("other texts beside it change step {step}, at a margin of {margin:.2e}")
            }
        };
        let bar = if fork.is_none() { Bar::Kept } else { Bar::Broken };
        let compared = self.among.len().min(self.among_others.len());
        let counts = counts(compared, required, fork);
        Gate::judged(GateKind::SlotsEqualBatch, bar, counts, None, detail)
    }

    fn alone(&self, required: u64) -> Gate {
        let fork = fork(&self.alone, &self.among);
        let (bar, detail) = match fork {
            None => (Bar::Kept, format!("equal alone and among {}", self.sequences)),
            Some((step, margin)) => {
                let bar = if margin <= MOST_FORK_MARGIN { Bar::Kept } else { Bar::Broken };
                let detail = format!(
                    "alone and among {} it parts at step {step}, at a margin of {margin:.2e}",
                    self.sequences
                );
                (bar, detail)
            }
        };
        let compared = self.alone.len().min(self.among.len());
        let counts = counts(compared, required, fork);
        Gate::judged(GateKind::SlotsAlone, bar, counts, fork.map(|(_, m)| f64::from(m)), detail)
    }
}

/// After a fork both sides go on from different texts: nothing is compared there.
fn counts(compared: usize, required: u64, fork: Option<(usize, f32)>) -> Counts {
    match fork {
        None => Counts { compared: compared as u64, required, prompts: 1 },
        Some((step, _)) => {
            Counts { compared: step as u64 + 1, required: step as u64 + 1, prompts: 1 }
        }
    }
}

/// The first step where the tokens differ, and the margin of the first side there.
fn fork(left: &[(i32, f32)], right: &[(i32, f32)]) -> Option<(usize, f32)> {
    let pairs = left.iter().zip(right);
    pairs
        .enumerate()
        .find(|(_, (here, there))| here.0 != there.0)
        .map(|(step, (here, _))| (step, here.1))
}
