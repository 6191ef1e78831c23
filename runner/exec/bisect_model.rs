//! Which model file each side has.

use std::path::{Path, PathBuf};

use engine_protocol::{KvType, Settings};

use super::bisect::AgainstReference;
use super::bisect_difference::FileDifference;
use crate::bisect::Rounding;
use crate::failure::Failure;
use crate::golden::Dump;
use crate::manifest::ModelChoice;
use crate::model::{
    self, Document, GgufFacts, MetadataValue, Sha256Hex, Verification, file_hash, inspect,
};
use crate::project::Project;

/// How the engine's model file stands to the one that the reference read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OtherFile {
    /// They are the same.
    Same,
    /// They are not.
    Differs(FileDifference),
    /// They are not, and the reference's is not at hand.
    Unknown(String),
}

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
    /// How this file stands to the one that the reference read.
    pub(super) other: OtherFile,
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
            other: OtherFile::Same,
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
        let same = model.sha256 == dump.facts.model_sha256;
        model.other = match &own {
            Some(own) => model.difference(own)?.map_or(OtherFile::Same, OtherFile::Differs),
            None if same => OtherFile::Same,
            None => OtherFile::Unknown(format!(
                "SHA-256 {}, not {}",
                model.sha256, dump.facts.model_sha256
            )),
        };
        if let Some(read) = own.or_else(|| same.then(|| model.clone())) {
            model.reference_facts = Some(read.facts);
            model.reference_file = Some(read.path);
        }
        Ok(model)
    }

    /// How this file differs from another; `None` when it is the same.
    pub(super) fn difference(
        &self,
        other: &BisectModel,
    ) -> Result<Option<FileDifference>, Failure> {
        if self.sha256 == other.sha256 {
            return Ok(None);
        }
        let (mine, theirs) = (Document::read(&self.path)?, Document::read(&other.path)?);
        FileDifference::between(&mine, &theirs).map(Some)
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
