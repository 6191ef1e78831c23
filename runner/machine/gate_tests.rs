use std::cell::Cell;

use super::*;
use crate::machine::facts::Facts;
use crate::machine::fixture::Fixture;
use crate::machine::quiet::report;

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
            .memory(0, self.swapped.get());
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
    let cases: [(&str, Disturb); 4] = [
        ("others_cpu", |machine| machine.pass(0, 0, 40)),
        ("steal", |machine| machine.steal.set(40)),
        ("swap", |machine| machine.swapped.set(3)),
        ("suspend", |machine| machine.asleep.set(60_000)),
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
    let mut gate = machine.gate();
    gate.before_block();
    machine.milliseconds.set(60_000);
    assert_eq!(gate.before_block(), Quietness::Quiet);
    assert_eq!(gate.after_block(), [""; 0]);
    assert_eq!(gate.unread(), ["others_cpu", "pressure", "steal", "swap"]);

    let own = BTreeSet::from([100]);
    let before = Snapshot::take(&machine.fixture.root(), machine.clocks(), &own);
    machine.milliseconds.set(61_000);
    let after = Snapshot::take(&machine.fixture.root(), machine.clocks(), &own);
    let facts = Facts::read(&machine.fixture.root());
    let readings = report(&Watch::between(&before, &after), &LIMITS, &facts);
    let states: Vec<(&str, Fit)> =
        readings.iter().map(|reading| (reading.name, reading.fit)).collect();
    assert_eq!(
        states,
        [
            ("others_cpu", Fit::Unknown),
            ("pressure", Fit::Unknown),
            ("steal", Fit::Unknown),
            ("swap", Fit::Unknown),
            ("suspend", Fit::Fit),
        ]
    );
}
