//! What the two sides of a comparison loaded, where it was not the model's file as it is: part of
//! every claim, whoever words it.

use super::evidence::RunFacts;
use super::extent::extent_of;
use super::weights::weights;

/// Words of a comparison's two sides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct LoadedWords {
    /// `on the first 4 of 30 layers`; `None` of the whole model.
    extent: Option<String>,
    /// `Q8_0 (requantised from Q4_1) against the file as it is`; `None` of the file as it is.
    weights: Option<String>,
}

impl LoadedWords {
    pub fn of(facts: &RunFacts, arm: &str, off: &str) -> LoadedWords {
        LoadedWords {
            extent: extent_of(&facts.slices, arm, off),
            weights: weights(&facts.forms, arm, off),
        }
    }

    /// `on the first 4 of 30 layers`; `None` of the whole model.
    pub fn extent(&self) -> Option<&str> {
        self.extent.as_deref()
    }

    /// Behind the model's name in a default sentence: ` on the first 4 of 30 layers as Q8_0 (…)`.
    pub fn behind_model(&self) -> String {
        let extent = self.extent.as_ref().map_or_else(String::new, |extent| format!(" {extent}"));
        let weights =
            self.weights.as_ref().map_or_else(String::new, |weights| format!(" as {weights}"));
        format!("{extent}{weights}")
    }

    /// Behind the figures of a registered wording: `; on the first 4 of 30 layers; Q8_0 (…)`.
    pub fn behind_figures(&self) -> String {
        let parts = self.extent.iter().chain(&self.weights);
        parts.map(|part| format!("; {part}")).collect()
    }
}
