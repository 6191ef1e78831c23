//! The processes of a worker's group: those that it started itself, as another engine's adapter does.

use rustix::process::{Pid, Signal, kill_process_group};

/// Members of the group that a process leads or led, without itself; empty where the platform does not tell.
pub(super) fn others(leader: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let mut members: Vec<u32> =
        numbers.filter(|pid| *pid != leader && group_of(*pid) == Some(leader)).collect();
    members.sort_unstable();
    members
}

/// Field 5 of `/proc/<pid>/stat` (proc(5)); names may hold spaces and brackets.
fn group_of(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(2)?.parse().ok()
}

/// Kills what is left of a group, whether or not its leader still lives. A number is not given to another
/// process while a group of it has members, so that nobody else is met.
pub(super) fn kill_left(leader: u32) {
    if group_of(leader) == Some(leader) || !others(leader).is_empty() {
        kill(leader);
    }
}

fn kill(leader: u32) {
    let pid = i32::try_from(leader).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn what_a_worker_started_is_found_and_ends_with_it() {
        let mut leader = Command::new("sh")
            .args(["-c", "sleep 60 & wait"])
            .stdout(Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap();
        let begun = Instant::now();
        let mut found = others(leader.id());
        while found.is_empty() && begun.elapsed() < Duration::from_secs(5) {
            found = others(leader.id());
        }
        // it ends by itself, and what it started does not
        rustix::process::kill_process(Pid::from_raw(leader.id() as i32).unwrap(), Signal::TERM)
            .unwrap();
        leader.wait().unwrap();
        kill_left(leader.id());
        if std::path::Path::new("/proc/self/stat").exists() {
            assert_eq!(found.len(), 1);
            while group_of(found[0]).is_some() && begun.elapsed() < Duration::from_secs(10) {
                std::thread::sleep(Duration::from_millis(5));
            }
            assert!(others(leader.id()).is_empty());
        }
    }
}
