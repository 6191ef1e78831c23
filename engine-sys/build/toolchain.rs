//! The compilers that `cc` finds, and what they say of themselves.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::fault::Fault;

/// C or C++.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    /// C.
    C,
    /// C++.
    Cxx,
}

impl Language {
    /// As compilers and people write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Cxx => "c++",
        }
    }
}

/// One compiler.
#[derive(Clone)]
pub struct Compiler {
    program: Program,
    /// The first line of `--version`.
    pub version: String,
    /// The macros that it predefines without further flags.
    pub macros: BTreeMap<String, String>,
}

/// What is run.
#[derive(Clone)]
enum Program {
    /// What `cc` found.
    Cc(cc::Tool),
    /// nvcc, with the compiler that it hands everything but kernels to.
    #[cfg(feature = "cuda")]
    Nvcc { path: PathBuf, host: PathBuf },
}

/// Both compilers.
pub struct Toolchain {
    c: Compiler,
    cxx: Compiler,
}

impl Toolchain {
    /// Finds the compilers as `cc` does (`CC`, `CXX`, `CFLAGS`, … are honoured, as by CMake).
    pub fn find() -> Result<Self, Fault> {
        Ok(Self { c: Compiler::find(Language::C)?, cxx: Compiler::find(Language::Cxx)? })
    }

    /// One compiler for both languages.
    #[cfg(feature = "cuda")]
    pub fn of(compiler: Compiler) -> Self {
        Self { c: compiler.clone(), cxx: compiler }
    }

    /// The compiler of a language.
    pub fn compiler(&self, language: Language) -> &Compiler {
        match language {
            Language::C => &self.c,
            Language::Cxx => &self.cxx,
        }
    }

    /// The flag that makes objects fit a position-independent executable, which is what rustc
    /// links. Upstream passes none, and most compilers need none: it is their default.
    pub fn position_independence(&self, language: Language) -> Option<&'static str> {
        let macros = &self.compiler(language).macros;
        let default = ["__PIE__", "__PIC__", "__pic__"].iter().any(|m| macros.contains_key(*m));
        (!default).then_some("-fPIE")
    }
}

impl Compiler {
    fn find(language: Language) -> Result<Self, Fault> {
        let tool = build(language).try_get_compiler().map_err(|error| missing(language, &error))?;
        if tool.is_like_msvc() {
            return Err(Fault::new("the engine is not built with MSVC")
                .hint("use a GNU or LLVM target, or WSL"));
        }
        let program = Program::Cc(tool);
        let mut compiler = Self { program, version: String::new(), macros: BTreeMap::new() };
        let version = compiler.ask(&["--version"]).map_err(|error| missing(language, &error))?;
        compiler.version = version.lines().next().unwrap_or_default().trim().to_owned();
        compiler.macros = compiler.predefined(language, &[])?;
        Ok(compiler)
    }

    /// nvcc, and the host compiler that it is to use.
    #[cfg(feature = "cuda")]
    pub fn nvcc(path: PathBuf, host: &Self, version: String) -> Self {
        let program = Program::Nvcc { path, host: host.path().to_owned() };
        Self { program, version, macros: BTreeMap::new() }
    }

    /// A command of this compiler, beginning with what the user's environment adds.
    pub fn command(&self) -> Command {
        match &self.program {
            Program::Cc(tool) => tool.to_command(),
            #[cfg(feature = "cuda")]
            Program::Nvcc { path, host } => {
                let mut command = Command::new(path);
                // As CMake has it: the host compiler's flags need no `-Xcompiler`.
                command.arg("-forward-unknown-to-host-compiler").arg("-ccbin").arg(host);
                command
            }
        }
    }

    /// The compiler's path.
    pub fn path(&self) -> &Path {
        match &self.program {
            Program::Cc(tool) => tool.path(),
            #[cfg(feature = "cuda")]
            Program::Nvcc { path, .. } => path,
        }
    }

    /// Flags from the user's environment (`CFLAGS`, `CXXFLAGS`), without the `-w` by which `cc`
    /// switches warnings off.
    pub fn environment_flags(&self) -> Vec<String> {
        match &self.program {
            Program::Cc(tool) => {
                let flags = tool.args().iter().map(|flag| flag.to_string_lossy().into_owned());
                flags.filter(|flag| flag != "-w").collect()
            }
            #[cfg(feature = "cuda")]
            Program::Nvcc { .. } => Vec::new(),
        }
    }

    /// Whether it is Clang, Apple's included.
    pub fn is_clang(&self) -> bool {
        match &self.program {
            Program::Cc(tool) => tool.is_like_clang(),
            #[cfg(feature = "cuda")]
            Program::Nvcc { .. } => false,
        }
    }

    /// The macros predefined under some flags.
    pub fn predefined(
        &self,
        language: Language,
        flags: &[String],
    ) -> Result<BTreeMap<String, String>, Fault> {
        let mut arguments: Vec<&str> = flags.iter().map(String::as_str).collect();
        arguments.extend(["-dM", "-E", "-x", language.name(), "/dev/null"]);
        let text = self.ask(&arguments).map_err(|reason| {
            Fault::new(format!(
                "{} cannot list its macros with {}: {reason}",
                self.path().display(),
                flags.join(" ")
            ))
        })?;
        Ok(text
            .lines()
            .filter_map(|line| line.strip_prefix("#define "))
            .map(|line| line.split_once(' ').unwrap_or((line, "")))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect())
    }

    /// Where the compiler finds a library, if it says an absolute path.
    pub fn library_folder(&self, file: &str) -> Option<PathBuf> {
        let printed = self.ask(&[&format!("-print-file-name={file}")]).ok()?;
        let path = PathBuf::from(printed.trim());
        if path.is_absolute() { path.parent().map(Path::to_owned) } else { None }
    }

    /// Runs it and returns its standard output, or why not.
    pub fn ask(&self, arguments: &[&str]) -> Result<String, String> {
        let mut command = self.command();
        command.args(arguments).stdin(Stdio::null());
        let output = command.output().map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).trim_end().to_owned());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// `cc` as a finder of tools only: every flag of a compilation is ours.
pub fn build(language: Language) -> cc::Build {
    let mut build = cc::Build::new();
    build
        .cpp(language == Language::Cxx)
        .no_default_flags(true)
        .inherit_rustflags(false)
        .warnings(false)
        .cargo_output(false)
        .emit_rerun_if_env_changed(true)
        .cargo_debug(false);
    build
}

fn missing(language: Language, reason: &dyn std::fmt::Display) -> Fault {
    Fault::new(format!("no working {} compiler: {reason}", language.name().to_uppercase())).hint(
        "install one (Debian, Ubuntu: apt install build-essential; macOS: xcode-select --install), \
         or name it in CC and CXX",
    )
}
