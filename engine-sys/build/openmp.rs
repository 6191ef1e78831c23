//! Whether OpenMP is there: upstream uses it where CMake finds it.

use std::path::PathBuf;

use super::choices::AskedThreading;
use super::fault::Fault;
use super::probe;
use super::settings::Settings;
use super::toolchain::{Language, Toolchain};

/// An OpenMP run-time library.
#[derive(Debug, Clone)]
pub struct OpenMp {
    /// `gomp` or `omp`.
    pub library: String,
    /// Where the compiler finds it, when that is not where the linker looks anyway.
    pub folder: Option<PathBuf>,
}

/// The flag that switches it on, for compiling as for linking.
pub const FLAG: &str = "-fopenmp";

/// A program that needs the header, the pragmas and the run-time library.
const PROGRAM: &str = "#include <omp.h>\n\
    int main() {\n\
    int sum = 0;\n\
    #pragma omp parallel for reduction(+ : sum)\n\
    for (int i = 0; i < 4; i++) sum += omp_get_num_threads() > 0;\n\
    return sum == 4 ? 0 : 1;\n\
    }\n";

/// The library that both compilers can use, if there is one and it was not declined.
pub fn find(toolchain: &Toolchain, settings: &Settings) -> Result<Option<OpenMp>, Fault> {
    match settings.choices.threading {
        AskedThreading::Own => Ok(None),
        AskedThreading::WhereFound => Ok(usable(toolchain, settings)),
        AskedThreading::OpenMp => usable(toolchain, settings).map(Some).ok_or_else(|| {
            Fault::new("ENGINE_THREADING is `openmp`, and the compilers cannot use OpenMP").hint(
                "install its header and library (Debian, Ubuntu: apt install libgomp1, for clang \
                 libomp-dev; macOS: brew install libomp), or set ENGINE_THREADING=own",
            )
        }),
    }
}

fn usable(toolchain: &Toolchain, settings: &Settings) -> Option<OpenMp> {
    let works = [Language::C, Language::Cxx].into_iter().all(|language| {
        let compiler = toolchain.compiler(language);
        probe::compiles(compiler, language, settings, &[FLAG], PROGRAM)
    });
    works.then(|| {
        library(if toolchain.compiler(Language::C).is_clang() { "omp" } else { "gomp" }, toolchain)
    })
}

/// A run-time library by name.
pub fn library(name: &str, toolchain: &Toolchain) -> OpenMp {
    let compiler = toolchain.compiler(Language::C);
    let folder = [".so", ".dylib", ".a"]
        .iter()
        .find_map(|suffix| compiler.library_folder(&format!("lib{name}{suffix}")));
    OpenMp { library: name.to_owned(), folder }
}
