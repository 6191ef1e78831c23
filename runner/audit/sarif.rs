//! An audit as SARIF 2.1.0, for code hosts and editors.

use serde_json::{Value, json};

use super::findings::{Finding, Rule};
use super::inspection::Audit;
use super::text::weight_word;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// One run of one tool. Places are relative to the project's root; columns count characters.
#[must_use]
pub fn audit_sarif(audit: &Audit) -> Value {
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "runner audit",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": Rule::ALL.iter().map(|rule| describe(*rule)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { "ROOT": {
                "description": { "text": "the folder of runner.toml" }
            }},
            "results": audit.findings.iter().map(result).collect::<Vec<_>>(),
        }],
    })
}

fn describe(rule: Rule) -> Value {
    json!({
        "id": rule.id(),
        "shortDescription": { "text": rule.meaning() },
        "help": { "text": "docs/audit.md explains it" },
        "defaultConfiguration": { "level": weight_word(rule.weight()) },
    })
}

fn result(finding: &Finding) -> Value {
    let text = match finding.hint.as_str() {
        "" => finding.what.clone(),
        hint => format!("{}. {hint}", finding.what),
    };
    let index = Rule::ALL.iter().position(|rule| *rule == finding.rule);
    let mut location = json!({ "artifactLocation": artifact(&finding.file) });
    if let (Some(start), Some(end), Some(table)) =
        (finding.start, finding.end, location.as_object_mut())
    {
        let region = json!({
            "startLine": start.line,
            "startColumn": start.column,
            "endLine": end.line,
            "endColumn": end.column,
        });
        table.insert("region".to_owned(), region);
    }
    json!({
        "ruleId": finding.rule.id(),
        "ruleIndex": index,
        "level": weight_word(finding.weight()),
        "message": { "text": text },
        "locations": [{ "physicalLocation": location }],
    })
}

/// Files outside the project have no base.
fn artifact(file: &str) -> Value {
    let uri = escaped(file);
    if file.starts_with("../") || file.starts_with('/') {
        return json!({ "uri": uri });
    }
    json!({ "uri": uri, "uriBaseId": "ROOT" })
}

/// A path as a URI reference: what is no unreserved character is written with its bytes.
fn escaped(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris() {
        assert_eq!(escaped("docs/a b%#\u{f6}.md"), "docs/a%20b%25%23%C3%B6.md");
    }

    #[test]
    fn rules_have_unlike_ids() {
        let mut ids: Vec<&str> = Rule::ALL.iter().map(|rule| rule.id()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), Rule::ALL.len());
    }
}
