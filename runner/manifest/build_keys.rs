//! A build as the keys and values of its table.

use serde::Serialize;
use serde_json::Value;

use super::plan::{BuildBackend, BuildSource, BuildSpec};

/// What a build says, in the order of the reference; nothing for what it leaves as it is.
#[must_use]
pub fn build_keys(spec: &BuildSpec) -> Vec<(&'static str, Value)> {
    let mut keys: Vec<(&'static str, Value)> = Vec::new();
    match &spec.source {
        BuildSource::Pinned => {}
        BuildSource::Package { version, blake3 } => {
            keys.push(("package_version", json(version)));
            keys.push(("package_blake3", json(blake3)));
        }
        BuildSource::Revision { checkout, revision } => {
            keys.push(("checkout", json(checkout)));
            keys.push(("revision", json(revision)));
        }
        BuildSource::WorkingTree { checkout } => keys.push(("checkout", json(checkout))),
        BuildSource::Libraries { folder, headers } => {
            keys.push(("libraries", json(folder)));
            keys.push(("headers", json(headers)));
        }
    }
    if spec.backend != BuildBackend::Cpu {
        keys.push(("backend", json(&spec.backend)));
    }
    let mut optional = |key, value: Option<Value>| keys.extend(value.map(|value| (key, value)));
    optional("instruction_set", spec.instruction_set.as_ref().map(json));
    optional("llamafile_kernels", spec.llamafile_kernels.as_ref().map(json));
    optional("weight_repack", spec.weight_repack.as_ref().map(json));
    optional("threading", spec.threading.as_ref().map(json));
    optional("blas", spec.blas.as_ref().map(json));
    optional("c_compiler", spec.c_compiler.as_ref().map(json));
    optional("cxx_compiler", spec.cxx_compiler.as_ref().map(json));
    optional("flags", (!spec.flags.is_empty()).then(|| json(&spec.flags)));
    optional("link_order_seed", spec.link_order_seed.as_ref().map(json));
    let architectures = &spec.cuda_architectures;
    optional("cuda_architectures", (!architectures.is_empty()).then(|| json(architectures)));
    keys
}

fn json<T: Serialize + ?Sized>(value: &T) -> Value {
    // strings, numbers and lists of strings: none of them fails
    serde_json::to_value(value).unwrap_or_default()
}
