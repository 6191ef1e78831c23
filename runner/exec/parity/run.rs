//! Golden by golden: the model found and checked, the gates, and what was asked for beside them.

use std::path::{Path, PathBuf};

use engine_protocol::{KvType, Settings, Toggle};

use super::ask::{ParityAsk, ParityPart};
use super::session::Session;
use super::{controls, floats, forms, gates, slots, weights};
use crate::exec::clock;
use crate::exec::executable::{Executables, Program};
use crate::failure::Failure;
use crate::golden::{Golden, GoldenPlace, check_model};
use crate::manifest::ModelChoice;
use crate::model::{self, Document, Sha256Hex, Verification, file_hash};
use crate::parity::{GoldenReport, LadderRow, ParityReport};
use crate::project::Project;

/// The engine's default, and the least that a text is evaluated in.
const MICRO_BATCH: usize = 512;
/// Rows beyond a text, for its continuation.
const SPARE_TOKENS: usize = 8;

/// What one golden is held against.
pub(super) struct Ground<'run> {
    pub(super) golden: &'run Golden,
    pub(super) place: &'run GoldenPlace,
    pub(super) project: &'run Project,
    pub(super) program: &'run Program,
    /// Scratch of this run.
    pub(super) scratch: &'run Path,
    /// The model file that the golden names.
    pub(super) document: Document,
    /// The same weights in 32-bit floats.
    pub(super) floats: PathBuf,
    pub(super) settings: Settings,
}

/// Holds the engine against goldens.
///
/// # Errors
/// Refused when a golden or its model cannot be used, or the worker cannot be asked. A gate that
/// fails is no error: the report says so.
pub fn parity(
    ask: &ParityAsk,
    project: &Project,
    executables: &Executables,
) -> Result<ParityReport, Failure> {
    let program = executables.program(&ask.worker)?;
    let cannot = |error: std::io::Error| {
        Failure::failed(format!("no scratch folder can be made: {error}"))
            .at(project.cache.display())
    };
    std::fs::create_dir_all(&project.cache).map_err(cannot)?;
    let scratch =
        tempfile::Builder::new().prefix("parity-").tempdir_in(&project.cache).map_err(cannot)?;
    let mut engine = String::new();
    let mut reports = Vec::new();
    // every golden is read before anything is computed: a bad one must not cost an hour
    let goldens: Result<Vec<Golden>, Failure> =
        ask.goldens.iter().map(|place| Golden::read(&place.file)).collect();
    for (place, golden) in ask.goldens.iter().zip(&goldens?) {
        let (document, sha256) = model_of(place, golden, project)?;
        let floats = floats::floats_of(&document, &sha256, &program, &project.cache)?;
        let ground = Ground {
            golden,
            place,
            project,
            program: &program,
            scratch: scratch.path(),
            document,

            floats,
            settings: settings(golden),
        };
        let report = one(ask, &ground, &mut engine)?;
        reports.push(report);
    }
    Ok(ParityReport {
        engine,
        settings: "KV cache f32, flash attention off".to_owned(),
        run_on: clock::utc_now().chars().take(10).collect(),
        goldens: reports,
    })
}

/// The arithmetic that is nearest to the reference's.
fn settings(golden: &Golden) -> Settings {
    let longest = golden.longest() + SPARE_TOKENS;
    let observed = golden.prompts.iter().filter(|prompt| !prompt.hidden.is_empty());
    let observed = observed.map(|prompt| prompt.tokens.len()).max().unwrap_or(0);
    // an observed text is evaluated at once
    let whole = u32::try_from(observed).ok().filter(|_| observed > MICRO_BATCH);
    Settings {
        context_tokens: u32::try_from(longest.next_multiple_of(256)).ok(),
        batch_tokens: whole.map(|whole| whole.max(2048)),
        micro_batch_tokens: whole,
        flash_attention: Some(Toggle::Off),
        kv_key_type: Some(KvType::F32),
        kv_value_type: Some(KvType::F32),
        ..Settings::default()
    }
}

/// The model file that a golden speaks of, checked against it.
fn model_of(
    place: &GoldenPlace,
    golden: &Golden,
    project: &Project,
) -> Result<(Document, Sha256Hex), Failure> {
    let path = match (&place.model, &golden.facts.model) {
        (Some(beside), _) => beside.clone(),
        (None, Some(name)) => model::resolve(&ModelChoice::Named(name.clone()), project)?.path,
        (None, None) => {
            return Err(Failure::refused(
                "there is no `model.gguf` beside it, and it names no model",
            )
            .at(golden.path.display())
            .hint("a synthetic golden has its model beside it; make both again"));
        }
    };
    // a file that cannot be read is an unmet precondition here
    let refused = |mut failure: Failure| {
        failure.kind = crate::failure::FailureKind::Refused;
        failure
    };
    let document = Document::read(&path).map_err(refused)?;
    let sha256 = file_hash(&path, Verification::Remembered, project).map_err(refused)?;
    check_model(&golden.facts, &golden.path, &document, &sha256)?;
    Ok((document, sha256))
}

fn one(ask: &ParityAsk, ground: &Ground<'_>, engine: &mut String) -> Result<GoldenReport, Failure> {
    let (mut session, _) =
        Session::load(ground.program, ground.scratch, &ground.floats, &ground.settings)?;
    engine.clone_from(&session.engine);
    let found = gates::gates(&mut session, ground.golden, None);
    session.end();
    let gates::Found { mut checklist, logits, greedy } = found?;
    let ladder = LadderRow::ladder(ground.golden, &logits, &greedy);
    let asked = |part: ParityPart| ask.parts.contains(&part);
    if asked(ParityPart::Weights) {
        checklist.settle(weights::gate(ground, ask.checkpoint.as_deref())?);
    }
    if asked(ParityPart::Slots) {
        for gate in slots::gates(ground)? {
            checklist.settle(gate);
        }
    }
    let controls =
        if asked(ParityPart::Controls) { controls::controls(ground)? } else { Vec::new() };
    let forms = if asked(ParityPart::Forms) { forms::forms(ground)? } else { Vec::new() };
    Ok(GoldenReport {
        golden: ground.golden.facts.clone(),
        form: "f32".to_owned(),
        prompts: ground.golden.prompts.len(),
        checklist,
        ladder,
        controls,
        forms,
    })
}
