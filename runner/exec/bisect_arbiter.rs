//! Which side fits its own inputs: the named tensor is worked out again, at a few places and in
//! double precision, from what each side itself computed before, by the model file's weights and
//! metadata. Where one side fits and the other is far off, that says which is wrong.

use std::collections::BTreeMap;

use super::bisect_tensors::Tensors;
use crate::bisect::{
    Pairing, Reason, RotaryFacts, Rotation, Rounding, Side, Step, product, rms_norm,
    root_mean_square, rotate, swiglu,
};
use crate::failure::Failure;
use crate::model::{Document, MetadataValue, TensorInfo};

/// Tensors before the named one that may be its inputs: more than a block has.
const REACH: usize = 48;
/// Places of a row that must fit, beside the one that parts most.
const PLACES: usize = 8;
/// Weights larger than this are not read.
const MOST_WEIGHT_BYTES: u64 = 256 << 20;

/// Both sides' rows at the position that parts most, by name.
type RowsByName = BTreeMap<String, [Vec<f32>; 2]>;

/// What is needed for a ruling.
pub(super) struct Arbiter<'run> {
    pub(super) left: &'run dyn Tensors,
    pub(super) right: &'run dyn Tensors,
    /// In order of execution, all on both sides.
    pub(super) names: &'run [String],
    /// Whose weights and metadata hold.
    pub(super) model: &'run Document,
    /// What the file is called in the reason.
    pub(super) file_is: &'run str,
    /// Values of a head.
    pub(super) head: Option<usize>,
    /// Nearer than this is a fit.
    pub(super) bar: f64,
}

/// A way in which the tensor may come from others.
enum Formula {
    Norm { input: String, epsilon: f64 },
    Weighted { input: String, weight: String, weights: Vec<f32> },
    Product { input: String, weight: String, rows: BTreeMap<usize, Vec<f32>> },
    Rotated { input: String, rotation: Rotation },
    Sum { one: String, other: String },
    Biased { input: String, weight: String, weights: Vec<f32> },
    Gated { gate: String, up: String },
}

impl Arbiter<'_> {
    /// What is held against the side that does not fit; `None` where no known formula tells.
    pub(super) fn rule(&self, step: &Step) -> Result<Option<Reason>, Failure> {
        let Some(at) = self.names.iter().position(|name| *name == step.name) else {
            return Ok(None);
        };
        let position = step.divergence.place.position;
        let mut rows = RowsByName::new();
        for name in &self.names[at.saturating_sub(REACH)..=at] {
            if let (Some(left), Some(right)) = (self.left.read(name)?, self.right.read(name)?) {
                let pair = [left.row(position).to_vec(), right.row(position).to_vec()];
                rows.insert(name.clone(), pair);
            }
        }
        let Some(own) = rows.remove(&step.name) else { return Ok(None) };
        let mut places = vec![step.divergence.place.index];
        let width = own[0].len();
        places.extend((0..PLACES).map(|part| part * width / PLACES));
        let mut against = [None, None];
        for formula in self.formulas(step, &rows, &own, &places)? {
            let fit =
                [0, 1].map(|side| fit(&formula, &rows, side, (&own[side], position), &places));
            let far = step.divergence.relative / 2.0;
            for (side, other) in [(0, 1), (1, 0)] {
                if let (Some((worst, first)), Some((_, other_first))) = (fit[side], fit[other])
                    && worst <= self.bar
                    && first <= self.bar
                    && other_first >= far
                {
                    against[other] = Some(formula.words());
                }
            }
        }
        let [left, right] = against;
        let (side, formula) = match (left, right) {
            (Some(formula), None) => (Side::Left, formula),
            (None, Some(formula)) => (Side::Right, formula),
            // nothing fits, or each fits another formula
            _ => return Ok(None),
        };
        let why = format!(
            "`{}` is not what {formula} gives by {}, and on the other side it is",
            step.name, self.file_is
        );
        Ok(Some(Reason { side, why }))
    }

    /// The formulas that the operation allows.
    fn formulas(
        &self,
        step: &Step,
        rows: &RowsByName,
        own: &[Vec<f32>; 2],
        places: &[usize],
    ) -> Result<Vec<Formula>, Failure> {
        let width = own[0].len();
        let as_wide = |wanted: usize| {
            rows.iter().filter(move |(_, pair)| pair[0].len() == wanted).map(|(name, _)| name)
        };
        let inputs = || as_wide(width).cloned();
        let mut found = Vec::new();
        match step.operation.as_str() {
            "rms_norm" => {
                let epsilon = self.number("attention.layer_norm_rms_epsilon");
                found.extend(epsilon.into_iter().flat_map(|epsilon| {
                    inputs().map(move |input| Formula::Norm { input, epsilon })
                }));
            }
            "rope" => {
                let rotations = self.rotations();
                for input in inputs() {
                    let of = |rotation: &Rotation| Formula::Rotated {
                        input: input.clone(),
                        rotation: rotation.clone(),
                    };
                    found.extend(rotations.iter().map(of));
                }
            }
            "swiglu" => {
                for gate in inputs() {
                    found.extend(inputs().map(|up| Formula::Gated { gate: gate.clone(), up }));
                }
            }
            "add" => {
                for one in inputs() {
                    let others = inputs().filter(|other| *other > one);
                    found.extend(others.map(|other| Formula::Sum { one: one.clone(), other }));
                }
                for (weight, weights) in self.vectors(step, width)? {
                    found.extend(inputs().map(|input| Formula::Biased {
                        input,
                        weight: weight.clone(),
                        weights: weights.clone(),
                    }));
                }
            }
            "mul" => {
                for (weight, weights) in self.vectors(step, width)? {
                    found.extend(inputs().map(|input| Formula::Weighted {
                        input,
                        weight: weight.clone(),
                        weights: weights.clone(),
                    }));
                }
            }
            "mul_mat" => {
                for tensor in
                    self.weights_of(step, |dims| matches!(dims, [_, rows] if *rows == width as u64))
                {
                    let Some((long, rows)) = self.rows_of(tensor, places)? else { continue };
                    found.extend(as_wide(long).cloned().map(|input| Formula::Product {
                        input,
                        weight: tensor.name.clone(),
                        rows: rows.clone(),
                    }));
                }
            }
            _ => {}
        }
        Ok(found)
    }

    fn number(&self, key: &str) -> Option<f64> {
        let facts = self.model.facts();
        let architecture = facts.architecture.as_deref()?;
        match facts.metadata.get(&format!("{architecture}.{key}"))? {
            // kept as it was written, in 32 bits
            MetadataValue::Float(value) => Some(*value),
            MetadataValue::Unsigned(value) => Some(*value as f64),
            _ => None,
        }
    }

    fn rotations(&self) -> Vec<Rotation> {
        let Some((facts, head)) = RotaryFacts::read(self.model.facts()).zip(self.head) else {
            return Vec::new();
        };
        let frequencies = facts.inverse_frequencies();
        let of = |pairing| Rotation {
            head,
            frequencies: frequencies.clone(),
            pairing,
            factor: facts.attention_factor(),
        };
        vec![of(Pairing::Neighbours), of(Pairing::Halves)]
    }

    /// Weights of the tensor's block, or of none where it belongs to none.
    fn weights_of(
        &self,
        step: &Step,
        fits: impl Fn(&[u64]) -> bool,
    ) -> impl Iterator<Item = &TensorInfo> {
        let block = crate::bisect::block_of(&step.name).map(|block| format!("blk.{block}."));
        self.model.facts().tensors.iter().filter(move |tensor| {
            let in_place = match &block {
                Some(block) => tensor.name.starts_with(block.as_str()),
                None => !tensor.name.starts_with("blk."),
            };
            in_place && fits(&tensor.dimensions)
        })
    }

    /// Weights of one dimension.
    fn vectors(&self, step: &Step, width: usize) -> Result<Vec<(String, Vec<f32>)>, Failure> {
        let mut found = Vec::new();
        for tensor in self.weights_of(step, |dims| dims == [width as u64]) {
            if let Some(values) = self.values(tensor)? {
                found.push((tensor.name.clone(), values));
            }
        }
        Ok(found)
    }

    /// Rows of a matrix, and their length.
    #[expect(clippy::type_complexity, reason = "a length with rows by index")]
    fn rows_of(
        &self,
        tensor: &TensorInfo,
        places: &[usize],
    ) -> Result<Option<(usize, BTreeMap<usize, Vec<f32>>)>, Failure> {
        let Some(long) = tensor.dimensions.first().and_then(|long| usize::try_from(*long).ok())
        else {
            return Ok(None);
        };
        let Some(values) = self.values(tensor)? else { return Ok(None) };
        let rows = places.iter().filter_map(|place| {
            Some((*place, values.get(place * long..(place + 1) * long)?.to_vec()))
        });
        Ok(Some((long, rows.collect())))
    }

    /// A tensor of the file, where it is not quantised and not too large.
    fn values(&self, tensor: &TensorInfo) -> Result<Option<Vec<f32>>, Failure> {
        let is_f32 = tensor.tensor_type == "f32";
        if !is_f32 || tensor.bytes.is_none_or(|bytes| bytes > MOST_WEIGHT_BYTES) {
            return Ok(None);
        }
        let bytes = self.model.tensor_bytes(&tensor.name)?;
        let values = bytes.chunks_exact(4).map(|chunk| {
            let mut four = [0; 4];
            four.copy_from_slice(chunk);
            f32::from_le_bytes(four)
        });
        Ok(Some(values.collect()))
    }
}

impl Formula {
    /// The value at an index, from one side's inputs.
    fn value(&self, rows: &RowsByName, side: usize, position: usize, index: usize) -> Option<f64> {
        let row = |name: &String| rows.get(name).map(|pair| pair[side].as_slice());
        let at = |name: &String| row(name)?.get(index).copied();
        match self {
            Formula::Norm { input, epsilon } => rms_norm(row(input)?, index, *epsilon),
            Formula::Weighted { input, weights, .. } => {
                Some(f64::from(at(input)?) * f64::from(*weights.get(index)?))
            }
            Formula::Product { input, rows: weights, .. } => {
                product(weights.get(&index)?, row(input)?)
            }
            Formula::Rotated { input, rotation } => rotate(row(input)?, index, position, rotation),
            Formula::Sum { one, other } => Some(f64::from(at(one)?) + f64::from(at(other)?)),
            Formula::Biased { input, weights, .. } => {
                Some(f64::from(at(input)?) + f64::from(*weights.get(index)?))
            }
            Formula::Gated { gate, up } => Some(swiglu(at(gate)?, at(up)?)),
        }
    }

    fn words(&self) -> String {
        match self {
            Formula::Norm { input, epsilon } => {
                // as it is written in the file, in 32 bits
                let epsilon = *epsilon as f32;
                format!("the norm of `{input}` with an epsilon of {epsilon:e}")
            }
            Formula::Weighted { input, weight, .. } => format!("`{input}` times `{weight}`"),
            Formula::Product { input, weight, .. } => {
                format!("the product of `{weight}` with `{input}`")
            }
            Formula::Rotated { input, .. } => format!("the rotation of `{input}`"),
            Formula::Sum { one, other } => format!("the sum of `{one}` and `{other}`"),
            Formula::Biased { input, weight, .. } => format!("`{input}` plus `{weight}`"),
            Formula::Gated { gate, up } => format!("`{gate}` as a gate of `{up}`"),
        }
    }
}

/// How far a side is from a formula of its own inputs, relative to its row: at the worst of the
/// places, and at the first, which is the one that parts most.
fn fit(
    formula: &Formula,
    rows: &RowsByName,
    side: usize,
    (own, position): (&[f32], usize),
    places: &[usize],
) -> Option<(f64, f64)> {
    let scale = root_mean_square(own).max(f64::MIN_POSITIVE);
    let mut apart = Vec::with_capacity(places.len());
    for index in places {
        let value = formula.value(rows, side, position, *index)?;
        apart.push((value - f64::from(*own.get(*index)?)).abs() / scale);
    }
    let first = *apart.first()?;
    let worst = apart.iter().copied().fold(0.0, f64::max);
    (first.is_finite() && worst.is_finite()).then_some((worst, first))
}

/// Formulas are exact; only what the engine does in 32 bits can be held against them closely.
pub(super) fn bar(rounding: Rounding, fed: f64) -> f64 {
    match rounding {
        Rounding::SameKernels => 1e-3,
        _ => fed,
    }
}
