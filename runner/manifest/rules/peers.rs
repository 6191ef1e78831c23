//! Arms that are other engines: what they must say, and what nobody can ask of them.

use regex::Regex;

use crate::manifest::checked::CheckedTable;
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::draft::ArmDraft;
use crate::manifest::draft_peer;
use crate::manifest::faults::Faults;
use crate::manifest::plan::{
    ConditionSetting, Load, LoadName, PLACEHOLDERS, Peer, PeerServer, PromptCache, ReadsName, Role,
    TimedWork, WorkerChoice,
};
use crate::manifest::scalar::shorten;
use crate::manifest::span::{Span, Spot};
use crate::manifest::suggest::nearest;

use super::work::{Work, at_values};

pub(super) fn hold(
    root: &CheckedTable,
    arms: &[ArmDraft],
    work: Option<&Work>,
    faults: &mut Faults,
) {
    for (table, arm) in root.tables("arm").iter().zip(arms) {
        let Some(place) = table.wrote("peer") else { continue };
        let peer = table.table("peer");
        if let Some(role) = arm.role.as_ref().filter(|role| role.value != Role::Peer) {
            faults.push(
                Diagnostic::error(
                    Code::BAD_PEER,
                    place.clone(),
                    format!("{} is another engine, and only a `peer` may be", arm.called()),
                )
                .also(role.span.clone(), "its role")
                .help("write `role = \"peer\"`; an engine of your own that is to be judged is a worker: `worker = \"…\"`"),
            );
        }
        if let Some(peer) = peer {
            one_of_two(arm, peer, &place, faults);
            if let Some(command) = peer.table("command") {
                self::command(command, faults);
            }
            if let Some(server) = peer.table("openai") {
                self::server(server, faults);
            }
        }
        for key in ["build", "worker"] {
            if let Some(other) = table.wrote(key) {
                faults.push(
                    Diagnostic::error(
                        Code::EXCLUSIVE_KEYS,
                        other,
                        format!("`{key}` and `peer` exclude each other"),
                    )
                    .also(place.clone(), "the other one")
                    .help("leave one of them out"),
                );
            }
        }
        if let Some(WorkerChoice::Peer(peer)) = arm.worker.as_ref().map(|worker| &worker.value)
            && !peer.alternates()
        {
            promises_nothing(table, arm, &place, faults);
            whole(root, arm, (peer, &place), work, faults);
        }
    }
}

fn one_of_two(arm: &ArmDraft, peer: &CheckedTable, place: &Span, faults: &mut Faults) {
    match (peer.wrote("command"), peer.wrote("openai")) {
        (Some(first), Some(second)) => faults.push(
            Diagnostic::error(
                Code::EXCLUSIVE_KEYS,
                second,
                "`peer.command` and `peer.openai` exclude each other",
            )
            .also(first, "the other one")
            .help("one arm is one engine: give the other an arm of its own"),
        ),
        (None, None) => faults.push(
            Diagnostic::error(
                Code::MISSING_KEY,
                place.clone(),
                format!("{} does not say how the other engine is reached", arm.called()),
            )
            .help("add `peer.command.argv` with `peer.command.reads`, or `peer.openai.address`"),
        ),
        _ => {}
    }
}

fn command(table: &CheckedTable, faults: &mut Faults) {
    let arguments = draft_peer::argv(table);
    let Some(reads) = table.choice::<ReadsName>("reads") else { return };
    if reads.value == ReadsName::WorkerProtocol {
        // `load` tells a worker its model and settings
        placeholders(&arguments, PLACEHOLDERS, faults);
    } else {
        placeholders(&arguments, &["{host}", "{port}"], faults);
        names_model(&arguments, faults);
    }
    let by_pattern = reads.value == ReadsName::Pattern;
    for key in ["pattern", "unit", "start_up"] {
        match (table.wrote(key), by_pattern) {
            (None, true) => faults.push(
                Diagnostic::error(
                    Code::MISSING_KEY,
                    reads.span.clone(),
                    format!("`reads = \"pattern\"` needs `peer.command.{key}`"),
                )
                .help(match key {
                    "pattern" => "add a regular expression with a group `value`: `peer.command.pattern = '(?<value>[0-9.]+) tokens per second'`",
                    "unit" => "add `peer.command.unit = \"tokens_per_second\"`, `\"milliseconds\"` or `\"seconds\"`",
                    _ => "add `peer.command.start_up = \"outside_timer\"`, or `\"inside_timer\"` where the program's time holds the loading of the model",
                }),
            ),
            (Some(place), false) => faults.push(
                Diagnostic::error(
                    Code::BAD_PEER,
                    place,
                    format!("`{key}` belongs to `reads = \"pattern\"`"),
                )
                .also(reads.span.clone(), "read in another way")
                .help("leave it out"),
            ),
            _ => {}
        }
    }
    if let Some(pattern) = table.text("pattern") {
        self::pattern(&pattern, faults);
    }
}

fn pattern(pattern: &Spot<String>, faults: &mut Faults) {
    let fault = |what: String| {
        Diagnostic::error(Code::BAD_PEER, pattern.span.clone(), what)
            .help("a regular expression as the `regex` crate reads it, with one group `value`: `'(?<value>[0-9.]+) tokens per second'`")
    };
    match Regex::new(&pattern.value) {
        Err(error) => {
            let last = error.to_string().lines().last().unwrap_or_default().to_lowercase();
            faults.push(fault(format!("the pattern is no regular expression: {}", last.trim())));
        }
        Ok(known) if !known.capture_names().flatten().any(|name| name == "value") => {
            faults.push(fault("the pattern has no group `value`".to_owned()));
        }
        Ok(_) => {}
    }
}

fn server(table: &CheckedTable, faults: &mut Faults) {
    let arguments = draft_peer::argv(table);
    placeholders(
        &arguments,
        &[
            "{prompt_file}",
            "{decode_tokens}",
            "{prefill_tokens}",
            "{prompt_tokens}",
            "{depth_tokens}",
        ],
        faults,
    );
    names_model(&arguments, faults);
    if let Some(address) = table.text("address")
        && !is_address(&address.value)
    {
        faults.push(
            Diagnostic::error(
                Code::BAD_PEER,
                address.span,
                format!("`{}` is no `HOST:PORT`", shorten(&address.value)),
            )
            .help("for example `127.0.0.1:8080`; without `http://` and without a path"),
        );
    }
    if let Some(path) = table.text("ready_path")
        && !path.value.starts_with('/')
    {
        faults.push(Diagnostic::error(Code::BAD_PEER, path.span, "a path begins with `/`").help(
            "write `ready_path = \"/health\"`, or whatever the server answers once it is ready",
        ));
    }
    let Some(load) = table.choice::<LoadName>("load") else { return };
    let needs: &[&str] = match load.value {
        LoadName::One => &[],
        LoadName::Closed => &["clients", "requests"],
        LoadName::Open => &["requests", "requests_per_second"],
    };
    for key in ["clients", "requests", "requests_per_second"] {
        match (table.wrote(key), needs.contains(&key)) {
            (None, true) => faults.push(
                Diagnostic::error(
                    Code::MISSING_KEY,
                    load.span.clone(),
                    format!("this load needs `peer.openai.{key}`"),
                )
                .help(format!("add `peer.openai.{key}`")),
            ),
            (Some(place), false) => faults.push(
                Diagnostic::error(
                    Code::BAD_PEER,
                    place,
                    format!("`{key}` does not belong to this load"),
                )
                .also(load.span.clone(), "the load")
                .help("leave it out"),
            ),
            _ => {}
        }
    }
}

/// `HOST:PORT`, a host in brackets where it has colons itself.
fn is_address(text: &str) -> bool {
    let Some((host, port)) = text.rsplit_once(':') else { return false };
    let inner = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let bracketed = inner.is_some_and(|inner| inner.parse::<std::net::Ipv6Addr>().is_ok());
    let named = !host.is_empty()
        && host.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'));
    let port: Option<u16> = port.parse().ok();
    (bracketed || named) && port.is_some_and(|port| port > 0)
}

/// Arguments in braces are values of the run; others than those that are known are mistakes.
fn placeholders(arguments: &[Spot<String>], elsewhere: &[&str], faults: &mut Faults) {
    for argument in arguments {
        let text = argument.value.as_str();
        let inner = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let word = |inner: &str| {
            !inner.is_empty() && inner.chars().all(|c| c.is_ascii_lowercase() || c == '_')
        };
        if !inner.is_some_and(word) {
            continue;
        }
        let known: Vec<&str> =
            PLACEHOLDERS.iter().copied().filter(|name| !elsewhere.contains(name)).collect();
        if known.contains(&text) {
            continue;
        }
        let fault = Diagnostic::error(
            Code::BAD_PEER,
            argument.span.clone(),
            format!("`{}` stands for nothing here", shorten(text)),
        );
        faults.push(match nearest(text, known.iter().copied()) {
            Some(near) => fault.help(format!("did you mean `{near}`?")),
            None if known.is_empty() => {
                fault.help("a worker is told its model and its settings by the protocol's `load`")
            }
            None => fault.help(format!("known: {}", known.join(", "))),
        });
    }
}

/// A warning: another model would be compared.
fn names_model(arguments: &[Spot<String>], faults: &mut Faults) {
    let Some(first) = arguments.first() else { return };
    if arguments.iter().any(|argument| argument.value == "{model}") {
        return;
    }
    faults.push(
        Diagnostic::warning(
            Code::BAD_PEER,
            first.span.clone(),
            "no argument is `{model}`: nothing shows that it loads the model of the other arms",
        )
        .help("name the model by `{model}`: it stands for the file that is checked and frozen"),
    );
}

/// What only a worker can be asked for.
fn promises_nothing(table: &CheckedTable, arm: &ArmDraft, peer: &Span, faults: &mut Faults) {
    for key in ["contract", "expect", "form", "layers", "pieces"] {
        if let Some(place) = table.wrote(key) {
            faults.push(
                Diagnostic::error(
                    Code::BAD_PEER,
                    place,
                    format!("{} cannot be asked for `{key}`", arm.called()),
                )
                .also(peer.clone(), "it tells figures, and neither logits nor operations")
                .help("leave it out; an engine that speaks the worker protocol can be asked: `peer.command.reads = \"worker_protocol\"`"),
            );
        }
    }
    if let Some((key, place)) = arm.settings.places.iter().next() {
        faults.push(
            Diagnostic::error(
                Code::BAD_PEER,
                place.clone(),
                format!("{} would not be told of `{key}`", arm.called()),
            )
            .also(peer.clone(), "its settings are its arguments")
            .help("write it into `argv`"),
        );
    }
}

/// Work that is paired whole: one chunk, and sizes that the other engine is told.
fn whole(
    root: &CheckedTable,
    arm: &ArmDraft,
    (peer, place): (&Peer, &Span),
    work: Option<&Work>,
    faults: &mut Faults,
) {
    let Some(work) = work else { return };
    let timed = match work.work {
        TimedWork::Decode { decode_tokens, chunk_tokens, .. } => {
            let varied = root.table("condition").and_then(|condition| {
                let setting = condition.choice::<ConditionSetting>("setting")?;
                (setting.value == ConditionSetting::ChunkTokens).then_some(setting.span)
            });
            if chunk_tokens != decode_tokens || varied.is_some() {
                let design = root.table("design");
                let written = design.and_then(|design| design.wrote("chunk_tokens"));
                let at = varied.or(written).unwrap_or_else(|| work.span.clone());
                faults.push(
                    Diagnostic::error(
                        Code::CHUNK_MISFIT,
                        at,
                        format!("{} cannot be interrupted in the middle of its work", arm.called()),
                    )
                    .also(place.clone(), "it works on a whole block at once")
                    .help(format!("write `chunk_tokens = {decode_tokens}`, as many as `decode_tokens`: then all arms are paired whole, which takes more blocks for the same interval")),
                );
            }
            "{decode_tokens}"
        }
        TimedWork::Prefill { .. } => "{prefill_tokens}",
        TimedWork::Primitive { .. } => {
            faults.push(
                Diagnostic::error(
                    Code::NOT_OF_THIS_WORK,
                    place.clone(),
                    format!("{} computes no primitive", arm.called()),
                )
                .also(work.span.clone(), "primitive work")
                .help("a peer decodes or prefills"),
            );
            return;
        }
    };
    if let Peer::Openai(server) = peer {
        of_server(root, arm, (server, place), work, faults);
    }
    if let Some(metric) = root.table("metric").and_then(|metric| metric.text("primary"))
        && metric.value == "joules_per_token"
    {
        faults.push(
            Diagnostic::error(
                Code::BAD_PEER,
                place.clone(),
                format!("the energy of {} is not known by the token", arm.called()),
            )
            .also(metric.span, "the metric")
            .help(
                "its prompt, or its start, would be in it: compare workers, or measure its speed",
            ),
        );
    }
    if let Peer::Command(command) = peer {
        let told = |name: &str| command.argv.iter().any(|argument| argument == name);
        if !told(timed) {
            faults.push(
                Diagnostic::error(
                    Code::BAD_PEER,
                    place.clone(),
                    format!("no argument of {} is `{timed}`", arm.called()),
                )
                .help("the size of the timed work must be that of the other arms: put it behind the option that sets it"),
            );
        }
    }
}

/// What a server cannot be asked for: a depth that stands apart from the prompt, and prompts that are
/// new although they were just computed.
fn of_server(
    root: &CheckedTable,
    arm: &ArmDraft,
    (server, place): (&PeerServer, &Span),
    work: &Work,
    faults: &mut Faults,
) {
    let mut bad = |what: String, help: &str| {
        faults.push(
            Diagnostic::error(Code::BAD_PEER, place.clone(), what)
                .also(work.span.clone(), "the timed work")
                .help(help.to_owned()),
        );
    };
    let (called, values) = (arm.called(), at_values(root, work));
    match work.work {
        TimedWork::Prefill { .. } => {
            if values.iter().any(|(depth, _, _)| *depth > 0) {
                bad(
                    format!(
                        "{called} computes a depth together with the prompt: their times are one"
                    ),
                    "write `depth_tokens = 0`, or measure decode work",
                );
            }
            if server.load != Load::One {
                bad(
                    format!("{called} has a load, and a prefill is one request"),
                    "write `peer.openai.load = \"one\"`, or measure decode work",
                );
            }
            if server.prompt_cache == PromptCache::On {
                bad(
                    format!("{called} would not compute a prompt that it has just computed"),
                    "write `peer.openai.prompt_cache = \"off\"`: each prefill is timed after an untimed one of the same text",
                );
            }
        }
        TimedWork::Decode { .. } => {
            let requests = match server.load {
                Load::One => return,
                Load::Closed { requests, .. } | Load::Open { requests, .. } => requests,
            };
            let tokens = values.iter().filter_map(|(depth, work, _)| match work {
                TimedWork::Decode { prompt_tokens, .. } => Some(depth + u64::from(*prompt_tokens)),
                TimedWork::Prefill { .. } | TimedWork::Primitive { .. } => None,
            });
            // prompts are turned by one place each, behind the first token
            if tokens.min().is_some_and(|tokens| u64::from(requests) >= tokens) {
                bad(
                    format!("{requests} requests of a block would repeat prompts"),
                    "ask for fewer requests than a prompt has tokens, in more blocks",
                );
            }
        }
        TimedWork::Primitive { .. } => {}
    }
}
