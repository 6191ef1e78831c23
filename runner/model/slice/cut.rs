//! Cuts a model file down to its first layers. Embeddings, the last norm and the output stay as they
//! are.

use std::path::Path;

use crate::failure::Failure;
use crate::model::gguf::{Document, Edit, MetadataValue, write_edited};

/// Writes the first `layers` layers of the model in `source` to `target`; how many the model has.
///
/// # Errors
/// Refused when the model has no more layers than that, or does not say how many it has; failed when
/// a file cannot be read or written.
pub(super) fn cut(source: &Path, target: &Path, layers: u32) -> Result<u32, Failure> {
    let document = Document::read(source)?;
    let facts = document.facts();
    let refused = |what: String| Failure::refused(what).at(source.display());
    let unknown =
        |what: &str| refused(format!("the model does not say {what}, so it cannot be sliced"));
    let architecture = facts.architecture.as_ref().ok_or_else(|| unknown("its architecture"))?;
    let key = format!("{architecture}.block_count");
    let all = match facts.metadata.get(&key) {
        Some(MetadataValue::Unsigned(all)) => u32::try_from(*all).ok(),
        _ => None,
    };
    let all = all.ok_or_else(|| unknown("how many layers it has"))?;
    if layers >= all {
        return Err(refused(format!(
            "the model has {all} layers, and the first {layers} are asked for: a slice has fewer"
        ))
        .hint("name fewer layers, or leave the key out for the whole model"));
    }
    let mut edits = vec![Edit::SetCount { key, value: layers }];
    edits.extend(
        facts
            .tensors
            .iter()
            .filter(|tensor| layer_of(&tensor.name).is_some_and(|layer| layer >= layers))
            .map(|tensor| Edit::DropTensor { name: tensor.name.clone() }),
    );
    write_edited(&document, target, &edits)?;
    Ok(all)
}

/// `blk.12.attn_q.weight` belongs to layer 12.
fn layer_of(tensor: &str) -> Option<u32> {
    tensor.strip_prefix("blk.")?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::layer_of;

    #[test]
    fn a_tensors_layer_is_in_its_name() {
        assert_eq!(layer_of("blk.12.attn_q.weight"), Some(12));
        assert_eq!(layer_of("output_norm.weight"), None);
        assert_eq!(layer_of("blk.x"), None);
    }
}
