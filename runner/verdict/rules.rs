//! The versions of the rules that this program can judge by.

/// Version of the rules that are followed now: raised whenever `stats/`, `rule/` or `verdict/`
/// changes a result. A test over committed analyses fails when the results change and this does
/// not.
pub const RULES_VERSION: u32 = 3;

/// One version of the rules. Records are recomputed under the version that judged them, so every
/// version stays computable; where two differ, the code asks for the version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rules {
    /// The fixed rule alone; claims about these inputs alone; nothing described beside.
    One,
    /// Looks, claims about a class of inputs, exclusion that depends on the arm, descriptions.
    Two,
    /// Figures are held against bounds of the machine.
    Three,
}

impl Rules {
    /// The rules that are followed now.
    pub const NOW: Rules = Rules::Three;

    /// The rules of a version; `None` for one that this program does not know.
    pub fn of(version: u32) -> Option<Rules> {
        match version {
            1 => Some(Rules::One),
            2 => Some(Rules::Two),
            RULES_VERSION => Some(Rules::Three),
            _ => None,
        }
    }

    pub fn version(self) -> u32 {
        match self {
            Rules::One => 1,
            Rules::Two => 2,
            Rules::Three => RULES_VERSION,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{RULES_VERSION, Rules};

    #[test]
    fn every_version_is_known_and_no_other() {
        for version in 1..=RULES_VERSION {
            assert_eq!(Rules::of(version).unwrap().version(), version);
        }
        assert_eq!(Rules::NOW.version(), RULES_VERSION);
        assert_eq!(Rules::of(0), None);
        assert_eq!(Rules::of(RULES_VERSION + 1), None);
    }
}
