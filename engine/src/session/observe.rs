//! The inner tensors of one evaluation.

use std::collections::BTreeSet;

use engine_protocol::{ObserveRequest, ObservedTensor, Selection, Settings, TensorLayout, Token};

use super::Session;
use super::blocks::require_tokens;
use super::node_layout::node_layout;
use super::node_names::{NodeNames, is_made_up};
use super::options::{Purpose, context_options};
use super::replacements::Replacements;
use super::sequence::Sequence;
use crate::EngineError;
use crate::native::{Context, Interest, Node, Observer};

/// Values handed to the sink at once, at most: a quarter of a megabyte.
const PIECE: usize = 1 << 16;

impl Session {
    /// Evaluates a text in one batch from an empty KV cache, in a context of its own, and hands the
    /// values of the nodes that were asked for to `sink`, in order of execution and a piece at a
    /// time. Nodes that are to be replaced are overwritten as soon as they are computed, before
    /// they are handed on. Rows of logits are kept for all positions, so that the last block and
    /// what follows have a row for each. Returns what the values belong to.
    ///
    /// # Errors
    /// [`EngineError::Request`] for positions that are none of the text, or not ascending, for a
    /// name that no node has, and for a replacement of the wrong size; [`EngineError::Scratch`]
    /// when a replacement cannot be read; [`EngineError::Context`] when there is no room;
    /// [`EngineError::Compute`] when the engine fails, and whatever `sink` returns.
    pub fn observe(
        &mut self,
        request: &ObserveRequest,
        sink: &mut dyn FnMut(&[f32]) -> Result<(), EngineError>,
    ) -> Result<Vec<ObservedTensor>, EngineError> {
        let ObserveRequest { tokens, tensors, positions, replace, path: _ } = request;
        require_tokens(tokens, "the text")?;
        self.sequence.require_room(tokens.len())?;
        let mut looking = Looking {
            wanted: Wanted::new(tensors),
            positions: runs_of(positions, tokens)?,
            tokens: tokens.len() as u64,
            replacements: Replacements::new(replace)?,
            names: NodeNames::default(),
            met: None,
            tensors: Vec::new(),
            offset: 0,
            sink,
        };
        let settings = in_one_batch(&self.asked, tokens)?;
        let options = context_options(&settings, self.masked, Purpose::Observed)?;
        let mut observed = Sequence::new(Context::new(self.model.handle(), &options)?)?;
        observed.context().decode_observed(tokens, 0, 0, &mut looking)?;
        looking.replacements.require_all_met()?;
        looking.wanted.require_all_met()?;
        Ok(looking.tensors)
    }
}

/// The settings, with batches that hold the whole text where theirs do not.
fn in_one_batch(asked: &Settings, tokens: &[Token]) -> Result<Settings, EngineError> {
    let length = super::blocks::to_count(tokens.len())?;
    Ok(Settings {
        batch_tokens: asked.batch_tokens.map(|batch| batch.max(length)),
        micro_batch_tokens: asked.micro_batch_tokens.map(|batch| batch.max(length)),
        ..asked.clone()
    })
}

/// Positions that follow each other, as first and number.
fn runs_of(positions: &[u32], tokens: &[Token]) -> Result<Vec<(usize, usize)>, EngineError> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let mut before = None;
    for &position in positions {
        if before.is_some_and(|before| position <= before) {
            return Err(EngineError::Request(format!(
                "positions must ascend; position {position} does not"
            )));
        }
        before = Some(position);
        let position = position as usize;
        if position >= tokens.len() {
            return Err(EngineError::Request(format!(
                "position {position} is behind a text of {} tokens",
                tokens.len()
            )));
        }
        match runs.last_mut() {
            Some((first, count)) if *first + *count == position => *count += 1,
            _ => runs.push((position, 1)),
        }
    }
    if runs.is_empty() {
        return Err(EngineError::Request("no position is asked for".to_owned()));
    }
    Ok(runs)
}

/// Which nodes are written.
#[derive(Debug)]
enum Wanted {
    Named { waiting: BTreeSet<String> },
    All,
}

impl Wanted {
    fn new(selection: &Selection) -> Self {
        match selection {
            Selection::All => Self::All,
            Selection::Named(names) => Self::Named { waiting: names.iter().cloned().collect() },
        }
    }

    /// A numbered name is met once.
    fn takes(&mut self, name: &str) -> bool {
        match self {
            Self::All => !is_made_up(name),
            Self::Named { waiting } => waiting.remove(name),
        }
    }

    fn require_all_met(&self) -> Result<(), EngineError> {
        match self {
            Self::Named { waiting } if let Some(name) = waiting.first() => {
                Err(EngineError::Request(format!(
                    "the graph computes no floating-point tensor `{name}`; `all` lists those it has"
                )))
            }
            Self::Named { .. } | Self::All => Ok(()),
        }
    }
}

/// A node between the question and its values.
#[derive(Debug)]
struct Met {
    name: String,
    written: bool,
}

/// The observer of one evaluation.
struct Looking<'sink> {
    wanted: Wanted,
    positions: Vec<(usize, usize)>,
    tokens: u64,
    replacements: Replacements,
    names: NodeNames,
    met: Option<Met>,
    tensors: Vec<ObservedTensor>,
    offset: u64,
    sink: &'sink mut dyn FnMut(&[f32]) -> Result<(), EngineError>,
}

impl Observer for Looking<'_> {
    fn meet(&mut self, node: &Node<'_>) -> Result<Interest, EngineError> {
        let name = self.names.number(node.name()?);
        let written = self.wanted.takes(&name);
        if !written && !self.replacements.concerns(&name) {
            return Ok(Interest::None);
        }
        self.met = Some(Met { name, written });
        Ok(Interest::Values)
    }

    fn see(&mut self, node: &mut Node<'_>) -> Result<(), EngineError> {
        let Some(Met { name, written }) = self.met.take() else { return Ok(()) };
        let shape = node.shape()?;
        let count = usize::try_from(shape.iter().product::<u64>())
            .map_err(|_| EngineError::Compute(format!("`{name}` is larger than the memory")))?;
        if let Some(values) = self.replacements.take(&name, count)? {
            node.write(&values)?;
        }
        if written { self.hand_on(node, name, shape, count) } else { Ok(()) }
    }
}

impl Looking<'_> {
    fn hand_on(
        &mut self,
        node: &Node<'_>,
        name: String,
        shape: [u64; 4],
        count: usize,
    ) -> Result<(), EngineError> {
        let found = node_layout(&name, shape, self.tokens);
        let all = (0, count);
        let width = usize::try_from(found.width).unwrap_or(count);
        let by_position: Vec<(usize, usize)> =
            self.positions.iter().map(|(first, rows)| (first * width, rows * width)).collect();
        let ranges = match found.layout {
            TensorLayout::ByPosition => by_position,
            TensorLayout::Whole => vec![all],
        };
        let mut values = vec![0.0; PIECE.min(count)];
        let mut written = 0;
        for (first, length) in ranges {
            for start in (first..first + length).step_by(PIECE) {
                let piece = PIECE.min(first + length - start);
                let Some(values) = values.get_mut(..piece) else { continue };
                node.read(start, values)?;
                (self.sink)(values)?;
                written += piece as u64;
            }
        }
        self.tensors.push(ObservedTensor {
            name,
            operation: node.operation()?,
            device: node.device()?,
            layout: found.layout,
            rows: written / found.width,
            width: found.width,
            offset: self.offset,
        });
        self.offset += written;
        Ok(())
    }
}
