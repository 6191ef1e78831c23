//! Greeting, versions, numbers of requests, and lines that are none.

use engine_protocol::{Command, Greeting, PROTOCOL_VERSION, Problem, ProblemKind, Reply};

use super::bench::{Bench, TEXT, greet};
use super::check::{Check, Rule, none_made};
use super::seen::in_words;
use super::talk::Talk;

const GREETS: Rule = Rule {
    name: "greets",
    asked: "`hello` with version 1, as the first request",
    hint: "answer `hello` with `greeting`: `protocol_version` 1, `worker`, and all facts of `engine`",
};

const HELLO_FIRST: Rule = Rule {
    name: "hello_first",
    asked: "`tokenize` before `hello`",
    hint: "answer a `problem` of kind `protocol` to whatever comes before `hello`, and go on",
};

const OTHER_VERSION: Rule = Rule {
    name: "other_version",
    asked: "`hello` with a version that does not exist",
    hint: "compare `protocol_version`; answer another one with a `problem` of kind `protocol`, and go on",
};

const GARBAGE: Rule = Rule {
    name: "garbage",
    asked: "lines that are no request, a message that does not exist, then `hello`",
    hint: "answer each line that is no request with one `problem` of kind `protocol` and number 0 (or \
           the request's, where it has one), an unknown message with any `problem`, and go on listening",
};

const NUMBERS: Rule = Rule {
    name: "numbers",
    asked: "requests with numbers of 32 bits and more",
    hint: "answer with the request's own `id`; it is a number of up to 64 bits",
};

/// All but the first.
const LATER: [Rule; 4] = [HELLO_FIRST, OTHER_VERSION, GARBAGE, NUMBERS];

/// Not JSON, not UTF-8, JSON of another form, an empty line.
const NO_REQUESTS: [&[u8]; 5] =
    [b"this is no request", b"\xff\xfe\x00", b"[]", b"{\"id\": 3}", b""];

/// A message that no version has: newer ones may have messages that this one has not.
const UNKNOWN: &[u8] = b"{\"id\": 4, \"command\": {\"no_such_command\": {\"text\": \"\"}}}";

/// The first greeting, which everything else needs; refused where there is no such program.
pub(super) fn first(bench: &mut Bench<'_>) -> std::io::Result<(Option<Greeting>, Check)> {
    let mut talk = bench.start()?;
    let greeted = greet(&mut talk);
    talk.over();
    Ok(match greeted {
        Ok(greeting) => {
            let engine = &greeting.engine;
            let came = format!("{}, engine {} {}", greeting.worker, engine.name, engine.version);
            bench.heed(&greeting);
            (Some(greeting), GREETS.pass(came))
        }
        Err(wrong) => (None, GREETS.fail(wrong)),
    })
}

/// What need not wait for a model.
pub(super) fn checks(bench: &mut Bench<'_>) -> Vec<Check> {
    let mut checks = Vec::new();
    for (rule, check) in LATER.iter().zip([hello_first, other_version, garbage, numbers]) {
        match bench.start() {
            Ok(mut talk) => {
                checks.push(rule.judged(check(&mut talk)));
                talk.over();
            }
            Err(error) => checks.push(rule.not_made(format!("it cannot be started: {error}"))),
        }
    }
    checks
}

/// None of them, where there was no greeting.
pub(super) fn not_made(why: &str) -> Vec<Check> {
    none_made(&LATER, why)
}

fn hello_first(talk: &mut Talk<'_>) -> Result<String, String> {
    let reply = talk.ask(Command::Tokenize { text: TEXT.to_owned() })?;
    let came = protocol_problem(&reply)?;
    greet(talk).map_err(|wrong| format!("after that, {wrong}"))?;
    Ok(came)
}

fn other_version(talk: &mut Talk<'_>) -> Result<String, String> {
    let reply = talk.ask(Command::Hello { protocol_version: PROTOCOL_VERSION + 1000 })?;
    let came = protocol_problem(&reply)?;
    greet(talk).map_err(|wrong| format!("after that, {wrong}"))?;
    Ok(came)
}

fn garbage(talk: &mut Talk<'_>) -> Result<String, String> {
    for line in NO_REQUESTS {
        let shown = super::talk::excerpt(line);
        let response = talk.say(line.to_vec()).map_err(|wrong| format!("to `{shown}`: {wrong}"))?;
        protocol_problem(&response.reply).map_err(|wrong| format!("to `{shown}`: {wrong}"))?;
    }
    let unknown = talk.say(UNKNOWN.to_vec())?;
    if !matches!(unknown.reply, Reply::Problem(_)) {
        let came = in_words(&unknown.reply);
        return Err(format!(
            "to a message that does not exist a `problem` is due, there came {came}"
        ));
    }
    greet(talk).map_err(|wrong| format!("after that, {wrong}"))?;
    Ok(format!("{} problems, then a greeting", NO_REQUESTS.len() + 1))
}

fn numbers(talk: &mut Talk<'_>) -> Result<String, String> {
    greet(talk)?;
    for id in [7, (1 << 32) + 1, (1 << 53) + 1] {
        talk.ask_as(id, Command::Tokenize { text: TEXT.to_owned() })?;
    }
    Ok("each answer has its request's".to_owned())
}

/// A problem of the kind that says: not of the protocol, or out of turn.
fn protocol_problem(reply: &Reply) -> Result<String, String> {
    match reply {
        Reply::Problem(Problem { kind: ProblemKind::Protocol, .. }) => Ok(in_words(reply)),
        other => {
            Err(format!("a `problem` of kind `protocol` is due, there came {}", in_words(other)))
        }
    }
}
