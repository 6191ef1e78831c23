//! The servers of each arm, asked before anything is measured: who they are, and whether they run
//! what the arm's worker runs.

use std::collections::BTreeMap;

use engine_protocol::{Greeting, RpcServer};

use super::identity::{ProcessIdentity, boot_id};
use super::rpc_facts::ask;
use super::run::Run;
use super::stop::Stop;
use crate::failure::Failure;
use crate::manifest::WorkerChoice;
use crate::record::{HostPlace, HostProvenance, ServerFacts};

/// Asks all of them. Servers on this machine count as workers of this run: what they compute is no
/// disturbance from outside.
///
/// # Errors
/// A refusal when a server's engine has another version than the worker's.
pub(super) fn ask_all(
    run: &mut Run<'_, '_>,
    greetings: &BTreeMap<WorkerChoice, Greeting>,
) -> Result<Vec<HostProvenance>, Stop> {
    let mut hosts = Vec::new();
    let mut ours = Vec::new();
    for arm in &run.job.plan.arms {
        let settings = run.job.plan.settings_of(arm);
        for server in settings.rpc_servers.iter().flatten() {
            let facts = match ask(server) {
                Ok(facts) => facts,
                Err(why) => {
                    hosts.push(HostProvenance::unknown(server, arm.name.as_str(), why));
                    continue;
                }
            };
            if let Some(greeting) = greetings.get(run.job.plan.worker_of(arm)) {
                of_one_version(greeting, server, &facts)
                    .map_err(|failure| failure.at(format!("arm `{}`", arm.name)))?;
            }
            let process = on_this_machine(&facts);
            let place =
                if process.is_some() { HostPlace::ThisMachine } else { HostPlace::AnotherMachine };
            ours.extend(process.map(|process| process.pid));
            hosts.push(HostProvenance::known(server, arm.name.as_str(), place, facts));
        }
    }
    run.context.gate.count_as_ours(&ours);
    run.servers = ours;
    Ok(hosts)
}

fn of_one_version(
    greeting: &Greeting,
    server: &RpcServer,
    facts: &ServerFacts,
) -> Result<(), Failure> {
    let (own, served) = (&greeting.engine, &facts.engine);
    if (&own.name, &own.version) == (&served.name, &served.version) {
        return Ok(());
    }
    Err(Failure::refused(format!(
        "its worker has {} {}, and the RPC server at {server} has {} {}",
        own.name, own.version, served.name, served.version
    ))
    .hint("build both from one source: `runner engine rpc-serve` of the same program on each host"))
}

/// The server's process, where it is one of this machine: of the same boot, and still the process
/// that said so.
fn on_this_machine(facts: &ServerFacts) -> Option<ProcessIdentity> {
    let process = &facts.process;
    let same_boot = process.boot.is_some() && process.boot == boot_id();
    let identity = ProcessIdentity { pid: process.pid, start_ticks: process.start_ticks };
    (same_boot && identity.runs()).then_some(identity)
}

#[cfg(test)]
mod tests {
    use super::super::rpc_facts::server_facts;
    use super::super::rpc_facts::tests::engine;
    use super::*;

    #[test]
    fn another_version_is_refused_with_both() {
        let server = RpcServer::try_from("127.0.0.1:50052".to_owned()).unwrap();
        let mut greeting =
            Greeting { protocol_version: 1, worker: "w".to_owned(), engine: engine() };
        let facts = server_facts(engine(), "7.0.0".to_owned(), 1);
        of_one_version(&greeting, &server, &facts).unwrap();
        greeting.engine.version = "2".to_owned();
        let refusal = of_one_version(&greeting, &server, &facts).unwrap_err().to_string();
        assert!(refusal.contains("its worker has ggml 2"), "{refusal}");
        assert!(refusal.contains("at 127.0.0.1:50052 has ggml 1"), "{refusal}");
    }

    #[test]
    fn a_process_of_this_boot_is_on_this_machine_and_any_other_is_not() {
        let mut facts = server_facts(engine(), "7.0.0".to_owned(), 1);
        if facts.process.boot.is_none() || facts.process.start_ticks.is_none() {
            return; // the platform does not tell
        }
        assert!(on_this_machine(&facts).is_some());
        facts.process.start_ticks = facts.process.start_ticks.map(|ticks| ticks + 1);
        assert!(on_this_machine(&facts).is_none(), "another process has its number now");
        let mut elsewhere = server_facts(engine(), "7.0.0".to_owned(), 1);
        elsewhere.process.boot = Some("another boot".to_owned());
        assert!(on_this_machine(&elsewhere).is_none());
    }
}
