//! The checklist as lines for a terminal.

use std::fmt::Write;

use super::control::ControlRow;
use super::divergence::Divergence;
use super::form::FormReport;
use super::report::{GoldenReport, ParityReport};

/// All goldens, one block of lines each, and the verdict.
#[must_use]
pub fn checklist_text(report: &ParityReport) -> String {
    let mut text = String::new();
    for golden in &report.goldens {
        text.push_str(&block(golden));
        text.push('\n');
    }
    let passed = report.goldens.iter().filter(|golden| golden.passes()).count();
    let _ = write!(
        text,
        "{}: {passed} of {} goldens pass, engine {} ({})",
        if report.passes() { "pass" } else { "FAIL" },
        report.goldens.len(),
        report.engine,
        report.settings
    );
    text
}

fn block(golden: &GoldenReport) -> String {
    let facts = &golden.golden;
    let mut text = format!(
        "{}: {}, {} weights, form {}, {} prompts; {} ({}, {} attention), made on {}\n",
        facts.name,
        facts.architecture,
        facts.origin,
        golden.form,
        golden.prompts,
        facts.reference,
        facts.dtype,
        facts.attention,
        facts.made_on
    );
    for gate in golden.checklist.gates() {
        let _ = writeln!(
            text,
            "  {:<8} {:<20} {:<28} {}",
            gate.state.to_string(),
            gate.gate.to_string(),
            gate.denominators(),
            gate.detail
        );
    }
    text.push_str("  by length:\n");
    for row in &golden.ladder {
        let cosine =
            row.cosine_min.map_or_else(|| "none".to_owned(), |least| format!("{least:.7}"));
        let _ = writeln!(
            text,
            "    {:>6} tokens  {:<24} cosine {cosine} over {} rows, argmax {} of {}, continuation {} of {}",
            row.tokens,
            row.prompt,
            row.rows,
            row.argmax_agreed,
            row.argmax_compared,
            row.greedy_agreed,
            row.greedy_compared
        );
    }
    if !golden.controls.is_empty() {
        text.push_str("  broken on purpose:\n");
        text.push_str(&controls(&golden.controls));
    }
    for form in &golden.forms {
        text.push_str(&form_lines(form));
    }
    text
}

fn controls(rows: &[ControlRow]) -> String {
    let mut text = String::new();
    for row in rows {
        let gates: Vec<String> = row.rejected_by.iter().map(ToString::to_string).collect();
        let by = if gates.is_empty() { String::new() } else { format!(" by {}", gates.join(", ")) };
        let cosine =
            row.cosine_min.map_or_else(String::new, |least| format!(", cosine {least:.7}"));
        let _ = writeln!(
            text,
            "    {:<24} {}{by}{cosine}; {}",
            row.fault.to_string(),
            row.state,
            row.change
        );
    }
    text
}

fn form_lines(form: &FormReport) -> String {
    let mut text = format!(
        "  form {} against its own weights in f32, over {}\n    {:<8} {:<28} {}\n",
        form.form,
        form.texts,
        form.gate.state.to_string(),
        form.gate.denominators(),
        form.gate.detail
    );
    if let Some(found) = &form.divergence {
        text.push_str(&figures(found));
    }
    text.push_str(&controls(&form.controls));
    text
}

fn figures(found: &Divergence) -> String {
    let ratio = found.perplexity.map_or_else(String::new, |ratio| {
        let interval = match (ratio.lo, ratio.hi) {
            (Some(lo), Some(hi)) => format!(" ({lo:.5} to {hi:.5}, {} texts)", ratio.texts),
            _ => format!(" ({} texts)", ratio.texts),
        };
        format!("; perplexity ratio {:.5}{interval}", ratio.ratio)
    });
    format!(
        "    cosine least {:.6}, mean {:.6}; centred least {:.6}, mean {:.6}\n    KL mean {:.2e}, \
         median {:.2e}, p99 {:.2e}, max {:.2e} nats; same top token {:.2} %{ratio}\n",
        found.cosine_min,
        found.cosine_mean,
        found.centred_cosine_min,
        found.centred_cosine_mean,
        found.kl_mean,
        found.kl_median,
        found.kl_p99,
        found.kl_max,
        100.0 * found.top1_agreement
    )
}
