//! Declared builds through the command line: what is refused, what is made, and what is found again.
//! The engines are fake workers that a stand-in for cargo puts in place.

mod sandbox;

use sandbox::tree::{TREE, pace};
use sandbox::{QUIET_SCRIPT, Sandbox, fake_worker};

/// The manifest with `fast` on a build of this name, declared so.
fn on_build(sandbox: &Sandbox, id: &str, name: &str, declared: &str) -> String {
    let arm = format!("role = \"treatment\"\nbuild = \"{name}\"");
    let tables = format!("{declared}\n[metric]");
    sandbox.manifest(id, &[("role = \"treatment\"", &arm), ("[metric]", &tables)])
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest() {
    let sandbox = Sandbox::new();
    let file = on_build(&sandbox, "a", "x86-64-v33", "");
    sandbox
        .runner(&["check", &file])
        .expect_code(2)
        .expect_text("no build is called `x86-64-v33`")
        .expect_text("did you mean `build = \"x86-64-v3\"`?");
    sandbox
        .runner(&["engine", "build", "quick"])
        .expect_code(2)
        .expect_text("no build is called `quick`")
        .expect_text("no-llamafile");
}

#[test]
fn keys_that_exclude_each_other_are_refused() {
    let sandbox = Sandbox::new();
    for (declared, said) in [
        ("checkout = \"t\"\nlibraries = \"l\"\nheaders = [\"h\"]", "exclude each other"),
        (
            "libraries = \"l\"\nheaders = [\"h\"]\nblas = \"openblas\"",
            "libraries that are built already",
        ),
        ("libraries = \"l\"", "needs `headers`"),
        ("revision = \"v1\"", "needs `checkout`"),
        ("backend = \"cuda\"", "cuda_architectures"),
        ("flags = [\"-O3 -g\"]", "no flag of a compiler"),
    ] {
        let file = on_build(&sandbox, "a", "mine", &format!("[build.mine]\n{declared}\n"));
        sandbox.runner(&["check", &file]).expect_code(2).expect_text(said);
    }
}

#[test]
fn a_build_that_fails_names_its_log_and_measures_nothing() {
    for (marker, said) in
        [("broken", "its sources do not compile: planted"), ("drifted", "unsupported: ")]
    {
        let sandbox = Sandbox::with_model();
        sandbox.tree();
        let commit = sandbox.commit("it", &[(marker, "planted")]);
        let declared = format!("[build.mine]\ncheckout = \"{TREE}\"\nrevision = \"{commit}\"\n");
        let file = on_build(&sandbox, "a", "mine", &declared);
        let refused = sandbox
            .building(&["exec", "--register", &file])
            .expect_code(3)
            .expect_text(said)
            .expect_text("build `mine` (log: ")
            .expect_text("nothing was measured");
        let (_, log) = refused.err.split_once("(log: ").unwrap();
        let (log, _) = log.split_once(')').unwrap();
        assert!(std::fs::read_to_string(log).unwrap().contains("planted"));
        assert_eq!(sandbox.files("results"), Vec::<String>::new());
    }
}

#[test]
fn a_tree_of_something_else_and_a_missing_revision_are_refused() {
    let sandbox = Sandbox::with_model();
    sandbox.tree();
    std::fs::remove_file(sandbox.path(&format!("{TREE}/include/llama.h"))).unwrap();
    let commit = sandbox.commit("it", &[("README", "none")]);
    for (revision, said) in
        [(commit.as_str(), "no tree of llama.cpp"), ("v9", "has no revision `v9`")]
    {
        let declared = format!("[build.mine]\ncheckout = \"{TREE}\"\nrevision = \"{revision}\"\n");
        let file = on_build(&sandbox, "a", "mine", &declared);
        sandbox.building(&["register", &file]).expect_code(3).expect_text(said);
    }
    assert_eq!(sandbox.built(), Vec::<String>::new());
}

#[test]
fn what_this_processor_cannot_run_is_refused_before_it_is_compiled() {
    let sandbox = Sandbox::with_model();
    sandbox.describe_extensions("fpu sse2");
    let compiler = std::process::Command::new("cc")
        .args(["-march=x86-64-v4", "-dM", "-E", "-x", "c", "/dev/null"])
        .output();
    if compiler.is_ok_and(|output| output.status.success()) {
        let declared = "[build.v4]\ninstruction_set = \"x86-64-v4\"\n";
        let file = on_build(&sandbox, "a", "v4", declared);
        sandbox
            .building(&["register", &file])
            .expect_code(3)
            .expect_text("isa: it is compiled for")
            .expect_text("AVX512F");
        assert_eq!(sandbox.built(), Vec::<String>::new());
    }
}

#[test]
fn a_worker_that_says_it_needs_more_than_the_processor_has_is_refused() {
    let sandbox = Sandbox::with_model();
    sandbox.describe_extensions("fpu sse2");
    sandbox.script(&QUIET_SCRIPT.replace("[base]\n", "[base]\ninstruction_set = [\"AVX512F\"]\n"));
    let file = sandbox.manifest("a", &[]);
    sandbox
        .runner(&["register", &file])
        .expect_code(3)
        .expect_text("isa: it is compiled for AVX512F");
    assert_eq!(sandbox.files("results"), Vec::<String>::new());
}

#[test]
fn a_build_is_made_once_and_listed_with_its_records() {
    let sandbox = Sandbox::with_model();
    sandbox.tree();
    let commit = sandbox.commit("it", &[("script.toml", &pace(833_000))]);
    sandbox.write(
        "experiments/builds.toml",
        format!("schema = 1\n[build.mine]\ncheckout = \"{TREE}\"\nrevision = \"main\"\n"),
    );
    let state = || {
        let listed = sandbox.building(&["engine", "list", "--json"]).expect_code(0).json();
        let builds = listed["builds"].as_array().unwrap();
        builds.iter().find(|build| build["name"] == "mine").unwrap().clone()
    };
    assert_eq!(state()["state"], "not built");
    sandbox.building(&["engine", "list"]).expect_code(0).expect_text("x86-64-v3");
    let first = sandbox.building(&["engine", "build", "mine", "--json"]).expect_code(0).json();
    assert_eq!(sandbox.built(), vec![format!("{commit} in-order")]);
    let again = sandbox.building(&["engine", "build", "mine", "--json"]).expect_code(0).json();
    assert_eq!(first, again);
    assert_eq!(sandbox.built().len(), 1);
    // the tree goes on, and the branch with it: another build
    let file = on_build(&sandbox, "a", "mine", "");
    sandbox.building(&["exec", "--register", &file]).expect_code(0).expect_text("win fast");
    assert_eq!(sandbox.built().len(), 1);
    let mine = state();
    assert!(mine["state"].as_str().unwrap().starts_with("built in"), "{mine}");
    assert!(mine["records"][0].as_str().unwrap().starts_with("a/"), "{mine}");
    sandbox.commit("another", &[("script.toml", &pace(900_000))]);
    sandbox.building(&["engine", "build", "mine"]).expect_code(0);
    assert_eq!(sandbox.built().len(), 2);
    let executable = first["builds"][0]["executable"].as_str().unwrap();
    assert!(executable.contains("mine-"), "{executable}");
    assert_ne!(executable, fake_worker());
}

#[test]
fn a_changed_checkout_is_built_as_it_stands_and_stays_so() {
    let sandbox = Sandbox::with_model();
    sandbox.tree();
    let commit = sandbox.commit("it", &[("script.toml", &pace(900_000))]);
    let catalogue = format!("schema = 1\n[build.dirty]\ncheckout = \"{TREE}\"\n");
    sandbox.write("experiments/builds.toml", catalogue);
    sandbox.building(&["engine", "build", "dirty"]).expect_code(0);
    sandbox.write(&format!("{TREE}/ggml/src/ggml.c"), "changed\n");
    let before = sandbox.git(&["status", "--porcelain"]);
    sandbox.building(&["engine", "build", "dirty"]).expect_code(0);
    assert_eq!(sandbox.git(&["status", "--porcelain"]), before);
    assert_eq!(sandbox.built(), vec![format!("{commit} in-order"); 2]);
}
