//! Small trees that look like `/proc` and `/sys` of some machine.

use super::root::MachineRoot;

pub(super) struct Fixture {
    folder: tempfile::TempDir,
}

impl Fixture {
    pub(super) fn new() -> Fixture {
        Fixture { folder: tempfile::tempdir().unwrap() }
    }

    pub(super) fn root(&self) -> MachineRoot {
        MachineRoot::below(self.folder.path())
    }

    pub(super) fn file(&self, path: &str, text: &str) -> &Fixture {
        let path = self.folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    pub(super) fn folder(&self, path: &str) -> &Fixture {
        std::fs::create_dir_all(self.folder.path().join(path)).unwrap();
        self
    }

    pub(super) fn remove(&self, path: &str) {
        std::fs::remove_dir_all(self.folder.path().join(path)).unwrap();
    }

    pub(super) fn remove_file(&self, path: &str) {
        std::fs::remove_file(self.folder.path().join(path)).unwrap();
    }

    /// Totals of two processors since boot, ticks of 10 ms.
    pub(super) fn cpu(&self, busy: u64, steal: u64) -> &Fixture {
        let text = format!(
            "cpu  {busy} 0 0 9000 5 0 0 {steal} 0 0\ncpu0 1 0 0 1 0 0 0 0 0 0\n\
             cpu1 1 0 0 1 0 0 0 0 0 0\nintr 5\nctxt {}\n",
            busy * 10
        );
        self.file("proc/stat", &text)
    }

    pub(super) fn process(
        &self,
        pid: u32,
        parent: u32,
        name: &str,
        ticks: u64,
        children: u64,
    ) -> &Fixture {
        let line = format!(
            "{pid} ({name}) S {parent} 1 1 0 -1 0 0 0 0 0 {ticks} 0 {children} 0 20 0 1 0 77 0\n"
        );
        self.file(&format!("proc/{pid}/stat"), &line)
    }

    pub(super) fn pressure(&self, total_microseconds: u64) -> &Fixture {
        let text = format!(
            "some avg10=12.50 avg60=0.00 avg300=0.00 total={total_microseconds}\n\
             full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"
        );
        self.file("proc/pressure/cpu", &text)
    }

    pub(super) fn memory_pressure(&self, total_microseconds: u64) -> &Fixture {
        let text = format!("some avg10=0.00 avg60=0.00 avg300=0.00 total={total_microseconds}\n");
        self.file("proc/pressure/memory", &text)
    }

    /// Twelve processors, of which only `cpu10` was ever slowed.
    pub(super) fn throttled(&self, cpu10: u64) -> &Fixture {
        for number in 0..12 {
            let folder = format!("sys/devices/system/cpu/cpu{number}/thermal_throttle");
            let count = if number == 10 { cpu10 } else { 0 };
            self.file(&format!("{folder}/core_throttle_count"), &format!("{count}\n"));
            self.file(&format!("{folder}/package_throttle_count"), "7\n");
        }
        self
    }

    pub(super) fn quota_throttled(&self, periods: u64) -> &Fixture {
        self.file("proc/self/cgroup", "0::/user.slice\n");
        let text = format!("usage_usec 1\nnr_periods 9\nnr_throttled {periods}\n");
        self.file("sys/fs/cgroup/user.slice/cpu.stat", &text)
    }

    pub(super) fn memory(&self, faults: u64, swapped_in: u64) -> &Fixture {
        let text = format!("pswpin {swapped_in}\npswpout 0\npgfault 1\npgmajfault {faults}\n");
        self.file("proc/vmstat", &text)
    }
}
