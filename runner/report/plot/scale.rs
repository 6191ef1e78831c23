//! Log ratios on an axis, with ticks at round percentages or factors.

use crate::report::axis_range::axis_range;

/// A range of log ratios and where it is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    lo: f64,
    hi: f64,
    start: f64,
    end: f64,
}

/// Room left at either end, as a share of the whole.
const ROOM: f64 = 0.04;

/// From so wide a range on (in all a factor of 2.7) ticks are factors.
const FACTORS_FROM: f64 = 1.0;

/// Most ticks.
const MOST_TICKS: f64 = 5.0;

impl Scale {
    /// Holds zero and all of the values that are numbers.
    pub fn of(values: impl IntoIterator<Item = f64>, (start, end): (f64, f64)) -> Scale {
        let (lo, hi) = axis_range(values, ROOM);
        Scale { lo, hi, start, end }
    }

    /// Where a value stands; one beyond the axis stands at its end.
    pub fn at(&self, value: f64) -> f64 {
        let share = (value.clamp(self.lo, self.hi) - self.lo) / (self.hi - self.lo);
        self.start + share * (self.end - self.start)
    }

    /// Whether a value lies on the axis.
    pub fn holds(&self, value: f64) -> bool {
        (self.lo..=self.hi).contains(&value)
    }

    /// Log ratios to mark, with their texts.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let width = self.hi - self.lo;
        if width > FACTORS_FROM {
            let doublings = libm::ceil(width / core::f64::consts::LN_2 / MOST_TICKS).max(1.0);
            let step = doublings * core::f64::consts::LN_2;
            return self.steps(step).map(|(_, log)| (log, factor(log))).collect();
        }
        let percents = |log: f64| 100.0 * libm::expm1(log);
        let step = round_step((percents(self.hi) - percents(self.lo)) / MOST_TICKS);
        let first = libm::ceil(percents(self.lo) / step);
        (0..)
            .map(|place| (first + f64::from(place)) * step)
            .take_while(|percent| *percent <= percents(self.hi))
            .map(|percent| (libm::log1p(percent / 100.0), percent_text(percent, step)))
            .collect()
    }

    fn steps(&self, step: f64) -> impl Iterator<Item = (i32, f64)> {
        let (first, last) = (libm::ceil(self.lo / step) as i32, libm::floor(self.hi / step) as i32);
        (first..=last).map(move |place| (place, f64::from(place) * step))
    }
}

/// 1, 2 or 5 times a power of ten, at least so much.
fn round_step(least: f64) -> f64 {
    let power = libm::pow(10.0, libm::floor(libm::log10(least.max(1e-6))));
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| step * power >= least);
    step.unwrap_or(10.0) * power
}

fn percent_text(percent: f64, step: f64) -> String {
    // rounding leaves zero a little beside zero
    if percent.abs() < step / 2.0 {
        return "0".to_owned();
    }
    let decimals = if step < 0.1 {
        2
    } else if step < 1.0 {
        1
    } else {
        0
    };
    format!("{percent:+.decimals$} %")
}

fn factor(log: f64) -> String {
    let factor = libm::exp(log);
    let text = if factor < 0.1 { format!("{factor:.3}") } else { format!("{factor:.2}") };
    format!("{}x", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::Scale;

    fn texts(values: [f64; 2]) -> Vec<String> {
        Scale::of(values, (0.0, 100.0)).ticks().into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(texts([-0.021, 0.052]), ["-2 %", "0", "+2 %", "+4 %"]);
        assert_eq!(texts([0.0, 0.0]), ["-1.0 %", "-0.5 %", "0", "+0.5 %", "+1.0 %"]);
        assert_eq!(texts([-0.8, 1.5]), ["0.5x", "1x", "2x", "4x"]);
    }

    #[test]
    fn what_lies_beyond_stands_at_the_end() {
        let scale = Scale::of([-0.1, 0.1], (10.0, 20.0));
        assert_eq!((scale.at(-9.0), scale.at(9.0), scale.at(0.0)), (10.0, 20.0, 15.0));
        assert!(scale.holds(0.1) && !scale.holds(0.2));
    }
}
