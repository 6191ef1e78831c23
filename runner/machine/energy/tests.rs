//! Counters of described machines.

use super::{Computing, EnergyCounters, Reading};
use crate::machine::fixture::Fixture;

const ZONE: &str = "sys/class/powercap/intel-rapl:0";

/// A machine with a package, its parts, the whole platform and a second way to the same package.
fn machine() -> Fixture {
    let machine = Fixture::new();
    for (folder, name) in [
        ("intel-rapl:0", "package-0"),
        ("intel-rapl:0:0", "core"),
        ("intel-rapl:0:1", "dram"),
        ("intel-rapl:1", "psys"),
        ("intel-rapl-mmio:0", "package-0"),
    ] {
        let path = format!("sys/class/powercap/{folder}");
        machine.file(&format!("{path}/name"), &format!("{name}\n"));
        machine.file(&format!("{path}/energy_uj"), "1000\n");
        machine.file(&format!("{path}/max_energy_range_uj"), "262143328850\n");
    }
    machine
}

fn found(machine: &Fixture) -> EnergyCounters {
    match EnergyCounters::find(&machine.root(), Computing::Processor) {
        Reading::Known(counters) => counters,
        Reading::Unknown(why) => panic!("{why}"),
    }
}

fn why_not(machine: &Fixture) -> String {
    match EnergyCounters::find(&machine.root(), Computing::Processor) {
        Reading::Known(counters) => panic!("{:?}", counters.names()),
        Reading::Unknown(why) => why,
    }
}

/// What the counters say between two states of the machine.
fn moved(machine: &Fixture, change: impl FnOnce(&Fixture)) -> Option<u64> {
    let counters = found(machine);
    let before = counters.read().known().cloned().unwrap();
    change(machine);
    counters.between(&before, counters.read().known()?)
}

#[test]
fn packages_are_added_up_and_their_parts_are_not_counted_twice() {
    let machine = machine();
    machine.file("sys/class/powercap/intel-rapl:2/name", "package-1\n");
    machine.file("sys/class/powercap/intel-rapl:2/energy_uj", "70\n");
    assert_eq!(found(&machine).names(), ["intel-rapl:0 package-0", "intel-rapl:2 package-1"]);
    let both = moved(&machine, |machine| {
        machine.file(&format!("{ZONE}/energy_uj"), "1500\n");
        machine.file("sys/class/powercap/intel-rapl:2/energy_uj", "77\n");
        machine.file("sys/class/powercap/intel-rapl:0:0/energy_uj", "900000\n");
    });
    assert_eq!(both, Some(507));
}

#[test]
fn a_counter_that_began_again_is_followed_over_its_end() {
    let machine = machine();
    machine.file(&format!("{ZONE}/energy_uj"), "262143328800\n");
    let over = moved(&machine, |machine| {
        machine.file(&format!("{ZONE}/energy_uj"), "25\n");
    });
    assert_eq!(over, Some(75));
    machine.file(&format!("{ZONE}/max_energy_range_uj"), "unknown\n");
    machine.file(&format!("{ZONE}/energy_uj"), "262143328800\n");
    let unknown = moved(&machine, |machine| {
        machine.file(&format!("{ZONE}/energy_uj"), "25\n");
    });
    assert_eq!(unknown, None);
}

#[test]
fn what_cannot_be_read_is_unknown_and_says_where() {
    let nothing = Fixture::new();
    insta::assert_snapshot!(why_not(&nothing), @"RAPL: no processor package has a counter below /sys/class/powercap (usual in virtual machines)");
    let broken = machine();
    broken.file(&format!("{ZONE}/energy_uj"), "many\n");
    insta::assert_snapshot!(why_not(&broken), @r#"RAPL: /sys/class/powercap/intel-rapl:0/energy_uj holds no number but "many""#);
    let gone = machine();
    gone.remove_file(&format!("{ZONE}/energy_uj"));
    insta::assert_snapshot!(why_not(&gone), @"RAPL: /sys/class/powercap/intel-rapl:0/energy_uj: not there");
    let lost = moved(&machine(), |machine| machine.remove_file(&format!("{ZONE}/energy_uj")));
    assert_eq!(lost, None);
}

#[test]
fn described_machines_have_no_gpus_to_count() {
    let found = EnergyCounters::find(&machine().root(), Computing::ProcessorAndGpus);
    assert!(found.known().is_none());
}
