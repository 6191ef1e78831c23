//! How far a quantised form stands from its own weights in 32-bit floats, over whole texts.

use serde::Serialize;

use super::rows::{Words, fault_in};
use crate::stats::{compare_logits, mean, median, quantile, t_interval};

const WORDS: Words =
    Words { here: "the logit of the floats", there: "the logit of the form", index: "token" };

/// Confidence of the perplexity ratio's interval.
const CONFIDENCE_PERCENT: f64 = 95.0;

/// Perplexity of the form over that of the floats.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PerplexityRatio {
    /// Geometric mean over texts.
    pub ratio: f64,
    /// Lower end of the 95 % interval: t over texts, of the logarithm.
    pub lo: Option<f64>,
    /// Upper end.
    pub hi: Option<f64>,
    /// Texts.
    pub texts: usize,
}

/// Figures over all positions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Divergence {
    /// Positions compared.
    pub positions: u64,
    /// Positions that had to be.
    pub required: u64,
    /// Least cosine of the logits.
    pub cosine_min: f64,
    /// Where it is.
    pub cosine_min_at: String,
    /// Mean cosine.
    pub cosine_mean: f64,
    /// Least cosine after each row's mean was taken off.
    pub centred_cosine_min: f64,
    /// Mean of those.
    pub centred_cosine_mean: f64,
    /// KL(floats || form), nats.
    pub kl_mean: f64,
    /// Median.
    pub kl_median: f64,
    /// 99th percentile.
    pub kl_p99: f64,
    /// Greatest.
    pub kl_max: f64,
    /// Share of positions with the same most likely token.
    pub top1_agreement: f64,
    /// `None` where no text has two tokens.
    pub perplexity: Option<PerplexityRatio>,
    /// Why a row could not be compared: nothing is passed then.
    pub fault: Option<String>,
}

/// Rows of both sides as they come in.
#[derive(Debug, Clone, Default)]
pub struct FormComparison {
    places: Vec<(String, u32)>,
    cosines: Vec<f64>,
    centred: Vec<f64>,
    divergences: Vec<f64>,
    agreed: u64,
    required: u64,
    text: (f64, f64, u64),
    log_ratios: Vec<f64>,
    fault: Option<String>,
}

impl FormComparison {
    /// Nothing compared yet.
    #[must_use]
    pub fn new() -> FormComparison {
        FormComparison::default()
    }

    /// A text begins, of so many positions.
    pub fn begin_text(&mut self, positions: usize) {
        self.end_text();
        self.required += positions as u64;
    }

    /// Compares a position; `next` is the token that follows it in the text, if any.
    pub fn add(
        &mut self,
        text: &str,
        position: u32,
        (floats, form): (&[f32], &[f32]),
        next: Option<usize>,
    ) {
        let place = format!("text `{text}`, position {position}");
        let found = match compare_logits(floats, form) {
            Ok(found) => found,
            Err(fault) => {
                self.fault.get_or_insert(fault_in(fault, WORDS, &place));
                return;
            }
        };
        self.places.push((text.to_owned(), position));
        self.cosines.push(found.values.cosine);
        // a constant row is no likeness
        self.centred.push(found.values.centred_cosine.unwrap_or(0.0));
        self.divergences.push(found.kl);
        self.agreed += u64::from(found.same_top());
        let Some(next) = next else { return };
        let here = found.here.negative_log_likelihood(floats, next);
        if let (Some(here), Some(there)) = (here, found.there.negative_log_likelihood(form, next)) {
            self.text.0 += here;
            self.text.1 += there;
            self.text.2 += 1;
        }
    }

    fn end_text(&mut self) {
        let (floats, form, tokens) = std::mem::take(&mut self.text);
        if tokens > 0 {
            self.log_ratios.push((form - floats) / tokens as f64);
        }
    }

    /// The figures; `None` when no position was compared.
    #[must_use]
    pub fn finish(mut self) -> Option<Divergence> {
        self.end_text();
        let least = |values: &[f64]| values.iter().copied().reduce(f64::min);
        let cosine_min = least(&self.cosines)?;
        let at = self.cosines.iter().position(|cosine| *cosine == cosine_min)?;
        let (text, position) = self.places.get(at)?;
        let perplexity = mean(&self.log_ratios).map(|estimate| {
            let interval = t_interval(&self.log_ratios, CONFIDENCE_PERCENT);
            PerplexityRatio {
                ratio: libm::exp(estimate),
                lo: interval.as_ref().map(|interval| libm::exp(interval.lo)),
                hi: interval.as_ref().map(|interval| libm::exp(interval.hi)),
                texts: self.log_ratios.len(),
            }
        });
        Some(Divergence {
            positions: self.cosines.len() as u64,
            required: self.required,
            cosine_min,
            cosine_min_at: format!("text `{text}`, position {position}"),
            cosine_mean: mean(&self.cosines)?,
            centred_cosine_min: least(&self.centred)?,
            centred_cosine_mean: mean(&self.centred)?,
            kl_mean: mean(&self.divergences)?,
            kl_median: median(&self.divergences)?,
            kl_p99: quantile(&self.divergences, 0.99)?,
            kl_max: quantile(&self.divergences, 1.0)?,
            top1_agreement: self.agreed as f64 / self.cosines.len() as f64,
            perplexity,
            fault: self.fault,
        })
    }
}
