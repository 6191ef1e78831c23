//! What surrounds the arms: variables that may be registered, a budget that says something, and a
//! warm-up that can settle.

use crate::manifest::checked::CheckedTable;
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::faults::Faults;

/// Passed on to every worker as they are, so that they cannot be registered.
const PASSED_ON: [&str; 4] = ["PATH", "HOME", "LANG", "TMPDIR"];

/// Variables of this program and of its tests.
const OUR_BEGINNINGS: [&str; 2] = ["RUNNER_", "FAKE_WORKER_"];

pub(super) fn hold(root: &CheckedTable, faults: &mut Faults) {
    for table in root.table("engine").into_iter().chain(root.tables("arm")) {
        variables(table, faults);
    }
    budget(root, faults);
    warm_up(root, faults);
}

fn variables(table: &CheckedTable, faults: &mut Faults) {
    let Some(environment) = table.table("environment") else { return };
    for (name, place) in &environment.written {
        let ours = OUR_BEGINNINGS.iter().any(|start| name.starts_with(start));
        let why = if PASSED_ON.contains(&name.as_str()) {
            "is passed on to every worker as it is"
        } else if ours {
            "is a variable of this program"
        } else {
            continue;
        };
        faults.push(
            Diagnostic::error(Code::BAD_NAME, place.clone(), format!("`{name}` {why}"))
                .help("register variables that the engine reads, such as `OMP_PROC_BIND`"),
        );
    }
}

fn budget(root: &CheckedTable, faults: &mut Faults) {
    let Some(budget) = root.table("budget").filter(|budget| budget.written.is_empty()) else {
        return;
    };
    faults.push(
        Diagnostic::error(
            Code::MISSING_KEY,
            budget.span.clone(),
            "`[budget]` does not say how much memory there is",
        )
        .help("write `memory_megabytes = 4000`, or leave the table out"),
    );
}

fn warm_up(root: &CheckedTable, faults: &mut Faults) {
    let Some(table) = root.table("warm_up") else { return };
    let (Some(window), Some(most)) = (table.whole("window_pieces"), table.whole("at_most_pieces"))
    else {
        return;
    };
    if most.value >= window.value.saturating_mul(2) {
        return;
    }
    faults.push(
        Diagnostic::error(
            Code::UNREACHABLE_OUTCOME,
            most.span,
            format!(
                "two windows of {} pieces never fit into {}: no arm could settle",
                window.value, most.value
            ),
        )
        .also(window.span, "the window")
        .help(format!("write `at_most_pieces = {}` or more", window.value.saturating_mul(2))),
    );
}
