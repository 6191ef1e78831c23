//! What a worker may see of the environment: an allow-list and what is registered, so that a variable
//! left over in somebody's shell (`OMP_NUM_THREADS`, `GGML_…`) cannot change a measurement unseen.

use std::ffi::OsString;

/// Passed on as they are.
const NAMES: [&str; 4] = ["PATH", "HOME", "LANG", "TMPDIR"];

/// Passed on by their beginning: only the tests' own worker reads these.
const BEGINNINGS: [&str; 1] = ["FAKE_WORKER_"];

/// Names that matter to an engine, by their beginning: OpenMP's runtimes (GNU, LLVM, Intel), ggml
/// and its backends, libraries of linear algebra, loaders, allocators, and devices.
const ENGINE_BEGINNINGS: [&str; 30] = [
    "OMP_",
    "GOMP_",
    "KMP_",
    "LIBOMP_",
    "GGML_",
    "LLAMA_",
    "MKL_",
    "OPENBLAS_",
    "GOTO_",
    "BLIS_",
    "VECLIB_",
    "LD_",
    "DYLD_",
    "MALLOC_",
    "MIMALLOC_",
    "JEMALLOC_",
    "TCMALLOC_",
    "CUDA_",
    "NVIDIA_",
    "CUBLAS_",
    "HIP_",
    "ROCR_",
    "ROCBLAS_",
    "HSA_",
    "AMD_",
    "VK_",
    "MTL_",
    "METAL_",
    "SYCL_",
    "ZE_",
];

/// Names that matter to an engine and have no beginning in common.
const ENGINE_NAMES: [&str; 2] = ["GLIBC_TUNABLES", "NUMEXPR_NUM_THREADS"];

/// The variables that a worker is started with, out of `all`, beside the registered ones.
pub(super) fn allowed(
    all: impl Iterator<Item = (OsString, OsString)>,
) -> Vec<(OsString, OsString)> {
    all.filter(|(name, _)| {
        name.to_str().is_some_and(|name| {
            NAMES.contains(&name) || BEGINNINGS.iter().any(|start| name.starts_with(start))
        })
    })
    .collect()
}

/// Names of variables that matter to an engine and are not passed on, sorted. Their values are
/// nobody's business.
pub(super) fn scrubbed(all: impl Iterator<Item = (OsString, OsString)>) -> Vec<String> {
    let matters = |name: &str| {
        ENGINE_NAMES.contains(&name)
            || ENGINE_BEGINNINGS.iter().any(|start| name.starts_with(start))
    };
    let mut names: Vec<String> =
        all.filter_map(|(name, _)| name.into_string().ok()).filter(|name| matters(name)).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(names: &[&str]) -> impl Iterator<Item = (OsString, OsString)> {
        let pairs: Vec<_> =
            names.iter().map(|name| (OsString::from(name), OsString::from("1"))).collect();
        pairs.into_iter()
    }

    const SHELL: [&str; 9] = [
        "PATH",
        "OMP_NUM_THREADS",
        "GGML_X",
        "GOMP_SPINCOUNT",
        "FAKE_WORKER_A",
        "PATHX",
        "LD_PRELOAD",
        "SECRET_TOKEN",
        "GLIBC_TUNABLES",
    ];

    #[test]
    fn only_listed_variables_pass() {
        let names: Vec<_> = allowed(all(&SHELL)).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["PATH", "FAKE_WORKER_A"]);
    }

    #[test]
    fn what_matters_is_named_and_the_rest_is_private() {
        let names = scrubbed(all(&SHELL));
        let expected =
            ["GGML_X", "GLIBC_TUNABLES", "GOMP_SPINCOUNT", "LD_PRELOAD", "OMP_NUM_THREADS"];
        assert_eq!(names, expected);
    }
}
