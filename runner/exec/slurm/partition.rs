//! A partition's name, as the command line gives it.

use std::fmt;
use std::str::FromStr;

/// Longest name that is taken: it becomes part of a folder's name.
const MOST_LETTERS: usize = 64;

/// One partition of a cluster, by name. A list of them is none: each gets a job of its own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Partition(String);

impl Partition {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Partition {
    type Err = String;

    fn from_str(text: &str) -> Result<Partition, String> {
        if text.contains(',') {
            return Err("one job for each partition: write `--partition` for each of them".into());
        }
        let good = |c: char| c.is_ascii_alphanumeric() || "_-.+".contains(c);
        let starts = text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if starts && text.len() <= MOST_LETTERS && text.chars().all(good) {
            return Ok(Partition(text.to_owned()));
        }
        Err(format!(
            "a partition's name has at most {MOST_LETTERS} letters, digits and `_`, `-`, `.`, `+`"
        ))
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_names() {
        for good in ["cpu", "epyc-7003", "gpu_a100.long", "_x"] {
            assert_eq!(good.parse::<Partition>().unwrap().as_str(), good);
        }
        for bad in ["", "a,b", "-x", "../x", "a b", "a/b", "a\nb", &"x".repeat(65)] {
            assert!(bad.parse::<Partition>().is_err(), "{bad:?}");
        }
    }
}
