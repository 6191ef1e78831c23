//! What this binary was built from, as `build.rs` stamped it.

use runner::exec::BuildStamp;

/// Source hash, target, profile, features and compiler.
pub fn build_stamp() -> BuildStamp {
    let facts = [
        ("source_blake3", env!("RUNNER_SOURCE_BLAKE3")),
        ("target", env!("RUNNER_TARGET")),
        ("profile", env!("RUNNER_PROFILE")),
        ("features", env!("RUNNER_FEATURES")),
        ("compiler", env!("RUNNER_RUSTC")),
    ];
    BuildStamp {
        facts: facts.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
    }
}
