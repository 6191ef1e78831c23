//! `runner report --html` and `--html-site`, through the command line.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use sandbox::Sandbox;

/// A title that breaks out of whatever it is put into.
const HOSTILE: &str = r#"</title><script>alert(1)</script>\"'><img src=x onerror=a()>&"#;

/// The same question was looked at before.
const SEEN: (&str, &str) = ("prior_access = \"none\"", "prior_access = \"seen\"");

fn read(sandbox: &Sandbox, path: &str) -> String {
    std::fs::read_to_string(sandbox.path(path)).unwrap()
}

/// The first run's name.
fn run(sandbox: &Sandbox, id: &str) -> String {
    sandbox.runs(id).remove(0)
}

#[test]
fn one_record_is_one_file_that_needs_nothing_else() {
    let sandbox = Sandbox::with_model();
    sandbox.judge("a-page", &[]);
    let said = sandbox.runner(&["report", "a-page", "--html", "out/page.html"]).expect_code(0);
    assert_eq!(said.out, "");
    assert!(said.err.contains("out/page.html"), "{}", said.err);
    let page = read(&sandbox, "out/page.html");
    let name = format!("a-page/{}", run(&sandbox, "a-page"));
    for text in [
        "Two threads against one",
        &name,
        "20 pairs",
        "identical",
        "Described CPU",
        "engine-protocol",
    ] {
        // the protocol's name stands in no record
        assert_eq!(page.contains(text), text != "engine-protocol", "{text:?}");
    }
    for elsewhere in ["http:", "https:", "<script", "<link", "src=", "url("] {
        assert!(!page.contains(elsewhere), "{elsewhere:?} is on the page");
    }
    // to standard output the same, and nothing else
    let printed = sandbox.runner(&["report", &name, "--html", "-"]).expect_code(0);
    assert!(printed.out == page && printed.err.is_empty(), "{}", printed.err);
    let json = sandbox.runner(&["--json", "report", "a-page", "--html", "two.html"]).expect_code(0);
    assert_eq!(json.json()["page"], "two.html");
}

#[test]
fn all_records_are_a_folder_of_static_files() {
    let sandbox = Sandbox::with_model();
    sandbox.judge("first", &[]);
    sandbox.judge("hostile", &[SEEN, ("Two threads against one", HOSTILE)]);
    sandbox.manifest("waiting", &[SEEN]);
    sandbox.runner(&["register", "experiments/waiting.toml"]).expect_code(0);
    sandbox.runner(&["report", "--html-site", "site"]).expect_code(0).expect_text("2 records");
    let index = read(&sandbox, "site/index.html");
    for id in ["first", "hostile"] {
        let address = format!("{id}/{}.html", run(&sandbox, id));
        assert!(index.contains(&format!("<a href=\"{address}\">")), "{address}");
        let page = read(&sandbox, &format!("site/{address}"));
        assert!(page.contains("<a href=\"../index.html\">"), "{address}");
        assert!(!page.contains("<script") && !page.contains("<img"), "{address}");
    }
    assert!(index.contains("<strong>waiting</strong>"), "{index}");
    assert_eq!(index.matches("<script").count(), 1);
    assert!(!index.contains("<img"), "{index}");
    // nothing on a page depends on when it was made
    let before = sandbox.snapshot("site");
    sandbox.runner(&["report", "--html-site", "site"]).expect_code(0);
    assert_eq!(sandbox.snapshot("site"), before);
}

#[test]
fn a_struck_record_says_so_before_its_figures() {
    let sandbox = Sandbox::with_model();
    sandbox.judge("struck", &[]);
    let name = format!("struck/{}", run(&sandbox, "struck"));
    let cause = "the buffer was never written";
    sandbox.runner(&["record", "retract", &name, "--cause", cause]);
    let page = sandbox.runner(&["report", &name, "--html", "-"]).expect_code(0).out;
    let banner = page.find("<strong>struck</strong>").unwrap();
    assert!(banner < page.find("<h1>").unwrap(), "{page}");
    assert!(page.contains(cause) && page.contains("class=\"is-struck\""), "{page}");
    sandbox.runner(&["report", "--html-site", "site"]).expect_code(0);
    assert!(read(&sandbox, "site/index.html").contains("data-state=\"struck\""));
}

#[test]
fn what_cannot_be_written_is_said() {
    let sandbox = Sandbox::with_model();
    sandbox.runner(&["report", "--html", "page.html"]).expect_code(2);
    sandbox.runner(&["report", "no-such", "--html", "page.html"]).expect_code(1);
    sandbox.runner(&["report", "no-such", "--html-site", "site"]).expect_code(2);
    sandbox.write("a-file", "");
    sandbox
        .runner(&["report", "--html-site", "a-file"])
        .expect_code(1)
        .expect_text("cannot be written");
    // an empty project has an index too
    sandbox.runner(&["report", "--html-site", "site"]).expect_code(0);
    assert!(read(&sandbox, "site/index.html").contains("0 records"));
}
