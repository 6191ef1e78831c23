//! Rules that look before the end, through the command line: where a run stops, what its record
//! shows, and that a run cut between two looks comes to the same end.

mod sandbox;

use sandbox::runs::{kill, wait_on};
use sandbox::{QUIET_SCRIPT, Sandbox};
use serde_json::Value;

const FIXED: &str = "[stop.fixed]\ncap_minutes = 10";
const LOOKS: &str = "[stop.group_sequential]\nlooks_at_rounds = [8, 12, 16]\n\
                     spending = \"obrien_fleming\"\nfutility_percent = 20\ncap_minutes = 10";

/// The small manifest with 16 rounds and three looks.
fn with_looks(sandbox: &Sandbox, id: &str) -> String {
    sandbox.manifest(id, &[("rounds = 5", "rounds = 16"), (FIXED, LOOKS)])
}

fn comparison(record: &Value) -> &Value {
    &record["record"]["analysis"]["comparisons"][0]
}

#[test]
fn a_clear_effect_stops_the_run_at_the_first_look() {
    let sandbox = Sandbox::with_model();
    let file = with_looks(&sandbox, "clear");
    let said = sandbox
        .runner(&["exec", "--register", &file])
        .expect_code(0)
        .expect_text("look 1 of 3 after 8 rounds: stops (fast: win)")
        .expect_text("stopped by its rule");
    assert!(said.out.contains("stopped at look 1 of 3, after 8 rounds"), "{}", said.out);
    let record = sandbox.runner(&["show", "--json", "clear"]).expect_code(0).json();
    assert_eq!(record["record"]["analysis"]["rounds_judged"], 8);
    // off, aa and fast; 8 rounds of 4 blocks of 2 chunks, and a prompt for each arm and block
    assert_eq!(record["record"]["samples"]["rows"], 8 * 4 * 3 * (2 + 1));
    let looks = comparison(&record)["looks"].as_array().unwrap();
    assert_eq!(looks.len(), 1);
    assert_eq!((&looks[0]["rounds"], &looks[0]["outcome"]), (&8.into(), &"win".into()));
    sandbox.runner(&["record", "verify"]).expect_code(0).expect_text("1 record verified");
    // every look in the page of the record, with what the design could show
    sandbox
        .runner(&["report", "clear"])
        .expect_code(0)
        .expect_text("## What the design could show")
        .expect_text("look 1 at 8 rounds");
}

#[test]
fn what_a_look_saw_cannot_be_changed_afterwards() {
    let sandbox = Sandbox::with_model();
    let file = with_looks(&sandbox, "sealed");
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    let name =
        sandbox.files("results/sealed").into_iter().find(|file| file.ends_with("record.toml"));
    let name = name.unwrap();
    let text = std::fs::read_to_string(sandbox.path(&name)).unwrap();
    assert!(text.contains("stopped_at_look"), "{text}");
    sandbox.write(&name, text.replacen("look = 1", "look = 2", 1));
    sandbox.runner(&["record", "verify"]).expect_code(1).expect_text("failed");
}

#[test]
fn a_run_killed_between_looks_goes_on_to_the_same_end() {
    let sandbox = Sandbox::with_model();
    // an effect at the margin is undecided at the first look
    let at_margin = QUIET_SCRIPT.replace("833_000", "952_000");
    sandbox.script(&at_margin);
    let patient = LOOKS.replace("futility_percent = 20\n", "");
    let file = sandbox.manifest("cut", &[("rounds = 5", "rounds = 16"), (FIXED, &patient)]);
    sandbox.runner(&["register", &file]).expect_code(0);
    let before = u64::try_from(sandbox.processes().len()).unwrap();
    // the sixth process of the preflight, then three a round: stands still in the tenth round
    sandbox.script(&format!(
        "{at_margin}[[when]]\nprocesses = [{}]\nfault = {{ kind = \"hang\", command = \"decode\", \
         nth = 2 }}\n",
        before + 6 + 9 * 3 + 1
    ));
    let mut child = sandbox.start(&["exec", &file]);
    wait_on(&mut child, "nine rounds", || sandbox.entries("cut", "block") >= 9 * 4);
    kill(child);
    sandbox.script(&at_margin);
    let said = sandbox.runner(&["exec", &file]);
    let record = sandbox.runner(&["show", "--json", "cut"]).json();
    let looks = comparison(&record)["looks"].as_array().unwrap();
    assert_eq!(looks[0]["outcome"], "go_on", "{record}");
    assert!(looks.len() >= 2, "{}", said.out);
    let rounds = record["record"]["analysis"]["rounds_judged"].as_u64().unwrap();
    assert_eq!(looks.last().unwrap()["rounds"], rounds);
    assert_eq!(record["record"]["facts"]["interruptions"].as_array().map(Vec::len), Some(1));
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn a_confidence_sequence_looks_from_the_twentieth_round_on() {
    let sandbox = Sandbox::with_model();
    let stop = "[stop.confidence_sequence]\ncap_minutes = 10";
    let changes = [
        ("rounds = 5", "rounds = 40"),
        ("blocks_per_round = 4", "blocks_per_round = 2"),
        (FIXED, stop),
    ];
    let file = sandbox.manifest("sequence", &changes);
    sandbox
        .runner(&["exec", "--register", &file])
        .expect_code(0)
        .expect_text("look 1 of 21 after 20 rounds: stops (fast: win)");
    sandbox.runner(&["record", "verify"]).expect_code(0);
}
