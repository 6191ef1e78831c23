//! Nothing: this package exists for its `Cargo.toml` and `Cargo.lock`, which pin native sources.
