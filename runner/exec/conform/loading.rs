//! Models and tokens.

use std::path::Path;

use engine_protocol::{
    Beginning, Command, LoadRequest, Loaded, Priority, Problem, ProblemKind, Reply, Settings,
    Toggle,
};

use super::bench::{Bench, CONTEXT_TOKENS, LoadedTalk, TEXT};
use super::check::{Check, Rule};
use super::seen::in_words;

const NO_MODEL: Rule = Rule {
    name: "no_model",
    asked: "`load` of a file that is not there, then of the model",
    hint: "answer a `problem` of kind `model` when a file cannot be read, and go on listening",
};

const BEFORE_LOAD: Rule = Rule {
    name: "before_load",
    asked: "`begin` before `load`",
    hint: "answer a `problem` to what needs a model while none is loaded",
};

const LOADS: Rule = Rule {
    name: "loads",
    asked: "`load` of the model",
    hint: "answer `loaded` with all facts of `model`, the settings in `effective`, `buffers` and \
           `backends`; `vocabulary` is the number of tokens",
};

const IGNORED_SETTING: Rule = Rule {
    name: "ignored_setting",
    asked: "`load` with a setting that the greeting does not name as supported",
    hint: "answer a `problem` of kind `unsupported` to a setting that would be ignored: an arm that \
           ignores its setting is measured as something that it is not",
};

const TOKENISES: Rule = Rule {
    name: "tokenizes",
    asked: "`tokenize`, twice the same text, and another",
    hint: "answer `tokens` with ids from 0 to `vocabulary` - 1; the same text gives the same tokens",
};

const LONG_REQUEST: Rule = Rule {
    name: "long_request",
    asked: "`tokenize` with a line of 256 KiB",
    hint: "read whole lines of up to 64 MiB, not pieces of a buffer",
};

/// Needed by all later groups; the last check says whether the model was loaded.
pub(super) fn checks(bench: &mut Bench<'_>) -> (Vec<Check>, Option<Loaded>) {
    let mut checks = vec![
        NO_MODEL.judged(no_model(bench)),
        BEFORE_LOAD.judged(before_load(bench)),
        ignored_setting(bench),
    ];
    match bench.loaded() {
        Ok(mut ready) => {
            let model = &ready.loaded.model;
            let facts = format!(
                "{}, {} tokens of vocabulary, {} layers",
                model.architecture, model.vocabulary, model.layers
            );
            checks.push(if model.vocabulary == 0 {
                LOADS.fail("the vocabulary has 0 tokens")
            } else {
                LOADS.pass(facts)
            });
            checks.push(ready.check(&TOKENISES, tokenises));
            checks.push(ready.check(&LONG_REQUEST, long_request));
            let loaded = ready.loaded.clone();
            ready.talk.over();
            (checks, Some(loaded))
        }
        Err(wrong) => {
            checks.push(LOADS.fail(wrong));
            for rule in [TOKENISES, LONG_REQUEST] {
                checks.push(rule.not_made("no model was loaded"));
            }
            (checks, None)
        }
    }
}

fn no_model(bench: &mut Bench<'_>) -> Result<String, String> {
    let wanted = bench.load_request(CONTEXT_TOKENS);
    let missing = Path::new("/nonexistent").join("no such model.gguf");
    let missing =
        LoadRequest { model_path: missing.to_string_lossy().into_owned(), ..wanted.clone() };
    let (mut talk, _) = bench.greeted()?;
    let reply = talk.ask(Command::Load(missing))?;
    let Reply::Problem(Problem { kind: ProblemKind::Model, .. }) = reply else {
        return Err(format!("a `problem` of kind `model` is due, there came {}", in_words(&reply)));
    };
    match talk.ask(Command::Load(wanted)) {
        Ok(Reply::Loaded(_)) => {}
        Ok(other) => {
            return Err(format!("after that, `load` was answered with {}", in_words(&other)));
        }
        Err(wrong) => return Err(format!("after that, {wrong}")),
    }
    talk.over();
    Ok(in_words(&reply))
}

fn before_load(bench: &mut Bench<'_>) -> Result<String, String> {
    let (mut talk, _) = bench.greeted()?;
    let reply = talk.ask(Command::Begin(Beginning { depth: Vec::new(), prompt: vec![1, 2, 3] }))?;
    talk.over();
    match reply {
        Reply::Problem(_) => Ok(in_words(&reply)),
        other => Err(format!("a `problem` is due, there came {}", in_words(&other))),
    }
}

/// One setting alone, of those that a worker might ignore.
fn unsupported(bench: &Bench<'_>) -> Option<Settings> {
    let none = Settings::default();
    let candidates = [
        ("threads", Settings { threads: Some(2), ..none.clone() }),
        ("flash_attention", Settings { flash_attention: Some(Toggle::On), ..none.clone() }),
        ("gpu_layers", Settings { gpu_layers: Some(1), ..none.clone() }),
        ("memory_lock", Settings { memory_lock: Some(Toggle::On), ..none.clone() }),
        ("priority", Settings { priority: Some(Priority::High), ..none }),
    ];
    candidates.into_iter().find(|(key, _)| !bench.heeds(key)).map(|(_, settings)| settings)
}

fn ignored_setting(bench: &mut Bench<'_>) -> Check {
    let Some(settings) = unsupported(bench) else {
        return IGNORED_SETTING.not_made("the greeting names every setting that is tried here");
    };
    let named = settings.named().join(", ");
    let mut request = bench.load_request(CONTEXT_TOKENS);
    request.settings = request.settings.overlaid(&settings);
    let asked = bench.greeted().and_then(|(mut talk, _)| {
        let reply = talk.ask(Command::Load(request))?;
        talk.over();
        Ok(reply)
    });
    IGNORED_SETTING.judged(asked.and_then(|reply| match reply {
        Reply::Problem(Problem { kind: ProblemKind::Unsupported, .. }) => Ok(in_words(&reply)),
        other => Err(format!(
            "to `{named}` a `problem` of kind `unsupported` is due, there came {}",
            in_words(&other)
        )),
    }))
}

fn tokenises(ready: &mut LoadedTalk<'_>) -> Result<String, String> {
    let mut ask = |text: &str| match ready.talk.ask(Command::Tokenize { text: text.to_owned() })? {
        Reply::Tokens(tokens) => Ok(tokens),
        other => Err(format!("`tokens` is due, there came {}", in_words(&other))),
    };
    let (first, again, other) = (ask(TEXT)?, ask(TEXT)?, ask("Another text altogether.")?);
    if first.is_empty() {
        return Err("a text gave no tokens".to_owned());
    }
    if first != again {
        return Err("the same text gave other tokens the second time".to_owned());
    }
    if first == other {
        return Err("another text gave the same tokens".to_owned());
    }
    ready.known(&first)?;
    Ok(format!("{} tokens of {} bytes", first.len(), TEXT.len()))
}

fn long_request(ready: &mut LoadedTalk<'_>) -> Result<String, String> {
    let text = "many words make a line long ".repeat((256 << 10) / 28 + 1);
    match ready.talk.ask(Command::Tokenize { text })? {
        Reply::Tokens(tokens) => Ok(format!("{} tokens", tokens.len())),
        // it was read whole, and is too much for it
        Reply::Problem(problem) if problem.kind != ProblemKind::Protocol => {
            Ok(in_words(&Reply::Problem(problem)))
        }
        other => Err(format!("`tokens` is due, there came {}", in_words(&other))),
    }
}
