//! Intervals from a statistic's resamples.

use super::resampling::{Bootstrap, NoBootstrap, Resampling};
use crate::{normal_cdf, normal_quantile};

/// Resamples within this share of the resamples' range count as equal to the estimate: the order
/// of a sum changes its rounding.
const ROUNDING: f64 = 1e-12;

/// An estimate with an interval, in the unit of the values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResampledInterval {
    /// The statistic of the sample itself.
    pub estimate: f64,
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
    /// How the resamples were drawn.
    pub resampling: Resampling,
}

impl Bootstrap {
    /// The statistic of the sample itself, in its unit.
    #[must_use]
    pub fn estimate(&self) -> f64 {
        self.estimate
    }

    /// The percentile interval: quantiles (type 7) of the resamples.
    ///
    /// Source: B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap (1993), 13.3.
    ///
    /// # Errors
    /// [`NoBootstrap::Confidence`].
    pub fn percentile(&self, confidence_percent: f64) -> Result<ResampledInterval, NoBootstrap> {
        let tail = tail(confidence_percent)?;
        let [lo, hi] = self.quantiles([tail, 1.0 - tail])?;
        Ok(self.interval(lo, hi))
    }

    /// The basic interval: the percentile interval mirrored at the estimate.
    ///
    /// Source: A. C. Davison and D. V. Hinkley (1997), as above, 5.2.1.
    ///
    /// # Errors
    /// [`NoBootstrap::Confidence`].
    pub fn basic(&self, confidence_percent: f64) -> Result<ResampledInterval, NoBootstrap> {
        let tail = tail(confidence_percent)?;
        let [lo, hi] = self.quantiles([tail, 1.0 - tail])?;
        Ok(self.interval(-hi, -lo))
    }

    /// The bias-corrected and accelerated interval.
    ///
    /// Source: B. Efron, "Better bootstrap confidence intervals", JASA 82 (1987). The bias counts
    /// resamples that equal the estimate as half below it, as SciPy does.
    ///
    /// # Errors
    /// [`NoBootstrap::Confidence`]; [`NoBootstrap::BiasUndefined`] or
    /// [`NoBootstrap::AccelerationUndefined`] where the corrections do not exist.
    pub fn bca(&self, confidence_percent: f64) -> Result<ResampledInterval, NoBootstrap> {
        let tail = tail(confidence_percent)?;
        let bias = normal_quantile(self.share_below()).ok_or(NoBootstrap::BiasUndefined)?;
        let acceleration = self.acceleration.ok_or(NoBootstrap::AccelerationUndefined)?;
        let z = normal_quantile(tail).ok_or(NoBootstrap::Confidence)?;
        let corrected = |z: f64| {
            let sum = bias + z;
            let rest = 1.0 - acceleration * sum;
            if rest > 0.0 {
                Ok(normal_cdf(bias + sum / rest))
            } else {
                Err(NoBootstrap::AccelerationUndefined)
            }
        };
        let [lo, hi] = self.quantiles([corrected(z)?, corrected(-z)?])?;
        Ok(self.interval(lo, hi))
    }

    fn interval(&self, lo: f64, hi: f64) -> ResampledInterval {
        ResampledInterval {
            estimate: self.estimate,
            lo: self.estimate + lo,
            hi: self.estimate + hi,
            resampling: self.resampling,
        }
    }

    /// Share of resamples below the estimate, those equal to it counting one half.
    fn share_below(&self) -> f64 {
        let least = self.deviations.iter().fold(f64::INFINITY, |least, value| least.min(*value));
        let most = self.deviations.iter().fold(f64::NEG_INFINITY, |most, value| most.max(*value));
        let tolerance = ROUNDING * (most - least);
        let below = self.deviations.iter().filter(|value| **value < -tolerance).count() as f64;
        let up_to = self.deviations.iter().filter(|value| **value <= tolerance).count() as f64;
        (below + up_to) / (2.0 * self.deviations.len() as f64)
    }

    /// Quantiles of the deviations by linear interpolation (type 7), by selection: nothing is
    /// sorted.
    fn quantiles(&self, probabilities: [f64; 2]) -> Result<[f64; 2], NoBootstrap> {
        let mut working = self.deviations.clone();
        let last = working.len().checked_sub(1).ok_or(NoBootstrap::NoDraws)?;
        let mut found = [0.0; 2];
        for (quantile, probability) in found.iter_mut().zip(probabilities) {
            let place = probability.clamp(0.0, 1.0) * last as f64;
            let below = (libm::floor(place) as usize).min(last);
            let (_, low, above) = working.select_nth_unstable_by(below, f64::total_cmp);
            let share = place - below as f64;
            *quantile = *low;
            if share > 0.0 {
                let next = above.iter().fold(f64::INFINITY, |least, value| least.min(*value));
                if next.is_finite() {
                    *quantile += share * (next - *low);
                }
            }
        }
        Ok(found)
    }
}

/// Error on either side, as a share.
fn tail(confidence_percent: f64) -> Result<f64, NoBootstrap> {
    let tail = (100.0 - confidence_percent) / 200.0;
    if tail > 0.0 && tail < 0.5 { Ok(tail) } else { Err(NoBootstrap::Confidence) }
}
