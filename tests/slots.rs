//! Several sequences decoded side by side, through the command line.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use sandbox::judged::Judged;
use sandbox::{QUIET_SCRIPT, Sandbox};

const FAST: &str = "[[arm]]\nname = \"fast\"\nrole = \"treatment\"\nthreads = 2\n\
                    contract.identical.of = \"tokens\"\n";
const ARGMAX: &str = "contract.argmax.agreement_at_least = 0.98\ncontract.argmax.basis = \"a test\"\n\
                      contract.argmax.positions = 512\n";

/// Off with one slot against four. 5 rounds of 6 blocks, 16 tokens and 2 untimed ones each: 540.
fn judge(sandbox: &Sandbox, id: &str, contract: &str) -> Judged {
    sandbox.judge(id, &changes(contract).each_ref().map(|(from, to)| (*from, to.as_str())))
}

fn changes(contract: &str) -> [(&'static str, String); 3] {
    [
        (FAST, format!("[[arm]]\nname = \"four\"\nrole = \"treatment\"\nslots = 4\n{contract}")),
        ("blocks_per_round = 4", "blocks_per_round = 6".to_owned()),
        ("prompt_tokens = 16", "prompt_tokens = 8".to_owned()),
    ]
}

/// A step of four slots takes twice the time of one, so that their throughput is doubled.
fn script(more: &str) -> Sandbox {
    let sandbox = Sandbox::with_model();
    let base = QUIET_SCRIPT.split("[[when]]").next().unwrap();
    sandbox.script(&format!(
        "{base}[[when]]\nsettings = {{ slots = 4 }}\ndecode_nanoseconds_per_token = 2_000_000\n{more}"
    ));
    sandbox
}

#[test]
fn throughput_counts_the_tokens_of_all_slots() {
    let sandbox = script("");
    let judged = judge(&sandbox, "slots", ARGMAX);
    judged.expect("four", "win", "above_margin");
    let ratio = judged.ratio("four").unwrap();
    assert!((1.95..2.05).contains(&ratio), "{ratio}");
    let contract = judged.contract("four");
    assert_eq!((&contract["contract"], &contract["state"]), (&"argmax".into(), &"kept".into()));
    assert_eq!(contract["compared"], 540, "{contract:#}");
    assert!(contract["detail"].as_str().unwrap().contains("540 of 540 choices"), "{contract:#}");
    sandbox.runner(&["record", "verify"]).expect_code(0);
    let rows = sandbox.samples("slots");
    let tokens = |arm: &str| -> u32 {
        let of_arm = |row: &&sample_table::SampleRow| {
            row.arm == arm && row.work == sample_table::Work::Decode
        };
        rows.iter().filter(of_arm).map(|row| row.tokens).sum()
    };
    assert_eq!(tokens("four"), 4 * tokens("off"));
}

#[test]
fn identical_is_asked_of_the_first_slot() {
    let judged = judge(&script(""), "identical", "contract.identical.of = \"tokens\"\n");
    judged.expect("four", "win", "above_margin");
}

#[test]
fn choices_that_differ_while_timed_break_the_contract() {
    let judged = judge(&script("diverge_from_position = 17\n"), "apart", ARGMAX);
    let reason = judged.expect("four", "void", "contract_broken");
    assert!(reason.contains("argmax agreement"), "{reason}");
    let contract = judged.contract("four");
    assert!(
        contract["first_divergence"].as_str().unwrap().contains("(while timed)"),
        "{contract:#}"
    );
}

#[test]
fn a_worker_that_ignores_slots_is_caught() {
    let sandbox = script("ignores_slots = true\n");
    let changes = changes(ARGMAX);
    let changes: Vec<(&str, &str)> =
        changes.iter().map(|(from, to)| (*from, to.as_str())).collect();
    let said = sandbox.manifest("ignored", &changes);
    let said = sandbox.runner(&["exec", "--register", &said]);
    assert_ne!(said.code, 0, "{said:?}");
    let all = format!("{}{}", said.out, said.err);
    assert!(
        all.contains("sequences decoded side by side: it reports 1, 4 were asked for"),
        "{all}"
    );
}

#[test]
fn work_and_contracts_that_slots_cannot_have_are_refused() {
    let sandbox = Sandbox::with_model();
    let refused = |contract: &str, more: &[(&str, &str)]| {
        let changes = changes(contract);
        let mut all: Vec<(&str, &str)> =
            changes.iter().map(|(from, to)| (*from, to.as_str())).collect();
        all.extend(more);
        let file = sandbox.manifest("refused", &all);
        sandbox.runner(&["check", &file]).expect_code(2).err
    };
    let cosine = ARGMAX.replace("argmax.agreement_at_least", "cosine.at_least");
    let cosine = refused(&cosine.replace("argmax", "cosine"), &[]);
    assert!(cosine.contains("logits of several slots are not compared"), "{cosine}");
    let both = refused(&format!("{ARGMAX}contract.identical.of = \"tokens\"\n"), &[]);
    assert!(both.contains("choose their own for `identical`"), "{both}");
    let many = refused(&ARGMAX.replace("512", "541"), &[]);
    assert!(many.contains("541 positions are asked for, and a run has 540"), "{many}");
    let deep = refused(ARGMAX, &[("decode_tokens = 16", "decode_tokens = 16\ndepth_tokens = 8")]);
    assert!(deep.contains("slots are begun without a depth"), "{deep}");
    let class = refused(ARGMAX, &[("class = \"dense_throughput\"", "class = \"speculation\"")]);
    assert!(class.contains("all slots hold one text"), "{class}");
    let batch =
        refused(ARGMAX, &[("context_tokens = 1024", "context_tokens = 1024\nbatch_tokens = 2")]);
    assert!(batch.contains("a batch of 2 has no room for a token of each of 4 slots"), "{batch}");
}
