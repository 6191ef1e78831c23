//! `runner record verify`: what is committed is what was measured.

use runner::project::Project;
use runner::record::{Checks, Finding, Severity, passes, verify};
use runner::{Failure, exec, record, report, verdict};
use serde_json::json;

use super::context::App;
use super::outcome::Outcome;

/// Under which rules.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Also judge every record by this version of the rules, and show where its verdict differs
    #[arg(long, value_name = "VERSION")]
    rules: Option<u32>,
}

/// Verifies, and compares where that was asked for.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let outcome = verify_all(app)?;
    match arguments.rules {
        Some(version) => under(app, version).map(|()| outcome),
        None => Ok(outcome),
    }
}

/// What git knows of results/ and is not there any more. What the checked-out commit has is missing; what
/// an earlier one had was taken away by somebody who committed it.
fn taken_away(project: &Project) -> Vec<Finding> {
    let found = exec::taken_away(&project.root, &project.results);
    let sealed = |file: &&String| file.ends_with(".toml") || file.contains("/samples.");
    let gone = found.gone.iter().filter(sealed).map(|file| Finding {
        severity: Severity::Failed,
        file: file.clone(),
        what: "the commit that is checked out has it, and it is gone: restore it with git"
            .to_owned(),
    });
    let earlier = found.earlier.iter().filter(sealed).map(|file| Finding {
        severity: Severity::Note,
        file: file.clone(),
        what: "an earlier commit had it, and a later one took it away".to_owned(),
    });
    gone.chain(earlier).collect()
}

/// What a verification needs of the library's upper parts.
pub fn checks() -> Checks<'static> {
    Checks { judge: &verdict::judge_under, index: &|listing| report::index(&listing.summaries) }
}

/// Verifies all of results/; any fault is exit 1.
fn verify_all(app: &App) -> Result<Outcome, Failure> {
    let project = app.project_with_results()?;
    let mut findings = verify(&project, &checks())?;
    findings.extend(taken_away(&project));
    let good = passes(&findings);
    if app.global.json {
        app.terminal.json(&report::findings_json(&findings))?;
    } else {
        for finding in &findings {
            app.terminal.line(format!(
                "{}: {}: {}",
                severity_word(finding.severity),
                finding.file,
                finding.what
            ))?;
        }
        let listing = runner::record::list(&project)?;
        let records = listing
            .summaries
            .iter()
            .filter(|row| matches!(row.state, runner::record::SummaryState::Finished(_)))
            .count();
        app.terminal.line(if good {
            format!("{records} {} verified", if records == 1 { "record" } else { "records" })
        } else {
            "verification failed".to_owned()
        })?;
    }
    Ok(if good { Outcome::Done } else { Outcome::Found })
}

fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Failed => "failed",
        Severity::Unchecked => "unchecked",
        Severity::Note => "note",
    }
}

/// Where another version of the rules would say otherwise. Verdicts stay those of their own version.
fn under(app: &App, version: u32) -> Result<(), Failure> {
    let project = app.project()?;
    let mut differences = Vec::new();
    let mut judged = 0;
    for name in record::records_where(&project, |_| true)? {
        let found = super::show::find(&project, &name)?;
        let evidence = record::evidence_of(&project, &found)?;
        let again = record::judge_again(&found.plan, &evidence, version)?;
        judged += 1;
        for (before, now) in found.sealed.analysis.comparisons.iter().zip(&again.comparisons) {
            if before.verdict == now.verdict && before.reason.code == now.reason.code {
                continue;
            }
            differences.push(report::RulesDifference {
                record: name.clone(),
                sealed_rules: found.sealed.rules_version,
                before: before.clone(),
                now: now.clone(),
            });
        }
    }
    if app.global.json {
        return app.terminal.json(&json!({
            "rules_version": version,
            "records": judged,
            "differences": report::rules_differences_json(&differences),
        }));
    }
    app.terminal.line(report::rules_differences_text(version, judged, &differences))
}
