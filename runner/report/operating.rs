//! Operating characteristics: what a design can show, as lines and as tables.

use comfy_table::{Cell, CellAlignment, presets};

use super::figures::confidence;
use super::markdown::line;
use super::rows::counted;
use super::terminal::{Style, new_table, trimmed, wrapped};
use crate::design::{Operating, OperatingRow, PlannedLook, TimeEstimate};
use crate::manifest::InputScope;

/// Looks beyond this many are not listed one by one.
const MOST_LOOKS_LISTED: usize = 6;

/// What the design can tell apart, the table of chances by true effect, and the looks, `width`
/// columns wide or less. Ends with a newline.
#[must_use]
pub fn operating_text(operating: &Operating, width: usize, style: Style) -> String {
    const LABEL: usize = 12; // columns
    let mut out: Vec<String> = Vec::new();
    for (label, lines) in sections(operating) {
        for (place, text) in lines.iter().enumerate() {
            let label = if place == 0 { label } else { "" };
            let mut broken = wrapped(&format!("{:LABEL$}{text}", ""), width, LABEL + 2);
            broken.replace_range(..LABEL, &format!("{label:LABEL$}"));
            out.push(broken);
        }
    }
    out.push(String::new());
    let mut table = new_table(width, style);
    // numbers are read down their columns: no rules between rows
    table.load_style(presets::UTF8_FULL_CONDENSED);
    let (header, rows) = cells(operating);
    table.set_header(header);
    for row in rows {
        table.add_row(row.into_iter().enumerate().map(|(column, text)| {
            let alignment = if column == 0 { CellAlignment::Left } else { CellAlignment::Right };
            Cell::new(text).set_alignment(alignment)
        }));
    }
    out.push(trimmed(&table));
    out.extend(notes(operating).iter().map(|note| wrapped(note, width, 0)));
    out.join("\n") + "\n"
}

/// The same in Markdown, without a heading: lines, table, notes.
#[must_use]
pub fn operating_markdown(operating: &Operating) -> String {
    let mut out = Vec::new();
    for (label, lines) in sections(operating) {
        out.extend(lines.iter().map(|text| format!("- {label}: {}", escaped(text))));
    }
    out.push(String::new());
    let (header, rows) = cells(operating);
    let alignment = header.iter().enumerate();
    let alignment = alignment.map(|(place, _)| if place == 0 { "---" } else { "---:" }.to_owned());
    out.push(line(&header.iter().map(|text| escaped(text)).collect::<Vec<String>>()));
    out.push(line(&alignment.collect::<Vec<String>>()));
    out.extend(
        rows.iter().map(|row| line(&row.iter().map(|text| escaped(text)).collect::<Vec<_>>())),
    );
    out.push(String::new());
    out.extend(notes(operating).iter().map(|note| escaped(note)));
    out.join("\n") + "\n"
}

fn escaped(text: &str) -> String {
    super::escape::markdown_text(text)
}

/// What stands above the table, with its labels.
pub(super) fn sections(operating: &Operating) -> [(&'static str, Vec<String>); 4] {
    [
        ("noise", noise(operating)),
        ("resolution", resolution(operating)),
        ("looks", looks(operating)),
        ("time", time(operating)),
    ]
}

fn noise(operating: &Operating) -> Vec<String> {
    vec![format!(
        "a round's value varies by {} (standard deviation), {}",
        percent(Some(operating.round_value_sd_percent)),
        operating.noise
    )]
}

fn resolution(operating: &Operating) -> Vec<String> {
    let found = &operating.resolution;
    let mut lines: Vec<String> = found
        .wins
        .iter()
        .map(|win| match win.effect_percent {
            Some(effect) => format!(
                "a true effect of {} or more wins with a chance of {}",
                signed(effect),
                share(win.chance)
            ),
            None => format!("no true effect wins with a chance of {}", share(win.chance)),
        })
        .collect();
    lines.push(format!(
        "an interval reaches {} to either side at {}, and the margin is {}: {}",
        percent(found.half_width_percent),
        counted(operating.rounds, "round"),
        percent(Some(operating.margin_percent)),
        match found.rounds_for_margin {
            Some(rounds) => format!("{} bring it to the margin", counted(rounds, "round")),
            None => {
                format!("no number of rounds up to {} brings it to the margin", found.most_rounds)
            }
        }
    ));
    lines.push(match found.rounds_for_level {
        Some(rounds) => {
            format!("where nothing differs, level has a chance of 80 % from {rounds} rounds on")
        }
        None => format!(
            "where nothing differs, level has a chance of 80 % at no number of rounds up to {}",
            found.most_rounds
        ),
    });
    lines.extend(found.shortfalls.iter().map(ToString::to_string));
    lines
}

fn looks(operating: &Operating) -> Vec<String> {
    let looks = &operating.looks;
    if looks.len() < 2 {
        return Vec::new();
    }
    let text = |look: &PlannedLook| {
        let t = look.quantile.map_or_else(|| "none".to_owned(), |t| format!("{t:.3}"));
        format!(
            "look {} at {} rounds: nominal p {}, t {t}, interval {} to either side",
            look.number,
            look.rounds,
            nominal(look.nominal_p),
            percent(look.half_width_percent)
        )
    };
    let mut lines: Vec<String> = if looks.len() <= MOST_LOOKS_LISTED {
        looks.iter().map(text).collect()
    } else {
        let between = format!("and after each of the {} rounds between", looks.len() - 2);
        [looks.first().map(text), Some(between), looks.last().map(text)]
            .into_iter()
            .flatten()
            .collect()
    };
    if let Some(futility) = operating.futility_percent {
        lines.push(format!("parked early when the chance of a decision is under {futility} %"));
    }
    lines
}

fn time(operating: &Operating) -> Vec<String> {
    vec![match &operating.time {
        TimeEstimate::Unknown { because } => format!("unknown: {because}"),
        TimeEstimate::Estimated { minutes, from } => {
            format!("{minutes:.1} min for all rounds, if it runs as fast as {from} did")
        }
    }]
}

pub(super) fn cells(operating: &Operating) -> (Vec<String>, Vec<Vec<String>>) {
    let minutes = operating.time.minutes().is_some();
    let futility = operating.futility_percent.is_some();
    let mut header: Vec<String> =
        ["true effect", "win", "loss", "level", "parked"].map(str::to_owned).to_vec();
    if futility {
        header.push("futile".to_owned());
    }
    header.extend(["void", "rounds"].map(str::to_owned));
    let insufficient = operating.rows.iter().any(|row| row.chances.insufficient > 0.0);
    if insufficient {
        header.push("insufficient".to_owned());
    }
    if minutes {
        header.push("minutes".to_owned());
    }
    let row = |row: &OperatingRow| {
        let chances = &row.chances;
        let mut cells = vec![
            effect(row),
            share(chances.win),
            share(chances.loss),
            share(chances.level),
            share(chances.parked),
        ];
        if futility {
            cells.push(share(chances.parked_by_futility));
        }
        cells.extend([share(chances.void), format!("{:.1}", row.rounds)]);
        if insufficient {
            cells.push(share(chances.insufficient));
        }
        if minutes {
            cells.push(row.minutes.map_or_else(|| "none".to_owned(), |m| format!("{m:.1}")));
        }
        cells
    };
    (header, operating.rows.iter().map(row).collect())
}

/// `+2.01 %, 1 margin`, `+5.00 %, expected`.
fn effect(row: &OperatingRow) -> String {
    let effect = signed(row.true_effect_percent);
    let whole = row.margins.filter(|margins| (margins * 2.0).fract() == 0.0);
    let margins = match whole {
        Some(margins) if margins.abs() <= 2.0 && margins != 0.0 => {
            let plural = if margins.abs() == 1.0 { "" } else { "s" };
            format!(", {margins:+} margin{plural}")
        }
        _ => String::new(),
    };
    let expected = if row.is_expected { ", expected" } else { "" };
    format!("{effect}{margins}{expected}")
}

pub(super) fn notes(operating: &Operating) -> Vec<String> {
    let mut notes = vec![format!(
        "Chances of one comparison over {} simulated experiments, each judged by the whole rule: \
         {}, intervals of {} each, the aa arm, {} registered.{}",
        operating.experiments,
        match operating.looks.len() {
            0 | 1 => "one look".to_owned(),
            looks => format!("{looks} looks"),
        },
        confidence(operating.confidence_of_one_percent),
        counted(operating.rounds, "round"),
        match operating.family {
            1 => String::new(),
            family => format!(
                " All {family} comparisons have the same true effect, and those of one condition \
                 share off's noise; the run goes on until each is decided."
            ),
        }
    )];
    if operating.futility_percent.is_some() {
        notes.push("Futile comparisons are among the parked ones.".to_owned());
    }
    if operating.input_scope == InputScope::Class {
        notes.push(
            "The claim is about a class of inputs: how few they are is in these chances; differences \
             between them are not registered and not in them, so that the run may decide less \
             often."
                .to_owned(),
        );
    }
    notes
}

/// `+5.0 %`; tiny and huge ones with an exponent.
fn signed(percent: f64) -> String {
    let size = percent.abs();
    if !percent.is_finite() {
        "none".to_owned()
    } else if size == 0.0 {
        "0 %".to_owned()
    } else if (0.005..1e6).contains(&size) {
        format!("{percent:+.2} %")
    } else {
        format!("{percent:+.1e} %")
    }
}

/// Three significant digits; tiny and huge ones with an exponent.
fn percent(value: Option<f64>) -> String {
    let Some(value) = value.filter(|value| value.is_finite()) else { return "none".to_owned() };
    let size = value.abs();
    if size != 0.0 && !(1e-3..1e6).contains(&size) {
        return format!("{value:.1e} %");
    }
    let decimals = [100.0, 10.0, 1.0, 0.1, 0.01].iter().filter(|step| size < **step).count();
    let text = format!("{value:.decimals$}");
    let text = if decimals > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text} %")
}

/// A chance: `93.1 %`. Only what never or always came about reads so.
fn share(chance: f64) -> String {
    const LEAST: f64 = 0.0005; // one decimal of a percent is shown
    // a share of counts is off by the rounding of a division
    let certain = 1.0 - f64::EPSILON;
    if !chance.is_finite() {
        "none".to_owned()
    } else if chance <= 0.0 {
        "0 %".to_owned()
    } else if chance >= certain {
        "100 %".to_owned()
    } else if chance < LEAST {
        "<0.1 %".to_owned()
    } else if chance > 1.0 - LEAST {
        ">99.9 %".to_owned()
    } else {
        let text = format!("{:.1}", 100.0 * chance);
        format!("{} %", text.trim_end_matches(".0"))
    }
}

/// A nominal p with three significant digits.
fn nominal(p: f64) -> String {
    if p >= 0.001 { format!("{p:.4}") } else { format!("{p:.2e}") }
}
