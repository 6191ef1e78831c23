//! What a model makes of a set: its tokens, and on a mixture of experts the experts that work on them.

use std::collections::BTreeMap;

use engine_protocol::{LoadRequest, ObserveRequest, ProblemKind, Selection, Settings, Token};

use super::bisect_tensors::{ObservedFile, Tensors};
use super::executable::{Executables, Program};
use super::expert_routes::{Unseen, chosen, deciding_nodes};
use super::fault::WorkerError;
use super::interrupt::Interrupt;
use super::limits::RequestLimits;
use super::worker::{Call, Worker};
use crate::failure::Failure;
use crate::manifest::WorkerChoice;
use crate::model::{Document, Experts, ModelFile, TokenizerHash};
use crate::workload::InputSet;
use crate::workload::calibration::{Content, ExpertUse, Measured, RoutedItem};

/// Items whose experts are looked at: a dozen, evenly spread over the set.
const ROUTED_ITEMS: usize = 12;
/// Tokens of an item whose experts are looked at, at most; the context is as long.
const ROUTED_TOKENS: usize = 512;

/// What was measured, and what could not be.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredSet {
    /// To be stored.
    pub measured: Measured,
    /// The experts of the model, where it has any.
    pub experts: Option<Experts>,
    /// Why their use is unknown, where it is.
    pub routing_unknown: Option<String>,
}

/// Tokenises each item with the model, and looks which experts work on some of them.
///
/// # Errors
/// Refused when there is no such worker, it cannot load the model, or what it writes is not what it
/// says.
pub fn measure_workload(
    set: &InputSet,
    model: &ModelFile,
    worker: &WorkerChoice,
    executables: &Executables,
) -> Result<MeasuredSet, Failure> {
    let document = Document::read(&model.path)?;
    let tokenizer = TokenizerHash::of(&document)?;
    let experts = Experts::of(document.facts());
    let mut reader = Reader::open(worker, executables, model)?;
    let items = reader.tokens_of(set)?;
    let content = Content::of(set, &numbers(&items));
    let (used, routing_unknown) = match experts {
        None => (None, None),
        Some(experts) => match reader.routes(&items, experts) {
            Ok(used) => (Some(used), None),
            Err(Unseen::Unknown(why)) => (None, Some(why)),
            Err(Unseen::Failure(failure)) => return Err(failure),
        },
    };
    reader.worker.shut_down();
    Ok(MeasuredSet {
        measured: Measured {
            model: model.name.clone(),
            model_sha256: model.sha256.as_str().to_owned(),
            tokenizer_blake3: tokenizer.as_str().to_owned(),
            content,
            experts: used,
        },
        experts,
        routing_unknown,
    })
}

/// Tokens are compared, never counted with: their bits do.
fn numbers(items: &[Item]) -> Vec<Vec<u32>> {
    items
        .iter()
        .map(|item| item.own().iter().map(|token| token.cast_unsigned()).collect())
        .collect()
}

/// One item in tokens.
struct Item {
    tokens: Vec<Token>,
    /// How many of them the tokenizer puts before every text.
    opening: usize,
}

impl Item {
    /// Without the opening: it would count as a token that all items share.
    fn own(&self) -> &[Token] {
        self.tokens.get(self.opening..).unwrap_or_default()
    }
}

/// A worker that reads texts.
struct Reader {
    worker: Worker,
    program: Program,
    limits: RequestLimits,
    interrupt: Interrupt,
    scratch: tempfile::TempDir,
    files: u32,
}

impl Reader {
    fn open(
        choice: &WorkerChoice,
        executables: &Executables,
        model: &ModelFile,
    ) -> Result<Reader, Failure> {
        let program = executables.program(choice)?;
        let scratch = tempfile::tempdir().map_err(|error| {
            Failure::failed(format!("no scratch folder can be made: {error}"))
                .hint("set TMPDIR to a folder with room that you may write to")
        })?;
        let started = Worker::start(&program.path, &program.arguments)
            .map_err(|error| refusal(&program, "be started", &error))?;
        let mut reader = Reader {
            worker: started,
            program,
            limits: RequestLimits::default(),
            interrupt: Interrupt::never(),
            scratch,
            files: 0,
        };
        let load = LoadRequest {
            model_path: model.path.to_string_lossy().into_owned(),
            settings: Settings {
                context_tokens: Some(ROUTED_TOKENS as u32),
                ..Settings::default()
            },
            draft_model_path: None,
        };
        reader.ask("greet", |worker, call| worker.hello(call))?;
        reader.ask("load the model", |worker, call| worker.load(load, call))?;
        Ok(reader)
    }

    fn ask<T>(
        &mut self,
        what: &str,
        ask: impl FnOnce(&mut Worker, Call<'_>) -> Result<T, WorkerError>,
    ) -> Result<T, Failure> {
        let call = Call { limits: &self.limits, interrupt: &self.interrupt };
        ask(&mut self.worker, call).map_err(|error| refusal(&self.program, what, &error))
    }

    fn tokens_of(&mut self, set: &InputSet) -> Result<Vec<Item>, Failure> {
        let opening = self.ask("tokenise", |worker, call| worker.tokenize(String::new(), call))?;
        let mut items = Vec::with_capacity(set.items.len());
        for item in &set.items {
            let tokens =
                self.ask("tokenise", |worker, call| worker.tokenize(item.text.clone(), call))?;
            let opening = if tokens.starts_with(&opening) { opening.len() } else { 0 };
            items.push(Item { tokens, opening });
        }
        Ok(items)
    }

    /// The use of experts.
    fn routes(&mut self, items: &[Item], experts: Experts) -> Result<ExpertUse, Unseen> {
        let unknown = |why: &str| Unseen::Unknown(why.to_owned());
        let first = items.iter().find_map(|item| item.tokens.get(..2));
        let first = first.ok_or_else(|| unknown("no item has two tokens"))?;
        let nodes = deciding_nodes(&self.observe(first, Selection::All)?.names());
        if nodes.is_empty() {
            return Err(unknown("the engine shows no scores of experts"));
        }
        let names: Vec<String> = nodes.values().cloned().collect();
        let mut routed = Vec::new();
        for item in spread(items).filter(|item| !item.own().is_empty()) {
            let tokens = item.tokens.get(..ROUTED_TOKENS).unwrap_or(&item.tokens);
            let file = self.observe(tokens, Selection::Named(names.clone()))?;
            let mut layers = BTreeMap::new();
            for (layer, node) in &nodes {
                let chosen = chosen(&file, node, (tokens.len(), item.opening), experts)?;
                layers.insert(*layer, chosen);
            }
            routed.push(RoutedItem { layers });
        }
        let used = ExpertUse::of(experts.count, experts.used, &routed);
        used.ok_or_else(|| unknown("no token was routed"))
    }

    fn observe(&mut self, tokens: &[Token], tensors: Selection) -> Result<ObservedFile, Unseen> {
        self.files += 1;
        let path = self.scratch.path().join(format!("experts-{}.f32", self.files));
        let request = ObserveRequest {
            tokens: tokens.to_vec(),
            tensors,
            positions: (0..tokens.len() as u32).collect(),
            replace: Vec::new(),
            path: path.to_string_lossy().into_owned(),
        };
        let call = Call { limits: &self.limits, interrupt: &self.interrupt };
        let observed = self.worker.observe(request, call).map_err(|error| match error {
            WorkerError::Problem(ProblemKind::Unsupported, why) => Unseen::Unknown(why),
            error => Unseen::Failure(refusal(&self.program, "show its tensors", &error)),
        })?;
        Ok(ObservedFile::open(&path, observed)?)
    }
}

/// A dozen items, evenly spread.
fn spread(items: &[Item]) -> impl Iterator<Item = &Item> {
    let taken = items.len().min(ROUTED_ITEMS);
    (0..taken).filter_map(move |number| items.get(number * items.len() / taken.max(1)))
}

fn refusal(program: &Program, what: &str, error: &WorkerError) -> Failure {
    let detail = error.as_fault().map(|(_, detail)| detail).unwrap_or_default();
    Failure::refused(format!("the worker cannot {what}: {detail}"))
        .at(program.path.display())
        .hint("`runner engine info --worker FILE` asks a worker alone")
}
