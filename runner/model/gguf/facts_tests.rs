use std::io::Cursor;

use super::*;

/// The bytes of a small file: one key, one tensor of 64 f32.
struct Made {
    version: u32,
    tensors: u64,
    keys: u64,
    tensor_type: u32,
    row: u64,
    offset: u64,
    data: usize,
}

const GOOD: Made =
    Made { version: 3, tensors: 1, keys: 1, tensor_type: 0, row: 64, offset: 0, data: 256 };

impl Made {
    fn bytes(&self) -> Vec<u8> {
        let mut file = Vec::from(*b"GGUF");
        let text = |file: &mut Vec<u8>, text: &str| {
            file.extend((text.len() as u64).to_le_bytes());
            file.extend(text.as_bytes());
        };
        file.extend(self.version.to_le_bytes());
        file.extend(self.tensors.to_le_bytes());
        file.extend(self.keys.to_le_bytes());
        text(&mut file, "general.architecture");
        file.extend(8_u32.to_le_bytes());
        text(&mut file, "llama");
        text(&mut file, "weight");
        file.extend(1_u32.to_le_bytes());
        file.extend(self.row.to_le_bytes());
        file.extend(self.tensor_type.to_le_bytes());
        file.extend(self.offset.to_le_bytes());
        file.resize(file.len().next_multiple_of(32) + self.data, 0);
        file
    }
}

fn read(bytes: &[u8]) -> Result<GgufFacts, String> {
    read_facts(Cursor::new(bytes), bytes.len() as u64).map_err(|rejection| rejection.what)
}

#[test]
fn a_whole_file_is_read() {
    let facts = read(&GOOD.bytes()).unwrap();
    assert_eq!(facts.architecture.as_deref(), Some("llama"));
    assert_eq!(facts.parameters, 64);
    assert_eq!(facts.tensors[0].bytes, Some(256));
    assert_eq!(read(&Made { version: 2, ..GOOD }.bytes()).unwrap().version, 2);
}

#[test]
fn every_cut_is_noticed() {
    let bytes = GOOD.bytes();
    for length in 4..bytes.len() {
        let fault = read(&bytes[..length]).unwrap_err();
        assert!(fault.contains("truncated"), "{length}: {fault}");
    }
    let fault = read(&bytes[..bytes.len() - 56]).unwrap_err();
    assert!(fault.contains("56 bytes are missing"), "{fault}");
}

#[test]
fn other_files_are_named_by_their_first_bytes() {
    insta::assert_snapshot!(read(b"").unwrap_err(), @"is empty");
    insta::assert_snapshot!(
        read(b"PK\x03\x04rest of it").unwrap_err(),
        @r#"is not a GGUF file: it starts with 50 4b 03 04 72 65 73 74 ("PK\x03\x04rest"), not with "GGUF"; it looks like a zip archive (PyTorch checkpoints and wheels are such)"#
    );
    for (start, word) in [
        (&b"<html>"[..], "web page"),
        (b"\x40\0\0\0\0\0\0\0{\"a\"", "safetensors"),
        (b"version https://git-lfs", "LFS"),
        (b"tjgg\x01\0\0\0", "before GGUF"),
    ] {
        assert!(read(start).unwrap_err().contains(word));
    }
}

#[test]
fn other_versions_are_named() {
    let fault = |version| read(&Made { version, ..GOOD }.bytes()).unwrap_err();
    assert!(fault(1).contains("version 1 is not supported"));
    assert!(fault(4).contains("version 4 is not supported"));
    assert!(fault(3_u32.swap_bytes()).contains("big-endian"));
}

#[test]
fn impossible_claims_are_refused_before_memory_is_taken() {
    let fault = |made: Made| read(&made.bytes()).unwrap_err();
    assert!(fault(Made { tensors: u64::MAX, ..GOOD }).contains("tensors"));
    assert!(fault(Made { keys: 1 << 40, ..GOOD }).contains("metadata keys"));
    assert!(fault(Made { row: u64::MAX, ..GOOD }).contains("impossibly large"));
    assert!(fault(Made { offset: u64::MAX - 31, ..GOOD }).contains("2^64"));
    assert!(fault(Made { offset: 8, ..GOOD }).contains("not a multiple of 32"));
    assert!(fault(Made { row: 65, tensor_type: 8, ..GOOD }).contains("block of q8_0"));
    let mut long = GOOD.bytes();
    // Length of the first key's name.
    long[24..32].copy_from_slice(&u64::MAX.to_le_bytes());
    assert!(read(&long).unwrap_err().contains("claims"));
}

#[test]
fn an_unknown_tensor_type_is_passed_on_by_number() {
    let facts = read(&Made { tensor_type: 99, ..GOOD }.bytes()).unwrap();
    assert_eq!(facts.tensors[0].tensor_type, "type_99");
    assert_eq!(facts.tensors[0].bytes, None);
}

#[test]
fn garbage_after_the_magic_number_never_panics() {
    let mut state = 1_u64;
    for _ in 0..2000 {
        let mut bytes = GOOD.bytes();
        for _ in 0..4 {
            // Knuth's multiplier for a 64-bit linear congruence.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let place = 4 + (state >> 33) as usize % (bytes.len() - 4);
            bytes[place] = (state >> 24) as u8;
        }
        let _ = read(&bytes);
    }
}
