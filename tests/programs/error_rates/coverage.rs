//! How often each interval holds the truth.

use runner::stats::{
    Draws, Resampling, binomial_interval, hodges_lehmann_interval, quantile_interval, t_interval,
    trimmed_mean_interval, two_way_interval, welch_interval,
};

/// Nominal, of every interval.
const CONFIDENCE_PERCENT: f64 = 95.0;

/// Resamples behind a bootstrap's interval.
const DRAWS: u32 = 2_000;

/// How round values are distributed about a known centre.
#[derive(Debug, Clone, Copy)]
enum Shape {
    Normal,
    /// Student's t with 2 degrees of freedom: symmetric, without a variance.
    HeavyTails,
    /// Exponential: skewed; its mean is the truth.
    Skewed,
}

impl Shape {
    fn draw(self, draws: &mut Draws) -> f64 {
        match self {
            Shape::Normal => draws.normal(),
            Shape::HeavyTails => {
                let normal = draws.normal();
                let square = draws.normal().powi(2) + draws.normal().powi(2);
                normal / (square / 2.0).sqrt()
            }
            Shape::Skewed => -(1.0 - draws.unit()).ln() - 1.0,
        }
    }
}

type Interval = fn(&[f64], u64) -> Option<(f64, f64)>;

const INTERVALS: [(&str, Interval); 6] = [
    ("t over rounds (the registered one)", |values, _| {
        t_interval(values, CONFIDENCE_PERCENT).map(|found| (found.lo, found.hi))
    }),
    ("trimmed mean", |values, _| {
        trimmed_mean_interval(values, CONFIDENCE_PERCENT).map(|found| (found.lo, found.hi))
    }),
    ("Hodges-Lehmann", |values, _| {
        hodges_lehmann_interval(values, CONFIDENCE_PERCENT).map(|found| (found.lo, found.hi))
    }),
    ("median by order statistics", |values, _| {
        quantile_interval(values, 0.5, CONFIDENCE_PERCENT).map(|found| (found.lo, found.hi))
    }),
    ("percentile bootstrap", |values, seed| {
        let resampled = Resampling { draws: DRAWS, seed }.of_values(values).ok()?;
        resampled.percentile(CONFIDENCE_PERCENT).ok().map(|found| (found.lo, found.hi))
    }),
    ("BCa bootstrap", |values, seed| {
        let resampled = Resampling { draws: DRAWS, seed }.of_values(values).ok()?;
        resampled.bca(CONFIDENCE_PERCENT).ok().map(|found| (found.lo, found.hi))
    }),
];

const CASES: [(&str, Shape, usize); 4] = [
    ("normal, n = 8", Shape::Normal, 8),
    ("normal, n = 16", Shape::Normal, 16),
    ("Student t(2), n = 16", Shape::HeavyTails, 16),
    ("exponential, n = 16", Shape::Skewed, 16),
];

/// The table of coverages, in Markdown.
pub fn table(experiments: u32, seed: u64) -> String {
    let heads: Vec<&str> = CASES.iter().map(|case| case.0).collect();
    let mut lines = vec![
        format!(
            "{experiments} samples behind each share, seed {seed}; nominal {CONFIDENCE_PERCENT} %; in \
             brackets the 99 % interval of the share."
        ),
        String::new(),
        format!("| interval, holds the truth | {} |", heads.join(" | ")),
        format!("|---|{}", "---|".repeat(heads.len())),
    ];
    for (name, interval) in INTERVALS {
        let cells: Vec<String> = CASES
            .iter()
            .map(|&(label, shape, n)| {
                share(experiments, |number| {
                    let mut draws = Draws::new(seed.wrapping_add(number), label);
                    let values: Vec<f64> = (0..n).map(|_| shape.draw(&mut draws)).collect();
                    interval(&values, seed.wrapping_add(number))
                })
            })
            .collect();
        lines.push(format!("| {name} | {} |", cells.join(" | ")));
    }
    lines.push(String::new());
    lines.push("| of two samples, or clustered | |".to_owned());
    lines.push("|---|---|".to_owned());
    let welch = share(experiments, |number| {
        let mut draws = Draws::new(seed.wrapping_add(number), "welch");
        let one: Vec<f64> = (0..16).map(|_| draws.normal()).collect();
        let other: Vec<f64> = (0..16).map(|_| 3.0 * draws.normal()).collect();
        welch_interval(&one, &other, CONFIDENCE_PERCENT).map(|found| (found.lo, found.hi))
    });
    lines.push(format!("| Welch, 16 and 16 values, spreads 1 and 3 | {welch} |"));
    for (label, input_sd) in [("none", 0.0), ("as large as that of rounds", 1.0)] {
        let found =
            share(experiments, |number| class_interval(seed.wrapping_add(number), input_sd));
        lines.push(format!(
            "| class of inputs, widest of three, 16 rounds of 6 blocks, 48 inputs twice; effect of \
             inputs: {label} | {found} |"
        ));
    }
    lines.join("\n")
}

/// The widest of the half widths over rounds, over inputs, and both.
fn class_interval(seed: u64, input_sd: f64) -> Option<(f64, f64)> {
    let mut draws = Draws::new(seed, "class");
    let of_input: Vec<f64> = (0..48).map(|_| input_sd * draws.normal()).collect();
    let (mut values, mut rounds, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..16_usize {
        let of_round = draws.normal();
        for block in 0..6 {
            let input = (round * 6 + block) % 48;
            values.push(of_round + of_input[input] + 2.0 * draws.normal());
            rounds.push(round);
            inputs.push(input);
        }
    }
    let found = two_way_interval(&values, &rounds, &inputs, CONFIDENCE_PERCENT)?;
    let half = found.rounds_half_width.max(found.inputs_half_width).max(found.both_half_width);
    Some((found.centre - half, found.centre + half))
}

/// Share of experiments whose interval holds zero; one without an interval does not.
fn share(experiments: u32, interval: impl Fn(u64) -> Option<(f64, f64)>) -> String {
    let holds = (0..u64::from(experiments))
        .filter(|&number| interval(number).is_some_and(|(lo, hi)| lo <= 0.0 && 0.0 <= hi))
        .count() as u64;
    let percent = 100.0 * holds as f64 / f64::from(experiments.max(1));
    match binomial_interval(holds, u64::from(experiments), 99.0) {
        Some((lo, hi)) => format!("{percent:.2} % ({:.2} to {:.2})", 100.0 * lo, 100.0 * hi),
        None => "none".to_owned(),
    }
}
