//! How a form comes into the cache: an engine writes it under a temporary name, it is looked at,
//! described, and only then gets its own name.

use std::fs::{File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use engine_protocol::{Form, Requantised, TensorTypeBytes};

use super::kept::{FormFile, checked, folder};
use super::name::form_name;
use super::share;
use super::sidecar::{FormEngine, FormSource, SCHEMA, Sidecar};
use crate::failure::{Failure, FailureKind};
use crate::model::gguf::inspect;
use crate::model::hash::{Verification, file_hash};
use crate::model::resolve::{ModelFile, store, sync_folder};
use crate::project::Project;

/// Where one form of one source by one engine lies, and what it will be described with.
#[derive(Debug, Clone)]
pub struct Place<'source> {
    source: &'source ModelFile,
    form: Form,
    engine: FormEngine,
    folder: PathBuf,
}

/// The place of a form.
#[must_use]
pub fn place<'source>(
    source: &'source ModelFile,
    form: Form,
    engine: &FormEngine,
    project: &Project,
) -> Place<'source> {
    // The hash is the worker's own word; as a folder it must be no more than a name.
    let hash = &engine.source_blake3;
    let plain = !hash.is_empty() && hash.chars().all(|c| c.is_ascii_alphanumeric());
    let name =
        if plain { hash.clone() } else { blake3::hash(hash.as_bytes()).to_hex().to_string() };
    let folder = folder(&source.sha256, project).join(name);
    Place { source, form, engine: engine.clone(), folder }
}

/// A form that is being made, by nobody else at this moment. Dropped before [`Making::finish`], it
/// leaves nothing behind.
#[derive(Debug)]
pub struct Making<'source> {
    place: Place<'source>,
    partial: PathBuf,
    _lock: File,
}

impl<'source> Place<'source> {
    fn path(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", form_name(self.form)))
    }

    /// The form, where this engine has made it already.
    ///
    /// # Errors
    /// A refusal when what is there does not fit its description.
    pub fn kept(
        &self,
        project: &Project,
        verification: Verification,
    ) -> Result<Option<FormFile>, Failure> {
        let description = self.path("toml");
        if !description.exists() {
            return Ok(None);
        }
        checked(&description, self.source, project, verification).map(Some)
    }

    /// Takes the place to make the form; `None` while another process holds it. The operating
    /// system lets go of it when this process ends, however it ends.
    ///
    /// # Errors
    /// When the folder cannot be made or locked.
    pub fn try_begin(&self) -> Result<Option<Making<'source>>, Failure> {
        let cannot = |error: std::io::Error| cannot_write(&self.folder, &error);
        std::fs::create_dir_all(&self.folder).map_err(cannot)?;
        let lock = File::options()
            .create(true)
            .write(true)
            .truncate(false)
            .open(self.path("lock"))
            .map_err(cannot)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(cannot(error)),
        }
        let partial = self.path("partial");
        // Left by a process that was killed.
        clear(&partial);
        Ok(Some(Making { place: self.clone(), partial, _lock: lock }))
    }
}

impl Making<'_> {
    /// Where the engine shall write.
    #[must_use]
    pub fn target(&self) -> &Path {
        &self.partial
    }

    /// Looks at what the engine wrote, describes it, and gives it its name.
    ///
    /// # Errors
    /// Refused when the form's name holds for too few of its bytes; failed when the file is not
    /// what the engine said, or cannot be kept.
    pub fn finish(
        self,
        said: &Requantised,
        made_at: String,
        project: &Project,
    ) -> Result<FormFile, Failure> {
        let facts = inspect(&self.partial).map_err(|failure| Failure {
            what: format!("the engine wrote a file that {}", failure.what),
            kind: FailureKind::Failed,
            ..failure
        })?;
        if facts.file_bytes != said.bytes
            || comparable(&facts.tensor_types) != comparable(&said.tensor_types)
        {
            return Err(Failure::failed(format!(
                "the engine says that it wrote {} bytes ({}), and the file has {} ({})",
                said.bytes,
                share::shares(&said.tensor_types),
                facts.file_bytes,
                share::shares(&facts.tensor_types)
            ))
            .at(self.partial.display()));
        }
        share::hold(self.place.form, &facts.tensor_types)?;
        let source = inspect(&self.place.source.path)?;
        let sha256 = file_hash(&self.partial, Verification::Full, project)?;
        let sidecar = Sidecar {
            schema: SCHEMA,
            form: self.place.form,
            sha256,
            bytes: facts.file_bytes,
            made_at,
            source: FormSource {
                name: self.place.source.name.clone(),
                sha256: self.place.source.sha256.clone(),
                tensor_type: source
                    .tensor_types
                    .first()
                    .map_or_else(|| "unknown".to_owned(), |row| row.tensor_type.clone()),
            },
            engine: self.place.engine.clone(),
            tensor_types: facts.tensor_types,
        };
        let text = toml::to_string(&sidecar)
            .map_err(|error| Failure::failed(format!("the description: {error}")))?;
        let path = self.place.path("gguf");
        let cannot = |error: std::io::Error| cannot_write(&path, &error);
        File::open(&self.partial).and_then(|file| file.sync_all()).map_err(cannot)?;
        std::fs::rename(&self.partial, &path).map_err(cannot)?;
        sync_folder(&self.place.folder).map_err(cannot)?;
        // Only with its description does the form exist.
        store(&self.place.path("toml"), |file| file.write_all(text.as_bytes()))?;
        Ok(FormFile { path, sidecar })
    }
}

impl Drop for Making<'_> {
    fn drop(&mut self) {
        // After `finish` there is nothing of this name.
        clear(&self.partial);
    }
}

/// Rows in the order of their names, which engines write in either case (`q6_K`).
fn comparable(types: &[TensorTypeBytes]) -> Vec<(String, u32, u64)> {
    let row = |row: &TensorTypeBytes| (row.tensor_type.to_lowercase(), row.tensors, row.bytes);
    let mut rows: Vec<_> = types.iter().map(row).collect();
    rows.sort();
    rows
}

/// Takes the partial file away, and what an engine may have written beside it under a longer name.
fn clear(partial: &Path) {
    let (Some(folder), Some(name)) = (partial.parent(), partial.file_name()) else { return };
    let ours = name.as_encoded_bytes();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(ours) {
            // What stays is in nobody's way: it has no description.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::failed(format!("cannot be written: {error}"))
        .at(path.display())
        .hint("set RUNNER_CACHE_DIR to a folder with room that you may write to")
}
