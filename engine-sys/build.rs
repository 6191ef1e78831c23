//! Compiles the native engine, or links a prebuilt one, and writes down how.
//!
//! The steps, one file each under `build/`: which engine (`origin`), with which compilers
//! (`toolchain`, `instruction_set`), what is compiled with which flags (`recipe`), the compilation
//! (`objects`, `pool`), how it is linked (`link`) and what the library says of it (`facts`).

#[path = "build/steps.rs"]
mod steps;

use std::process::ExitCode;

fn main() -> ExitCode {
    match steps::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            for line in fault.lines() {
                println!("cargo::error={line}");
            }
            ExitCode::FAILURE
        }
    }
}
