//! Where two arms part: both sides' logits after the text that they have in common.

use engine_protocol::{Evaluation, LogitsRequest, Token};

use super::contract_identical::Prompt;
use super::contract_logits::scratch;
use super::fault::WorkerError;
use super::generate::Generated;
use super::logits_file::RowReader;
use super::run::Run;
use super::worker::Worker;
use crate::verdict::contract::{ArmSide, Forked, TokenFigures};

/// The logits at the first place where the arm's outputs leave off's. `None` when they do not, or
/// when one of them has ended there. Errors are the arm's; what off cannot tell stays untold.
pub(super) fn look(
    run: &Run<'_, '_>,
    arm: usize,
    (off, worker): (&mut Worker, &mut Worker),
    prompts: &[Prompt],
    between: &TokenFigures,
) -> Result<Option<Forked>, WorkerError> {
    let Some(place) = &between.first_divergence else { return Ok(None) };
    let prompt = usize::try_from(place.pair).ok().and_then(|pair| prompts.get(pair));
    let (Some(prompt), Some(off_token), Some(arm_token)) = (prompt, place.off, place.arm) else {
        return Ok(None);
    };
    let position = usize::try_from(place.position).unwrap_or(usize::MAX);
    let text = Common::of(prompt, &prompt.off, position);
    let off_row = text.row(run, off);
    let arm_side = match run.job.drafting(arm) {
        Some(_) => ArmSide::Drafts,
        None => match text.row(run, worker) {
            Ok(row) => ArmSide::Lead(Forked::lead(&row, arm_token, off_token)),
            // a worker that cannot tell goes on listening: the place is named without margins
            Err(WorkerError::Problem(..)) => ArmSide::Lead(None),
            Err(error) => return Err(error),
        },
    };
    Ok(Some(Forked {
        off: off_token,
        arm: arm_token,
        off_lead: off_row.ok().and_then(|row| Forked::lead(&row, off_token, arm_token)),
        arm_side,
    }))
}

/// The text up to the place, evaluated nearly as off's generating evaluated it: what was generated
/// token by token, depth and prompt in batches, which are cut over both here and over each by itself
/// there.
struct Common {
    tokens: Vec<Token>,
    single_from: usize,
}

impl Common {
    fn of(prompt: &Prompt, off: &Generated, position: usize) -> Common {
        let mut tokens = prompt.depth.clone();
        tokens.extend(&prompt.front);
        let single_from = tokens.len();
        tokens.extend(off.tokens().into_iter().take(position));
        Common { tokens, single_from }
    }

    /// The logits after its last token.
    fn row(&self, run: &Run<'_, '_>, worker: &mut Worker) -> Result<Vec<f32>, WorkerError> {
        let index = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        let last = self.tokens.len().saturating_sub(1);
        let evaluation =
            if self.single_from > last { Evaluation::Batches } else { Evaluation::SingleTokens };
        let path = scratch(run, "fork");
        let request = LogitsRequest {
            only_positions: vec![index(last)],
            evaluation,
            ..LogitsRequest::new(
                self.tokens.clone(),
                index(self.single_from.min(last)),
                path.to_string_lossy().into_owned(),
            )
        };
        let row = worker.logits(request, run.call()).and_then(|file| {
            let read = RowReader::open(&path, &file)
                .and_then(|mut rows| Ok(rows.next_row()?.map(<[f32]>::to_vec)));
            read.map_err(super::contract_logits::broken)
        });
        let _ = std::fs::remove_file(&path);
        row.map(Option::unwrap_or_default)
    }
}
