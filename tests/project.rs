//! Making a project, and what is said in it and outside of one.

mod sandbox;

use sandbox::Sandbox;

#[test]
fn init_makes_a_project_whose_example_passes_check() {
    let sandbox = Sandbox::bare();
    sandbox.runner(&["init"]).expect_code(0).expect_text("first-look.toml");
    let files = sandbox.files(".");
    for file in ["runner.toml", "experiments/first-look.toml", "docs/manifest.schema.json"] {
        assert!(files.contains(&file.to_owned()), "{file} is missing: {files:?}");
    }
    assert!(sandbox.path("results").is_dir());
    sandbox.runner(&["check"]).expect_code(0).expect_text("first-look.toml: no faults");
    // from any folder inside
    let inside = sandbox.command(&["list"]).current_dir(sandbox.path("docs")).output().unwrap();
    assert_eq!(inside.status.code(), Some(0));
}

#[test]
fn the_first_command_of_the_readme_finds_a_registration_under_todays_rules() {
    let ledger = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("results/quickstart/ledger");
    let entries = std::fs::read_dir(&ledger).unwrap();
    let texts: Vec<String> =
        entries.map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap()).collect();
    let rules = format!("rules_version = {}\n", runner::verdict::RULES_VERSION);
    assert!(!texts.is_empty());
    for text in texts {
        assert!(text.contains(&rules), "register experiments/quickstart.toml anew: {text}");
    }
}

#[test]
fn init_takes_a_folder() {
    let sandbox = Sandbox::bare();
    sandbox.runner(&["init", "there"]).expect_code(0);
    assert!(sandbox.path("there/runner.toml").is_file());
    assert!(!sandbox.path("runner.toml").exists());
}

#[test]
fn init_refuses_a_project_and_overwrites_nothing() {
    let sandbox = Sandbox::bare();
    sandbox.runner(&["init"]).expect_code(0);
    sandbox.write("experiments/first-look.toml", "mine");
    let before = sandbox.snapshot(".");
    sandbox.runner(&["init"]).expect_code(2).expect_text("this is a project already");
    assert_eq!(sandbox.snapshot("."), before);
    let other = Sandbox::bare();
    other.write("experiments/first-look.toml", "mine");
    other.runner(&["init"]).expect_code(2).expect_text("the file is there already");
    assert_eq!(other.snapshot(".").into_values().collect::<Vec<_>>(), [b"mine"]);
}

#[test]
fn new_manifests_of_every_template_pass_check() {
    let sandbox = Sandbox::new();
    for template in ["ab", "ladder", "contract"] {
        let id = format!("from-{template}");
        sandbox.runner(&["new", &id, "--template", template]).expect_code(0);
        let file = format!("experiments/{id}.toml");
        sandbox.runner(&["check", &file]).expect_code(0).expect_text("no faults");
        let text = std::fs::read_to_string(sandbox.path(&file)).unwrap();
        assert!(text.contains(&format!("id = \"{id}\"")), "{text}");
    }
    sandbox.runner(&["new", "else", "--output", "else.toml"]).expect_code(0);
    sandbox.runner(&["check", "else.toml"]).expect_code(0);
}

#[test]
fn new_refuses_to_overwrite_and_refuses_a_bad_id() {
    let sandbox = Sandbox::new();
    sandbox.write("experiments/mine.toml", "mine");
    let refused = sandbox.runner(&["new", "mine"]).expect_code(2);
    refused.expect_text("the file is there already").expect_text("nothing was overwritten");
    assert_eq!(std::fs::read(sandbox.path("experiments/mine.toml")).unwrap(), b"mine");
    for id in ["a/b", "", "Upper", "..", "-a"] {
        let before = sandbox.files(".");
        let said = sandbox.runner(&["new", "--", id]);
        assert_eq!(said.code, 2, "{id:?}: {said:?}");
        assert_eq!(sandbox.files("."), before, "{id:?}");
    }
}

#[test]
fn the_committed_schema_is_what_the_program_prints() {
    let sandbox = Sandbox::new();
    let printed = sandbox.runner(&["schema"]).expect_code(0).out;
    let committed = format!("{}/docs/manifest.schema.json", env!("CARGO_MANIFEST_DIR"));
    let committed = std::fs::read_to_string(committed).unwrap();
    assert!(printed == committed, "run `runner schema > docs/manifest.schema.json`");
    let bare = Sandbox::bare();
    bare.runner(&["init"]).expect_code(0);
    let written = std::fs::read_to_string(bare.path("docs/manifest.schema.json")).unwrap();
    assert!(written == committed, "what init writes is the same");
}

#[test]
fn completions_print_for_each_shell() {
    let sandbox = Sandbox::bare();
    for shell in ["bash", "zsh", "fish"] {
        let said = sandbox.runner(&["completions", shell]).expect_code(0);
        for word in ["runner", "exec", "register", "fail-on"] {
            assert!(said.out.contains(word), "{shell}: {word} is missing");
        }
    }
    sandbox.runner(&["completions", "tcl"]).expect_code(2);
}

#[test]
fn help_names_the_three_moments_in_order() {
    let sandbox = Sandbox::bare();
    let help = sandbox.runner(&["--help"]).expect_code(0).out;
    let moments = ["Write an experiment:", "Run it:", "Review it:"];
    let places: Vec<usize> = moments.iter().map(|moment| help.find(moment).unwrap()).collect();
    assert!(places.is_sorted(), "{help}");
    assert!(help.contains("4 void"), "exit codes are named: {help}");
    let nothing = sandbox.runner(&[]).expect_code(2);
    assert!(nothing.err.contains("Write an experiment:"), "{}", nothing.err);
}

#[test]
fn an_empty_project_has_an_empty_list() {
    let sandbox = Sandbox::new();
    let listed = sandbox.runner(&["list"]).expect_code(0);
    assert_eq!(listed.out, "nothing is registered here yet\n");
    assert_eq!(sandbox.runner(&["--json", "list"]).json()["results"], serde_json::json!([]));
    sandbox.runner(&["record", "verify"]).expect_code(0).expect_text("0 records verified");
    assert_eq!(sandbox.files("results"), Vec::<String>::new());
}

#[test]
fn outside_of_a_project_every_command_says_how_to_make_one() {
    let sandbox = Sandbox::bare();
    let commands: [&[&str]; 11] = [
        &["check"],
        &["plan", "x.toml"],
        &["register", "x.toml"],
        &["exec", "x.toml"],
        &["new", "x"],
        &["try", "builtin-tiny", "--vary", "threads=1,2"],
        &["list"],
        &["show", "x"],
        &["report"],
        &["record", "verify"],
        &["model", "list"],
    ];
    for command in commands {
        let said = sandbox.runner(command).expect_code(2);
        assert!(said.err.contains("no `runner.toml` here"), "{command:?}: {}", said.err);
        assert!(said.err.contains("runner init"), "{command:?}: {}", said.err);
    }
    assert_eq!(sandbox.files("."), Vec::<String>::new());
}

#[test]
fn what_is_not_there_is_named_with_what_is() {
    let sandbox = Sandbox::new();
    let missing = sandbox.runner(&["exec", "experiments/none.toml"]).expect_code(2);
    missing.expect_text("experiments/none.toml").expect_text("`runner list`");
    sandbox.runner(&["show", "none"]).expect_code(1).expect_text("there is no such record");
    sandbox.runner(&["show", "a/b/c"]).expect_code(1);
    sandbox.runner(&["exce"]).expect_code(2).expect_text("exec");
    sandbox.runner(&["exec", "--margin", "3", "x.toml"]).expect_code(2);
}
