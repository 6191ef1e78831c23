//! A history's steps are made from its manifest, so that nothing in it may stand in their way.

use crate::manifest::builds::NATIVE;
use crate::manifest::checked::CheckedTable;
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::draft::ArmDraft;
use crate::manifest::faults::Faults;
use crate::manifest::names::ExperimentId;
use crate::manifest::plan::Role;
use crate::manifest::span::Span;

/// Steps are called `<id>-<number>-<7 digits>`, and an id has 64 characters.
const LONGEST_ID: usize = 50;

/// Whether a manifest looks for a commit.
pub(super) fn is_one(root: &CheckedTable) -> bool {
    root.wrote("history").is_some()
}

pub(super) fn hold(root: &CheckedTable, arms: &[ArmDraft], faults: &mut Faults) {
    let Some(here) = root.wrote("history") else { return };
    let mut fault = |place: Span, message: String, help: &str| {
        faults.push(
            Diagnostic::error(Code::BAD_HISTORY, place, message)
                .also(here.clone(), "the history")
                .help(help.to_owned()),
        );
    };
    for (key, why) in [
        ("ladder", "a ladder has several treatments, and a step has one"),
        ("condition", "a step is judged at one condition"),
        ("build", "its builds are the commits"),
    ] {
        if let Some(place) = root.wrote(key) {
            fault(
                place,
                format!("`[{key}]` cannot stand beside `[history]`: {why}"),
                "leave it out",
            );
        }
    }
    for table in root.table("engine").into_iter().chain(root.tables("arm")) {
        for key in ["build", "worker"] {
            // what is meant where nothing is said may be said
            let said = table.text(key).map(|text| text.value);
            if let Some(place) = table.wrote(key)
                && said.as_deref() != Some(NATIVE)
            {
                fault(
                    place,
                    format!("`{key}` cannot stand beside `[history]`: each step names its builds"),
                    "leave it out",
                );
            }
        }
    }
    let treatments: Vec<&ArmDraft> = arms
        .iter()
        .filter(|arm| arm.role.as_ref().is_some_and(|role| role.value == Role::Treatment))
        .collect();
    if let [_, second, ..] = treatments.as_slice() {
        fault(
            second.place(),
            "a history has one treatment, which runs the commit of a step".to_owned(),
            "leave the others out, or make a manifest for each",
        );
    }
    for arm in arms {
        let other = arm
            .role
            .as_ref()
            .filter(|role| !matches!(role.value, Role::Off | Role::Aa | Role::Treatment));
        if let Some(role) = other {
            fault(
                role.span.clone(),
                format!("{} has no part in a search for a commit", arm.called()),
                "leave it out: a history has `off`, `aa` and one treatment",
            );
        }
    }
    if let Some(id) = root.choice::<ExperimentId>("id")
        && id.value.as_str().len() > LONGEST_ID
    {
        fault(
            id.span,
            format!("the id of a history has at most {LONGEST_ID} characters"),
            "shorten it: each step adds its number and its commit",
        );
    }
    if let Some(history) = root.table("history")
        && let (Some(good), Some(bad)) = (history.text("good"), history.text("bad"))
        && good.value == bad.value
    {
        fault(
            bad.span,
            "`good` and `bad` are one revision".to_owned(),
            "name a commit before the change, and one after it",
        );
    }
}
