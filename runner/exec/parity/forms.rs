//! Quantised forms, each against its own weights in 32-bit floats.

use std::path::{Path, PathBuf};

use engine_protocol::{Form, Settings, Token};

use super::controls::broken_copy;
use super::floats::{floats_of, is_floats, requantised};
use super::gates::middle;
use super::run::Ground;
use super::session::Session;
use crate::failure::Failure;
use crate::manifest::ModelChoice;
use crate::model::{self, Document, Sha256Hex, Verification, file_hash};
use crate::parity::{ControlState, Fault, FormComparison, FormReport};
use crate::workload;

/// Texts whose logits are compared, for a model with a tokenizer.
const WORKLOAD: &str = "prose-48";
/// So many of them.
const TEXTS: usize = 6;
/// Each cut to so many tokens.
const TEXT_TOKENS: usize = 48;

/// A text by name.
type Text = (String, Vec<Token>);

/// Judges each form that is at hand: the file itself where it is quantised, and those in the
/// cache; for a model of floats, forms that are made for it.
pub(super) fn forms(ground: &Ground<'_>) -> Result<Vec<FormReport>, Failure> {
    let (texts, of) = texts(ground)?;
    let mut reports = Vec::new();
    for (name, path) in at_hand(ground)? {
        reports.push(one(ground, name, &path, (&texts, &of))?);
    }
    Ok(reports)
}

/// Forms by name and file.
fn at_hand(ground: &Ground<'_>) -> Result<Vec<(String, PathBuf)>, Failure> {
    let mut forms = Vec::new();
    if !is_floats(&ground.document) {
        let kind = ground.document.facts().tensor_types.first();
        let name = kind.map_or_else(|| "file".to_owned(), |kind| kind.tensor_type.clone());
        forms.push((format!("{name}, the file itself"), ground.document.path().to_path_buf()));
        forms.extend(kept(ground)?);
        return Ok(forms);
    }
    for (name, form) in [("q8_0", Form::Q8_0), ("q4_0", Form::Q4_0)] {
        let path = ground.scratch.join(format!("{}-{name}.gguf", ground.place.name));
        requantised(ground.document.path(), &path, form, ground.program)?;
        forms.push((name.to_owned(), path));
    }
    Ok(forms)
}

/// Forms of the golden's model that `runner model forms` made and that are not plain floats.
fn kept(ground: &Ground<'_>) -> Result<Vec<(String, PathBuf)>, Failure> {
    let Some(name) = &ground.golden.facts.model else { return Ok(Vec::new()) };
    let source = model::resolve(&ModelChoice::Named(name.clone()), ground.project)?;
    let mut forms = Vec::new();
    for form in model::kept_forms(&source, ground.project, Verification::Remembered)? {
        let form = form?;
        if form.sidecar.form != Form::F32 {
            forms.push((model::form_name(form.sidecar.form).to_owned(), form.path));
        }
    }
    Ok(forms)
}

/// The texts, and what they are in words.
fn texts(ground: &Ground<'_>) -> Result<(Vec<Text>, String), Failure> {
    if ground.golden.facts.tokenizer_sha256.is_none() {
        let prompts = ground.golden.prompts.iter().filter(|prompt| prompt.tokens.len() > 1);
        let texts: Vec<Text> =
            prompts.map(|prompt| (prompt.name.clone(), prompt.tokens.clone())).collect();
        let words = format!("the golden's {} prompts", texts.len());
        return Ok((texts, words));
    }
    let set = workload::load(WORKLOAD, ground.project)?;
    let (mut session, _) =
        Session::load(ground.program, ground.scratch, ground.document.path(), &ground.settings)?;
    let mut texts = Vec::new();
    // every second item, since the one that follows lengthens a short one: no text in two
    for index in (0..set.items.len()).step_by(2).take(TEXTS) {
        // some bytes for each token are enough
        let text = set.text_from(index, TEXT_TOKENS * 8);
        let tokens = session.tokenise(&text);
        let mut tokens = match tokens {
            Ok(tokens) => tokens,
            Err(failure) => {
                session.end();
                return Err(failure);
            }
        };
        tokens.truncate(TEXT_TOKENS);
        texts.push((set.items[index].id.clone(), tokens));
    }
    session.end();
    let words = format!("{} texts of {WORKLOAD}, {TEXT_TOKENS} tokens each", texts.len());
    Ok((texts, words))
}

fn one(
    ground: &Ground<'_>,
    name: String,
    path: &Path,
    (texts, words): (&[Text], &str),
) -> Result<FormReport, Failure> {
    let document = Document::read(path)?;
    let sha256: Sha256Hex = file_hash(path, Verification::Remembered, ground.project)?;
    // weights of a scratch form are scratch too
    let cache =
        if path.starts_with(ground.scratch) { ground.scratch } else { &ground.project.cache };
    let floats = floats_of(&document, &sha256, ground.program, cache)?;
    let settings = Settings {
        context_tokens: u32::try_from(
            texts.iter().map(|(_, tokens)| tokens.len()).max().unwrap_or(1).next_multiple_of(256),
        )
        .ok(),
        batch_tokens: None,
        micro_batch_tokens: None,
        ..ground.settings.clone()
    };
    let sides = Sides { ground, settings: &settings, floats: &floats };
    let divergence = sides.compare(path, texts, None)?.finish();
    // over the same positions as the form itself: least values over others cannot be compared
    let mut tried = Vec::new();
    for fault in Fault::OF_FORMS {
        let copy = match broken_copy(&document, fault, ground.scratch) {
            Ok(copy) => copy,
            Err(Ok(row)) => {
                tried.push((fault, row.change, Err(row.state)));
                continue;
            }
            Err(Err(failure)) => return Err(failure),
        };
        let found = sides.compare(&copy.path, texts, Some(fault));
        copy.discard();
        tried.push(match found {
            // rows before one that is no number say nothing
            Ok(found) => {
                let sound = found.finish().filter(|found| found.fault.is_none());
                (fault, copy.change, Ok(sound.map(|found| found.cosine_min)))
            }
            Err(failure) => {
                (fault, format!("{}; {}", copy.change, failure.what), Err(ControlState::NotRun))
            }
        });
    }
    Ok(FormReport::judged(name, words.to_owned(), divergence, tried))
}

/// What a form is held against.
struct Sides<'run> {
    ground: &'run Ground<'run>,
    settings: &'run Settings,
    floats: &'run Path,
}

impl Sides<'_> {
    /// Both sides' logits of each text, row by row.
    fn compare(
        &self,
        form: &Path,
        texts: &[Text],
        fault: Option<Fault>,
    ) -> Result<FormComparison, Failure> {
        let load = |path: &Path| {
            Session::load(self.ground.program, self.ground.scratch, path, self.settings)
        };
        let (mut floats, _) = load(self.floats)?;
        let outcome = load(form).and_then(|(mut form, _)| {
            let outcome = self.texts(&mut floats, &mut form, texts, fault);
            form.end();
            outcome
        });
        floats.end();
        outcome
    }

    fn texts(
        &self,
        floats: &mut Session,
        form: &mut Session,
        texts: &[Text],
        fault: Option<Fault>,
    ) -> Result<FormComparison, Failure> {
        let mut comparison = FormComparison::new();
        for (name, tokens) in texts {
            comparison.begin_text(tokens.len());
            let count = u32::try_from(tokens.len()).unwrap_or(u32::MAX);
            let positions: Vec<u32> = (0..count).collect();
            let gapped = fault == Some(Fault::PositionOffByOne);
            let gap = middle(tokens.len()).filter(|_| gapped);
            let mut here = floats.rows(tokens, &positions, None)?;
            let mut there = form.rows(tokens, &positions, gap)?;
            for position in &positions {
                let next = tokens.get(*position as usize + 1);
                let next = next.and_then(|token| usize::try_from(*token).ok());
                let (Some(floats), Some(form)) = (here.next_row()?, there.next_row()?) else {
                    break;
                };
                comparison.add(name, *position, (floats, form), next);
            }
        }
        Ok(comparison)
    }
}
