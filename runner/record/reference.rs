//! How one record names another: `ID/RUN`.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::hash::{BadHash, RunName};
use crate::manifest::ExperimentId;

/// A record's name. Sorts by id and then time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RecordName {
    /// The experiment.
    pub id: ExperimentId,
    /// The run.
    pub run: RunName,
}

impl TryFrom<String> for RecordName {
    type Error = BadHash;

    fn try_from(text: String) -> Result<RecordName, BadHash> {
        let bad = |why: String| BadHash { why };
        let Some((id, run)) = text.split_once('/') else {
            return Err(bad(format!("{text:?} is no record (`ID/RUN`)")));
        };
        let id = ExperimentId::try_from(id.to_owned()).map_err(|error| bad(error.why))?;
        Ok(RecordName { id, run: RunName::try_from(run.to_owned())? })
    }
}

impl From<RecordName> for String {
    fn from(name: RecordName) -> String {
        name.to_string()
    }
}

impl fmt::Display for RecordName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.id, self.run)
    }
}
