//! Command lines that are wrong: exit 2 and what to write, before anything is run or written.

mod sandbox;

use sandbox::Sandbox;

/// Each of these is refused as wrong usage, with these words.
#[track_caller]
fn wrong(sandbox: &Sandbox, lines: &[(&[&str], &[&str])]) {
    for (arguments, words) in lines {
        let said = sandbox.refuses(arguments, 2);
        assert_eq!(said.out, "", "{arguments:?}");
        said.expect_texts(words);
        assert_eq!(sandbox.files(".cache"), Vec::<String>::new(), "{arguments:?}");
    }
}

#[test]
fn words_that_the_program_does_not_know() {
    let sandbox = Sandbox::new();
    sandbox.manifest("a", &[]);
    let file = "experiments/a.toml";
    wrong(
        &sandbox,
        &[
            (&[], &["Usage"]),
            (&["rnu"], &["unrecognized subcommand 'rnu'", "--help"]),
            (&["chekc", file], &["unrecognized subcommand 'chekc'", "'check'"]),
            (&["check", file, "--colour", "never"], &["'--colour'", "'--color'"]),
            (&["check", file, "--color", "purple"], &["'purple'", "auto, always, never"]),
            (&["plan"], &["<FILE>"]),
            (&["register", file, file], &["unexpected argument"]),
            (&["exec", file, "--fail-on", "nonsense"], &["'nonsense'", "win, loss, level, parked"]),
            (&["exec", file, "--fail-on", "loss,nonsense"], &["'nonsense'"]),
            (&["exec", file, "--margin", "1"], &["unexpected argument '--margin'"]),
            (&["model"], &["fetch"]),
            (&["model", "get", "x"], &["unrecognized subcommand 'get'"]),
            (&["workload"], &["measure"]),
            (&["workload", "measure", "prose-48"], &["--model"]),
            (
                &["workload", "measure", "prose-84", "--model", "builtin-tiny"],
                &["no set of inputs"],
            ),
            (
                &["workload", "measure", "prose-48", "--model", "tony"],
                &["no model is called `tony`"],
            ),
            (&["record"], &["verify"]),
            (&["machine", "quiet", "--seconds", "0"], &["0.5 to 600 seconds"]),
            (&["machine", "quiet", "--seconds", "nan"], &["0.5 to 600 seconds"]),
            (&["completions", "tcl"], &["'tcl'", "bash"]),
            (&["show", "../../etc"], &["an id", "`runner list` shows them"]),
            (&["show", ""], &["an id has 1 to 64 characters"]),
        ],
    );
}

#[test]
fn a_new_manifest_with_a_bad_id_or_over_another() {
    let sandbox = Sandbox::new();
    sandbox.manifest("a", &[]);
    let example = "write, for example, `runner new my-question`";
    wrong(
        &sandbox,
        &[
            (&["new"], &["<ID>"]),
            (&["new", "a/b"], &["id \"a/b\": an id is made of", "not of '/'", example]),
            (&["new", "../b"], &["not of '.'", example]),
            (&["new", "/b"], &["not of '/'", example]),
            (&["new", "B"], &["not of 'B'", example]),
            (&["new", ""], &["an id has 1 to 64 characters", example]),
            (&["new", &"b".repeat(65)], &["an id has 1 to 64 characters", example]),
            (&["new", "--", "-b"], &["an id starts with a letter or a digit", example]),
            // the catalogue of models and the folder of pilots have these names
            (&["new", "models"], &["`experiments/models.toml` is something else", example]),
            (&["new", "pilots"], &["`results/pilots/` is something else", example]),
            (&["new", "b", "--template", "c"], &["'c'", "ab, ladder, contract"]),
            (&["new", "a"], &["the file is there already", "nothing was overwritten"]),
            (&["new", "b", "--output", "runner.toml"], &["the file is there already"]),
        ],
    );
}

#[test]
fn a_project_is_made_once_and_whole() {
    let sandbox = Sandbox::new();
    wrong(&sandbox, &[(&["init"], &["this is a project already", "`runner new ID`"])]);
    std::fs::remove_file(sandbox.path("runner.toml")).unwrap();
    sandbox.write("docs/manifest.schema.json", "{}");
    wrong(&sandbox, &[(&["init"], &["docs/manifest.schema.json", "move it away first"])]);
    std::fs::remove_file(sandbox.path("docs/manifest.schema.json")).unwrap();
    sandbox.runner(&["init"]).expect_code(0);
    sandbox.runner(&["check"]).expect_code(0).expect_text("first-look.toml: no faults");
}

#[test]
fn a_look_at_settings_that_cannot_be_compared() {
    let sandbox = Sandbox::new();
    let look = |rest: &[&str], words: &[&str]| {
        wrong(&sandbox, &[(&[&["try", "builtin-tiny"], rest].concat(), words)]);
    };
    look(&[], &["--vary"]);
    for (vary, words) in [
        ("threads", &["--vary: `threads` is no `setting=value`", "flash_attention=off,on"][..]),
        ("threads=1", &["has one value", "the first value is off"]),
        ("threads=", &["--vary: `threads` cannot be \"\"", "a whole number, 1 to 1024"]),
        ("threads=1,", &["`threads` cannot be \"\""]),
        ("threads=1,1", &["the value `1` is there twice", "leave one of them out"]),
        ("cpu_mask=0x3,0x03", &["the value `0x03` is there twice"]),
        ("threads=1,0", &["`threads` cannot be \"0\"", "a whole number, 1 to 1024"]),
        ("threads=1,2.5", &["`threads` cannot be \"2.5\""]),
        ("threads=1,99999999999999999999", &["`threads` cannot be"]),
        ("flash_attention=off,yes", &["cannot be \"yes\"", "one of \"on\", \"off\""]),
        ("flash=off,on", &["no setting is called `flash`", "did you mean `flash_attention`?"]),
        ("=1,2", &["no setting is called ``", "settings are threads"]),
    ] {
        look(&["--vary", vary], words);
    }
    let vary = ["--vary", "threads=1,2"];
    for (rest, words) in [
        (
            &["--set", "threads=4"][..],
            &["--set: `threads` varies", "leave `--set threads=4` out"][..],
        ),
        (&["--set", "poll_percent=1", "--set", "poll_percent=2"], &["`poll_percent` is set twice"]),
        (&["--set", "poll_percent=101"], &["--set: `poll_percent` cannot be", "0 to 100"]),
        (&["--set", "poll_percent"], &["--set: `poll_percent` is no `setting=value`"]),
        (&["--prefill", "64", "--decode", "64"], &["cannot be used with"]),
        (&["--prefill", "0"], &["0 is not in 1..="]),
        (&["--decode", "4294967295"], &["is not in 1..="]),
        (&["--depth", "4294967295"], &["is not in 0..="]),
        (&["--depth", "-1"], &["-1"]),
        (&["--minutes", "0"], &["a look takes 0.05 to 60 minutes"]),
        (&["--minutes", "inf"], &["a look takes 0.05 to 60 minutes"]),
        (&["--save", "a/b"], &["--save: an id is made of", "`--save my-question`"]),
        (&["--save", "models"], &["--save: an id cannot be \"models\""]),
    ] {
        look(&[&vary, rest].concat(), words);
    }
    sandbox.manifest("a", &[]);
    look(
        &[&vary[..], &["--save", "a"]].concat(),
        &["the file is there already", "choose another id for --save"],
    );
}

#[test]
fn a_look_at_what_is_not_there() {
    let sandbox = Sandbox::new();
    let vary = ["--vary", "threads=1,2"];
    wrong(
        &sandbox,
        &[(
            &[&["try", "builtin-tinny"], &vary[..]].concat(),
            &["no model is called `builtin-tinny`", "did you mean `builtin-tiny`?"],
        )],
    );
    let sandbox = Sandbox::with_model();
    sandbox
        .refuses(&[&["try", "builtin-tiny", "--inputs", "prose-84"], &vary[..]].concat(), 2)
        .expect_text("no set of inputs is called `prose-84`")
        .expect_text("built in are prose-48");
    sandbox
        .refuses(&[&["try", "smollm2-135m-instruct-q4_1"], &vary[..]].concat(), 3)
        .expect_text("run `runner model fetch smollm2-135m-instruct-q4_1`");
    assert_eq!(sandbox.files("results"), Vec::<String>::new());
}

#[test]
fn a_worker_that_is_not_there_or_is_none() {
    let sandbox = Sandbox::with_model();
    sandbox
        .refuses(&["engine", "info", "--worker", "none"], 3)
        .expect_text("none: the worker executable is not there")
        .expect_text("build it");
    let trap = sandbox.write("not-a-program", "plain text");
    sandbox
        .refuses(&["engine", "info", "--worker", &trap.display().to_string()], 3)
        .expect_text("the worker cannot be asked: it cannot be started")
        .expect_text("is it a worker of this version?");
    let worker = sandbox::fake_worker();
    sandbox.manifest("a", &[(worker.as_str(), "none")]);
    let file = "experiments/a.toml";
    sandbox
        .refuses(&["check", file], 0)
        .expect_text("warning[no-such-file]: there is no worker executable `none` yet");
    // What a design can show does not depend on a worker: `plan` says what it cannot know.
    sandbox
        .refuses(&["plan", file], 0)
        .expect_text("warning[no-such-file]: there is no worker executable `none` yet")
        .expect_text("tokens unknown until the worker `none` is built");
    for command in [&["register"][..], &["exec", "--register"]] {
        sandbox
            .refuses(&[command, &[file]].concat(), 3)
            .expect_text("the worker executable is not there")
            .expect_text("a relative path starts at the project's root");
    }
}

#[test]
fn an_experiment_that_was_not_registered_or_was_changed_since() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("a", &[]);
    sandbox
        .refuses(&["exec", &file], 3)
        .expect_text("experiment a: this experiment is not registered")
        .expect_text("run `runner register FILE`");
    sandbox.runner(&["register", &file]).expect_code(0);
    sandbox.manifest("a", &[("rounds = 5", "rounds = 6")]);
    for arguments in [&["exec", file.as_str()][..], &["exec", "--register", &file]] {
        sandbox.refuses(arguments, 3).expect_text("changed: ").expect_text("a new id");
    }
    sandbox
        .refuses(&["register", &file], 3)
        .expect_text("the id is registered already, with another manifest")
        .expect_text("an id is never reused: take a new id");
    assert_eq!(sandbox.living_workers(), Vec::<u32>::new());
}

#[test]
fn programs_get_one_json_document_for_a_failure() {
    let sandbox = Sandbox::new();
    for (arguments, code) in [
        (&["new", "a/b"][..], 2),
        (&["check", "none.toml"], 2),
        (&["show", "nothing"], 1),
        (&["model", "path", "smollm2-135m-instruct-q4_1"], 3),
        (&["try", "builtin-tiny", "--vary", "threads=1"], 2),
    ] {
        let said = sandbox.refuses(&[arguments, &["--json"]].concat(), code);
        assert_eq!(said.err, "", "{arguments:?}");
        let value = said.json();
        if arguments[0] != "check" {
            assert_eq!(value["error"]["exit_code"], code);
            assert!(value["error"]["hint"].is_string(), "{value}");
        }
    }
}
