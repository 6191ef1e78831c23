//! Sets that are part of the program.

/// Their names.
pub const EMBEDDED_NAMES: &[&str] = &["prose-48", "code-48", "filler-48"];

/// The file of a set, as it lies in `experiments/workloads/`.
#[must_use]
pub fn embedded_text(name: &str) -> Option<&'static str> {
    match name {
        "prose-48" => Some(include_str!("../../experiments/workloads/prose-48.toml")),
        "code-48" => Some(include_str!("../../experiments/workloads/code-48.toml")),
        "filler-48" => Some(include_str!("../../experiments/workloads/filler-48.toml")),
        _ => None,
    }
}

/// What was measured of the built-in sets, as it lies beside them.
pub(super) fn embedded_calibrations() -> [&'static str; 3] {
    [
        include_str!("../../experiments/workloads/prose-48.calibration.toml"),
        include_str!("../../experiments/workloads/code-48.calibration.toml"),
        include_str!("../../experiments/workloads/filler-48.calibration.toml"),
    ]
}
