//! What an arm expects: something, and something that can fail and can be met.

use crate::manifest::checked::CheckedTable;
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::draft::ArmDraft;
use crate::manifest::faults::Faults;

/// An `expect` that names nothing.
pub(super) fn not_empty(root: &CheckedTable, faults: &mut Faults) {
    for table in root.tables("arm").iter().chain(root.table("ladder")) {
        let Some(expect) = table.table("expect").filter(|expect| expect.written.is_empty()) else {
            continue;
        };
        faults.push(
            Diagnostic::error(
                Code::MISSING_KEY,
                expect.span.clone(),
                "`expect` does not say what is expected",
            )
            .help("write `expect.operation.NAME.at_least = 1`, `expect.device.NAME.at_least = 1`, `expect.buffer.NAME.at_least_bytes = 1` or `expect.accepted_tokens.at_least = 1`, or leave it out"),
        );
    }
}

/// Bounds of each expectation.
pub(super) fn bounded(arm: &ArmDraft, faults: &mut Faults) {
    for expect in &arm.expect {
        let path = format!("expect.operation.{}", expect.operation);
        bounds(arm, (&path, ""), (expect.at_least, expect.at_most), faults);
    }
    for expect in &arm.expect_devices {
        let path = format!("expect.device.{}", expect.device);
        // a share of one percent needs one operation
        let share = u64::from(expect.at_least_percent.is_some());
        bounds(arm, (&path, ""), (expect.at_least.max(share), expect.at_most), faults);
    }
    for expect in &arm.expect_buffers {
        let path = format!("expect.buffer.{}", expect.buffer);
        bounds(arm, (&path, "_bytes"), (expect.at_least_bytes, expect.at_most_bytes), faults);
    }
}

/// Bounds that can be met, and are not met whatever happens.
fn bounds(
    arm: &ArmDraft,
    (path, unit): (&str, &str),
    (least, most): (u64, Option<u64>),
    faults: &mut Faults,
) {
    let impossible = most.is_some_and(|most| most < least);
    let says_nothing = most.is_none() && least == 0;
    if impossible || says_nothing {
        let why = if impossible { "can never be met" } else { "is always met" };
        faults.push(
            Diagnostic::error(Code::UNREACHABLE_OUTCOME, arm.place(), format!("`{path}` {why}"))
                .help(format!(
                    "write `{path}.at_least{unit} = 1`, or `{path}.at_most{unit} = 0` for never"
                )),
        );
    }
}
