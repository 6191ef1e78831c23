//! What of the CUDA backend is compiled, and for what.

use std::path::{Path, PathBuf};
use std::{fs, io};

#[path = "../build/cuda_architectures.rs"]
mod cuda_architectures;
#[path = "../build/cuda_attention.rs"]
mod cuda_attention;
#[path = "../build/fault.rs"]
mod fault;
#[expect(dead_code, reason = "the build script uses more of it")]
#[path = "../build/files.rs"]
mod files;

/// A tree with a `ggml/CMakeLists.txt` and some instances of kernels.
fn tree(name: &str, cmake: &str, instances: &[&str]) -> io::Result<PathBuf> {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let folder = root.join("ggml/src/ggml-cuda/template-instances");
    fs::create_dir_all(&folder)?;
    fs::write(root.join("ggml/CMakeLists.txt"), cmake)?;
    for instance in instances {
        fs::write(folder.join(instance), "")?;
    }
    Ok(root)
}

fn names(attention: &cuda_attention::Attention) -> Vec<String> {
    let names = attention.instances.iter().filter_map(|path| path.file_name());
    names.map(|name| name.to_string_lossy().into_owned()).collect()
}

#[test]
fn architectures_become_machine_code_and_ptx() {
    let flags = |text| cuda_architectures::flags(Some(text)).unwrap().join(" ");
    assert_eq!(flags("90"), "--generate-code=arch=compute_90,code=[compute_90,sm_90]");
    assert_eq!(
        flags("80, 90a"),
        "--generate-code=arch=compute_80,code=[compute_80,sm_80] \
         --generate-code=arch=compute_90a,code=[compute_90a,sm_90a]"
    );
    assert_eq!(flags("120"), flags("120a"));
}

#[test]
fn other_words_are_no_architectures() {
    assert!(cuda_architectures::flags(None).is_err());
    for text in ["", "9", "native", "sm_90", "90aa", "90,", "90;80", "1000", "90-real"] {
        let fault = cuda_architectures::flags(Some(text)).unwrap_err();
        assert!(fault.lines().any(|line| line.contains("ENGINE_CUDA_ARCHITECTURES=90")), "{text}");
    }
}

#[test]
fn pairs_of_cache_types_are_the_trees_default() {
    let cmake = "set   (GGML_CUDA_FA_QUANTS \"q8_0-q8_0;f16-f16\" CACHE STRING \"help\")\n";
    let attention = cuda_attention::choose(&tree("pairs", cmake, &[]).unwrap()).unwrap();
    assert_eq!(
        names(&attention),
        ["fattn-vec-instance-f16-f16.cu", "fattn-vec-instance-q8_0-q8_0.cu"]
    );
    // one that lists the pairs, and one for each of 7 × 7
    assert_eq!(attention.definitions.len(), 50);
    for definition in [
        "-DGGML_CUDA_FA_QUANTS=\"q8_0-q8_0,f16-f16\"",
        "-DGGML_CUDA_FA_Q8_0_Q8_0=1",
        "-DGGML_CUDA_FA_Q4_0_Q4_0=0",
    ] {
        assert!(attention.definitions.iter().any(|own| own == definition), "{definition}");
    }
}

#[test]
fn a_tree_without_the_option_has_a_fixed_list() {
    let files = [
        "fattn-vec-f16-instance-hs128-f16-f16.cu",
        "fattn-vec-f16-instance-hs128-q4_0-q4_1.cu",
        "fattn-vec-instance-q8_0-q8_0.cu",
        "mmq-instance-q8_0-q8_0.cu",
    ];
    let attention =
        cuda_attention::choose(&tree("older", "project(\"ggml\")\n", &files).unwrap()).unwrap();
    assert_eq!(
        names(&attention),
        ["fattn-vec-f16-instance-hs128-f16-f16.cu", "fattn-vec-instance-q8_0-q8_0.cu"]
    );
    assert!(attention.definitions.is_empty());
}
