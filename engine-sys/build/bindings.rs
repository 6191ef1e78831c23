//! Regenerates the bindings with feature `buildtime-bindgen`; without it the committed ones serve.

use super::fault::Fault;
use super::settings::Settings;

/// Writes `bindings.rs` into the folder of generated files.
#[cfg(feature = "buildtime-bindgen")]
pub fn regenerate_if_asked(settings: &Settings) -> Result<(), Fault> {
    let header = settings.package.join("shim.h");
    let formatting = settings.package.with_file_name("rustfmt.toml");
    let rust = bindgen::RustTarget::stable(90, 0)
        .map_err(|error| Fault::new(format!("bindgen does not know this Rust: {error}")))?;
    let bindings = bindgen::Builder::default()
        .header(header.display().to_string())
        .clang_args(["-x", "c", "-std=c11"])
        .allowlist_item("(runner_shim|RUNNER_SHIM)_.*")
        .rust_target(rust)
        .rust_edition(bindgen::RustEdition::Edition2024)
        .prepend_enum_name(false)
        .generate_comments(false)
        .layout_tests(false)
        .disable_header_comment()
        .merge_extern_blocks(true)
        .sort_semantically(true)
        .rustfmt_configuration_file(Some(formatting))
        .generate()
        .map_err(|error| {
            Fault::new(format!("cannot make bindings of {}: {error}", header.display()))
                .hint("this needs libclang (Debian, Ubuntu: apt install libclang-dev)")
        })?;
    let path = settings.out.join("bindings.rs");
    bindings.write_to_file(&path).map_err(|error| Fault::file("write", &path, error))
}

/// Nothing to do.
#[cfg(not(feature = "buildtime-bindgen"))]
pub fn regenerate_if_asked(_settings: &Settings) -> Result<(), Fault> {
    Ok(())
}
