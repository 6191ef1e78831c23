//! Records and experiments that a manifest cites, held against its own scope: a verdict about one
//! drafter is none about drafting, and a figure of a slice is none of the model.

use crate::failure::Failure;
use crate::manifest::checked::CheckedTable;
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::faults::Faults;
use crate::manifest::plan::Plan;
use crate::manifest::scalar::shorten;
use crate::manifest::scope::{ScopeDifference, scope_differences};
use crate::manifest::span::Spot;
use crate::manifest::surroundings::Surroundings;

/// Warns of every cited record whose scope is another. Only a plan without faults has a scope.
pub(in crate::manifest) fn hold(
    root: &CheckedTable,
    plan: &Plan,
    surroundings: &dyn Surroundings,
    faults: &mut Faults,
) {
    for art in root.tables("prior_art") {
        let Some(record) = art.text("record") else { continue };
        let stored = surroundings.stored_plan(&record.value);
        let Some(there) = found(&record, "record", stored, faults) else { continue };
        let differences = scope_differences(plan, &there);
        if !differences.is_empty() {
            faults.push(
                Diagnostic::warning(
                    Code::OTHER_SCOPE,
                    record.span,
                    format!("`{}` speaks of another scope: {}", record.value, words(&differences)),
                )
                .help("its verdict holds for its own scope alone: say in `scope` what it speaks of, and claim no more of it here"),
            );
        }
    }
    let predicts = root.table("regime").and_then(|regime| regime.text("predicts"));
    let Some(predicts) = predicts else { return };
    let stored = surroundings.stored_plan(&predicts.value);
    let Some(whole) = found(&predicts, "experiment", stored, faults) else { return };
    let differences = scope_differences(plan, &whole);
    let beside: Vec<ScopeDifference> =
        differences.iter().filter(|one| !one.is_extent()).cloned().collect();
    if differences.len() == beside.len() {
        faults.push(
            Diagnostic::warning(
                Code::OTHER_SCOPE,
                predicts.span,
                format!("`{}` runs as many layers, so it is not what is predicted", predicts.value),
            )
            .help("name the experiment that asks the same of the whole model"),
        );
    } else if !beside.is_empty() {
        faults.push(
            Diagnostic::warning(
                Code::OTHER_SCOPE,
                predicts.span,
                format!(
                    "`{}` differs from this in more than its layers: {}",
                    predicts.value,
                    words(&beside)
                ),
            )
            .help("a prediction is held against the same question on the whole model, with nothing else changed"),
        );
    }
}

fn words(differences: &[ScopeDifference]) -> String {
    let words: Vec<String> = differences
        .iter()
        .map(|one| format!("{} {} there, {} here", one.what, one.there, one.here))
        .collect();
    words.join("; ")
}

/// The plan that is cited; where there is none, a warning.
fn found(
    name: &Spot<String>,
    kind: &str,
    stored: Result<Option<Plan>, Failure>,
    faults: &mut Faults,
) -> Option<Plan> {
    let warning = |text: String| Diagnostic::warning(Code::UNKNOWN_RECORD, name.span.clone(), text);
    let short = shorten(&name.value);
    match stored {
        Ok(Some(plan)) => return Some(plan),
        Ok(None) => faults.push(
            warning(format!("`results/` has no {kind} `{short}`"))
                .help("`runner list` shows what there is; its scope is not held against this one"),
        ),
        Err(failure) => {
            faults.push(warning(format!("the {kind} `{short}` cannot be read")).retell(failure));
        }
    }
    None
}
