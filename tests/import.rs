//! What other tools measured is taken in, never judged, and its faults are named with their place.

mod sandbox;

use sandbox::Sandbox;
use serde_json::{Value, json};

/// Five samples whose standard deviation llama-bench printed as 3722529745 ns.
const OVERFLOWN: [u64; 5] =
    [12_140_144_300, 12_308_847_400, 12_225_136_900, 12_154_929_400, 11_909_783_400];

/// A test as llama-bench writes it.
fn llama_test(decode: u32, depth: u32, nanoseconds: &[u64]) -> Value {
    let rates: Vec<f64> =
        nanoseconds.iter().map(|ns| f64::from(decode) / *ns as f64 * 1e9).collect();
    json!({
        "build_commit": "abc1234", "build_number": 7000, "cpu_info": "Some CPU", "gpu_info": "",
        "backends": "CPU", "model_filename": "/home/ada/models/builtin-tiny.gguf",
        "model_type": "tiny", "model_size": 1, "model_n_params": 1, "n_batch": 2048,
        "n_ubatch": 512, "n_threads": 2, "type_k": "f16", "type_v": "f16", "flash_attn": 1,
        "n_prompt": 0, "n_gen": decode, "n_depth": depth, "test_time": "2026-11-30T08:00:00Z",
        "avg_ns": 1, "stddev_ns": 3_722_529_745_u64, "avg_ts": 1.0, "stddev_ts": 99.0,
        "samples_ns": nanoseconds, "samples_ts": rates, "moe_cache": "auto",
    })
}

fn llama_file(tests: &[Value]) -> String {
    serde_json::to_string_pretty(tests).unwrap()
}

#[test]
fn the_samples_of_llama_bench_are_taken_and_never_its_deviation() {
    let sandbox = Sandbox::new();
    sandbox.write("overflow.json", llama_file(&[llama_test(800, 0, &OVERFLOWN)]));
    let said = sandbox.runner(&["record", "import", "overflow.json"]).expect_code(0);
    for text in ["never a verdict", "tg800", "65.82 tokens/s", "65.44 to 65.90", "moe_cache"] {
        assert!(said.out.contains(text) || said.err.contains(text), "{text:?}: {said:?}");
    }
    assert!(!said.out.contains("3722529745"), "{}", said.out);
    let stored = sandbox.snapshot("results/imported/overflow");
    let files: Vec<&str> = stored.keys().map(String::as_str).collect();
    assert_eq!(
        files,
        ["results/imported/overflow/imported.toml", "results/imported/overflow/samples.jsonl"]
    );
    let all: String =
        stored.values().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect();
    assert!(all.contains("12140144300") && !all.contains("/home/ada") && !all.contains("372252"));
    let shown = sandbox.runner(&["--json", "show", "imported/overflow"]).expect_code(0).json();
    assert_eq!(shown["imported"]["series"][0]["settings"]["flash_attention"], "on");
    assert_eq!(shown["verdict"], Value::Null);
    sandbox.runner(&["list"]).expect_code(0).expect_text("imported/overflow");
    sandbox.runner(&["record", "verify"]).expect_code(0);
    // once more under the same name
    sandbox.runner(&["record", "import", "overflow.json"]).expect_code(2).expect_text("--name");
}

#[test]
fn jsonl_csv_and_sql_of_one_run_say_what_they_hold() {
    let sandbox = Sandbox::new();
    let test = llama_test(128, 512, &[2_000_000_000, 2_100_000_000]);
    sandbox.write("b.jsonl", format!("{test}\n{}\n", llama_test(64, 0, &[1_000_000_000])));
    sandbox.runner(&["record", "import", "b.jsonl"]).expect_code(0).expect_text("tg128 @ d512");
    let fields = test.as_object().unwrap();
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let plain: Vec<(&String, String)> = fields
        .iter()
        .filter(|(name, _)| !name.starts_with("samples"))
        .map(|(name, value)| (name, if name == "avg_ts" { "62.5".to_owned() } else { text(value) }))
        .collect();
    let names: Vec<&str> = plain.iter().map(|(name, _)| name.as_str()).collect();
    let quoted = |mark: &str| -> String {
        let values: Vec<String> =
            plain.iter().map(|(_, value)| format!("{mark}{value}{mark}")).collect();
        values.join(", ")
    };
    sandbox.write("c.csv", format!("{}\n{}\n", names.join(","), quoted("\"").replace(", ", ",")));
    let sql = format!(
        "CREATE TABLE IF NOT EXISTS llama_bench (\n  a TEXT\n);\n\nINSERT INTO llama_bench ({}) VALUES ({});\n",
        names.join(", "),
        quoted("'")
    );
    sandbox.write("d.sql", sql);
    for file in ["c.csv", "d.sql"] {
        let said = sandbox.runner(&["record", "import", file]).expect_code(0);
        for text in ["summary only: no", "62.50 tokens/s", "-o jsonl"] {
            let found = said.out.contains(text) || said.err.contains(text);
            assert!(found, "{file}: {text:?} is missing: {said:?}");
        }
    }
    // the same test of the same model, once with samples and once without
    let beside = sandbox.runner(&["show", "imported/b", "imported/c"]).expect_code(0);
    for text in ["not paired, no verdict", "medians 1.000x", "no interval"] {
        assert!(beside.out.contains(text), "{text:?} is missing: {}", beside.out);
    }
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn the_table_and_the_lines_of_batched_bench_agree() {
    let sandbox = Sandbox::new();
    let table = "\
main: n_kv_max = 2048, n_batch = 2048, n_ubatch = 512, flash_attn = 0, n_threads = 2

|    PP |     TG |    B |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |      T s |    S t/s |
|-------|--------|------|--------|----------|----------|----------|----------|----------|----------|
|   128 |     64 |    4 |    768 |    0.512 |  1000.00 |    2.560 |   100.00 |    3.072 |   250.00 |
|   128 |     64 |    4 |    768 |    0.512 |  1010.00 |    2.560 |   102.00 |    3.072 |   250.00 |
";
    sandbox.write("table.md", table);
    let said = sandbox.runner(&["record", "import", "table.md"]).expect_code(0);
    for text in ["pp128 x 4", "tg64 x 4 @ d128", "101.0 tokens/s", "threads=2"] {
        assert!(said.out.contains(text), "{text:?} is missing: {}", said.out);
    }
    let line = r#"{"n_kv_max": 2048, "n_batch": 2048, "n_ubatch": 512, "flash_attn": 0, "n_threads": 2, "pp": 128, "tg": 64, "pl": 4, "n_kv": 768, "t_pp": 0.512000, "speed_pp": 1000.0, "t_tg": 2.560000, "speed_tg": 101.0, "t": 3.072, "speed": 250.0}"#;
    sandbox.write("lines.jsonl", format!("{line}\n"));
    sandbox.runner(&["record", "import", "lines.jsonl"]).expect_code(0);
    let beside = sandbox.runner(&["show", "imported/table", "imported/lines"]).expect_code(0);
    assert!(beside.out.contains("medians 1.000x"), "{}", beside.out);
    sandbox.write("cut.md", &table[..table.len() - 30]);
    let cut = sandbox.runner(&["record", "import", "cut.md"]).expect_code(1);
    assert!(cut.err.contains("cut.md, line 6: a row of the table is cut off"), "{}", cut.err);
}

#[test]
fn hyperfine_and_criterion_bring_their_samples() {
    let sandbox = Sandbox::new();
    let result = json!({
        "command": "/opt/secret/bin/tool --fast", "mean": 1.0, "stddev": 9.0,
        "times": [1.0, 1.1, 0.9, 1.0, 1.05], "exit_codes": [0, 0, 1, 0, 0],
        "parameters": {"threads": "2"},
    });
    sandbox.write("hf.json", json!({ "results": [result] }).to_string());
    let said = sandbox.runner(&["record", "import", "hf.json"]).expect_code(0);
    for text in ["tool --fast", "1.000 s", "1 runs of"] {
        assert!(said.out.contains(text) || said.err.contains(text), "{text:?}: {said:?}");
    }
    assert!(!said.out.contains("/opt/secret"), "{}", said.out);
    sandbox.write("sum/new/benchmark.json", r#"{"full_id": "sum/of ten"}"#);
    sandbox.write(
        "sum/new/sample.json",
        r#"{"sampling_mode": "Linear", "iters": [10.0, 20.0], "times": [1000.0, 2100.0]}"#,
    );
    let estimate = r#"{"mean": {"point_estimate": 102.5, "standard_error": 1.0}}"#;
    sandbox.write("sum/new/estimates.json", estimate);
    let said = sandbox.runner(&["record", "import", "sum"]).expect_code(0);
    for text in ["sum/of ten", "102.5 ns", "101.2 to 103.8"] {
        assert!(said.out.contains(text), "{text:?} is missing: {}", said.out);
    }
    let summary = ["record", "import", "sum/new/estimates.json", "--name", "summary"];
    sandbox.runner(&summary).expect_code(0).expect_text("summary only: no");
}

#[test]
fn a_record_and_an_import_stand_side_by_side_where_their_work_is_the_same() {
    let sandbox = Sandbox::with_model();
    sandbox.judge("own", &[]);
    let samples = [16_000_000, 16_100_000, 15_900_000, 16_050_000, 15_950_000];
    let tests = [llama_test(16, 16, &samples), llama_test(16, 0, &samples)];
    sandbox.write("theirs.json", llama_file(&tests));
    sandbox.runner(&["record", "import", "theirs.json"]).expect_code(0);
    let said = sandbox.runner(&["show", "own", "imported/theirs"]).expect_code(0);
    for text in ["not paired, no verdict", "means", "at 95 %", "threads: 1, 2", "n 20", "n 5"] {
        assert!(said.out.contains(text), "{text:?} is missing: {}", said.out);
    }
    let json = sandbox.runner(&["--json", "show", "own", "imported/theirs"]).expect_code(0).json();
    let pairs = json["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 3, "one for each arm, none for another depth: {json}");
    let fast = pairs.iter().find(|pair| pair["first"]["label"] == "fast").unwrap();
    let ratio = fast["ratio_of_medians"].as_f64().unwrap();
    assert!((0.8..0.87).contains(&ratio), "{ratio}");
    assert!(fast["lo"].as_f64() < fast["hi"].as_f64(), "{fast}");
}

#[test]
fn what_cannot_be_is_refused_with_its_place() {
    let sandbox = Sandbox::new();
    let with = |key: &str, value: Value| {
        let mut test = llama_test(128, 0, &[2_000_000_000]);
        test[key] = value;
        llama_file(&[llama_test(64, 0, &[1_000_000_000]), test])
    };
    let whole = llama_file(&[llama_test(64, 0, &[1_000_000_000])]);
    let cases: [(String, &str); 13] = [
        (with("samples_ns", json!([])), "test 2: `samples_ns` is empty"),
        (with("samples_ns", json!([0])), "`samples_ns[0]` is zero"),
        (with("samples_ns", json!([-5])), "`samples_ns[0]` is no number of nanoseconds: -5"),
        (with("samples_ns", json!(["5"])), "`samples_ns[0]` is no number of nanoseconds"),
        (with("samples_ns", json!(5)), "`samples_ns` is no list"),
        (with("samples_ns", json!([1, 2])), "`samples_ts` has 1 values, `samples_ns` 2"),
        (with("samples_ts", json!([99.0])), "`samples_ts[0]` is 99"),
        (with("n_gen", json!(0)), "are both zero"),
        (with("n_gen", json!("many")), "`n_gen` is no count: many"),
        (with("n_gen", Value::Null), "`n_gen` is missing"),
        (whole[..whole.len() - 20].to_owned(), "the file is cut off"),
        (whole.replace("99.0", "nan"), "NaN or infinity"),
        ("{\"hello\": 1}".to_owned(), "no tool that is known here"),
    ];
    for (text, expected) in cases {
        sandbox.write("bad.json", text);
        let said = sandbox.runner(&["record", "import", "bad.json"]).expect_code(1);
        assert!(said.err.contains(expected), "{expected:?} is missing: {}", said.err);
    }
    assert_eq!(sandbox.files("results"), Vec::<String>::new());
    sandbox.write("empty.json", " \n");
    sandbox
        .runner(&["record", "import", "empty.json", "--format", "hyperfine"])
        .expect_code(1)
        .expect_text("the file is empty");
    sandbox.write("bytes.json", [0xff, 0xfe, 0]);
    sandbox.runner(&["record", "import", "bytes.json"]).expect_code(1).expect_text("not UTF-8");
    sandbox.runner(&["record", "import", "none.json"]).expect_code(1).expect_text("none.json");
    sandbox.write("bad.json", llama_file(&[llama_test(64, 0, &[1_000_000_000])]));
    let named = ["record", "import", "bad.json", "--name", "No Name"];
    sandbox.runner(&named).expect_code(2).expect_text("lower-case");
}

#[test]
fn a_changed_import_is_seen() {
    let sandbox = Sandbox::new();
    sandbox.write("one.json", llama_file(&[llama_test(64, 0, &[1_000_000_000, 1_100_000_000])]));
    sandbox.runner(&["record", "import", "one.json"]).expect_code(0);
    for (file, from, to) in [
        ("samples.jsonl", "1000000000", "1000000001"),
        ("imported.toml", "tg64", "tg65"),
        ("imported.toml", "[seal]", "[sea1]"),
    ] {
        let place = format!("results/imported/one/{file}");
        let before = std::fs::read_to_string(sandbox.path(&place)).unwrap();
        assert!(before.contains(from), "{before}");
        sandbox.write(&place, before.replace(from, to));
        let said = sandbox.runner(&["record", "verify"]).expect_code(1);
        assert!(said.out.contains(&format!("failed: imported/one/{file}")), "{}", said.out);
        sandbox.write(&place, before);
        sandbox.runner(&["record", "verify"]).expect_code(0);
    }
    std::fs::remove_file(sandbox.path("results/imported/one/samples.jsonl")).unwrap();
    sandbox.runner(&["record", "verify"]).expect_code(1).expect_text("missing");
}
