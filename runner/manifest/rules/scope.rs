//! Whether the inputs can carry what is claimed of them.

use crate::manifest::checked::CheckedTable;
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::faults::Faults;
use crate::manifest::plan::InputScope;
use crate::manifest::surroundings::{TextOrigin, WorkloadFacts};

/// Fewest different inputs of a claim about their class: a spread between fewer says little of
/// others, as with rounds.
const FEWEST_INPUTS: u64 = 8;

/// A claim about a class needs inputs drawn from it, and several of them.
pub(super) fn hold(root: &CheckedTable, inputs: &WorkloadFacts, faults: &mut Faults) {
    let Some(design) = root.table("design") else { return };
    let Some(scope) = design.choice::<InputScope>("input_scope") else { return };
    if scope.value == InputScope::Set {
        return;
    }
    let place = root.table("workload").and_then(|workload| workload.text("inputs"));
    if inputs.origin == TextOrigin::Filler {
        let mut fault = Diagnostic::error(
            Code::INPUTS_OF_NO_CLASS,
            scope.span.clone(),
            "texts made by one rule say nothing of a class of texts",
        );
        if let Some(place) = place {
            fault = fault.also(place.span, "filler");
        }
        faults.push(fault.help(
            "a claim about a class needs inputs drawn from it: take another set, or `input_scope = \"set\"`",
        ));
        return;
    }
    let (Some(rounds), Some(blocks)) = (design.whole("rounds"), design.whole("blocks_per_round"))
    else {
        return;
    };
    // Inputs are drawn without repetition until the set is used up.
    let visited = rounds.value.saturating_mul(blocks.value).min(inputs.items as u64);
    if visited < FEWEST_INPUTS {
        let inputs = match visited {
            1 => "one input".to_owned(),
            more => format!("{more} different inputs"),
        };
        faults.push(
            Diagnostic::error(
                Code::INPUTS_OF_NO_CLASS,
                scope.span,
                format!("the design visits {inputs}; a claim about their class needs {FEWEST_INPUTS}"),
            )
            .also(blocks.span, "blocks of a round")
            .help("a claim about a class needs inputs drawn from it: more blocks, a larger set, or `input_scope = \"set\"`"),
        );
    }
}
