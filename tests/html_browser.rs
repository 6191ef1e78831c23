//! Pages in HTML, looked at in a real browser: overflow, missing or cut texts, contrast, structure.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod browser;
mod sandbox;

use std::path::Path;

use browser::{Page, View};
use sandbox::{QUIET_SCRIPT, Sandbox};

/// The treatment of the sandbox's manifest: a ladder takes its place.
const FAST: &str = "[[arm]]\nname = \"fast\"\nrole = \"treatment\"\nthreads = 2\n\
                    contract.identical.of = \"tokens\"\n";

const LADDER: &str = "[ladder]\nsetting = \"threads\"\nrungs = [2, 16, 64]\n\
                      contract.identical.of = \"tokens\"\nstop.assumes = \"diminishing\"\n\
                      stop.under_percent_per_step = 5.0\n";

const CONDITION: &str = "[condition]\nsetting = \"depth_tokens\"\nvalues = [64, 256]\n\n[metric]";

/// The same question was looked at before.
const SEEN: (&str, &str) = ("prior_access = \"none\"", "prior_access = \"seen\"");

const MECHANISM: (&str, &str) =
    ("prior_access = \"none\"", "mechanism = \"two cores\"\nprior_access = \"none\"");

const LONG_TITLE: (&str, &str) = (
    "Two threads against one",
    "Two threads that compute <other> tokens & say so, at a length that no heading should have to bear",
);

/// So many threads have this ratio to one.
const RUNGS: [(u32, f64); 3] = [(2, 1.08), (16, 1.11), (64, 1.28)];

/// Records of several kinds, and the pages of all of them.
fn site() -> Sandbox {
    let sandbox = Sandbox::with_model();
    sandbox.judge("a-win", &[MECHANISM]);
    sandbox.judge("at-depths", &[("[metric]", CONDITION)]);
    let base = QUIET_SCRIPT.split("[[when]]").next().unwrap();
    let when = RUNGS.map(|(threads, ratio)| {
        let nanoseconds = (1_000_000.0 / ratio).round();
        format!(
            "[[when]]\nsettings = {{ threads = {threads} }}\n\
             decode_nanoseconds_per_token = {nanoseconds}\n"
        )
    });
    sandbox.script(&format!("{base}{}", when.concat()));
    sandbox.judge("a-ladder", &[(FAST, LADDER)]);
    sandbox.script(&format!("{QUIET_SCRIPT}diverge_from_position = 3\n"));
    sandbox.judge("a-void", &[SEEN, LONG_TITLE]);
    sandbox.manifest("never-run", &[SEEN]);
    sandbox.runner(&["register", "experiments/never-run.toml"]).expect_code(0);
    sandbox.runner(&["report", "--html-site", "site"]).expect_code(0);
    sandbox
}

/// What must be read before anything is unfolded.
const WIN: &[&str] = &[
    "Two threads against one",
    "two threads decode 10 % faster or more",
    "win",
    "+19.",
    "5 rounds",
    "identical",
    "kept",
    "attempt",
    "Described CPU",
    "Provenance",
    "Every pair",
    "noise floor",
];
const DEPTHS: &[&str] = &["fast at depth_tokens=64", "fast at depth_tokens=256", "All comparisons"];
const CLIMB: &[&str] = &[
    "The ladder against its rule",
    "stops here",
    "best",
    "threads=64",
    "LADDER RULE CONTRADICTED",
];
const VOID: &[&str] = &[
    "compute <other> tokens & say so",
    "void",
    "broken",
    "First divergence",
    "experiment 2 on this question",
];
const INDEX: &[&str] = &[
    "Results",
    "4 records",
    "compute <other> tokens & say so",
    "Registered, without a record",
    "never-run",
    "+19.",
    "win",
];

fn page(sandbox: &Sandbox, id: &str, needed: &[&str]) -> Page {
    let run = sandbox.runs(id).remove(0);
    stored(sandbox, id, &format!("site/{id}/{run}.html"), needed)
}

fn stored(sandbox: &Sandbox, name: &str, path: &str, needed: &[&str]) -> Page {
    Page {
        name: name.to_owned(),
        html: std::fs::read_to_string(sandbox.path(path)).unwrap(),
        needed: needed.iter().map(|text| (*text).to_owned()).collect(),
    }
}

fn failures(views: &[View]) -> Vec<String> {
    let of = |view: &View| -> Vec<String> {
        let scheme = if view.dark { "dark" } else { "light" };
        let at = format!("{} at {} px, {scheme}", view.name, view.width);
        view.findings.iter().map(|finding| format!("{at}: {finding}")).collect()
    };
    views.iter().flat_map(of).collect()
}

#[test]
fn pages_are_whole_at_every_width_in_both_schemes() {
    let Some(browser) = browser::browser() else { return };
    let sandbox = site();
    let pages = [
        page(&sandbox, "a-win", WIN),
        page(&sandbox, "at-depths", DEPTHS),
        page(&sandbox, "a-ladder", CLIMB),
        page(&sandbox, "a-void", VOID),
        stored(&sandbox, "index", "site/index.html", INDEX),
    ];
    let folder = tempfile::tempdir().unwrap();
    let views = browser::look(&browser, folder.path(), &pages);
    let failures = failures(&views);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    for view in &views {
        // it has really looked
        assert!(view.texts > 30 && view.worst >= 4.5, "{view:?}");
    }
}

/// The check itself can fail: a page that is broken on purpose is found out.
#[test]
fn the_browser_finds_what_is_broken() {
    let Some(browser) = browser::browser() else { return };
    let whole = |style: &str, body: &str| {
        format!(
            "<!doctype html><html lang=\"en\"><head><meta http-equiv=\"Content-Security-Policy\" \
             content=\"default-src 'none'\"><style>a:focus {{ outline: 2px solid }} \
             body {{ color: #000; background: #fff }} {style}</style></head><body><header></header>\
             <main><h1>One</h1>{body}</main><footer>end</footer></body></html>"
        )
    };
    let cases = [
        ("wide", whole("", "<p style=\"width:2000px\">long</p>"), "overflow"),
        ("pale", whole("", "<p style=\"color:#999\">pale</p>"), "contrast 2.85"),
        ("gone", whole("", "<p hidden>the phrase</p>"), "missing: the phrase"),
        ("tiny", whole("", "<p style=\"font-size:2px\">tiny</p>"), "text without size"),
        ("order", whole("", "<h3>Three</h3>"), "heading order"),
        ("scope", whole("", "<table><tr><th>head</th></tr></table>"), "th without scope"),
        (
            "focus",
            whole("a:focus { outline: none }", "<a href=\"x.html\">x</a>"),
            "focus is not seen",
        ),
        (
            "drawing",
            whole(
                "",
                "<svg role=\"img\" viewBox=\"0 0 50 20\" width=\"50\"><title>t</title><desc>d</desc><text x=\"40\" y=\"12\">beyond</text></svg>",
            ),
            "text outside its drawing",
        ),
        ("sound", whole("", "<p>the phrase</p>"), ""),
    ];
    let pages: Vec<Page> = cases
        .iter()
        .map(|(name, html, _)| Page {
            name: (*name).to_owned(),
            html: html.clone(),
            needed: if *name == "gone" { vec!["the phrase".to_owned()] } else { Vec::new() },
        })
        .collect();
    let folder = tempfile::tempdir().unwrap();
    for view in browser::look(&browser, Path::new(folder.path()), &pages) {
        let (_, _, expected) = cases.iter().find(|(name, _, _)| *name == view.name).unwrap();
        let found = view.findings.iter().any(|finding| finding.contains(expected));
        assert!(if expected.is_empty() { view.findings.is_empty() } else { found }, "{view:?}");
    }
}
