//! Files that are no manifests, or not plain ones: marks, line ends, garbage, folders; and what
//! programs read of faults.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use sandbox::Sandbox;

const FILE: &str = "experiments/a.toml";

/// A sound manifest that names no worker of its own, as bytes.
fn sound(sandbox: &Sandbox) -> String {
    sandbox.manifest("a", &[]);
    std::fs::read_to_string(sandbox.path(FILE)).unwrap()
}

/// The report on the one file that was checked.
fn report(sandbox: &Sandbox, code: i32) -> serde_json::Value {
    sandbox.refuses(&["check", FILE, "--json"], code).json()[0].clone()
}

#[test]
fn a_byte_order_mark_and_other_line_ends_change_nothing() {
    let sandbox = Sandbox::new();
    let text = sound(&sandbox);
    let hash = report(&sandbox, 0)["manifest_hash"].clone();
    assert!(hash.is_string());
    for other in [
        format!("\u{feff}{text}"),
        text.replace('\n', "\r\n"),
        format!("\u{feff}{}", text.replace('\n', "\r\n")),
    ] {
        sandbox.write(FILE, other);
        let report = report(&sandbox, 0);
        assert_eq!(report["errors"], 0);
        assert_eq!(report["manifest_hash"], hash);
    }
}

#[test]
fn places_are_right_behind_a_byte_order_mark_and_with_other_line_ends() {
    let sandbox = Sandbox::new();
    let text = sound(&sandbox).replace("threads = 2", "\tthreds = 2 # ü");
    let line = 1 + text.lines().position(|line| line.contains("threds")).unwrap();
    for other in [
        text.clone(),
        format!("\u{feff}{text}"),
        text.replace('\n', "\r\n"),
        format!("\u{feff}{}", text.replace('\n', "\r\n")),
    ] {
        sandbox.write(FILE, other);
        let report = report(&sandbox, 2);
        let fault = &report["faults"][0];
        assert_eq!((&fault["line"], &fault["column"]), (&line.into(), &2.into()));
        sandbox.refuses(&["plan", FILE], 2).expect_text(&format!("--> {FILE}:{line}:2\n"));
    }
    // on the first line the mark would shift columns
    sandbox.write(FILE, "\u{feff}schema = true\n");
    let fault = &report(&sandbox, 2)["faults"];
    let wrong = fault.as_array().unwrap().iter().find(|fault| fault["code"] == "wrong-type");
    assert_eq!((&wrong.unwrap()["line"], &wrong.unwrap()["column"]), (&1.into(), &10.into()));
}

/// Bytes without order, the same each time.
fn garbage(bytes: u32, byte: impl Fn(u32) -> u8) -> Vec<u8> {
    // 2654435761: Knuth's multiplicative hash
    (0..bytes).map(|index| byte(index.wrapping_mul(2_654_435_761) >> 16)).collect()
}

#[test]
fn a_megabyte_of_garbage_has_a_short_answer() {
    let sandbox = Sandbox::new();
    let megabyte = 1 << 20;
    let any = |number: u32| number.to_le_bytes()[0];
    let printable = |number: u32| 33 + (number % 90) as u8;
    for (content, words) in [
        (garbage(megabyte, any), "not UTF-8 text from line 1, column"),
        (garbage(megabyte, printable), "error[toml-syntax]"),
        (vec![0; megabyte as usize], "error["),
        (vec![b'['; megabyte as usize], "error["),
        (vec![b'\n'; megabyte as usize], "the manifest is empty"),
        ([b"a = ".to_vec(), vec![b'['; megabyte as usize - 4]].concat(), "error["),
        ([b"a = ".to_vec(), b"{a=".repeat(300_000)].concat(), "error["),
        (b"a=1\n".repeat(262_144), "error[duplicate-key]"),
        (
            [b"title = \"", vec![b'x'; megabyte as usize - 10].as_slice(), b"\""].concat(),
            "at most 1000 fit",
        ),
        (
            [b"rungs = [", b"1,".repeat(500_000).as_slice(), b"]"].concat(),
            "error[key-in-wrong-table]",
        ),
        (garbage(megabyte + 1, printable), "a manifest has at most 1048576"),
    ] {
        sandbox.write(FILE, content);
        for command in ["check", "plan", "register", "exec"] {
            let said = sandbox.refuses(&[command, FILE], 2).expect_text(words).expect_text(FILE);
            assert!(said.err.len() < 30_000, "{} bytes of message", said.err.len());
            assert!(said.err.lines().all(|line| line.len() < 2_000));
        }
        assert!(report(&sandbox, 2)["errors"].as_u64().unwrap() > 0);
    }
}

#[test]
fn an_empty_file_and_a_cut_one() {
    let sandbox = Sandbox::new();
    let text = sound(&sandbox);
    sandbox.write(FILE, "");
    sandbox.refuses(&["check", FILE], 2).expect_text("`runner new ID --template ab`");
    sandbox.write(FILE, &text[..text.find("[design]").unwrap() + "[design]\nroun".len()]);
    sandbox.refuses(&["register", FILE], 2).expect_text("error[toml-syntax]");
    sandbox.write(FILE, &text[..text.find("[design]").unwrap()]);
    let said = sandbox.refuses(&["register", FILE], 2);
    for missing in ["[design]", "[stop]", "[decision]"] {
        assert!(said.err.contains(&format!("the table `{missing}` is missing")), "{}", said.err);
    }
}

#[test]
fn no_file_a_folder_and_no_project() {
    let sandbox = Sandbox::new();
    for command in ["check", "plan", "register", "exec"] {
        sandbox
            .refuses(&[command, "experiments/none.toml"], 2)
            .expect_text("experiments/none.toml: the manifest cannot be read")
            .expect_text("`runner new` writes a manifest");
        sandbox.refuses(&[command, "."], 2).expect_text("the manifest cannot be read");
    }
    sandbox.refuses(&["check"], 2).expect_text("no manifests can be found");
    std::fs::create_dir(sandbox.path("experiments")).unwrap();
    // a check of nothing is no pass
    sandbox.refuses(&["check"], 2).expect_text("there are none").expect_text("runner new");

    std::fs::remove_file(sandbox.path("runner.toml")).unwrap();
    for arguments in [&["check", FILE][..], &["exec", FILE], &["new", "b"], &["list"]] {
        sandbox
            .refuses(arguments, 2)
            .expect_text("no `runner.toml` here or in any folder above")
            .expect_text("run `runner init`");
    }
}

#[test]
fn every_file_is_reported_before_the_check_fails() {
    let sandbox = Sandbox::new();
    sandbox.manifest("a", &[("rounds = 5", "rounds = 0")]);
    sandbox.manifest("b", &[]);
    sandbox.manifest("d", &[("threads = 2", "threds = 2")]);
    let files = ["a", "b", "c", "d"].map(|id| format!("experiments/{id}.toml"));
    let arguments: Vec<&str> =
        std::iter::once("check").chain(files.iter().map(String::as_str)).collect();
    sandbox
        .refuses(&arguments, 2)
        .expect_text("experiments/a.toml: 1 error")
        .expect_text("experiments/b.toml: no faults")
        .expect_text("experiments/c.toml: the manifest cannot be read")
        .expect_text("did you mean `threads`?");
    let reports = sandbox.refuses(&[&arguments[..], &["--json"]].concat(), 2).json();
    let reports = reports.as_array().unwrap();
    let errors: Vec<_> = reports.iter().map(|report| report["errors"].as_u64().unwrap()).collect();
    assert_eq!(errors, [1, 0, 1, 1]);
    for (report, file) in reports.iter().zip(&files) {
        assert_eq!(report["file"], file.as_str());
        assert_eq!(report["manifest_hash"].is_string(), report["errors"] == 0);
    }
    assert_eq!(reports[2]["faults"][0]["code"], "unreadable");
    assert_eq!(reports[3]["faults"][0]["code"], "unknown-key");
}

#[test]
fn programs_get_the_place_and_the_remedy_of_each_fault() {
    let sandbox = Sandbox::new();
    sandbox.manifest("a", &[("rounds = 5", "rounds = 0"), ("threads = 2", "threds = 2")]);
    let text = std::fs::read_to_string(sandbox.path(FILE)).unwrap();
    let said = sandbox.refuses(&["check", FILE, "--json"], 2);
    assert_eq!(said.err, "");
    let report = &said.json()[0];
    assert_eq!(report["errors"], 2);
    for (fault, key) in report["faults"].as_array().unwrap().iter().zip(["threds", "rounds = 0"]) {
        let line = 1 + text.lines().position(|line| line.starts_with(key)).unwrap();
        assert_eq!(fault["line"], line);
        assert_eq!(fault["column"], if key == "threds" { 1 } else { 10 });
        assert_eq!(fault["file"], FILE);
        assert!(fault["help"].is_string());
    }
    // other commands say in JSON what they say in text
    for command in ["plan", "register", "exec"] {
        let value = sandbox.refuses(&[command, FILE, "--json"], 2).json();
        assert_eq!(value["error"]["exit_code"], 2);
        assert_eq!(value["error"]["place"], FILE);
        let rendered = value["error"]["rendered"].as_str().unwrap();
        assert!(rendered.contains("did you mean `threads`?"), "{rendered}");
    }
}
