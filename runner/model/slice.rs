//! The first layers of a model as a model of its own: what drafts for the whole one. Embeddings, the
//! last norm and the output stay as they are.

use std::path::{Path, PathBuf};

use super::gguf::{Document, Edit, MetadataValue, inspect, write_edited};
use crate::failure::Failure;
use crate::project::Project;

/// The file of the first `layers` layers of the model in `source`, whose SHA-256 is `sha256`. It is
/// kept in the cache under both, and written when it is not there yet.
///
/// # Errors
/// Refused when the model has no more layers than that, or does not say how many it has; failed when
/// a file cannot be read or written.
pub fn slice(
    source: &Path,
    sha256: &str,
    layers: u32,
    project: &Project,
) -> Result<PathBuf, Failure> {
    let folder = project.cache.join("models/slices");
    let target = folder.join(format!("{sha256}-{layers}.gguf"));
    if target.exists() {
        // one that is not whole is refused with the reason
        inspect(&target)?;
        return Ok(target);
    }
    let document = Document::read(source)?;
    let facts = document.facts();
    let place = || source.display();
    let unknown = |what: &str| {
        Failure::refused(format!("the model does not say {what}, so it cannot be sliced"))
            .at(place())
    };
    let architecture = facts.architecture.as_ref().ok_or_else(|| unknown("its architecture"))?;
    let key = format!("{architecture}.block_count");
    let all = match facts.metadata.get(&key) {
        Some(MetadataValue::Unsigned(all)) => *all,
        _ => return Err(unknown("how many layers it has")),
    };
    if u64::from(layers) >= all {
        return Err(Failure::refused(format!(
            "the model has {all} layers, and `draft_layers` is {layers}: a slice has fewer"
        ))
        .at(place()));
    }
    let mut edits = vec![Edit::SetCount { key, value: layers }];
    edits.extend(
        facts
            .tensors
            .iter()
            .filter(|tensor| layer_of(&tensor.name).is_some_and(|layer| layer >= layers))
            .map(|tensor| Edit::DropTensor { name: tensor.name.clone() }),
    );
    std::fs::create_dir_all(&folder).map_err(|error| {
        Failure::failed(format!("cannot be made: {error}")).at(folder.display())
    })?;
    write_edited(&document, &target, &edits)?;
    Ok(target)
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
