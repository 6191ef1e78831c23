use super::*;
use crate::machine::fixture::Fixture;

const CPU: &str = "sys/devices/system/cpu";

/// Twelve processors on metal.
fn metal() -> Fixture {
    let fixture = Fixture::new();
    fixture
        .file(
            "proc/cpuinfo",
            "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 151\n\
             model name\t: Some CPU @ 3 GHz\nstepping\t: 2\nmicrocode\t: 0x2c\nflags\t\t: fpu avx2\n\
             \nprocessor\t: 1\nmodel name\t: another\n",
        )
        .file(&format!("{CPU}/online"), "0-11\n")
        .file("proc/self/status", "Name:\tx\nCpus_allowed:\tfff\nCpus_allowed_list:\t0-11\n")
        .file("proc/self/cgroup", "0::/user.slice/session.scope\n")
        .file(&format!("{CPU}/smt/active"), "1\n")
        .file(&format!("{CPU}/intel_pstate/no_turbo"), "0\n")
        .file("proc/meminfo", "MemTotal:       16384000 kB\nSwapTotal:             0 kB\n")
        .file("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n")
        .file("etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n")
        .file("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n")
        .file("proc/self/maps", "7f00-7f01 r--p 0 fe:00 3   /usr/lib/libc.so.6\n")
        .file("usr/lib/libc.so.6", "\0GNU C Library (x) stable release version 2.36.\nmore")
        .file(&format!("{CPU}/cpu0/cache/index0/level"), "1\n")
        .file(&format!("{CPU}/cpu0/cache/index0/type"), "Data\n")
        .file(&format!("{CPU}/cpu0/cache/index0/size"), "32K\n")
        .folder(&format!("{CPU}/cpufreq/policy0"));
    for number in 0..12 {
        let governor = format!("{CPU}/cpu{number}/cpufreq/scaling_governor");
        fixture.file(&governor, "performance\n");
    }
    fixture
}

fn known<T: Clone>(value: T) -> Reading<T> {
    Reading::Known(value)
}

#[test]
fn a_machine_on_metal_is_read_in_full() {
    let fixture = metal();
    let facts = Facts::read(&fixture.root());
    assert_eq!(facts.cpu_model, known("Some CPU @ 3 GHz".into()));
    assert_eq!(facts.cpu_revision, known("6/151/2".into()));
    assert_eq!(facts.microcode, known("0x2c".into()));
    assert_eq!(facts.cores_usable, known(12.0));
    assert_eq!(facts.usable_threads(), Some(12));
    assert_eq!(facts.quota, known(Quota::Unlimited));
    assert_eq!(facts.governor, known("performance".into()));
    assert_eq!(facts.turbo, known(true));
    assert_eq!(facts.smt, known(true));
    assert_eq!(facts.memory_bytes, known(16_384_000 * 1024));
    assert_eq!(facts.swap_bytes, known(0));
    assert_eq!(facts.transparent_huge_pages, known("madvise".into()));
    assert_eq!(facts.kernel, known("6.1.0-18-amd64".into()));
    assert_eq!(facts.libc, known("glibc 2.36".into()));
    assert_eq!(facts.distribution, known("Debian GNU/Linux 12".into()));
    assert_eq!(facts.hypervisor, known("none".into()));
    let caches = facts.caches.known().unwrap();
    assert_eq!(caches, &[Cache { level: 1, kind: "data".into(), bytes: 32_768 }]);
}

#[test]
fn the_governor_of_cpu10_counts_and_one_that_is_unreadable_makes_all_unknown() {
    let fixture = metal();
    fixture.file(&format!("{CPU}/cpu10/cpufreq/scaling_governor"), "powersave\n");
    let governor = Facts::read(&fixture.root()).governor;
    assert_eq!(governor, known("performance,powersave".into()));

    fixture.file(&format!("{CPU}/cpu10/cpufreq/scaling_governor"), "\n");
    let governor = Facts::read(&fixture.root()).governor;
    assert!(matches!(&governor, Reading::Unknown(why) if why.contains("cpu10")), "{governor:?}");
}

#[test]
fn half_a_core_is_half_a_core_under_cgroup_version_2() {
    let fixture = metal();
    fixture
        .file("sys/fs/cgroup/user.slice/cpu.max", "50000 100000\n")
        .file("sys/fs/cgroup/user.slice/session.scope/cpu.max", "max 100000\n");
    let facts = Facts::read(&fixture.root());
    assert_eq!(facts.quota, known(Quota::Cores(0.5)));
    assert_eq!(facts.cores_usable, known(0.5));
    assert_eq!(facts.usable_threads(), Some(1));
}

#[test]
fn a_group_whose_path_is_the_hosts_falls_back_to_what_is_there() {
    let fixture = metal();
    fixture
        .file("proc/self/cgroup", "0::/../../docker/abc\n")
        .file("sys/fs/cgroup/cpu.max", "150000 100000\n");
    assert_eq!(Facts::read(&fixture.root()).cores_usable, known(1.5));
}

#[test]
fn cgroup_version_1_is_read_too_and_affinity_wins_when_it_is_less() {
    let fixture = metal();
    fixture
        .file("proc/self/cgroup", "9:name=systemd:/\n4:cpu,cpuacct:/docker/abc\n0::/\n")
        .file("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us", "400000\n")
        .file("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us", "100000\n")
        .file("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n")
        .file("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    assert_eq!(Facts::read(&fixture.root()).cores_usable, known(4.0));
    fixture.file("proc/self/status", "Cpus_allowed_list:\t3\n");
    assert_eq!(Facts::read(&fixture.root()).cores_usable, known(1.0));
}

#[test]
fn a_virtual_machine_says_so() {
    let fixture = metal();
    fixture.file("proc/cpuinfo", "vendor_id : AuthenticAMD\nflags : fpu hypervisor\n");
    assert_eq!(Facts::read(&fixture.root()).hypervisor, known("some".into()));
    fixture.file("sys/class/dmi/id/sys_vendor", "QEMU\n");
    assert_eq!(Facts::read(&fixture.root()).hypervisor, known("qemu".into()));
}

#[test]
fn where_nothing_can_be_read_all_is_unknown_with_a_reason() {
    let facts = Facts::read(&Fixture::new().root());
    let json = serde_json::to_value(&facts).unwrap();
    for (name, value) in json.as_object().unwrap() {
        if name != "platform" {
            let why = value.get("unknown").and_then(|why| why.as_str()).unwrap_or("");
            assert!(!why.is_empty(), "{name}: {value}");
        }
    }
}

#[test]
fn facts_survive_toml_and_json() {
    let facts = Facts::read(&metal().root());
    let text = toml::to_string(&facts).unwrap();
    assert_eq!(toml::from_str::<Facts>(&text).unwrap(), facts);
    let json = serde_json::to_string(&facts).unwrap();
    assert_eq!(serde_json::from_str::<Facts>(&json).unwrap(), facts);
}

#[test]
fn the_name_stays_when_the_kernel_is_updated_and_changes_with_the_hardware() {
    let fixture = metal();
    let before = Facts::read(&fixture.root()).name();
    fixture.file("proc/sys/kernel/osrelease", "6.2\n");
    assert_eq!(Facts::read(&fixture.root()).name(), before);
    fixture.file(&format!("{CPU}/online"), "0-5\n");
    assert_ne!(Facts::read(&fixture.root()).name(), before);
}

#[test]
#[cfg(target_os = "linux")]
fn this_machine_has_a_kernel_and_memory() {
    let facts = Facts::read(&MachineRoot::live());
    assert!(facts.kernel.known().is_some(), "{facts:?}");
    assert!(facts.memory_bytes.known().is_some_and(|bytes| *bytes > 1 << 20));
}
