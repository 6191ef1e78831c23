//! Plots as SVG.

mod operating;
mod svg;

pub use operating::operating_svg;
