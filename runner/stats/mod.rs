//! Pure functions of numbers: no files, no clock, no manifest types.
//!
//! Elementary functions come from `libm` and sums run in the order of their arguments, so the
//! same samples give the same bits on every platform. A function whose result does not exist
//! for its arguments returns `None`; none returns NaN for finite arguments.

mod agreement;
mod binomial;
mod bootstrap;
mod draws;
mod equivalence;
mod family;
mod hodges_lehmann;
mod incomplete_beta;
mod log_ratio;
mod mann_whitney;
mod marks;
mod normal;
mod quantile;
mod quantile_interval;
mod rank_sums;
mod sign_flip;
mod sign_test;
mod signed_rank;
mod spread;
mod student;
mod sum;
mod t_interval;
mod tail_latency;
mod trimmed_mean;
mod walsh;
mod welch;

#[cfg(test)]
mod metamorphic_tests;
#[cfg(test)]
mod reference_tests;

pub use agreement::{SignCounts, sign_counts};
pub use binomial::{binomial_at_least, binomial_at_most};
pub use bootstrap::{Bootstrap, NoBootstrap, ResampledInterval, Resampling};
pub use draws::Draws;
pub use equivalence::equivalence_p;
pub use family::{holm, simultaneous_confidence_percent};
pub use hodges_lehmann::{
    HodgesLehmannInterval, RankMethod, hodges_lehmann, hodges_lehmann_interval,
};
pub use incomplete_beta::incomplete_beta;
pub use log_ratio::{log_of_percent, log_ratio, log_ratios, percent_of_log};
pub use mann_whitney::{MannWhitney, MannWhitneyP, mann_whitney};
pub use marks::{MarkScale, Marks, mad_marks};
pub use normal::{normal_probability, normal_quantile};
pub use quantile::{Quartiles, median, quantile, quartiles};
pub use quantile_interval::{QuantileInterval, quantile_interval};
pub use sign_flip::{LARGEST_EXACT_SIGN_FLIP, SignFlipP, sign_flip_exact_p, sign_flip_p};
pub use sign_test::sign_test_p;
pub use signed_rank::{SignedRankP, signed_rank_p};
pub use spread::{mean, standard_deviation};
pub use student::{student_quantile, student_two_sided_p};
pub use sum::sum;
pub use t_interval::{MeanInterval, t_interval};
pub use tail_latency::{TailCounts, TailFinding, TailRule, TailRuleFault, TailVerdict};
pub use trimmed_mean::{TRIMMED_SHARE, trimmed_mean, trimmed_mean_interval};
pub use welch::{WelchInterval, welch_interval};
