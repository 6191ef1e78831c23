//! Plots as SVG.

mod forest;
mod ink;
mod ladder;
mod operating;
mod pairs;
mod scale;
mod scatter;
mod svg;
mod timeline;

pub use operating::operating_svg;

pub(super) use forest::{ForestRow, Mark, forest};
pub(super) use ladder::{Rung, RungMark, ladder};
pub(super) use operating::operating_figure;
pub(super) use pairs::{EveryPair, PairRow, every_pair};
pub(super) use scatter::{Scatter, scatter};
pub(super) use timeline::{Timeline, timeline};

/// Width of a drawing that stands in a column of a page: that of a phone, so that it is read there
/// without being scaled, and three stand side by side elsewhere.
const COLUMN: f64 = 360.0;

/// Size of its small texts.
const SMALL: f64 = 11.0;

/// Half the width of a letter of a small text, on the safe side.
const HALF_LETTER: f64 = 3.7;
