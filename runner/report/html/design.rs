//! What the design could show, before there was any number.

use super::super::operating::{cells, notes, sections};
use super::super::plot::operating_figure;
use super::figure::Figure;
use super::tables::Table;
use crate::design::{TimeEstimate, operating};
use crate::manifest::{Plan, canonical_form};
use crate::record::Record;

/// The first version of the rules whose records show what their design could.
const FIRST_RULES: u32 = 2;

/// The registered design. Not escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DesignView {
    pub lines: Vec<String>,
    pub figure: Option<Figure>,
    pub table: Option<Table>,
    pub notes: Vec<String>,
    /// The canonical form of the manifest, indented.
    pub canonical: String,
}

/// Simulated from the plan alone.
pub(super) fn design(record: &Record) -> DesignView {
    let mut view = DesignView {
        lines: registered(&record.plan),
        figure: None,
        table: None,
        notes: Vec::new(),
        canonical: indented(&canonical_form(&record.plan)),
    };
    if record.sealed.rules_version < FIRST_RULES {
        view.notes.push(
            "A record of version 1 of the rules: what its design could show is not simulated."
                .to_owned(),
        );
        return view;
    }
    let time = TimeEstimate::Unknown { because: "the run is over".to_owned() };
    match operating(&record.plan, None, time) {
        Ok(found) => {
            let title = "Chances by true effect";
            view.figure = Some(Figure::new(
                title,
                operating_figure(&found, "operating"),
                "Chance of each outcome if this were the true effect, simulated with the whole \
                 registered rule. Dotted: the 80 % that registration asks for.",
            ));
            let (head, rows) = cells(&found);
            let head: Vec<&str> = head.iter().map(String::as_str).collect();
            view.table = Table::of("Chances by true effect", &head, rows);
            let said = sections(&found).into_iter().filter(|(label, _)| *label != "time");
            let said = said.flat_map(|(label, lines)| {
                lines.into_iter().map(move |line| format!("{label}: {line}"))
            });
            view.lines.extend(said);
            view.notes = notes(&found);
        }
        Err(why) => view.notes.push(format!("Nothing is simulated: {why}.")),
    }
    view
}

/// The canonical form is one long line of JSON: here it is read, not hashed.
fn indented(canonical: &str) -> String {
    let value = serde_json::from_str::<serde_json::Value>(canonical);
    let pretty = value.and_then(|value| serde_json::to_string_pretty(&value));
    pretty.unwrap_or_else(|_| canonical.to_owned())
}

fn registered(plan: &Plan) -> Vec<String> {
    let mut lines = vec![
        format!(
            "decision: margin {} %, confidence {} %",
            plan.decision.margin_percent, plan.decision.confidence_percent
        ),
        format!("a parked outcome is resolved by: {}", plan.decision.parked_resolution),
        format!(
            "gate: others' processor time under {} %, pressure under {} %, waits up to {} s, void \
             over {} % flagged blocks",
            plan.gate.others_cpu_percent,
            plan.gate.pressure_percent,
            plan.gate.wait_seconds,
            plan.gate.contaminated_percent
        ),
    ];
    lines.extend(plan.mechanism.iter().map(|text| format!("mechanism: {text}")));
    lines
}
