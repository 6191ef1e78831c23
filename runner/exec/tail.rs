//! The end of a stream of any length, in bounded memory.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Mutex, PoisonError};

/// Keeps the last `most` bytes that were put in.
#[derive(Debug)]
pub(super) struct Tail {
    most: usize,
    bytes: VecDeque<u8>,
    total: u64,
}

impl Tail {
    /// An empty one.
    pub(super) fn new(most: usize) -> Tail {
        Tail { most, bytes: VecDeque::new(), total: 0 }
    }

    /// Adds bytes, dropping the oldest.
    pub(super) fn push(&mut self, new: &[u8]) {
        self.total = self.total.saturating_add(new.len() as u64);
        let new = &new[new.len().saturating_sub(self.most)..];
        let over = (self.bytes.len() + new.len()).saturating_sub(self.most);
        self.bytes.drain(..over);
        self.bytes.extend(new);
    }

    /// How many bytes were put in.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// All that is kept, with a note of what is not.
    pub(super) fn text(&self) -> String {
        let (front, back) = self.bytes.as_slices();
        let kept = [front, back].concat();
        let dropped = self.total.saturating_sub(kept.len() as u64);
        let text = String::from_utf8_lossy(&kept);
        if dropped == 0 {
            text.into_owned()
        } else {
            format!("[{dropped} bytes before this are not kept]\n{text}")
        }
    }

    /// The last few lines, at most `most` characters, for a message.
    pub(super) fn last_lines(&self, lines: usize, most: usize) -> String {
        let text = self.text();
        let kept: Vec<&str> =
            text.lines().rev().filter(|line| !line.is_empty()).take(lines).collect();
        let joined = kept.into_iter().rev().collect::<Vec<_>>().join(" | ");
        let skip = joined.chars().count().saturating_sub(most);
        joined.chars().skip(skip).map(|c| if c.is_control() { ' ' } else { c }).collect()
    }
}

/// Reads a stream to its end; what is kept can be looked at meanwhile.
pub(super) fn drain(mut stream: impl Read, tail: &Mutex<Tail>) {
    let mut buffer = [0; 16 << 10];
    while let Ok(read) = stream.read(&mut buffer) {
        if read == 0 {
            return;
        }
        tail.lock().unwrap_or_else(PoisonError::into_inner).push(&buffer[..read]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_end_and_says_what_is_gone() {
        let mut tail = Tail::new(8);
        tail.push(b"abcdef");
        tail.push(b"ghij");
        assert_eq!(tail.text(), "[2 bytes before this are not kept]\ncdefghij");
        tail.push(&[b'x'; 100]);
        assert_eq!(tail.text(), "[102 bytes before this are not kept]\nxxxxxxxx");
    }

    #[test]
    fn a_message_gets_the_last_lines_without_control_characters() {
        let mut tail = Tail::new(100);
        tail.push(b"one\n\ntwo\x1b[0m\nthree\n");
        assert_eq!(tail.last_lines(2, 50), "two [0m | three");
    }
}
