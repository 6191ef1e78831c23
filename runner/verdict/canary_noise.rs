//! The machine's noise figure: how evenly the canary ran between blocks.

use serde::{Deserialize, Serialize};

use crate::stats::quartiles;

/// Fixed work, timed before each block.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CanaryNoise {
    /// A chain of computations on one core.
    pub processor: CanarySpread,
    /// One pass over memory.
    pub memory: CanarySpread,
}

/// Times of one half of the canary.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CanarySpread {
    /// Readings.
    pub n: u32,
    /// Nanoseconds.
    pub median: f64,
    /// First quartile, nanoseconds.
    pub q1: f64,
    /// Third quartile, nanoseconds.
    pub q3: f64,
    /// Least, nanoseconds.
    pub least: f64,
    /// Greatest, nanoseconds.
    pub greatest: f64,
    /// Between the quartiles, over the median, percent.
    pub spread_percent: f64,
}

impl CanaryNoise {
    /// Of readings in nanoseconds, processor and memory; `None` without any.
    #[must_use]
    pub fn of(readings: &[(u64, u64)]) -> Option<CanaryNoise> {
        let half = |of: &dyn Fn(&(u64, u64)) -> u64| {
            CanarySpread::of(
                &readings.iter().map(|reading| of(reading) as f64).collect::<Vec<f64>>(),
            )
        };
        Some(CanaryNoise {
            processor: half(&|reading| reading.0)?,
            memory: half(&|reading| reading.1)?,
        })
    }
}

impl CanarySpread {
    fn of(nanoseconds: &[f64]) -> Option<CanarySpread> {
        let five = quartiles(nanoseconds).filter(|five| five.median > 0.0)?;
        Some(CanarySpread {
            n: nanoseconds.len() as u32,
            median: five.median,
            q1: five.first,
            q3: five.third,
            least: five.least,
            greatest: five.greatest,
            spread_percent: 100.0 * (five.third - five.first) / five.median,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::CanaryNoise;

    #[test]
    fn spread_is_between_the_quartiles() {
        let readings: Vec<(u64, u64)> = (0..5).map(|step| (100 + step, 1000)).collect();
        let noise = CanaryNoise::of(&readings).unwrap();
        assert_eq!((noise.processor.n, noise.processor.median), (5, 102.0));
        assert!((noise.processor.spread_percent - 200.0 / 102.0).abs() < 1e-12);
        assert_eq!(noise.memory.spread_percent, 0.0);
        assert_eq!(CanaryNoise::of(&[]), None);
        // a clock that stood still says nothing of the machine
        assert_eq!(CanaryNoise::of(&[(0, 0)]), None);
    }
}
