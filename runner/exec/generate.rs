//! An arm's own greedy output for one input, untimed.

use engine_protocol::{Beginning, DecodeRequest, Feed, PrefillRequest, Token};

use super::fault::WorkerError;
use super::texts::Texts;
use super::worker::{Call, Worker};
use crate::manifest::Drafting;

/// What an arm chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Generated {
    /// After the prompt.
    pub(super) first: Token,
    /// After each further token.
    pub(super) chosen: Vec<Token>,
}

impl Generated {
    /// All of it in order.
    pub(super) fn tokens(&self) -> Vec<Token> {
        std::iter::once(self.first).chain(self.chosen.iter().copied()).collect()
    }
}

/// Which input, and how far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    pub(super) condition: u32,
    pub(super) input: usize,
    /// Tokens to evaluate after the prompt; an arm that drafts may go up to a draft beyond.
    pub(super) tokens: usize,
}

/// Generates for an input of the schedule.
pub(super) fn generate(
    worker: &mut Worker,
    cell: Cell,
    drafting: Option<Drafting>,
    texts: &Texts,
    call: Call<'_>,
) -> Result<Generated, WorkerError> {
    let (depth, prompt) = (texts.depth(cell.condition), texts.front(cell.condition, cell.input));
    generate_after(worker, (&depth, &prompt), cell.tokens, drafting, call)
}

/// Generates after a depth and a prompt, and evaluates so many tokens. The prompt is evaluated
/// twice: only a prefill tells the first chosen token.
pub(super) fn generate_after(
    worker: &mut Worker,
    (depth, prompt): (&[Token], &[Token]),
    tokens: usize,
    drafting: Option<Drafting>,
    call: Call<'_>,
) -> Result<Generated, WorkerError> {
    let prefill = PrefillRequest { depth: depth.to_vec(), tokens: prompt.to_vec() };
    let first = worker.prefill(prefill, call)?.chosen.ok_or_else(|| {
        WorkerError::broken("it does not tell which token it chose after a prefill")
    })?;
    let Some(timed) = tokens.checked_sub(1) else {
        return Ok(Generated { first, chosen: Vec::new() });
    };
    let beginning = Beginning { depth: depth.to_vec(), prompt: prompt.to_vec() };
    let begun = worker.begin(beginning, call)?;
    let request = DecodeRequest {
        untimed_tokens: 1,
        timed_tokens: u32::try_from(timed).unwrap_or(u32::MAX),
        feed: Feed::Free,
    };
    let decoded = worker.decode(request, begun.position, drafting, call)?;
    Ok(Generated { first, chosen: decoded.chosen })
}
