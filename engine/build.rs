//! Lets the binaries find the shared libraries of the engine's device backends when they start:
//! cargo takes arguments for the linker only from the package that is linked.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let folders = std::env::var_os("DEP_RUNNER_ENGINE_RUN_TIME_FOLDERS").unwrap_or_default();
    for folder in std::env::split_paths(&folders).filter(|folder| !folder.as_os_str().is_empty()) {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{}", folder.display());
    }
}
