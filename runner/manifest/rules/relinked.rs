//! A comparison of builds needs an arm that shows what the layout of a program alone does.

use crate::manifest::checked::CheckedTable;
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::faults::Faults;
use crate::manifest::plan::{Plan, Role};

/// Warns of a treatment with another build than off's where no arm is relinked.
pub(in crate::manifest) fn hold(root: &CheckedTable, plan: &Plan, faults: &mut Faults) {
    let Some(off) = plan.arms.get(plan.off()) else { return };
    let alone = plan.arms.iter().find(|arm| {
        arm.role == Role::Treatment
            && plan.worker_of(arm) != plan.worker_of(off)
            && plan.build_of(arm).or(plan.build_of(off)).is_some()
            && plan.relinked(arm).is_none()
    });
    let Some(arm) = alone else { return };
    let written = root.tables("arm").iter();
    let place = written
        .filter(|table| table.text("name").is_some_and(|name| name.value == arm.name.as_str()))
        .find_map(|table| table.wrote("build"));
    faults.push(
        Diagnostic::warning(
            Code::NO_RELINKED_ARM,
            place.unwrap_or_else(|| root.span.clone()),
            format!(
                "`{}` is another program than `{}`, and no arm shows what layout alone does",
                arm.name, off.name
            ),
        )
        .help(
            "add an arm with `role = \"control\"` and off's build with a `link_order_seed`; without \
             one every claim says `these two binaries`",
        ),
    );
}
