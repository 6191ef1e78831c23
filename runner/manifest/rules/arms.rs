//! Which arms there must be, and which must differ.

use engine_protocol::{Form, Settings};

use crate::manifest::builds::Builds;
use crate::manifest::checked::CheckedTable;
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::draft::{ArmDraft, ArmOrigin, SettingsDraft};
use crate::manifest::faults::Faults;
use crate::manifest::language::{FORM_KEY, LAYERS_KEY};
use crate::manifest::plan::{Contract, Environment, Pieces, Role, WorkerChoice};
use crate::manifest::question::effective;
use crate::manifest::span::Span;

use super::settings::place;
use super::{arm_inputs, expect, primitives};

pub(super) fn hold(
    root: &CheckedTable,
    arms: &[ArmDraft],
    (engine, builds): (&SettingsDraft, &Builds),
    faults: &mut Faults,
) {
    names(arms, faults);
    if root.values.contains_key("arm") {
        roles(root, arms, faults);
    }
    for arm in arms {
        if !primitives::is_one(root) {
            contracts(root, arm, faults);
        }
        expect::bounded(arm, faults);
    }
    expect::not_empty(root, faults);
    confounded(root, arms, faults);
    let engine_whole = root.table("engine").is_some_and(crate::manifest::draft::is_whole);
    if engine_whole {
        differences(root, arms, (engine, builds), faults);
    }
}

fn names(arms: &[ArmDraft], faults: &mut Faults) {
    for (index, arm) in arms.iter().enumerate() {
        let Some(name) = &arm.name else { continue };
        let first = arms[..index]
            .iter()
            .filter_map(|other| other.name.as_ref())
            .find(|other| other.value == name.value);
        if let Some(first) = first {
            faults.push(
                Diagnostic::error(
                    Code::DUPLICATE_ARM,
                    name.span.clone(),
                    format!("two arms are called `{}`", name.value),
                )
                .here("again")
                .also(first.span.clone(), "first")
                .help("give each arm a name of its own"),
            );
        }
    }
}

/// Arms of a role.
fn with_role(arms: &[ArmDraft], role: Role) -> impl Iterator<Item = &ArmDraft> {
    arms.iter().filter(move |arm| arm.role.as_ref().is_some_and(|spot| spot.value == role))
}

fn roles(root: &CheckedTable, arms: &[ArmDraft], faults: &mut Faults) {
    // A faulty role may be the missing one.
    let all_known = arms.iter().all(|arm| arm.role.is_some());
    let place = arms.first().map_or_else(|| root.span.clone(), |arm| arm.span.clone());
    let mut offs = with_role(arms, Role::Off);
    match (offs.next(), offs.next()) {
        (Some(first), Some(second)) => faults.push(
            Diagnostic::error(
                Code::SEVERAL_OFF,
                role_place(second),
                "more than one arm is `off`",
            )
            .here("again")
            .also(role_place(first), "first")
            .help("one arm is `off`; the same once more, for the noise floor, has `role = \"aa\"`"),
        ),
        (None, _) if all_known => faults.push(
            Diagnostic::error(Code::MISSING_OFF, place.clone(), "no arm is `off`")
                .help("add the arm that does nothing:\n[[arm]]\nname = \"off\"\nrole = \"off\""),
        ),
        _ => {}
    }
    if all_known && with_role(arms, Role::Aa).next().is_none() {
        faults.push(
            Diagnostic::error(
                Code::MISSING_AA,
                place.clone(),
                "no arm is `aa`, so that the run would not show its own noise",
            )
            .help("add `off` once more:\n[[arm]]\nname = \"off-again\"\nrole = \"aa\""),
        );
    }
    let ladder_written = root.wrote("ladder").is_some();
    let is_of_interest = |role: Role| with_role(arms, role).next().is_some();
    // a best case or another engine may be shown by itself: nothing is judged then, and nothing claimed
    let shown = [Role::Treatment, Role::Ceiling, Role::Peer];
    let shows_something = shown.into_iter().any(is_of_interest);
    if all_known && !ladder_written && !shows_something {
        faults.push(
            Diagnostic::error(Code::NO_TREATMENT, place, "no arm is a `treatment`: nothing is judged")
                .help("add an arm with `role = \"treatment\"`, a setting of its own and a contract, or a `[ladder]`"),
        );
    }
}

fn role_place(arm: &ArmDraft) -> Span {
    arm.role.as_ref().map_or_else(|| arm.span.clone(), |role| role.span.clone())
}

fn contracts(root: &CheckedTable, arm: &ArmDraft, faults: &mut Faults) {
    let Some(role) = &arm.role else { return };
    match (role.value, &arm.contract_written) {
        (Role::Treatment, None) => {
            let (subject, place) = match arm.from {
                ArmOrigin::Written => (format!("the treatment {}", arm.called()), arm.place()),
                ArmOrigin::Rung => (
                    "the ladder".to_owned(),
                    root.table("ladder").map_or_else(|| arm.place(), |table| table.span.clone()),
                ),
            };
            faults.push(
                Diagnostic::error(
                    Code::MISSING_CONTRACT,
                    place,
                    format!("{subject} promises nothing of its output"),
                )
                .help("a speed-up that changes the answer is none. Add, for example:\ncontract.identical.of = \"tokens\"\nor `contract.cosine`, `contract.kl` or `contract.argmax`, with a bar and its `basis`"),
            );
        }
        (Role::Off | Role::Aa, Some(place)) => faults.push(
            Diagnostic::error(
                Code::NEEDLESS_CONTRACT,
                place.clone(),
                format!("{} is what others are compared with: it promises nothing", arm.called()),
            )
            .help("move the contract to the treatment"),
        ),
        _ => {}
    }
}

/// Positions of a contract over logits.
pub(super) fn positions(contract: &Contract) -> Option<u32> {
    match contract {
        Contract::Identical => None,
        Contract::Cosine { positions, .. }
        | Contract::Kl { positions, .. }
        | Contract::Argmax { positions, .. } => Some(*positions),
    }
}

/// Rungs are laid over the engine's settings, so what `off` alone has would differ too.
fn confounded(root: &CheckedTable, arms: &[ArmDraft], faults: &mut Faults) {
    let setting = root.table("ladder").and_then(|ladder| ladder.text("setting"));
    let (Some(setting), Some(off)) = (setting, with_role(arms, Role::Off).next()) else { return };
    let strays = off.settings.places.iter().filter(|(key, _)| **key != setting.value);
    let strays = strays.map(|(key, place)| (key.as_str(), place.clone()));
    let worker = off.worker.iter().map(|worker| ("worker", worker.span.clone()));
    let form = off.form.iter().filter(|_| setting.value != FORM_KEY);
    let form = form.map(|form| (FORM_KEY, form.span.clone()));
    let layers = off.layers.iter().map(|layers| (LAYERS_KEY, layers.span.clone()));
    let variables = (!off.environment.is_empty()).then(|| ("environment", off.place()));
    for (key, place) in strays.chain(worker).chain(form).chain(layers).chain(variables) {
        faults.push(
            Diagnostic::error(
                Code::CONFOUNDED_LADDER,
                place,
                format!("the rungs would differ from {} in `{key}` too", off.called()),
            )
            .also(setting.span.clone(), "the one setting that is to differ")
            .help("move it to `[engine]`, where it holds for the rungs as well"),
        );
    }
}

/// What an arm really runs.
#[derive(PartialEq)]
struct Effect {
    settings: Settings,
    worker: WorkerChoice,
    form: Option<Form>,
    layers: Option<u32>,
    environment: Environment,
    /// Its own set; of other roles it is a fault by itself.
    inputs: Option<String>,
    /// How a primitive is cut.
    pieces: Pieces,
}

impl Effect {
    /// Whether it does what off does. Off's servers serve off's worker, so an arm that is off again has
    /// others, as many.
    fn is_again(&self, off: &Effect) -> bool {
        let servers = |effect: &Effect| effect.settings.rpc_servers.clone();
        let count = |effect: &Effect| servers(effect).map(|servers| servers.iter().count());
        let settings = Settings { rpc_servers: servers(off), ..self.settings.clone() };
        count(self) == count(off)
            && settings == off.settings
            && self.worker == off.worker
            && (self.form, self.layers) == (off.form, off.layers)
            && self.environment == off.environment
            && self.inputs == off.inputs
            && self.pieces == off.pieces
    }
}

fn differences(
    root: &CheckedTable,
    arms: &[ArmDraft],
    (engine, builds): (&SettingsDraft, &Builds),
    faults: &mut Faults,
) {
    let engine_worker = root
        .table("engine")
        .and_then(|engine| crate::manifest::draft::worker(engine, builds))
        .map_or(WorkerChoice::Native, |worker| worker.value);
    let engine_form = engine_form(root);
    let engine_layers = root.table("engine").and_then(|engine| engine.whole32(LAYERS_KEY));
    let engine_layers = engine_layers.map(|layers| layers.value);
    let engine_environment =
        root.table("engine").map(crate::manifest::draft::environment).unwrap_or_default();
    let effect = |arm: &ArmDraft| -> Effect {
        let worker = arm.worker.as_ref().map_or(&engine_worker, |worker| &worker.value);
        Effect {
            settings: effective(&engine.settings, &arm.settings.settings),
            worker: worker.clone(),
            form: arm.form.as_ref().map(|form| form.value).or(engine_form),
            layers: arm.layers.as_ref().map(|layers| layers.value).or(engine_layers),
            environment: engine_environment.overlaid(&arm.environment),
            inputs: arm_inputs::allowed(arm).map(|inputs| inputs.value.clone()),
            pieces: arm.pieces.as_ref().map_or(Pieces::One, |pieces| pieces.value),
        }
    };
    let whole: Vec<(&ArmDraft, Role, Effect)> = arms
        .iter()
        .filter(|arm| arm.whole)
        .filter_map(|arm| Some((arm, arm.role.as_ref()?.value, effect(arm))))
        .collect();
    if let Some((off, _, off_effect)) = whole.iter().find(|(_, role, _)| *role == Role::Off) {
        for (arm, role, effect) in &whole {
            match role {
                Role::Off => {}
                Role::Aa if !effect.is_again(off_effect) => {
                    faults.push(aa_differs((arm, effect), (off, off_effect), engine));
                }
                Role::Aa => {}
                // the commit of a step is what differs
                Role::Treatment if super::history::is_one(root) => {}
                _ if effect == off_effect => faults.push(
                    Diagnostic::error(
                        Code::ARM_EQUALS_OFF,
                        arm.place(),
                        format!("{} does the same as {}", arm.called(), off.called()),
                    )
                    .also(off.place(), in_force(effect))
                    .help(match arm.from {
                        ArmOrigin::Written => "give it a setting or a worker of its own, or, if it is `off` again, `role = \"aa\"`",
                        ArmOrigin::Rung => "leave this rung out, or let `off` run at another value",
                    }),
                ),
                _ => {}
            }
        }
    }
    let treatments: Vec<_> = whole.iter().filter(|(_, role, _)| *role == Role::Treatment).collect();
    for (index, (arm, _, effect)) in treatments.iter().enumerate() {
        let twin = treatments[..index].iter().find(|(_, _, other)| other == effect);
        if let Some((other, _, _)) = twin
            && other.name.as_ref().map(|name| &name.value)
                != arm.name.as_ref().map(|name| &name.value)
        {
            faults.push(
                Diagnostic::error(
                    Code::EQUAL_TREATMENTS,
                    arm.place(),
                    format!("{} and {} do the same", other.called(), arm.called()),
                )
                .also(other.place(), in_force(effect))
                .help("leave one of them out: it would count as a second comparison"),
            );
        }
    }
}

/// Form of every arm that names none.
fn engine_form(root: &CheckedTable) -> Option<Form> {
    root.table("engine")?.choice("form").map(|form| form.value)
}

fn in_force(effect: &Effect) -> &'static str {
    match (effect.form, effect.layers) {
        (None, None) => "the same settings and worker are in force here",
        (Some(_), None) => "the same settings, worker and form are in force here",
        (None, Some(_)) => "the same settings, worker and layers are in force here",
        (Some(_), Some(_)) => "the same settings, worker, form and layers are in force here",
    }
}

fn aa_differs(
    (arm, effect): (&ArmDraft, &Effect),
    (off, off_effect): (&ArmDraft, &Effect),
    engine: &SettingsDraft,
) -> Diagnostic {
    let named = |arm: &ArmDraft| {
        serde_json::to_value(engine.settings.overlaid(&arm.settings.settings)).unwrap_or_default()
    };
    let (ours, theirs) = (named(arm), named(off));
    let mut keys: Vec<&str> = engine_protocol::SETTING_KEYS
        .iter()
        .copied()
        .filter(|key| ours.get(*key) != theirs.get(*key))
        .collect();
    if effect.worker != off_effect.worker {
        keys.push("worker");
    }
    if effect.form != off_effect.form {
        keys.push(FORM_KEY);
    }
    if effect.layers != off_effect.layers {
        keys.push(LAYERS_KEY);
    }
    if effect.environment != off_effect.environment {
        keys.push("environment");
    }
    if effect.pieces != off_effect.pieces {
        keys.push("pieces");
    }
    let key = keys.first().copied().unwrap_or_default();
    Diagnostic::error(
        Code::AA_DIFFERS,
        place(arm, engine, key),
        format!(
            "{} is `aa`, but differs from {} in `{}`",
            arm.called(),
            off.called(),
            keys.join("`, `")
        ),
    )
    .also(place(off, engine, key), "off")
    .help("an `aa` arm is `off` once more: give both the same settings")
}
