//! Calibrations on disk and in the program: what was measured of a set, by tokenizer.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::content::Content;
use super::experts::ExpertUse;
use super::stored_text::text;
use crate::failure::Failure;
use crate::project::Project;
use crate::workload::embedded::embedded_calibrations;
use crate::workload::load::FOLDER;
use crate::workload::{InputSet, SetHash};

/// A file larger than this is some other file: one of a model with a thousand layers of a thousand
/// experts has some megabytes.
const MOST_BYTES: u64 = 64 << 20;

/// What one model's tokenizer makes of a set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// Name of the model, for people.
    pub model: String,
    /// Of its file: experts belong to it.
    pub model_sha256: String,
    /// Of its tokenizer: the content belongs to it.
    pub tokenizer_blake3: String,
    /// Statistics of the content.
    pub content: Content,
    /// The use of experts; absent where the model has none, or did not show them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experts: Option<ExpertUse>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    schema: u32,
    set_blake3: SetHash,
    #[serde(default)]
    measured: Vec<Measured>,
}

/// All that is known of a set.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Known {
    /// The project's own measurements first, then those built into the program.
    pub measured: Vec<Measured>,
    /// A file of the project that speaks of another content of this set.
    pub of_another_content: Option<PathBuf>,
}

impl Known {
    /// What a tokenizer makes of the set.
    #[must_use]
    pub fn by_tokenizer(&self, tokenizer_blake3: &str) -> Option<&Measured> {
        self.measured.iter().find(|one| one.tokenizer_blake3 == tokenizer_blake3)
    }

    /// How a mixture of experts is used by the set.
    #[must_use]
    pub fn by_model(&self, model_sha256: &str) -> Option<&ExpertUse> {
        self.measured
            .iter()
            .filter(|one| one.model_sha256 == model_sha256)
            .find_map(|one| one.experts.as_ref())
    }
}

/// What is known of a set: its hash finds it, whatever the set is called.
///
/// # Errors
/// Usage, with its place, when the project's file of this set cannot be understood.
pub fn known(set: &InputSet, project: &Project) -> Result<Known, Failure> {
    let mut known = Known::default();
    let path = place(set, project);
    if let Some(file) = read(&path)? {
        if file.set_blake3 == set.blake3 {
            known.measured = file.measured;
        } else {
            known.of_another_content = Some(path);
        }
    }
    for embedded in embedded_calibrations() {
        let file = parse(embedded, "a calibration in the program")?;
        if file.set_blake3 == set.blake3 {
            known.measured.extend(file.measured);
        }
    }
    Ok(known)
}

/// Stores a measurement beside the set; one of the same model takes the place of the older. What
/// the file says of another content goes. Gives the file's path.
///
/// # Errors
/// When the file there cannot be understood, or cannot be written.
pub fn store(set: &InputSet, measured: Measured, project: &Project) -> Result<PathBuf, Failure> {
    let path = place(set, project);
    let mut all = match read(&path)? {
        Some(file) if file.set_blake3 == set.blake3 => file.measured,
        _ => Vec::new(),
    };
    all.retain(|one| one.model_sha256 != measured.model_sha256);
    all.push(measured);
    all.sort_by(|one, other| {
        (&one.model, &one.model_sha256).cmp(&(&other.model, &other.model_sha256))
    });
    write(&path, &text(&set.blake3, &all)).map_err(|error| {
        Failure::failed(format!("the calibration cannot be written: {error}")).at(path.display())
    })?;
    Ok(path)
}

/// `NAME.calibration.toml` where the set's own file lies, or would lie.
fn place(set: &InputSet, project: &Project) -> PathBuf {
    let named_by_path =
        set.name.contains('/') || Path::new(&set.name).extension().is_some_and(|end| end == "toml");
    let set_file = if named_by_path {
        project.resolve(&set.name)
    } else {
        project.root.join(FOLDER).join(format!("{}.toml", set.name))
    };
    set_file.with_extension("calibration.toml")
}

fn read(path: &Path) -> Result<Option<File>, Failure> {
    let broken = |why: String| {
        Failure::usage(why).at(path.display()).hint("`runner workload measure` writes it anew")
    };
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.len() > MOST_BYTES => {
            return Err(broken(format!("{} bytes are too many for a calibration", metadata.len())));
        }
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(broken(format!("cannot be read: {error}"))),
    }
    let text = std::fs::read_to_string(path)
        .map_err(|error| broken(format!("cannot be read: {error}")))?;
    parse(&text, &path.display().to_string()).map(Some)
}

fn parse(text: &str, place: &str) -> Result<File, Failure> {
    let hint = "take it away, and run `runner workload measure`: it writes it anew";
    let file: File = toml::from_str(text).map_err(|error| {
        let line = error
            .span()
            .map(|span| 1 + text.get(..span.start).unwrap_or_default().matches('\n').count());
        let place = line.map_or_else(|| place.to_owned(), |line| format!("{place}:{line}"));
        Failure::usage(error.message().to_owned()).at(place).hint(hint)
    })?;
    if file.schema != 1 {
        let what = format!("schema {} of a calibration is not known (1 is)", file.schema);
        return Err(Failure::usage(what).at(place).hint(hint));
    }
    let sound = |one: &Measured| {
        let numbers = [
            one.content.token_repetition,
            one.content.lookup_hit_rate,
            one.experts.as_ref().map(|experts| experts.expert_entropy),
            one.experts.as_ref().map(|experts| experts.routing_entropy),
        ];
        // what is no share of anything was never measured
        numbers.iter().flatten().all(|spread| spread.min >= 0.0 && spread.max <= 1.0)
    };
    if let Some(one) = file.measured.iter().find(|one| !sound(one)) {
        let what = format!("the measurement of `{}` has shares below 0 or over 1", one.model);
        return Err(Failure::usage(what).at(place).hint(hint));
    }
    Ok(file)
}

/// Under a temporary name first: nobody reads half a file.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    std::io::Write::write_all(&mut file, text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
