//! What is described beside a decision: every pair, other estimators, the structure of the noise,
//! the course of the run. Nothing here changes a verdict.

use serde::{Deserialize, Serialize};

use crate::rule::Decision;
pub use crate::rule::LookOutcome;

/// Everything that is described of one comparison. All figures are of the accepted blocks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// Every pair, by round.
    pub rounds: Vec<RoundFigure>,
    /// The registered estimator and others, in a fixed order; the registered one comes first.
    pub estimators: Vec<EstimatorFigure>,
    /// Tests of "no effect" over round values.
    pub tests: Vec<TestFigure>,
    /// What pairing bought.
    pub pairing: Option<PairingGain>,
    /// Where the spread comes from.
    pub spread: Option<NestedSpread>,
    /// Drift and carry-over.
    pub course: Option<RunCourse>,
    /// Blocks that stand apart: marked, never left out.
    pub outliers: Option<Outliers>,
}

/// One unit of analysis with its pairs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundFigure {
    /// From 0.
    pub round: u32,
    /// Part of the round, from 0: raised where the run was resumed within it.
    pub part: u32,
    /// Trimmed mean of its blocks, log ratio.
    pub value: f64,
    /// Log ratios of its blocks, in order of measurement. Empty where all comparisons of the plan
    /// have more than 2,000 blocks: the samples hold them.
    pub blocks: Vec<f64>,
}

/// An estimate of the same effect by another way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EstimatorFigure {
    /// Which.
    pub estimator: Estimator,
    /// Log ratio.
    pub log_ratio: f64,
    /// Lower end at the confidence of the registered interval; `None` where n supports none.
    pub lo: Option<f64>,
    /// Upper end.
    pub hi: Option<f64>,
    /// What its interval would decide; `None` without one. Of a claim about a class of inputs only
    /// the registered interval decides: the others do not allow for the choice of inputs.
    pub decision: Option<Decision>,
}

/// Ways to estimate an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Estimator {
    /// t over rounds of trimmed means: the registered one.
    TrimmedRounds,
    /// t over rounds of plain means.
    MeanRounds,
    /// Hodges-Lehmann over round values with its signed-rank interval.
    HodgesLehmannRounds,
    /// BCa bootstrap of the mean, resampling whole rounds.
    BcaRounds,
    /// Percentile bootstrap of the mean, resampling whole rounds.
    PercentileRounds,
    /// t over blocks of the trimmed mean, as if blocks were independent.
    TrimmedBlocks,
    /// Welch over block values of either arm, as if they were not paired.
    PooledBlocks,
}

/// A test of "no effect".
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestFigure {
    /// Which.
    pub test: Test,
    /// Two-sided p; `None` where there is nothing to test.
    pub p: Option<f64>,
    /// How it was found: `exact`, `approximate`, `sampled, 100000 draws, seed 20261129`.
    pub method: String,
}

/// Tests that make no assumption of a normal distribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Test {
    SignedRank,
    Sign,
    SignFlip,
}

/// What pairing bought.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairingGain {
    /// Correlation of both arms' log values over blocks; `None` without spread.
    pub correlation: Option<f64>,
    /// Standard error of the mean log ratio over blocks, paired.
    pub paired_standard_error: f64,
    /// The same, not paired (Welch).
    pub pooled_standard_error: f64,
    /// Blocks that the pooled view would need for the paired standard error, over those measured.
    pub blocks_factor: Option<f64>,
}

/// Standard deviations of the log ratio by level, after Kalibera and Jones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NestedSpread {
    /// Between rounds beyond what their blocks explain.
    pub round_sd: f64,
    /// Between blocks of a round beyond what their chunks explain.
    pub block_sd: f64,
    /// Between chunks of a block; `None` for work that is not cut.
    pub chunk_sd: Option<f64>,
    /// Levels whose variance was estimated below zero and is given as zero.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clipped: Vec<String>,
}

/// Drift and carry-over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunCourse {
    /// Change of the log ratio from the first round to the last, by a straight line through round
    /// values: blocks of one round share its restart, and are not independent.
    pub trend: f64,
    /// Two-sided p of no trend.
    pub trend_p: Option<f64>,
    /// Mean log rate at each place within a chunk, less the mean of all places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<PlaceFigure>,
    /// p of no effect of the place.
    pub places_p: Option<f64>,
    /// Correlation of neighbouring round values; `None` under four rounds.
    pub lag_1: Option<f64>,
    /// Rounds that would be worth as much if they were independent.
    pub effective_rounds: Option<f64>,
    /// Where the log ratio, or off's own speed, shifts from one round to the next: the one with the
    /// lower p. `None` where p is over 0.01.
    pub shift: Option<ShiftFigure>,
}

/// One place within a chunk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceFigure {
    /// From 0.
    pub place: u32,
    /// Mean log rate less the mean of all places.
    pub log_rate: f64,
    /// Samples.
    pub n: u32,
}

/// A shift in a series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShiftFigure {
    /// `log_ratio` or `off`.
    pub series: String,
    /// Blocks before it.
    pub after_block: u32,
    /// Mean of the round values after less that before, log scale.
    pub size: f64,
    /// p of no shift, over round values: blocks of one round are not independent.
    pub p: f64,
}

/// Blocks beyond a multiple of the median absolute deviation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outliers {
    /// Scaled median absolute deviations from the median beyond which a block is marked.
    pub threshold: f64,
    /// How many were marked.
    pub count: u32,
    /// `round 3, block 2: -41.20 %`, in order; the first hundred.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marked: Vec<String>,
    /// Blocks that were looked at.
    pub of: u32,
}

/// One look, on exactly the samples it saw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookFigure {
    /// From 1.
    pub look: u32,
    /// Whole rounds that it saw.
    pub rounds: u32,
    /// Those over the rounds of the last look.
    pub information: f64,
    /// Two-sided error of the interval at this look.
    pub nominal_p: f64,
    /// Estimate, log ratio.
    pub log_ratio: f64,
    /// Repeated interval; `None` without one.
    pub lo: Option<f64>,
    /// Its upper end.
    pub hi: Option<f64>,
    /// Units.
    pub units: u32,
    /// What it decided.
    pub outcome: LookOutcome,
    /// Chance of a decision by the last look under the current trend, 0 to 1.
    pub chance_of_decision: Option<f64>,
}

/// The estimate corrected for having been looked at, as description.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdjustedEstimate {
    /// Median-unbiased, log ratio (stage-wise ordering).
    pub log_ratio: f64,
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
}

/// The wider interval of a claim about a class of inputs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassIntervals {
    /// Half width over rounds alone.
    pub rounds_half_width: f64,
    /// Half width over inputs alone.
    pub inputs_half_width: f64,
    /// Half width clustered both ways.
    pub both_half_width: f64,
    /// Different inputs.
    pub inputs: u32,
}
