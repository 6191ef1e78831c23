//! The engine is compiled with the flags of upstream's CMake build in `Release`.

use std::collections::{BTreeMap, BTreeSet};
use std::{env, fs};

use engine_sys::build_facts::FLAGS;

/// Names the file that CMake writes with `CMAKE_EXPORT_COMPILE_COMMANDS=ON`.
const VARIABLE: &str = "ENGINE_COMPILE_COMMANDS";

/// Warnings, folders and files do not decide what comes out, nor does whom nvcc hands a flag to.
fn decides(flag: &str) -> bool {
    let of_nvcc = ["--generate-code", "-use_fast_math", "-extended-lambda", "-compress-mode"];
    let of_all = ["-D", "-U", "-O", "-m", "-f", "-std="];
    flag != "-forward-unknown-to-host-compiler"
        && of_all.iter().chain(&of_nvcc).any(|prefix| flag.starts_with(prefix))
}

/// The flags of each component and language in CMake's file: one set, since CMake gives all files
/// of a target the same. None if it is not such a file.
fn upstream(commands: &str) -> Option<BTreeMap<String, BTreeSet<BTreeSet<String>>>> {
    let entries: serde_json::Value = serde_json::from_str(commands).ok()?;
    let mut found: BTreeMap<String, BTreeSet<BTreeSet<String>>> = BTreeMap::new();
    for entry in entries.as_array()? {
        let command = entry["command"].as_str()?;
        let Some(component) = ["ggml-base", "ggml-cpu", "ggml", "llama", "ggml-cuda"]
            .into_iter()
            .find(|name| command.contains(&format!("CMakeFiles/{name}.dir/")))
        else {
            continue;
        };
        let language = match entry["file"].as_str()?.rsplit('.').next()? {
            "c" => "c",
            "cu" => "cuda",
            _ => "c++",
        };
        let key = format!("{component}/{language}");
        // Written for a shell, with quotes that belong to a definition escaped.
        let flags = command.split_whitespace().filter(|flag| decides(flag));
        let flags = flags.map(|flag| flag.replace('\\', ""));
        found.entry(key).or_default().insert(flags.collect());
    }
    Some(found)
}

#[test]
#[ignore = "needs a CMake build of the same sources: see docs/building.md"]
fn flags_equal_those_of_the_cmake_release_build() {
    let path = env::var(VARIABLE).unwrap();
    let upstream = upstream(&fs::read_to_string(path).unwrap()).unwrap();
    let expected = if cfg!(feature = "cuda") { 7 } else { 6 };
    assert_eq!(upstream.len(), expected, "{:?}", upstream.keys());
    for (key, sets) in upstream {
        let ours = FLAGS.iter().find(|(name, _)| *name == key).unwrap().1;
        let ours: BTreeSet<String> =
            ours.iter().filter(|flag| decides(flag)).map(|flag| (*flag).to_owned()).collect();
        assert_eq!(BTreeSet::from([ours]), sets, "{key}");
    }
}
