//! Another engine as an arm, as it was written.

use super::checked::{CheckedTable, CheckedValue};
use super::plan::{Load, LoadName, Peer, PeerCommand, PeerServer, Reads, ReadsName, WorkerChoice};
use super::span::Spot;

/// The peer of an arm, where all that it needs is there.
pub(super) fn peer(arm: &CheckedTable) -> Option<Spot<WorkerChoice>> {
    let table = arm.table("peer")?;
    let found = match (table.table("command"), table.table("openai")) {
        (Some(command), None) => Peer::Command(self::command(command)?),
        (None, Some(server)) => Peer::Openai(self::server(server)?),
        _ => return None,
    };
    Some(Spot { value: WorkerChoice::Peer(Box::new(found)), span: table.span.clone() })
}

/// A list of texts; empty when it is absent.
pub(super) fn argv(table: &CheckedTable) -> Vec<Spot<String>> {
    let listed = table.list("argv").map(|list| list.value).unwrap_or_default();
    let text = |entry: &super::checked::Checked| match &entry.value {
        CheckedValue::Text(text) => Some(Spot { value: text.clone(), span: entry.span.clone() }),
        _ => None,
    };
    listed.iter().filter_map(text).collect()
}

fn texts(table: &CheckedTable) -> Vec<String> {
    argv(table).into_iter().map(|argument| argument.value).collect()
}

fn command(table: &CheckedTable) -> Option<PeerCommand> {
    let reads = match table.choice::<ReadsName>("reads")?.value {
        ReadsName::WorkerProtocol => Reads::WorkerProtocol,
        ReadsName::LlamaBench => Reads::LlamaBench,
        ReadsName::Pattern => Reads::Pattern {
            pattern: table.text("pattern")?.value,
            unit: table.choice("unit")?.value,
            start_up: table.choice("start_up")?.value,
        },
    };
    Some(PeerCommand { argv: texts(table), reads })
}

fn server(table: &CheckedTable) -> Option<PeerServer> {
    let load = match table.choice::<LoadName>("load")?.value {
        LoadName::One => Load::One,
        LoadName::Closed => Load::Closed {
            clients: table.whole32("clients")?.value,
            requests: table.whole32("requests")?.value,
        },
        LoadName::Open => Load::Open {
            requests: table.whole32("requests")?.value,
            // the language holds it between 0.001 and 10,000
            requests_per_kilosecond: (table.real("requests_per_second")?.value * 1000.0).round()
                as u32,
        },
    };
    Some(PeerServer {
        address: table.text("address")?.value,
        argv: texts(table),
        model: table.text("model")?.value,
        ready_path: table.text("ready_path")?.value,
        ready_seconds: table.whole32("ready_seconds")?.value,
        prompt_cache: table.choice("prompt_cache")?.value,
        load,
    })
}
