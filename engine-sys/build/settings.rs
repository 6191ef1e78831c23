//! What cargo and the environment ask of this build.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::choices::{self, Choices};
use super::fault::Fault;
use super::git::Checkout;

/// The environment of the build, read once.
pub struct Settings {
    /// The folder of this package.
    pub package: PathBuf,
    /// Where generated files go.
    pub out: PathBuf,
    /// The target triple.
    pub target: String,
    /// Whether the target differs from the machine that compiles.
    pub cross: bool,
    /// A llama.cpp tree to compile instead of the pinned package.
    pub source_dir: Option<PathBuf>,
    /// What is said of that tree, where it is a copy outside git.
    pub stated: Option<Checkout>,
    /// Another version of the pinned package.
    pub other_package: Option<OtherPackage>,
    /// Prebuilt libraries to link, and their headers.
    pub prebuilt: Option<PrebuiltPaths>,
    /// The argument of `-march`.
    pub instruction_set: String,
    /// How the engine is compiled otherwise.
    pub choices: Choices,
    /// A folder with `include` and `lib` of the BLAS library.
    pub blas_dir: Option<PathBuf>,
    /// Where compiled objects are kept across profiles.
    pub objects: PathBuf,
    /// Compilations at a time.
    pub jobs: usize,
}

/// `ENGINE_LIB_DIR` and `ENGINE_INCLUDE_DIR`.
pub struct PrebuiltPaths {
    /// The folder below which the libraries lie.
    pub libraries: PathBuf,
    /// Folders with `llama.h`, `ggml.h` and their like.
    pub includes: Vec<PathBuf>,
}

/// `ENGINE_PACKAGE_VERSION` and `ENGINE_PACKAGE_BLAKE3`.
pub struct OtherPackage {
    /// The exact version.
    pub version: String,
    /// The hash that its tree must have.
    pub blake3: String,
}

impl Settings {
    /// Reads the environment; one of a pair without the other, or both overrides, are faults.
    pub fn read() -> Result<Self, Fault> {
        let out = PathBuf::from(required("OUT_DIR")?);
        let target = required("TARGET")?;
        let source_dir = path("ENGINE_SRC_DIR")?;
        let prebuilt = prebuilt()?;
        if source_dir.is_some() && prebuilt.is_some() {
            return Err(Fault::new("both ENGINE_SRC_DIR and ENGINE_LIB_DIR are set").hint(
                "unset one: the first compiles a tree, the second links prebuilt libraries",
            ));
        }
        let stated = stated()?;
        if stated.is_some() && source_dir.is_none() {
            return Err(Fault::new("ENGINE_SRC_COMMIT is set without ENGINE_SRC_DIR")
                .hint("set ENGINE_SRC_DIR to the tree whose commit it is, or unset it"));
        }
        let other_package = other_package()?;
        if other_package.is_some() && (source_dir.is_some() || prebuilt.is_some()) {
            return Err(Fault::new(
                "ENGINE_PACKAGE_VERSION is set together with ENGINE_SRC_DIR or ENGINE_LIB_DIR",
            )
            .hint("unset all but one: each says where the engine comes from"));
        }
        let choices = Choices::read(text)?;
        if prebuilt.is_some() {
            nothing_to_compile()?;
        }
        let objects = match path("ENGINE_OBJECTS_DIR")? {
            Some(folder) => folder,
            None => target_folder(&out)?.join("engine-objects"),
        };
        Ok(Self {
            package: PathBuf::from(required("CARGO_MANIFEST_DIR")?),
            cross: target != required("HOST")?,
            target,
            source_dir,
            stated,
            other_package,
            prebuilt,
            choices,
            blas_dir: path("ENGINE_BLAS_DIR")?,
            instruction_set: text("ENGINE_INSTRUCTION_SET").unwrap_or_else(|| "native".to_owned()),
            objects,
            jobs: jobs(),
            out,
        })
    }

    /// The operating system of the target, as cargo names it.
    pub fn operating_system(&self) -> String {
        env::var("CARGO_CFG_TARGET_OS").unwrap_or_default()
    }

    /// The processor architecture of the target, as cargo names it.
    pub fn architecture(&self) -> String {
        env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default()
    }
}

/// A variable that users set: cargo runs the build again when it changes.
fn user_variable(name: &str) -> Option<OsString> {
    println!("cargo::rerun-if-env-changed={name}");
    env::var_os(name).filter(|value| !value.is_empty())
}

pub(super) fn text(name: &str) -> Option<String> {
    user_variable(name).map(|value| value.to_string_lossy().into_owned())
}

/// An absolute path: the build script's working folder is not the user's.
pub(super) fn path(name: &str) -> Result<Option<PathBuf>, Fault> {
    let Some(value) = user_variable(name) else { return Ok(None) };
    absolute(name, PathBuf::from(value)).map(Some)
}

fn absolute(name: &str, path: PathBuf) -> Result<PathBuf, Fault> {
    if path.is_absolute() {
        return Ok(path);
    }
    Err(Fault::new(format!("{name} is the relative path {}", path.display())).hint(format!(
        "write it as an absolute path, for example {name}=\"$PWD/{}\"",
        path.display()
    )))
}

fn prebuilt() -> Result<Option<PrebuiltPaths>, Fault> {
    let libraries = path("ENGINE_LIB_DIR")?;
    let includes = user_variable("ENGINE_INCLUDE_DIR");
    match (libraries, includes) {
        (None, None) => Ok(None),
        (Some(libraries), Some(includes)) => {
            let includes = env::split_paths(&includes)
                .filter(|path| !path.as_os_str().is_empty())
                .map(|path| absolute("ENGINE_INCLUDE_DIR", path))
                .collect::<Result<Vec<_>, _>>()?;
            Ok(Some(PrebuiltPaths { libraries, includes }))
        }
        (Some(_), None) => Err(Fault::new("ENGINE_LIB_DIR is set without ENGINE_INCLUDE_DIR")
            .hint(
                "set ENGINE_INCLUDE_DIR to the folders with llama.h and ggml.h that the libraries \
             were built from, separated by `:`",
            )),
        (None, Some(_)) => Err(Fault::new("ENGINE_INCLUDE_DIR is set without ENGINE_LIB_DIR")
            .hint("set ENGINE_LIB_DIR to the folder below which libllama and libggml lie")),
    }
}

/// Faults where a variable is set that prebuilt libraries cannot honour.
fn nothing_to_compile() -> Result<(), Fault> {
    match choices::VARIABLES.into_iter().find(|name| text(name).is_some()) {
        Some(name) => Err(Fault::new(format!("{name} is set together with ENGINE_LIB_DIR"))
            .hint("unset one: prebuilt libraries are compiled already")),
        None => Ok(()),
    }
}

/// `ENGINE_SRC_COMMIT` and `ENGINE_SRC_DIFFERENCE`.
fn stated() -> Result<Option<Checkout>, Fault> {
    let commit = hexadecimal("ENGINE_SRC_COMMIT", &[40, 64])?;
    let difference = hexadecimal("ENGINE_SRC_DIFFERENCE", &[64])?;
    match (commit, difference) {
        (None, Some(_)) => {
            Err(Fault::new("ENGINE_SRC_DIFFERENCE is set without ENGINE_SRC_COMMIT")
                .hint("set ENGINE_SRC_COMMIT to the commit that the tree differs from"))
        }
        (commit, difference) => {
            Ok(commit.map(|commit| Checkout { commit, dirty: difference.is_some(), difference }))
        }
    }
}

fn other_package() -> Result<Option<OtherPackage>, Fault> {
    let version = text("ENGINE_PACKAGE_VERSION");
    let blake3 = hexadecimal("ENGINE_PACKAGE_BLAKE3", &[64])?;
    match (version, blake3) {
        (None, None) => Ok(None),
        (Some(version), Some(blake3)) => {
            let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+');
            if version.chars().all(fits) && version.starts_with(|c: char| c.is_ascii_digit()) {
                return Ok(Some(OtherPackage { version, blake3 }));
            }
            Err(Fault::new(format!("ENGINE_PACKAGE_VERSION is `{version}`, which is no version"))
                .hint("write the exact version, for example 0.1.161"))
        }
        (Some(version), None) => Err(Fault::new(format!(
            "ENGINE_PACKAGE_VERSION is {version} without ENGINE_PACKAGE_BLAKE3"
        ))
        .hint(
            "set it to the BLAKE3 of that package's tree (vendor/README.md says of what); with 64 \
             zeros the build stops and names the one that it found",
        )),
        (None, Some(_)) => {
            Err(Fault::new("ENGINE_PACKAGE_BLAKE3 is set without ENGINE_PACKAGE_VERSION")
                .hint("set ENGINE_PACKAGE_VERSION to the version that has this hash, or unset it"))
        }
    }
}

/// A hash, in small letters.
fn hexadecimal(name: &str, lengths: &[usize]) -> Result<Option<String>, Fault> {
    let Some(value) = text(name) else { return Ok(None) };
    let digits = value.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'));
    if digits && lengths.contains(&value.len()) {
        return Ok(Some(value));
    }
    let lengths: Vec<String> = lengths.iter().map(usize::to_string).collect();
    Err(Fault::new(format!("{name} is `{value}`"))
        .hint(format!("write it as {} hexadecimal digits in small letters", lengths.join(" or "))))
}

fn required(name: &str) -> Result<String, Fault> {
    env::var(name).map_err(|_| {
        Fault::new(format!("{name} is not set")).hint("this program is run by `cargo build`")
    })
}

fn jobs() -> usize {
    let asked = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok());
    asked.filter(|jobs| *jobs > 0).unwrap_or(1)
}

/// Cargo's target folder: it marks it with `CACHEDIR.TAG`, above `<profile>/build/<crate>/out`.
fn target_folder(out: &Path) -> Result<PathBuf, Fault> {
    let marked = out.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file());
    // Without the mark: out, engine-sys-<hash>, build, <profile>, and then the target folder.
    let folder = marked.or_else(|| out.ancestors().nth(4));
    folder.map(Path::to_owned).ok_or_else(|| {
        Fault::new(format!("cannot tell cargo's target folder from {}", out.display()))
            .hint("set ENGINE_OBJECTS_DIR to a folder for compiled objects")
    })
}
