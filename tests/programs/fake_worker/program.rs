//! A worker without an engine: it speaks the protocol, reports scripted times without letting
//! them pass, and fails on cue. The model path given at load is its script, so that two arms of
//! one executable differ by their settings alone. What must show before a model is loaded is
//! read from the script that `FAKE_WORKER_SCRIPT` names; so is all else when the model path ends in
//! anything but `.toml`.
//!
//! A script is TOML. Every key is optional; the value here is the default unless said otherwise.
//!
//! ```toml
//! seed = 0                         # of the noise
//! vocabulary = 128
//! context_tokens = 4096            # in effect when the settings name none
//!
//! # The behaviour of all arms; `[[when]]` tables below lay theirs over it, in order.
//! [base]
//! decode_nanoseconds_per_token = 1_000_000
//! prefill_nanoseconds_per_token = 100_000
//! nanoseconds_per_different_token = 0  # added to that for each different token
//! noise_sd = 0.0                   # of the logarithm of each time
//! process_sd = 0.0                 # the same, drawn once a process
//! stall_probability = 0.0          # a time is multiplied by 15
//! nanoseconds = 0                  # example: every time is exactly this (default: computed)
//! sleep = false                    # let the scripted time really pass
//! energy_file = "/…/energy_uj"     # example: a counter of microjoules that its work moves, and that
//!                                  # begins again at `max_energy_range_uj` beside it (default: none)
//! watts = 0.0                      # by how much: power during scripted time, the untimed one included
//! energy_ends_after = 5            # example: the counter is gone after so many decodes or prefills
//! diverge_from_position = 40       # example: other tokens are chosen from there on (default: never)
//! diverge_from_command = 3         # example: only from this decode command of a process on
//! diverge_in_processes = "odd"     # example: only in every second process (default: all)
//! tokens_off_by = 0                # added to the reported number of timed tokens
//! end_of_text_twice = false        # one chosen token too many
//! accepts = [2, 0, 4]              # example: drafted tokens that each verification accepts, in turn
//! rollback_leaves_token = false    # after a rejection a rejected token stays in the cache
//! accepted_off_by = 0              # added to the accepted tokens that are reported
//! drafter_vocabulary = 100         # example: the draft model's tokens (default: the model's)
//! logits_noise = 0.0               # added to each logit, times a fixed pattern
//! logits_nan_at = 3                # example: this row has a NaN (default: none)
//! vocabulary = 128                 # example: another one than the script's (default: the script's)
//! layers = 30                      # example: other ones than the file says (default: the file's, or 1)
//! requantise_share_percent = 99    # bytes of a new form that are of its own type
//! requantise_short_bytes = 0       # cut off a new form's end, and not told
//! burn = false                     # a thread computes all the time
//! outlives_input = false           # goes on for a minute after standard input closed
//! stderr_bytes = 0                 # written at load
//! unsupported = []                 # settings that are refused at load
//! operations = { mul_mat = 10 }    # example: counts for `operations`, on device "FAKE"
//! operations_on = { CPU = { mul_mat = 3 } }   # example: counts on other devices
//! buffers = [{ device = "CPU", kind = "kv", bytes = 1000 }]   # example (default: the weights')
//! effective = { threads = 1 }      # example: settings that are reported to be in effect instead
//! holds_megabytes = 0              # really allocated at load
//! slow_start = 0.0                 # the first timed command takes longer by this factor …
//! slow_start_halves_after = 1.0    # … and the surplus halves with every so many commands
//! # The graph that `observe` shows; every key may be left out.
//! observe = { tensors = ["embd", "l_out-0"], width = 16, changed_from = "l_out-0", change = 0.5 }
//! #   tensors       in order of execution
//! #   changed_from  from this on one value of each position is larger by `change`, until a tensor
//! #                 is replaced
//! #   fault         short (a value is missing in the file), hash, twice (a name), nothing, places
//! # Primitives; every key may be left out. Times go by bytes.
//! primitive = { bytes_per_second = 347_000_000_000, bytes_per_second_in_pieces = 174_000_000_000 }
//! #   pieces_off_by        added to the pieces that are reported
//! #   bytes_off_by         added to the reported bytes where more than one repetition is timed
//! #   bytes_off_in_pieces  added to the reported bytes of more than one piece
//! unknown = []                     # messages that are answered as no request
//! protocol_version = 1             # only with FAKE_WORKER_SCRIPT
//! source_blake3 = "fake"           # only with FAKE_WORKER_SCRIPT
//! instruction_set = []             # only with FAKE_WORKER_SCRIPT
//!
//! # One thing that goes wrong.
//! fault = { kind = "crash", command = "decode", nth = 3, process = 5 }
//! #   kind     crash (abort), exit (status 3), killed (SIGKILL), hang, garbage, wrong_id,
//! #            cut_line (half a line, then exit), long_line (70 MB), problem (compute)
//! #   command  the protocol's name of the command
//! #   nth      of that command in the process, from 1
//! #   process  only in the process with this number, from 1 (default: in all)
//!
//! [[when]]
//! settings = { threads = 2 }       # holds when the loaded settings have these values
//! model = "q8_0.gguf"              # and only when the loaded file's path ends so (default: any)
//! environment = { OMP_PROC_BIND = "true" }   # and only when the process has these variables
//! processes = [7, 10]              # and only for the processes with these numbers (default: all)
//! decode_nanoseconds_per_token = 900_000
//! ```
//!
//! The weights' buffer has the length of the loaded file (4 bytes of a script).
//!
//! Beside a script `NAME` the worker appends its pid as a line to `NAME.pids` at each load: the
//! number of lines is the process's number.

mod drafts;
mod energy;
mod engine;
mod faults;
mod layers;
mod noise;
mod observe;
mod primitive;
mod requantise;
mod script;

use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use engine_protocol::{Command, Problem, ProblemKind, Reply, Request, Response};

use engine::Engine;

/// Whether the loaded script wants a process that does not heed the end of its input.
static OUTLIVES_INPUT: AtomicBool = AtomicBool::new(false);

/// The thread that answers may hang or compute; this one ends the process as soon as standard
/// input closes.
fn main() -> ExitCode {
    let (requests, queue) = channel::<Vec<u8>>();
    std::thread::spawn(move || {
        let mut engine = Engine::new();
        for line in queue {
            answer(&mut engine, &line);
        }
    });
    for line in std::io::stdin().lock().split(b'\n') {
        let Ok(line) = line else { break };
        if requests.send(line).is_err() {
            break;
        }
    }
    if OUTLIVES_INPUT.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_secs(60));
    }
    ExitCode::SUCCESS
}

fn answer(engine: &mut Engine, line: &[u8]) {
    let mut last = false;
    let response = match serde_json::from_slice::<Request>(line) {
        Ok(request) if engine.is_unknown(&request.command) => Response {
            id: 0,
            reply: Reply::Problem(Problem {
                kind: ProblemKind::Protocol,
                message: "the line is not a request: unknown variant".to_owned(),
            }),
        },
        Ok(request) => {
            let id = request.id + faults::act(engine.fault_of(&request.command));
            last = request.command == Command::Shutdown;
            Response { id, reply: engine.reply(request.command) }
        }
        Err(error) => Response {
            id: 0,
            reply: Reply::Problem(Problem {
                kind: ProblemKind::Protocol,
                message: format!("not a request: {error}"),
            }),
        },
    };
    let mut text = serde_json::to_vec(&response).unwrap_or_default();
    text.push(b'\n');
    write(&text);
    if last {
        faults::leave(0);
    }
}

/// Writes to standard output; a closed pipe is somebody else's business.
fn write(bytes: &[u8]) {
    let mut stdout = std::io::stdout().lock();
    let _ = stdout.write_all(bytes).and_then(|()| stdout.flush());
}
