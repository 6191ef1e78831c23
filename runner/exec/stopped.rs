//! Whether somebody stopped a worker (SIGSTOP, a debugger's hand) and perhaps let it go on. The
//! operating system keeps that for a process's parent until it is asked; nothing is polled meanwhile.

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

/// Whether any of these children was stopped or let go on since this was last asked.
pub(super) fn stopped_since_asked(pids: &[u32]) -> bool {
    // every one is asked, so that what is kept of it is gone
    pids.iter().filter(|pid| was_stopped(**pid)).count() > 0
}

fn was_stopped(pid: u32) -> bool {
    let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return false };
    let options = WaitIdOptions::STOPPED | WaitIdOptions::CONTINUED | WaitIdOptions::NOHANG;
    // an end is not asked for, so it stays for whoever waits for it
    matches!(waitid(WaitId::Pid(pid), options), Ok(Some(_)))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use rustix::process::{Signal, kill_process};

    use super::*;

    #[test]
    fn a_child_that_was_stopped_for_a_moment_is_told_once_and_still_waited_for() {
        let mut child = Command::new("sleep").arg("30").spawn().unwrap();
        let pids = [child.id()];
        let pid = Pid::from_child(&child);
        assert!(!stopped_since_asked(&pids));
        kill_process(pid, Signal::STOP).unwrap();
        kill_process(pid, Signal::CONT).unwrap();
        let begun = std::time::Instant::now();
        while !stopped_since_asked(&pids) {
            assert!(begun.elapsed().as_secs() < 60, "it was not told");
            kill_process(pid, Signal::STOP).unwrap();
            kill_process(pid, Signal::CONT).unwrap();
        }
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success());
        assert!(!stopped_since_asked(&pids));
    }
}
