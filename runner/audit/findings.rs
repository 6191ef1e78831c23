//! What an audit found.

use std::ops::Range;

use super::source::{Position, Source};

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    /// The audit is red until it is mended, or excused with a reason.
    Error,
    /// Likely wrong.
    Warning,
    /// To be known.
    Note,
}

/// What can be found. Their ids are stable; `docs/audit.md` explains each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "docs/audit.md")]
pub enum Rule {
    BareFigure,
    MeasuredUndated,
    ExcuseWithoutReason,
    UnknownRecord,
    UnreadableRecord,
    UnreadableLedger,
    StruckRecord,
    SupersededRecord,
    StaleRecord,
    NotInRecord,
    OutsideRegime,
    BlockMalformed,
    BlockOutdated,
    StruckFigure,
    ReplacementCycle,
    ReplacementUnknown,
    TestPromise,
    TextPromise,
    NeverRun,
    EndedSearch,
    Withdrawn,
    VersionsDiffer,
    VersionsUnchecked,
}

impl Rule {
    /// Every rule, in the order of the documentation.
    pub const ALL: [Rule; 23] = [
        Rule::BareFigure,
        Rule::MeasuredUndated,
        Rule::ExcuseWithoutReason,
        Rule::UnknownRecord,
        Rule::UnreadableRecord,
        Rule::UnreadableLedger,
        Rule::StruckRecord,
        Rule::SupersededRecord,
        Rule::StaleRecord,
        Rule::NotInRecord,
        Rule::OutsideRegime,
        Rule::BlockMalformed,
        Rule::BlockOutdated,
        Rule::StruckFigure,
        Rule::ReplacementCycle,
        Rule::ReplacementUnknown,
        Rule::TestPromise,
        Rule::TextPromise,
        Rule::NeverRun,
        Rule::EndedSearch,
        Rule::Withdrawn,
        Rule::VersionsDiffer,
        Rule::VersionsUnchecked,
    ];

    /// The id in every output.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Rule::BareFigure => "bare-figure",
            Rule::MeasuredUndated => "measured-undated",
            Rule::ExcuseWithoutReason => "excuse-without-reason",
            Rule::UnknownRecord => "unknown-record",
            Rule::UnreadableRecord => "unreadable-record",
            Rule::UnreadableLedger => "unreadable-ledger",
            Rule::StruckRecord => "struck-record",
            Rule::SupersededRecord => "superseded-record",
            Rule::StaleRecord => "stale-record",
            Rule::NotInRecord => "not-in-record",
            Rule::OutsideRegime => "outside-regime",
            Rule::BlockMalformed => "block-malformed",
            Rule::BlockOutdated => "block-outdated",
            Rule::StruckFigure => "struck-figure",
            Rule::ReplacementCycle => "replacement-cycle",
            Rule::ReplacementUnknown => "replacement-unknown",
            Rule::TestPromise => "test-promise",
            Rule::TextPromise => "text-promise",
            Rule::NeverRun => "never-run",
            Rule::EndedSearch => "ended-search",
            Rule::Withdrawn => "withdrawn",
            Rule::VersionsDiffer => "versions-differ",
            Rule::VersionsUnchecked => "versions-unchecked",
        }
    }

    /// How much it weighs.
    #[must_use]
    pub fn weight(self) -> Weight {
        match self {
            Rule::BareFigure
            | Rule::MeasuredUndated
            | Rule::ExcuseWithoutReason
            | Rule::UnknownRecord
            | Rule::UnreadableRecord
            | Rule::UnreadableLedger
            | Rule::StruckRecord
            | Rule::SupersededRecord
            | Rule::StaleRecord
            | Rule::NotInRecord
            | Rule::OutsideRegime
            | Rule::BlockMalformed
            | Rule::BlockOutdated
            | Rule::StruckFigure
            | Rule::ReplacementCycle
            | Rule::ReplacementUnknown
            | Rule::TestPromise
            | Rule::TextPromise => Weight::Error,
            Rule::VersionsDiffer => Weight::Warning,
            Rule::NeverRun | Rule::EndedSearch | Rule::Withdrawn | Rule::VersionsUnchecked => {
                Weight::Note
            }
        }
    }

    /// What it means, in a sentence.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Rule::BareFigure => {
                "A measured figure cites no record and does not say how it was measured."
            }
            Rule::MeasuredUndated => "A comment says how something was measured, but not when.",
            Rule::ExcuseWithoutReason => "A place is excused without a reason.",
            Rule::UnknownRecord => "A record is cited that does not exist.",
            Rule::UnreadableRecord => "A cited record was changed or cannot be understood.",
            Rule::UnreadableLedger => "A ledger was changed or cannot be understood.",
            Rule::StruckRecord => "A cited record was struck.",
            Rule::SupersededRecord => "A cited record was superseded.",
            Rule::StaleRecord => "A cited record is stale, and the paragraph does not say so.",
            Rule::NotInRecord => "The cited record does not say the figure.",
            Rule::OutsideRegime => {
                "The sentence speaks of something that the cited record did not measure."
            }
            Rule::BlockMalformed => "A record block cannot be understood.",
            Rule::BlockOutdated => "What stands in a record block is not what the record says.",
            Rule::StruckFigure => "A figure of a struck record lives on.",
            Rule::ReplacementCycle => "Struck records replace each other in a circle.",
            Rule::ReplacementUnknown => {
                "A struck record is replaced by one that is not there or is struck too."
            }
            Rule::TestPromise => {
                "A test's name promises an architecture that its body never mentions."
            }
            Rule::TextPromise => "A text claims coverage that no record and no test has.",
            Rule::NeverRun => "An experiment was registered and never run.",
            Rule::EndedSearch => "A search for a commit has ended; its steps have the records.",
            Rule::Withdrawn => "An experiment was withdrawn.",
            Rule::VersionsDiffer => {
                "Under another frozen version of the manifest the verdict would differ."
            }
            Rule::VersionsUnchecked => "A record could not be judged under every frozen version.",
        }
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// File, as its source names it.
    pub file: String,
    /// Where it begins; the file as a whole without one.
    pub start: Option<Position>,
    /// Where it ends.
    pub end: Option<Position>,
    /// Which rule.
    pub rule: Rule,
    /// What is wrong: a lower-case fragment.
    pub what: String,
    /// What to do next; may be empty.
    pub hint: String,
}

impl Finding {
    /// A finding at a part of a file.
    #[must_use]
    pub fn at(rule: Rule, source: &Source, span: &Range<usize>, what: String) -> Finding {
        Finding {
            rule,
            file: source.path.clone(),
            start: Some(source.position(span.start)),
            end: Some(source.position(span.end)),
            what,
            hint: String::new(),
        }
    }

    /// A finding about a file as a whole.
    #[must_use]
    pub fn of_file(rule: Rule, file: impl Into<String>, what: String) -> Finding {
        Finding { rule, file: file.into(), start: None, end: None, what, hint: String::new() }
    }

    /// Adds what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Finding {
        self.hint = hint.into();
        self
    }

    /// How much it weighs.
    #[must_use]
    pub fn weight(&self) -> Weight {
        self.rule.weight()
    }
}

/// A place that was excused, with its reason.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Excused {
    /// File.
    pub file: String,
    /// Line of the excuse, from 1.
    pub line: usize,
    /// Why.
    pub reason: String,
}
