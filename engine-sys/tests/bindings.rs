//! The committed bindings are those of `shim.h`: made anew by the build script and compared.
#![cfg(feature = "buildtime-bindgen")]

use std::fs;
use std::path::Path;

/// Set to have the committed bindings replaced.
const UPDATE: &str = "UPDATE_BINDINGS";

#[test]
fn committed_bindings_are_those_of_the_header() {
    let made = include_str!(concat!(env!("OUT_DIR"), "/bindings.rs"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bindings.rs");
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&path, made).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap();
    assert!(
        committed == made,
        "engine-sys/src/bindings.rs is not what shim.h says; run:\n  \
         {UPDATE}=1 cargo test --release -p engine-sys --features buildtime-bindgen --test bindings"
    );
}
