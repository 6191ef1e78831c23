//! OpenBLAS: where its header and its library lie.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::choices::Blas;
use super::fault::Fault;
use super::probe;
use super::settings::Settings;
use super::toolchain::{Language, Toolchain};

/// A library that can be linked.
#[derive(Debug, Clone)]
pub struct FoundBlas {
    /// Its name for the linker.
    pub library: &'static str,
    /// The folder of the library, when the linker does not look there anyway.
    pub folder: Option<PathBuf>,
    /// The folder of `cblas.h`, when the compiler does not look there anyway.
    pub include: Option<PathBuf>,
    /// What upstream defines for it.
    pub definition: &'static str,
}

const LIBRARY: &str = "openblas";

/// Needs the header, the products and what the backend calls to set threads, which is OpenBLAS's
/// own.
const PROGRAM: &str = "#include <cblas.h>\n\
    int main() {\n\
    float a = 2, b = 3, c = 0;\n\
    openblas_set_num_threads(1);\n\
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, 1, 1, 1, 1, &a, 1, &b, 1, 0, &c, 1);\n\
    return c == 6 ? 0 : 1;\n\
    }\n";

/// Where packages put `cblas.h`, beside the folders that compilers search themselves.
const INCLUDES: [&str; 6] = [
    "/usr/include/openblas",
    "/usr/include/x86_64-linux-gnu",
    "/usr/include/aarch64-linux-gnu",
    "/usr/local/include",
    "/opt/homebrew/opt/openblas/include",
    "/usr/local/opt/openblas/include",
];

/// Finds what was asked for; none if nothing was.
pub fn find(toolchain: &Toolchain, settings: &Settings) -> Result<Option<FoundBlas>, Fault> {
    let Some(Blas::OpenBlas) = settings.choices.blas else { return Ok(None) };
    let candidates = match &settings.blas_dir {
        Some(folder) => in_folder(folder),
        None => installed(),
    };
    let found = candidates.into_iter().find(|candidate| works(candidate, toolchain, settings));
    found.map(Some).ok_or_else(|| missing(settings))
}

fn missing(settings: &Settings) -> Fault {
    match &settings.blas_dir {
        Some(folder) => Fault::new(format!(
            "no OpenBLAS that can be compiled against and linked in ENGINE_BLAS_DIR {}",
            folder.display()
        ))
        .hint("it must hold include/cblas.h (or include/openblas/cblas.h) and lib/libopenblas.*"),
        None => Fault::new(
            "ENGINE_BLAS is `openblas`, and no OpenBLAS was found by pkg-config or where \
             packages put it",
        )
        .hint(
            "install it (Debian, Ubuntu: apt install libopenblas-dev; macOS: brew install \
             openblas), or set ENGINE_BLAS_DIR to a folder with include/ and lib/",
        ),
    }
}

fn candidate(include: Option<PathBuf>, folder: Option<PathBuf>) -> FoundBlas {
    FoundBlas { library: LIBRARY, folder, include, definition: "-DGGML_BLAS_USE_OPENBLAS" }
}

fn in_folder(folder: &Path) -> Vec<FoundBlas> {
    let includes = ["include", "include/openblas"].map(|name| folder.join(name));
    let with_header = includes.into_iter().filter(|include| include.join("cblas.h").is_file());
    with_header.map(|include| candidate(Some(include), Some(folder.join("lib")))).collect()
}

fn installed() -> Vec<FoundBlas> {
    let told = |what: &str, prefix: &str| {
        let output = Command::new("pkg-config").args([what, LIBRARY]).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut words = text.split_whitespace();
        words.find_map(|word| word.strip_prefix(prefix)).map(PathBuf::from)
    };
    let mut all = vec![
        candidate(told("--cflags-only-I", "-I"), told("--libs-only-L", "-L")),
        candidate(None, None),
    ];
    for include in INCLUDES.map(PathBuf::from) {
        let beside = include.parent().map(|folder| folder.join("lib"));
        all.push(candidate(Some(include), beside.filter(|folder| folder.is_dir())));
    }
    all
}

fn works(candidate: &FoundBlas, toolchain: &Toolchain, settings: &Settings) -> bool {
    let include = candidate.include.as_ref().map(|folder| format!("-I{}", folder.display()));
    let folder = candidate.folder.as_ref().map(|folder| format!("-L{}", folder.display()));
    let library = format!("-l{}", candidate.library);
    let before: Vec<&str> = include.iter().map(String::as_str).collect();
    let after: Vec<&str> = folder.iter().map(String::as_str).chain([library.as_str()]).collect();
    let compiler = toolchain.compiler(Language::Cxx);
    probe::links(compiler, Language::Cxx, settings, &before, PROGRAM, &after)
}
