//! A dump: the tensors between the tokens and the logits, as the reference computed them.

use std::collections::BTreeMap;
use std::path::Path;

use super::container::Container;
use super::facts::{FailedChecks, GoldenFacts, json, names, required};
use super::values::{shape, tokens};
use crate::failure::Failure;

/// The format that is read here.
const FORMAT: &str = "runner-dump 1";

/// A dump whose header and text were checked. Tensors are read one at a time, so that a few layers
/// are in memory and not the model.
#[derive(Debug, Clone)]
pub struct Dump {
    container: Container,
    /// What it says of itself.
    pub facts: GoldenFacts,
    /// The planted fault, in words; `None` where there is none.
    pub fault: Option<String>,
    /// The prompt's name.
    pub prompt: String,
    /// The text.
    pub tokens: Vec<i32>,
    /// Names of the tensors in the order of execution; all are there.
    pub order: Vec<String>,
    /// Names of the reference's static buffers, without `buffer.`.
    pub buffers: Vec<String>,
    /// Tensors whose layout differs from the engine's, and how: `rope_halves`.
    pub permuted: BTreeMap<String, String>,
}

/// One tensor of a dump. Its values may be anything, NaN too: whoever looks for a fault wants to
/// see them.
#[derive(Debug, Clone, PartialEq)]
pub struct DumpTensor {
    /// Rows: the positions of the text, for what is laid out by position.
    pub rows: usize,
    /// Values a row.
    pub width: usize,
    /// Row by row.
    pub values: Vec<f32>,
}

impl Dump {
    /// Reads and checks the header and the text.
    ///
    /// # Errors
    /// Refused as [`super::Golden::read`] does, but for failed checks of the reference, which are
    /// kept; a tensor that `order` names must be there.
    pub fn read(path: &Path) -> Result<Dump, Failure> {
        let container = Container::open(path)?;
        let facts = GoldenFacts::read(&container, FORMAT, FailedChecks::Kept)?;
        let [length] = shape::<1>(&container, "tokens")?;
        if length == 0 {
            return Err(container.refused("it has no tokens: nothing could be compared"));
        }
        let tokens = tokens(&container, "tokens", facts.vocabulary)?;
        let order = names(&container, "order")?;
        if order.is_empty() {
            return Err(container.refused("it has no tensors: nothing could be compared"));
        }
        for name in &order {
            if container.shape(name).is_none() {
                return Err(container.refused(format!("the tensor `{name}` is missing")));
            }
        }
        let permuted = match container.text("permuted") {
            None => BTreeMap::new(),
            Some(_) => serde_json::from_value(json(&container, "permuted")?).map_err(|_| {
                container.refused("its `permuted` is no table of names and layouts")
            })?,
        };
        let prefixed = container.names().iter().filter_map(|name| name.strip_prefix("buffer."));
        let buffers = prefixed.map(str::to_owned).collect();
        let fault = Some(required(&container, "fault")?.to_owned()).filter(|fault| fault != "none");
        let prompt = required(&container, "prompt")?.to_owned();
        Ok(Dump { facts, fault, prompt, tokens, order, buffers, permuted, container })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.container.path()
    }

    /// A tensor of the graph, by the engine's name.
    ///
    /// # Errors
    /// Refused when there is none of that name, it has no rows for the text's positions, or the
    /// file cannot be read.
    pub fn tensor(&self, name: &str) -> Result<DumpTensor, Failure> {
        self.read_tensor(name)
    }

    /// One of the reference's static buffers.
    ///
    /// # Errors
    /// As [`Dump::tensor`].
    pub fn buffer(&self, name: &str) -> Result<DumpTensor, Failure> {
        self.read_tensor(&format!("buffer.{name}"))
    }

    fn read_tensor(&self, name: &str) -> Result<DumpTensor, Failure> {
        let lengths = self
            .container
            .shape(name)
            .ok_or_else(|| self.container.refused(format!("the tensor `{name}` is missing")))?;
        let (rows, width) = match lengths {
            [] => (1, 1),
            [width] => (1, *width),
            [rows, rest @ ..] => (*rows, rest.iter().product()),
        };
        Ok(DumpTensor { rows, width, values: self.container.floats(name)? })
    }
}
