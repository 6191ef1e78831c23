//! A counter of microjoules as a processor's would stand in `/sys`, moved by scripted work.

use std::path::Path;

/// Adds the energy of scripted time. The file is replaced in one step, as a kernel would, and begins
/// again at the range that stands beside it.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "energies far below 2^53 microjoules, never negative"
)]
pub fn spend(file: &Path, watts: f64, nanoseconds: u64, (timed, tokens): (usize, usize)) {
    let number = |path: &Path| {
        std::fs::read_to_string(path).ok().and_then(|text| text.trim().parse::<u64>().ok())
    };
    let Some(before) = number(file) else { return };
    let range = number(&file.with_file_name("max_energy_range_uj")).unwrap_or(u64::MAX).max(1);
    let untimed_too = tokens as f64 / timed.max(1) as f64;
    let microjoules = (nanoseconds as f64 * 1e-3 * watts * untimed_too).round() as u64;
    let staged = file.with_file_name("staged");
    let written = std::fs::write(&staged, format!("{}\n", (before + microjoules) % range));
    let _ = written.and_then(|()| std::fs::rename(&staged, file));
}
