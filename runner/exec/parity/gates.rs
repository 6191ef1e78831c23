//! The required gates of one golden over one loaded model.

use engine_protocol::Token;

use super::session::{Answer, Session};
use crate::failure::Failure;
use crate::golden::Golden;
use crate::parity::{
    Checklist, Fault, Gate, GateKind, GreedyComparison, HiddenComparison, LogitsComparison,
};
use crate::stats::softmax;

/// What was found.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) checklist: Checklist,
    pub(super) logits: LogitsComparison,
    pub(super) greedy: GreedyComparison,
}

/// Runs the gates. With a fault that lies in how texts are evaluated, only logits are asked for:
/// the others are evaluated without it.
pub(super) fn gates(
    session: &mut Session,
    golden: &Golden,
    fault: Option<Fault>,
) -> Result<Found, Failure> {
    let mut checklist = Checklist::of(&GateKind::REQUIRED);
    let mut logits = LogitsComparison::new();
    let mut greedy = GreedyComparison::new();
    let gapped = fault == Some(Fault::PositionOffByOne);
    let mut after = Vec::new();
    for prompt in &golden.prompts {
        let gap = middle(prompt.tokens.len()).filter(|_| gapped);
        let mut positions = prompt.logit_positions();
        // the last one tells how the text goes on, whether the golden knows it or not
        let last = u32::try_from(prompt.tokens.len().saturating_sub(1)).unwrap_or(u32::MAX);
        if positions.last() != Some(&last) {
            positions.push(last);
        }
        let mut first = None;
        session.logits(&prompt.tokens, &positions, gap, |position, row| {
            logits.add(prompt, position, row);
            if position == last {
                first = softmax(row).ok().and_then(|row| Token::try_from(row.top.token).ok());
            }
        })?;
        after.push(first);
    }
    for gate in logits.gates(golden) {
        checklist.settle(gate);
    }
    if gapped {
        return Ok(Found { checklist, logits, greedy });
    }
    for (prompt, first) in golden.prompts.iter().zip(after) {
        // a row that is no distribution has no continuation, and its gate lacks those tokens
        if let Some(first) = first.filter(|_| !prompt.greedy.is_empty()) {
            let produced = session.greedy(&prompt.tokens, first, prompt.greedy.len())?;
            greedy.add(prompt, &produced);
        }
    }
    checklist.settle(greedy.gate(golden));
    checklist.settle(hidden(session, golden)?);
    Ok(Found { checklist, logits, greedy })
}

/// The index from which on a gapped text is one position too high; `None` for a text of one token.
pub(super) fn middle(tokens: usize) -> Option<u32> {
    u32::try_from(tokens / 2).ok().filter(|middle| *middle > 0)
}

fn hidden(session: &mut Session, golden: &Golden) -> Result<Gate, Failure> {
    let mut comparison = HiddenComparison::new();
    let names = HiddenComparison::tensors(golden);
    for prompt in golden.prompts.iter().filter(|prompt| !prompt.hidden.is_empty()) {
        let positions: Vec<u32> = prompt.hidden.iter().map(|state| state.position).collect();
        let answer =
            session.observe(&prompt.tokens, &names, &positions, |name, position, state| {
                if let Some(block) = names.iter().position(|known| known == name) {
                    comparison.add(prompt, block, position, state);
                }
            })?;
        if let Answer::Unsupported(why) = answer {
            return Ok(Gate::not_run(GateKind::Hidden, format!("the worker cannot: {why}")));
        }
    }
    Ok(comparison.gate(golden))
}
