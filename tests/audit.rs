//! `audit`: what documents say is what records say. Each test sees it red, mends what it names, and
//! sees it green.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use sandbox::{Said, Sandbox};

/// For a second experiment on the same question.
const SEEN: (&str, &str) = ("prior_access = \"none\"", "prior_access = \"seen\"");

/// A project with one record, and what that says.
struct Recorded {
    sandbox: Sandbox,
    /// `id/run`.
    record: String,
    /// `1.198x`.
    ratio: String,
    /// `+19.8 %`.
    percent: String,
    /// Median of the arm, `1198 tokens/s`.
    arm: String,
}

fn recorded(id: &str) -> Recorded {
    recorded_in(Sandbox::with_model(), id)
}

fn recorded_in(sandbox: Sandbox, id: &str) -> Recorded {
    let judged = sandbox.judge(id, &[]);
    let comparison = judged.comparison("fast");
    let log_ratio = comparison["effect"]["log_ratio"].as_f64().unwrap();
    let median = comparison["treatment"]["median"].as_f64().unwrap();
    let run = sandbox.runs(id).pop().unwrap();
    Recorded {
        sandbox,
        record: format!("{id}/{run}"),
        ratio: format!("{:.3}x", log_ratio.exp()),
        percent: format!("{:+.1} %", log_ratio.exp_m1() * 100.0),
        arm: format!("{median:.0} tokens/s"),
    }
}

impl Recorded {
    fn document(&self, text: &str) {
        self.sandbox.write("docs/speed.md", text);
    }

    fn audit(&self) -> Said {
        self.sandbox.runner(&["audit"])
    }

    /// Red, with one error, of this rule, that says this.
    #[track_caller]
    fn red(&self, rule: &str, text: &str) {
        let said = self.audit().expect_code(1);
        let errors: Vec<&str> = said.out.lines().filter(|line| line.starts_with("error")).collect();
        let good = errors.len() == 1
            && errors[0].starts_with(&format!("error[{rule}]"))
            && errors[0].contains(text);
        assert!(good, "not one `{rule}` with {text:?}:\n{}", said.out);
    }

    #[track_caller]
    fn green(&self) {
        self.audit().expect_code(0).expect_text("0 errors, 0 warnings");
    }
}

#[test]
fn a_bare_figure_is_red_until_it_has_a_source() {
    let recorded = recorded("bare");
    let Recorded { record, ratio, .. } = &recorded;
    recorded.green();
    recorded.document(&format!("# Speed\n\nTwo threads are {ratio} of one.\n"));
    recorded.red("bare-figure", "docs/speed.md:3:17: no record is cited for `1.");
    recorded.document(&format!("# Speed\n\nTwo threads are {ratio} of one ({record}).\n"));
    recorded.green();
    let by_hand =
        "<!-- measured: by a stopwatch on a desk, 2026-11-29 -->\nIt did 12.5 tokens/s.\n";
    recorded.document(by_hand);
    recorded.green();
    recorded.document(&by_hand.replace(", 2026-11-29", ""));
    let said = recorded.audit().expect_code(1);
    assert!(said.out.contains("error[measured-undated]: docs/speed.md:1:1"), "{}", said.out);
    assert!(said.out.contains("error[bare-figure]: docs/speed.md:2:8"), "{}", said.out);
    recorded
        .document("<!-- audit-excuse: a story of another machine -->\n\nIt did 12.5 tokens/s.\n");
    recorded.green();
    recorded.document("It did 12.5 tokens/s. <!-- audit-excuse: -->\n");
    recorded.audit().expect_code(1).expect_text("error[excuse-without-reason]");
    recorded.document("```\ndecode 12.5 tokens/s\n```\n");
    recorded.red("bare-figure", "docs/speed.md:2:8");
    recorded.document("<!-- example -->\n```\ndecode 12.5 tokens/s\n```\n");
    recorded.green();
}

#[test]
fn a_cited_record_must_exist_and_say_the_figure() {
    let recorded = recorded("cited");
    let Recorded { record, ratio, percent, arm, .. } = &recorded;
    recorded.document(&format!("It is {ratio} ({percent}), {arm}: {record}.\r\nAnd it is so.\r\n"));
    recorded.green();
    recorded.document(&format!("It is 1.873x, says {record}.\n"));
    recorded.red("not-in-record", &format!("docs/speed.md:1:7: `1.873x` is no figure of {record}"));
    recorded.document(&format!("It is {ratio}, says {record}1.\n"));
    recorded.red("bare-figure", "docs/speed.md:1:7");
    let other = record.replace("cited/2", "cites/2");
    recorded.document(&format!("It is {ratio}, says {other}.\n"));
    recorded.red("unknown-record", &format!("there is no record {other}"));
    recorded.audit().expect_text(&format!("did you mean {record}?"));
    // what does not end with a citation is a figure of its own
    recorded.document("| arm | decode, tokens/s |\n|---|---|\n| fast | 1873 |\n");
    recorded.red("bare-figure", "docs/speed.md:3:10");
}

#[test]
fn a_sentence_must_speak_of_what_was_measured() {
    let recorded = recorded("spoken");
    recorded.sandbox.judge("other", &[SEEN, ("\"fast\"", "\"two-threads\"")]);
    let Recorded { record, ratio, .. } = &recorded;
    for (words, what) in [
        ("With two-threads", "it names the arm `two-threads`"),
        ("On CUDA", "it names CUDA"),
        ("With smollm2-135m-instruct-q4_1", "it names the model smollm2-135m-instruct-q4_1"),
        ("With Qwen2", "it names the architecture Qwen2"),
        ("With Qwen2-7B", "it names the architecture Qwen2-7B"),
        ("With gemma9-2b", "it names the architecture gemma9-2b"),
        ("With the arm `warp`", "it names the arm `warp`"),
        ("Prefill gains:", "it speaks of prefill, but"),
        ("At depth 4096", "it speaks of depth 4096, but"),
        ("With `depth_tokens=512`", "it speaks of depth 512, but"),
    ] {
        recorded.document(&format!("{words} it is {ratio} ({record}).\n"));
        recorded.red("outside-regime", what);
    }
    recorded
        .document(&format!("With `fast` and builtin-tiny on the CPU it is {ratio} ({record}).\n"));
    recorded.green();
}

#[test]
fn a_true_number_may_not_be_turned_round() {
    let recorded = recorded("turned");
    let Recorded { record, percent, ratio, .. } = &recorded;
    let bare = percent.trim_start_matches('+');
    for words in [
        format!("It is {bare} slower ({record})."),
        format!("It is -{bare} ({record})."),
        format!("It costs {bare} of speed ({record})."),
        format!("A slowdown of {bare} ({record})."),
        format!("It is {ratio} slower ({record})."),
    ] {
        recorded.document(&words);
        recorded.red("not-in-record", "which goes the other way");
    }
    for words in [
        format!("It is {bare} faster, {ratio} ({record})."),
        format!("It changes by {percent} ({record})."),
        format!("A gain of {bare} ({record})."),
    ] {
        recorded.document(&words);
        recorded.green();
    }
}

#[test]
fn a_citation_beside_a_figure_must_say_it() {
    let recorded = recorded("beside");
    let Recorded { record, ratio, arm, .. } = &recorded;
    recorded.document(&format!("Decode runs at 777 tokens/s on my laptop. See {record}.\n"));
    recorded.red("not-in-record", "docs/speed.md:1:16: `777 tokens/s` is no figure of");
    recorded.document(&format!("See {record}.\n\n```\ndecode 777 tokens/s\n```\n"));
    recorded.red("not-in-record", "docs/speed.md:4:8");
    recorded.document(&format!("See {record}.\n\n| x | y |\n|---|---|\n| a | 9.99x |\n"));
    recorded.red("not-in-record", "docs/speed.md:5:7");
    recorded.document(&format!(
        "It is 9.99x. It is <!-- record: {record} ratio -->{ratio}<!-- /record -->.\n"
    ));
    recorded.red("not-in-record", "docs/speed.md:1:7");
    recorded.document(&format!(
        "It is {ratio}. See {record}.\n\n```\ndecode {arm}\n```\n\n\
         <!-- measured: by hand, 2026-11-29 -->\nIt did 777 tokens/s. See {record}.\n"
    ));
    recorded.green();
}

#[test]
fn few_figures_are_a_records_by_chance() {
    let recorded = recorded("chance");
    let record = &recorded.record;
    let passing = |all: Vec<String>| {
        let text: Vec<String> =
            all.iter().map(|figure| format!("It is {figure} ({record}).")).collect();
        recorded.document(&text.join("\n\n"));
        all.len() - recorded.audit().out.matches("error[not-in-record]").count()
    };
    let percents = passing((1..100).map(|n| format!("{n} %")).collect());
    assert!((1..=12).contains(&percents), "{percents} of 99 whole percents");
    let fine = passing((0..200).map(|n| format!("{:.1} %", f64::from(n) * 0.5 + 0.3)).collect());
    assert!(fine <= 10, "{fine} of 200 percents");
    let ratios = passing((10..210).map(|n| format!("{:.2}x", f64::from(n) / 100.0)).collect());
    assert!((1..=6).contains(&ratios), "{ratios} of 200 ratios");
}

#[test]
fn reports_as_pages_are_not_searched() {
    let recorded = recorded("paged");
    let sandbox = &recorded.sandbox;
    sandbox.runner(&["report", "--html-site", "public"]).expect_code(0);
    sandbox.runner(&["report", &recorded.record, "--html", "one.html"]).expect_code(0);
    sandbox.runner(&["record", "retract", &recorded.record, "--cause", "a slip"]).expect_code(0);
    recorded.audit().expect_code(0).expect_text("generated by `runner`").expect_text("one.html");
    sandbox.write("two.html", format!("<!doctype html>\n<p>{}</p>\n", recorded.ratio));
    recorded.red("struck-figure", "two.html:2:4");
}

#[test]
fn record_blocks_are_filled_and_checked() {
    let recorded = recorded("filled");
    let Recorded { record, ratio, percent, .. } = &recorded;
    let text = format!(
        "It is <!-- record: {record} fast ratio --><!-- /record -->, \
         <!-- record: {record} percent -->+99.9 %<!-- /record -->: \
         <!-- record: {record} verdict --><!-- /record -->.\n"
    );
    recorded.document(&text);
    let said = recorded.audit().expect_code(1);
    assert_eq!(said.out.matches("error[block-outdated]").count(), 3, "{}", said.out);
    said.expect_text(&format!("it says `+99.9 %`; the record says `{percent}`"));
    recorded.sandbox.runner(&["audit", "--write"]).expect_code(0).expect_text("3 blocks written");
    recorded.green();
    let written = std::fs::read_to_string(recorded.sandbox.path("docs/speed.md")).unwrap();
    assert!(written.contains(&format!("fast ratio -->{ratio}<!-- /record -->")), "{written}");
    assert!(written.contains("verdict -->win<!-- /record -->"), "{written}");
    for (comment, what) in [
        (format!("record: {record} rato"), "its last word is `rato`"),
        (format!("record: {record} slow ratio"), "the record has no `slow`"),
        ("record:".to_owned(), "it names no record"),
    ] {
        recorded.document(&format!("It is <!-- {comment} --><!-- /record -->.\n"));
        recorded.red("block-malformed", what);
    }
    recorded.document(&format!("It is <!-- record: {record} ratio -->{ratio}.\n"));
    recorded.red("block-malformed", "it is never closed");
}

#[test]
fn a_struck_figure_is_found_in_all_its_spellings() {
    let recorded = recorded("struck");
    let Recorded { sandbox, record, ratio, percent, arm } = &recorded;
    let number = arm.trim_end_matches(" tokens/s");
    let percent = percent.trim_start_matches('+');
    let bare = percent.trim_end_matches(" %");
    let comma = bare.replace('.', ",");
    sandbox.write(
        "docs/speed.md",
        format!("Decode: {number} tok/s, {comma} percent, ~{ratio} ({record}).\n\n```\n{number} t/s\n```\n"),
    );
    sandbox.write("notes.txt", format!("it made {number} tokens per second\n"));
    sandbox.write("src/lib.rs", format!("/// {bare}% faster\nfn f() {{}}\n"));
    sandbox.write("paper.pdf", "%PDF");
    sandbox.write("latin.txt", b"gr\xfc\xdfe");
    recorded.audit().expect_code(0);
    sandbox.runner(&["record", "retract", record, "--cause", "the clock was wrong"]).expect_code(0);
    let said = recorded.audit().expect_code(1);
    for place in [
        "error[struck-record]: docs/speed.md:1:",
        "error[struck-figure]: docs/speed.md:4:1",
        "error[struck-figure]: notes.txt:1:9",
        "error[struck-figure]: src/lib.rs:1:5",
        "which was struck: the clock was wrong",
        "not searched (PDF is no text): paper.pdf",
        "latin.txt",
    ] {
        assert!(said.out.contains(place), "{place} is missing:\n{}", said.out);
    }
    // one a place: the sentence that cites the record has one, whatever else stands in it
    assert_eq!(said.out.matches("error[").count(), 4, "{}", said.out);
    // struck through, replaced, excused
    sandbox.write(
        "docs/speed.md",
        format!("Decode: ~~{number} tok/s, {comma} percent, ~{ratio} ({record})~~ is wrong.\n"),
    );
    sandbox.write("notes.txt", "it made some tokens\n");
    recorded.audit().expect_code(1);
    sandbox.write(
        "src/lib.rs",
        format!("// audit-excuse: tells what was believed\n/// {bare}% faster\n"),
    );
    recorded.green();
}

#[test]
fn a_struck_figure_is_not_bare_too() {
    let recorded = recorded("alone");
    let Recorded { sandbox, record, ratio, .. } = &recorded;
    sandbox.runner(&["record", "retract", record, "--cause", "a slip"]).expect_code(0);
    recorded.document(&format!("It is {ratio}.\n"));
    recorded.red("struck-figure", "docs/speed.md:1:7");
    let run = record.trim_start_matches("alone/");
    recorded.document(&format!("It is so ([{record}](../results/alone/{run}/table.md)).\n"));
    recorded.red("struck-record", "a slip");
    recorded.document(&format!("It is <!-- record: {record} ratio -->{ratio}<!-- /record -->.\n"));
    recorded.red("struck-record", "a slip");
}

#[test]
fn a_figure_of_its_replacement_may_stay() {
    let recorded = recorded("replaced");
    let Recorded { sandbox, record, .. } = &recorded;
    let again = sandbox.judge("again", &[SEEN]);
    let run = sandbox.runs("again").pop().unwrap();
    let other = format!("again/{run}");
    let ratio = format!("{:.3}x", again.ratio("fast").unwrap());
    sandbox
        .runner(&["record", "retract", record, "--cause", "a slip", "--replacement", &other])
        .expect_code(0);
    recorded.document(&format!("It is {ratio} ({other}).\n"));
    recorded.green();
    recorded.document(&format!("It is so ({record}).\n"));
    recorded.red("struck-record", "a slip");
    recorded.audit().expect_text(&format!("cite {other} in its place"));
}

/// Writes a ledger entry as another program would.
fn entry(sandbox: &Sandbox, id: &str, kind: &str, body: &str) {
    let text = format!(
        "format_version = 1\nkind = \"{kind}\"\nexperiment = \"{id}\"\nparents = []\n\
         at = \"2026-12-01T00:00:00Z\"\nstate = \"committed\"\n\n[{kind}]\n{body}"
    );
    let name = blake3::hash(text.as_bytes()).to_hex();
    sandbox.write(&format!("results/{id}/ledger/{name}.toml"), text);
}

#[test]
fn replacements_in_a_circle_are_said_once_and_end() {
    let recorded = recorded("one");
    let Recorded { sandbox, record, .. } = &recorded;
    sandbox.judge("two", &[SEEN]);
    let run = sandbox.runs("two").pop().unwrap();
    let other = format!("two/{run}");
    let own = record.trim_start_matches("one/");
    let body =
        |run: &str, by: &str| format!("run = \"{run}\"\ncause = \"c\"\nreplacement = \"{by}\"\n");
    entry(sandbox, "one", "retract", &body(own, &other));
    entry(sandbox, "two", "retract", &body(&run, record));
    recorded.red("replacement-cycle", "replacements go in a circle");
}

#[test]
fn a_stale_record_may_be_cited_as_stale() {
    let recorded = recorded("aged");
    let Recorded { sandbox, record, ratio, .. } = &recorded;
    let run = record.trim_start_matches("aged/");
    entry(
        sandbox,
        "aged",
        "stale",
        &format!(
            "run = \"{run}\"\nmachine = \"m\"\n[[stale.changed]]\nfact = \"kernel\"\nthen = \"1\"\nnow = \"2\"\n"
        ),
    );
    recorded.document(&format!("It is {ratio} ({record}).\n"));
    recorded.red("stale-record", "kernel");
    recorded.document(&format!("It was {ratio} ({record}, stale by now).\n"));
    recorded.green();
}

#[test]
fn the_file_drawer_is_open() {
    let recorded = recorded("run");
    let sandbox = &recorded.sandbox;
    for id in ["waiting", "given-up"] {
        let file = sandbox.manifest(id, &[SEEN]);
        sandbox.runner(&["register", &file]).expect_code(0);
    }
    sandbox.runner(&["record", "withdraw", "given-up", "--reason", "asked already"]).expect_code(0);
    let said = recorded.audit().expect_code(0);
    assert!(said.out.contains("note[never-run]: results/waiting/ledger/"), "{}", said.out);
    assert!(said.out.contains("`given-up` was withdrawn: asked already"), "{}", said.out);
    assert!(!said.out.contains("`given-up` was registered"), "{}", said.out);
}

#[test]
fn a_promise_of_coverage_is_kept_or_red() {
    let recorded = recorded("kept");
    let test = |name: &str, body: &str| {
        let text = format!("/// Checks it.\n#[test]\nfn {name}() {{\n    check(\"{body}\");\n}}\n");
        recorded.sandbox.write("tests/models.rs", text);
    };
    test("qwen2_agrees", "synthetic-llama");
    recorded.red("test-promise", "tests/models.rs:3:4: `qwen2_agrees` promises qwen2");
    test("qwen2_agrees", "synthetic-qwen2");
    recorded.document("The kernels were verified on qwen2.\n");
    recorded.green();
    recorded.document("The kernels were verified on gemma2.\n");
    recorded.red("text-promise", "docs/speed.md:1:30: it says `verified on gemma2`");
}

#[test]
fn outputs_for_programs() {
    let recorded = recorded("told");
    recorded.document("It did 12.5 tokens/s.\n\n<!-- audit-excuse: a tale -->\n\nOnce 3.5x.\n");
    let json = recorded.sandbox.runner(&["--json", "audit"]).expect_code(1).json();
    assert_eq!(json["passes"], false);
    assert_eq!(json["findings"][0]["rule"], "bare-figure");
    assert_eq!(json["findings"][0]["start"]["line"], 1);
    assert_eq!(json["excused"][0]["reason"], "a tale");
    recorded.sandbox.runner(&["audit", "--sarif", "out.sarif"]).expect_code(1);
    let text = std::fs::read_to_string(recorded.sandbox.path("out.sarif")).unwrap();
    let sarif: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], "bare-figure");
    assert_eq!(result["level"], "error");
    let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
    assert_eq!(run["tool"]["driver"]["rules"][index]["id"], "bare-figure");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "docs/speed.md");
    assert_eq!(place["region"]["startColumn"], 8);
    assert_eq!(place["region"]["endColumn"], 21);
    let first = &run["invocations"][0]["toolExecutionNotifications"][0];
    assert!(first["message"]["text"].as_str().unwrap().starts_with("not searched: "), "{first}");
    let printed = recorded.sandbox.runner(&["audit", "--sarif", "-"]).expect_code(1).json();
    assert_eq!(printed["runs"][0]["results"], sarif["runs"][0]["results"]);
    recorded.sandbox.runner(&["audit", "--all"]).expect_text("excused: docs/speed.md:3: a tale");
}

#[test]
fn what_is_searched_is_what_the_project_says() {
    let recorded = recorded("where");
    let sandbox = &recorded.sandbox;
    sandbox.write("papers/draft.md", "It did 12.5 tokens/s.\n");
    sandbox.write("build/out.md", "It did 12.5 tokens/s.\n");
    sandbox.write(".gitignore", "/build\n");
    recorded.red("bare-figure", "papers/draft.md:1:8");
    sandbox.write("runner.toml", "schema = 1\n[audit]\nskip = [\"/papers\"]\n");
    recorded.green();
    sandbox.runner(&["audit", "results"]).expect_code(2).expect_text("record verify");
    sandbox.runner(&["audit", "build"]).expect_code(1).expect_text("build/out.md:1:8");
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("talk.md"), "It did 12.5 tokens/s.\n").unwrap();
    let folder = outside.path().display().to_string();
    sandbox.runner(&["audit", "--outside", &folder]).expect_code(1).expect_text("talk.md:1:8");
    sandbox.write(
        "runner.toml",
        format!("schema = 1\n[audit]\nskip = [\"/papers\"]\noutside = [\"{folder}\"]\n"),
    );
    recorded.red("bare-figure", "talk.md:1:8");
    sandbox.write("runner.toml", "schema = 1\n[audit]\nskipped = []\n");
    recorded
        .audit()
        .expect_code(2)
        .expect_text("runner.toml:3")
        .expect_text("unknown field `skipped`");
    sandbox.write("runner.toml", "schema = 1\n[audit]\nskip = [\"[z-a]\"]\n");
    recorded.audit().expect_code(2).expect_text("[z-a]");
    sandbox.write("runner.toml", "schema = 1\n[audit]\noutside = [\"nowhere\"]\n");
    recorded.audit().expect_code(2).expect_text("nowhere");
}

#[test]
fn strange_files_are_named_and_nothing_hangs() {
    let recorded = recorded("strange");
    let sandbox = &recorded.sandbox;
    sandbox.write("long.md", "9".repeat(1_000_000) + &"*`~|<!--[".repeat(10_000));
    sandbox.write("image.png", b"\x89PNG");
    sandbox.write("zero.md", b"a\0b");
    sandbox.write("half.md", b"caf\xc3");
    let link = |from: &str, to: &str| std::os::unix::fs::symlink(to, sandbox.path(from)).unwrap();
    link("loop", ".");
    link("away", "/etc");
    link("gone", "no-such-file");
    let said = recorded.audit().expect_code(0);
    for line in [
        "not searched (PNG is no text): image.png",
        "not UTF-8: the first wrong byte is number 4",
        "a link to a place outside",
        "a link that leads nowhere",
        "zero.md",
    ] {
        assert!(said.out.contains(line), "{line} is missing:\n{}", said.out);
    }
}

#[test]
fn a_record_is_held_against_every_frozen_version() {
    let recorded = recorded("frozen");
    let sandbox = &recorded.sandbox;
    let changed = sandbox.manifest("frozen", &[("margin_percent = 5.0", "margin_percent = 19.5")]);
    sandbox
        .runner(&["record", "deviate", &recorded.record, &changed, "--reason", "to look"])
        .expect_code(0);
    let said = recorded.audit();
    let line = said.out.lines().find(|line| line.contains("versions-differ")).unwrap_or_default();
    assert!(line.starts_with("warning"), "{}", said.out);
    assert!(line.contains("`fast` is win, and "), "{line}");
    assert!(line.contains("under the deviate of 20"), "{line}");
}

/// Copies records of the repository into a sandbox.
fn with_records_of_the_repository(ids: &[&str]) -> Sandbox {
    fn copy(from: &std::path::Path, to: &std::path::Path) {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            let target = to.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                copy(&entry.path(), &target);
            } else {
                std::fs::copy(entry.path(), target).unwrap();
            }
        }
    }
    let sandbox = Sandbox::new();
    let results = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    for id in ids {
        copy(&results.join(id), &sandbox.path(&format!("results/{id}")));
    }
    sandbox
}

#[test]
fn slices_and_classes_of_inputs_are_regimes() {
    let slice = "flash-attention-f32-4-layers/20261130-055957";
    let code = "lookup-code/20261130-002205";
    let prose = "lookup-prose/20261130-001449";
    let ids = [slice, code, prose].map(|record| record.split('/').next().unwrap());
    let sandbox = with_records_of_the_repository(&ids);
    for (text, what) in [
        (
            format!("The whole model prefills 20.3 % faster ({slice})."),
            format!("it speaks of the whole model, but {slice} measured a slice of 4 of 30 layers"),
        ),
        (
            format!("Drafts of two on prose cost 6.6 % ({code})."),
            format!("it speaks of inputs of prose, but {code} measured code-48"),
        ),
        (
            format!("On code `draft_tokens=4` cost 11.8 % ({prose})."),
            format!("it speaks of inputs of code, but {prose} measured prose-48"),
        ),
    ] {
        sandbox.write("a.md", &text);
        let said = sandbox.runner(&["audit"]).expect_code(1).expect_text(&what);
        assert_eq!(said.out.matches("error[").count(), 1, "{}", said.out);
    }
    let text = format!(
        "The slice prefills 20.3 % faster, 1.203x ({slice}).\n\nDrafts of two cost 6.6 % on code \
         and 1.2 % on prose ({code}, {prose}).\n"
    );
    sandbox.write("a.md", text);
    sandbox.runner(&["audit"]).expect_code(0);
}

#[test]
fn a_changed_ledger_is_no_silence() {
    let id = "flash-attention-f32-4-layers";
    let sandbox = with_records_of_the_repository(&[id]);
    let file = sandbox.files(&format!("results/{id}/ledger")).remove(0);
    let text = std::fs::read_to_string(sandbox.path(&file)).unwrap();
    sandbox.write(&file, text + "# a comment\n");
    sandbox.runner(&["audit"]).expect_code(1).expect_text("error[unreadable-ledger]");
}

#[test]
fn the_repository_itself_is_green() {
    let mut command = Sandbox::new().command(&["audit"]);
    let said = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stdout));
}
