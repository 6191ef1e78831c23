//! What a worker need not offer: it does it right, or says that it does not.

use std::path::Path;

use engine_protocol::{
    Command, Form, LogitsRequest, ObserveRequest, OperationsRequest, Primitive, PrimitiveRequest,
    Problem, ProblemKind, Reply, RequantiseRequest, Selection, SlotsRequest, WeightsRequest,
};

use super::bench::{Bench, LoadedTalk};
use super::check::{Check, Rule};
use super::files::holds;
use super::seen::in_words;
use crate::model;

/// One of the optional messages: how it is asked, and what is due.
type Ask = fn(&LoadedTalk<'_>, &Files<'_>) -> Result<(Command, Due), String>;
/// Holds an answer against what was asked.
type Due = Box<dyn Fn(&Reply) -> Result<String, String>>;

/// Where files are.
struct Files<'ask> {
    model: &'ask Path,
    scratch: &'ask Path,
}

const OFFERS: [(Rule, Ask); 7] = [
    (rule("logits", "`logits` of 8 tokens from position 4 on"), logits),
    (rule("operations", "`operations` of 8 tokens and 4 steps"), operations),
    (rule("observe", "`observe` of all tensors at the last of 4 positions"), observe),
    (rule("weights", "`weights` of the model's smallest tensor"), weights),
    (rule("slots", "`slots`: two sequences of 4 tokens, 3 steps"), slots),
    (rule("requantise", "`requantise` to q8_0"), requantise),
    (rule("primitive", "`primitive`: 3 copies of 64 KiB"), primitive),
];

/// A larger file is not requantised for a check.
const MOST_MODEL_BYTES: u64 = 64 << 20;

const fn rule(name: &'static str, asked: &'static str) -> Rule {
    Rule {
        name,
        asked,
        hint: "docs/protocol.md has the counts and the layout; answer a `problem` of kind \
               `unsupported`, with the request's number, where this is not offered",
    }
}

/// A process each.
pub(super) fn checks(bench: &mut Bench<'_>) -> Vec<Check> {
    let scratch = tempfile::tempdir();
    let one = |(rule, ask): &(Rule, Ask)| {
        let scratch = match &scratch {
            Ok(scratch) => scratch.path(),
            Err(error) => return rule.not_made(format!("no scratch folder: {error}")),
        };
        checked(bench, rule, *ask, scratch)
    };
    OFFERS.iter().map(one).collect()
}

fn checked(bench: &mut Bench<'_>, rule: &Rule, ask: Ask, scratch: &Path) -> Check {
    let model = bench.ask.model.clone();
    let mut ready = match bench.loaded() {
        Ok(ready) => ready,
        Err(why) => return rule.not_made(why),
    };
    let (command, due) = match ask(&ready, &Files { model: &model, scratch }) {
        Ok(asked) => asked,
        Err(why) => return rule.not_made(why),
    };
    let asked = match command {
        Command::Primitive(_) => ready.talk.ask_newer(command),
        _ => ready.talk.ask(command),
    };
    let reply = match asked {
        Ok(reply) => reply,
        Err(wrong) => return rule.fail(wrong),
    };
    ready.talk.over();
    match &reply {
        Reply::Problem(Problem { kind: ProblemKind::Unsupported, message }) => {
            rule.not_offered(message.as_str())
        }
        other => rule.judged(due(other)),
    }
}

fn instead(reply: &Reply) -> String {
    format!("an answer or `unsupported` is due, there came {}", in_words(reply))
}

fn equal(what: &str, came: u64, due: u64) -> Result<(), String> {
    if came == due { Ok(()) } else { Err(format!("{what}: it reports {came}, {due} are due")) }
}

fn logits(ready: &LoadedTalk<'_>, files: &Files<'_>) -> Result<(Command, Due), String> {
    let path = files.scratch.join("logits");
    let vocabulary = u64::from(ready.loaded.model.vocabulary);
    let place = path.to_string_lossy().into_owned();
    let due: Due = Box::new(move |reply| {
        let Reply::Logits(file) = reply else { return Err(instead(reply)) };
        equal("rows", file.positions.into(), 4)?;
        equal("values a row", file.vocabulary.into(), vocabulary)?;
        holds(&path, &file.blake3, Some(4 * vocabulary))?;
        Ok(format!("4 rows of {vocabulary}"))
    });
    Ok((Command::Logits(LogitsRequest::new(ready.text(8), 4, place)), due))
}

fn operations(ready: &LoadedTalk<'_>, _: &Files<'_>) -> Result<(Command, Due), String> {
    let request = OperationsRequest { prompt: ready.text(8), decode_tokens: 4 };
    let due: Due = Box::new(|reply| {
        let Reply::Operations(counts) = reply else { return Err(instead(reply)) };
        let all = counts.iter().fold(0_u64, |sum, one| sum.saturating_add(one.count));
        Ok(format!("{all} operations of {} kinds", counts.len()))
    });
    Ok((Command::Operations(request), due))
}

fn observe(ready: &LoadedTalk<'_>, files: &Files<'_>) -> Result<(Command, Due), String> {
    let path = files.scratch.join("observed");
    let request = ObserveRequest {
        tokens: ready.text(4),
        tensors: Selection::All,
        positions: vec![3],
        replace: Vec::new(),
        path: path.to_string_lossy().into_owned(),
    };
    let due: Due = Box::new(move |reply| {
        let Reply::Observed(observed) = reply else { return Err(instead(reply)) };
        let values = observed.tensors.iter().fold(0_u64, |sum, tensor| {
            sum.saturating_add(tensor.rows.saturating_mul(tensor.width))
        });
        holds(&path, &observed.blake3, Some(values))?;
        Ok(format!("{} tensors", observed.tensors.len()))
    });
    Ok((Command::Observe(request), due))
}

fn weights(_: &LoadedTalk<'_>, files: &Files<'_>) -> Result<(Command, Due), String> {
    let facts = model::inspect(files.model)
        .map_err(|failure| format!("the model's tensors are not known here: {}", failure.what))?;
    let values = |shape: &[u64]| shape.iter().fold(1_u64, |all, one| all.saturating_mul(*one));
    let smallest = facts.tensors.iter().min_by_key(|tensor| values(&tensor.dimensions));
    let smallest = smallest.ok_or("the model has no tensors")?;
    let (name, count) = (smallest.name.clone(), values(&smallest.dimensions));
    let path = files.scratch.join("weights");
    let request =
        WeightsRequest { tensors: vec![name.clone()], path: path.to_string_lossy().into_owned() };
    let due: Due = Box::new(move |reply| {
        let Reply::Weights(file) = reply else { return Err(instead(reply)) };
        equal("tensors", file.tensors.len() as u64, 1)?;
        holds(&path, &file.blake3, Some(count))?;
        Ok(format!("{count} values of `{name}`"))
    });
    Ok((Command::Weights(request), due))
}

fn slots(ready: &LoadedTalk<'_>, _: &Files<'_>) -> Result<(Command, Due), String> {
    let text = ready.text(8);
    let (first, second) = text.split_at(4);
    let request = SlotsRequest { prompts: vec![first.to_vec(), second.to_vec()], decode_tokens: 3 };
    let due: Due = Box::new(|reply| {
        let Reply::Slots(outputs) = reply else { return Err(instead(reply)) };
        equal("sequences", outputs.len() as u64, 2)?;
        for output in outputs {
            equal("chosen tokens", output.chosen.len() as u64, 4)?;
            equal("margins", output.margins.len() as u64, 4)?;
        }
        Ok("2 sequences".to_owned())
    });
    Ok((Command::Slots(request), due))
}

fn requantise(_: &LoadedTalk<'_>, files: &Files<'_>) -> Result<(Command, Due), String> {
    let bytes = std::fs::metadata(files.model).map_or(u64::MAX, |file| file.len());
    if bytes > MOST_MODEL_BYTES {
        return Err("the model is too large to be written for a check".to_owned());
    }
    let target = files.scratch.join("form.gguf");
    let request = RequantiseRequest {
        source_path: files.model.to_string_lossy().into_owned(),
        target_path: target.to_string_lossy().into_owned(),
        form: Form::Q8_0,
        threads: 1,
    };
    let due: Due = Box::new(move |reply| {
        let Reply::Requantised(made) = reply else { return Err(instead(reply)) };
        let there = std::fs::metadata(&target)
            .map_err(|error| format!("the new file cannot be read: {error}"))?;
        equal("bytes of the new file", made.bytes, there.len())?;
        Ok(format!("{} bytes", made.bytes))
    });
    Ok((Command::Requantise(request), due))
}

fn primitive(_: &LoadedTalk<'_>, _: &Files<'_>) -> Result<(Command, Due), String> {
    let request = PrimitiveRequest {
        primitive: Primitive::Copy { pieces: vec![64 << 10] },
        untimed_repetitions: 1,
        repetitions: 3,
        buffers: Some(2),
        first_buffer: 0,
    };
    let due: Due = Box::new(|reply| {
        let timed = match reply {
            Reply::Primitive(timed) => timed,
            other => return Err(instead(other)),
        };
        equal("timed repetitions", timed.nanoseconds.len() as u64, 3)?;
        let evaluated =
            timed.evaluated.iter().fold(0_u64, |sum, one| sum.saturating_add(one.count));
        equal("operations evaluated", evaluated, 1)?;
        equal("bytes moved", timed.bytes_moved, 128 << 10)?;
        Ok(format!("{} buffers of {} bytes", timed.buffers, timed.buffer_bytes))
    });
    Ok((Command::Primitive(request), due))
}
