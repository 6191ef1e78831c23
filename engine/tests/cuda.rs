//! A worker with the CUDA backend starts everywhere, and says why there is no device.
#![cfg(feature = "cuda")]

use engine::{Engine, facts, support};
use engine_protocol::Settings;

fn on_a_device() -> Settings {
    Settings { gpu_layers: Some(1), ..Settings::default() }
}

#[test]
fn facts_name_the_backend_its_flags_and_its_compiler() {
    let facts = facts();
    assert!(facts.backends.iter().any(|name| name == "CUDA"), "{:?}", facts.backends);
    assert!(facts.flags["ggml-cuda/cuda"].iter().any(|flag| flag == "-use_fast_math"));
    assert!(facts.compiler.contains("Cuda compilation tools"), "{}", facts.compiler);
    assert!(facts.compiler.contains("cuBLAS"), "{}", facts.compiler);
}

#[test]
fn without_a_device_layers_are_refused_with_the_reason() {
    let engine = Engine::start().unwrap();
    let ground = engine.ground();
    let supported = support::supported(ground);
    let refused = support::check(&on_a_device(), ground);
    if ground.accelerators > 0 {
        assert!(supported.iter().any(|key| key == "gpu_layers"));
        assert_eq!(refused, Ok(()));
        return;
    }
    assert!(!supported.iter().any(|key| key == "gpu_layers"));
    let reason = refused.unwrap_err().to_string();
    let known = ["(no driver", "(driver too old", "(no device", "(CUDA device"];
    assert!(known.iter().any(|words| reason.contains(words)), "{reason}");
}
