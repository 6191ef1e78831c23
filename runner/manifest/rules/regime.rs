//! How much of the model the arms run, against what is to be claimed and predicted. An arm that
//! skips layers is no speed-up, and a slice is not the model.

use crate::manifest::checked::CheckedTable;
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::draft::ArmDraft;
use crate::manifest::faults::Faults;
use crate::manifest::language::LAYERS_KEY;
use crate::manifest::plan::{ClaimedExtent, Role};
use crate::manifest::span::{Span, Spot};

pub(super) fn hold(root: &CheckedTable, arms: &[ArmDraft], faults: &mut Faults) {
    let engine = root.table("engine").and_then(|engine| engine.whole32(LAYERS_KEY));
    let with_role = |role: Role| {
        arms.iter().find(move |arm| arm.role.as_ref().is_some_and(|spot| spot.value == role))
    };
    // without off, or with a faulty number, nothing can be compared
    let faulty =
        root.table("engine").into_iter().chain(root.tables("arm")).any(|table| {
            table.wrote(LAYERS_KEY).is_some() && !table.values.contains_key(LAYERS_KEY)
        });
    let Some(off) = with_role(Role::Off).filter(|_| !faulty) else { return };
    let offs = layers(off, engine.as_ref());
    for arm in arms {
        faults.extend(differs(arm, (off, offs.as_ref()), engine.as_ref()));
    }
    if let Some(regime) = root.table("regime") {
        claims(root, regime, offs.as_ref(), faults);
        predicts(root, regime, offs.is_some(), faults);
    }
}

/// The number in force in an arm; `None` is the whole model.
fn layers(arm: &ArmDraft, engine: Option<&Spot<u32>>) -> Option<Spot<u32>> {
    arm.layers.clone().or_else(|| engine.cloned())
}

/// What is held against off must run as much of the model. An `aa` arm has a rule of its own.
fn differs(
    arm: &ArmDraft,
    (off, offs): (&ArmDraft, Option<&Spot<u32>>),
    engine: Option<&Spot<u32>>,
) -> Option<Diagnostic> {
    let own = layers(arm, engine);
    let number = |spot: Option<&Spot<u32>>| spot.map(|spot| spot.value);
    let held = matches!(arm.role.as_ref()?.value, Role::Treatment | Role::Peer);
    if !held || number(own.as_ref()) == number(offs) {
        return None;
    }
    let place = |arm: &ArmDraft, spot: Option<&Spot<u32>>| -> Span {
        spot.map_or_else(|| arm.place(), |spot| spot.span.clone())
    };
    let words = |layers: Option<u32>| match layers {
        Some(layers) => format!("the first {layers} layers"),
        None => "all layers".to_owned(),
    };
    Some(
        Diagnostic::error(
            Code::LAYERS_DIFFER,
            place(arm, own.as_ref()),
            format!(
                "{} runs {}, and {} {}",
                arm.called(),
                words(number(own.as_ref())),
                off.called(),
                words(number(offs))
            ),
        )
        .also(place(off, offs), "off")
        .help("an arm that skips layers is no speed-up: write `layers` in `[engine]`, where it holds for all arms, or let this arm be a `ceiling` or a `control`, which is described and not judged"),
    )
}

/// Claims may not go beyond what the arms run.
fn claims(
    root: &CheckedTable,
    regime: &CheckedTable,
    offs: Option<&Spot<u32>>,
    faults: &mut Faults,
) {
    let Some(claims) = regime.choice::<ClaimedExtent>("claims") else { return };
    let outside =
        |text: String| Diagnostic::error(Code::CLAIM_OUTSIDE_REGIME, claims.span.clone(), text);
    let file = root.table("engine").and_then(|engine| engine.text("model_file"));
    let fault = match (claims.value, offs, file) {
        (ClaimedExtent::WholeModel, Some(layers), _) => outside(format!(
            "the claims are to be of the whole model, and the arms run its first {} layers",
            layers.value
        ))
        .also(layers.span.clone(), "a slice")
        .help("a figure of a slice predicts, and does not show, what the whole model gives: write `claims = \"slice\"`, or leave `layers` out"),
        (ClaimedExtent::WholeModel, None, Some(file)) => outside(
            "the claims are to be of the whole model, and nothing tells this file from a slice of one"
                .to_owned(),
        )
        .also(file.span, "a file of your own")
        .help("take a model of the catalogue, or leave `claims` out: the record then says `unknown`"),
        (ClaimedExtent::Slice, None, _) => {
            outside("the claims are to be of a slice, and the arms run the whole file".to_owned())
                .help("write `layers = 4` in `[engine]`, or `claims = \"whole_model\"`")
        }
        (ClaimedExtent::WholeModel, None, None) | (ClaimedExtent::Slice, Some(_), _) => return,
    };
    faults.push(fault);
}

/// Only a slice predicts, and no experiment predicts itself.
fn predicts(root: &CheckedTable, regime: &CheckedTable, is_slice: bool, faults: &mut Faults) {
    let Some(predicts) = regime.text("predicts") else { return };
    let fault = Diagnostic::error;
    if root.text("id").is_some_and(|id| id.value == predicts.value) {
        faults.push(
            fault(
                Code::PREDICTS_NOTHING,
                predicts.span,
                "an experiment does not predict itself".to_owned(),
            )
            .help("name the experiment that asks the same of the whole model"),
        );
    } else if !is_slice {
        faults.push(
            fault(
                Code::PREDICTS_NOTHING,
                predicts.span,
                "no arm runs a slice, so nothing is predicted of the whole model".to_owned(),
            )
            .help("write `layers = 4` in `[engine]`, or leave `predicts` out; an earlier record is named by `[[prior_art]]`"),
        );
    }
}
