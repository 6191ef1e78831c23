//! Speculative decoding: settings that need each other, a contract that a wrong rollback breaks,
//! chunks that hold a whole verification, and texts that are no silent best case.

use engine_protocol::{DraftAcceptance, DraftSource, Settings};

use crate::manifest::checked::CheckedTable;
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::draft::{ArmDraft, SettingsDraft};
use crate::manifest::faults::Faults;
use crate::manifest::plan::{Contract, Drafting, MeasurementClass, Role, TimedWork};
use crate::manifest::scalar::shorten;
use crate::manifest::suggest::nearest;
use crate::manifest::surroundings::Surroundings;

use super::settings::place;
use super::work::{Work, at_values};

/// What the rules look at.
pub(super) struct Here<'a> {
    pub root: &'a CheckedTable,
    pub arms: &'a [ArmDraft],
    pub engine: &'a SettingsDraft,
    pub work: Option<&'a Work>,
}

pub(super) fn hold(here: &Here<'_>, surroundings: &dyn Surroundings, faults: &mut Faults) {
    // A fault of settings that several arms share is reported once.
    let mut found: Vec<Diagnostic> = Vec::new();
    for arm in here.arms {
        let one =
            One { here, arm, settings: here.engine.settings.overlaid(&arm.settings.settings) };
        for fault in one.faults(surroundings) {
            let known =
                |other: &Diagnostic| other.code == fault.code && other.offset() == fault.offset();
            if !found.iter().any(known) {
                found.push(fault);
            }
        }
    }
    faults.extend(found);
}

/// One arm.
struct One<'a> {
    here: &'a Here<'a>,
    arm: &'a ArmDraft,
    settings: Settings,
}

impl One<'_> {
    fn faults(&self, surroundings: &dyn Surroundings) -> Vec<Diagnostic> {
        let mut found = self.unused();
        let Some(drafting) = Drafting::of(&self.settings) else {
            found.extend(self.accepts_nothing("it drafts nothing"));
            return found;
        };
        found.extend(self.missing());
        found.extend(self.unknown_model(surroundings));
        found.extend(self.role());
        found.extend(self.contract());
        found.extend(self.work(drafting));
        found.extend(self.width(drafting));
        found.extend(self.class(drafting));
        if drafting.acceptance == DraftAcceptance::Nothing {
            found.extend(self.accepts_nothing("`draft_acceptance = \"nothing\"` keeps none"));
        }
        found
    }

    fn error(&self, code: Code, key: &str, text: String) -> Diagnostic {
        Diagnostic::error(code, place(self.arm, self.here.engine, key), text)
    }

    /// Keys that nothing would read.
    fn unused(&self) -> Vec<Diagnostic> {
        let settings = &self.settings;
        let source = settings.draft_source.unwrap_or(DraftSource::Nothing);
        let called = self.arm.called();
        let mut found = Vec::new();
        let keys = [
            ("draft_tokens", settings.draft_tokens.is_some(), None),
            ("draft_acceptance", settings.draft_acceptance.is_some(), None),
            (
                "draft_lookup_tokens",
                settings.draft_lookup_tokens.is_some(),
                Some((DraftSource::PromptLookup, "prompt_lookup")),
            ),
            (
                "draft_model",
                settings.draft_model.is_some(),
                Some((DraftSource::DraftModel, "draft_model")),
            ),
            (
                "draft_layers",
                settings.draft_layers.is_some(),
                Some((DraftSource::SelfSlice, "self_slice")),
            ),
        ];
        for (key, named, wanted) in keys {
            let (ignored, help) = match wanted {
                None => (
                    source == DraftSource::Nothing,
                    "say where drafts come from: `draft_source = \"prompt_lookup\"`".to_owned(),
                ),
                Some((wanted, name)) => {
                    (source != wanted, format!("it is of `draft_source = \"{name}\"` alone"))
                }
            };
            if named && ignored {
                let text = format!("`{key}` of {called} would be ignored");
                found.push(self.error(Code::SETTING_IGNORED, key, text).help(help));
            }
        }
        found
    }

    /// Keys that a source needs.
    fn missing(&self) -> Vec<Diagnostic> {
        let settings = &self.settings;
        let mut needed = vec![("draft_tokens", settings.draft_tokens.is_none(), "4")];
        match settings.draft_source {
            Some(DraftSource::DraftModel) => needed.push((
                "draft_model",
                settings.draft_model.is_none(),
                "\"a name in the catalogue\"",
            )),
            Some(DraftSource::SelfSlice) => {
                needed.push(("draft_layers", settings.draft_layers.is_none(), "8"));
            }
            _ => {}
        }
        needed
            .into_iter()
            .filter(|(_, missing, _)| *missing)
            .map(|(key, _, example)| {
                let text = format!("{} drafts, and does not say `{key}`", self.arm.called());
                self.error(Code::MISSING_KEY, "draft_source", text)
                    .help(format!("add `{key} = {example}`"))
            })
            .collect()
    }

    fn unknown_model(&self, surroundings: &dyn Surroundings) -> Option<Diagnostic> {
        let name = self.settings.draft_model.as_ref()?;
        // a catalogue that cannot be read is a fault of its own
        let known = surroundings.model_names().ok()?;
        if known.contains(name) {
            return None;
        }
        let text = format!("the catalogue has no model `{}`", shorten(name));
        let fault = self.error(Code::UNKNOWN_MODEL, "draft_model", text);
        Some(match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => fault.help(format!("did you mean `draft_model = \"{near}\"`?")),
            None => fault.help(format!("known: {}", known.join(", "))),
        })
    }

    /// What others are held against must be plain decoding.
    fn role(&self) -> Option<Diagnostic> {
        let role = self.arm.role.as_ref()?.value;
        matches!(role, Role::Off | Role::Aa).then(|| {
            let text =
                format!("{} drafts: others are held against plain decoding", self.arm.called());
            self.error(Code::OFF_DRAFTS, "draft_source", text)
                .help("leave the settings of drafts to the treatments")
        })
    }

    /// Only `identical` sees a rejected token that stayed in the cache.
    fn contract(&self) -> Option<Diagnostic> {
        let is_treatment = self.arm.role.as_ref()?.value == Role::Treatment;
        let identical =
            self.arm.contracts.iter().any(|contract| contract.value == Contract::Identical);
        (is_treatment && !identical).then(|| {
            Diagnostic::error(
                Code::MISSING_CONTRACT,
                self.arm.place(),
                format!("{} drafts, and does not promise the same tokens", self.arm.called()),
            )
            .help("a rollback that leaves a rejected token in the cache shows in the tokens alone. Add:\ncontract.identical.of = \"tokens\"")
        })
    }

    /// Drafts are of decoding, and a chunk holds more than one verification may keep.
    fn work(&self, drafting: Drafting) -> Vec<Diagnostic> {
        let Some(work) = self.here.work else { return Vec::new() };
        let mut found = Vec::new();
        for (_, timed, span) in at_values(self.here.root, work) {
            match timed {
                TimedWork::Prefill { .. } | TimedWork::Primitive { .. } => {
                    let text = format!(
                        "{} drafts, and the timed work is a {}",
                        self.arm.called(),
                        timed.word()
                    );
                    let fault = self.error(Code::NOT_OF_THIS_WORK, "draft_source", text);
                    found.push(
                        fault.help(
                            "drafts are of decoding: write `decode_tokens` and `prompt_tokens`",
                        ),
                    );
                }
                TimedWork::Decode { chunk_tokens, .. }
                    if chunk_tokens <= drafting.beyond() && drafting.beyond() > 0 =>
                {
                    let width = drafting.tokens.saturating_add(1);
                    let text = format!(
                        "a chunk of {chunk_tokens} tokens is shorter than one verification of {} keeps at most: {width}",
                        self.arm.called()
                    );
                    let fault = self.error(Code::CHUNK_MISFIT, "draft_tokens", text);
                    found.push(
                        fault
                            .also(span, "the timed work")
                            .help(format!("write `chunk_tokens = {width}` or more in `[design]`")),
                    );
                }
                TimedWork::Decode { .. } => {}
            }
        }
        found
    }

    /// A batch is evaluated whole.
    fn width(&self, drafting: Drafting) -> Option<Diagnostic> {
        let width = drafting.tokens.saturating_add(1);
        let (key, limit) = [
            ("micro_batch_tokens", self.settings.micro_batch_tokens),
            ("batch_tokens", self.settings.batch_tokens),
        ]
        .into_iter()
        .find_map(|(key, limit)| Some((key, limit.filter(|limit| *limit < width)?)))?;
        let text =
            format!("a batch of {width} tokens in {} would be cut to `{key}`", self.arm.called());
        let fault = self.error(Code::SETTING_IGNORED, "draft_tokens", text);
        Some(
            fault
                .also(place(self.arm, self.here.engine, key), format!("{limit}"))
                .help(format!("raise `{key}` to {width} or more")),
        )
    }

    /// A text that repeats itself is a best case for drafting, and no measure of it.
    fn class(&self, drafting: Drafting) -> Option<Diagnostic> {
        let judged = self.arm.role.as_ref()?.value == Role::Treatment;
        let class = self.here.root.table("workload")?.choice::<MeasurementClass>("class")?;
        let keeps = drafting.acceptance == DraftAcceptance::Greedy;
        (judged && keeps && class.value != MeasurementClass::Speculation).then(|| {
            Diagnostic::error(
                Code::WORKLOAD_CLASS,
                class.span.clone(),
                format!(
                    "{} drafts, and how much is accepted hangs on the text: the class must be \"speculation\"",
                    self.arm.called()
                ),
            )
            .help("write `class = \"speculation\"`, with a set that serves it; on another set drafting can be shown as a `ceiling` or a `control`, not judged")
        })
    }

    fn accepts_nothing(&self, why: &str) -> Option<Diagnostic> {
        let expected = self.arm.expect_accepted.as_ref()?;
        Some(
            Diagnostic::error(
                Code::UNREACHABLE_OUTCOME,
                expected.span.clone(),
                format!("{} can never accept a token: {why}", self.arm.called()),
            )
            .help("leave `expect.accepted_tokens` out"),
        )
    }
}
