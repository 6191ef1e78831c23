//! Small programs that show what the toolchain and the machine can do.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::settings::Settings;
use super::toolchain::{Compiler, Language};

/// Compiles and links a small program.
pub fn compiles(
    compiler: &Compiler,
    language: Language,
    settings: &Settings,
    flags: &[&str],
    program: &str,
) -> bool {
    program_of(compiler, language, settings, flags, program, &[]).is_some()
}

/// Compiles a small program and links it with libraries.
pub fn links(
    compiler: &Compiler,
    language: Language,
    settings: &Settings,
    flags: &[&str],
    program: &str,
    libraries: &[&str],
) -> bool {
    program_of(compiler, language, settings, flags, program, libraries).is_some()
}

/// Compiles, links and runs a small program; false where it cannot be run here.
pub fn runs(
    compiler: &Compiler,
    language: Language,
    settings: &Settings,
    flags: &[&str],
    program: &str,
) -> bool {
    if settings.cross {
        return false;
    }
    let Some(path) = program_of(compiler, language, settings, flags, program, &[]) else {
        return false;
    };
    let mut command = Command::new(path);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn program_of(
    compiler: &Compiler,
    language: Language,
    settings: &Settings,
    flags: &[&str],
    program: &str,
    libraries: &[&str],
) -> Option<PathBuf> {
    let source = settings.out.join("probe.txt");
    let binary = settings.out.join("probe");
    fs::write(&source, program).ok()?;
    let mut command = compiler.command();
    command.args(flags).arg("-x").arg(language.name()).arg(&source).arg("-o").arg(&binary);
    command.args(libraries);
    let output = command.stdin(Stdio::null()).output().ok()?;
    output.status.success().then_some(binary)
}
