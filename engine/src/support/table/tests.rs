use super::*;

fn named(key: &str, value: serde_json::Value) -> Settings {
    Settings::single(key, &value).unwrap()
}

fn refused(settings: &Settings, ground: &Ground) -> String {
    check(settings, ground).unwrap_err().to_string()
}

fn own_pools() -> Ground {
    Ground { threading: Threading::OwnPools, ..Ground::plain() }
}

#[test]
fn nothing_named_is_never_refused() {
    assert_eq!(check(&Settings::default(), &Ground::plain()), Ok(()));
}

#[test]
fn polling_is_refused_under_openmp_and_with_one_thread() {
    let poll = named("poll_percent", 0.into());
    assert!(refused(&poll, &Ground::plain()).contains("OpenMP"));
    assert_eq!(check(&poll, &own_pools()), Ok(()));
    let alone = poll.overlaid(&named("threads", 1.into()));
    assert!(refused(&alone, &own_pools()).contains("one thread"));
    let batch = alone.overlaid(&named("batch_threads", 2.into()));
    assert_eq!(check(&batch, &own_pools()), Ok(()));
}

#[test]
fn placing_a_single_thread_is_refused_under_openmp_only() {
    for setting in [named("cpu_mask", "0x1".into()), named("priority", "high".into())] {
        let alone = setting.overlaid(&named("threads", 1.into()));
        assert!(refused(&alone, &Ground::plain()).contains("single thread"));
        assert_eq!(check(&alone, &own_pools()), Ok(()));
        let pair = setting.overlaid(&named("threads", 2.into()));
        assert_eq!(check(&pair, &Ground::plain()), Ok(()));
        let batch = pair.overlaid(&named("batch_threads", 1.into()));
        assert!(refused(&batch, &Ground::plain()).contains("single thread"));
    }
}

#[test]
fn a_mask_must_lie_in_what_the_process_may_use() {
    assert!(refused(&named("cpu_mask", "0x7".into()), &Ground::plain()).contains("0x4"));
    assert!(refused(&named("cpu_mask", "0x0".into()), &Ground::plain()).contains("no processor"));
}

#[test]
fn a_strict_mask_needs_a_processor_for_each_thread() {
    let strict = named("cpu_strict", "on".into());
    let narrow = strict.overlaid(&named("cpu_mask", "0x1".into()));
    assert!(refused(&narrow, &Ground::plain()).contains("(1) than threads (2)"));
    let wide = strict.overlaid(&named("cpu_mask", "0x3".into()));
    assert_eq!(check(&wide, &Ground::plain()), Ok(()));
    assert!(refused(&strict, &Ground::plain()).contains("`cpu_mask` too"));
}

#[test]
fn affinity_is_refused_off_linux() {
    let mac = Ground { platform: Platform::MacOs, ..own_pools() };
    assert!(refused(&named("cpu_mask", "0x3".into()), &mac).contains("bound"));
    assert!(refused(&named("priority", "low".into()), &mac).contains("lower"));
    assert_eq!(check(&named("priority", "high".into()), &mac), Ok(()));
    assert!(refused(&named("numa", "isolate".into()), &mac).contains("not known"));
}

#[test]
fn offload_needs_a_device_and_layers_on_it() {
    let keep = named("kv_offload", "on".into());
    assert!(refused(&keep, &Ground::plain()).contains("no device"));
    assert!(refused(&named("gpu_layers", 1.into()), &Ground::plain()).contains("no device"));
    assert_eq!(check(&named("gpu_layers", 0.into()), &Ground::plain()), Ok(()));
    assert_eq!(check(&named("kv_offload", "off".into()), &Ground::plain()), Ok(()));
    let trouble = "driver too old: it is for CUDA 12.2, and this build needs one for CUDA 13.5";
    let old = Ground { device_trouble: trouble.to_owned(), ..Ground::plain() };
    for settings in [&keep, &named("gpu_layers", 1.into())] {
        assert!(refused(settings, &old).contains("driver too old"));
    }
    let gpu = Ground { accelerators: 1, ..Ground::plain() };
    assert!(refused(&keep, &gpu).contains("gpu_layers"));
    assert_eq!(check(&keep.overlaid(&named("gpu_layers", 9.into())), &gpu), Ok(()));
}

#[test]
fn quantised_values_need_flash_attention() {
    let value = named("kv_value_type", "q8_0".into());
    assert!(refused(&value, &Ground::plain()).contains("flash_attention"));
    let flash = value.overlaid(&named("flash_attention", "on".into()));
    assert_eq!(check(&flash, &Ground::plain()), Ok(()));
    assert_eq!(check(&named("kv_key_type", "q8_0".into()), &Ground::plain()), Ok(()));
}

#[test]
fn sizes_that_would_be_cut_are_refused() {
    assert!(refused(&named("batch_tokens", 2048.into()), &Ground::plain()).contains("1024"));
    let small = named("batch_tokens", 64.into());
    let micro = small.overlaid(&named("micro_batch_tokens", 128.into()));
    assert!(refused(&micro, &Ground::plain()).contains("batch of 64"));
    // 1000 tokens are padded to 1024.
    let padded = named("context_tokens", 1000.into()).overlaid(&named("batch_tokens", 1024.into()));
    assert_eq!(check(&padded, &Ground::plain()), Ok(()));
}

#[test]
fn memory_nodes_must_be_several() {
    let numa = named("numa", "distribute".into());
    assert!(refused(&numa, &Ground::plain()).contains("one memory node"));
    assert_eq!(check(&named("numa", "disabled".into()), &Ground::plain()), Ok(()));
    assert_eq!(check(&numa, &Ground { memory_nodes: 2, ..Ground::plain() }), Ok(()));
}

#[test]
fn the_list_of_supported_settings_follows_the_ground() {
    let here = supported(&Ground::plain());
    for absent in ["poll_percent", "gpu_layers", "kv_offload", "numa", "rpc_servers"] {
        assert!(!here.iter().any(|key| key == absent), "{absent}");
    }
    assert!(here.iter().any(|key| key == "cpu_mask"));
    let all = Ground { accelerators: 1, uses_servers: true, memory_nodes: 2, ..own_pools() };
    assert_eq!(supported(&all), SETTING_KEYS);
}

#[test]
fn servers_need_the_backend_and_layers() {
    let servers = |list: &[&str]| named("rpc_servers", list.into());
    let two = servers(&["127.0.0.1:1", "127.0.0.1:2"]).overlaid(&named("gpu_layers", 9.into()));
    assert!(refused(&two, &Ground::plain()).contains("cargo feature `rpc`"));
    let ground = Ground { uses_servers: true, ..Ground::plain() };
    assert_eq!(check(&two, &ground), Ok(()));
    assert_eq!(check(&two.overlaid(&named("kv_offload", "on".into())), &ground), Ok(()));
    // the backend alone is no device
    assert!(refused(&named("gpu_layers", 9.into()), &ground).contains("no device"));
    assert!(refused(&servers(&["a:1"]), &ground).contains("`gpu_layers` too"));
    assert!(refused(&servers(&["a:1", "a:1"]), &ground).contains("1 of them different"));
    assert!(refused(&servers(&[]), &ground).contains("0 servers"));
}

#[test]
fn settings_of_drafts_are_refused_where_nothing_would_use_them() {
    let plain = Ground::plain();
    for key in ["draft_tokens", "draft_lookup_tokens", "draft_layers"] {
        assert!(refused(&named(key, 2.into()), &plain).contains(key), "{key}");
    }
    assert!(refused(&named("draft_acceptance", "nothing".into()), &plain).contains("too"));
    assert!(refused(&named("draft_model", "small".into()), &plain).contains("only"));
    let lookup = named("draft_source", "prompt_lookup".into());
    assert!(refused(&lookup, &plain).contains("`draft_tokens` too"));
    let whole = lookup.overlaid(&named("draft_tokens", 4.into()));
    assert_eq!(check(&whole, &plain), Ok(()));
    assert_eq!(check(&whole.overlaid(&named("draft_lookup_tokens", 2.into())), &plain), Ok(()));
    assert!(refused(&whole.overlaid(&named("draft_layers", 2.into())), &plain).contains("only"));
    let narrow = whole.overlaid(&named("micro_batch_tokens", 4.into()));
    assert!(refused(&narrow, &plain).contains("a batch of 5 tokens"));
    let slice =
        named("draft_source", "self_slice".into()).overlaid(&named("draft_tokens", 4.into()));
    assert!(refused(&slice, &plain).contains("`draft_layers` too"));
}
