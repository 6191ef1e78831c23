//! The keys of another engine, written back.

use super::plan::{Load, LoadName, Peer, Reads, ReadsName};

/// Keys with their values, in the order of the reference.
pub(super) fn lines(peer: &Peer) -> Vec<(&'static str, serde_json::Value)> {
    match peer {
        Peer::Command(command) => {
            let mut lines = vec![("peer.command.argv", json(&command.argv))];
            match &command.reads {
                Reads::WorkerProtocol => {
                    lines.push(("peer.command.reads", json(&ReadsName::WorkerProtocol)));
                }
                Reads::LlamaBench => {
                    lines.push(("peer.command.reads", json(&ReadsName::LlamaBench)));
                }
                Reads::Pattern { pattern, unit, start_up } => lines.extend([
                    ("peer.command.reads", json(&ReadsName::Pattern)),
                    ("peer.command.pattern", json(pattern)),
                    ("peer.command.unit", json(unit)),
                    ("peer.command.start_up", json(start_up)),
                ]),
            }
            lines
        }
        Peer::Openai(server) => {
            let mut lines = vec![("peer.openai.address", json(&server.address))];
            if !server.argv.is_empty() {
                lines.push(("peer.openai.argv", json(&server.argv)));
            }
            lines.extend([
                ("peer.openai.model", json(&server.model)),
                ("peer.openai.ready_path", json(&server.ready_path)),
                ("peer.openai.ready_seconds", json(&server.ready_seconds)),
                ("peer.openai.prompt_cache", json(&server.prompt_cache)),
            ]);
            match server.load {
                Load::One => lines.push(("peer.openai.load", json(&LoadName::One))),
                Load::Closed { clients, requests } => lines.extend([
                    ("peer.openai.load", json(&LoadName::Closed)),
                    ("peer.openai.clients", json(&clients)),
                    ("peer.openai.requests", json(&requests)),
                ]),
                Load::Open { requests, requests_per_kilosecond } => lines.extend([
                    ("peer.openai.load", json(&LoadName::Open)),
                    ("peer.openai.requests", json(&requests)),
                    (
                        "peer.openai.requests_per_second",
                        json(&(f64::from(requests_per_kilosecond) / 1000.0)),
                    ),
                ]),
            }
            lines
        }
    }
}

fn json<T: serde::Serialize>(value: &T) -> serde_json::Value {
    serde_json::to_value(value).unwrap_or_default()
}
