//! Rows of logits of two sides, compared one position at a time.

use engine_protocol::Token;

use crate::stats::{LogitDivergence, RowFault, Side, Top, compare_logits, mean, median, quantile};
use crate::verdict::NamedFigure;

/// Compares rows of two sources of logits as they are read; a few numbers a row are kept.
#[derive(Debug, Clone)]
pub struct LogitsComparison {
    sides: Sides,
    rows: Vec<Row>,
    fault: Option<LogitFault>,
}

/// What the two sides are called in messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sides {
    /// Off, and an arm that made a promise.
    OffAndArm,
    /// Two processes of one arm.
    FirstAndSecond,
    /// Off, and an arm, both after the last timed block.
    AfterTiming,
}

impl Sides {
    fn name(self, side: Side) -> &'static str {
        match (self, side) {
            (Sides::OffAndArm, Side::Here) => "off",
            (Sides::OffAndArm, Side::There) => "the arm",
            (Sides::FirstAndSecond, Side::Here) => "the first process",
            (Sides::FirstAndSecond, Side::There) => "the second process",
            (Sides::AfterTiming, Side::Here) => "off after timing",
            (Sides::AfterTiming, Side::There) => "the arm after timing",
        }
    }
}

/// One position.
#[derive(Debug, Clone, Copy)]
struct Row {
    position: u64,
    found: LogitDivergence,
    /// -ln of the probability that each side gives the token that follows in the text, nats.
    surprise: Option<(f64, f64)>,
}

/// Why rows cannot be compared, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("position {position}: {what}")]
pub struct LogitFault {
    /// Position in the text.
    pub position: u64,
    /// What is wrong, and on which side.
    pub what: String,
}

/// A figure and the position where it is, with the most likely tokens there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// The figure.
    pub value: f64,
    /// Position in the text.
    pub position: u64,
    /// The first side's most likely token there, with its margin over the second.
    pub here: Top,
    /// The second side's.
    pub there: Top,
}

/// What comparing rows of logits found.
#[derive(Debug, Clone, PartialEq)]
pub struct LogitFigures {
    /// Positions compared.
    pub compared: u64,
    /// Least cosine.
    pub cosine_min: Option<Place>,
    /// Mean cosine.
    pub cosine_mean: Option<f64>,
    /// Least cosine of the rows less their means; `None` also where a row is constant.
    pub centred_cosine_min: Option<f64>,
    /// Its mean.
    pub centred_cosine_mean: Option<f64>,
    /// KL(off || arm) over positions, nats.
    pub kl_mean: Option<f64>,
    /// Median.
    pub kl_median: Option<f64>,
    /// 99th percentile (type 7).
    pub kl_p99: Option<f64>,
    /// Greatest.
    pub kl_max: Option<Place>,
    /// Share of positions with the same most likely token, 0 to 1.
    pub argmax_agreement: Option<f64>,
    /// Where the most likely tokens differ and the lesser of the two margins is largest: how far
    /// from a tie the clearest disagreement is. The value is that margin.
    pub clearest_disagreement: Option<Place>,
    /// Largest difference of two logits.
    pub largest_difference: Option<Place>,
    /// Perplexity of the text on the second side over that on the first.
    pub perplexity_ratio: Option<f64>,
    /// The first position where the most likely tokens differ, in words.
    pub first_argmax_difference: Option<String>,
    /// A row that could not be compared: the contract fails, whatever the other rows say.
    pub fault: Option<LogitFault>,
}

impl LogitsComparison {
    /// Nothing compared yet.
    #[must_use]
    pub fn of(sides: Sides) -> LogitsComparison {
        LogitsComparison { sides, rows: Vec::new(), fault: None }
    }

    /// Compares one position. Rows are raw logits over the vocabulary, of the same length; `next`
    /// is the token that follows in the text. After a fault further rows are ignored.
    pub fn add(&mut self, position: u64, next: Option<Token>, here: &[f32], there: &[f32]) {
        if self.fault.is_some() {
            return;
        }
        match compare_logits(here, there) {
            Ok(found) => {
                let next = next.and_then(|token| usize::try_from(token).ok());
                let surprise = next.and_then(|token| {
                    let here = found.here.negative_log_likelihood(here, token)?;
                    Some((here, found.there.negative_log_likelihood(there, token)?))
                });
                self.rows.push(Row { position, found, surprise });
            }
            Err(fault) => {
                self.fault = Some(LogitFault { position, what: words(fault, self.sides) });
            }
        }
    }

    /// Puts later rows after these. After a fault they are ignored.
    pub fn append(&mut self, later: LogitsComparison) {
        if self.fault.is_none() {
            self.rows.extend(later.rows);
            self.fault = later.fault;
        }
    }

    /// What was found over all rows.
    #[must_use]
    pub fn finish(self) -> LogitFigures {
        let rows = &self.rows;
        let all = |of: fn(&Row) -> f64| rows.iter().map(of).collect::<Vec<f64>>();
        let cosines = all(|row| row.found.values.cosine);
        let divergences = all(|row| row.found.kl);
        let centred: Option<Vec<f64>> =
            rows.iter().map(|row| row.found.values.centred_cosine).collect();
        let agreed = rows.iter().filter(|row| row.found.same_top()).count();
        let apart = || rows.iter().filter(|row| !row.found.same_top());
        let clearest = |row: &Row| row.found.here.top.margin.min(row.found.there.top.margin);
        LogitFigures {
            compared: rows.len() as u64,
            cosine_min: greatest(rows.iter(), |row| -row.found.values.cosine)
                .map(|place| Place { value: -place.value, ..place }),
            cosine_mean: mean(&cosines),
            centred_cosine_min: centred.as_ref().and_then(|all| quantile(all, 0.0)),
            centred_cosine_mean: centred.as_ref().and_then(|all| mean(all)),
            kl_mean: mean(&divergences),
            kl_median: median(&divergences),
            kl_p99: quantile(&divergences, 0.99),
            kl_max: greatest(rows.iter(), |row| row.found.kl),
            argmax_agreement: (!rows.is_empty()).then(|| agreed as f64 / rows.len() as f64),
            clearest_disagreement: greatest(apart(), clearest),
            largest_difference: greatest(rows.iter(), |row| row.found.values.largest_difference),
            perplexity_ratio: perplexity_ratio(rows),
            first_argmax_difference: apart().next().map(|row| disagreement(row, self.sides)),
            fault: self.fault,
        }
    }
}

/// exp(mean surprise there - mean surprise here) over the positions that have a next token.
fn perplexity_ratio(rows: &[Row]) -> Option<f64> {
    let known = rows.iter().filter_map(|row| row.surprise);
    let differences: Vec<f64> = known.map(|(here, there)| there - here).collect();
    mean(&differences).map(libm::exp)
}

fn disagreement(row: &Row, sides: Sides) -> String {
    let (here, there) = (row.found.here.top, row.found.there.top);
    format!(
        "position {}: {} prefers token {} (by {}), {} token {} (by {})",
        row.position,
        sides.name(Side::Here),
        here.token,
        shown(Some(here.margin)),
        sides.name(Side::There),
        there.token,
        shown(Some(there.margin)),
    )
}

/// The first of the rows with the greatest value.
fn greatest<'row>(
    rows: impl Iterator<Item = &'row Row>,
    of: impl Fn(&Row) -> f64,
) -> Option<Place> {
    let place = |row: &Row| Place {
        value: of(row),
        position: row.position,
        here: row.found.here.top,
        there: row.found.there.top,
    };
    rows.map(place).reduce(|most, next| if next.value > most.value { next } else { most })
}

fn words(fault: RowFault, sides: Sides) -> String {
    match fault {
        RowFault::UnlikeLengths { here, there } => format!(
            "{} has {here} logits, {} {there}",
            sides.name(Side::Here),
            sides.name(Side::There)
        ),
        RowFault::TooShort { values: 0, .. } => "there are no logits".to_owned(),
        RowFault::TooShort { .. } => "there is a single logit".to_owned(),
        RowFault::NotFinite { side, index, value } => {
            format!("the logit of token {index} is {value} in {}", sides.name(side))
        }
        RowFault::AllZero { side } => format!("every logit is zero in {}", sides.name(side)),
    }
}

impl LogitFigures {
    /// All figures as numbers, by name.
    #[must_use]
    pub fn named(&self) -> Vec<NamedFigure> {
        let figure = |name: &str, value: Option<f64>| NamedFigure { name: name.to_owned(), value };
        let value = |place: Option<Place>| place.map(|place| place.value);
        let position = |place: Option<Place>| place.map(|place| place.position as f64);
        vec![
            figure("cosine_min", value(self.cosine_min)),
            figure("cosine_min_position", position(self.cosine_min)),
            figure("cosine_mean", self.cosine_mean),
            figure("centred_cosine_min", self.centred_cosine_min),
            figure("centred_cosine_mean", self.centred_cosine_mean),
            figure("kl_mean", self.kl_mean),
            figure("kl_median", self.kl_median),
            figure("kl_p99", self.kl_p99),
            figure("kl_max", value(self.kl_max)),
            figure("kl_max_position", position(self.kl_max)),
            figure("argmax_agreement", self.argmax_agreement),
            figure("argmax_disagreement_margin_max", value(self.clearest_disagreement)),
            figure("largest_difference", value(self.largest_difference)),
            figure("largest_difference_position", position(self.largest_difference)),
            figure("perplexity_ratio", self.perplexity_ratio),
        ]
    }

    /// Those that bars are set on, of a text beside the worst one, which their names name.
    #[must_use]
    pub fn named_of(&self, set: &str) -> Vec<NamedFigure> {
        const BARS: [&str; 5] =
            ["cosine_min", "kl_mean", "kl_p99", "argmax_agreement", "perplexity_ratio"];
        let mut figures = self.named();
        figures.retain(|figure| BARS.contains(&figure.name.as_str()));
        for figure in &mut figures {
            figure.name.push_str(&format!(" on {set}"));
        }
        figures
    }
}

/// Cosines near 1 need their nines, divergences near 0 their zeros.
pub(super) fn shown(value: Option<f64>) -> String {
    match value {
        Some(value) if value != 0.0 && value.abs() < 1e-3 => format!("{value:.2e}"),
        Some(value) => format!("{value:.6}"),
        None => "none".to_owned(),
    }
}
