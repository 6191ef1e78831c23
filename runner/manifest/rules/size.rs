//! A design that no machine gets through is a slip of the finger.

use crate::manifest::checked::CheckedTable;
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::faults::Faults;

/// Most blocks of a whole run: at a second a block more than a day.
const MOST_BLOCKS: u64 = 100_000;

/// Rounds times blocks times condition values.
pub(super) fn hold(root: &CheckedTable, faults: &mut Faults) {
    let Some(design) = root.table("design") else { return };
    let (Some(rounds), Some(blocks)) = (design.whole("rounds"), design.whole("blocks_per_round"))
    else {
        return;
    };
    let condition = root.table("condition");
    let values = condition.and_then(|table| table.list("values")).map_or(1, |v| v.value.len());
    let all = rounds.value.saturating_mul(blocks.value).saturating_mul(values as u64);
    if all > MOST_BLOCKS {
        faults.push(
            Diagnostic::error(
                Code::OUT_OF_RANGE,
                rounds.span,
                format!("the design has {all} blocks; a run has at most {MOST_BLOCKS}"),
            )
            .here("rounds")
            .also(blocks.span, "times blocks of a round")
            .help("ask for fewer rounds or blocks: `runner plan` shows what a design can resolve"),
        );
    }
}
