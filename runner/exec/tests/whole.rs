//! Runs that come to a good end.

use engine_protocol::BufferKind;
use sample_table::{SampleState, Work};

use super::super::gate::{Gate, GateOutcome, OpenGate};
use super::super::observer::{Event, Observer};
use super::stage::{Stage, assert_no_doubles};
use crate::manifest::{self, Condition, ConditionSetting, TimedWork};
use crate::verdict::{ContractState, RunEnd};

const FASTER: &str = "
[base]
noise_sd = 0.02
operations = { mul_mat = 7 }
[[when]]
settings = { threads = 2 }
decode_nanoseconds_per_token = 900_000
";

#[test]
fn a_whole_run_gives_every_scheduled_row_once_and_leaves_nobody_behind() {
    let stage = Stage::new(FASTER);
    let finished = stage.run().unwrap();
    let rows = &finished.evidence.samples;
    assert_eq!(rows.len(), stage.expected_rows());
    assert_no_doubles(rows);
    assert!(rows.iter().all(|row| row.state == SampleState::Timed && row.segment == 0));
    let facts = &finished.evidence.facts;
    assert_eq!(facts.end, RunEnd::Completed);
    assert!(facts.interruptions.is_empty() && facts.arm_faults.is_empty());
    assert_eq!(facts.contracts[0].state, ContractState::Kept);
    // 6 inputs of 11 tokens before timing, 6 blocks of 10 while timed.
    assert_eq!(facts.contracts[0].compared, (6 + 2) * 11 + 6 * 10);
    assert_eq!(facts.engagement.len(), 3);
    assert_eq!(facts.engagement[2].operations[0].count, 7);
    assert_eq!(facts.memory[1].buffers[0].kind, BufferKind::Weights);
    assert_eq!(finished.workers.len(), 3);
    assert_eq!(finished.start_facts["commit"], "abc");
    assert!(facts.wall_nanoseconds > 0 && facts.engine_nanoseconds > 0);
    assert_eq!(stage.left_over(), Vec::<u32>::new());
    // Preflight: off, aa, fast, off again, fast twice more; then three a round.
    assert_eq!(stage.pids().len(), 6 + 2 * 3);
}

#[test]
fn odd_chunks_run_the_order_backwards() {
    let stage = Stage::new("");
    let rows = stage.run().unwrap().evidence.samples;
    let order = |chunk: u32| -> Vec<String> {
        let here = rows.iter().filter(|row| {
            row.round == 0 && row.block == 0 && row.work == Work::Decode && row.chunk == chunk
        });
        here.map(|row| row.arm.clone()).collect()
    };
    let (even, mut odd) = (order(0), order(1));
    odd.reverse();
    assert_eq!(even.len(), 3);
    assert_eq!(even, odd);
}

#[test]
fn prefill_is_paired_whole_at_each_condition() {
    let mut stage = Stage::new("");
    stage.plan.workload.work = TimedWork::Prefill { prefill_tokens: 16 };
    stage.plan.condition =
        Some(Condition { setting: ConditionSetting::DepthTokens, values: vec![0, 30] });
    let finished = stage.run().unwrap();
    let rows = &finished.evidence.samples;
    // rounds x blocks x values x arms
    assert_eq!(rows.len(), 2 * 3 * 2 * 3);
    assert!(rows.iter().all(|row| row.work == Work::Prefill && row.tokens == 16));
    assert_no_doubles(rows);
    let identical = &finished.evidence.facts.contracts[0];
    assert_eq!(identical.state, ContractState::Kept, "{identical:?}");
}

#[test]
fn a_run_that_ended_but_was_not_sealed_is_handed_back_without_measuring_again() {
    let stage = Stage::new(FASTER);
    let first = stage.run().unwrap();
    let started = stage.pids().len();
    let second = stage.run().unwrap();
    assert_eq!(first, second);
    assert_eq!(stage.pids().len(), started);
    // Sealed, it is over: the next is a run of its own.
    std::fs::write(first.run_dir.join("record.toml"), "").unwrap();
    assert_ne!(stage.run().unwrap().run, first.run);
}

#[test]
fn a_worker_that_computes_out_of_turn_flags_the_blocks() {
    let stage = Stage::new("[[when]]\nsettings = { threads = 2 }\nburn = true\n");
    let rows = stage.run().unwrap().evidence.samples;
    assert!(rows.iter().all(|row| row.flags.contains("peer_not_idle")), "{:?}", rows[0]);
}

#[test]
fn a_reading_of_zero_is_censored_and_an_absurd_one_is_kept_for_the_judge() {
    let stage = Stage::new("[[when]]\nsettings = { threads = 2 }\nnanoseconds = 0\n");
    let rows = stage.run().unwrap().evidence.samples;
    let fast = |row: &&sample_table::SampleRow| row.arm == "fast";
    assert!(rows.iter().filter(fast).all(|row| row.state == SampleState::Censored));
    let most = i64::MAX;
    let stage =
        Stage::new(&format!("[[when]]\nsettings = {{ threads = 2 }}\nnanoseconds = {most}\n"));
    let rows = stage.run().unwrap().evidence.samples;
    assert!(rows.iter().filter(fast).all(|row| row.nanoseconds == most.unsigned_abs()));
}

/// Shut for good, or flags every block.
struct Scripted {
    shut: bool,
}

impl Gate for Scripted {
    fn before_block(&mut self, _limits: &manifest::Gate) -> GateOutcome {
        if self.shut {
            return GateOutcome::Busy {
                detail: "others use 80 % (limit 10 %)".to_owned(),
                pause: std::time::Duration::from_millis(50),
            };
        }
        GateOutcome::Unknown { detail: "no sensors".to_owned() }
    }

    fn after_block(&mut self, _limits: &manifest::Gate) -> Vec<String> {
        vec!["others_cpu".to_owned()]
    }
}

struct Waits(u32);

impl Observer for Waits {
    fn event(&mut self, event: Event<'_>) {
        if let Event::WaitingForQuiet { detail, .. } = event {
            assert_eq!(detail, "others use 80 % (limit 10 %)");
            self.0 += 1;
        }
    }
}

#[test]
fn a_gate_that_stays_shut_ends_the_run_with_the_sensor_named() {
    let mut stage = Stage::new("");
    stage.plan.gate.wait_seconds = 0.2;
    let mut waits = Waits(0);
    let finished = stage.run_with(&mut Scripted { shut: true }, &mut waits).unwrap();
    let RunEnd::NeverQuiet { detail } = finished.evidence.facts.end else { panic!() };
    assert!(detail.starts_with("others use 80 %"), "{detail}");
    assert!(waits.0 > 0);
    assert!(finished.evidence.samples.is_empty());
    assert_eq!(stage.left_over(), Vec::<u32>::new());
}

#[test]
fn flags_of_the_gate_stand_on_the_rows_of_the_block() {
    let stage = Stage::new("");
    let mut silent = super::super::observer::Silent;
    let finished = stage.run_with(&mut Scripted { shut: false }, &mut silent).unwrap();
    assert!(finished.evidence.samples.iter().all(|row| row.flags.contains("others_cpu")));
    assert_eq!(finished.evidence.facts.unread_sensors, ["no sensors"]);
}

#[test]
fn the_registered_cap_ends_the_run() {
    let mut stage = Stage::new("");
    stage.plan.stop = manifest::Stop::Fixed { cap_minutes: 0.0 };
    let finished = stage.run_with(&mut OpenGate, &mut super::super::observer::Silent).unwrap();
    let RunEnd::OverBudget { detail } = finished.evidence.facts.end else { panic!() };
    assert!(detail.contains("0 of 6 blocks"), "{detail}");
}

#[test]
fn a_pilot_leaves_samples_and_no_files() {
    let stage = Stage::new(FASTER);
    let mut gate = OpenGate;
    let context = stage.context(&mut gate);
    let mut silent = super::super::observer::Silent;
    let finished = super::super::run_pilot(&stage.plan, context, &mut silent).unwrap();
    assert_eq!(finished.evidence.samples.len(), stage.expected_rows());
    assert!(!finished.run_dir.exists());
    assert!(!stage.root.join("results").exists());
}
