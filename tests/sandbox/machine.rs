//! A machine described by files: its sensors and facts are what the tests' programs read instead of
//! those of the one that they run on. Idle workers alone are still looked for on the real one.

use super::Sandbox;

/// Where it lies in a sandbox.
pub const MACHINE_FOLDER: &str = ".machine";

/// `/proc` and `/sys` of a machine with two processors on which nothing happens.
const QUIET_MACHINE: [(&str, &str); 17] = [
    (
        "proc/stat",
        "cpu  5000 0 1000 90000 5 0 0 10 0 0\ncpu0 2500 0 500 45000 2 0 0 0 0 0\n\
         cpu1 2500 0 500 45000 3 0 0 0 0 0\nintr 5\nctxt 70000\n",
    ),
    ("proc/1/stat", "1 (init) S 0 1 1 0 -1 0 0 0 0 0 30 4 5 6 20 0 1 0 77 0\n"),
    (
        "proc/pressure/cpu",
        "some avg10=0.00 avg60=0.00 avg300=0.00 total=1000\n\
         full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
    ),
    (
        "proc/pressure/memory",
        "some avg10=0.00 avg60=0.00 avg300=0.00 total=500\n\
         full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
    ),
    ("proc/vmstat", "pswpin 0\npswpout 0\npgfault 1\npgmajfault 0\n"),
    (
        "proc/cpuinfo",
        "processor\t: 0\nvendor_id\t: GenuineTest\ncpu family\t: 6\nmodel\t\t: 1\n\
         model name\t: Described CPU\nstepping\t: 2\nmicrocode\t: 0x10\n",
    ),
    ("proc/self/status", "Name:\trunner\nCpus_allowed_list:\t0-1\n"),
    ("proc/self/cgroup", "0::/\n"),
    ("proc/meminfo", "MemTotal:       16384000 kB\nSwapTotal:             0 kB\n"),
    ("proc/sys/kernel/osrelease", "6.1.0-described\n"),
    ("sys/devices/system/cpu/online", "0-1\n"),
    ("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "0\n"),
    ("sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count", "0\n"),
    ("sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "0\n"),
    ("sys/devices/system/cpu/cpu1/thermal_throttle/package_throttle_count", "0\n"),
    ("sys/fs/cgroup/cpu.max", "max 100000\n"),
    ("sys/fs/cgroup/cpu.stat", "usage_usec 5\nnr_periods 0\nnr_throttled 0\n"),
];

impl Sandbox {
    /// Writes the quiet machine.
    pub(super) fn describe_quiet_machine(&self) {
        for (path, text) in QUIET_MACHINE {
            self.machine_file(path, text);
        }
    }

    /// Gives the described processor extensions, as Linux lists them. Without them they are unknown,
    /// and nothing is refused for lack of one: the real engine runs on the real processor.
    pub fn describe_extensions(&self, flags: &str) {
        let (path, text) = QUIET_MACHINE.iter().find(|(path, _)| *path == "proc/cpuinfo").unwrap();
        self.machine_file(path, &format!("{text}flags\t\t: {flags}\n"));
    }

    /// Replaces a file of the described machine in one step, as a kernel would.
    pub fn machine_file(&self, path: &str, text: &str) {
        let staged = self.write(&format!("{MACHINE_FOLDER}/staged"), text);
        let target = self.path(&format!("{MACHINE_FOLDER}/{path}"));
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        std::fs::rename(staged, target).unwrap();
    }
}
