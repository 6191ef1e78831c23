//! Writes a GGUF file of version 3 into memory.

/// `GGUF_DEFAULT_ALIGNMENT` of ggml.
const ALIGNMENT: usize = 32;

/// A metadata value as it is written.
pub(super) enum Value {
    U32(u32),
    F32(f32),
    Bool(bool),
    Text(&'static str),
    Texts(Vec<String>),
    Floats(Vec<f32>),
    Integers(Vec<i32>),
}

/// Tensor types that are written here; the numbers are ggml's.
#[derive(Clone, Copy)]
pub(super) enum Stored {
    F32 = 0,
    F16 = 1,
    Q8_0 = 8,
}

struct Tensor {
    name: String,
    dimensions: Vec<u64>,
    stored: Stored,
    data: Vec<u8>,
}

/// Collects keys and tensors; their order is the order of the file.
#[derive(Default)]
pub(super) struct Writer {
    keys: Vec<(String, Value)>,
    tensors: Vec<Tensor>,
}

impl Writer {
    pub(super) fn key(&mut self, name: &str, value: Value) {
        self.keys.push((name.to_owned(), value));
    }

    /// Dimensions: the innermost (length of a row) first.
    pub(super) fn tensor(
        &mut self,
        name: String,
        dimensions: Vec<u64>,
        stored: Stored,
        data: Vec<u8>,
    ) {
        self.tensors.push(Tensor { name, dimensions, stored, data });
    }

    /// The whole file.
    pub(super) fn finish(self) -> Vec<u8> {
        let mut file = Vec::from(*b"GGUF");
        file.extend(3_u32.to_le_bytes());
        file.extend((self.tensors.len() as u64).to_le_bytes());
        file.extend((self.keys.len() as u64).to_le_bytes());
        for (name, value) in &self.keys {
            push_text(name, &mut file);
            push_value(value, &mut file);
        }
        let mut offset = 0;
        for tensor in &self.tensors {
            push_text(&tensor.name, &mut file);
            file.extend((tensor.dimensions.len() as u32).to_le_bytes());
            for dimension in &tensor.dimensions {
                file.extend(dimension.to_le_bytes());
            }
            file.extend((tensor.stored as u32).to_le_bytes());
            file.extend((offset as u64).to_le_bytes());
            offset += tensor.data.len().next_multiple_of(ALIGNMENT);
        }
        pad(&mut file);
        for tensor in &self.tensors {
            file.extend(&tensor.data);
            pad(&mut file);
        }
        file
    }
}

fn pad(file: &mut Vec<u8>) {
    file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
}

fn push_text(text: &str, file: &mut Vec<u8>) {
    file.extend((text.len() as u64).to_le_bytes());
    file.extend(text.as_bytes());
}

/// Type numbers are those of `enum gguf_type`.
fn push_value(value: &Value, file: &mut Vec<u8>) {
    match value {
        Value::U32(number) => {
            file.extend(4_u32.to_le_bytes());
            file.extend(number.to_le_bytes());
        }
        Value::F32(number) => {
            file.extend(6_u32.to_le_bytes());
            file.extend(number.to_le_bytes());
        }
        Value::Bool(truth) => {
            file.extend(7_u32.to_le_bytes());
            file.push(u8::from(*truth));
        }
        Value::Text(text) => {
            file.extend(8_u32.to_le_bytes());
            push_text(text, file);
        }
        Value::Texts(texts) => {
            push_array_start(8, texts.len(), file);
            texts.iter().for_each(|text| push_text(text, file));
        }
        Value::Floats(numbers) => {
            push_array_start(6, numbers.len(), file);
            numbers.iter().for_each(|number| file.extend(number.to_le_bytes()));
        }
        Value::Integers(numbers) => {
            push_array_start(5, numbers.len(), file);
            numbers.iter().for_each(|number| file.extend(number.to_le_bytes()));
        }
    }
}

fn push_array_start(kind: u32, count: usize, file: &mut Vec<u8>) {
    file.extend(9_u32.to_le_bytes());
    file.extend(kind.to_le_bytes());
    file.extend((count as u64).to_le_bytes());
}
