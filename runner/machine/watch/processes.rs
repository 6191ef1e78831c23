//! `/proc/<pid>/stat`: processor time of each process, ours and others'.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::TICKS_PER_SECOND;
use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

/// A process of somebody else. For the terminal only: names are private, records hold none.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ForeignProcess {
    /// As the kernel calls it (15 bytes at most).
    pub name: String,
    /// Its number.
    pub pid: u32,
    /// Processor time over the window, percent of one processor.
    pub cpu_percent: f64,
}

/// One process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Process {
    name: String,
    parent: u32,
    /// Ticks of the process itself.
    own: u64,
    /// Ticks of its children that have ended and were waited for.
    children: u64,
    /// Ticks from boot to its start: tells it from a later process of the same number.
    started: u64,
}

/// All processes at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Processes {
    all: BTreeMap<u32, Process>,
    ours: BTreeSet<u32>,
}

impl Processes {
    /// Reads all; `own` and everything below them in the tree are ours.
    pub(super) fn read(root: &MachineRoot, own: &BTreeSet<u32>) -> Reading<Processes> {
        let mut all = BTreeMap::new();
        for name in root.names("proc") {
            let Ok(pid) = name.parse::<u32>() else { continue };
            // A process may end between the listing and the reading.
            let text = root.text(&format!("proc/{name}/stat"));
            if let Some(process) = text.known().and_then(|text| parse(text)) {
                all.insert(pid, process);
            }
        }
        if all.is_empty() {
            return Reading::unknown("/proc lists no processes");
        }
        let ours = with_descendants(&all, own);
        Reading::Known(Processes { all, ours })
    }

    /// Reads only `own` and everything below them, by the kernel's lists of children: some ten files
    /// instead of one for each process of the machine. `foreign_since` then names nobody. Where
    /// there are no such lists, all are read.
    ///
    /// A list may lack a child while another one ends (proc_pid_task_children(5)); workers end only
    /// between rounds.
    pub(super) fn read_own(root: &MachineRoot, own: &BTreeSet<u32>) -> Reading<Processes> {
        own_tree(root, own).map_or_else(
            || Processes::read(root, own),
            |all| {
                let ours = all.keys().copied().collect();
                Reading::Known(Processes { all, ours })
            },
        )
    }

    /// Numbers of the processes below `own` in the tree, without `own` itself.
    pub(super) fn descendants_of(&self, own: &BTreeSet<u32>) -> Vec<u32> {
        self.ours.difference(own).copied().collect()
    }

    /// Ticks of our tree, ended children included. They move from a child to its parent when the
    /// parent waits for it, so the sum never falls while the parent is there.
    pub(super) fn our_ticks(&self) -> u64 {
        self.ours
            .iter()
            .filter_map(|pid| self.all.get(pid))
            .map(|process| process.own.saturating_add(process.children))
            .fold(0, u64::saturating_add)
    }

    /// Others by processor time since `before`, the busiest first; those without any are left out.
    pub(super) fn foreign_since(&self, before: &Processes, seconds: f64) -> Vec<ForeignProcess> {
        let mut foreign: Vec<ForeignProcess> = self
            .all
            .iter()
            .filter(|(pid, _)| !self.ours.contains(pid))
            .filter_map(|(pid, process)| {
                let earlier = before
                    .all
                    .get(pid)
                    .filter(|earlier| earlier.started == process.started)
                    .map_or(0, |earlier| earlier.own);
                let ticks = process.own.checked_sub(earlier).filter(|ticks| *ticks > 0)?;
                Some(ForeignProcess {
                    name: process.name.clone(),
                    pid: *pid,
                    cpu_percent: 100.0 * ticks as f64 / TICKS_PER_SECOND / seconds,
                })
            })
            .collect();
        foreign.sort_by(|left, right| {
            right.cpu_percent.total_cmp(&left.cpu_percent).then(left.pid.cmp(&right.pid))
        });
        foreign
    }
}

fn own_tree(root: &MachineRoot, own: &BTreeSet<u32>) -> Option<BTreeMap<u32, Process>> {
    let mut all = BTreeMap::new();
    let mut open: Vec<u32> = own.iter().copied().collect();
    while let Some(pid) = open.pop() {
        let text = root.text(&format!("proc/{pid}/stat"));
        let Some(process) = text.known().and_then(|text| parse(text)) else {
            if own.contains(&pid) {
                return None;
            }
            continue;
        };
        if all.insert(pid, process).is_some() {
            continue;
        }
        let threads = root.names(&format!("proc/{pid}/task"));
        if threads.is_empty() && root.path(&format!("proc/{pid}")).is_dir() {
            return None;
        }
        for thread in threads {
            let folder = format!("proc/{pid}/task/{thread}");
            match std::fs::read_to_string(root.path(&format!("{folder}/children"))) {
                Ok(list) => open
                    .extend(list.split_whitespace().filter_map(|child| child.parse::<u32>().ok())),
                // the thread has ended meanwhile
                Err(_) if !root.path(&folder).is_dir() => {}
                Err(_) => return None,
            }
        }
    }
    Some(all)
}

fn with_descendants(all: &BTreeMap<u32, Process>, own: &BTreeSet<u32>) -> BTreeSet<u32> {
    let mut ours = own.clone();
    loop {
        let more: Vec<u32> = all
            .iter()
            .filter(|(pid, process)| !ours.contains(pid) && ours.contains(&process.parent))
            .map(|(pid, _)| *pid)
            .collect();
        if more.is_empty() {
            return ours;
        }
        ours.extend(more);
    }
}

/// Fields of proc_pid_stat(5). The name stands in parentheses and may hold any character.
fn parse(text: &str) -> Option<Process> {
    let open = text.find('(')?;
    let close = text.rfind(')')?;
    let name = text.get(open + 1..close)?.to_owned();
    let fields: Vec<&str> = text.get(close + 1..)?.split_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
    Some(Process {
        name,
        parent: fields.get(1)?.parse().ok()?,
        own: number(11)?.checked_add(number(12)?)?,
        children: number(13)?.checked_add(number(14)?)?,
        started: number(19)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_hold_parentheses_and_spaces() {
        let line = "7 (a) b (c) S 1 7 7 0 -1 0 0 0 0 0 30 4 5 6 20 0 1 0 99 0";
        let process = parse(line).unwrap();
        assert_eq!(process.name, "a) b (c");
        assert_eq!((process.parent, process.own, process.children), (1, 34, 11));
        assert_eq!(process.started, 99);
        assert_eq!(parse("7 no name"), None);
    }
}
