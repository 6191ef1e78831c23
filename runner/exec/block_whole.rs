//! A block of decoding whose arms cannot be interrupted: each does its prompt and all of its tokens
//! before the next one begins, so that nothing computes beside it.

use engine_protocol::PeerReport;
use sample_table::Work;

use super::block::{Measuring, Slot};
use super::entry::PeerReading;
use super::run::Run;

/// Adds what another engine told: its time to the first token is the time of its prompt.
pub(super) fn told(
    measuring: &mut Measuring<'_>,
    run: &Run<'_, '_>,
    slot: Slot,
    report: PeerReport,
) {
    // a server computes what stands before the prompt with it: then there is no time of the prompt alone
    let alone = run.job.depth(measuring.block.condition) == 0;
    if let ([first], Work::Decode, true) =
        (report.first_token_nanoseconds.as_slice(), slot.work, alone)
    {
        let tokens = run.job.front_tokens(measuring.block.condition);
        let slot = Slot { work: Work::Prompt, tokens, ..slot };
        measuring.timed(run, slot, *first);
    }
    let condition = measuring.block.condition;
    measuring.peers.push(PeerReading { arm: run.job.name(slot.arm).to_owned(), condition, report });
}
