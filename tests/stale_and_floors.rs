//! What becomes of figures when the machine changes, and floors that records are held against.

mod sandbox;

use sandbox::Sandbox;

const KERNEL: &str = "proc/sys/kernel/osrelease";
const SEEN: (&str, &str) = ("prior_access = \"none\"", "prior_access = \"seen\"");

fn judged(id: &str) -> Sandbox {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest(id, &[]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    sandbox
}

#[test]
fn a_new_kernel_marks_the_record_until_it_is_measured_again() {
    let sandbox = judged("old-kernel");
    sandbox
        .runner(&["record", "stale"])
        .expect_code(0)
        .expect_text("1 record compared, 1 unchanged");
    assert_eq!(sandbox.files("results/old-kernel/ledger").len(), 1);
    sandbox.machine_file(KERNEL, "6.2.0-described\n");
    let tried = sandbox.runner(&["record", "stale", "--dry-run"]).expect_code(0);
    assert!(tried.out.contains("kernel from 6.1.0-described to 6.2.0-described"), "{}", tried.out);
    assert_eq!(sandbox.files("results/old-kernel/ledger").len(), 1);
    let marked = sandbox.runner(&["record", "stale"]).expect_code(0);
    assert!(marked.out.contains("to be measured again"), "{}", marked.out);
    assert!(marked.out.contains("experiments/old-kernel.toml"), "{}", marked.out);
    // told once
    sandbox.runner(&["record", "stale"]).expect_code(0).expect_text("stale already");
    assert_eq!(sandbox.files("results/old-kernel/ledger").len(), 2);
    sandbox
        .runner(&["show", "old-kernel"])
        .expect_code(0)
        .expect_text("! this record is stale since ");
    sandbox.runner(&["list"]).expect_code(0).expect_text("STALE");
    sandbox.runner(&["report"]).expect_code(0);
    let index = std::fs::read_to_string(sandbox.path("results/INDEX.md")).unwrap();
    assert!(index.contains("> **Stale, what they depend on has changed"), "{index}");

    let file = sandbox.manifest("new-kernel", &[SEEN]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    let again = sandbox.runner(&["record", "stale"]).expect_code(0).out;
    assert!(again.contains("superseded by new-kernel/"), "{again}");
    sandbox.runner(&["report"]).expect_code(0);
    let index = std::fs::read_to_string(sandbox.path("results/INDEX.md")).unwrap();
    assert!(!index.contains("> **Stale"), "{index}");
    assert!(index.contains("| superseded by new-kernel/"), "{index}");
    sandbox.runner(&["record", "verify"]).expect_code(0).expect_text("2 records verified");
}

#[test]
fn what_is_as_it_was_again_is_current_again() {
    let sandbox = judged("back-again");
    sandbox.machine_file(KERNEL, "6.2.0-described\n");
    sandbox.runner(&["record", "stale"]).expect_code(0).expect_text("stale: back-again/");
    sandbox.machine_file(KERNEL, "6.1.0-described\n");
    sandbox.runner(&["record", "stale"]).expect_code(0).expect_text("current again: back-again/");
    let listed = sandbox.runner(&["--json", "list"]).expect_code(0).json();
    assert_eq!(listed["results"][0]["figure"]["state"], "current", "{listed}");
}

#[test]
fn only_the_facts_that_the_manifest_names_make_it_stale() {
    let sandbox = Sandbox::with_model();
    let only = ("[decision]", "[stack]\nmatters = [\"microcode\", \"libc\"]\n\n[decision]");
    let file = sandbox.manifest("microcode-only", &[only]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    sandbox.machine_file(KERNEL, "6.2.0-described\n");
    sandbox
        .runner(&["record", "stale"])
        .expect_code(0)
        .expect_text("1 record compared, 1 unchanged");
    let cpu = sandbox.path(".machine/proc/cpuinfo");
    let cpu = std::fs::read_to_string(cpu).unwrap().replace("0x10", "0x11");
    sandbox.machine_file("proc/cpuinfo", &cpu);
    sandbox.runner(&["record", "stale"]).expect_code(0).expect_text("microcode from 0x10 to 0x11");
}

#[test]
fn a_fact_that_no_stack_has_is_a_fault_of_the_manifest() {
    let sandbox = Sandbox::with_model();
    let wrong = ("[decision]", "[stack]\nmatters = [\"kernal\"]\n\n[decision]");
    let file = sandbox.manifest("misspelled", &[wrong]);
    sandbox.runner(&["check", &file]).expect_code(2).expect_text("kernal").expect_text("kernel");
}

#[test]
fn a_floor_holds_falls_and_moves_only_with_a_mechanism() {
    let sandbox = judged("floor-one");
    sandbox.runner(&["record", "floor"]).expect_code(0).expect_text("no floor is set");
    let anchor = ["record", "anchor", "decode", "floor-one", "--arm", "fast"];
    sandbox.runner(&anchor).expect_code(2).expect_text("--mechanism");
    let with = |record: &'static str, mechanism: &'static str| {
        vec!["record", "anchor", "decode", record, "--arm", "fast", "--mechanism", mechanism]
    };
    sandbox.runner(&with("floor-one", "two threads instead of one")).expect_code(0);
    sandbox.runner(&with("floor-one", "again")).expect_code(3).expect_text("already");
    sandbox
        .runner(&["record", "floor"])
        .expect_code(0)
        .expect_text("two threads instead of one")
        .expect_text("5 rounds");
    sandbox
        .runner(&["record", "floor", "decode", "floor-one"])
        .expect_code(0)
        .expect_text("cannot be judged: it is the floor's own record");
    let file = sandbox.manifest("floor-same", &[SEEN]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    let held = ["record", "floor", "decode", "floor-same"];
    let said = sandbox.runner(&held).expect_code(0).expect_text("holds: no fall of 5 % or more");
    assert!(said.out.contains("so many rounds tell a fall of "), "{}", said.out);

    // the same setting became a third slower
    sandbox.script(&sandbox::QUIET_SCRIPT.replace("833_000", "1_110_000"));
    let file = sandbox.manifest("floor-two", &[SEEN]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    sandbox.runner(&["record", "floor", "decode", "floor-two"]).expect_code(1).expect_text("fell");
    // the other arm is no measure of it
    sandbox
        .runner(&["record", "floor", "decode", "floor-two", "--arm", "off"])
        .expect_code(0)
        .expect_text("cannot be judged: it measures something else: settings");
    sandbox.runner(&with("floor-two", "the new kernel yields at every barrier")).expect_code(0);
    sandbox.runner(&["record", "floor"]).expect_code(0).expect_text("moved once, last on ");
    sandbox.runner(&["record", "floor", "decode", "floor-one"]).expect_code(0);
    sandbox.runner(&["record", "verify"]).expect_code(0);
    sandbox.runner(&["record", "retract", "floor-two", "--cause", "a test"]).expect_code(0);
    sandbox.runner(&["record", "floor"]).expect_code(0).expect_text("! its record was struck on ");
    sandbox
        .runner(&["record", "floor", "decode", "floor-one"])
        .expect_code(0)
        .expect_text("cannot be judged: the floor's record was struck");
}

#[test]
fn a_constant_history_cannot_be_judged() {
    let sandbox = Sandbox::with_model();
    let constant = "seed = 7\n[base]\ndecode_nanoseconds_per_token = 1_000_000\n\
                    [[when]]\nsettings = { threads = 2 }\ndecode_nanoseconds_per_token = 800_000\n";
    sandbox.script(constant);
    let file = sandbox.manifest("constant", &[]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    let anchor = ["record", "anchor", "flat", "constant", "--mechanism", "a scripted engine"];
    sandbox.runner(&anchor).expect_code(0);
    let file = sandbox.manifest("constant-too", &[SEEN]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    sandbox
        .runner(&["record", "floor", "flat", "constant-too"])
        .expect_code(0)
        .expect_text("cannot be judged: the floor's history is constant");
}

#[test]
fn neither_a_void_nor_a_struck_record_becomes_a_floor() {
    let sandbox = judged("struck");
    sandbox.runner(&["record", "retract", "struck", "--cause", "a test"]).expect_code(0);
    let anchor = ["record", "anchor", "decode", "struck", "--mechanism", "none"];
    sandbox.runner(&anchor).expect_code(3).expect_text("the record was struck");
}
