use engine_protocol::{
    BufferKind, Command, KvType, PROTOCOL_VERSION, ProblemKind, Reply, SETTING_KEYS, Settings,
    Toggle,
};

use crate::conversation::{Worker, model};

fn named(key: &str, value: serde_json::Value) -> Settings {
    Settings::single(key, &value).unwrap()
}

fn refused(worker: &mut Worker, model: &str, settings: Settings) -> (ProblemKind, String) {
    match worker.load(model, settings) {
        Reply::Problem(problem) => (problem.kind, problem.message),
        other => panic!("no problem: {other:?}"),
    }
}

#[test]
fn the_greeting_tells_what_the_engine_is() {
    let mut worker = Worker::start();
    let Reply::Greeting(greeting) =
        worker.ask(Command::Hello { protocol_version: PROTOCOL_VERSION })
    else {
        panic!("no greeting")
    };
    assert_eq!(greeting.protocol_version, PROTOCOL_VERSION);
    assert_eq!(greeting.engine.name, "ggml");
    assert!(!greeting.engine.source_blake3.is_empty() && !greeting.engine.compiler.is_empty());
    assert!(greeting.engine.flags.keys().any(|component| component.starts_with("shim")));
    assert!(greeting.engine.backends.iter().any(|backend| backend == "CPU"));
    assert!(["openmp", "own"].contains(&greeting.engine.threading.as_str()));
    assert!(greeting.engine.supported_settings.iter().any(|key| key == "threads"));
    let polls = greeting.engine.supported_settings.iter().any(|key| key == "poll_percent");
    assert_eq!(polls, greeting.engine.threading == "own");
}

#[test]
fn a_loaded_model_states_its_facts_settings_and_bytes() {
    let Some(model) = model() else { return };
    let (_worker, loaded) = Worker::loaded(&model, named("threads", 2.into()));
    let facts = &loaded.model;
    assert!(facts.vocabulary > 0 && facts.layers > 0 && facts.parameters > 0);
    let bytes: u64 = facts.tensor_types.iter().map(|tensors| tensors.bytes).sum();
    assert_eq!(bytes, facts.tensor_bytes);
    assert!(facts.tensor_types.is_sorted_by(|a, b| a.bytes >= b.bytes));

    // what only a drafter needs has no value without one
    let all: Vec<&str> = SETTING_KEYS
        .iter()
        .copied()
        .filter(|key| *key == "draft_source" || !key.starts_with("draft_"))
        .filter(|key| *key != "rpc_servers")
        .collect();
    assert_eq!(loaded.effective.named(), all);
    assert_eq!(loaded.effective.threads, Some(2));
    assert_eq!(loaded.effective.batch_threads, Some(2));
    assert_eq!(loaded.effective.flash_attention, Some(Toggle::Off));

    for kind in [BufferKind::Weights, BufferKind::Kv, BufferKind::Compute, BufferKind::Output] {
        let bytes: u64 =
            loaded.buffers.iter().filter(|buffer| buffer.kind == kind).map(|b| b.bytes).sum();
        assert!(bytes > 0, "{kind:?}");
    }
    assert!(loaded.backends.iter().any(|backend| backend == "CPU"));
}

#[test]
fn a_smaller_kv_type_takes_fewer_bytes() {
    let Some(model) = model() else { return };
    let kv_bytes = |settings: Settings| -> u64 {
        let (_worker, loaded) = Worker::loaded(&model, settings);
        loaded.buffers.iter().filter(|b| b.kind == BufferKind::Kv).map(|b| b.bytes).sum()
    };
    let half = kv_bytes(Settings::default());
    let full = named("kv_key_type", "f32".into()).overlaid(&named("kv_value_type", "f32".into()));
    assert_eq!(kv_bytes(full), 2 * half);
}

#[test]
fn what_is_in_effect_is_what_was_asked_for() {
    let Some(model) = model() else { return };
    let settings = Settings {
        threads: Some(1),
        batch_threads: Some(2),
        context_tokens: Some(512),
        batch_tokens: Some(128),
        micro_batch_tokens: Some(64),
        flash_attention: Some(Toggle::On),
        kv_key_type: Some(KvType::F32),
        kv_value_type: Some(KvType::Bf16),
        memory_map: Some(Toggle::Off),
        ..Settings::default()
    };
    let (_worker, loaded) = Worker::loaded(&model, settings.clone());
    assert_eq!(loaded.effective.overlaid(&settings), loaded.effective);
}

/// `Cpus_allowed_list` of each thread of a process, sorted.
#[cfg(target_os = "linux")]
fn allowed_of_threads(process: u32) -> Vec<String> {
    let mut lists: Vec<String> = std::fs::read_dir(format!("/proc/{process}/task"))
        .unwrap()
        .map(|task| {
            let status = std::fs::read_to_string(task.unwrap().path().join("status")).unwrap();
            let line = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
            line.unwrap().trim().to_owned()
        })
        .collect();
    lists.sort();
    lists
}

#[test]
#[cfg(target_os = "linux")]
fn a_strict_mask_binds_each_thread_to_a_processor_of_its_own() {
    let Some(model) = model() else { return };
    let mut worker = Worker::greeted();
    // Only where processors 0 and 1 are ours to use.
    if allowed_of_threads(worker.process_id()).iter().any(|list| !list.starts_with("0-")) {
        return;
    }
    let settings = named("cpu_mask", "0x3".into())
        .overlaid(&named("threads", 2.into()))
        .overlaid(&named("cpu_strict", "on".into()));
    let Reply::Loaded(loaded) = worker.load(&model, settings) else { panic!("not loaded") };
    assert_eq!(loaded.effective.cpu_mask.as_deref(), Some("0x3"));
    let bound = allowed_of_threads(worker.process_id());
    assert!(bound.contains(&"0".to_owned()) && bound.contains(&"1".to_owned()), "{bound:?}");
}

#[test]
fn a_priority_is_in_effect_or_refused() {
    let Some(model) = model() else { return };
    for priority in ["low", "realtime"] {
        let mut worker = Worker::greeted();
        let settings = named("priority", priority.into()).overlaid(&named("threads", 2.into()));
        match worker.load(&model, settings.clone()) {
            Reply::Loaded(loaded) => assert_eq!(loaded.effective.priority, settings.priority),
            Reply::Problem(problem) => {
                assert_eq!(problem.kind, ProblemKind::Unsupported);
                assert!(problem.message.contains("`priority`"), "{}", problem.message);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn locked_memory_is_in_effect_or_refused() {
    let Some(model) = model() else { return };
    let mut worker = Worker::greeted();
    let settings = named("memory_lock", "on".into()).overlaid(&named("threads", 1.into()));
    match worker.load(&model, settings) {
        Reply::Loaded(loaded) => assert_eq!(loaded.effective.memory_lock, Some(Toggle::On)),
        Reply::Problem(problem) => {
            assert_eq!(problem.kind, ProblemKind::Unsupported);
            assert!(problem.message.contains("`memory_lock`"), "{}", problem.message);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn settings_that_would_be_ignored_are_refused() {
    let Some(model) = model() else { return };
    let mut worker = Worker::start();
    let Reply::Greeting(greeting) =
        worker.ask(Command::Hello { protocol_version: PROTOCOL_VERSION })
    else {
        panic!("no greeting")
    };
    let mut cases = vec![
        named("kv_value_type", "q8_0".into()),
        named("cpu_strict", "on".into()),
        named("batch_tokens", 100_000.into()),
        named("threads", 513.into()),
    ];
    if greeting.engine.threading == "openmp" {
        cases.push(named("poll_percent", 0.into()));
        cases.push(named("cpu_mask", "0x1".into()).overlaid(&named("threads", 1.into())));
    }
    for settings in cases {
        let (kind, message) = refused(&mut worker, &model, settings.clone());
        assert_eq!(kind, ProblemKind::Unsupported, "{settings:?}");
        assert!(message.contains("cannot be honoured"), "{message}");
    }
    // A refusal leaves the worker ready.
    assert!(matches!(worker.load(&model, named("threads", 1.into())), Reply::Loaded(_)));
}

#[test]
#[cfg(target_os = "linux")]
fn fewer_threads_than_asked_for_are_noticed() {
    let Some(model) = model() else { return };
    let mut worker = Worker::start_with(&[("OMP_THREAD_LIMIT", "1")]);
    let Reply::Greeting(greeting) =
        worker.ask(Command::Hello { protocol_version: PROTOCOL_VERSION })
    else {
        panic!("no greeting")
    };
    if greeting.engine.threading != "openmp" {
        return;
    }
    let (kind, message) = refused(&mut worker, &model, named("threads", 2.into()));
    assert_eq!(kind, ProblemKind::Unsupported);
    assert!(message.contains("1 of 2 threads"), "{message}");
}

#[test]
fn a_file_that_is_no_model_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let mut worker = Worker::greeted();
    let garbage = folder.path().join("garbage.gguf");
    std::fs::write(&garbage, vec![7; 4096]).unwrap();
    let empty = folder.path().join("empty.gguf");
    std::fs::write(&empty, []).unwrap();
    let missing = folder.path().join("missing.gguf");
    for path in [&garbage, &empty, &missing, &folder.path().to_path_buf()] {
        let path = path.to_str().unwrap();
        let (kind, message) = refused(&mut worker, path, Settings::default());
        assert_eq!(kind, ProblemKind::Model, "{path}: {message}");
        assert!(!message.is_empty(), "{path}");
    }
}

#[test]
fn a_truncated_model_is_refused() {
    let Some(model) = model() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("truncated.gguf");
    let mut bytes = std::fs::read(&model).unwrap();
    bytes.truncate(bytes.len() - 1000);
    std::fs::write(&path, bytes).unwrap();
    let mut worker = Worker::greeted();
    let (kind, message) = refused(&mut worker, path.to_str().unwrap(), Settings::default());
    assert_eq!(kind, ProblemKind::Model, "{message}");
}

#[test]
fn a_worker_loads_one_model() {
    let Some(model) = model() else { return };
    let (mut worker, _) = Worker::loaded(&model, Settings::default());
    let (kind, message) = refused(&mut worker, &model, Settings::default());
    assert_eq!(kind, ProblemKind::Protocol);
    assert!(message.contains("another worker"), "{message}");
}
