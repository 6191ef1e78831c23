//! A model over several servers, through the command line and with the real engine.
//! `RUNNER_TEST_MODEL` names SmolLM2's file; without it the built-in model alone is spread.

#![cfg(feature = "rpc")]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use sandbox::{Said, Sandbox, finish, manifest};

/// SHA-256 of SmolLM2-135M-Instruct Q4_1, as in `experiments/models.toml`.
const SMOLLM2: &str = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";

/// A server that ends with the test.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    /// Comes back when it listens.
    fn start(sandbox: &Sandbox) -> Server {
        let port = two_free_ports();
        let mut child =
            serve(sandbox, port).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let listens = lines.any(|line| line.unwrap().starts_with("listening at"));
        assert!(listens, "the server ended");
        // what it prints later must go somewhere
        std::thread::spawn(move || lines.for_each(drop));
        Server { child, port }
    }

    fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn serve(sandbox: &Sandbox, port: u16) -> Command {
    let listen = format!("127.0.0.1:{port}");
    sandbox.command(&["engine", "rpc-serve", "--listen", &listen, "--threads", "1"])
}

/// A port that is free, and the one after it too.
fn two_free_ports() -> u16 {
    (0..100)
        .find_map(|_| {
            let first = TcpListener::bind("127.0.0.1:0").unwrap();
            let port = first.local_addr().unwrap().port();
            TcpListener::bind(("127.0.0.1", port.checked_add(1)?)).ok().map(|_| port)
        })
        .unwrap()
}

/// The sandbox's manifest with the real engine: off is one process, the treatment is spread.
fn spread(sandbox: &Sandbox, servers: &[String], changes: &[(&str, &str)]) -> String {
    let worker = format!("worker = \"{}\"", sandbox::fake_worker());
    let treatment = format!(
        "name = \"spread\"\nrole = \"treatment\"\nrpc_servers = {servers:?}\ngpu_layers = 99"
    );
    let mut text = manifest("spread")
        .replace(&worker, "build = \"native\"")
        .replace("name = \"fast\"\nrole = \"treatment\"\nthreads = 2", &treatment)
        .replace("rounds = 5\nblocks_per_round = 4", "rounds = 3\nblocks_per_round = 2")
        .replace("margin_percent = 5.0", "margin_percent = 15.0");
    for (from, to) in changes {
        assert!(text.contains(from), "{from:?} is not in the manifest");
        text = text.replace(from, to);
    }
    sandbox.write("experiments/spread.toml", text);
    "experiments/spread.toml".to_owned()
}

fn executed(sandbox: &Sandbox, manifest: &str) -> Said {
    let said = sandbox.runner(&["exec", "--register", manifest]);
    assert!([0, 4].contains(&said.code), "{}\n{}", said.out, said.err);
    said
}

/// The record's file of this name.
fn file_of_record(sandbox: &Sandbox, name: &str) -> String {
    let files = sandbox.files("results/spread");
    let file = files.iter().find(|file| file.ends_with(name)).unwrap();
    std::fs::read_to_string(sandbox.path(file)).unwrap()
}

/// What must hold of every spread run that went well.
fn held(sandbox: &Sandbox, servers: &[Server]) -> toml_like::Provenance {
    let record = sandbox.runner(&["show", "spread", "--json"]).expect_code(0).json();
    let finding = &record["record"]["facts"]["contracts"][0];
    assert_eq!(finding["contract"], "identical", "{finding}");
    assert_eq!(finding["state"], "kept", "{finding}");
    let provenance = toml_like::read(&file_of_record(sandbox, "provenance.toml"));
    for server in servers {
        let buffer = format!("RPC0[{}]", server.address());
        let own = |arm: &str| {
            provenance.placements.iter().any(|(of, device, _)| of == arm && *device == buffer)
        };
        assert!(own("spread"), "{buffer}: {provenance:?}");
        assert!(!own("off"), "{buffer}: {provenance:?}");
        let table = file_of_record(sandbox, "table.md");
        assert!(
            table.contains("Where the model lay") && table.contains(&server.address()),
            "{table}"
        );
    }
    let addresses: Vec<String> = servers.iter().map(Server::address).collect();
    assert_eq!(provenance.hosts, addresses);
    sandbox.runner(&["record", "verify"]).expect_code(0);
    provenance
}

mod toml_like {
    //! The few facts that are asked of `provenance.toml`.

    /// Names of hosts, and of each placement the arm, the buffer type and its tensors.
    #[derive(Debug, Default)]
    pub struct Provenance {
        pub hosts: Vec<String>,
        pub placements: Vec<(String, String, String)>,
    }

    pub fn read(text: &str) -> Provenance {
        let document: toml::Table = text.parse().unwrap();
        let tables = |name: &str| {
            document.get(name).and_then(|list| list.as_array()).cloned().unwrap_or_default()
        };
        let word = |table: &toml::Value, key: &str| table[key].as_str().unwrap().to_owned();
        for host in tables("hosts") {
            assert_eq!(word(&host, "place"), "this_machine", "{host}");
            assert_eq!(word(&host, "rpc_version").split('.').count(), 3, "{host}");
            assert!(host["machine"].get("cpu_model").is_some(), "{host}");
            assert_eq!(word(&host["engine"], "name"), "ggml", "{host}");
            assert!(host.get("unknown").is_none(), "{host}");
        }
        Provenance {
            hosts: tables("hosts").iter().map(|host| word(host, "name")).collect(),
            placements: tables("placements")
                .iter()
                .map(|one| {
                    let names = one["names"].as_array().unwrap();
                    let names: Vec<_> = names.iter().map(|name| name.as_str().unwrap()).collect();
                    (word(one, "arm"), word(one, "device"), names.join(" "))
                })
                .collect(),
        }
    }
}

#[test]
fn two_servers_hold_the_model_and_put_out_what_one_process_does() {
    let sandbox = Sandbox::new();
    let servers = [Server::start(&sandbox), Server::start(&sandbox)];
    let addresses: Vec<String> = servers.iter().map(Server::address).collect();
    let manifest = spread(&sandbox, &addresses, &[]);
    executed(&sandbox, &manifest);
    let provenance = held(&sandbox, &servers);
    let names: Vec<&str> =
        provenance.placements.iter().map(|(_, _, names)| names.as_str()).collect();
    assert!(names.iter().any(|names| names.contains("token_embd")), "{names:?}");
    assert!(names.iter().any(|names| names.starts_with("blk.0")), "{names:?}");
}

#[test]
fn smollm2_over_two_servers() {
    let Some(path) = std::env::var_os("RUNNER_TEST_MODEL") else { return };
    let sandbox = Sandbox::new();
    let servers = [Server::start(&sandbox), Server::start(&sandbox)];
    let addresses: Vec<String> = servers.iter().map(Server::address).collect();
    let model =
        format!("model_file = \"{}\"\nmodel_sha256 = \"{SMOLLM2}\"", path.to_string_lossy());
    let manifest = spread(&sandbox, &addresses, &[("model = \"builtin-tiny\"", &model)]);
    executed(&sandbox, &manifest);
    let provenance = held(&sandbox, &servers);
    let runs: Vec<&str> = provenance
        .placements
        .iter()
        .flat_map(|(_, _, names)| names.split(' '))
        .filter(|name| name.ends_with(".*"))
        .collect();
    // 30 layers, each whole on one server
    assert_eq!(runs.len(), 2, "{runs:?}");
    assert!(runs.iter().any(|run| run.starts_with("blk.0-")), "{runs:?}");
    assert!(runs.iter().any(|run| run.ends_with("-29.*")), "{runs:?}");
}

#[test]
fn a_server_that_is_not_there_is_refused() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox);
    let absent = format!("127.0.0.1:{}", two_free_ports());
    let manifest = spread(&sandbox, &[server.address(), absent.clone()], &[]);
    let said = sandbox.runner(&["exec", "--register", &manifest]).expect_code(3);
    let said = said.expect_text("arm `spread`").expect_text("nobody is there");
    said.expect_text(&absent).expect_text("rpc-serve");
}

#[test]
fn a_port_that_speaks_something_else_is_refused() {
    let sandbox = Sandbox::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for caller in listener.incoming().flatten() {
            let _ = { &caller }.read(&mut [0; 64]);
            let _ = { &caller }.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    let manifest = spread(&sandbox, &[address], &[]);
    let said = sandbox.runner(&["exec", "--register", &manifest]).expect_code(3);
    said.expect_text("arm `spread`").expect_text("does not answer as an RPC server");
}

#[test]
fn a_server_that_tells_no_facts_is_unknown_and_says_why() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox);
    let (relay, target) = (TcpListener::bind("127.0.0.1:0").unwrap(), server.address());
    let address = relay.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for caller in relay.incoming().flatten() {
            let Ok(served) = TcpStream::connect(&target) else { return };
            let (mut back, mut caller_back) =
                (served.try_clone().unwrap(), caller.try_clone().unwrap());
            let (mut caller, mut served) = (caller, served);
            std::thread::spawn(move || {
                let _ = std::io::copy(&mut caller, &mut served);
                let _ = served.shutdown(std::net::Shutdown::Both);
            });
            std::thread::spawn(move || std::io::copy(&mut back, &mut caller_back));
        }
    });
    let manifest = spread(&sandbox, &[address], &[]);
    executed(&sandbox, &manifest);
    let provenance = file_of_record(&sandbox, "provenance.toml");
    assert!(provenance.contains("its port for facts does not answer"), "{provenance}");
    let table = file_of_record(&sandbox, "table.md");
    assert!(table.contains("on a machine of which nothing is known"), "{table}");
}

#[test]
fn a_server_that_dies_ends_its_arm_with_a_reason() {
    let sandbox = Sandbox::new();
    let servers = [Server::start(&sandbox), Server::start(&sandbox)];
    let addresses: Vec<String> = servers.iter().map(Server::address).collect();
    let long = [("rounds = 3\nblocks_per_round = 2", "rounds = 40\nblocks_per_round = 4")];
    let manifest = spread(&sandbox, &addresses, &long);
    let running = sandbox.start(&["exec", "--register", &manifest]);
    let has_block = || {
        sandbox.files("results/spread").iter().any(|file| {
            let text = std::fs::read_to_string(sandbox.path(file)).unwrap_or_default();
            file.ends_with(".jsonl") && text.contains("\"block\":")
        })
    };
    while !has_block() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let [_first, second] = servers;
    drop(second);
    let said = finish(running).expect_code(4);
    assert!(said.out.contains("`spread`") || said.err.contains("`spread`"), "{said:?}");
    let facts = file_of_record(&sandbox, "record.toml");
    let fault = facts.lines().find(|line| line.starts_with("detail = ")).unwrap();
    assert!(fault.contains("Remote RPC server crashed"), "{fault}");
}

#[test]
fn a_port_that_is_taken_is_refused() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox);
    let said = sandbox.runner(&["engine", "rpc-serve", "--listen", &server.address()]);
    said.expect_code(3).expect_text("cannot listen").expect_text("--listen");
    let said = sandbox.runner(&["engine", "rpc-serve", "--listen", "127.0.0.1"]);
    said.expect_code(2).expect_text("host:port");
}
