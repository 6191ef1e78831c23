//! Drawing resamples.

use super::means::resampled_sums;
use crate::{Draws, mean};

/// How to resample: stored wherever a result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resampling {
    /// Resamples to draw.
    pub draws: u32,
    /// Of their stream.
    pub seed: u64,
}

/// Why there is no bootstrap, or no interval from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoBootstrap {
    /// A resample of one unit is that unit.
    #[error("fewer than two units to resample")]
    TooFewUnits,
    /// Over 2^32.
    #[error("more units than can be resampled")]
    TooManyUnits,
    /// A value, or the statistic, is infinite or NaN.
    #[error("a value is not finite")]
    NotFinite,
    /// The statistic has no value for the sample, a resample, or a sample less one unit.
    #[error("the statistic does not exist for every resample")]
    NoStatistic,
    /// Every resample gives the same.
    #[error("no spread: every resample gives the same")]
    NoSpread,
    /// No resamples were asked for.
    #[error("no resamples were asked for")]
    NoDraws,
    /// Not strictly between 0 and 100 percent.
    #[error("the confidence must lie strictly between 0 and 100 percent")]
    Confidence,
    /// BCa: all resamples lie on one side of the estimate.
    #[error("all resamples lie on one side of the estimate: its bias cannot be corrected")]
    BiasUndefined,
    /// BCa: leaving out a unit changes nothing, or the correction turns the interval over.
    #[error("the acceleration cannot be estimated, or is too large to correct by")]
    AccelerationUndefined,
}

/// A statistic over many resamples, from which intervals are taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Bootstrap {
    /// The statistic of the sample itself.
    pub(super) estimate: f64,
    /// Of each resample, in the order drawn, less the estimate.
    pub(super) deviations: Vec<f64>,
    /// From the jackknife over units; `None` when leaving out a unit changes nothing.
    pub(super) acceleration: Option<f64>,
    /// How they were drawn.
    pub(super) resampling: Resampling,
}

impl Resampling {
    /// Resamples the mean of `values`, each a unit of its own. Memory is linear in values and
    /// draws.
    ///
    /// Source: B. Efron, "Bootstrap methods: another look at the jackknife", Annals of
    /// Statistics 7 (1979).
    ///
    /// # Errors
    /// [`NoBootstrap`] for fewer than two values, values that are not finite or all equal, or no
    /// draws.
    pub fn of_values(self, values: &[f64]) -> Result<Bootstrap, NoBootstrap> {
        self.check(values.len())?;
        let centre = mean(values).ok_or(NoBootstrap::TooFewUnits)?;
        let deviations: Vec<f64> = values.iter().map(|value| value - centre).collect();
        if !centre.is_finite() || deviations.iter().any(|value| !value.is_finite()) {
            return Err(NoBootstrap::NotFinite);
        }
        if values.iter().all(|value| Some(value) == values.first()) {
            return Err(NoBootstrap::NoSpread);
        }
        let mut sums = resampled_sums(&deviations, self.draws, &mut self.stream());
        let count = values.len() as f64;
        for sum in &mut sums {
            *sum /= count;
        }
        if sums.iter().any(|value| !value.is_finite()) {
            return Err(NoBootstrap::NotFinite);
        }
        // Leaving out a value moves the mean by its deviation, up to a factor and the sign.
        let acceleration = acceleration(&deviations);
        Ok(Bootstrap { estimate: centre, deviations: sums, acceleration, resampling: self })
    }

    /// Resamples whole clusters, each summed up by `statistic` (a round by its trimmed mean); the
    /// estimate is the mean over clusters.
    ///
    /// # Errors
    /// As [`Resampling::of_values`], and [`NoBootstrap::NoStatistic`] when a cluster has none.
    pub fn of_cluster_means(
        self,
        clusters: &[&[f64]],
        statistic: impl Fn(&[f64]) -> Option<f64>,
    ) -> Result<Bootstrap, NoBootstrap> {
        let values: Option<Vec<f64>> = clusters.iter().map(|cluster| statistic(cluster)).collect();
        self.of_values(&values.ok_or(NoBootstrap::NoStatistic)?)
    }

    /// Resamples whole clusters for any `statistic` of a list of clusters. It is asked
    /// `draws + clusters + 1` times.
    ///
    /// Source: A. C. Davison and D. V. Hinkley, Bootstrap Methods and their Application (1997),
    /// section 3.8: of nested levels, the highest alone is resampled.
    ///
    /// # Errors
    /// [`NoBootstrap`] for fewer than two clusters, a statistic that is missing or not finite
    /// for any resample, resamples that all give the same, or no draws.
    pub fn of_clusters(
        self,
        clusters: &[&[f64]],
        statistic: impl Fn(&[&[f64]]) -> Option<f64>,
    ) -> Result<Bootstrap, NoBootstrap> {
        self.check(clusters.len())?;
        let ask = |sample: &[&[f64]]| -> Result<f64, NoBootstrap> {
            let found = statistic(sample).ok_or(NoBootstrap::NoStatistic)?;
            if found.is_finite() { Ok(found) } else { Err(NoBootstrap::NotFinite) }
        };
        let estimate = ask(clusters)?;
        let mut stream = self.stream();
        let mut resample: Vec<&[f64]> = Vec::with_capacity(clusters.len());
        let mut deviations = Vec::with_capacity(self.draws as usize);
        for _ in 0..self.draws {
            resample.clear();
            for _ in clusters {
                let place = stream.below(clusters.len() as u64) as usize;
                resample.extend(clusters.get(place));
            }
            deviations.push(ask(&resample)? - estimate);
        }
        if deviations.iter().all(|value| Some(value) == deviations.first()) {
            return Err(NoBootstrap::NoSpread);
        }
        let mut without = Vec::with_capacity(clusters.len());
        for left_out in 0..clusters.len() {
            resample.clear();
            let others = clusters.iter().enumerate().filter(|(place, _)| *place != left_out);
            resample.extend(others.map(|(_, cluster)| cluster));
            without.push(ask(&resample)?);
        }
        let centre = mean(&without).ok_or(NoBootstrap::TooFewUnits)?;
        let influence: Vec<f64> = without.iter().map(|value| centre - value).collect();
        let acceleration = acceleration(&influence);
        Ok(Bootstrap { estimate, deviations, acceleration, resampling: self })
    }

    fn check(&self, units: usize) -> Result<(), NoBootstrap> {
        if units < 2 {
            return Err(NoBootstrap::TooFewUnits);
        }
        if u32::try_from(units).is_err() {
            return Err(NoBootstrap::TooManyUnits);
        }
        if self.draws == 0 {
            return Err(NoBootstrap::NoDraws);
        }
        Ok(())
    }

    fn stream(&self) -> Draws {
        Draws::new(self.seed, "bootstrap")
    }
}

/// Skewness of the jackknife's influence values over 6; `None` without spread.
///
/// Source: B. Efron, "Better bootstrap confidence intervals", JASA 82 (1987), equation 6.6.
fn acceleration(influence: &[f64]) -> Option<f64> {
    // Divided by the largest, so that no cube overflows or vanishes.
    let largest = influence.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if largest == 0.0 {
        return None;
    }
    let (mut squares, mut cubes) = (0.0, 0.0);
    for value in influence {
        let scaled = value / largest;
        squares += scaled * scaled;
        cubes += scaled * scaled * scaled;
    }
    Some(cubes / (6.0 * squares * libm::sqrt(squares)))
}
