//! A manifest's text that is known to mean what was registered.

use super::identity::Identity;
use super::registered::Registered;
use crate::failure::Failure;
use crate::manifest::Plan;

/// The text that becomes `manifest.toml`. Its field is private: it is only made together with the
/// plan that was read from it, when that plan is the registered one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestSource {
    text: String,
}

impl ManifestSource {
    /// `text` was read as `plan`.
    ///
    /// # Errors
    /// Refused when that plan is not the registered one.
    pub fn of(text: &str, plan: &Plan, registered: &Registered) -> Result<ManifestSource, Failure> {
        let now = Identity::of(plan).manifest_hash;
        if now == registered.manifest_hash {
            return Ok(ManifestSource { text: text.to_owned() });
        }
        Err(Failure::refused(format!(
            "the manifest's text means {now}, registered was {}",
            registered.manifest_hash
        ))
        .at(format!("experiment {}", plan.id))
        .hint("put the registered manifest back"))
    }

    /// The text as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}
