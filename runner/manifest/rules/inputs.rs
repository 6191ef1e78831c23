//! The texts that are worked on: known, fit for the class, and not certainly too short.

use crate::manifest::checked::CheckedTable;
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::draft::ArmDraft;
use crate::manifest::faults::Faults;
use crate::manifest::plan::{MeasurementClass, TimedWork};
use crate::manifest::scalar::shorten;
use crate::manifest::span::{Span, Spot};
use crate::manifest::suggest::nearest;
use crate::manifest::surroundings::{Surroundings, WorkloadFacts};

use super::arms::positions;
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
    let inputs = root.table("workload")?.text("inputs")?;
    let facts = match surroundings.workload(&inputs.value) {
        Ok(facts) => facts,
        Err(failure) if failure.place.is_some() => {
            faults.push(
                Diagnostic::error(
                    Code::BAD_WORKLOAD,
                    inputs.span,
                    format!("the set `{}` cannot be used", shorten(&inputs.value)),
                )
                .retell(failure),
            );
            return None;
        }
        Err(failure) => {
            let known = surroundings.workload_names();
            let fault = Diagnostic::error(
                Code::UNKNOWN_WORKLOAD,
                inputs.span,
                format!("`{}` is no workload: {}", shorten(&inputs.value), failure.what),
            );
            faults.push(match nearest(&inputs.value, known.iter().map(String::as_str)) {
                Some(near) => fault.help(format!("did you mean `inputs = \"{near}\"`?")),
                None => fault.help(format!(
                    "known: {}; or the path of a set file, from the project's root",
                    known.join(", ")
                )),
            });
            return None;
        }
    };
    if let Some(class) = root.table("workload")?.choice::<MeasurementClass>("class")
        && !facts.classes.contains(&class.value)
    {
        faults.push(unserved(&class, &inputs, &facts.classes));
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
        let of_input = |work: TimedWork| match work {
            TimedWork::Decode { prompt_tokens: needed, .. }
            | TimedWork::Prefill { prefill_tokens: needed } => needed,
        };
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

fn unserved(
    class: &Spot<MeasurementClass>,
    inputs: &Spot<String>,
    served: &[MeasurementClass],
) -> Diagnostic {
    let key = |class: &MeasurementClass| match serde_json::to_value(class) {
        Ok(serde_json::Value::String(key)) => key,
        _ => String::new(),
    };
    let served: Vec<String> = served.iter().map(|class| format!("\"{}\"", key(class))).collect();
    Diagnostic::error(
        Code::WORKLOAD_CLASS,
        class.span.clone(),
        format!("`{}` does not serve the class \"{}\"", inputs.value, key(&class.value)),
    )
    .also(inputs.span.clone(), format!("serves {}", served.join(", ")))
    .help("take another set, or another class: a set that repeats itself is a best case for some")
}
