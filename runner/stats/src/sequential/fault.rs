//! Why a sequential design cannot be computed.

/// Why a sequential design cannot be computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SequentialFault {
    /// None, one that is not finite, above zero and above the one before, or one so near the one
    /// before that nothing was learned (under a 100,000th).
    #[error("information must be above zero and increase from look to look")]
    Information,
    /// As many boundaries, errors or looks as there is information are needed, each a number, and
    /// no lower one above an upper one.
    #[error("each look needs one boundary, and the lower one must not lie above the upper one")]
    Boundaries,
    /// Spending that falls, passes the whole, or is no number.
    #[error("the error spent must not fall from look to look and must stay below 1")]
    Spending,
    /// An error that is not strictly between 0 and 1.
    #[error("the error must lie strictly between 0 and 1")]
    Alpha,
    /// A statistic that is not finite, or a look that does not exist.
    #[error("the look at which it stopped needs a number and a place among the looks")]
    Stop,
    /// No number solves it: the arguments lie beyond what a double holds.
    #[error("no boundary can be found")]
    NoSolution,
}
