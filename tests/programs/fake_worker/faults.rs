//! What goes wrong, done.

use crate::script::FaultKind;

/// Does it. What is returned is added to the number of the answer.
pub fn act(fault: Option<FaultKind>) -> u64 {
    match fault {
        None | Some(FaultKind::Problem) => 0,
        Some(FaultKind::WrongId) => 1000,
        Some(FaultKind::Crash) => std::process::abort(),
        Some(FaultKind::Exit) => leave(3),
        Some(FaultKind::Killed) => {
            let own = rustix::process::getpid();
            let _ = rustix::process::kill_process(own, rustix::process::Signal::KILL);
            sleep_for_ever()
        }
        Some(FaultKind::Hang) => sleep_for_ever(),
        Some(FaultKind::Garbage) => {
            crate::write(b"ggml_init: this is no message\n");
            0
        }
        Some(FaultKind::CutLine) => {
            crate::write(b"{\"id\":");
            leave(3)
        }
        Some(FaultKind::LongLine) => {
            let piece = vec![b'x'; 1 << 20];
            for _ in 0..70 {
                crate::write(&piece);
            }
            0
        }
    }
}

fn sleep_for_ever() -> ! {
    loop {
        std::thread::sleep(std::time::Duration::from_secs(3600));
    }
}

/// Ends the whole process.
#[expect(clippy::exit, reason = "another thread waits for standard input")]
pub fn leave(status: i32) -> ! {
    std::process::exit(status)
}
