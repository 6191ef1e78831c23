//! Stamps what the binary was built from.
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
