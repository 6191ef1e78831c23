//! The tensors of the loaded model.

use std::collections::BTreeSet;

use engine_protocol::WeightTensor;

use super::Session;
use crate::EngineError;
use crate::native::{ModelHandle, WeightItem, WeightOrder};

/// Values handed to the sink at once, at most, but for a longer row: a quarter of a megabyte.
const PIECE: u64 = 1 << 16;

/// What the engine says of a tensor's lengths beyond its last dimension.
const NO_DIMENSION: u64 = 1;

impl Session {
    /// Hands the values of the loaded tensors to `sink`, in the engine's order and a piece at a
    /// time; all tensors where none is named. Quantised ones are turned into floating point by the
    /// engine's own function for their type. Returns what the values belong to.
    ///
    /// A tensor that the engine holds twice (tied embeddings) is handed on once. What a backend
    /// keeps in an order of its own cannot be read back: such tensors come from a second copy of
    /// the file, loaded by the same engine without that.
    ///
    /// # Errors
    /// [`EngineError::Request`] for a name that the model has not, [`EngineError::Unsupported`]
    /// where this source tree does not tell its tensors, or keeps them in another order whatever it
    /// is asked for; [`EngineError::Model`] when the copy cannot be loaded, and whatever `sink`
    /// returns.
    pub fn weights(
        &self,
        names: &[String],
        sink: &mut dyn FnMut(&[f32]) -> Result<(), EngineError>,
    ) -> Result<Vec<WeightTensor>, EngineError> {
        let model = self.model.handle();
        let items = chosen(model.weights()?, names)?;
        let repacked = items.iter().any(|item| item.order == WeightOrder::Repacked);
        let copy = repacked.then(|| Copy::load(model)).transpose()?;
        let mut tensors = Vec::with_capacity(items.len());
        let mut offset = 0;
        for item in items {
            let WeightItem { name, tensor_type, lengths, .. } = &item;
            let count = match (&item.order, &copy) {
                (WeightOrder::Repacked, Some(copy)) => copy.hand_on(&item, sink)?,
                (WeightOrder::Repacked | WeightOrder::AsInFile, _) => hand_on(model, &item, sink)?,
            };
            let dimensions = lengths
                .iter()
                .rposition(|length| *length != NO_DIMENSION)
                .map_or(1, |last| last + 1);
            tensors.push(WeightTensor {
                name: name.clone(),
                tensor_type: tensor_type.clone(),
                shape: lengths.iter().take(dimensions).copied().collect(),
                offset,
            });
            offset += count;
        }
        Ok(tensors)
    }
}

/// The tensors that are named, each once; all where none is.
fn chosen(items: Vec<WeightItem>, names: &[String]) -> Result<Vec<WeightItem>, EngineError> {
    if items.is_empty() {
        return Err(EngineError::Unsupported(
            "this engine does not tell the tensors of a model".to_owned(),
        ));
    }
    let known: BTreeSet<&str> = items.iter().map(|item| item.name.as_str()).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(name.as_str())) {
        return Err(EngineError::Request(format!("the model has no tensor `{name}`")));
    }
    let mut met = BTreeSet::new();
    Ok(items
        .into_iter()
        .filter(|item| names.is_empty() || names.contains(&item.name))
        .filter(|item| met.insert(item.name.clone()))
        .collect())
}

/// The same file, with every tensor as it lies there.
struct Copy {
    model: ModelHandle,
    items: Vec<WeightItem>,
}

impl Copy {
    fn load(model: &ModelHandle) -> Result<Self, EngineError> {
        let model = model.copy_as_in_file()?;
        let items = model.weights()?;
        Ok(Self { model, items })
    }

    fn hand_on(
        &self,
        wanted: &WeightItem,
        sink: &mut dyn FnMut(&[f32]) -> Result<(), EngineError>,
    ) -> Result<u64, EngineError> {
        let found = self.items.iter().find(|item| {
            item.name == wanted.name
                && item.tensor_type == wanted.tensor_type
                && item.lengths == wanted.lengths
                && item.order == WeightOrder::AsInFile
        });
        let item = found.ok_or_else(|| {
            EngineError::Unsupported(format!(
                "`{}` cannot be read: the engine keeps it in an order of its own; ask for its values in a form that is not repacked, as f16",
                wanted.name
            ))
        })?;
        hand_on(&self.model, item, sink)
    }
}

/// Returns the number of values.
fn hand_on(
    model: &ModelHandle,
    item: &WeightItem,
    sink: &mut dyn FnMut(&[f32]) -> Result<(), EngineError>,
) -> Result<u64, EngineError> {
    let [width, further @ ..] = item.lengths;
    let rows: u64 = further.iter().product();
    let rows_at_once = (PIECE / width.max(1)).max(1);
    let too_large = || EngineError::Compute(format!("`{}` is larger than the memory", item.name));
    let length = usize::try_from(rows_at_once.min(rows) * width).map_err(|_| too_large())?;
    let mut values = vec![0.0; length];
    let mut first = 0;
    while first < rows {
        let now = rows_at_once.min(rows - first);
        values.truncate(usize::try_from(now * width).map_err(|_| too_large())?);
        model.read_rows(item, first, &mut values)?;
        sink(&values)?;
        first += now;
    }
    Ok(rows * width)
}
