//! What an adapter is started with.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::manifest::Peer;

/// The one argument of `runner peer`, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PeerSpec {
    /// The other engine.
    pub peer: Peer,
    /// Relative paths start here.
    pub root: PathBuf,
}

impl PeerSpec {
    /// Reads it.
    ///
    /// # Errors
    /// A failure when the text is no such thing.
    pub fn parse(text: &str) -> Result<PeerSpec, Failure> {
        serde_json::from_str(text).map_err(|error| {
            Failure::usage(format!("this is not what `exec` starts a peer with: {error}"))
                .hint("`runner exec` starts it by itself, for an arm with the role `peer`")
        })
    }
}
