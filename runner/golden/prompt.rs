//! One prompt of a golden: what the reference computed for it.

use super::container::Container;
use super::facts::GoldenFacts;
use super::values::{expect_length, positions, shape, tokens};
use crate::failure::Failure;

/// One row of logits over the whole vocabulary.
#[derive(Debug, Clone, PartialEq)]
pub struct LogitRow {
    /// Position in the text.
    pub position: u32,
    /// One a token of the vocabulary; all finite.
    pub logits: Vec<f32>,
}

/// The greatest logits of one position, descending.
#[derive(Debug, Clone, PartialEq)]
pub struct TopRow {
    /// Position in the text.
    pub position: u32,
    /// Tokens with their logits, the greatest first.
    pub top: Vec<(i32, f64)>,
}

/// One step of the greedy continuation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GreedyStep {
    /// What was chosen.
    pub token: i32,
    /// Its logit less the second one's.
    pub margin: f32,
}

/// Hidden states at one position.
#[derive(Debug, Clone, PartialEq)]
pub struct HiddenState {
    /// Position in the text.
    pub position: u32,
    /// After the embeddings, then after each block: `blocks + 1` rows of `width`; all finite.
    pub after: Vec<Vec<f32>>,
}

/// One prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct GoldenPrompt {
    /// Its name.
    pub name: String,
    /// What kind of text it is, where the golden says so.
    pub class: Option<String>,
    /// The text.
    pub tokens: Vec<i32>,
    /// Whole rows; may be none where there are top rows.
    pub rows: Vec<LogitRow>,
    /// Greatest logits, at more positions than there are whole rows.
    pub tops: Vec<TopRow>,
    /// What follows the text, greedily; may be none.
    pub greedy: Vec<GreedyStep>,
    /// May be none.
    pub hidden: Vec<HiddenState>,
    /// Greatest logits in 64-bit arithmetic: the tie-breaker.
    pub float64: Vec<TopRow>,
}

impl GoldenPrompt {
    /// Reads and checks a prompt's tensors. Which ones may be absent is for the caller's checklist
    /// to say; a pair of which one half is absent is refused here.
    pub(super) fn read(
        container: &Container,
        facts: &GoldenFacts,
        name: &str,
        class: Option<String>,
    ) -> Result<GoldenPrompt, Failure> {
        let of = |what: &str| format!("{name}.{what}");
        let text_name = of("tokens");
        let [length] = shape::<1>(container, &text_name)?;
        if length == 0 {
            return Err(container.refused(format!("the prompt `{name}` has no tokens")));
        }
        let text = tokens(container, &text_name, facts.vocabulary)?;
        let together = |first: &str, second: &str| {
            let (here, there) = (container.shape(&of(first)), container.shape(&of(second)));
            match (here, there) {
                (None, None) => Ok(false),
                (Some(_), Some(_)) => Ok(true),
                (Some(_), None) => Err(missing(container, &of(second), &of(first))),
                (None, Some(_)) => Err(missing(container, &of(first), &of(second))),
            }
        };
        let rows = match together("logit_positions", "logits")? {
            true => logit_rows(container, facts, name, length)?,
            false => Vec::new(),
        };
        let tops = match together("top_positions", "top_tokens")? {
            true => {
                let [positions, tokens, logits] =
                    ["top_positions", "top_tokens", "top_logits"].map(of);
                top_rows(container, facts, length, [&positions, &tokens, &logits], |name| {
                    Ok(container.floats(name)?.into_iter().map(f64::from).collect())
                })?
            }
            false => Vec::new(),
        };
        let greedy = match together("greedy_tokens", "greedy_margins")? {
            true => greedy(container, facts, name)?,
            false => Vec::new(),
        };
        let hidden = match together("hidden_positions", "hidden")? {
            true => hidden(container, facts, name, length)?,
            false => Vec::new(),
        };
        let float64 = match together("float64_positions", "float64_top_tokens")? {
            true => {
                let [positions, tokens, logits] =
                    ["float64_positions", "float64_top_tokens", "float64_top_logits"].map(of);
                top_rows(container, facts, length, [&positions, &tokens, &logits], |name| {
                    container.doubles(name)
                })?
            }
            false => Vec::new(),
        };
        Ok(GoldenPrompt {
            name: name.to_owned(),
            class,
            tokens: text,
            rows,
            tops,
            greedy,
            hidden,
            float64,
        })
    }

    /// Positions whose logits are needed, ascending, each once.
    #[must_use]
    pub fn logit_positions(&self) -> Vec<u32> {
        let whole = self.rows.iter().map(|row| row.position);
        let mut all: Vec<u32> = whole.chain(self.tops.iter().map(|top| top.position)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

fn missing(container: &Container, absent: &str, present: &str) -> Failure {
    container.refused(format!("the tensor `{absent}` is missing, and `{present}` is there"))
}

fn logit_rows(
    container: &Container,
    facts: &GoldenFacts,
    prompt: &str,
    length: usize,
) -> Result<Vec<LogitRow>, Failure> {
    let name = format!("{prompt}.logits");
    let at = positions(container, &format!("{prompt}.logit_positions"), length)?;
    let [rows, vocabulary] = shape::<2>(container, &name)?;
    expect_length(container, &name, "rows", (rows, at.len()))?;
    expect_length(container, &name, "logits a row", (vocabulary, facts.vocabulary))?;
    let values = container.floats(&name)?;
    let mut checked = Vec::new();
    for (position, logits) in at.into_iter().zip(values.chunks_exact(vocabulary)) {
        if let Some(token) = logits.iter().position(|logit| !logit.is_finite()) {
            return Err(container.refused(format!(
                "the reference's logit is {} in prompt `{prompt}`, position {position}, token {token}",
                logits[token]
            )));
        }
        checked.push(LogitRow { position, logits: logits.to_vec() });
    }
    Ok(checked)
}

/// Top rows out of three tensors: positions, tokens, logits.
fn top_rows(
    container: &Container,
    facts: &GoldenFacts,
    length: usize,
    [positions_name, tokens_name, logits_name]: [&str; 3],
    read: impl FnOnce(&str) -> Result<Vec<f64>, Failure>,
) -> Result<Vec<TopRow>, Failure> {
    let at = positions(container, positions_name, length)?;
    let [rows, each] = shape::<2>(container, tokens_name)?;
    let [logit_rows, logits_each] = shape::<2>(container, logits_name)?;
    expect_length(container, tokens_name, "rows", (rows, at.len()))?;
    expect_length(container, logits_name, "rows", (logit_rows, rows))?;
    expect_length(container, logits_name, "logits a row", (logits_each, each))?;
    if each == 0 {
        return Err(container.refused(format!("the tensor `{tokens_name}` has rows of no tokens")));
    }
    let tokens = tokens(container, tokens_name, facts.vocabulary)?;
    let logits = read(logits_name)?;
    let mut checked = Vec::new();
    let parts = tokens.chunks_exact(each).zip(logits.chunks_exact(each));
    for (position, (tokens, logits)) in at.into_iter().zip(parts) {
        if let Some(place) = logits.iter().position(|logit| !logit.is_finite()) {
            return Err(container.refused(format!(
                "`{logits_name}` is {} at position {position}, token {}",
                logits[place], tokens[place]
            )));
        }
        if logits.windows(2).any(|pair| pair[0] < pair[1]) {
            return Err(container
                .refused(format!("`{logits_name}` does not descend at position {position}")));
        }
        let top = tokens.iter().copied().zip(logits.iter().copied()).collect();
        checked.push(TopRow { position, top });
    }
    Ok(checked)
}

fn greedy(
    container: &Container,
    facts: &GoldenFacts,
    prompt: &str,
) -> Result<Vec<GreedyStep>, Failure> {
    let (chosen_name, margins_name) =
        (format!("{prompt}.greedy_tokens"), format!("{prompt}.greedy_margins"));
    let [steps] = shape::<1>(container, &chosen_name)?;
    let [margins] = shape::<1>(container, &margins_name)?;
    expect_length(container, &margins_name, "margins", (margins, steps))?;
    let chosen = tokens(container, &chosen_name, facts.vocabulary)?;
    let margins = container.floats(&margins_name)?;
    if let Some(step) = margins.iter().position(|margin| !(margin.is_finite() && *margin >= 0.0)) {
        return Err(container.refused(format!(
            "the reference's margin is {} in prompt `{prompt}`, step {step}",
            margins[step]
        )));
    }
    let steps = chosen.into_iter().zip(margins);
    Ok(steps.map(|(token, margin)| GreedyStep { token, margin }).collect())
}

fn hidden(
    container: &Container,
    facts: &GoldenFacts,
    prompt: &str,
    length: usize,
) -> Result<Vec<HiddenState>, Failure> {
    let name = format!("{prompt}.hidden");
    let at = positions(container, &format!("{prompt}.hidden_positions"), length)?;
    let [layers, rows, width] = shape::<3>(container, &name)?;
    expect_length(container, &name, "layers", (layers, facts.blocks + 1))?;
    expect_length(container, &name, "positions", (rows, at.len()))?;
    expect_length(container, &name, "values a row", (width, facts.width))?;
    let values = container.floats(&name)?;
    let row = |layer: usize, index: usize| -> Vec<f32> {
        let start = (layer * rows + index) * width;
        values.get(start..start + width).unwrap_or_default().to_vec()
    };
    let mut states = Vec::new();
    for (index, position) in at.into_iter().enumerate() {
        let after: Vec<Vec<f32>> = (0..layers).map(|layer| row(layer, index)).collect();
        for (layer, state) in after.iter().enumerate() {
            if let Some(place) = state.iter().position(|value| !value.is_finite()) {
                return Err(container.refused(format!(
                    "the reference's hidden state is {} in prompt `{prompt}`, position {position}, \
                     layer {layer}, value {place}",
                    state[place]
                )));
            }
        }
        states.push(HiddenState { position, after });
    }
    Ok(states)
}
