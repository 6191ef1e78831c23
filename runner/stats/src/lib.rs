//! Pure functions of numbers: no files, no clock, no manifest types.
//!
//! Elementary functions come from `libm` and sums run in the order of their arguments, so the
//! same samples give the same bits on every platform. A function whose result does not exist
//! for its arguments returns `None`; none returns NaN for finite arguments.

mod agreement;
mod autocorrelation;
mod binomial;
mod bootstrap;
mod change_point;
mod chi_square;
mod divergence;
mod draws;
mod equivalence;
mod f_distribution;
mod family;
mod gauss_legendre;
mod hodges_lehmann;
mod incomplete_beta;
mod layout;
mod log_ratio;
mod mann_whitney;
mod marks;
mod nested_variance;
mod normal;
mod place_effect;
mod power;
mod quantile;
mod quantile_interval;
mod rank_sums;
mod root;
mod sequential;
mod sign_flip;
mod sign_test;
mod signed_rank;
mod spread;
mod student;
mod sum;
mod t_interval;
mod tail_latency;
mod trend;
mod trimmed_mean;
mod two_way;
mod walsh;
mod welch;

#[cfg(test)]
mod metamorphic_tests;
#[cfg(test)]
mod reference_tests;

pub use agreement::{SignCounts, sign_counts};
pub use autocorrelation::{Autocorrelation, autocorrelation};
pub use binomial::{binomial_at_least, binomial_at_most, binomial_interval};
pub use bootstrap::{Bootstrap, NoBootstrap, ResampledInterval, Resampling};
pub use change_point::{ChangePoint, change_point, is_warm_up};
pub use chi_square::{chi_square_p, chi_square_quantile, upper_standard_deviation};
pub use divergence::{
    LogitDivergence, RowFault, Side, Softmax, Top, ValueDivergence, compare_logits, compare_values,
    floats_of_bytes, softmax,
};
pub use draws::Draws;
pub use equivalence::equivalence_p;
pub use f_distribution::f_upper_p;
pub use family::{holm, simultaneous_confidence_percent};
pub use hodges_lehmann::{
    HodgesLehmannInterval, RankMethod, hodges_lehmann, hodges_lehmann_interval,
};
pub use incomplete_beta::incomplete_beta;
pub use layout::{
    Layout, LayoutChoice, LayoutCosts, LayoutVariances, best_layout, layout_half_width,
    layout_seconds, optimal_counts,
};
pub use log_ratio::{log_of_percent, log_ratio, log_ratios, percent_of_log};
pub use mann_whitney::{MannWhitney, MannWhitneyP, mann_whitney};
pub use marks::{MarkScale, Marks, mad_marks};
pub use nested_variance::{LevelVariance, Nested, NestedVariances, nested_variances};
pub use normal::{
    normal_cdf, normal_density, normal_quantile, normal_upper, normal_upper_quantile,
};
pub use place_effect::{PlaceEffect, PlacedValue, place_effect};
pub use power::{
    DecisionChances, decision_chances, equivalence_power, paired_t_power,
    paired_t_resolvable_effect, paired_t_sample_size, resolvable_effect, rounds_for_level,
    rounds_for_win,
};
pub use quantile::{Quartiles, median, quantile, quartiles};
pub use quantile_interval::{QuantileInterval, quantile_interval};
pub use sequential::{
    Continuation, Crossing, FARTHEST_BOUNDARY, SequentialFault, StagewiseEstimate,
    boundaries_of_spending, crossing_probabilities, mixture_bound, mixture_rho,
    obrien_fleming_boundaries, obrien_fleming_spending, pocock_boundaries, pocock_spending,
    stagewise_estimate,
};
pub use sign_flip::{LARGEST_EXACT_SIGN_FLIP, SignFlipP, sign_flip_exact_p, sign_flip_p};
pub use sign_test::sign_test_p;
pub use signed_rank::{SignedRankP, signed_rank_p};
pub use spread::{mean, standard_deviation};
pub use student::{student_quantile, student_two_sided_p};
pub use sum::sum;
pub use t_interval::{MeanInterval, t_interval};
pub use tail_latency::{TailCounts, TailFinding, TailRule, TailRuleFault, TailVerdict};
pub use trend::{Trend, linear_trend};
pub use trimmed_mean::{TRIMMED_SHARE, trimmed_mean, trimmed_mean_interval};
pub use two_way::{TwoWay, two_way_interval, two_way_interval_of_error};
pub use welch::{WelchInterval, welch_interval};
