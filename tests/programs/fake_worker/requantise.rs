//! Another form of a model: a small GGUF of its own, with nothing of the source in it.

use std::path::Path;

use engine_protocol::{Form, RequantiseRequest, Requantised, TensorTypeBytes};

use crate::script::Behaviour;

/// GGUF's number of a tensor type, elements and bytes of a block, and ggml's name of it.
type Kind = (u32, u64, u64, &'static str);

/// Rows of 256, so that every type can hold them.
const ELEMENTS: u64 = 256 * 64;
/// Of a GGUF's tensors.
const ALIGNMENT: usize = 32;

/// Writes the file that the script wants.
pub fn requantise(
    request: &RequantiseRequest,
    behaviour: &Behaviour,
) -> Result<Requantised, String> {
    if !Path::new(&request.source_path).is_file() {
        return Err("the source is not there".to_owned());
    }
    let kind = kind(request.form);
    let own = ELEMENTS / kind.1 * kind.2;
    let share = u64::from(behaviour.requantise_share_percent.clamp(1, 100));
    let single = own * (100 - share) / share / 4;
    let mut types =
        vec![TensorTypeBytes { tensor_type: kind.3.to_owned(), tensors: 1, bytes: own }];
    let mut tensors = vec![("blk.0.ffn_up.weight", kind, ELEMENTS)];
    if single > 0 && request.form != Form::F32 {
        tensors.push(("output_norm.weight", SINGLE, single));
        types.push(TensorTypeBytes {
            tensor_type: "f32".to_owned(),
            tensors: 1,
            bytes: single * 4,
        });
    }
    types.sort_by_key(|row| std::cmp::Reverse(row.bytes));
    let mut bytes = gguf(&tensors);
    let whole = bytes.len();
    bytes.truncate(whole - behaviour.requantise_short_bytes.min(whole));
    std::fs::write(&request.target_path, &bytes).map_err(|error| error.to_string())?;
    Ok(Requantised { bytes: whole as u64, tensor_types: types })
}

const SINGLE: Kind = (0, 1, 4, "f32");

fn kind(form: Form) -> Kind {
    match form {
        Form::F32 => SINGLE,
        Form::F16 => (1, 1, 2, "f16"),
        Form::Bf16 => (30, 1, 2, "bf16"),
        Form::Q8_0 => (8, 32, 34, "q8_0"),
        Form::Q6K => (14, 256, 210, "q6_K"),
        Form::Q5K => (13, 256, 176, "q5_K"),
        Form::Q5_1 => (7, 32, 24, "q5_1"),
        Form::Q5_0 => (6, 32, 22, "q5_0"),
        Form::Q4K => (12, 256, 144, "q4_K"),
        Form::Q4_1 => (3, 32, 20, "q4_1"),
        Form::Q4_0 => (2, 32, 18, "q4_0"),
        Form::Iq4Nl => (20, 32, 18, "iq4_nl"),
    }
}

/// A GGUF of version 3 with these tensors, each one row; every byte of data is the type's number.
fn gguf(tensors: &[(&str, Kind, u64)]) -> Vec<u8> {
    let mut file = b"GGUF".to_vec();
    file.extend(3_u32.to_le_bytes());
    file.extend((tensors.len() as u64).to_le_bytes());
    file.extend(2_u64.to_le_bytes());
    text(&mut file, "general.architecture");
    file.extend(8_u32.to_le_bytes());
    text(&mut file, "llama");
    // as many layers as the built-in model has
    text(&mut file, "llama.block_count");
    file.extend(4_u32.to_le_bytes());
    file.extend(4_u32.to_le_bytes());
    let mut data = Vec::new();
    for (name, (number, elements, bytes, _), row) in tensors {
        text(&mut file, name);
        file.extend(1_u32.to_le_bytes());
        file.extend(row.to_le_bytes());
        file.extend(number.to_le_bytes());
        file.extend((data.len() as u64).to_le_bytes());
        let length = usize::try_from(row / elements * bytes).unwrap_or(0);
        let filled = u8::try_from(*number).unwrap_or(0);
        data.extend(std::iter::repeat_n(filled, length));
        data.resize(data.len().next_multiple_of(ALIGNMENT), 0);
    }
    file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
    file.extend(data);
    file
}

fn text(file: &mut Vec<u8>, text: &str) {
    file.extend((text.len() as u64).to_le_bytes());
    file.extend(text.as_bytes());
}
