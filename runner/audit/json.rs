//! An audit as JSON.

use serde_json::{Value, json};

use super::findings::Finding;
use super::inspection::Audit;
use super::text::{Listed, weight_word};

/// All that was found; keys are documented in `docs/audit.md`.
#[must_use]
pub fn audit_json(audit: &Audit, listed: Listed) -> Value {
    let mut value = json!({
        "passes": audit.passes(),
        "findings": audit.findings.iter().map(finding).collect::<Vec<_>>(),
        "excused": audit.excused,
        "searched": audit.searched,
        "documents": audit.documents,
        "lines": audit.lines,
        "unsearchable": audit.unsearchable,
    });
    if listed == Listed::Everything
        && let Some(table) = value.as_object_mut()
    {
        table.insert("figures".to_owned(), json!(audit.others));
    }
    value
}

fn finding(finding: &Finding) -> Value {
    json!({
        "rule": finding.rule.id(),
        "weight": weight_word(finding.weight()),
        "file": finding.file,
        "start": finding.start,
        "end": finding.end,
        "what": finding.what,
        "hint": finding.hint,
    })
}
