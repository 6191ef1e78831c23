//! A quantised form, held against its own weights in 32-bit floats.

use serde::Serialize;

use super::control::{ControlRow, ControlState, Fault};
use super::divergence::Divergence;
use super::gate::{Bar, Counts, Gate, GateKind, GateState};

/// The bar of a form, and what it rests on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FormBar {
    /// Least cosine that passes.
    pub cosine: f64,
    /// The tightest broken control: the one that moved the logits least.
    pub basis: Fault,
    /// Its least cosine.
    pub basis_cosine: f64,
}

impl FormBar {
    /// The bar lies half-way between the tightest control and equality: what is told from a fault
    /// must be less than half as far away as the nearest fault. It depends on the controls alone,
    /// never on the form's own figure.
    #[must_use]
    pub fn of(controls: &[(Fault, f64)]) -> Option<FormBar> {
        let tightest = controls
            .iter()
            .copied()
            .reduce(|best, next| if next.1 > best.1 { next } else { best })?;
        let (basis, basis_cosine) = tightest;
        Some(FormBar { cosine: f64::midpoint(basis_cosine, 1.0), basis, basis_cosine })
    }
}

/// One form.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FormReport {
    /// `q4_1`, …
    pub form: String,
    /// What the divergence is over.
    pub texts: String,
    /// `None` when nothing could be compared.
    pub divergence: Option<Divergence>,
    /// `None` when no control could be tried: the form does not pass then.
    pub bar: Option<FormBar>,
    /// The verdict.
    pub gate: Gate,
    /// Broken copies of the form against the floats of the whole one.
    pub controls: Vec<ControlRow>,
}

impl FormReport {
    /// Judges a form. Each control has the least cosine of its logits, or the reason why not.
    #[must_use]
    pub fn judged(
        form: String,
        texts: String,
        divergence: Option<Divergence>,
        tried: Vec<(Fault, String, Result<Option<f64>, ControlState>)>,
    ) -> FormReport {
        let cosines: Vec<(Fault, f64)> = tried
            .iter()
            .filter_map(|(fault, _, outcome)| Some((*fault, (*outcome.as_ref().ok()?)?)))
            .collect();
        let bar = FormBar::of(&cosines);
        let controls = tried
            .into_iter()
            .map(|(fault, change, outcome)| match outcome {
                Err(state) => ControlRow::without(fault, state, change),
                // logits that are no numbers are rejected by any bar
                Ok(cosine) => {
                    let state = against(bar.as_ref(), fault, cosine);
                    let told = state != ControlState::Passed;
                    ControlRow {
                        fault,
                        change,
                        state,
                        rejected_by: if told { vec![GateKind::Form] } else { Vec::new() },
                        cosine_min: cosine,
                    }
                }
            })
            .collect();
        let gate = gate(divergence.as_ref(), bar.as_ref());
        FormReport { form, texts, divergence, bar, gate, controls }
    }

    /// Whether the gate passed.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.gate.state == GateState::Pass
    }
}

/// A control set the bar, or lies below it. One that moves no logit at all would pass any bar.
fn against(bar: Option<&FormBar>, fault: Fault, cosine: Option<f64>) -> ControlState {
    match (bar, cosine) {
        (_, None) => ControlState::Rejected,
        (Some(bar), Some(cosine)) if cosine < bar.cosine => {
            if bar.basis == fault {
                ControlState::SetsTheBar
            } else {
                ControlState::BelowTheBar
            }
        }
        (_, Some(_)) => ControlState::Passed,
    }
}

fn gate(divergence: Option<&Divergence>, bar: Option<&FormBar>) -> Gate {
    let Some(divergence) = divergence else {
        return Gate::not_run(GateKind::Form, "no position was compared");
    };
    let Some(bar) = bar else {
        return Gate::not_run(GateKind::Form, "there is no bar: no broken control could be tried");
    };
    let kept = divergence.fault.is_none() && divergence.cosine_min >= bar.cosine;
    let found = format!(
        "least cosine {:.6} in {}; bar {:.6}, half-way to the tightest control ({}, {:.6})",
        divergence.cosine_min, divergence.cosine_min_at, bar.cosine, bar.basis, bar.basis_cosine
    );
    let detail = match &divergence.fault {
        Some(fault) => format!("{fault}; {found}"),
        None => found,
    };
    let texts = divergence.perplexity.map_or(0, |perplexity| perplexity.texts as u64);
    let counts =
        Counts { compared: divergence.positions, required: divergence.required, prompts: texts };
    let bar_state = if kept { Bar::Kept } else { Bar::Broken };
    Gate::judged(GateKind::Form, bar_state, counts, Some(divergence.cosine_min), detail)
}
