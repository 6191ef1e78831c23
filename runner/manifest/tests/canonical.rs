//! The canonical form: one text for one meaning, and the same text for ever.

use std::path::PathBuf;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha12Rng;

use super::support::{GOOD, altered, plan, try_read};
use crate::manifest::{
    ManifestHash, Plan, canonical_form, from_canonical, manifest_hash, question_key,
};

const VECTORS: &[&str] = &[
    "minimal",
    "prefill-ladder",
    "everything",
    "sequential",
    "chunk-lengths",
    "forms",
    "form-ladder",
    "around",
    "slices",
    "ladder-rule",
];

fn vector(name: &str, ending: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("runner/manifest/vectors")
        .join(format!("{name}.{ending}"))
}

fn text_of(name: &str, ending: &str) -> String {
    std::fs::read_to_string(vector(name, ending)).unwrap()
}

/// Committed vectors are never changed: registrations are known by these hashes.
#[test]
fn manifests_canonical_texts_and_hashes_agree_with_the_committed_vectors() {
    for name in VECTORS {
        let plan = plan(&text_of(name, "toml"));
        let (text, hash) = (canonical_form(&plan), manifest_hash(&plan));
        if !vector(name, "canonical.json").exists() {
            std::fs::write(vector(name, "canonical.json"), &text).unwrap();
            std::fs::write(vector(name, "blake3"), format!("{hash}\n")).unwrap();
            panic!("{name}: no vector was there; one was written");
        }
        assert_eq!(text, text_of(name, "canonical.json"), "{name}");
        assert_eq!(format!("{hash}\n"), text_of(name, "blake3"), "{name}");
        assert_eq!(hash.hex(), blake3::hash(text.as_bytes()).to_hex().as_str());
        assert_eq!(from_canonical(&text).unwrap(), plan, "{name}");
    }
}

/// Tables of a manifest in which each value is on one line: header and lines.
fn tables(source: &str) -> Vec<Vec<String>> {
    let mut tables = vec![Vec::new()];
    for line in source.lines() {
        if line.starts_with('[') {
            tables.push(Vec::new());
        }
        if !line.trim().is_empty() && !line.starts_with('#') {
            tables.last_mut().unwrap().push(line.to_owned());
        }
    }
    tables
}

/// The same manifest with lines and tables in another order, comments, and other blanks.
fn shuffled(source: &str, seed: u64) -> String {
    let mut generator = ChaCha12Rng::seed_from_u64(seed);
    let mut tables = tables(source);
    for (index, table) in tables.iter_mut().enumerate() {
        let keys = if index == 0 { &mut table[..] } else { &mut table[1..] };
        keys.shuffle(&mut generator);
    }
    let mut rest = tables.split_off(1);
    let arms: Vec<Vec<String>> =
        rest.iter().filter(|table| table[0] == "[[arm]]").cloned().collect();
    rest.shuffle(&mut generator);
    // The order of arms means something.
    let mut arms = arms.into_iter();
    for table in &mut rest {
        if table[0] == "[[arm]]" {
            *table = arms.next().unwrap();
        }
    }
    tables.extend(rest);
    let mut text = String::from("# a comment\n");
    for table in tables {
        for line in table {
            text.push_str(&format!("  {}   # said\n\n", line.replacen(" = ", "\t=", 1)));
        }
    }
    text
}

#[test]
fn order_comments_and_blanks_change_nothing() {
    let sources = [GOOD.to_owned(), text_of("minimal", "toml")];
    for source in &sources {
        let hash = manifest_hash(&plan(source));
        for seed in 0..20 {
            let other = shuffled(source, seed);
            assert_ne!(&other, source);
            assert_eq!(manifest_hash(&plan(&other)), hash, "{other}");
        }
    }
}

#[test]
fn ways_of_writing_a_value_and_defaults_change_nothing() {
    let hash = manifest_hash(&plan(GOOD));
    for change in [
        ("margin_percent = 2.0", "margin_percent = 2"),
        ("margin_percent = 2.0", "margin_percent = 20e-1"),
        ("decode_tokens = 64", "decode_tokens = 0x40"),
        ("title = \"A good one\"", "title = 'A good one'"),
        ("title = \"A good one\"", "title = \"A \\u0067ood one\""),
        ("title = \"A good one\"", "\"title\" = \"\"\"A good one\"\"\""),
        (
            "parked.resolution = \"a second registration\"",
            "parked = { resolution = \"a second registration\" }",
        ),
        ("margin_percent = 2.0", "margin_percent = 2.0\nconfidence_percent = 95"),
        ("decode_tokens = 64", "decode_tokens = 64\ndepth_tokens = 0"),
        ("rounds = 12", "rounds = 12\nchunk_tokens = 8\ninput_scope = \"set\""),
        (
            "model = \"builtin-tiny\"",
            "model = \"builtin-tiny\"\nbuild = \"native\"\nfreeze = \"build\"",
        ),
        ("[metric]\n", "[metric]\nsecondary = []\n"),
        (
            "[metric]\n",
            "[claim]\n[gate]\nothers_cpu_percent = 10\npressure_percent = 10\nwait_seconds = 60\ncontaminated_percent = 20\n[metric]\n",
        ),
    ] {
        assert_eq!(manifest_hash(&plan(&altered(&[change]))), hash, "{change:?}");
    }
}

/// Other values for a line `key = value`, of which at least one is right.
fn others(value: &str) -> Vec<String> {
    if let Some(list) = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let items: Vec<&str> = list.split(", ").collect();
        return vec![format!("[{}]", items[1..].join(", ")), format!("[{list}, 2]")];
    }
    if let Ok(number) = value.parse::<f64>() {
        return [
            number + 1.0,
            number - 1.0,
            number * 2.0,
            number / 2.0,
            number + 8.0,
            number + 6.0,
        ]
        .map(|number| number.to_string())
        .to_vec();
    }
    let texts = [
        "on",
        "off",
        "none",
        "pilot",
        "build",
        "source",
        "f16",
        "bf16",
        "q4_0",
        "high",
        "0x7",
        "isolate",
        "prose-48",
        "divergence",
        "treatment",
        "control",
        "peer",
        "prompt_tokens",
        "set",
        "class",
        "batch_threads",
        "elsewhere",
    ];
    let flipped = value.replace(['B', '1'], "0");
    texts.iter().map(|text| format!("\"{text}\"")).chain([flipped]).collect()
}

#[test]
fn changing_any_single_value_changes_the_hash() {
    // Their only value that is right beside the others.
    let alone = ["schema", "of", "primary", "build"];
    let fixed = ["role = \"off\"", "role = \"aa\""];
    let source = text_of("everything", "toml")
        .replace("\"\"\"two lines,\nthe second | with a bar\"\"\"", "\"one\"")
        // Quantised values do not let flash attention be changed.
        .replace("q8_0", "bf16")
        .replace("values = [0, 2048]", "values = [1, 2048]");
    let base = plan(&source);
    let lines: Vec<&str> = source.lines().collect();
    let mut changed = 0;
    for (index, line) in lines.iter().enumerate() {
        let Some((key, value)) = line.split_once(" = ") else { continue };
        if alone.contains(&key.rsplit('.').next().unwrap()) || fixed.contains(line) {
            continue;
        }
        let mut accepted: Vec<Plan> = Vec::new();
        for other in others(value).iter().filter(|other| *other != value) {
            let mut copy: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
            copy[index] = format!("{key} = {other}");
            accepted.extend(try_read(&copy.join("\n")).map(|reading| reading.plan));
        }
        assert!(!accepted.is_empty(), "no other value of `{line}` is right");
        for plan in accepted {
            assert_ne!(manifest_hash(&plan), manifest_hash(&base), "{line}");
            assert_ne!(canonical_form(&plan), canonical_form(&base), "{line}");
        }
        changed += 1;
    }
    assert!(changed > 70, "{changed}");
}

#[test]
fn the_order_of_arms_rungs_and_values_means_something() {
    let source = text_of("everything", "toml");
    let base = manifest_hash(&plan(&source));
    for (old, new) in
        [("rungs = [1, 3]", "rungs = [3, 1]"), ("values = [0, 2048]", "values = [2048, 0]")]
    {
        assert_ne!(manifest_hash(&plan(&source.replace(old, new))), base);
    }
}

#[test]
fn only_the_canonical_text_of_a_known_version_is_read() {
    let text = canonical_form(&plan(GOOD));
    assert!(text.starts_with("{\"canonical\":1,\"plan\":{"));
    let refused = |text: &str| from_canonical(text).unwrap_err().what;
    assert!(
        refused(&text.replace("\"rounds\":12", "\"rounds\": 12"))
            .contains("not in its canonical form")
    );
    assert!(refused(&text.replace("\"canonical\":1", "\"canonical\":2")).contains("version 2"));
    assert!(refused(&text.replace("\"canonical\":1,", "")).contains("no version"));
    assert!(refused(&text.replace("\"rounds\":12", "\"rounds\":12,\"x\":1")).contains("no plan"));
    assert!(refused("{").contains("not JSON"));
}

#[test]
fn a_hash_is_written_and_read_as_64_digits() {
    let hash = manifest_hash(&plan(GOOD));
    let json = serde_json::to_string(&hash).unwrap();
    assert_eq!(json, format!("\"{}\"", hash.hex()));
    assert_eq!(serde_json::from_str::<ManifestHash>(&json).unwrap(), hash);
    assert_eq!(hash.short(), hash.hex()[..12]);
    for wrong in [hash.hex().to_uppercase(), hash.hex()[1..].to_owned(), "x".repeat(64)] {
        assert!(ManifestHash::try_from(wrong).is_err());
    }
}

#[test]
fn a_question_is_known_whatever_it_is_called_and_however_it_is_run() {
    let key = |changes: &[(&str, &str)]| question_key(&plan(&altered(changes)));
    let same: &[(&str, &str)] = &[
        ("id = \"good\"", "id = \"better\""),
        ("name = \"two\"", "name = \"zwei\""),
        ("hypothesis = \"it reads\"", "hypothesis = \"it does not\""),
        ("rounds = 12", "rounds = 13"),
        ("order_seed = 7", "order_seed = 8"),
        ("rounds = 12", "rounds = 12\nchunk_tokens = 16"),
        ("margin_percent = 2.0", "margin_percent = 3.0"),
        ("inputs = \"prose-48\"", "inputs = \"code-48\""),
        // A setting that is said elsewhere, and a second aa.
        ("threads = 2\n", "threads = 2\ncontext_tokens = 1024\n"),
        ("[metric]", "[[arm]]\nname = \"third\"\nrole = \"aa\"\n[metric]"),
    ];
    for change in same {
        assert_eq!(key(&[*change]), key(&[]), "{change:?}");
    }
    let other: &[(&str, &str)] = &[
        ("threads = 2\n", "threads = 3\n"),
        ("model = \"builtin-tiny\"", "model = \"smollm2-135m-instruct-q4_1\""),
        ("class = \"dense_throughput\"", "class = \"divergence\""),
        ("decode_tokens = 64", "decode_tokens = 72"),
        ("decode_tokens = 64", "decode_tokens = 64\ndepth_tokens = 1"),
        ("threads = 2\n", "threads = 2\nworker = \"there\"\n"),
        ("[metric]", "[condition]\nsetting = \"depth_tokens\"\nvalues = [0, 1]\n[metric]"),
    ];
    for change in other {
        assert_ne!(key(&[*change]), key(&[]), "{change:?}");
    }
    // The key is stored in ledgers: this one never changes.
    insta::assert_snapshot!(key(&[]).hex(), @"17a203108b2bf4d7a09668d2d7b6ce6aaaa8a19a8874d06ed9490a0fd31ae583");
}
