//! Tells cargo what to link.

use std::collections::BTreeSet;

use super::devices;
use super::engine::{Engine, Library, LibraryKind, Threading};
use super::settings::Settings;
use super::shim::Shim;

/// Prints the libraries in the order in which a linker wants them: who needs comes before who is
/// needed.
pub fn tell_cargo(engine: &Engine, shim: &Shim, settings: &Settings) {
    let libraries: Vec<&Library> =
        std::iter::once(&shim.library).chain(&engine.libraries).collect();
    let folders: BTreeSet<_> = libraries.iter().map(|library| &library.folder).collect();
    for folder in &folders {
        println!("cargo::rustc-link-search=native={}", folder.display());
    }
    for library in libraries {
        let kind = match library.kind {
            LibraryKind::Static => "static",
            LibraryKind::Shared => "dylib",
        };
        println!("cargo::rustc-link-lib={kind}={}", library.name);
    }
    if let Threading::OpenMp(openmp) = &engine.threading {
        if let Some(folder) = &openmp.folder {
            println!("cargo::rustc-link-search=native={}", folder.display());
        }
        println!("cargo::rustc-link-lib=dylib={}", openmp.library);
    }
    if let Some(blas) = &engine.blas {
        if let Some(folder) = &blas.folder {
            println!("cargo::rustc-link-search=native={}", folder.display());
        }
        println!("cargo::rustc-link-lib=dylib={}", blas.library);
    }
    devices::tell_cargo(&engine.devices);
    for library in system_libraries(&settings.operating_system()) {
        println!("cargo::rustc-link-lib={library}");
    }
}

fn system_libraries(operating_system: &str) -> &'static [&'static str] {
    match operating_system {
        "macos" | "ios" | "tvos" => &["c++", "framework=Accelerate", "framework=Foundation"],
        "linux" => &["stdc++", "m", "pthread", "dl"],
        "freebsd" | "openbsd" | "netbsd" | "dragonfly" => &["c++", "m", "pthread"],
        _ => &["stdc++"],
    }
}
