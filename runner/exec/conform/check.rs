//! One check: what was asked, and what came.

use serde::Serialize;

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckOutcome {
    /// As the protocol says.
    Pass,
    /// Against the protocol.
    Fail,
    /// The worker says that it cannot, as it may.
    NotOffered,
    /// It could not be asked, or the answer shows nothing.
    NotMade,
}

/// A check that was made, or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Its name; `docs/protocol.md` lists all.
    pub name: &'static str,
    /// What was asked.
    pub asked: &'static str,
    /// How it ended.
    pub outcome: CheckOutcome,
    /// What came.
    pub came: String,
    /// What to do about a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<&'static str>,
}

/// A rule of the protocol that can be checked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    /// As in [`Check::name`].
    pub(super) name: &'static str,
    /// As in [`Check::asked`].
    pub(super) asked: &'static str,
    /// As in [`Check::hint`].
    pub(super) hint: &'static str,
}

impl Rule {
    pub(super) fn pass(&self, came: impl Into<String>) -> Check {
        self.ended(CheckOutcome::Pass, came.into(), None)
    }

    pub(super) fn fail(&self, came: impl Into<String>) -> Check {
        self.ended(CheckOutcome::Fail, came.into(), Some(self.hint))
    }

    pub(super) fn not_offered(&self, came: impl Into<String>) -> Check {
        self.ended(CheckOutcome::NotOffered, came.into(), None)
    }

    pub(super) fn not_made(&self, why: impl Into<String>) -> Check {
        self.ended(CheckOutcome::NotMade, why.into(), None)
    }

    /// Passed with what came, or failed with what is wrong.
    pub(super) fn judged(&self, result: Result<String, String>) -> Check {
        match result {
            Ok(came) => self.pass(came),
            Err(wrong) => self.fail(wrong),
        }
    }

    fn ended(&self, outcome: CheckOutcome, came: String, hint: Option<&'static str>) -> Check {
        Check { name: self.name, asked: self.asked, outcome, came, hint }
    }
}

/// None of these could be made.
pub(super) fn none_made(rules: &[Rule], why: &str) -> Vec<Check> {
    rules.iter().map(|rule| rule.not_made(why)).collect()
}
