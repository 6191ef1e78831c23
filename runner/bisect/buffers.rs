//! The reference's static buffers: what no checkpoint holds, and so nobody notices when it was
//! never written.

use serde::Serialize;

use super::look::Look;
use super::rows::Rows;
use crate::model::{GgufFacts, MetadataValue};

/// The buffer whose formula is known.
pub const ROTARY: &str = "rotary_inverse_frequency";

/// 32-bit powers are good to about 2^-22; a wrong base or table is off by far more.
const ROTARY_BAR: f64 = 1e-5;

/// What is wrong with a buffer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BufferFinding {
    /// The buffer's name, without `buffer.`.
    pub name: String,
    /// In words.
    pub why: String,
}

/// What a model file says of its rotary embedding.
#[derive(Debug, Clone, PartialEq)]
pub struct RotaryFacts {
    /// Base of the powers.
    pub base: f64,
    /// Dimensions of a head that rotate.
    pub dimensions: usize,
    /// How longer contexts are reached.
    pub scaling: RotaryScaling,
}

/// How longer contexts are reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RotaryScaling {
    /// Not at all.
    None,
    /// Every frequency divided.
    Linear {
        /// By this.
        factor: f64,
    },
    /// Low frequencies divided, high ones kept, those between blended (YaRN, section 3.2 of Peng et
    /// al., 2023).
    Yarn {
        /// The divisor.
        factor: f64,
        /// Context of the training before.
        original_context: f64,
        /// Dimensions that turn more often than this within it are kept.
        fast: f64,
        /// Dimensions that turn less often than this are divided.
        slow: f64,
    },
}

impl RotaryFacts {
    /// From the metadata; `None` where the model has no rotary embedding, or one whose formula is
    /// not known here.
    #[must_use]
    pub fn read(facts: &GgufFacts) -> Option<RotaryFacts> {
        let architecture = facts.architecture.as_deref()?;
        let number = |key: &str| match facts.metadata.get(&format!("{architecture}.{key}"))? {
            MetadataValue::Float(value) => Some(*value),
            MetadataValue::Unsigned(value) => Some(*value as f64),
            _ => None,
        };
        let head = number("attention.key_length").or_else(|| {
            Some(
                number("embedding_length")?
                    / number("attention.head_count").filter(|n| *n > 0.0)?,
            )
        });
        let dimensions = number("rope.dimension_count").or(head)? as usize;
        let factor = number("rope.scaling.factor").unwrap_or(1.0);
        let kind = match facts.metadata.get(&format!("{architecture}.rope.scaling.type")) {
            Some(MetadataValue::Text(kind)) => kind.as_str(),
            _ => "none",
        };
        // factors in a tensor of their own (llama 3, long rope)
        let tabled = facts.tensors.iter().any(|tensor| tensor.name.contains("rope_f"));
        let scaling = match kind {
            _ if tabled => return None,
            "none" => RotaryScaling::None,
            "linear" => RotaryScaling::Linear { factor },
            "yarn" => RotaryScaling::Yarn {
                factor,
                original_context: number("rope.scaling.original_context_length")?,
                fast: number("rope.scaling.yarn_beta_fast").unwrap_or(32.0),
                slow: number("rope.scaling.yarn_beta_slow").unwrap_or(1.0),
            },
            _ => return None,
        };
        let base = number("rope.freq_base").unwrap_or(10_000.0);
        let fits = dimensions >= 2 && dimensions.is_multiple_of(2) && base > 1.0 && factor > 0.0;
        fits.then_some(RotaryFacts { base, dimensions, scaling })
    }

    /// What sines and cosines are multiplied by: YaRN sharpens attention over longer contexts.
    #[must_use]
    pub fn attention_factor(&self) -> f64 {
        match self.scaling {
            RotaryScaling::None | RotaryScaling::Linear { .. } => 1.0,
            RotaryScaling::Yarn { factor, .. } => 0.1 * libm::log(factor) + 1.0,
        }
    }

    /// The inverse frequencies, one for each pair of dimensions.
    #[must_use]
    pub fn inverse_frequencies(&self) -> Vec<f64> {
        let pairs = self.dimensions / 2;
        let width = self.dimensions as f64;
        let plain = |pair: usize| libm::pow(self.base, -2.0 * pair as f64 / width);
        let scaled = |pair: usize| match self.scaling {
            RotaryScaling::None => plain(pair),
            RotaryScaling::Linear { factor } => plain(pair) / factor,
            RotaryScaling::Yarn { factor, original_context, fast, slow } => {
                let dimension = |turns: f64| {
                    width * libm::log(original_context / (turns * 2.0 * std::f64::consts::PI))
                        / (2.0 * libm::log(self.base))
                };
                let first = libm::floor(dimension(fast)).max(0.0);
                let last = libm::ceil(dimension(slow)).min(width - 1.0);
                let span = (last - first).max(0.001);
                let divided = ((pair as f64 - first) / span).clamp(0.0, 1.0);
                plain(pair) * (divided / factor + 1.0 - divided)
            }
        };
        (0..pairs).map(scaled).collect()
    }
}

/// Looks at one buffer; `rotary` holds what the model file that the reference read asks for.
#[must_use]
pub fn look_at_buffer(
    name: &str,
    values: &Rows,
    rotary: Option<&RotaryFacts>,
) -> Option<BufferFinding> {
    let found = |why: String| Some(BufferFinding { name: name.to_owned(), why });
    let flat = Rows::new(values.values().len(), values.values().to_vec())?;
    if let Some(oddity) = Look::at(&flat).oddities().first() {
        return found(oddity.words());
    }
    let rotary = rotary.filter(|_| name == ROTARY)?;
    let expected = rotary.inverse_frequencies();
    if expected.len() != flat.width() {
        return found(format!(
            "it has {} values, the model asks for {}",
            flat.width(),
            expected.len()
        ));
    }
    let apart = |(is, wanted): (&f32, &f64)| (f64::from(*is) / wanted - 1.0).abs();
    let (index, worst) = flat
        .values()
        .iter()
        .zip(&expected)
        .map(apart)
        .enumerate()
        .max_by(|a, b| a.1.total_cmp(&b.1))?;
    if worst <= ROTARY_BAR {
        return None;
    }
    found(format!(
        "value {index} is {:e}, and the model's base of {} asks for {:e}",
        flat.values()[index],
        rotary.base,
        expected[index]
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(base: f64) -> RotaryFacts {
        RotaryFacts { base, dimensions: 16, scaling: RotaryScaling::None }
    }

    fn table(facts: &RotaryFacts) -> Rows {
        let values: Vec<f32> =
            facts.inverse_frequencies().into_iter().map(|value| value as f32).collect();
        Rows::new(values.len(), values).unwrap()
    }

    #[test]
    fn a_sound_table_passes_and_one_of_another_base_does_not() {
        let facts = plain(10_000.0);
        assert_eq!(look_at_buffer(ROTARY, &table(&facts), Some(&facts)), None);
        let found = look_at_buffer(ROTARY, &table(&plain(500_000.0)), Some(&facts)).unwrap();
        assert!(found.why.contains("the model's base of 10000"), "{}", found.why);
        // without a formula there is nothing to hold it against
        assert_eq!(look_at_buffer(ROTARY, &table(&plain(500_000.0)), None), None);
    }

    #[test]
    fn memory_never_written_is_named_before_any_formula() {
        let values = vec![1e-40, 0.0, 3e-41, 0.5, 1e-42, 0.0, 0.0, 1e-44];
        let found = look_at_buffer(ROTARY, &Rows::new(8, values).unwrap(), None).unwrap();
        assert!(found.why.contains("denormal"), "{}", found.why);
        let zeros = Rows::new(8, vec![0.0; 8]).unwrap();
        assert!(look_at_buffer("other", &zeros, None).unwrap().why.contains("zero"));
        let same = Rows::new(8, vec![2.0; 8]).unwrap();
        assert!(look_at_buffer("other", &same, None).unwrap().why.contains("the same"));
    }

    #[test]
    fn yarn_keeps_high_frequencies_and_divides_low_ones() {
        let yarn = RotaryFacts {
            base: 10_000.0,
            dimensions: 64,
            scaling: RotaryScaling::Yarn {
                factor: 4.0,
                original_context: 4096.0,
                fast: 32.0,
                slow: 1.0,
            },
        };
        let plain = RotaryFacts { scaling: RotaryScaling::None, ..yarn.clone() };
        let (scaled, plain) = (yarn.inverse_frequencies(), plain.inverse_frequencies());
        assert_eq!(scaled[0], plain[0]);
        assert!((scaled[31] - plain[31] / 4.0).abs() < 1e-12);
    }
}
