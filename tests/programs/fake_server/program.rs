//! A server of completions without a model: it lets scripted times pass, counts as it is told, and fails
//! on cue. `fake-server PORT [KEY=VALUE …]`:
//!
//! ```text
//! token_us=300          before each token
//! prompt_us=1000        before the first
//! ready_after_ms=0      503 until then
//! never_ready=0         503 for ever
//! exit_at_start=0       says why on standard error and ends
//! die_at_token=0        ends in the middle of an answer (1 is the first token)
//! cut_at_token=0        closes the connection there and goes on living
//! two_in_one=0          this token comes in the piece of the one before
//! gather_from=0         this token and all after it come in the piece of the one before
//! leaves_a_child=0      starts `sleep` and does not end it; its number goes to `child.pid`
//! empty=0               answers hold no token
//! short_by=0            so many tokens too few
//! counts=pieces         pieces: with each piece; usage: at the end alone; nothing
//! caches=0              a prompt that was seen before costs nothing
//! tells_cached=1        and it says so
//! prompt_off_by=0       counts so many more tokens in the prompt
//! garbage=0             a piece that is not JSON
//! status=200            of completions
//! stderr_megabytes=0    written at the start
//! slots=1               requests that are worked on at the same time; others wait
//! ```

#![expect(clippy::unwrap_used, reason = "a program of the tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::ExitCode;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

#[derive(Debug)]
struct Script(BTreeMap<String, String>);

impl Script {
    fn number(&self, key: &str, default: u64) -> u64 {
        self.0.get(key).map_or(default, |value| value.parse().unwrap())
    }

    fn is(&self, key: &str) -> bool {
        self.number(key, 0) != 0
    }
}

#[derive(Debug)]
struct Shared {
    script: Script,
    begun: Instant,
    seen: Mutex<BTreeSet<String>>,
    free_slots: Mutex<u64>,
    freed: Condvar,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let port: u16 = arguments.next().unwrap().parse().unwrap();
    let pairs = arguments.filter_map(|pair| {
        let (key, value) = pair.split_once('=')?;
        Some((key.to_owned(), value.to_owned()))
    });
    let script = Script(pairs.collect());
    if script.is("exit_at_start") {
        let _ = writeln!(std::io::stderr(), "no such model\nI give up");
        return ExitCode::from(3);
    }
    if script.is("leaves_a_child") {
        #[expect(clippy::zombie_processes, reason = "that it is left behind is what is played")]
        let child = std::process::Command::new("sleep").arg("600").spawn().unwrap();
        let path = script.0.get("pid_file").map_or("child.pid", String::as_str);
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
        writeln!(file, "{}", child.id()).unwrap();
    }
    let line = [b'x'; 1 << 10];
    for _ in 0..script.number("stderr_megabytes", 0) << 10 {
        let _ = std::io::stderr().write_all(&line);
    }
    let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
    let slots = script.number("slots", 1);
    let shared = Arc::new(Shared {
        script,
        begun: Instant::now(),
        seen: Mutex::default(),
        free_slots: Mutex::new(slots),
        freed: Condvar::new(),
    });
    for stream in listener.incoming().flatten() {
        let shared = Arc::clone(&shared);
        std::thread::spawn(move || while serve(&stream, &shared).is_some() {});
    }
    ExitCode::SUCCESS
}

/// One request; `None` when the connection is to be closed.
fn serve(stream: &TcpStream, shared: &Shared) -> Option<()> {
    let _ = stream.set_nodelay(true);
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    if reader.read_line(&mut first).ok()? == 0 {
        return None;
    }
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let mut out = stream;
    if first.starts_with("GET") {
        let late = shared.script.number("ready_after_ms", 0);
        let waits = shared.begun.elapsed() < Duration::from_millis(late);
        let status =
            if waits || shared.script.is("never_ready") { "503 Loading" } else { "200 OK" };
        write!(out, "HTTP/1.1 {status}\r\nContent-Length: 2\r\n\r\n{{}}").ok()?;
        return Some(());
    }
    let status = shared.script.number("status", 200);
    if status != 200 {
        let text = "{\"error\":\"no slot is free\"}";
        write!(out, "HTTP/1.1 {status} No\r\nContent-Length: {}\r\n\r\n{text}", text.len()).ok()?;
        return Some(());
    }
    write!(
        out,
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    .ok()?;
    let mut free = shared.free_slots.lock().unwrap();
    while *free == 0 {
        free = shared.freed.wait(free).unwrap();
    }
    *free -= 1;
    drop(free);
    let answered = answer(out, shared, &serde_json::from_slice(&body).unwrap());
    *shared.free_slots.lock().unwrap() += 1;
    shared.freed.notify_one();
    answered
}

fn answer(mut out: &TcpStream, shared: &Shared, request: &serde_json::Value) -> Option<()> {
    let script = &shared.script;
    let prompt = request["prompt"].as_array().unwrap();
    let known =
        script.is("caches") && !shared.seen.lock().unwrap().insert(request["prompt"].to_string());
    let pause = |name: &str, default: u64| {
        std::thread::sleep(Duration::from_micros(script.number(name, default)))
    };
    if !known {
        pause("prompt_us", 1000);
    }
    let cached =
        if known && script.number("tells_cached", 1) != 0 { prompt.len() as u64 } else { 0 };
    let counted = prompt.len() as u64 + script.number("prompt_off_by", 0);
    let counts = script.0.get("counts").map_or("pieces", String::as_str);
    let asked = request["max_tokens"].as_u64().unwrap();
    let short = script.number("short_by", 0);
    let tokens = match asked {
        _ if script.is("empty") => 0,
        asked if asked > short => asked - short,
        asked => asked,
    };
    let mut send = |text: &str| -> Option<()> {
        let data = format!("data: {text}\n\n");
        write!(out, "{:x}\r\n{data}\r\n", data.len()).and_then(|()| out.flush()).ok()
    };
    let mut token = 0;
    while token < tokens {
        token += 1;
        if token > 1 {
            pause("token_us", 300);
        }
        if token == script.number("die_at_token", 0) {
            let _ = writeln!(std::io::stderr(), "assertion failed in the middle");
            std::process::abort();
        }
        if token == script.number("cut_at_token", 0) {
            return None;
        }
        if token + 1 == script.number("two_in_one", 0) && token < tokens {
            token += 1;
            pause("token_us", 300);
        }
        if token + 1 == script.number("gather_from", 0) {
            while token < tokens {
                token += 1;
                pause("token_us", 300);
            }
        }
        if script.is("garbage") {
            send("this is no JSON")?;
        }
        let timings = match counts {
            "pieces" => {
                // a tenth of a millisecond each: less than really passes
                let decoding = token as f64 / 10.0;
                format!(
                    ",\"timings\":{{\"cache_n\":{cached},\"prompt_n\":{},\"prompt_ms\":0.5,\"predicted_n\":{token},\"predicted_ms\":{decoding},\"predicted_per_second\":500.0}}",
                    counted - cached
                )
            }
            _ => String::new(),
        };
        send(&format!("{{\"choices\":[{{\"text\":\"a\"}}]{timings}}}"))?;
    }
    if counts != "nothing" {
        send(&format!(
            "{{\"choices\":[],\"usage\":{{\"prompt_tokens\":{counted},\"completion_tokens\":{tokens},\"prompt_tokens_details\":{{\"cached_tokens\":{cached}}}}}}}"
        ))?;
    }
    send("[DONE]")?;
    write!(out, "0\r\n\r\n").ok()
}
