//! Blocks that stand apart, in words.

use crate::verdict::Outliers;

/// Places named in a line; the record has more.
const SHOWN: usize = 8;

/// One line: how many, of how many, and where.
pub(super) fn line(outliers: &Outliers) -> String {
    let found = format!(
        "outliers: {} of {} blocks beyond {} scaled median absolute deviations",
        outliers.count, outliers.of, outliers.threshold
    );
    if outliers.marked.is_empty() {
        return found;
    }
    let shown: Vec<&str> = outliers.marked.iter().take(SHOWN).map(String::as_str).collect();
    let more = (outliers.count as usize).saturating_sub(shown.len());
    let more = if more == 0 { String::new() } else { format!("; {more} more") };
    format!("{found}, marked and kept: {}{more}", shown.join("; "))
}
