//! What `runner plan` says before anything is run.

mod sandbox;

use sandbox::Sandbox;

/// All of the output but the manifest's hash, which depends on the fake worker's path.
fn said(sandbox: &Sandbox, file: &str) -> String {
    let out = sandbox.runner(&["plan", file]).expect_code(0).out;
    out.lines().filter(|line| !line.starts_with("manifest ")).collect::<Vec<&str>>().join("\n")
}

#[test]
fn a_plan_shows_resolution_and_operating_characteristics() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("sound", &[]);
    insta::assert_snapshot!(said(&sandbox, &file), @r#"
    sound: Two threads against one
    inputs      48 items of 71 to 80 tokens, 3611 in all
    extent      the whole file in every arm
    schedule    3 arms, 5 rounds, 20 blocks in all; cap 10 min
    tokens      960 timed, 120 untimed beside them, 960 in prompts, 0 to depth, 0 for contracts
    memory      3 copies of the model at once, 11 MB of weights
                about 6 MB of KV cache and 50 MB or more of scratch beside them
    earlier     0 runs on this question
    judged by   a margin of 5 % at 95 % confidence over 1 comparison
    chances     level: 5 rounds give it 100 %
                win under a true effect of +20 %: 5 rounds give it 100 %
    noise       a round's value varies by 0.747 % (standard deviation), assumed in the manifest
    resolution  a true effect of +6.34 % or more wins with a chance of 80 %
                a true effect of +6.56 % or more wins with a chance of 90 %
                an interval reaches 0.931 % to either side at 5 rounds, and the margin is 5 %: 3 rounds
                  bring it to the margin
                where nothing differs, level has a chance of 80 % from 4 rounds on
    time        unknown: nothing like it was run here before

    ┌───────────────────────┬────────┬────────┬────────┬────────┬──────┬────────┐
    │ true effect           ┆ win    ┆ loss   ┆ level  ┆ parked ┆ void ┆ rounds │
    ╞═══════════════════════╪════════╪════════╪════════╪════════╪══════╪════════╡
    │ -9.30 %, -2 margins   ┆    0 % ┆  100 % ┆    0 % ┆    0 % ┆  0 % ┆    5.0 │
    │ -7.06 %, -1.5 margins ┆    0 % ┆ 99.9 % ┆    0 % ┆  0.1 % ┆  0 % ┆    5.0 │
    │ -4.76 %, -1 margin    ┆    0 % ┆  2.4 % ┆  2.4 % ┆ 95.2 % ┆  0 % ┆    5.0 │
    │ -2.41 %, -0.5 margins ┆    0 % ┆    0 % ┆ 99.9 % ┆  0.1 % ┆  0 % ┆    5.0 │
    │ 0 %                   ┆    0 % ┆    0 % ┆  100 % ┆    0 % ┆  0 % ┆    5.0 │
    │ +2.47 %, +0.5 margins ┆    0 % ┆    0 % ┆ 99.9 % ┆  0.1 % ┆  0 % ┆    5.0 │
    │ +5.00 %, +1 margin    ┆  2.4 % ┆    0 % ┆  2.4 % ┆ 95.2 % ┆  0 % ┆    5.0 │
    │ +7.59 %, +1.5 margins ┆ 99.9 % ┆    0 % ┆    0 % ┆  0.1 % ┆  0 % ┆    5.0 │
    │ +10.25 %, +2 margins  ┆  100 % ┆    0 % ┆    0 % ┆    0 % ┆  0 % ┆    5.0 │
    │ +20.00 %, expected    ┆  100 % ┆    0 % ┆    0 % ┆    0 % ┆  0 % ┆    5.0 │
    └───────────────────────┴────────┴────────┴────────┴────────┴──────┴────────┘
    Chances of one comparison over 10000 simulated experiments, each judged by the whole rule: one look,
    intervals of 95 % each, the aa arm, 5 rounds registered.
    "#);
}

#[test]
fn l26_a_design_that_shows_too_little_says_what_would_do_and_is_refused() {
    let sandbox = Sandbox::with_model();
    let noisy = ("assumed_block_sd_percent = 1.0", "assumed_block_sd_percent = 8.0");
    let file = sandbox.manifest("noisy", &[noisy]);
    let planned = sandbox.runner(&["plan", &file]).expect_code(0);
    assert!(planned.err.contains("`register` would refuse this design"), "{}", planned.err);
    let level = "level: 5 rounds give it 3 %; 13 rounds would give 80 %, or 23 blocks a round";
    let shortfall =
        "cannot resolve level within the cap, because it takes 13 rounds, and 5 are registered";
    for text in [level, shortfall] {
        assert!(planned.out.contains(text), "{text:?} is missing: {}", planned.out);
    }
    let refused = sandbox.runner(&["register", &file]).expect_code(3);
    insta::assert_snapshot!(refused.err, @r#"
    error: experiment noisy: this design cannot show what it is made for with a chance of 80 % or more. level: 5 rounds give it 3 %; 13 rounds would give 80 %, or 23 blocks a round
      hint: raise [design] rounds or blocks_per_round, or the margin; `runner plan` shows the chances of every outcome
    "#);
    // what it names is accepted
    for (id, change) in [
        ("more-rounds", ("rounds = 5", "rounds = 13")),
        ("more-blocks", ("blocks_per_round = 4", "blocks_per_round = 23")),
    ] {
        let file = sandbox.manifest(id, &[noisy, change]);
        sandbox.runner(&["register", &file]).expect_code(0);
    }
}

#[test]
fn minutes_come_from_a_run_of_the_same_question() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("first", &[]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    let longer = sandbox.manifest("again", &[("rounds = 5", "rounds = 10")]);
    let planned = sandbox.runner(&["--json", "plan", &longer]).expect_code(0).json();
    let estimate = &planned["operating"]["time"]["estimated"];
    assert!(estimate["from"].as_str().unwrap().starts_with("first/"), "{estimate}");
    let minutes = estimate["minutes"].as_f64().unwrap();
    assert!(minutes > 0.0, "{estimate}");
    let rows = planned["operating"]["rows"].as_array().unwrap();
    // a mean over simulated experiments: right but for its last digits
    let close = |value: f64| (value / minutes - 1.0).abs() < 1e-9;
    let is_whole = |row: &serde_json::Value| {
        row["rounds"] == 10.0 && row["minutes"].as_f64().is_some_and(close)
    };
    assert!(rows.iter().all(is_whole), "{rows:?}");
    sandbox.runner(&["plan", &longer]).expect_code(0).expect_text("if it runs as fast as first/");
}

#[test]
fn a_plan_in_json_carries_all_of_it() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("json", &[]);
    let planned = sandbox.runner(&["--json", "plan", &file]).expect_code(0).json();
    let operating = &planned["operating"];
    assert_eq!(operating["rows"].as_array().unwrap().len(), 10);
    assert_eq!(operating["curve"].as_array().unwrap().len(), 41);
    assert_eq!(operating["looks"][0]["rounds"], 5);
    assert_eq!(operating["noise"], "assumed");
    assert_eq!(operating["resolution"]["wins"][0]["chance"], 0.8);
    assert_eq!(planned["reach"]["without_effect"]["aim"], "level");
    assert_eq!(planned["not_simulated"], serde_json::Value::Null);
}

#[test]
fn a_plot_is_written_where_it_was_asked_for() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("plot", &[]);
    sandbox.runner(&["plan", &file]).expect_code(0);
    let before = sandbox.files(".");
    sandbox
        .runner(&["plan", &file, "--plot", "plot.svg"])
        .expect_code(0)
        .expect_text("the plot is in plot.svg");
    let svg = std::fs::read_to_string(sandbox.path("plot.svg")).unwrap();
    assert!(svg.contains("plot: what 5 rounds can show"), "{svg}");
    sandbox.runner(&["plan", &file, "--plot", "again.svg"]).expect_code(0);
    assert_eq!(std::fs::read_to_string(sandbox.path("again.svg")).unwrap(), svg);
    assert_eq!(sandbox.files(".").len(), before.len() + 2);
    sandbox
        .runner(&["plan", &file, "--plot", "not-there/plot.svg"])
        .expect_code(1)
        .expect_text("cannot be written")
        .expect_text("not-there/plot.svg");
}

#[test]
fn looks_are_planned_with_their_futility() {
    let sandbox = Sandbox::with_model();
    let stop = "[stop.group_sequential]\nlooks_at_rounds = [8, 16]\nspending = \"obrien_fleming\"\nfutility_percent = 20";
    let changes = [
        ("rounds = 5", "rounds = 16"),
        ("assumed_block_sd_percent = 1.0", "assumed_block_sd_percent = 8.0"),
        ("[stop.fixed]", stop),
    ];
    let file = sandbox.manifest("looks", &changes);
    insta::assert_snapshot!(said(&sandbox, &file), @r#"
    looks: Two threads against one
    inputs      48 items of 71 to 80 tokens, 3611 in all
    extent      the whole file in every arm
    schedule    3 arms, 16 rounds, 64 blocks in all; cap 10 min
    tokens      3072 timed, 384 untimed beside them, 3072 in prompts, 0 to depth, 0 for contracts
    memory      3 copies of the model at once, 11 MB of weights
                about 6 MB of KV cache and 50 MB or more of scratch beside them
    earlier     0 runs on this question
    judged by   a margin of 5 % at 95 % confidence over 1 comparison
    chances     level: 16 rounds give it 92 %
                win under a true effect of +20 %: 16 rounds give it 100 %
    noise       a round's value varies by 4.46 % (standard deviation), assumed in the manifest
    resolution  a true effect of +8.91 % or more wins with a chance of 80 %
                a true effect of +9.54 % or more wins with a chance of 90 %
                an interval reaches 2.43 % to either side at 16 rounds, and the margin is 5 %: 9 rounds
                  bring it to the margin
                where nothing differs, level has a chance of 80 % from 14 rounds on
    looks       look 1 at 8 rounds: nominal p 0.0031, t 4.428, interval 7.24 % to either side
                look 2 at 16 rounds: nominal p 0.0485, t 2.147, interval 2.43 % to either side
                parked early when the chance of a decision is under 20 %
    time        unknown: nothing like it was run here before

    ┌───────────────────────┬────────┬────────┬────────┬────────┬────────┬───────┬────────┐
    │ true effect           ┆ win    ┆ loss   ┆ level  ┆ parked ┆ futile ┆ void  ┆ rounds │
    ╞═══════════════════════╪════════╪════════╪════════╪════════╪════════╪═══════╪════════╡
    │ -9.30 %, -2 margins   ┆    0 % ┆ 96.2 % ┆    0 % ┆  3.2 % ┆  2.2 % ┆ 0.6 % ┆   14.1 │
    │ -7.06 %, -1.5 margins ┆    0 % ┆ 47.3 % ┆ <0.1 % ┆ 52.1 % ┆ 30.3 % ┆ 0.5 % ┆   13.3 │
    │ -4.76 %, -1 margin    ┆    0 % ┆  1.9 % ┆  1.9 % ┆ 95.8 % ┆ 69.8 % ┆ 0.4 % ┆   10.4 │
    │ -2.41 %, -0.5 margins ┆    0 % ┆    0 % ┆ 46.4 % ┆ 53.1 % ┆ 31.8 % ┆ 0.5 % ┆   13.4 │
    │ 0 %                   ┆    0 % ┆    0 % ┆ 92.1 % ┆  7.2 % ┆  4.9 % ┆ 0.7 % ┆   15.4 │
    │ +2.47 %, +0.5 margins ┆ <0.1 % ┆    0 % ┆   47 % ┆ 52.5 % ┆ 30.4 % ┆ 0.5 % ┆   13.5 │
    │ +5.00 %, +1 margin    ┆    2 % ┆    0 % ┆  1.9 % ┆ 95.7 % ┆ 69.8 % ┆ 0.4 % ┆   10.4 │
    │ +7.59 %, +1.5 margins ┆ 46.6 % ┆    0 % ┆    0 % ┆ 52.9 % ┆ 31.8 % ┆ 0.5 % ┆   13.2 │
    │ +10.25 %, +2 margins  ┆   96 % ┆    0 % ┆    0 % ┆  3.4 % ┆  2.5 % ┆ 0.5 % ┆   14.1 │
    │ +20.00 %, expected    ┆ 99.9 % ┆    0 % ┆    0 % ┆    0 % ┆    0 % ┆ 0.1 % ┆    8.1 │
    └───────────────────────┴────────┴────────┴────────┴────────┴────────┴───────┴────────┘
    Chances of one comparison over 10000 simulated experiments, each judged by the whole rule: 2 looks,
    intervals of 95 % each, the aa arm, 16 rounds registered.
    Futile comparisons are among the parked ones.
    "#);
    let planned = sandbox.runner(&["--json", "plan", &file]).expect_code(0).json();
    let rows = planned["operating"]["rows"].as_array().unwrap();
    let at = |margins: f64| rows.iter().find(|row| row["margins"] == margins).unwrap();
    let early = |row: &serde_json::Value| row["rounds"].as_f64().unwrap() < 16.0;
    assert!(early(at(0.0)) && early(at(2.0)), "{rows:?}");
    assert!(at(1.0)["chances"]["parked_by_futility"].as_f64().unwrap() > 0.5, "{}", at(1.0));
}

#[test]
fn a_worker_that_is_not_built_yet_hides_no_chances() {
    let sandbox = Sandbox::with_model();
    let worker = sandbox::fake_worker();
    let file = sandbox.manifest("unbuilt", &[(worker.as_str(), "target/no-such-worker")]);
    sandbox
        .runner(&["plan", &file])
        .expect_code(0)
        .expect_text("tokens unknown until the worker `target/no-such-worker` is built")
        .expect_text("true effect");
    let planned = sandbox.runner(&["--json", "plan", &file]).expect_code(0).json();
    assert!(planned["tokens"].is_null());
    assert_eq!(planned["missing_worker"], "target/no-such-worker");
    // to register it, it has to be there
    sandbox.runner(&["register", &file]).expect_code(3);
}
