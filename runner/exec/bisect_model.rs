//! Which model file each side has, and how two files differ.

use std::path::{Path, PathBuf};

use engine_protocol::{KvType, Settings};

use super::bisect::AgainstReference;
use crate::bisect::Rounding;
use crate::failure::Failure;
use crate::golden::Dump;
use crate::manifest::ModelChoice;
use crate::model::{
    self, Document, GgufFacts, MetadataValue, Sha256Hex, Verification, file_hash, inspect,
};
use crate::project::Project;

/// Longest list of differences that is written out.
const MOST_NAMED: usize = 4;

/// A model file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BisectModel {
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) facts: GgufFacts,
    sha256: Sha256Hex,
    /// What the file says that the reference read, where that file is at hand.
    pub(super) reference_facts: Option<GgufFacts>,
    /// Where that file lies.
    pub(super) reference_file: Option<PathBuf>,
    /// How this file differs from the one that the reference read, where it is another.
    pub(super) differs: Option<String>,
}

impl BisectModel {
    /// By the name in the catalogue, or a file's path.
    pub(super) fn named(name: &str, project: &Project) -> Result<BisectModel, Failure> {
        let path = std::path::absolute(name)
            .map_err(|error| Failure::usage(error.to_string()).at(name))?;
        if path.is_file() {
            return BisectModel::file(&path, project);
        }
        let file = model::resolve(&ModelChoice::Named(name.to_owned()), project)?;
        Ok(BisectModel { name: file.name.clone(), ..BisectModel::file(&file.path, project)? })
    }

    fn file(path: &Path, project: &Project) -> Result<BisectModel, Failure> {
        let facts = inspect(path)?;
        let sha256 = file_hash(path, Verification::Remembered, project)?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        Ok(BisectModel {
            name: name.unwrap_or_default(),
            path: path.to_path_buf(),
            facts,
            sha256,
            reference_facts: None,
            reference_file: None,
            differs: None,
        })
    }

    /// The engine's model for a dump: what was asked for, else the file beside the golden, else the
    /// model of the catalogue that the dump names.
    pub(super) fn of_dump(
        request: &AgainstReference,
        dump: &Dump,
        project: &Project,
    ) -> Result<BisectModel, Failure> {
        let own = match (&request.own_model, &dump.facts.model) {
            (Some(path), _) => Some(BisectModel::file(path, project)?),
            (None, Some(name)) => BisectModel::named(name, project).ok(),
            (None, None) => None,
        };
        let own = own.filter(|own| own.sha256 == dump.facts.model_sha256);
        let mut model = match &request.model {
            Some(name) => BisectModel::named(name, project)?,
            None => own.clone().ok_or_else(|| {
                Failure::refused(format!(
                    "the model file that the reference read (SHA-256 {}) is not at hand",
                    dump.facts.model_sha256
                ))
                .at(dump.path().display())
                .hint("name it with `--model FILE`, or make the golden and its dumps again")
            })?,
        };
        match &own {
            Some(own) => model.differs = model.difference(own)?,
            None if model.sha256 != dump.facts.model_sha256 => {
                model.differs =
                    Some(format!("SHA-256 {} and {}", dump.facts.model_sha256, model.sha256));
            }
            None => {}
        }
        let is_own = model.sha256 == dump.facts.model_sha256;
        if let Some(read) = own.or_else(|| is_own.then(|| model.clone())) {
            model.reference_facts = Some(read.facts);
            model.reference_file = Some(read.path);
        }
        Ok(model)
    }

    /// How this file differs from another, in words; `None` when it is the same.
    pub(super) fn difference(&self, other: &BisectModel) -> Result<Option<String>, Failure> {
        if self.sha256 == other.sha256 {
            return Ok(None);
        }
        let mut found = Vec::new();
        let mut keys: Vec<&String> =
            self.facts.metadata.keys().chain(other.facts.metadata.keys()).collect();
        keys.sort();
        keys.dedup();
        for key in keys {
            let (mine, theirs) = (self.facts.metadata.get(key), other.facts.metadata.get(key));
            if mine != theirs {
                found.push(format!("`{key}` is {}, not {}", shown(mine), shown(theirs)));
            }
        }
        found.extend(self.other_tensors(other)?);
        let more = found.len().saturating_sub(MOST_NAMED);
        found.truncate(MOST_NAMED);
        if more > 0 {
            found.push(format!("and {more} more"));
        }
        if found.is_empty() {
            found.push("the files are laid out differently, with the same content".to_owned());
        }
        Ok(Some(found.join("; ")))
    }

    /// Tensors with other bytes, types or names; one is in memory at a time.
    fn other_tensors(&self, other: &BisectModel) -> Result<Vec<String>, Failure> {
        let (mine, theirs) = (Document::read(&self.path)?, Document::read(&other.path)?);
        let mut found = Vec::new();
        for tensor in &self.facts.tensors {
            let name = &tensor.name;
            match theirs.tensor(name) {
                None => found.push(format!("tensor `{name}` is there")),
                Some(their) if their.tensor_type != tensor.tensor_type => found.push(format!(
                    "tensor `{name}` is {}, not {}",
                    tensor.tensor_type, their.tensor_type
                )),
                Some(_) if mine.tensor_bytes(name)? != theirs.tensor_bytes(name)? => {
                    found.push(format!("tensor `{name}` has other values"));
                }
                Some(_) => {}
            }
            if found.len() > 2 * MOST_NAMED {
                break;
            }
        }
        let gone = other.facts.tensors.iter().filter(|tensor| mine.tensor(&tensor.name).is_none());
        found.extend(gone.map(|tensor| format!("tensor `{}` is missing", tensor.name)));
        Ok(found)
    }
}

fn shown(value: Option<&MetadataValue>) -> String {
    match value {
        None => "absent".to_owned(),
        Some(MetadataValue::Unsigned(value)) => value.to_string(),
        Some(MetadataValue::Signed(value)) => value.to_string(),
        // most are written in 32 bits
        Some(MetadataValue::Float(value)) => {
            let short = *value as f32;
            if f64::from(short) == *value { short.to_string() } else { value.to_string() }
        }
        Some(MetadataValue::Bool(value)) => value.to_string(),
        Some(MetadataValue::Text(text)) => format!("{text:?}"),
        Some(MetadataValue::LongText(bytes)) => format!("a text of {bytes} bytes"),
        Some(MetadataValue::Array(count)) => format!("a list of {count}"),
    }
}

/// Values of a head, as the model file says.
pub(super) fn head_width(facts: &GgufFacts) -> Option<usize> {
    let architecture = facts.architecture.as_deref()?;
    let number = |key: &str| match facts.metadata.get(&format!("{architecture}.{key}"))? {
        MetadataValue::Unsigned(value) => usize::try_from(*value).ok(),
        _ => None,
    };
    let width = number("attention.key_length")
        .or_else(|| number("embedding_length")?.checked_div(number("attention.head_count")?))?;
    (width > 0).then_some(width)
}

/// The coarsest arithmetic of a model under settings.
pub(super) fn coarsest(facts: &GgufFacts, settings: &Settings) -> Rounding {
    let weights = facts.tensor_types.iter().map(|row| Rounding::of_type(&row.tensor_type));
    let cache = [settings.kv_key_type, settings.kv_value_type].into_iter().flatten();
    let cache = cache.map(|kv| match kv {
        KvType::F32 => Rounding::Float32,
        KvType::F16 | KvType::Bf16 => Rounding::Float16,
        KvType::Q8_0
        | KvType::Q5_1
        | KvType::Q5_0
        | KvType::Q4_1
        | KvType::Q4_0
        | KvType::Iq4Nl => Rounding::EightBits,
    });
    weights.chain(cache).max().unwrap_or(Rounding::Float32)
}
