//! Just enough of GGUF, version 3, to find where a tensor's bytes lie in a file.

use std::collections::BTreeMap;
use std::ops::Range;

/// Where the tensors lie, by name. Their ends are not known: the ranges begin where they begin.
pub struct Gguf {
    bytes: Vec<u8>,
    starts: BTreeMap<String, usize>,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let taken = self.bytes[self.at..self.at + N].try_into().unwrap();
        self.at += N;
        taken
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    fn length(&mut self) -> usize {
        usize::try_from(u64::from_le_bytes(self.take())).unwrap()
    }

    fn text(&mut self) -> String {
        let length = self.length();
        let text = String::from_utf8(self.bytes[self.at..self.at + length].to_vec()).unwrap();
        self.at += length;
        text
    }

    fn skip_value(&mut self, kind: u32) {
        match kind {
            0 | 1 | 7 => self.at += 1,
            2 | 3 => self.at += 2,
            4..=6 => self.at += 4,
            8 => drop(self.text()),
            9 => {
                let of = self.u32();
                for _ in 0..self.length() {
                    self.skip_value(of);
                }
            }
            10..=12 => self.at += 8,
            other => panic!("value of type {other}"),
        }
    }
}

impl Gguf {
    pub fn read(path: &str) -> Self {
        let bytes = std::fs::read(path).unwrap();
        let mut reader = Reader { bytes: &bytes, at: 0 };
        assert_eq!(&reader.take(), b"GGUF");
        assert_eq!(reader.u32(), 3);
        let (tensors, values) = (reader.length(), reader.length());
        for _ in 0..values {
            reader.text();
            let kind = reader.u32();
            reader.skip_value(kind);
        }
        let mut starts = BTreeMap::new();
        for _ in 0..tensors {
            let name = reader.text();
            for _ in 0..reader.u32() {
                reader.length();
            }
            reader.u32();
            let offset = reader.length();
            starts.insert(name, offset);
        }
        let data = reader.at.next_multiple_of(32);
        for start in starts.values_mut() {
            *start += data;
        }
        Self { bytes, starts }
    }

    pub fn names(&self) -> Vec<&str> {
        self.starts.keys().map(String::as_str).collect()
    }

    pub fn bytes_of(&self, name: &str, length: usize) -> &[u8] {
        let range: Range<usize> = self.starts[name]..self.starts[name] + length;
        &self.bytes[range]
    }
}
