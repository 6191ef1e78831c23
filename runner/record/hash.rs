//! Hashes and names that records are known by.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// A text that is no hash or no run name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct BadHash {
    /// A lower-case fragment.
    pub why: String,
}

macro_rules! blake3_name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The hash of bytes.
            #[must_use]
            pub fn of(bytes: &[u8]) -> $name {
                $name(blake3::hash(bytes).to_hex().to_string())
            }

            /// 64 hexadecimal digits, lower case.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The first 12 digits, for people.
            #[must_use]
            pub fn short(&self) -> &str {
                self.0.get(..12).unwrap_or(&self.0)
            }
        }

        impl TryFrom<String> for $name {
            type Error = BadHash;

            fn try_from(text: String) -> Result<$name, BadHash> {
                let digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
                if text.len() == 64 && text.chars().all(digit) {
                    return Ok($name(text));
                }
                Err(BadHash { why: format!("{text:?} is no BLAKE3 hash (64 lower-case digits)") })
            }
        }

        impl From<$name> for String {
            fn from(hash: $name) -> String {
                hash.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    };
}

blake3_name!(
    /// BLAKE3 of a ledger entry's bytes; the entry's file name.
    EntryHash
);
blake3_name!(
    /// BLAKE3 of a file of a record, or of its canonical sample rows.
    ContentHash
);

/// A run's folder name: the UTC time of its start, `20261129-161031`. Names sort by time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunName(String);

impl RunName {
    /// The name of a run that starts at a time.
    ///
    /// # Errors
    /// When `utc` is no RFC 3339 time in UTC (`2026-11-29T16:10:31Z`).
    pub fn at(utc: &str) -> Result<RunName, Failure> {
        let time = chrono::DateTime::parse_from_rfc3339(utc)
            .map_err(|error| Failure::failed(format!("{utc:?} is no RFC 3339 time: {error}")))?;
        Ok(RunName(time.with_timezone(&chrono::Utc).format("%Y%m%d-%H%M%S").to_string()))
    }

    /// The next name in the same second: `20261129-161031-2`, for a folder that exists already.
    #[must_use]
    pub fn numbered(&self, number: u32) -> RunName {
        let base = self.0.get(..15).unwrap_or(&self.0);
        RunName(format!("{base}-{number}"))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for RunName {
    type Error = BadHash;

    fn try_from(text: String) -> Result<RunName, BadHash> {
        let parts: Vec<&str> = text.split('-').collect();
        let digits = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
        let good = matches!(parts.as_slice(), [day, time] | [day, time, _]
            if day.len() == 8 && time.len() == 6)
            && parts.iter().all(|part| digits(part))
            && parts.get(2).is_none_or(|number| number.len() <= 4);
        if good {
            return Ok(RunName(text));
        }
        Err(BadHash { why: format!("{text:?} is no run name (`20261129-161031`)") })
    }
}

impl From<RunName> for String {
    fn from(name: RunName) -> String {
        name.0
    }
}

impl fmt::Display for RunName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
