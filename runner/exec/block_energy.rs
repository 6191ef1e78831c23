//! Energies of a block's samples.

use sample_table::SampleEnergy;

use super::block::{Measuring, Slot};
use super::energy::Spent;
use super::run::Run;
use super::stop::Stop;
use crate::failure::Failure;
use crate::manifest::Metric;

impl Measuring<'_> {
    /// Before anything is on disk, requests that are too short for the energy that is to be judged are
    /// a refusal: all blocks would lack their number.
    pub(super) fn heed_too_short(&mut self, run: &Run<'_, '_>) -> Result<(), Stop> {
        let judged = run.job.plan.metric.primary == Metric::JoulesPerToken;
        match self.too_short.take() {
            Some(why) if judged && run.desk.state.samples.is_empty() => {
                Err(Failure::refused(format!("its energy cannot be told: {why}"))
                    .hint("raise `chunk_tokens` or `prefill_tokens`; nothing was kept")
                    .into())
            }
            _ => Ok(()),
        }
    }

    /// Adds a sample with what its request took of the machine's energy, over so many tokens.
    pub(super) fn timed_with_energy(
        &mut self,
        run: &Run<'_, '_>,
        slot: Slot,
        nanoseconds: u64,
        (spent, tokens): (Spent, usize),
    ) {
        self.timed(run, slot, nanoseconds);
        match spent {
            Spent::Microjoules(microjoules) => {
                let tokens = u32::try_from(tokens).unwrap_or(u32::MAX);
                if let Some(row) = self.rows.last_mut() {
                    row.energy = Some(SampleEnergy { microjoules, tokens });
                }
            }
            Spent::TooShort(why) => {
                let name = run.job.name(slot.arm);
                self.too_short.get_or_insert_with(|| format!("a request of `{name}` {why}"));
            }
            Spent::Unknown => {}
        }
    }
}
