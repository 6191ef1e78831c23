//! Deliberately broken copies of a model: each must be rejected by a gate.

use std::fmt;

use serde::Serialize;

use super::checklist::Checklist;
use super::gate::{GateKind, GateState};
use crate::failure::Failure;
use crate::model::{Document, Edit, MetadataValue};

/// How much larger the wrong rope base is.
const ROPE_FACTOR: f64 = 10.0;
/// The wrong epsilon in a model of 32-bit floats: usual ones are 1e-5 and 1e-6, and 1e-4 was seen
/// to change no logit by more than rounding does.
const EPSILON: f64 = 0.01;
/// The same in a quantised form: what its coarser arithmetic hides is told from the floats.
const FORM_EPSILON: f64 = 0.1;
/// The highest bit of a half-precision exponent: flipping it makes small numbers 65,536 times
/// larger.
const HIGHEST_EXPONENT_BIT: u8 = 0x40;

/// One fault that is planted on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The base of the rotary angles.
    RopeBase,
    /// Two heads of one block's queries change places.
    SwappedHead,
    /// From the middle of the text on, every position is one too high.
    PositionOffByOne,
    /// The epsilon of the normalisation.
    Epsilon,
    /// The scale of one block of a quantised tensor.
    BlockScale,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Fault::RopeBase => "wrong rope base",
            Fault::SwappedHead => "swapped head",
            Fault::PositionOffByOne => "position off by one",
            Fault::Epsilon => "wrong epsilon",
            Fault::BlockScale => "wrong scale in one block",
        })
    }
}

/// How a control ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ControlState {
    /// A gate failed, as it must.
    Rejected,
    /// It moved the logits less than any other and so sets the bar of its form.
    SetsTheBar,
    /// Its cosine lies below the bar that another control sets.
    BelowTheBar,
    /// Every gate passed: the bar does not see this fault.
    Passed,
    /// The model has nothing that could be broken this way.
    NotApplicable,
    /// It could not be tried.
    NotRun,
}

impl fmt::Display for ControlState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            ControlState::Rejected => "rejected",
            ControlState::SetsTheBar => "sets the bar",
            ControlState::BelowTheBar => "below the bar",
            ControlState::Passed => "PASSED",
            ControlState::NotApplicable => "not applicable",
            ControlState::NotRun => "NOT RUN",
        })
    }
}

/// One line of the controls' table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ControlRow {
    /// What was broken.
    pub fault: Fault,
    /// How exactly.
    pub change: String,
    /// How it ended.
    pub state: ControlState,
    /// Gates that failed.
    pub rejected_by: Vec<GateKind>,
    /// The least cosine of its logits.
    pub cosine_min: Option<f64>,
}

impl ControlState {
    /// Whether the fault was told from sound numbers, or could not be planted.
    #[must_use]
    pub fn is_told(self) -> bool {
        match self {
            ControlState::Rejected
            | ControlState::SetsTheBar
            | ControlState::BelowTheBar
            | ControlState::NotApplicable => true,
            ControlState::Passed | ControlState::NotRun => false,
        }
    }
}

impl ControlRow {
    /// A control whose gates ran: a gate must have failed by what it compared.
    #[must_use]
    pub fn judged(
        fault: Fault,
        change: String,
        checklist: &Checklist,
        cosine_min: Option<f64>,
    ) -> ControlRow {
        let rejected_by = checklist.failed();
        let ran = checklist
            .gates()
            .iter()
            .any(|gate| matches!(gate.state, GateState::Pass | GateState::Fail));
        let state = match (rejected_by.is_empty(), ran) {
            (false, _) => ControlState::Rejected,
            (true, true) => ControlState::Passed,
            (true, false) => ControlState::NotRun,
        };
        ControlRow { fault, change, state, rejected_by, cosine_min }
    }

    /// A control that could not be tried.
    #[must_use]
    pub fn without(fault: Fault, state: ControlState, why: String) -> ControlRow {
        ControlRow { fault, change: why, state, rejected_by: Vec::new(), cosine_min: None }
    }
}

/// Why a model cannot be broken this way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotPossible {
    /// It has nothing of the kind, in words.
    NotApplicable(String),
    /// Its file cannot be read.
    Failed(Failure),
}

/// A planted fault: how the file is changed, in words and as edits.
#[derive(Debug, Clone, PartialEq)]
pub struct Planted {
    /// In words.
    pub change: String,
    /// May be empty: the fault is then in how the text is evaluated.
    pub edits: Vec<Edit>,
}

impl Fault {
    /// Faults of a model in 32-bit floats.
    pub const OF_FLOATS: [Fault; 4] =
        [Fault::RopeBase, Fault::SwappedHead, Fault::PositionOffByOne, Fault::Epsilon];
    /// Faults of a quantised form.
    pub const OF_FORMS: [Fault; 5] = [
        Fault::RopeBase,
        Fault::SwappedHead,
        Fault::PositionOffByOne,
        Fault::Epsilon,
        Fault::BlockScale,
    ];

    /// The edits that plant it.
    ///
    /// # Errors
    /// When the model has nothing of the kind, or its file cannot be read.
    pub fn plant(self, document: &Document) -> Result<Planted, NotPossible> {
        match self {
            Fault::RopeBase => {
                let key = key(document, "rope.freq_base")?;
                // 10,000 is what the engine takes where the file says nothing
                let base = number(document, &key).unwrap_or(10_000.0);
                Ok(set(key, base, base * ROPE_FACTOR))
            }
            Fault::Epsilon => {
                let rms = key(document, "attention.layer_norm_rms_epsilon")?;
                let plain = key(document, "attention.layer_norm_epsilon")?;
                let keys = [rms, plain].into_iter();
                let mut known = keys.filter_map(|key| number(document, &key).map(|now| (key, now)));
                let (key, now) =
                    known.next_back().ok_or_else(|| none("the file names no epsilon"))?;
                let tensors = &document.facts().tensors;
                let is_floats = tensors.iter().all(|tensor| tensor.tensor_type == "f32");
                let wrong = if is_floats { EPSILON } else { FORM_EPSILON };
                Ok(set(key, now, wrong))
            }
            Fault::PositionOffByOne => Ok(Planted {
                change: "one position is left out in the middle of each text".to_owned(),
                edits: Vec::new(),
            }),
            Fault::SwappedHead => swapped_head(document),
            Fault::BlockScale => block_scale(document),
        }
    }
}

fn none(why: &str) -> NotPossible {
    NotPossible::NotApplicable(why.to_owned())
}

fn key(document: &Document, rest: &str) -> Result<String, NotPossible> {
    let architecture = document.facts().architecture.as_deref();
    let architecture = architecture.ok_or_else(|| none("the file names no architecture"))?;
    Ok(format!("{architecture}.{rest}"))
}

fn number(document: &Document, key: &str) -> Option<f64> {
    match document.facts().metadata.get(key)? {
        MetadataValue::Float(value) => Some(*value),
        MetadataValue::Unsigned(value) => Some(*value as f64),
        _ => None,
    }
}

fn set(key: String, from: f64, to: f64) -> Planted {
    let change = format!("{key} {from:.3e} -> {to:.3e}");
    Planted { change, edits: vec![Edit::SetFloat { key, value: to as f32 }] }
}

/// The first two heads of the first block's queries that lie in one tensor.
fn swapped_head(document: &Document) -> Result<Planted, NotPossible> {
    let heads = number(document, &key(document, "attention.head_count")?);
    let heads = heads.filter(|heads| *heads >= 2.0).ok_or_else(|| none("there is one head"))?;
    let names = ["blk.0.attn_q.weight", "blk.0.attn_qkv.weight"];
    let tensor = names.iter().find_map(|name| document.tensor(name));
    let tensor = tensor.ok_or_else(|| none("block 0 has no tensor of queries"))?;
    let rows = tensor.dimensions.get(1).copied().unwrap_or(1);
    let width = tensor.dimensions.first().copied().unwrap_or(1);
    // queries come first where keys and values lie in the same tensor
    let head_rows = match number(document, &key(document, "attention.key_length")?) {
        Some(length) => length as u64,
        None if tensor.name.ends_with("attn_q.weight") => rows / (heads as u64).max(1),
        None => width / (heads as u64).max(1),
    };
    let mut bytes = document.tensor_bytes(&tensor.name).map_err(NotPossible::Failed)?;
    let row_bytes = bytes.len() as u64 / rows.max(1);
    let head_bytes = usize::try_from(row_bytes * head_rows).unwrap_or(usize::MAX);
    if head_bytes == 0 || head_bytes.checked_mul(2).is_none_or(|both| both > bytes.len()) {
        return Err(none("the queries are smaller than two heads"));
    }
    let (first, rest) = bytes.split_at_mut(head_bytes);
    first.swap_with_slice(&mut rest[..head_bytes]);
    let name = tensor.name.clone();
    Ok(Planted {
        change: format!("heads 0 and 1 of {name} change places"),
        edits: vec![Edit::SetTensorBytes { name, bytes }],
    })
}

/// The scale is the first half-precision number of a block in these types.
fn block_scale(document: &Document) -> Result<Planted, NotPossible> {
    let scaled = |kind: &str| matches!(kind, "q4_0" | "q4_1" | "q5_0" | "q5_1" | "q8_0" | "iq4_nl");
    let preferred = ["ffn_down.weight", "attn_output.weight", "attn_v.weight"];
    let tensors = &document.facts().tensors;
    let of = |ending: &str| {
        tensors.iter().find(|tensor| {
            tensor.name.starts_with("blk.0.")
                && tensor.name.ends_with(ending)
                && scaled(&tensor.tensor_type)
        })
    };
    let tensor = preferred
        .iter()
        .find_map(|ending| of(ending))
        .or_else(|| tensors.iter().find(|tensor| scaled(&tensor.tensor_type)))
        .ok_or_else(|| none("no tensor has blocks that begin with their scale"))?;
    let mut bytes = document.tensor_bytes(&tensor.name).map_err(NotPossible::Failed)?;
    let high = bytes.get_mut(1).ok_or_else(|| none("the tensor is empty"))?;
    *high ^= HIGHEST_EXPONENT_BIT;
    let name = tensor.name.clone();
    Ok(Planted {
        change: format!("the highest exponent bit of the first scale of {name}"),
        edits: vec![Edit::SetTensorBytes { name, bytes }],
    })
}
