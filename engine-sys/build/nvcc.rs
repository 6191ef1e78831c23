//! Finds nvcc and asks it: its version, what it knows, whether it works with the C++ compiler.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::fault::Fault;
use super::settings::{self, Settings};
use super::toolchain::{Compiler, Language, Toolchain};

/// Where NVIDIA's installers put the toolkit, or a link to it.
const SYSTEM_ROOT: &str = "/usr/local/cuda";

/// Where libraries lie below the root: NVIDIA's installers, the wheels, distributions.
const LIBRARY_FOLDERS: [&str; 6] = [
    "lib64",
    "lib",
    "targets/x86_64-linux/lib",
    "targets/sbsa-linux/lib",
    "lib/x86_64-linux-gnu",
    "lib/aarch64-linux-gnu",
];

/// What to do where there is none.
const INSTALL: &str = "install the CUDA toolkit, or run engine-sys/cuda-toolkit.sh DEST (it needs \
                       pip and no GPU), and set CUDA_PATH to its root";

/// A toolkit that works.
pub struct Nvcc {
    /// nvcc with the host compiler, in the place of both compilers.
    pub toolchain: Toolchain,
    /// The folder with cuBLAS and the run-time library.
    pub libraries: PathBuf,
    /// Major and minor version.
    pub release: (u32, u32),
    /// How it names its version.
    pub version: String,
    /// The version of cuBLAS.
    pub cublas: String,
}

impl Nvcc {
    /// `CUDA_PATH`, then nvcc on `PATH`, then the place of NVIDIA's installers.
    pub fn find(host: &Compiler) -> Result<Self, Fault> {
        let path = locate()?;
        println!("cargo::rerun-if-changed={}", path.display());
        let root = path.parent().and_then(Path::parent).unwrap_or(Path::new("/")).to_owned();
        let (version, release) = version(&path)?;
        let libraries = libraries(&root)?;
        let cublas = cublas_version(&root);
        let compiler = Compiler::nvcc(path, host, version.clone());
        Ok(Self { toolchain: Toolchain::of(compiler), libraries, release, version, cublas })
    }

    /// The compiler.
    pub fn compiler(&self) -> &Compiler {
        self.toolchain.compiler(Language::Cxx)
    }

    /// Compiles a small file: a toolkit that knows an architecture no longer or not yet, or that
    /// does not work with this host compiler, is found before anything long begins.
    pub fn try_out(&self, flags: &[String], settings: &Settings) -> Result<(), Fault> {
        let source = settings.out.join("probe.cu");
        let object = settings.out.join("probe_cu.o");
        let program = "#include <cuda_runtime.h>\n#include <cublas_v2.h>\n#include <string>\n\
                       __global__ void probe(float * x) { x[threadIdx.x] += 1.0f; }\n";
        fs::write(&source, program).map_err(|error| Fault::file("write", &source, error))?;
        let mut command = self.compiler().command();
        command.args(flags).arg("-o").arg(&object).arg("-c").arg(&source).stdin(Stdio::null());
        let output = command
            .output()
            .map_err(|error| Fault::file("run", self.compiler().path(), error).hint(INSTALL))?;
        if output.status.success() {
            return Ok(());
        }
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        let (what, hint) = reason(&message);
        let known = known_architectures(self.compiler());
        Err(Fault::new(format!(
            "{} ({}) {what}:\n{}",
            self.compiler().path().display(),
            self.version,
            message.trim_end()
        ))
        .hint(format!("{hint}; this nvcc knows the architectures {known}")))
    }
}

/// What a failed trial means, and what to do.
fn reason(message: &str) -> (&'static str, &'static str) {
    if message.contains("Unsupported gpu architecture") || message.contains("gpu-architecture") {
        return (
            "does not know an architecture of ENGINE_CUDA_ARCHITECTURES",
            "name architectures that it knows, or use a newer toolkit for newer ones",
        );
    }
    if message.contains("unsupported GNU version") || message.contains("unsupported clang version")
    {
        return (
            "is too old for the C++ compiler",
            "name an older C++ compiler in CXX, or use a newer toolkit",
        );
    }
    ("cannot compile a small file", INSTALL)
}

fn known_architectures(nvcc: &Compiler) -> String {
    let answer = nvcc.ask(&["--list-gpu-arch"]).unwrap_or_else(|_| "unknown".to_owned());
    let names: Vec<&str> =
        answer.split_whitespace().map(|name| name.trim_start_matches("compute_")).collect();
    names.join(", ")
}

fn locate() -> Result<PathBuf, Fault> {
    if let Some(root) = settings::path("CUDA_PATH")? {
        let path = root.join("bin/nvcc");
        if path.is_file() {
            return Ok(path);
        }
        return Err(Fault::new(format!("CUDA_PATH is {}, which has no bin/nvcc", root.display()))
            .hint(INSTALL));
    }
    println!("cargo::rerun-if-env-changed=PATH");
    let on_path = env::split_paths(&env::var_os("PATH").unwrap_or_default())
        .map(|folder| folder.join("nvcc"))
        .find(|path| path.is_file());
    // Links are followed, since nvcc finds its parts from where it lies.
    let found = on_path.or_else(|| Some(Path::new(SYSTEM_ROOT).join("bin/nvcc")));
    found.and_then(|path| path.canonicalize().ok()).filter(|path| path.is_file()).ok_or_else(|| {
        Fault::new(format!(
            "feature cuda needs nvcc: CUDA_PATH is not set, and there is none on PATH and none in \
             {SYSTEM_ROOT}"
        ))
        .hint(INSTALL)
    })
}

/// The line with the release, and its numbers.
fn version(path: &Path) -> Result<(String, (u32, u32)), Fault> {
    let output = Command::new(path)
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Fault::file("run", path, error).hint(INSTALL))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let found = text.lines().find_map(|line| {
        let (_, rest) = line.split_once("release ")?;
        let (major, minor) = rest.split(',').next()?.trim().split_once('.')?;
        Some((line.trim().to_owned(), (major.parse().ok()?, minor.parse().ok()?)))
    });
    found.ok_or_else(|| {
        Fault::new(format!("{} --version says no release: {}", path.display(), text.trim()))
            .hint(INSTALL)
    })
}

/// As its header states it; `unknown` where that lies elsewhere.
fn cublas_version(root: &Path) -> String {
    let text = fs::read_to_string(root.join("include/cublas_api.h")).unwrap_or_default();
    let part = |part: &str| {
        let opening = format!("#define CUBLAS_VER_{part} ");
        text.lines().find_map(|line| line.strip_prefix(&opening)).map(str::trim)
    };
    let parts: Option<Vec<&str>> =
        ["MAJOR", "MINOR", "PATCH", "BUILD"].map(part).into_iter().collect();
    parts.map_or_else(|| "unknown".to_owned(), |parts| parts.join("."))
}

fn libraries(root: &Path) -> Result<PathBuf, Fault> {
    let folder = LIBRARY_FOLDERS.iter().map(|folder| root.join(folder)).find(|folder| {
        folder.join("libcublas.so").exists() && folder.join("libcudart_static.a").is_file()
    });
    folder.ok_or_else(|| {
        Fault::new(format!(
            "no folder below {} has both libcublas.so and libcudart_static.a",
            root.display()
        ))
        .hint(format!("the toolkit has nvcc, but not all libraries that are linked: {INSTALL}"))
    })
}
