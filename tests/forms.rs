//! Forms of a model, from `model forms` to the record, through the command line.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod sandbox;

use sandbox::{Sandbox, fake_worker};
use serde_json::Value;

/// Decoding is faster the smaller the form, whatever the settings.
const BY_FORM: &str = "\
seed = 7
[base]
decode_nanoseconds_per_token = 1_000_000
noise_sd = 0.01
process_sd = 0.003
[[when]]
model = \"/q8_0.gguf\"
decode_nanoseconds_per_token = 800_000
[[when]]
model = \"/q4_0.gguf\"
decode_nanoseconds_per_token = 500_000
";

/// The treatment differs by its form alone.
const FAST_IS_Q8: &[(&str, &str)] = &[("threads = 2", "form = \"q8_0\"")];

fn make(sandbox: &Sandbox, forms: &str) -> sandbox::Said {
    let worker = fake_worker();
    sandbox.runner(&["model", "forms", "builtin-tiny", "--make", forms, "--worker", &worker])
}

/// The cache's forms, without locks.
fn kept(sandbox: &Sandbox) -> Vec<String> {
    let mut files = sandbox.files(".cache/models/forms");
    files.retain(|file| !file.ends_with(".lock"));
    files.iter().map(|file| file.rsplit('/').next().unwrap().to_owned()).collect()
}

fn path_of(sandbox: &Sandbox, name: &str) -> String {
    let files = sandbox.files(".cache/models/forms");
    files.into_iter().find(|file| file.ends_with(&format!("/{name}"))).unwrap()
}

fn row<'json>(json: &'json Value, form: &str) -> &'json Value {
    let rows = json["forms"].as_array().unwrap();
    rows.iter().find(|row| row["form"] == form).unwrap_or_else(|| panic!("{json}"))
}

#[test]
fn a_form_is_made_once_and_described() {
    let sandbox = Sandbox::with_model();
    make(&sandbox, "q8_0,q4_0").expect_code(0).expect_text("q8_0: made").expect_text("q4_0: made");
    assert_eq!(kept(&sandbox), ["q4_0.gguf", "q4_0.toml", "q8_0.gguf", "q8_0.toml"]);
    let before = sandbox.snapshot(".cache/models/forms");
    make(&sandbox, "Q4_0,q8_0").expect_code(0).expect_text("q4_0: at hand since");
    assert_eq!(before, sandbox.snapshot(".cache/models/forms"));

    let said = sandbox.runner(&["--json", "model", "forms", "builtin-tiny"]).expect_code(0).json();
    let q8 = row(&said, "q8_0");
    let types = q8["tensor_types"].as_array().unwrap();
    assert_eq!(types[0]["tensor_type"], "q8_0");
    assert!(q8["share_percent"].as_f64().unwrap() > 98.0, "{q8}");
    assert_eq!(q8["derivation"], "quantised from F16");
    let whole = q8["weights_derived_from"].as_str().unwrap();
    assert!(whole.ends_with("; quantised from F16 to Q8_0 by fake 1"), "{whole}");
    let file = std::fs::read(q8["path"].as_str().unwrap()).unwrap();
    assert_eq!(q8["bytes"], file.len());
    sandbox
        .runner(&["model", "forms", "builtin-tiny"])
        .expect_code(0)
        .expect_text("as the file is")
        .expect_text("q4_0");
}

#[test]
fn a_name_that_holds_for_too_few_bytes_is_refused_and_the_others_are_made() {
    let sandbox = Sandbox::with_model();
    sandbox.script("[base]\nrequantise_share_percent = 80\n");
    make(&sandbox, "q6_k")
        .expect_code(3)
        .expect_text("the name q6_k holds for 80.0 % of the bytes, and 90 % are needed")
        .expect_text("80.0 % Q6_K, 20.0 % F32");
    assert_eq!(kept(&sandbox), Vec::<String>::new());
    // F32 has nothing else in it
    make(&sandbox, "q6_k,f32").expect_code(3).expect_text("f32: made");
    assert_eq!(kept(&sandbox), ["f32.gguf", "f32.toml"]);
}

#[test]
fn a_file_that_is_not_what_the_engine_said_is_not_kept() {
    let sandbox = Sandbox::with_model();
    sandbox.script("[base]\nrequantise_short_bytes = 100\n");
    make(&sandbox, "q8_0").expect_code(1).expect_text("the engine wrote a file that is truncated");
    assert_eq!(kept(&sandbox), Vec::<String>::new());
    sandbox.script("[base]\nfault = { kind = \"crash\", command = \"requantise\", nth = 1 }\n");
    make(&sandbox, "q8_0").expect_code(3).expect_text("the engine did not make it");
    assert_eq!(kept(&sandbox), Vec::<String>::new());
    sandbox.script("");
    // what a killed process leaves is no form, and is in nobody's way
    let lock = path_of(&sandbox, "q8_0.lock");
    sandbox.write(&lock.replace(".lock", ".partial"), "half");
    sandbox.write(&lock.replace(".lock", ".partial.4711.partial"), "half");
    sandbox.write(&lock.replace(".lock", ".gguf"), "half");
    sandbox.runner(&["model", "forms", "builtin-tiny"]).expect_code(0);
    make(&sandbox, "q8_0").expect_code(0).expect_text("q8_0: made");
    assert_eq!(kept(&sandbox), ["q8_0.gguf", "q8_0.toml"]);
}

#[test]
fn names_that_are_none_and_engines_that_cannot() {
    let sandbox = Sandbox::with_model();
    make(&sandbox, "q8-0").expect_code(2).expect_text("did you mean `q8_0`?");
    sandbox.runner(&["model", "forms", "builtin-tony"]).expect_code(2).expect_text("builtin-tiny");
    sandbox.script("[base]\nfault = { kind = \"problem\", command = \"requantise\", nth = 1 }\n");
    make(&sandbox, "q8_0").expect_code(3).expect_text("scripted");
    assert_eq!(kept(&sandbox), Vec::<String>::new());
}

#[test]
fn two_at_once_make_a_form_once() {
    let sandbox = Sandbox::with_model();
    let worker = fake_worker();
    let arguments =
        ["--json", "model", "forms", "builtin-tiny", "--make", "q8_0", "--worker", &worker];
    let children = [sandbox.start(&arguments), sandbox.start(&arguments)];
    let mut outcomes: Vec<String> = children
        .into_iter()
        .map(|child| {
            let json = sandbox::finish(child).expect_code(0).json();
            json["asked"][0]["outcome"].as_str().unwrap().to_owned()
        })
        .collect();
    outcomes.sort();
    assert_eq!(outcomes, ["at_hand", "made"]);
    assert_eq!(kept(&sandbox), ["q8_0.gguf", "q8_0.toml"]);
}

#[test]
fn each_arm_loads_its_form_and_the_record_says_where_it_comes_from() {
    let sandbox = Sandbox::with_model();
    sandbox.script(BY_FORM);
    make(&sandbox, "q8_0,q4_0").expect_code(0);
    let ladder = "[ladder]\nsetting = \"form\"\nrungs = [\"q8_0\", \"q4_0\"]\n\
                  contract.identical.of = \"tokens\"\n\n[metric]";
    let written = sandbox::manifest("by-form");
    let arm = written.find("[[arm]]\nname = \"fast\"").unwrap();
    let metric = written.find("[metric]").unwrap();
    let judged = sandbox.judge("by-form", &[(&written[arm..metric], ""), ("[metric]", ladder)]);
    assert_eq!(judged.code, 0);
    for (arm, ratio) in [("form=q8_0", 1.25), ("form=q4_0", 2.0)] {
        judged.expect(arm, "win", "above_margin");
        assert!((judged.ratio(arm).unwrap() / ratio - 1.0).abs() < 0.02, "{arm}");
        let claim = judged.comparison(arm)["claim"].as_str().unwrap();
        let form = arm.trim_start_matches("form=").to_uppercase();
        assert!(
            claim.contains(&format!(
                "with builtin-tiny as {form} (quantised from F16) against the file as it is (9"
            )),
            "{claim}"
        );
    }
    // the weights' buffers are as long as the files
    let memory = judged.facts()["memory"].as_array().unwrap();
    let bytes = |arm: &str| {
        let of_arm = memory.iter().find(|one| one["arm"] == arm).unwrap();
        of_arm["buffers"][0]["bytes"].as_u64().unwrap()
    };
    let length = |file: &str| std::fs::metadata(sandbox.path(file)).unwrap().len();
    assert_eq!(bytes("form=q8_0"), length(&path_of(&sandbox, "q8_0.gguf")));
    assert_eq!(bytes("form=q4_0"), length(&path_of(&sandbox, "q4_0.gguf")));
    assert_eq!((bytes("off"), bytes("off-again")), (3_791_200, 3_791_200));

    let show = sandbox.runner(&["--json", "show", "by-form"]).expect_code(0).json();
    let provenance = &show["provenance"];
    let forms = provenance["forms"].as_array().unwrap();
    assert_eq!(forms.len(), 2);
    assert_eq!(forms[0]["arms"], serde_json::json!(["form=q8_0"]));
    assert_eq!(forms[0]["made_by"], "fake 1");
    assert!(forms[0]["tensor_types"][0]["tensor_type"] == "q8_0", "{forms:?}");
    let derived = provenance["regime"]["weights_derived_from"]["form=q4_0"].as_str().unwrap();
    assert!(derived.ends_with("quantised from F16 to Q4_0 by fake 1"), "{derived}");
    let run = sandbox.runs("by-form").pop().unwrap();
    let table = std::fs::read_to_string(sandbox.path(&format!("results/by-form/{run}/table.md")));
    let table = table.unwrap();
    assert!(table.contains("## Weights"), "{table}");
    assert!(
        table.contains("quantised from F16 to Q8\\_0 by fake 1")
            || table.contains("quantised from F16 to Q8_0 by fake 1"),
        "{table}"
    );
    sandbox.runner(&["record", "verify"]).expect_code(0).expect_text("1 record verified");
}

#[test]
fn a_form_that_is_not_made_is_said_by_plan_and_refused_by_register() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("unmade", FAST_IS_Q8);
    let remedy = "runner model forms builtin-tiny --make q8_0";
    sandbox
        .runner(&["plan", &file])
        .expect_code(0)
        .expect_text(remedy)
        .expect_text("8 MB of weights, and 1 of unknown size");
    sandbox.refuses(&["register", &file], 3).expect_text("not made yet: q8_0").expect_text(remedy);
    make(&sandbox, "q8_0").expect_code(0);
    let plan = sandbox.runner(&["--json", "plan", &file]).expect_code(0).json();
    let length = std::fs::metadata(sandbox.path(&path_of(&sandbox, "q8_0.gguf"))).unwrap().len();
    assert_eq!(plan["weights_bytes"], 2 * 3_791_200 + length);
    assert_eq!(plan["missing_forms"], serde_json::json!([]));
    sandbox.runner(&["register", &file]).expect_code(0);
    // made away with after the registration
    std::fs::remove_file(sandbox.path(&path_of(&sandbox, "q8_0.gguf"))).unwrap();
    std::fs::remove_file(sandbox.path(&path_of(&sandbox, "q8_0.toml"))).unwrap();
    sandbox.refuses(&["exec", &file], 3).expect_text(remedy);
}

#[test]
fn a_form_that_was_changed_or_made_anew_differently_is_refused() {
    let sandbox = Sandbox::with_model();
    make(&sandbox, "q8_0").expect_code(0);
    let file = sandbox.manifest("changed", FAST_IS_Q8);
    sandbox.runner(&["register", &file]).expect_code(0);
    let gguf = path_of(&sandbox, "q8_0.gguf");
    let good = std::fs::read(sandbox.path(&gguf)).unwrap();
    let mut bad = good.clone();
    *bad.last_mut().unwrap() ^= 1;
    sandbox.write(&gguf, &bad);
    sandbox.refuses(&["exec", &file], 3).expect_text("was changed since it was made");
    sandbox.runner(&["model", "forms", "builtin-tiny"]).expect_code(1).expect_text("not usable");
    make(&sandbox, "q8_0").expect_code(3).expect_text("was changed since it was made");

    // a description of another file, though whole in itself
    sandbox.write(&gguf, &good);
    let toml = path_of(&sandbox, "q8_0.toml");
    let text = std::fs::read_to_string(sandbox.path(&toml)).unwrap();
    for (from, to) in [
        ("schema = 1", "schema = 2"),
        ("form = \"q8_0\"", "form = \"q4_0\""),
        ("tensor_type = \"f32\"", "tensor_type = \"f16\""),
    ] {
        sandbox.write(&toml, text.replace(from, to));
        sandbox.refuses(&["exec", &file], 3).expect_text("take ");
    }

    // another engine's form of the same name, made later
    std::fs::remove_file(sandbox.path(&toml)).unwrap();
    sandbox.script("[base]\nrequantise_share_percent = 95\n");
    make(&sandbox, "q8_0").expect_code(0);
    sandbox
        .refuses(&["exec", &file], 3)
        .expect_text("changed since the registration")
        .expect_text("form q8_0 of model `builtin-tiny`");
}

#[test]
fn the_registered_file_is_taken_where_two_engines_made_a_form() {
    let sandbox = Sandbox::with_model();
    make(&sandbox, "q8_0").expect_code(0);
    let file = sandbox.manifest("two-engines", FAST_IS_Q8);
    sandbox.runner(&["register", &file]).expect_code(0);
    sandbox.script("[base]\nsource_blake3 = \"other\"\nrequantise_share_percent = 95\n");
    make(&sandbox, "q8_0").expect_code(0);
    let forms = sandbox.runner(&["--json", "model", "forms", "builtin-tiny"]).json();
    assert_eq!(forms["forms"].as_array().unwrap().len(), 2);
    sandbox.script(BY_FORM);
    sandbox.runner(&["exec", &file]).expect_code(0).expect_text("win");
}

#[test]
fn arms_of_another_vocabulary_are_not_compared() {
    let sandbox = Sandbox::with_model();
    make(&sandbox, "q8_0").expect_code(0);
    sandbox.script(
        &format!("{BY_FORM}vocabulary = 100\n")
            .replace("model = \"/q4_0.gguf\"", "model = \"/q8_0.gguf\""),
    );
    let said = sandbox.refused("vocabulary", FAST_IS_Q8);
    assert!(said.contains("100 tokens in its vocabulary, and off's 128"), "{said}");
}
