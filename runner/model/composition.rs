//! What a primitive computes: as much as the whole model needs, in one piece or in the model's own
//! pieces. The sizes come from the model's header.

use engine_protocol::{AttentionShape, KvType, MatrixShape, Primitive, Settings};

use super::gguf::{GgufFacts, MetadataValue, TensorInfo, row_bytes};
use crate::failure::Failure;
use crate::manifest::{Pieces, PrimitiveKind};

/// How the work of a primitive is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Which.
    pub what: PrimitiveKind,
    /// In one piece, or in the model's.
    pub pieces: Pieces,
    /// Cells of the KV cache that are copied or attended to.
    pub cells: u32,
}

/// Sizes that the metadata names.
struct Sizes {
    layers: u64,
    heads: u64,
    key_value_heads: u64,
    /// Values of a key.
    key_width: u64,
    /// Values of a value.
    value_width: u64,
}

/// The primitive of a model whose header is known. `settings` are those in force in the arm: they name
/// the types of the KV cache.
///
/// Copies are of the cells' rows of keys and of values, layer by layer, each as one contiguous piece:
/// so they lie in a cache that is used with flash attention.
///
/// # Errors
/// Refused where the model does not say a size that is needed, or its layers differ in it.
pub fn primitive(facts: &GgufFacts, cut: Cut, settings: &Settings) -> Result<Primitive, Failure> {
    match cut.what {
        PrimitiveKind::Copy => copies(facts, cut, settings),
        PrimitiveKind::MatrixProduct { weight_type, batch } => {
            let matrices = match cut.pieces {
                Pieces::Composition => matrices(facts)?,
                Pieces::One => vec![as_one(&matrices(facts)?)?],
            };
            Ok(Primitive::MatrixProduct { weight_type, matrices, batch })
        }
        PrimitiveKind::Attention { batch } => attention(facts, cut, batch),
    }
}

fn copies(facts: &GgufFacts, cut: Cut, settings: &Settings) -> Result<Primitive, Failure> {
    let sizes = sizes(facts)?;
    let piece = |kv_type: Option<KvType>, width: u64| {
        let name = word(kv_type.unwrap_or(KvType::F16));
        let row = row_bytes(&name, sizes.key_value_heads.saturating_mul(width));
        let bytes = row.and_then(|row| row.checked_mul(u64::from(cut.cells)));
        bytes.filter(|bytes| *bytes > 0).ok_or_else(|| {
            Failure::refused(format!(
                "{} cells of {} heads of {width} values cannot be kept as {name}",
                cut.cells, sizes.key_value_heads
            ))
        })
    };
    let layer = [
        piece(settings.kv_key_type, sizes.key_width)?,
        piece(settings.kv_value_type, sizes.value_width)?,
    ];
    let all: Vec<u64> = (0..sizes.layers).flat_map(|_| layer).collect();
    let pieces = match cut.pieces {
        Pieces::Composition => all,
        Pieces::One => vec![all.iter().fold(0_u64, |sum, bytes| sum.saturating_add(*bytes))],
    };
    Ok(Primitive::Copy { pieces })
}

fn attention(facts: &GgufFacts, cut: Cut, batch: u32) -> Result<Primitive, Failure> {
    let sizes = sizes(facts)?;
    if sizes.key_width != sizes.value_width {
        return Err(Failure::refused(format!(
            "its keys have {} values and its values {}: one primitive has one width",
            sizes.key_width, sizes.value_width
        )));
    }
    let (pieces, layers_in_a_piece) = match cut.pieces {
        Pieces::Composition => (sizes.layers, 1),
        Pieces::One => (1, sizes.layers),
    };
    let narrow = |size: u64| {
        u32::try_from(size)
            .map_err(|_| Failure::refused(format!("a size of {size} is larger than any kernel's")))
    };
    Ok(Primitive::Attention {
        pieces: narrow(pieces)?,
        shape: AttentionShape {
            heads: narrow(sizes.heads.saturating_mul(layers_in_a_piece))?,
            key_value_heads: narrow(sizes.key_value_heads.saturating_mul(layers_in_a_piece))?,
            head_width: narrow(sizes.key_width)?,
            cells: cut.cells,
            batch,
        },
    })
}

/// Matrices that one evaluation multiplies with: those of the layers, and the output's, which may be
/// the embeddings'.
fn matrices(facts: &GgufFacts) -> Result<Vec<MatrixShape>, Failure> {
    let named = |name: &str| facts.tensors.iter().find(|tensor| tensor.name == name);
    let output = named("output.weight").or_else(|| named("token_embd.weight"));
    let of_layers = facts
        .tensors
        .iter()
        .filter(|tensor| tensor.name.starts_with("blk.") && tensor.dimensions.len() > 1);
    let shapes: Vec<MatrixShape> = of_layers.chain(output).map(shape).collect::<Result<_, _>>()?;
    if shapes.is_empty() {
        return Err(Failure::refused("the model has no matrices"));
    }
    Ok(shapes)
}

fn shape(tensor: &TensorInfo) -> Result<MatrixShape, Failure> {
    match tensor.dimensions.as_slice() {
        [columns, rows] => Ok(MatrixShape { rows: *rows, columns: *columns }),
        _ => Err(Failure::refused(format!(
            "`{}` is no matrix: a mixture of experts has no composition of matrix products here",
            tensor.name
        ))),
    }
}

/// One matrix of as many weights, as narrow as the narrowest.
fn as_one(all: &[MatrixShape]) -> Result<MatrixShape, Failure> {
    let weights =
        all.iter().try_fold(0_u64, |sum, one| sum.checked_add(one.rows.checked_mul(one.columns)?));
    let columns = all.iter().map(|one| one.columns).min().unwrap_or(0);
    match weights.filter(|weights| columns > 0 && weights.is_multiple_of(columns)) {
        Some(weights) => Ok(MatrixShape { rows: weights / columns, columns }),
        None => Err(Failure::refused(format!(
            "the model's matrices do not make one of {columns} columns"
        ))),
    }
}

fn sizes(facts: &GgufFacts) -> Result<Sizes, Failure> {
    let architecture = facts.architecture.as_deref().ok_or_else(|| unknown("architecture"))?;
    let number = |key: &str| match facts.metadata.get(&format!("{architecture}.{key}")) {
        None => Ok(None),
        Some(MetadataValue::Unsigned(0)) => Err(unknown(key)),
        Some(MetadataValue::Unsigned(number)) => Ok(Some(*number)),
        Some(_) => Err(Failure::refused(format!(
            "the model's layers differ in `{key}`, or it is no number: no single size can be taken"
        ))),
    };
    let needed = |key: &str| number(key)?.ok_or_else(|| unknown(key));
    if number("attention.sliding_window")?.is_some() {
        return Err(Failure::refused(
            "the model's attention has a sliding window: its layers do not all keep as many cells",
        ));
    }
    let heads = needed("attention.head_count")?;
    let width = || -> Result<u64, Failure> { Ok(needed("embedding_length")? / heads) };
    let or_width = |given: Option<u64>| given.map_or_else(width, Ok);
    Ok(Sizes {
        layers: needed("block_count")?,
        heads,
        key_value_heads: number("attention.head_count_kv")?.unwrap_or(heads),
        key_width: or_width(number("attention.key_length")?)?,
        value_width: or_width(number("attention.value_length")?)?,
    })
}

fn unknown(what: &str) -> Failure {
    Failure::refused(format!("the model does not say its `{what}`, so its real sizes are unknown"))
        .hint("name a model whose header has it; `runner model list` shows some")
}

/// A type as ggml names it.
fn word(kv_type: KvType) -> String {
    let json = serde_json::to_value(kv_type).unwrap_or_default();
    json.as_str().unwrap_or("unknown").to_owned()
}

/// The work in words: `one contiguous copy of 11796480 bytes`, `60 copies of 196608 bytes`.
#[must_use]
pub fn described(primitive: &Primitive) -> String {
    match primitive {
        Primitive::Copy { pieces } => match (pieces.as_slice(), range(pieces)) {
            ([bytes], _) => format!("one contiguous copy of {bytes} bytes"),
            (all, sizes) => format!("{} copies of {sizes} bytes", all.len()),
        },
        Primitive::MatrixProduct { weight_type, matrices, batch } => {
            let name = serde_json::to_value(weight_type).unwrap_or_default();
            let name = name.as_str().unwrap_or("unknown").to_owned();
            let operand = format!("with {batch} column{}", if *batch == 1 { "" } else { "s" });
            match matrices.as_slice() {
                [one] => format!(
                    "one product of a matrix of {} by {} in {name} {operand}",
                    one.rows, one.columns
                ),
                all => {
                    let weights: Vec<u64> =
                        all.iter().map(|one| one.rows.saturating_mul(one.columns)).collect();
                    format!(
                        "{} products of matrices of {} weights in {name} {operand}",
                        all.len(),
                        range(&weights)
                    )
                }
            }
        }
        Primitive::Attention { pieces, shape } => {
            let each = format!(
                "{} heads of {} values over {} cells, {} quer{} a head",
                shape.heads,
                shape.head_width,
                shape.cells,
                shape.batch,
                if shape.batch == 1 { "y" } else { "ies" }
            );
            match pieces {
                1 => format!("one attention of {each}"),
                more => format!("{more} attentions of {each}"),
            }
        }
    }
}

/// `196608`, or `4096 to 196608` where they differ.
fn range(sizes: &[u64]) -> String {
    let (least, most) = (sizes.iter().min().copied(), sizes.iter().max().copied());
    match (least.unwrap_or(0), most.unwrap_or(0)) {
        (least, most) if least == most => least.to_string(),
        (least, most) => format!("{least} to {most}"),
    }
}

#[cfg(test)]
#[path = "composition_tests.rs"]
mod tests;
