//! ggml's tensor types: number, name, elements and bytes of a block.

/// One tensor type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TensorType {
    /// Number in the file.
    pub(super) number: u32,
    /// ggml's name, lower case.
    pub(super) name: &'static str,
    /// Elements of a block.
    pub(super) block_elements: u64,
    /// Bytes of a block.
    pub(super) block_bytes: u64,
}

const fn row(number: u32, name: &'static str, block_elements: u64, block_bytes: u64) -> TensorType {
    TensorType { number, name, block_elements, block_bytes }
}

/// As `ggml_blck_size` and `ggml_type_size` of ggml 0.26.0 report them. Numbers that are left out
/// belong to types that ggml has removed.
const TENSOR_TYPES: &[TensorType] = &[
    row(0, "f32", 1, 4),
    row(1, "f16", 1, 2),
    row(2, "q4_0", 32, 18),
    row(3, "q4_1", 32, 20),
    row(6, "q5_0", 32, 22),
    row(7, "q5_1", 32, 24),
    row(8, "q8_0", 32, 34),
    row(9, "q8_1", 32, 36),
    row(10, "q2_k", 256, 84),
    row(11, "q3_k", 256, 110),
    row(12, "q4_k", 256, 144),
    row(13, "q5_k", 256, 176),
    row(14, "q6_k", 256, 210),
    row(15, "q8_k", 256, 292),
    row(16, "iq2_xxs", 256, 66),
    row(17, "iq2_xs", 256, 74),
    row(18, "iq3_xxs", 256, 98),
    row(19, "iq1_s", 256, 50),
    row(20, "iq4_nl", 32, 18),
    row(21, "iq3_s", 256, 110),
    row(22, "iq2_s", 256, 82),
    row(23, "iq4_xs", 256, 136),
    row(24, "i8", 1, 1),
    row(25, "i16", 1, 2),
    row(26, "i32", 1, 4),
    row(27, "i64", 1, 8),
    row(28, "f64", 1, 8),
    row(29, "iq1_m", 256, 56),
    row(30, "bf16", 1, 2),
    row(34, "tq1_0", 256, 54),
    row(35, "tq2_0", 256, 66),
    row(39, "mxfp4", 32, 17),
    row(40, "nvfp4", 64, 36),
    row(41, "q1_0", 128, 18),
    row(42, "q2_0", 64, 18),
];

/// The type of a number; `None` for one that is unknown here.
pub(super) fn tensor_type(number: u32) -> Option<TensorType> {
    TENSOR_TYPES.iter().copied().find(|row| row.number == number)
}

/// Bytes of a row of so many elements of a type, by ggml's name in lower case; `None` where the type
/// is unknown here, or the row is no multiple of its block.
pub(in crate::model) fn row_bytes(name: &str, elements: u64) -> Option<u64> {
    let row_type = TENSOR_TYPES.iter().find(|row_type| row_type.name == name)?;
    if !elements.is_multiple_of(row_type.block_elements) {
        return None;
    }
    (elements / row_type.block_elements).checked_mul(row_type.block_bytes)
}

/// ggml's number of a type by its lower-case name.
pub(super) fn tensor_type_number(name: &str) -> Option<u32> {
    TENSOR_TYPES.iter().find(|row| row.name == name).map(|row| row.number)
}

/// Bytes of so many elements of a type, by its lower-case name; they fill whole blocks. `None` for
/// a type that is unknown here.
#[must_use]
pub fn bytes_of(name: &str, elements: u64) -> Option<u64> {
    let row = TENSOR_TYPES.iter().find(|row| row.name == name)?;
    elements.div_ceil(row.block_elements).checked_mul(row.block_bytes)
}
