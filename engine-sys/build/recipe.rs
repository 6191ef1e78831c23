//! What is compiled with which flags: those of upstream's CMake build in `Release`.
//!
//! Reviewed against the CMake files of the pinned package, and compared with their
//! `compile_commands.json` (`docs/building.md` says how). Left out on purpose: warnings.

use std::path::{Path, PathBuf};

use super::blas::FoundBlas;
use super::choices::Switch;
use super::devices;
use super::fault::Fault;
use super::instruction_set::InstructionSet;
use super::openmp;
use super::settings::Settings;
use super::sources;
use super::toolchain::{Language, Toolchain};

/// `CMAKE_<LANG>_FLAGS_RELEASE`.
pub const RELEASE: [&str; 2] = ["-O3", "-DNDEBUG"];

/// Upstream's default of `GGML_SCHED_MAX_COPIES`.
const SCHEDULER_COPIES: &str = "-DGGML_SCHED_MAX_COPIES=4";

/// What upstream's `ggml_add_backend` defines for the backend that is always there.
const CPU_BACKEND: &str = "-DGGML_USE_CPU";

/// One library to compile.
pub struct Component {
    /// `ggml-base`, `ggml-cpu`, `ggml-blas`, `ggml`, `llama` or `shim`.
    pub name: &'static str,
    /// Its files.
    pub sources: Vec<PathBuf>,
    /// Definitions, before everything else.
    pub definitions: Vec<String>,
    /// Folders of headers.
    pub includes: Vec<PathBuf>,
    /// What follows the optimisation level.
    pub flags: Vec<String>,
    /// The standard of each language; none where upstream leaves the compiler its default.
    pub standards: [(Language, Option<&'static str>); 2],
}

impl Component {
    /// All flags that decide what comes out, without the folders of headers.
    pub fn flags_for(&self, language: Language, toolchain: &Toolchain) -> Vec<String> {
        let mut flags = self.definitions.clone();
        flags.extend(RELEASE.map(str::to_owned));
        flags.extend(self.flags.iter().cloned());
        flags.extend(toolchain.position_independence(language).map(str::to_owned));
        let standard = self.standards.iter().find(|(of, _)| *of == language);
        flags.extend(standard.and_then(|(_, standard)| *standard).map(|s| format!("-std={s}")));
        flags
    }
}

/// What all components share.
pub struct Kitchen<'a> {
    /// The compilers.
    pub toolchain: &'a Toolchain,
    /// The environment.
    pub settings: &'a Settings,
    /// For ggml-cpu.
    pub instruction_set: &'a InstructionSet,
    /// Whether OpenMP is compiled in.
    pub openmp: bool,
    /// The library for matrix products, where one was asked for.
    pub blas: Option<&'a FoundBlas>,
    /// Where the filled version headers lie.
    pub generated: &'a Path,
    /// Definitions in place of version headers that a tree lacks.
    pub versions: &'a [String],
}

/// The libraries of a tree, in the order in which they are compiled.
pub fn engine(root: &Path, kitchen: &Kitchen<'_>) -> Result<Vec<Component>, Fault> {
    let mut components = vec![
        ggml_cpu(root, kitchen)?,
        llama(root, kitchen)?,
        ggml_base(root, kitchen)?,
        ggml(root, kitchen)?,
    ];
    if let Some(blas) = kitchen.blas {
        components.push(ggml_blas(root, blas, kitchen)?);
    }
    for component in &mut components {
        component.flags.extend(kitchen.settings.choices.extra_flags.iter().cloned());
    }
    Ok(components)
}

fn ggml_base(root: &Path, kitchen: &Kitchen<'_>) -> Result<Component, Fault> {
    let mut definitions = vec![SCHEDULER_COPIES.to_owned()];
    let mut flags = Vec::new();
    if kitchen.openmp {
        definitions.push("-DGGML_USE_OPENMP".to_owned());
        flags.push(openmp::FLAG.to_owned());
    }
    definitions.extend(platform_definitions(kitchen.settings));
    definitions.extend(kitchen.versions.iter().cloned());
    Ok(Component {
        name: "ggml-base",
        sources: sources::ggml_base(root)?,
        definitions,
        includes: vec![
            root.join("ggml/src"),
            kitchen.generated.to_owned(),
            root.join("ggml/include"),
        ],
        flags,
        standards: GGML_STANDARDS,
    })
}

fn ggml(root: &Path, kitchen: &Kitchen<'_>) -> Result<Component, Fault> {
    let mut definitions = vec![SCHEDULER_COPIES.to_owned()];
    definitions.extend(backend_definitions());
    definitions.extend(devices::REGISTRY_DEFINITIONS.iter().map(|d| (*d).to_owned()));
    // For llama too in upstream's build, but no file there asks for it.
    definitions.extend(kitchen.blas.map(|_| "-DGGML_USE_BLAS".to_owned()));
    definitions.extend(platform_definitions(kitchen.settings));
    Ok(Component {
        name: "ggml",
        sources: sources::ggml(root)?,
        definitions,
        includes: vec![root.join("ggml/include")],
        flags: Vec::new(),
        standards: GGML_STANDARDS,
    })
}

fn ggml_cpu(root: &Path, kitchen: &Kitchen<'_>) -> Result<Component, Fault> {
    let mut definitions = vec![SCHEDULER_COPIES.to_owned()];
    let choices = &kitchen.settings.choices;
    if choices.repack == Switch::On {
        definitions.push("-DGGML_USE_CPU_REPACK".to_owned());
    }
    if choices.llamafile == Switch::On {
        definitions.push("-DGGML_USE_LLAMAFILE".to_owned());
    }
    let mut flags = kitchen.instruction_set.flags.clone();
    if kitchen.openmp {
        definitions.push("-DGGML_USE_OPENMP".to_owned());
        flags.push(openmp::FLAG.to_owned());
    }
    if kitchen.settings.operating_system() == "macos" {
        // GGML_ACCELERATE is on by default.
        for definition in
            ["GGML_USE_ACCELERATE", "ACCELERATE_NEW_LAPACK", "ACCELERATE_LAPACK_ILP64"]
        {
            definitions.push(format!("-D{definition}"));
        }
    }
    definitions.extend(platform_definitions(kitchen.settings));
    Ok(Component {
        name: "ggml-cpu",
        sources: sources::ggml_cpu(root, kitchen.instruction_set.kernels)?,
        definitions,
        includes: vec![
            root.join("ggml/src/.."),
            root.join("ggml/src"),
            root.join("ggml/src/ggml-cpu"),
            root.join("ggml/include"),
        ],
        flags,
        standards: GGML_STANDARDS,
    })
}

fn ggml_blas(root: &Path, blas: &FoundBlas, kitchen: &Kitchen<'_>) -> Result<Component, Fault> {
    let mut definitions = vec![SCHEDULER_COPIES.to_owned(), blas.definition.to_owned()];
    definitions.extend(platform_definitions(kitchen.settings));
    let mut includes = vec![root.join("ggml/src"), root.join("ggml/include")];
    includes.extend(blas.include.iter().cloned());
    Ok(Component {
        name: "ggml-blas",
        sources: sources::ggml_blas(root)?,
        definitions,
        includes,
        flags: Vec::new(),
        standards: GGML_STANDARDS,
    })
}

fn llama(root: &Path, kitchen: &Kitchen<'_>) -> Result<Component, Fault> {
    Ok(Component {
        name: "llama",
        sources: sources::llama(root)?,
        definitions: backend_definitions(),
        includes: vec![
            root.join("src"),
            kitchen.generated.to_owned(),
            root.join("include"),
            root.join("ggml/include"),
        ],
        flags: Vec::new(),
        standards: cxx_17_at_least(kitchen.toolchain),
    })
}

/// The shim, against the headers of whatever engine is linked.
pub fn shim(
    sources: Vec<PathBuf>,
    mut includes: Vec<PathBuf>,
    folder: &Path,
    toolchain: &Toolchain,
) -> Component {
    includes.insert(0, folder.to_owned());
    Component {
        name: "shim",
        sources,
        definitions: backend_definitions(),
        includes,
        flags: Vec::new(),
        standards: cxx_17_at_least(toolchain),
    }
}

/// What upstream's `ggml_add_backend` defines for `ggml` and all that is linked with it.
fn backend_definitions() -> Vec<String> {
    std::iter::once(&CPU_BACKEND).chain(devices::DEFINITIONS).map(|d| (*d).to_owned()).collect()
}

/// What every library of ggml gets.
#[cfg(any(feature = "cuda", feature = "metal", feature = "rpc"))]
pub fn shared_definitions(settings: &Settings) -> Vec<String> {
    let mut definitions = vec![SCHEDULER_COPIES.to_owned()];
    definitions.extend(platform_definitions(settings));
    definitions
}

/// ggml sets `CMAKE_C_STANDARD` 11 and `CMAKE_CXX_STANDARD` 17.
pub const GGML_STANDARDS: [(Language, Option<&str>); 2] =
    [(Language::C, Some("gnu11")), (Language::Cxx, Some("gnu++17"))];

/// `target_compile_features(… cxx_std_17)`: CMake adds a flag only where the compiler's default
/// is older.
fn cxx_17_at_least(toolchain: &Toolchain) -> [(Language, Option<&'static str>); 2] {
    let macros = &toolchain.compiler(Language::Cxx).macros;
    let default = macros
        .get("__cplusplus")
        .and_then(|value| value.trim_end_matches(['L', 'l']).parse::<u32>().ok());
    // 201703 is the value that the C++17 standard prescribes.
    let enough = default.is_some_and(|value| value >= 201_703);
    [(Language::C, None), (Language::Cxx, (!enough).then_some("gnu++17"))]
}

/// The section "POSIX conformance" of `ggml/src/CMakeLists.txt`, which only ggml's own libraries
/// get.
fn platform_definitions(settings: &Settings) -> Vec<String> {
    let definitions: &[&str] = match settings.operating_system().as_str() {
        "linux" | "android" => &["-D_GNU_SOURCE", "-D_XOPEN_SOURCE=600"],
        "macos" | "ios" | "tvos" | "dragonfly" => &["-D_XOPEN_SOURCE=600", "-D_DARWIN_C_SOURCE"],
        "freebsd" => &["-D_XOPEN_SOURCE=600", "-D__BSD_VISIBLE"],
        "netbsd" => &["-D_XOPEN_SOURCE=600", "-D_NETBSD_SOURCE"],
        "openbsd" => &["-D_XOPEN_SOURCE=700", "-D_BSD_SOURCE"],
        _ => &["-D_XOPEN_SOURCE=600"],
    };
    definitions.iter().map(|definition| (*definition).to_owned()).collect()
}
