//! Little-endian values from a file whose length is known.

use std::io::{self, Read, Seek};

/// Why reading stopped.
#[derive(Debug)]
pub(super) enum ReadFault {
    /// The file ends before the value does.
    Ended,
    /// The content breaks the format: a lower-case fragment.
    Malformed(String),
    /// The operating system's word.
    Io(io::Error),
}

/// A place in a file, and how much is left.
pub(super) struct Source<R> {
    input: R,
    position: u64,
    length: u64,
}

impl<R: Read + Seek> Source<R> {
    pub(super) fn new(input: R, length: u64) -> Source<R> {
        Source { input, position: 0, length }
    }

    /// Bytes read or skipped so far.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Fails when fewer than `bytes` are left, before anything is allocated for them.
    pub(super) fn require(&self, bytes: u64) -> Result<(), ReadFault> {
        if bytes > self.length - self.position {
            return Err(ReadFault::Ended);
        }
        Ok(())
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ReadFault> {
        self.require(N as u64)?;
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes).map_err(ReadFault::Io)?;
        self.position += N as u64;
        Ok(bytes)
    }

    pub(super) fn u8(&mut self) -> Result<u8, ReadFault> {
        self.array::<1>().map(|bytes| bytes[0])
    }

    pub(super) fn u16(&mut self) -> Result<u16, ReadFault> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, ReadFault> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, ReadFault> {
        self.array().map(u64::from_le_bytes)
    }

    /// Passes over bytes without keeping them.
    pub(super) fn skip(&mut self, bytes: u64) -> Result<(), ReadFault> {
        self.require(bytes)?;
        let step = i64::try_from(bytes)
            .map_err(|_| ReadFault::Malformed("a length is over 2^63 bytes".into()))?;
        self.input.seek_relative(step).map_err(ReadFault::Io)?;
        self.position += bytes;
        Ok(())
    }

    /// A string of known length; bytes that are no UTF-8 are replaced.
    pub(super) fn text(&mut self, bytes: u64) -> Result<String, ReadFault> {
        self.require(bytes)?;
        let length = usize::try_from(bytes)
            .map_err(|_| ReadFault::Malformed("a string does not fit into memory".into()))?;
        let mut content = vec![0; length];
        self.input.read_exact(&mut content).map_err(ReadFault::Io)?;
        self.position += bytes;
        Ok(String::from_utf8_lossy(&content).into_owned())
    }
}
