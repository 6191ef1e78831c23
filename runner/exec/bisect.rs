//! Bisecting: the engine against a reference's dump, or an arm against off.

use std::path::{Path, PathBuf};

use engine_protocol::{KvType, Selection, Settings, Toggle};

use super::bisect_arbiter::{self, Arbiter};
use super::bisect_difference::listed;
use super::bisect_model::{BisectModel, OtherFile, coarsest, head_width};
use super::bisect_tensors::{DumpTensors, ObservedFile, Tensors};
use super::bisect_walk::{Ground, logits_of, shared};
use super::bisect_worker::Observatory;
use super::context::{Inputs, Item};
use super::executable::Executables;
use super::prepare::executables;
use crate::bisect::{
    Bars, Bisection, LogitsCheck, Reason, RotaryFacts, Rounding, Rows, Side, Subject, divergence,
    look_at_buffer, reasons,
};
use crate::failure::{Failure, FailureKind};
use crate::golden::Dump;
use crate::manifest::WorkerChoice;
use crate::model::{Document, GgufFacts};
use crate::project::Project;
use crate::workload;

/// The engine against a reference.
#[derive(Debug, Clone, PartialEq)]
pub struct AgainstReference {
    /// What the reference computed.
    pub dump: PathBuf,
    /// The model file beside the golden, where there is one.
    pub own_model: Option<PathBuf>,
    /// Another model for the engine: a name of the catalogue, or a file.
    pub model: Option<String>,
    /// The engine's settings.
    pub settings: Settings,
    /// Which engine.
    pub worker: WorkerChoice,
}

/// An arm against off.
#[derive(Debug, Clone, PartialEq)]
pub struct ArmAgainstOff {
    /// A name of the catalogue, or a file.
    pub model: String,
    /// Another model for the arm.
    pub arm_model: Option<String>,
    /// Off's settings.
    pub off: Settings,
    /// The arm's settings.
    pub arm: Settings,
    /// The set that the text is from.
    pub inputs: String,
    /// The item that it starts with, from 0.
    pub item: usize,
    /// Its length.
    pub tokens: usize,
    /// Which engine.
    pub worker: WorkerChoice,
}

/// Holds the engine against a reference's dump.
///
/// # Errors
/// Refused when files are missing or are not what they should be, when the engine cannot show its
/// tensors, or when there is nothing that both sides have.
pub fn bisect_reference(
    request: &AgainstReference,
    project: &Project,
) -> Result<Bisection, Failure> {
    against_reference(request, project).map_err(refused)
}

/// Holds an arm against off.
///
/// # Errors
/// As [`bisect_reference`].
pub fn bisect_arms(request: &ArmAgainstOff, project: &Project) -> Result<Bisection, Failure> {
    against_off(request, project).map_err(refused)
}

/// Exit 1 says that something parts, so a failure must not.
fn refused(failure: Failure) -> Failure {
    match failure.kind {
        FailureKind::Failed => Failure { kind: FailureKind::Refused, ..failure },
        _ => failure,
    }
}

fn against_reference(request: &AgainstReference, project: &Project) -> Result<Bisection, Failure> {
    let dump = Dump::read(&request.dump)?;
    let model = BisectModel::of_dump(request, &dump, project)?;
    let plain = Settings {
        flash_attention: Some(Toggle::Off),
        kv_key_type: Some(KvType::F32),
        kv_value_type: Some(KvType::F32),
        ..Settings::default()
    };
    let settings = with_room(&plain.overlaid(&request.settings), dump.tokens.len());
    let scratch = scratch(project)?;
    let executables = executables(&project.root)?;
    let mut engine = Observatory::open(
        &request.worker,
        &executables,
        &model.path,
        &settings,
        (scratch.path(), "engine"),
    )?;
    let left = DumpTensors::new(&dump, head_width(&model.facts));
    let effective = engine.loaded.effective.clone();
    let subject = Subject {
        left: "reference".to_owned(),
        left_is: format!("{} ({})", dump.facts.reference, dump.path().display()),
        right: "engine".to_owned(),
        right_is: described(&effective),
        model: model.name.clone(),
        text: dump.prompt.clone(),
        tokens: dump.tokens.len(),
    };
    let bars = Bars::of(coarsest(&model.facts, &effective));
    let ground = Ground {
        left: &left,
        tokens: &dump.tokens,
        bars,
        head: head_width(&model.facts),
        scratch: scratch.path(),
    };
    let weights = model.reference_file.as_deref().map(Document::read).transpose()?;
    let weights = weights.as_ref().map(|file| (file, "the model file that the reference read"));
    let mut found = compare(&ground, &mut engine, subject, None, weights)?;
    engine.close();
    // the formula is that of the file which the reference read, whatever the engine was given
    let rotary = model.reference_facts.as_ref().and_then(RotaryFacts::read);
    for name in &dump.buffers {
        let buffer = dump.buffer(name)?;
        if let Some(rows) = Rows::new(buffer.width, buffer.values) {
            found.buffers.extend(look_at_buffer(name, &rows, rotary.as_ref()));
        }
    }
    let of_buffers = reasons(None, &found.buffers);
    found.reasons.splice(0..0, of_buffers);
    for check in &dump.facts.failed_checks {
        let finding = check.finding.clone().unwrap_or_else(|| check.figure.to_string());
        let why = format!("it failed its own check `{}`: {finding}", check.name);
        found.reasons.push(Reason { side: Side::Left, why });
    }
    hold_file_against_engine(&mut found, &model.other);
    if let Some(fault) = &dump.fault {
        found
            .notes
            .push(format!("the dump says of itself that a fault was planted in it: {fault}"));
    }
    Ok(found)
}

/// Only what no form of the model explains is held against the engine, and only where something
/// parts.
fn hold_file_against_engine(found: &mut Bisection, other: &OtherFile) {
    let given = "given another model file than the reference read";
    match other {
        OtherFile::Same => {}
        OtherFile::Unknown(hashes) => found.notes.push(format!(
            "the engine was {given} ({hashes}), which is not at hand, so how they differ is unknown"
        )),
        OtherFile::Differs(how) if how.content.is_empty() => found.notes.push(format!(
            "the engine was given another form of the model file that the reference read: {}",
            how.words()
        )),
        OtherFile::Differs(how) if found.parts() => {
            let why = format!("it was {given}: {}", listed(&how.content));
            found.reasons.push(Reason { side: Side::Right, why });
            if !how.form.is_empty() {
                let form = listed(&how.form);
                found.notes.push(format!("the engine's model file is another form too: {form}"));
            }
        }
        OtherFile::Differs(how) => {
            found
                .notes
                .push(format!("nothing parts, though the engine was {given}: {}", how.words()));
        }
    }
}

fn against_off(request: &ArmAgainstOff, project: &Project) -> Result<Bisection, Failure> {
    let model = BisectModel::named(&request.model, project)?;
    let arm_model = match &request.arm_model {
        Some(name) => BisectModel::named(name, project)?,
        None => model.clone(),
    };
    let set = workload::load(&request.inputs, project)?;
    let item = set.items.get(request.item).map(|item| item.id.clone()).ok_or_else(|| {
        Failure::usage(format!("the set `{}` has {} items", request.inputs, set.items.len()))
            .at("--item")
            .hint("items are counted from 0")
    })?;
    let inputs = Inputs {
        items: set
            .items
            .iter()
            .map(|item| Item { id: item.id.clone(), text: item.text.clone() })
            .collect(),
    };
    let scratch = scratch(project)?;
    let executables = executables(&project.root)?;
    let (off_settings, arm_settings) =
        (with_room(&request.off, request.tokens), with_room(&request.arm, request.tokens));
    let opening =
        Opening { worker: &request.worker, executables: &executables, scratch: scratch.path() };
    let mut off = opening.open("off", &model.path, &off_settings)?;
    let tokens = off.text(&inputs, request.item, request.tokens)?;
    let off_logits = off.logits(&tokens)?;
    let left = off.observe(&tokens, Selection::All, Vec::new())?;
    let off_effective = off.loaded.effective.clone();
    off.close();
    let mut arm = opening.open("arm", &arm_model.path, &arm_settings)?;
    let effective = arm.loaded.effective.clone();
    let subject = Subject {
        left: "off".to_owned(),
        left_is: described(&off_effective),
        right: "arm".to_owned(),
        right_is: described(&effective),
        model: named(&model, &arm_model),
        text: format!("{item} of {}", request.inputs),
        tokens: tokens.len(),
    };
    let same_kernels = off_effective == effective && same_types(&model.facts, &arm_model.facts);
    let rounding = match same_kernels {
        true => Rounding::SameKernels,
        false => coarsest(&model.facts, &off_effective).max(coarsest(&arm_model.facts, &effective)),
    };
    let ground = Ground {
        left: &left,
        tokens: &tokens,
        bars: Bars::of(rounding),
        head: head_width(&model.facts),
        scratch: scratch.path(),
    };
    let document = Document::read(&model.path)?;
    let weights = Some((&document, "off's model file"));
    let mut found = compare(&ground, &mut arm, subject, off_logits, weights)?;
    arm.close();
    if let Some(how) = arm_model.difference(&model)? {
        found.notes.push(format!("the arm was given another model file: {}", how.words()));
    }
    Ok(found)
}

/// What both kinds do with the second side.
fn compare(
    ground: &Ground<'_>,
    right: &mut Observatory,
    subject: Subject,
    left_unobserved: Option<Rows>,
    weights: Option<(&Document, &str)>,
) -> Result<Bisection, Failure> {
    let unobserved = right.logits(ground.tokens)?;
    let observed = right.observe(ground.tokens, Selection::All, Vec::new())?;
    let (both, mut names) = shared(ground.left, &observed);
    if both.is_empty() {
        return Err(Failure::refused(format!(
            "no tensor has a name on both sides: nothing could be compared ({} there, {} here)",
            names.only_left.len(),
            names.only_right.len()
        )));
    }
    let carried = ground.carried(&both, &observed, &mut names)?;
    if carried.walk.steps.is_empty() {
        return Err(Failure::refused(
            "no tensor has the same shape on both sides: nothing could be compared",
        ));
    }
    let logits = logits_check(ground.left, left_unobserved, &observed, unobserved)?;
    let comparable: Vec<String> = carried.walk.steps.iter().map(|step| step.name.clone()).collect();
    let fed = ground.fed(&comparable, right)?;
    let (fed, fed_sight) = match fed {
        Ok(walked) => (Ok(walked.walk), walked.sight),
        Err(why) => (Err(why), None),
    };
    let mut found = Bisection {
        subject,
        names,
        carried: carried.walk,
        fed,
        logits,
        sight: fed_sight.or(carried.sight),
        buffers: Vec::new(),
        reasons: Vec::new(),
        retest: None,
        notes: Vec::new(),
    };
    found.retest = ground.again(found.naming(), &comparable, right)?;
    found.reasons = reasons(found.sight.as_ref(), &[]);
    let name = found.first().map(|step| step.name.clone());
    let carried = found.carried.steps.iter().find(|step| Some(&step.name) == name.as_ref());
    if let Some((step, (model, file_is))) = carried.zip(weights) {
        let arbiter = Arbiter {
            left: ground.left,
            right: &observed,
            names: &comparable,
            model,
            file_is,
            head: ground.head,
            bar: bisect_arbiter::bar(ground.bars.rounding, ground.bars.fed),
        };
        found.reasons.extend(arbiter.rule(step)?);
    }
    Ok(found)
}

fn logits_check(
    left: &dyn Tensors,
    left_unobserved: Option<Rows>,
    observed: &ObservedFile,
    unobserved: Option<Rows>,
) -> Result<LogitsCheck, Failure> {
    let apart = |left: Option<&Rows>, right: Option<&Rows>| {
        left.zip(right).and_then(|(left, right)| divergence(left, right))
    };
    let left_observed = logits_of(left)?;
    let right_observed = logits_of(observed)?;
    Ok(LogitsCheck {
        unobserved: apart(left_unobserved.as_ref().or(left_observed.as_ref()), unobserved.as_ref()),
        observed: apart(left_observed.as_ref(), right_observed.as_ref()),
        by_observing: apart(unobserved.as_ref(), right_observed.as_ref()),
    })
}

/// How an arm's worker is opened.
struct Opening<'run> {
    worker: &'run WorkerChoice,
    executables: &'run Executables,
    scratch: &'run Path,
}

impl Opening<'_> {
    fn open(
        &self,
        side: &'static str,
        model: &Path,
        settings: &Settings,
    ) -> Result<Observatory, Failure> {
        let place = (self.scratch, side);
        Observatory::open(self.worker, self.executables, model, settings, place)
    }
}

fn named(model: &BisectModel, arm_model: &BisectModel) -> String {
    if model.path == arm_model.path {
        return model.name.clone();
    }
    format!("{} against {}", model.name, arm_model.name)
}

/// Whether the tensors have the same types, so that the same kernels run.
fn same_types(left: &GgufFacts, right: &GgufFacts) -> bool {
    let types = |facts: &GgufFacts| {
        let of = facts.tensors.iter().map(|t| (t.name.clone(), t.tensor_type.clone()));
        of.collect::<Vec<_>>()
    };
    types(left) == types(right)
}

/// Room for a text in one micro-batch, where nothing else is asked for.
fn with_room(settings: &Settings, tokens: usize) -> Settings {
    let needed = u32::try_from(tokens.div_ceil(256) * 256).unwrap_or(u32::MAX).max(256);
    let mut room = Settings { context_tokens: Some(needed), ..Settings::default() };
    if needed > 512 {
        room.batch_tokens = Some(needed);
        room.micro_batch_tokens = Some(needed);
    }
    room.overlaid(settings)
}

/// Settings in one line.
fn described(settings: &Settings) -> String {
    let value = serde_json::to_value(settings).unwrap_or_default();
    let shown = value.as_object().into_iter().flatten().filter(|(key, _)| {
        ["threads", "flash_attention", "kv_key_type", "kv_value_type", "micro_batch_tokens"]
            .contains(&key.as_str())
    });
    let shown: Vec<String> = shown
        .map(|(key, value)| {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            format!("{key}={value}")
        })
        .collect();
    shown.join(" ")
}

fn scratch(project: &Project) -> Result<tempfile::TempDir, Failure> {
    let folder = project.cache.join("bisect");
    std::fs::create_dir_all(&folder).and_then(|()| tempfile::tempdir_in(&folder)).map_err(|error| {
        Failure::refused(format!("no folder for scratch files can be made: {error}"))
            .at(folder.display())
    })
}
