//! The engine and the shim are linked, and call each other.
#![expect(unsafe_code, reason = "the raw interface is what is tested")]

use std::os::raw::c_char;

use engine_sys::build_facts::{GGML_VERSION, INSTRUCTION_SET, ORIGIN, THREADING};
use engine_sys::{
    Origin, RUNNER_SHIM_LOG_NONE, RUNNER_SHIM_OK, Threading, runner_shim_backend_count,
    runner_shim_backend_feature, runner_shim_backend_feature_count, runner_shim_engine_version,
    runner_shim_start, runner_shim_status, runner_shim_stop,
};

/// Reads a text as the header of the shim describes it.
fn text(read: impl Fn(*mut c_char, usize, *mut usize) -> runner_shim_status) -> String {
    let mut length = 0;
    let mut buffer = vec![0_u8; 4096];
    let status = read(buffer.as_mut_ptr().cast(), buffer.len(), &raw mut length);
    assert_eq!(status, RUNNER_SHIM_OK);
    buffer.truncate(length);
    String::from_utf8_lossy(&buffer).into_owned()
}

fn started() {
    // SAFETY: no other thread calls the shim: this file has one test, and it starts once.
    assert_eq!(unsafe { runner_shim_start(RUNNER_SHIM_LOG_NONE) }, RUNNER_SHIM_OK);
}

/// `NAME=VALUE` of every feature of every backend.
fn features() -> Vec<String> {
    let mut all = Vec::new();
    // SAFETY: the indices are below the counts, and `text` passes a valid buffer.
    unsafe {
        for backend in 0..runner_shim_backend_count() {
            for feature in 0..runner_shim_backend_feature_count(backend) {
                all.push(text(|to, capacity, length| {
                    runner_shim_backend_feature(backend, feature, to, capacity, length)
                }));
            }
        }
    }
    all
}

/// One test: the shim is for one thread, and a process starts it once.
#[test]
fn the_linked_engine_is_the_one_that_the_facts_describe() {
    started();

    // SAFETY: `text` passes a valid buffer.
    let version =
        text(|to, capacity, length| unsafe { runner_shim_engine_version(to, capacity, length) });
    if let Origin::Pinned { package, version: pinned, .. } = ORIGIN {
        assert!(version.contains(&format!("{package} {pinned}")), "{version}");
    }
    if let Some(ggml) = GGML_VERSION {
        assert!(version.contains(ggml), "{version}");
    }

    let features = features();
    assert!(!features.is_empty());
    if THREADING != Threading::Unknown {
        let openmp = features.iter().any(|feature| feature == "OPENMP=1");
        assert_eq!(matches!(THREADING, Threading::OpenMp { .. }), openmp, "{features:?}");
    }
    if let Some(compiled) = INSTRUCTION_SET {
        // Names that ggml's list of features and the compiler's macros share.
        for name in ["SSE3", "SSSE3", "AVX", "AVX2", "F16C", "FMA", "BMI2", "DOTPROD", "SVE"] {
            let engine = features.contains(&format!("{name}=1"));
            assert_eq!(compiled.contains(&name), engine, "{name}: {features:?}");
        }
    }

    // SAFETY: nothing was made that must be freed first.
    assert_eq!(unsafe { runner_shim_stop() }, RUNNER_SHIM_OK);
}
