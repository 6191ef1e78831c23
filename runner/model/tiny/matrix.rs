//! Matrices as the file stores them.

use super::half::{Q8_BLOCK, half_bits, push_q8_block};
use super::writer::{Stored, Writer};

fn dimensions(row: usize, weights: &[f32]) -> Vec<u64> {
    vec![row as u64, (weights.len() / row) as u64]
}

/// In half precision.
pub(super) fn half_matrix(writer: &mut Writer, name: String, row: usize, weights: &[f32]) {
    let data = weights.iter().flat_map(|weight| half_bits(*weight).to_le_bytes()).collect();
    writer.tensor(name, dimensions(row, weights), Stored::F16, data);
}

/// In single precision, as llama.cpp keeps routers.
pub(super) fn single_matrix(writer: &mut Writer, name: String, row: usize, weights: &[f32]) {
    let data = weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
    writer.tensor(name, dimensions(row, weights), Stored::F32, data);
}

/// In eight bits.
pub(super) fn q8_matrix(writer: &mut Writer, name: String, row: usize, weights: &[f32]) {
    writer.tensor(name, dimensions(row, weights), Stored::Q8_0, q8_data(weights));
}

/// One matrix after the other, in eight bits: `(values of a row, rows of a matrix)`.
pub(super) fn q8_stack(
    writer: &mut Writer,
    name: String,
    (row, rows): (usize, usize),
    weights: &[f32],
) {
    let matrices = weights.len() / (row * rows);
    let dimensions = vec![row as u64, rows as u64, matrices as u64];
    writer.tensor(name, dimensions, Stored::Q8_0, q8_data(weights));
}

fn q8_data(weights: &[f32]) -> Vec<u8> {
    let mut data = Vec::new();
    let (blocks, _) = weights.as_chunks::<Q8_BLOCK>();
    blocks.iter().for_each(|block| push_q8_block(block, &mut data));
    data
}
