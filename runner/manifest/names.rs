//! Names that were checked once, at the edge.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a name was not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct BadName {
    /// A lower-case fragment.
    pub why: String,
}

macro_rules! checked_name {
    ($(#[$doc:meta])* $name:ident, $most:expr, $extra:expr, $taken:expr, $what:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = BadName;

            fn try_from(text: String) -> Result<$name, BadName> {
                let extra: &str = $extra;
                if text.is_empty() || text.len() > $most {
                    return Err(BadName {
                        why: format!("{} has 1 to {} characters", $what, $most),
                    });
                }
                let good = |c: char| {
                    c.is_ascii_lowercase() || c.is_ascii_digit() || extra.contains(c)
                };
                if let Some(bad) = text.chars().find(|c| !good(*c)) {
                    return Err(BadName {
                        why: format!(
                            "{} is made of lower-case letters, digits and `{}`, not of {:?}",
                            $what, extra, bad
                        ),
                    });
                }
                if !text.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit()) {
                    return Err(BadName {
                        why: format!("{} starts with a letter or a digit", $what),
                    });
                }
                let taken: &[(&str, &str)] = $taken;
                if let Some((_, place)) = taken.iter().find(|(name, _)| *name == text) {
                    return Err(BadName {
                        why: format!("{} cannot be {:?}, since `{place}` is something else", $what, text),
                    });
                }
                Ok($name(text))
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> String {
                name.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    };
}

checked_name!(
    /// An experiment's id: a folder name on every platform.
    ExperimentId, 64, "-",
    &[
        ("builds", "experiments/builds.toml"),
        ("imported", "results/imported/"),
        ("machines", "results/machines/"),
        ("models", "experiments/models.toml"),
        ("pilots", "results/pilots/"),
    ],
    "an id"
);
checked_name!(
    /// An arm's name. `=`, `_` and `.` occur in the names of rungs.
    ArmName, 64, "-_=.", &[], "an arm's name"
);
checked_name!(
    /// A build's name, in a manifest or in `experiments/builds.toml`.
    BuildName, 64, "-_.",
    &[("native", "the engine that `runner` was built with")],
    "a build's name"
);
checked_name!(
    /// The name of an import: a folder of results/imported/.
    ImportName, 64, "-", &[], "an import's name"
);
