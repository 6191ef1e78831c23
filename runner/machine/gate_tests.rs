use std::cell::Cell;

use super::*;
use crate::machine::facts::Facts;
use crate::machine::fixture::Fixture;
use crate::machine::reading::Reading;
use crate::machine::survey::survey;

const LIMITS: GateLimits = GateLimits { others_cpu_percent: 10.0, pressure_percent: 20.0 };

/// A machine of two processors whose counters the test moves on.
struct Machine {
    fixture: Fixture,
    milliseconds: Cell<u64>,
    asleep: Cell<u64>,
    busy: Cell<u64>,
    ours: Cell<u64>,
    steal: Cell<u64>,
    waited: Cell<u64>,
    swapped: Cell<u64>,
    stepped: Cell<i64>,
    memory_waited: Cell<u64>,
    throttled: Cell<u64>,
    quota_throttled: Cell<u64>,
}

impl Machine {
    fn new() -> Machine {
        let machine = Machine {
            fixture: Fixture::new(),
            milliseconds: Cell::new(50_000),
            asleep: Cell::new(0),
            busy: Cell::new(5000),
            ours: Cell::new(100),
            steal: Cell::new(10),
            waited: Cell::new(0),
            swapped: Cell::new(0),
            stepped: Cell::new(0),
            memory_waited: Cell::new(5),
            throttled: Cell::new(3),
            quota_throttled: Cell::new(2),
        };
        machine.write();
        machine
    }

    fn write(&self) {
        self.fixture
            .cpu(self.busy.get(), self.steal.get())
            .process(100, 1, "runner", self.ours.get(), 0)
            .process(200, 1, "cc1plus", self.busy.get() - self.ours.get(), 0)
            .pressure(self.waited.get())
            .memory(0, self.swapped.get())
            .memory_pressure(self.memory_waited.get())
            .throttled(self.throttled.get())
            .quota_throttled(self.quota_throttled.get());
    }

    /// Time goes on; ticks of 10 ms are spent by us and by others.
    fn pass(&self, milliseconds: u64, our_ticks: u64, other_ticks: u64) {
        self.milliseconds.set(self.milliseconds.get() + milliseconds);
        self.ours.set(self.ours.get() + our_ticks);
        self.busy.set(self.busy.get() + our_ticks + other_ticks);
        self.write();
    }

    fn clocks(&self) -> Clocks {
        let monotonic = self.milliseconds.get() * 1_000_000;
        Clocks {
            monotonic_nanoseconds: monotonic,
            boottime_nanoseconds: Some(monotonic + self.asleep.get() * 1_000_000),
            // in sleep the wall clock goes on too
            utc_nanoseconds: (1_700_000_000_000_000_000 + monotonic)
                .checked_add(self.asleep.get() * 1_000_000)
                .and_then(|utc| utc.checked_add_signed(self.stepped.get() * 1_000_000)),
        }
    }

    fn gate(&self) -> QuietGate<'_> {
        let own = || BTreeSet::from([100]);
        QuietGate::new(self.fixture.root(), LIMITS, || self.clocks(), own)
    }
}

fn names(quietness: &Quietness) -> Vec<&'static str> {
    match quietness {
        Quietness::Quiet => vec!["quiet"],
        Quietness::Wait { unfit, .. } => unfit.iter().map(|reading| reading.name).collect(),
    }
}

/// A gate that has let its first block through.
fn opened(machine: &Machine) -> QuietGate<'_> {
    let mut gate = machine.gate();
    gate.before_block();
    machine.pass(1000, 0, 0);
    assert_eq!(gate.before_block(), Quietness::Quiet);
    gate
}

#[test]
fn the_first_block_waits_for_a_reading() {
    let machine = Machine::new();
    let mut gate = machine.gate();
    assert_eq!(gate.before_block(), Quietness::Wait { pause: WINDOW, unfit: Vec::new() });
    machine.pass(400, 0, 0);
    assert_eq!(names(&gate.before_block()), [""; 0]);
    machine.pass(600, 0, 2);
    assert_eq!(gate.before_block(), Quietness::Quiet);
}

#[test]
fn a_busy_machine_holds_the_block_up_until_a_whole_window_is_quiet() {
    let machine = Machine::new();
    let mut gate = machine.gate();
    gate.before_block();
    machine.pass(1000, 0, 80);
    let held = gate.before_block();
    assert_eq!(names(&held), ["others_cpu"]);
    let Quietness::Wait { unfit, .. } = held else { panic!() };
    // 80 ticks of 100, less the doubt of 3.
    assert_eq!(unfit[0].value, Reading::Known(77.0));
    assert_eq!(unfit[0].advice.as_deref(), Some("stop or wait for cc1plus"));
    machine.pass(1000, 0, 1);
    assert_eq!(gate.before_block(), Quietness::Quiet);
}

#[test]
fn pressure_counts_while_we_are_idle_and_not_while_we_compute() {
    let machine = Machine::new();
    let mut gate = machine.gate();
    gate.before_block();
    machine.waited.set(300_000);
    machine.pass(1000, 0, 0);
    assert_eq!(names(&gate.before_block()), ["pressure"]);
    machine.pass(1000, 0, 0);
    assert_eq!(gate.before_block(), Quietness::Quiet);
    // Our own two threads press against each other.
    machine.waited.set(1_300_000);
    machine.pass(2000, 400, 0);
    assert_eq!(gate.after_block(), [""; 0]);
    assert_eq!(gate.before_block(), Quietness::Quiet);
}

#[test]
fn blocks_follow_one_another_without_a_pause_even_when_they_are_short() {
    let machine = Machine::new();
    let mut gate = opened(&machine);
    for _ in 0..50 {
        machine.pass(50, 10, 0);
        assert_eq!(gate.after_block(), [""; 0]);
        assert_eq!(gate.before_block(), Quietness::Quiet);
    }
    assert!(gate.history.len() < 50, "{}", gate.history.len());
}

#[test]
fn each_sensor_flags_a_block() {
    type Disturb = fn(&Machine);
    let cases: [(&str, Disturb); 9] = [
        ("others_cpu", |machine| machine.pass(0, 0, 40)),
        ("steal", |machine| machine.steal.set(40)),
        ("swap", |machine| machine.swapped.set(3)),
        ("suspend", |machine| machine.asleep.set(60_000)),
        ("clock_step", |machine| machine.stepped.set(-3_600_000)),
        ("clock_step", |machine| machine.stepped.set(150)),
        ("memory_pressure", |machine| machine.memory_waited.set(40_005)),
        ("throttled", |machine| machine.throttled.set(4)),
        ("quota_throttled", |machine| machine.quota_throttled.set(3)),
    ];
    for (flag, disturb) in cases {
        let machine = Machine::new();
        let mut gate = opened(&machine);
        disturb(&machine);
        machine.pass(2000, 380, 0);
        assert_eq!(gate.after_block(), [flag]);
        assert_eq!(gate.after_block(), [""; 0], "no block was begun");
        assert_eq!(gate.unread(), [""; 0]);
    }
}

#[test]
fn a_short_block_is_not_flagged_for_the_coarseness_of_the_ticks() {
    let machine = Machine::new();
    let mut gate = opened(&machine);
    // Two ticks in 100 ms are 20 %, within what three ticks of doubt leave.
    machine.pass(100, 18, 2);
    assert_eq!(gate.after_block(), [""; 0]);
}

#[test]
fn a_disturbance_during_a_block_holds_up_the_next() {
    let machine = Machine::new();
    let mut gate = opened(&machine);
    machine.pass(3000, 500, 90);
    assert_eq!(gate.after_block(), ["others_cpu"]);
    assert_eq!(names(&gate.before_block()), ["others_cpu"]);
    machine.pass(1000, 0, 0);
    assert_eq!(gate.before_block(), Quietness::Quiet);
}

#[test]
fn a_wait_that_ends_early_does_not_bring_the_busy_window_back() {
    let machine = Machine::new();
    let mut gate = opened(&machine);
    machine.pass(3000, 500, 90);
    gate.after_block();
    assert_eq!(names(&gate.before_block()), ["others_cpu"]);
    machine.pass(950, 0, 0);
    assert_eq!(gate.before_block(), Quietness::Quiet);
    machine.pass(10, 1, 0);
    gate.after_block();
    assert_eq!(gate.before_block(), Quietness::Quiet);
}

#[test]
fn what_cannot_be_read_holds_nothing_up_and_is_reported_as_unknown() {
    let machine = Machine::new();
    machine.fixture.remove("proc");
    machine.fixture.remove("sys");
    let mut gate = machine.gate();
    gate.before_block();
    machine.milliseconds.set(60_000);
    assert_eq!(gate.before_block(), Quietness::Quiet);
    assert_eq!(gate.after_block(), [""; 0]);
    assert_eq!(
        gate.unread(),
        [
            "memory_pressure",
            "others_cpu",
            "pressure",
            "quota_throttled",
            "steal",
            "swap",
            "throttled"
        ]
    );

    let own = BTreeSet::from([100]);
    let before = Snapshot::take(&machine.fixture.root(), machine.clocks(), &own);
    machine.milliseconds.set(61_000);
    let after = Snapshot::take(&machine.fixture.root(), machine.clocks(), &own);
    let facts = Facts::read(&machine.fixture.root());
    let watch = Watch::between(&before, &after);
    for finding in survey(&machine.fixture.root(), &watch, &LIMITS, &facts) {
        let clocks = ["suspend", "clock_step"].contains(&finding.name);
        assert_eq!(finding.fit, if clocks { Fit::Fit } else { Fit::Unknown }, "{finding:?}");
    }
}

#[test]
fn l08_a_shut_gate_opens_at_four_fifths_of_the_limit_and_an_open_one_stays_open_up_to_it() {
    let machine = Machine::new();
    let mut gate = opened(&machine);
    // less three ticks of doubt, 9 %: over what opens, under what shuts
    let wavering = || {
        machine.pass(1000, 0, 12);
    };
    wavering();
    assert_eq!(gate.after_block(), [""; 0]);
    assert_eq!(gate.before_block(), Quietness::Quiet);
    machine.pass(1000, 0, 50);
    assert_eq!(gate.after_block(), ["others_cpu"]);
    assert_eq!(names(&gate.before_block()), ["others_cpu"]);
    for _ in 0..3 {
        wavering();
        let held = gate.before_block();
        assert_eq!(names(&held), ["others_cpu"]);
        let Quietness::Wait { unfit, .. } = held else { panic!() };
        assert_eq!((unfit[0].limit, unfit[0].opens_at), (10.0, Some(8.0)));
    }
    machine.pass(1000, 0, 11);
    assert_eq!(gate.before_block(), Quietness::Quiet);
    wavering();
    assert_eq!(gate.after_block(), [""; 0]);
    assert_eq!(gate.before_block(), Quietness::Quiet);
}

#[test]
fn pressure_on_memory_shuts_the_gate_only_after_an_idle_window() {
    let machine = Machine::new();
    let mut gate = machine.gate();
    let wait = || machine.memory_waited.set(machine.memory_waited.get() + 250_000);
    gate.before_block();
    wait();
    machine.pass(1000, 0, 0);
    assert_eq!(names(&gate.before_block()), ["memory_pressure"]);
    machine.pass(1000, 0, 0);
    assert_eq!(gate.before_block(), Quietness::Quiet);
    wait();
    machine.pass(1000, 100, 0);
    assert_eq!(gate.after_block(), ["memory_pressure"]);
    assert_eq!(gate.before_block(), Quietness::Quiet, "it may have been our own");
}

#[test]
fn a_block_tells_how_our_workers_fared_and_the_first_one_how_warm_it_was() {
    let machine = Machine::new();
    let worker = |run: u64, wait: u64, switches: u64| {
        let task = "proc/101/task/107";
        let sched = format!("x\nse.nr_migrations : {}\nnr_switches : {switches}\n", switches / 2);
        machine
            .fixture
            .process(101, 100, "worker", 0, 0)
            .file(&format!("{task}/schedstat"), &format!("{run} {wait} 9\n"))
            .file(&format!("{task}/sched"), &sched);
    };
    machine.fixture.file("sys/class/thermal/thermal_zone0/type", "x86_pkg_temp\n");
    machine.fixture.file("sys/class/thermal/thermal_zone0/temp", "41500\n");
    worker(0, 0, 0);
    let mut gate = opened(&machine);
    worker(900_000_000, 100_000_000, 40);
    machine.pass(1000, 90, 0);
    gate.after_block();
    let readings = gate.readings().clone();
    assert_eq!(readings["worker_cpu_percent"], 90.0);
    assert_eq!(readings["run_queue_wait_percent"], 10.0);
    assert_eq!(readings["worker_switches_per_second"], 40.0);
    assert_eq!(readings["worker_migrations_per_second"], 20.0);
    assert_eq!(readings["start_celsius"], 41.5);
    assert_eq!(gate.before_block(), Quietness::Quiet);
    machine.pass(1000, 0, 0);
    gate.after_block();
    assert!(!gate.readings().contains_key("start_celsius"));
    assert!(!gate.readings().contains_key("run_queue_wait_percent"), "it did not run");
}
