//! What the operating system says of a process's memory.

use super::reading::Reading;
use super::root::MachineRoot;

/// Memory of a process, from `/proc/<pid>/status`, `smaps_rollup` and `stat`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessMemory {
    /// Resident bytes (`VmRSS`).
    pub resident_bytes: Reading<u64>,
    /// Resident bytes, each page shared out between the processes that map it (`Pss`).
    pub proportional_bytes: Reading<u64>,
    /// Resident bytes with no file behind them (`RssAnon`).
    pub anonymous_bytes: Reading<u64>,
    /// Resident bytes of mapped files and shared memory (`RssFile` and `RssShmem`).
    pub file_bytes: Reading<u64>,
    /// Page faults that waited for a disk, since the process began (`stat`, field 12).
    pub major_faults: Reading<u64>,
}

impl ProcessMemory {
    /// Reads it now. The kernel walks all pages of the process: nothing to do while a clock runs.
    #[must_use]
    pub fn read(root: &MachineRoot, pid: u32) -> ProcessMemory {
        let status = root.text(&format!("proc/{pid}/status"));
        let rollup = root.text(&format!("proc/{pid}/smaps_rollup"));
        let stat = root.text(&format!("proc/{pid}/stat"));
        let file = kilobytes(&status, "RssFile:");
        let shared = kilobytes(&status, "RssShmem:");
        ProcessMemory {
            resident_bytes: kilobytes(&status, "VmRSS:"),
            proportional_bytes: kilobytes(&rollup, "Pss:"),
            anonymous_bytes: kilobytes(&status, "RssAnon:"),
            file_bytes: file.and_then(|file| shared.map(|shared| file.saturating_add(shared))),
            major_faults: stat.and_then(|text| {
                // the second field, the name, may hold anything; the third stands first behind it
                let fields = text.rsplit_once(')').map(|(_, rest)| rest.to_owned());
                let faults = fields.and_then(|rest| rest.split_whitespace().nth(9)?.parse().ok());
                Reading::from_option(faults, "the line of the process has no count of faults")
            }),
        }
    }
}

/// A line `Key:   123 kB`, in bytes.
fn kilobytes(text: &Reading<String>, key: &str) -> Reading<u64> {
    text.clone().and_then(|text| {
        let number = text.lines().find_map(|line| {
            let number = line.strip_prefix(key)?.trim().strip_suffix("kB")?;
            number.trim().parse::<u64>().ok()?.checked_mul(1024)
        });
        Reading::from_option(number, format!("there is no `{key}`"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_is_read_and_what_is_not_there_is_unknown() {
        let folder = tempfile::tempdir().unwrap();
        let process = folder.path().join("proc/7");
        std::fs::create_dir_all(&process).unwrap();
        let status =
            "Name:\tw\nVmRSS:\t   90 kB\nRssAnon:\t 50 kB\nRssFile:\t 30 kB\nRssShmem:\t 10 kB\n";
        std::fs::write(process.join("status"), status).unwrap();
        std::fs::write(process.join("stat"), "7 (a ) b) S 1 2 3 4 5 6 70 80 9 100 11\n").unwrap();
        let root = MachineRoot::below(folder.path());
        let read = ProcessMemory::read(&root, 7);
        assert_eq!(read.resident_bytes, Reading::Known(90 * 1024));
        assert_eq!(read.anonymous_bytes, Reading::Known(50 * 1024));
        assert_eq!(read.file_bytes, Reading::Known(40 * 1024));
        assert_eq!(read.major_faults, Reading::Known(9));
        assert!(read.proportional_bytes.known().is_none());
        std::fs::write(process.join("smaps_rollup"), "0-1 ---p 0\nRss: 90 kB\nPss:   45 kB\n")
            .unwrap();
        let read = ProcessMemory::read(&root, 7);
        assert_eq!(read.proportional_bytes, Reading::Known(45 * 1024));
        assert!(ProcessMemory::read(&root, 8).resident_bytes.known().is_none());
    }
}
