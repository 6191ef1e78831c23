//! What a set is fit for: statistics of its content, and the bars that a measurement class sets.
//! Texts and token ids in, statistics out; files only in `stored`.

mod bars;
mod compressed;
mod content;
mod distribution;
mod experts;
mod fitness;
mod repetition;
mod statistic;
mod stored;
mod stored_text;
mod words;

pub use bars::{Bar, Unit, bars};
pub use content::Content;
pub use distribution::Distribution;
pub use experts::{ExpertUse, LayerUse, RoutedItem};
pub use fitness::{Disqualified, Fitness, by_words, fitness, fitness_of_routing};
pub use statistic::Statistic;
pub use stored::{Known, Measured, known, store};
