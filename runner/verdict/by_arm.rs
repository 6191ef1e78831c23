//! Something for each arm of a block. Arms are few, so a list is searched faster than a map, and
//! a row of a known arm costs no allocation.

/// Values by the name of their arm, in order of first mention.
#[derive(Debug, Clone)]
pub(super) struct ByArm<T> {
    entries: Vec<(String, T)>,
}

impl<T> Default for ByArm<T> {
    fn default() -> ByArm<T> {
        ByArm { entries: Vec::new() }
    }
}

impl<T> ByArm<T> {
    /// The arm's value, if it has one.
    pub fn get(&self, arm: &str) -> Option<&T> {
        self.entries.iter().find(|(name, _)| name == arm).map(|(_, value)| value)
    }

    /// All values.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.entries.iter().map(|(_, value)| value)
    }
}

impl<T: Default> ByArm<T> {
    /// The arm's value, an empty one when it is new.
    pub fn entry(&mut self, arm: &str) -> &mut T {
        let known = self.entries.iter().position(|(name, _)| name == arm);
        let place = known.unwrap_or_else(|| {
            self.entries.push((arm.to_owned(), T::default()));
            self.entries.len() - 1
        });
        &mut self.entries[place].1
    }
}

#[cfg(test)]
mod tests {
    use super::ByArm;

    #[test]
    fn each_arm_has_one_value() {
        let mut counts = ByArm::<u32>::default();
        for arm in ["off", "fast", "off"] {
            *counts.entry(arm) += 1;
        }
        assert_eq!(
            (counts.get("off"), counts.get("fast"), counts.get("aa")),
            (Some(&2), Some(&1), None)
        );
        assert_eq!(counts.values().sum::<u32>(), 3);
    }
}
