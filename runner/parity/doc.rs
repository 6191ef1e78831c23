//! `docs/parity.md`: what was found, for readers of the repository.

use std::fmt::Write;

use super::control::ControlRow;
use super::divergence::Divergence;
use super::form::FormReport;
use super::gate::{Gate, GateKind};
use super::report::{GoldenReport, LadderRow, ParityReport};

/// The whole page. The same report gives the same bytes.
#[must_use]
pub fn document(report: &ParityReport) -> String {
    let mut page = String::new();
    let _ = write!(
        page,
        "# Parity with the reference\n\n\
         Written by `runner parity --forms --controls --slots --write` on {} (UTC) with engine {} ({}). Do not edit.\n\n\
         Each line says of which weights it speaks: `real` is a published checkpoint, `synthetic` a \
         small model of random numbers that has the architecture. One is never read as the other. \
         A gate passes only when all that it requires was compared.\n\n",
        report.run_on, report.engine, report.settings
    );
    page.push_str("## Goldens\n\n");
    page.push_str(
        "| golden | architecture | weights | form | reference | made on | prompts | logit cosine, \
         least | argmax | continuation | hidden states, least | verdict |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for golden in &report.goldens {
        page.push_str(&row(golden));
    }
    page.push_str("\n## Bars\n\n");
    for gate in GateKind::REQUIRED {
        let _ = writeln!(page, "- {gate}: {}", gate.bar());
    }
    page.push('\n');
    for golden in &report.goldens {
        page.push_str(&section(golden));
    }
    format!("{}\n", page.trim_end())
}

fn row(golden: &GoldenReport) -> String {
    let facts = &golden.golden;
    let gate = |kind| golden.checklist.gate(kind);
    format!(
        "| [{0}](#{0}) | {1} | {2} | {3} | {4}, {5}, {6} attention | {7} | {8} | {9} | {10} | {11} | {12} | {13} |\n",
        facts.name,
        facts.architecture,
        facts.origin,
        golden.form,
        facts.reference,
        facts.dtype,
        facts.attention,
        facts.made_on,
        golden.prompts,
        figure(gate(GateKind::LogitCosine)),
        share(gate(GateKind::Argmax)),
        share(gate(GateKind::Greedy)),
        figure(gate(GateKind::Hidden)),
        if golden.passes() { "pass" } else { "**fail**" },
    )
}

fn figure(gate: Option<&Gate>) -> String {
    match gate {
        Some(gate) => match gate.figure {
            Some(figure) => format!("{figure:.7} ({})", gate.denominators()),
            None => gate.state.to_string(),
        },
        None => "not asked".to_owned(),
    }
}

/// A share with its denominator.
fn share(gate: Option<&Gate>) -> String {
    match gate.and_then(|gate| gate.figure.map(|figure| (gate, figure))) {
        Some((gate, figure)) => format!("{:.2} % of {}", 100.0 * figure, gate.compared),
        None => gate.map_or_else(|| "not asked".to_owned(), |gate| gate.state.to_string()),
    }
}

fn section(golden: &GoldenReport) -> String {
    let mut text = format!("## {}\n\n", golden.golden.name);
    text.push_str("The reference's checks of itself, all passed:\n\n");
    for check in &golden.golden.self_checks {
        let found = check.finding.clone().unwrap_or_else(|| check.figure.to_string());
        let _ = writeln!(text, "- {}: {}", check.name, cell(&found));
    }
    text.push('\n');
    text.push_str("| gate | state | compared | found |\n|---|---|---|---|\n");
    for gate in golden.checklist.gates() {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            gate.gate,
            gate.state,
            gate.denominators(),
            cell(&gate.detail)
        );
    }
    text.push_str("\n### By length\n\n");
    text.push_str(
        "| tokens | prompt | cosine, least | rows | argmax | continuation |\n|---|---|---|---|---|---|\n",
    );
    for row in &golden.ladder {
        text.push_str(&rung(row));
    }
    text.push('\n');
    if !golden.controls.is_empty() {
        text.push_str("### Broken copies\n\n");
        text.push_str(&controls(&golden.controls));
    }
    for form in &golden.forms {
        text.push_str(&form_section(form));
    }
    text
}

fn rung(row: &LadderRow) -> String {
    let cosine = row.cosine_min.map_or_else(|| "none".to_owned(), |least| format!("{least:.7}"));
    format!(
        "| {} | {} | {cosine} | {} | {} of {} | {} of {} |\n",
        row.tokens,
        cell(&row.prompt),
        row.rows,
        row.argmax_agreed,
        row.argmax_compared,
        row.greedy_agreed,
        row.greedy_compared
    )
}

fn controls(rows: &[ControlRow]) -> String {
    let mut text =
        "| broken on purpose | how | state | rejected by | cosine, least |\n|---|---|---|---|---|\n".to_owned();
    for row in rows {
        let gates: Vec<String> = row.rejected_by.iter().map(ToString::to_string).collect();
        let gates = if gates.is_empty() { "none".to_owned() } else { gates.join(", ") };
        let cosine =
            row.cosine_min.map_or_else(|| "none".to_owned(), |least| format!("{least:.7}"));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {gates} | {cosine} |",
            row.fault,
            cell(&row.change),
            row.state
        );
    }
    text.push('\n');
    text
}

fn form_section(form: &FormReport) -> String {
    let mut text = format!(
        "### Form {}\n\nAgainst its own weights in 32-bit floats, over {}. {}: {}.\n\n",
        cell(&form.form),
        form.texts,
        form.gate.state,
        form.gate.detail
    );
    if let Some(divergence) = &form.divergence {
        text.push_str(&figures(divergence));
    }
    text.push_str(&controls(&form.controls));
    text
}

fn figures(found: &Divergence) -> String {
    let perplexity = match &found.perplexity {
        Some(ratio) => match (ratio.lo, ratio.hi) {
            (Some(lo), Some(hi)) => {
                format!("{:.5} ({lo:.5} to {hi:.5}, {} texts)", ratio.ratio, ratio.texts)
            }
            _ => format!("{:.5} ({} texts)", ratio.ratio, ratio.texts),
        },
        None => "none".to_owned(),
    };
    format!(
        "| figure | value |\n|---|---|\n\
         | positions | {} of {} |\n\
         | cosine | least {:.6}, mean {:.6} |\n\
         | centred cosine | least {:.6}, mean {:.6} |\n\
         | KL(floats, form), nats | mean {:.2e}, median {:.2e}, 99th percentile {:.2e}, greatest {:.2e} |\n\
         | same most likely token | {:.2} % |\n\
         | perplexity ratio, 95 % interval | {perplexity} |\n\n",
        found.positions,
        found.required,
        found.cosine_min,
        found.cosine_mean,
        found.centred_cosine_min,
        found.centred_cosine_mean,
        found.kl_mean,
        found.kl_median,
        found.kl_p99,
        found.kl_max,
        100.0 * found.top1_agreement,
    )
}

/// Text within a table's cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
