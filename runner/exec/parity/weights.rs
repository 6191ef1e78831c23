//! The loaded tensors against the checkpoint.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use engine_protocol::WeightTensor;

use super::run::Ground;
use super::session::{Answer, Session};
use crate::failure::Failure;
use crate::golden::Container;
use crate::model::{Document, MetadataValue};
use crate::parity::{Gate, GateKind, HeadCounts, Held, WeightsComparison, mapped};

/// The checkpoint beside a golden.
const CHECKPOINT: &str = "checkpoint.safetensors";

/// Runs the gate on the file that the golden names, as it is loaded.
pub(super) fn gate(ground: &Ground<'_>, checkpoint: Option<&Path>) -> Result<Gate, Failure> {
    let beside = ground.place.file.with_file_name(CHECKPOINT);
    let path = checkpoint.unwrap_or(&beside);
    if !path.exists() {
        return Ok(Gate::missing(
            GateKind::Weights,
            format!(
                "there is no checkpoint at {}: `python -m oracle checkpoint` writes it, \
                 `--checkpoint FILE` names it",
                path.display()
            ),
        ));
    }
    let checkpoint = Container::open(path)?;
    let (mut session, _) =
        Session::load(ground.program, ground.scratch, ground.document.path(), &ground.settings)?;
    let answer = session.weights();
    session.end();
    let (file, listed) = match answer? {
        Answer::Given(given) => given,
        Answer::Unsupported(why) => {
            return Ok(Gate::not_run(GateKind::Weights, format!("the worker cannot: {why}")));
        }
    };
    let compared = compare(ground, &checkpoint, &file, &listed.tensors);
    let _ = std::fs::remove_file(&file);
    compared
}

fn compare(
    ground: &Ground<'_>,
    checkpoint: &Container,
    file: &Path,
    held: &[WeightTensor],
) -> Result<Gate, Failure> {
    let count = |tensor: &WeightTensor| -> usize {
        let values: u64 = tensor.shape.iter().product();
        usize::try_from(values).unwrap_or(usize::MAX)
    };
    let mut comparison =
        WeightsComparison::of(held.iter().map(|tensor| (tensor.name.clone(), count(tensor))));
    let heads = head_counts(&ground.document);
    for name in checkpoint.names() {
        comparison.begin();
        let places = mapped(name, &heads);
        let values = checkpoint.floats(name)?;
        let shape = checkpoint.shape(name).unwrap_or_default();
        let mut found = false;
        for place in places {
            // a tied head has no tensor of its own in the file: the embeddings are compared again
            let tied = place.name == "output.weight";
            let by_name = |wanted: &str| held.iter().find(|tensor| tensor.name == wanted);
            let tensor =
                by_name(&place.name).or_else(|| by_name("token_embd.weight").filter(|_| tied));
            let Some(tensor) = tensor else { continue };
            found = true;
            let loaded = read(file, tensor.offset, count(tensor))?;
            comparison.add(
                (name, shape, &values),
                place.rule,
                Held { name: &tensor.name, tensor_type: &tensor.tensor_type, values: &loaded },
            );
        }
        if !found {
            comparison.unmatched(name);
        }
    }
    Ok(comparison.gate())
}

fn head_counts(document: &Document) -> HeadCounts<'_> {
    let architecture = document.facts().architecture.as_deref().unwrap_or_default();
    let number = |rest: &str| match document.facts().metadata.get(&format!("{architecture}.{rest}"))
    {
        Some(MetadataValue::Unsigned(value)) => usize::try_from(*value).ok(),
        _ => None,
    };
    let heads = number("attention.head_count").unwrap_or(1);
    let key_heads = number("attention.head_count_kv").unwrap_or(heads);
    HeadCounts { architecture, heads, key_heads }
}

/// Values of one tensor; the file must hold them.
fn read(path: &Path, offset: u64, count: usize) -> Result<Vec<f32>, Failure> {
    let cannot = |what: String| Failure::refused(what).at(path.display());
    let broken = |error: std::io::Error| cannot(format!("loaded tensors cannot be read: {error}"));
    let start = offset.checked_mul(4);
    let bytes = count.checked_mul(4);
    let length = std::fs::metadata(path).map_err(broken)?.len();
    let (Some(start), Some(bytes)) = (start, bytes) else {
        return Err(cannot("the worker names a tensor that no file can hold".into()));
    };
    if start.checked_add(bytes as u64).is_none_or(|end| end > length) {
        return Err(cannot("the worker's file of tensors is shorter than it says".into()));
    }
    let mut file = File::open(path).map_err(broken)?;
    file.seek(SeekFrom::Start(start)).map_err(broken)?;
    let mut buffer = vec![0; bytes];
    file.read_exact(&mut buffer).map_err(broken)?;
    let fours = buffer.chunks_exact(4).map(|chunk| {
        let mut four = [0; 4];
        four.copy_from_slice(chunk);
        f32::from_le_bytes(four)
    });
    Ok(fours.collect())
}
