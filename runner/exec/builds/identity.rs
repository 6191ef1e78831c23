//! All that a build is made of, and the hash of it.

use std::path::Path;
use std::time::Duration;

use super::embedded;
use super::source::Source;
use super::stand_in::{MADE_BY, stand_in};
use crate::exec::machine_root::machine_root;
use crate::exec::tool;
use crate::failure::Failure;
use crate::manifest::{Build, BuildBackend, BuildSpec, build_keys};

/// Raised when the same lines would come to mean another worker.
const FORMAT: &str = "build 1";

/// Compilers say their version in a moment.
const LIMIT: Duration = Duration::from_secs(60);

/// What a build is made of, a line each, and BLAKE3 over the lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) lines: Vec<String>,
    pub(super) key: String,
}

/// The C and C++ compilers of a build, as they are called.
pub(super) fn compilers(spec: &BuildSpec) -> (String, String) {
    let named = |own: &Option<String>, usual: &str| own.clone().unwrap_or_else(|| usual.to_owned());
    (named(&spec.c_compiler, "cc"), named(&spec.cxx_compiler, "c++"))
}

impl Identity {
    /// Asks compilers and machine.
    pub(super) fn of(build: &Build, source: &Source) -> Result<Identity, Failure> {
        let spec = &build.spec;
        let (c, cxx) = compilers(spec);
        let mut lines = vec![
            FORMAT.to_owned(),
            format!("worker {}", embedded::BLAKE3),
            source.line(),
            format!("c {}", version(&c, build)?),
            format!("cxx {}", version(&cxx, build)?),
        ];
        match stand_in() {
            None => lines.push(format!("rust {}", version("rustc", build)?)),
            // never taken for a build by cargo
            Some(_) => lines.push(format!("{} {}", MADE_BY.0, MADE_BY.1)),
        }
        // where it lies is no part of what it is
        let of_source = ["checkout", "revision", "libraries", "headers"];
        for (key, value) in build_keys(spec).iter().filter(|(key, _)| !of_source.contains(key)) {
            lines.push(format!("{key} {value}"));
        }
        if spec.instruction_set.is_none() {
            lines.push(format!("processor {}", processor()));
        }
        if spec.backend == BuildBackend::Cuda {
            let toolkit = std::env::var("CUDA_PATH").unwrap_or_default();
            let nvcc = match toolkit.as_str() {
                "" => "nvcc".to_owned(),
                folder => Path::new(folder).join("bin/nvcc").display().to_string(),
            };
            // without one the build itself says what to install
            let version = last_line(&nvcc).unwrap_or_else(|| "none".to_owned());
            lines.push(format!("nvcc {version}"));
        }
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        Ok(Identity { lines, key: blake3::hash(text.as_bytes()).to_hex().to_string() })
    }
}

/// The first line of `--version`.
fn version(program: &str, build: &Build) -> Result<String, Failure> {
    let told = tool::run(program, &["--version"], Path::new("/"), LIMIT);
    let told = told.map_err(|failure| failure.what).and_then(|output| match output.succeeded {
        true => Ok(output.stdout),
        false => Err(format!("`{program} --version` failed: {}", output.stderr.trim())),
    });
    match told {
        Ok(text) => Ok(text.lines().next().unwrap_or_default().trim().to_owned()),
        Err(why) => Err(Failure::refused(why).at(format!("build `{}`", build.name)).hint(
            "a build needs a C and a C++ compiler (Debian, Ubuntu: apt install build-essential) \
             and Rust (rustup.rs); `c_compiler` and `cxx_compiler` name others",
        )),
    }
}

fn last_line(program: &str) -> Option<String> {
    let output = tool::run(program, &["--version"], Path::new("/"), LIMIT).ok()?;
    Some(output.stdout.lines().last()?.trim().to_owned())
}

/// The processor whose own instruction set is meant.
fn processor() -> String {
    /// What tells processors apart, as x86 and ARM call it.
    const TELLING: [&str; 9] = [
        "vendor_id",
        "cpu family",
        "model",
        "model name",
        "flags",
        "CPU implementer",
        "CPU variant",
        "CPU part",
        "Features",
    ];
    let root = machine_root();
    let listed = root.text("proc/cpuinfo").known().cloned().unwrap_or_default();
    let first = listed.lines().take_while(|line| !line.trim().is_empty());
    let telling = first.filter(|line| {
        line.split_once(':').is_some_and(|(name, _)| TELLING.contains(&name.trim()))
    });
    let text: String = telling.map(|line| format!("{line}\n")).collect();
    blake3::hash(text.as_bytes()).to_hex().to_string()
}
