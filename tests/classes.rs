//! Workload classes: a set is measured, and one outside of a class is refused with the statistic that
//! says so.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use std::fmt::Write;

use sandbox::{QUIET_SCRIPT, Said, Sandbox, fake_worker};

const FILE: &str = "experiments/a.toml";
const INPUTS: &str = "inputs = \"prose-48\"";
const OWN: &str = "inputs = \"sets/own.toml\"";
const CLASS: &str = "class = \"dense_throughput\"";
const ROUTING: (&str, &str) = (CLASS, "class = \"routing\"");
const SPECULATION: (&str, &str) = (CLASS, "class = \"speculation\"");
const EXPERTS: (&str, &str) = ("model = \"builtin-tiny\"", "model = \"builtin-tiny-experts\"");
const CEILING: (&str, &str) = ("role = \"treatment\"", "role = \"ceiling\"");
const COMMANDS: [&[&str]; 4] = [&["check"], &["plan"], &["register"], &["exec", "--register"]];
const ALL_CLASSES: &str = "schema = 1\nlicence = \"CC0-1.0\"\nsource = \"made by a rule\"\nclasses = \
     [\"dense_throughput\", \"routing\", \"speculation\", \"divergence\", \"long_context\"]\n";

/// A set that names every class.
fn set(texts: impl IntoIterator<Item = String>) -> String {
    let mut file = ALL_CLASSES.to_owned();
    for (number, text) in texts.into_iter().enumerate() {
        write!(file, "\n[[item]]\nid = \"item-{number}\"\ntext = {text:?}\n").unwrap();
    }
    file
}

/// Four words again and again: none of the built-in set's.
fn four_words(number: usize) -> String {
    format!("gravel{number} anchor{number} violet{number} thimble{number} ").repeat(20)
}

/// Text without repetition: numbers written as words of their own.
fn varied(number: usize) -> String {
    let word = |place: usize| format!("w{}", (number * 90 + place) * 7919 % 99_991);
    (0..90).map(word).collect::<Vec<_>>().join(" ")
}

/// Every command refuses the manifest with these words, before any worker has loaded a model.
#[track_caller]
fn refused_by_all(sandbox: &Sandbox, words: &[&str]) {
    for command in COMMANDS {
        sandbox.refuses(&[command, &[FILE]].concat(), 2).expect_texts(words);
    }
    assert!(!sandbox.path("script.toml.pids").exists(), "a worker loaded a model");
}

fn measure(sandbox: &Sandbox, set: &str, model: &str) -> Said {
    let worker = fake_worker();
    sandbox.runner(&["workload", "measure", set, "--model", model, "--worker", &worker])
}

/// A copy of `builtin-tiny` whose tokenizer says another thing of itself.
fn other_tokenizer(sandbox: &Sandbox) -> String {
    let path = sandbox.runner(&["model", "path", "builtin-tiny"]).expect_code(0).out;
    let mut bytes = std::fs::read(path.trim()).unwrap();
    let key = b"tokenizer.ggml.pre";
    let at = bytes.windows(key.len()).position(|window| window == key).unwrap();
    let value = at + bytes[at..].windows(7).position(|window| window == b"default").unwrap();
    bytes[value] = b'D';
    sandbox.write("other.gguf", bytes).display().to_string()
}

#[test]
fn l11_four_repeated_words_are_refused_for_routing_and_drafting() {
    for (class, statistic) in [
        (ROUTING, "token repetition"),
        (SPECULATION, "prompt-lookup hit rate"),
        ((CLASS, "class = \"divergence\""), "compressed share"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.manifest("a", &[(INPUTS, "inputs = \"filler-48\""), class]);
        let words = class.1.strip_prefix("class = ").unwrap();
        let refusal = format!("`filler-48` does not serve the class {words}");
        refused_by_all(
            &sandbox,
            &["error[workload-class]", &refusal, statistic, "in nine items of ten"],
        );
        // another set with the same fault says that it serves the class, and is measured
        sandbox.write("sets/own.toml", set((0..8).map(four_words)));
        sandbox.manifest("a", &[(INPUTS, OWN), class]);
        let refusal = format!("`sets/own.toml` is outside of the class {words}");
        refused_by_all(&sandbox, &["error[workload-class]", &refusal, statistic, "of its words"]);
    }
}

#[test]
fn l11_four_repeated_words_are_welcome_as_a_ceiling() {
    let sandbox = Sandbox::with_model();
    let promise = ("contract.identical.of = \"tokens\"\n", "");
    sandbox.manifest("a", &[(INPUTS, "inputs = \"filler-48\""), ROUTING, CEILING, promise]);
    sandbox
        .runner(&["check", FILE])
        .expect_code(0)
        .expect_text("warning[workload-class]")
        .expect_text("what is shown on it is a best case, and nothing is judged");
    sandbox.runner(&["exec", "--register", FILE]).expect_code(0);
    let shown = sandbox.runner(&["show", "a"]).expect_code(0).out;
    assert!(shown.contains("described fast (described_only)"), "{shown}");
}

/// One item in four is enough: a mean over the set would hide it.
#[test]
fn l11_some_repeated_items_among_varied_ones_are_seen() {
    let sandbox = Sandbox::new();
    let mixed = |number| if number % 4 == 0 { four_words(number) } else { varied(number) };
    sandbox.write("sets/own.toml", set((0..24).map(mixed)));
    sandbox.manifest("a", &[(INPUTS, OWN), SPECULATION]);
    refused_by_all(&sandbox, &["is outside of the class", "prompt-lookup hit rate"]);
    sandbox.write("sets/own.toml", set((0..24).map(varied)));
    sandbox.runner(&["check", FILE]).expect_code(0);
}

#[test]
fn items_that_repeat_each_other_are_seen() {
    let sandbox = Sandbox::new();
    let same = |number: usize| [1, 2, number + 10].map(varied).join(" ");
    sandbox.write("sets/own.toml", set((0..12).map(same)));
    sandbox.manifest("a", &[(INPUTS, OWN), SPECULATION]);
    refused_by_all(&sandbox, &["runs of 4 shared with other items of its words"]);
}

#[test]
fn a_set_is_measured_once_before_it_serves_a_class() {
    let sandbox = Sandbox::with_model();
    sandbox.write("sets/own.toml", set((0..12).map(varied)));
    sandbox.script(&format!("vocabulary = 100000\n{QUIET_SCRIPT}"));
    sandbox.manifest("a", &[(INPUTS, OWN), SPECULATION]);
    sandbox.runner(&["check", FILE]).expect_code(0);
    for command in [&["plan"][..], &["register"], &["exec", "--register"]] {
        sandbox.refuses(&[command, &[FILE]].concat(), 3).expect_texts(&[
            "[workload] class: the set `sets/own.toml` is not calibrated for the class speculation",
            "run `runner workload measure sets/own.toml --model builtin-tiny`",
        ]);
    }
    measure(&sandbox, "sets/own.toml", "builtin-tiny").expect_code(0).expect_texts(&[
        "sets/own.toml: 12 items, 1080 tokens of builtin-tiny",
        "prompt-lookup hit rate",
        "speculation      fit",
        "long_context     not fit: tokens in all 1080 (at least",
        "stored in sets/own.calibration.toml",
    ]);
    sandbox.runner(&["exec", "--register", FILE]).expect_code(0);
    // once measured, the same bytes again
    let first = std::fs::read(sandbox.path("sets/own.calibration.toml")).unwrap();
    measure(&sandbox, "sets/own.toml", "builtin-tiny").expect_code(0);
    assert_eq!(std::fs::read(sandbox.path("sets/own.calibration.toml")).unwrap(), first);
    // another content is another set
    sandbox.write("sets/own.toml", set((1..13).map(varied)));
    sandbox.manifest("a", &[("id = \"a\"", "id = \"b\""), (INPUTS, OWN), SPECULATION]);
    sandbox
        .refuses(&["register", FILE], 3)
        .expect_texts(&["is not calibrated", "what is stored was measured of another content"]);
}

/// A tokenizer with few tokens makes much repetition of any text: what it measures counts, not words.
#[test]
fn what_the_models_tokenizer_makes_of_a_set_decides() {
    let sandbox = Sandbox::with_model();
    sandbox.write("sets/own.toml", set((0..12).map(varied)));
    sandbox.script(&format!("vocabulary = 5\n{QUIET_SCRIPT}"));
    sandbox.manifest("a", &[(INPUTS, OWN), ROUTING]);
    sandbox.runner(&["check", FILE]).expect_code(0);
    measure(&sandbox, "sets/own.toml", "builtin-tiny")
        .expect_code(0)
        .expect_text("routing          not fit: token repetition 0.9");
    for command in COMMANDS {
        sandbox
            .refuses(&[command, &[FILE]].concat(), 2)
            .expect_text("is outside of the class \"routing\"")
            .expect_text("token repetition 0.9");
    }
    // a second tokenizer under which it is fit leaves the first as it is: `check` does not know
    // which model is meant, `register` does
    sandbox.script(&format!("vocabulary = 100000\n{QUIET_SCRIPT}"));
    let other = other_tokenizer(&sandbox);
    measure(&sandbox, "sets/own.toml", &other).expect_code(0).expect_text("routing          fit");
    sandbox.runner(&["check", FILE]).expect_code(0);
    sandbox.refuses(&["register", FILE], 3).expect_texts(&[
        "the set `sets/own.toml` is outside of the class routing",
        "token repetition 0.9",
        "or show the arms as `ceiling` or `control`",
    ]);
}

#[test]
fn a_calibration_that_cannot_be_understood_is_named() {
    let sandbox = Sandbox::with_model();
    sandbox.write("sets/own.toml", set((0..12).map(varied)));
    sandbox.manifest("a", &[(INPUTS, OWN), SPECULATION]);
    measure(&sandbox, "sets/own.toml", "builtin-tiny").expect_code(0);
    let file = "sets/own.calibration.toml";
    let good = std::fs::read_to_string(sandbox.path(file)).unwrap();
    let rate = good.lines().find(|line| line.starts_with("lookup_hit_rate")).unwrap();
    let impossible =
        "lookup_hit_rate = { min = -1.0, p10 = 0.0, median = 0.0, p90 = 0.0, max = 0.0 }";
    for (text, words) in [
        ("{]".to_owned(), "own.calibration.toml:1"),
        (good.replace("schema = 1", "schema = 2"), "schema 2 of a calibration is not known"),
        (good.replace("schema = 1", "schema = 1\nextra = 1"), "unknown field `extra`"),
        (good.replace(rate, impossible), "shares below 0 or over 1"),
    ] {
        assert_ne!(text, good);
        sandbox.write(file, text);
        sandbox.refuses(&["register", FILE], 2).expect_texts(&[words, "writes it anew"]);
    }
    sandbox.write(file, good.replace(rate, ""));
    // what is not there is unknown, and unknown is never fit
    sandbox.refuses(&["register", FILE], 2).expect_text("prompt-lookup hit rate unknown");
}

#[test]
fn the_experts_of_a_mixture_are_seen_or_unknown() {
    let sandbox = Sandbox::new();
    let unseen = measure(&sandbox, "prose-48", "builtin-tiny-experts").expect_code(0);
    unseen.expect_texts(&[
        "experts: 2 of 8 a token; their use is unknown: the engine shows no scores of experts",
        "routing          not fit: expert entropy unknown; routing entropy unknown",
    ]);
    let nodes = "[base.observe]\ntensors = [\"embd\", \"ffn_moe_probs-0\", \"ffn_moe_probs-1\"]\nwidth = 8\n";
    sandbox.script(nodes);
    let worker = fake_worker();
    let ask = ["--json", "workload", "measure", "prose-48", "--model", "builtin-tiny-experts"];
    let said = sandbox.runner(&[&ask[..], &["--worker", &worker]].concat()).expect_code(0).json();
    let experts = &said["measured"]["experts"];
    assert_eq!((experts["count"].as_u64(), experts["used"].as_u64()), (Some(8), Some(2)));
    let layers = experts["layer"].as_array().unwrap();
    assert_eq!(layers.len(), 2);
    for layer in layers {
        let counts = layer["tokens_by_expert"].as_array().unwrap();
        let all: u64 = counts.iter().map(|count| count.as_u64().unwrap()).sum();
        assert_eq!((counts.len(), all), (8, 2 * experts["tokens"].as_u64().unwrap()));
    }
    sandbox.script(&nodes.replace("width = 8", "width = 7"));
    measure(&sandbox, "prose-48", "builtin-tiny-experts")
        .expect_code(0)
        .expect_text("has not one score for each of 8 experts and each token");
    // a worker whose file is not what it says is no measurement
    sandbox.script(&format!("{nodes}fault = \"hash\"\n"));
    measure(&sandbox, "prose-48", "builtin-tiny-experts").expect_code(3).expect_text("blake3");
}

/// Which experts work hangs on the text, whatever the class: the silent best case of the lesson.
#[test]
fn l11_a_mixture_of_experts_needs_varied_text_for_dense_throughput_too() {
    let sandbox = Sandbox::new();
    let filler = (INPUTS, "inputs = \"filler-48\"");
    sandbox.manifest("a", &[filler, EXPERTS]);
    sandbox.runner(&["check", FILE]).expect_code(0);
    for command in [&["plan"][..], &["register"], &["exec", "--register"]] {
        sandbox.refuses(&[command, &[FILE]].concat(), 3).expect_texts(&[
            "the set `filler-48` is outside of the class dense_throughput on a mixture of experts",
            "token repetition",
        ]);
    }
    sandbox.manifest("a", &[EXPERTS]);
    sandbox.runner(&["register", FILE]).expect_code(0);
}

/// Few experts for varied text: the histogram decides, not the text.
#[test]
fn a_set_whose_tokens_meet_the_same_experts_is_refused_for_routing() {
    let sandbox = Sandbox::new();
    sandbox.write("sets/own.toml", set((0..12).map(varied)));
    sandbox.script(&format!(
        "vocabulary = 100000\n{QUIET_SCRIPT}[base.observe]\ntensors = [\"ffn_moe_logits-0\"]\nwidth = 8\n"
    ));
    measure(&sandbox, "sets/own.toml", "builtin-tiny-experts").expect_code(0);
    sandbox.manifest("a", &[(INPUTS, OWN), ROUTING, EXPERTS]);
    sandbox.runner(&["register", FILE]).expect_code(0);
    let file = "sets/own.calibration.toml";
    let good = std::fs::read_to_string(sandbox.path(file)).unwrap();
    let line = good.lines().find(|line| line.starts_with("expert_entropy = {")).unwrap();
    let narrow = "expert_entropy = { min = 0.33, p10 = 0.33, median = 0.35, p90 = 0.4, max = 0.4 }";
    sandbox.write(file, good.replace(line, narrow));
    sandbox.refuses(&["exec", FILE], 3).expect_text("expert entropy 0.33");
}

#[test]
fn sets_are_listed_with_what_they_were_measured_with() {
    let sandbox = Sandbox::with_model();
    sandbox.write("experiments/workloads/mine.toml", set((0..12).map(varied)));
    measure(&sandbox, "mine", "builtin-tiny").expect_code(0);
    sandbox.write("experiments/workloads/broken.toml", "schema = 2\n");
    let listed = sandbox.runner(&["--json", "workload", "list"]).expect_code(1).json();
    let sets = listed["sets"].as_array().unwrap();
    let names: Vec<&str> = sets.iter().map(|set| set["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["prose-48", "code-48", "filler-48", "mine"]);
    assert_eq!(sets[3]["measured_with"], serde_json::json!(["builtin-tiny"]));
    let built_in = sets[0]["measured_with"].to_string();
    for model in ["builtin-tiny", "builtin-tiny-experts", "smollm2-135m-instruct-q4_1"] {
        assert!(built_in.contains(&format!("\"{model}\"")), "{built_in}");
    }
    assert_eq!(listed["unusable"].as_array().unwrap().len(), 1);
    sandbox.runner(&["workload", "list"]).expect_code(1).expect_text("filler-48");
}
