//! The texts that are worked on: known, fit for the class, and not certainly too short.

use crate::manifest::checked::CheckedTable;
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::draft::ArmDraft;
use crate::manifest::faults::Faults;
use crate::manifest::plan::{BUFFERS, MeasurementClass, Role, TimedWork};
use crate::manifest::scalar::shorten;
use crate::manifest::span::{Span, Spot};
use crate::manifest::suggest::nearest;
use crate::manifest::surroundings::{Surroundings, WorkloadFacts};

use super::arms::positions;
use super::primitives;
use super::work::{Work, at_values};

/// The workload is known, and its texts are not certainly too short. Gives what is
/// known of it.
pub(super) fn hold(
    root: &CheckedTable,
    arms: &[ArmDraft],
    work: Option<&Work>,
    surroundings: &dyn Surroundings,
    faults: &mut Faults,
) -> Option<WorkloadFacts> {
    let table = root.table("workload")?;
    if primitives::is_one(root) {
        // its inputs are places in a rotation, and need no text
        return surroundings.workload(BUFFERS).ok();
    }
    let inputs = match table.text("inputs") {
        Some(inputs) => inputs,
        None => {
            primitives::missing(table, "inputs", faults);
            primitives::missing(table, "class", faults);
            return None;
        }
    };
    primitives::missing(table, "class", faults);
    let facts = find(&inputs, surroundings, faults)?;
    if let Some(class) = root.table("workload")?.choice::<MeasurementClass>("class") {
        let against = surroundings.against(&inputs.value, class.value);
        let served = facts.classes.contains(&class.value);
        match (served && against.is_empty(), is_judged(arms)) {
            (true, _) => {}
            (false, true) => faults.push(unfit(&class, &inputs, &facts.classes, &against)),
            (false, false) => faults.push(best_case(&class, &inputs, &against)),
        }
    }
    let mut short = |needed: u64, what: &str, span: Span| {
        // Beside the text's own tokens there may be one for its beginning.
        if needed > facts.bytes + 1 {
            faults.push(
                Diagnostic::error(
                    Code::WORKLOAD_TOO_SHORT,
                    span,
                    format!("`{}` cannot give {needed} tokens", inputs.value),
                )
                .here(what)
                .also(inputs.span.clone(), format!("{} bytes of text in all", facts.bytes))
                .help("a token is at least one byte: take a longer set, or fewer tokens"),
            );
        }
    };
    if let Some(work) = work {
        for (_, timed, span) in at_values(root, work) {
            let needed = of_input(timed);
            // a condition on something else leaves the length as it is written
            let varied = needed != of_input(work.work) || span == work.input_span;
            let span = if varied { span } else { work.input_span.clone() };
            short(u64::from(needed), "of one input", span);
        }
    }
    let mut seen: Vec<usize> = Vec::new();
    for contract in arms.iter().flat_map(|arm| &arm.contracts) {
        if let Some(positions) = positions(&contract.value)
            && !seen.contains(&contract.span.start)
        {
            seen.push(contract.span.start);
            short(u64::from(positions), "positions of the contract", contract.span.clone());
        }
    }
    Some(facts)
}

/// The set of this name or path; a fault when there is none, or it cannot be used.
pub(super) fn find(
    inputs: &Spot<String>,
    surroundings: &dyn Surroundings,
    faults: &mut Faults,
) -> Option<WorkloadFacts> {
    match surroundings.workload(&inputs.value) {
        Ok(facts) => Some(facts),
        Err(failure) if failure.place.is_some() => {
            faults.push(
                Diagnostic::error(
                    Code::BAD_WORKLOAD,
                    inputs.span.clone(),
                    format!("the set `{}` cannot be used", shorten(&inputs.value)),
                )
                .retell(failure),
            );
            None
        }
        Err(failure) => {
            let known = surroundings.workload_names();
            let fault = Diagnostic::error(
                Code::UNKNOWN_WORKLOAD,
                inputs.span.clone(),
                format!("`{}` is no workload: {}", shorten(&inputs.value), failure.what),
            );
            faults.push(match nearest(&inputs.value, known.iter().map(String::as_str)) {
                Some(near) => fault.help(format!("did you mean `inputs = \"{near}\"`?")),
                None => fault.help(format!(
                    "known: {}; or the path of a set file, from the project's root",
                    known.join(", ")
                )),
            });
            None
        }
    }
}

/// Tokens that are taken of one input at once.
pub(super) fn of_input(work: TimedWork) -> u32 {
    match work {
        TimedWork::Decode { prompt_tokens: needed, .. }
        | TimedWork::Prefill { prefill_tokens: needed } => needed,
        TimedWork::Primitive { .. } => 0,
    }
}

/// Whether anything will be judged on the texts. An arm whose role is not known may be.
fn is_judged(arms: &[ArmDraft]) -> bool {
    let shown_only = |role: Role| match role {
        Role::Off | Role::Aa | Role::Control | Role::Ceiling => true,
        Role::Treatment | Role::Peer => false,
    };
    !arms.iter().all(|arm| arm.role.as_ref().is_some_and(|role| shown_only(role.value)))
}

fn unfit(
    class: &Spot<MeasurementClass>,
    inputs: &Spot<String>,
    served: &[MeasurementClass],
    against: &[String],
) -> Diagnostic {
    let key = class.value.key();
    let what = if served.contains(&class.value) {
        format!("`{}` is outside of the class \"{key}\"", inputs.value)
    } else {
        format!("`{}` does not serve the class \"{key}\"", inputs.value)
    };
    let served: Vec<String> = served.iter().map(|class| format!("\"{}\"", class.key())).collect();
    let fault = Diagnostic::error(Code::WORKLOAD_CLASS, class.span.clone(), what)
        .also(inputs.span.clone(), format!("serves {}", served.join(", ")))
        .help("take another set, or another class: a set that repeats itself is a best case for some; it may be shown with arms that are a `ceiling` or a `control`");
    if against.is_empty() { fault } else { fault.here(against.join("; ")) }
}

/// A set that is not fit is welcome where nothing is judged.
fn best_case(
    class: &Spot<MeasurementClass>,
    inputs: &Spot<String>,
    against: &[String],
) -> Diagnostic {
    let what = format!(
        "`{}` is not fit for the class \"{}\": what is shown on it is a best case, and nothing is judged",
        inputs.value,
        class.value.key()
    );
    let fault = Diagnostic::warning(Code::WORKLOAD_CLASS, class.span.clone(), what);
    if against.is_empty() { fault } else { fault.here(against.join("; ")) }
}
