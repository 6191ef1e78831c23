//! What the machine was like, from the journal's blocks to the record.

use std::collections::BTreeMap;

use super::entry::{BlockSurroundings, Waited};
use crate::verdict::{SurroundingReading, Surroundings};

/// Reasons that a record keeps: who waits often is told enough by the first ones.
const MOST_REASONS: usize = 10;

/// Over all blocks; nothing where no block says anything, as in journals of earlier versions.
pub(super) fn surroundings(blocks: &[BlockSurroundings]) -> Option<Surroundings> {
    if blocks.is_empty() {
        return None;
    }
    let waits: Vec<&Waited> = blocks.iter().filter_map(|block| block.waited.as_ref()).collect();
    let mut by_name: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (name, value) in blocks.iter().flat_map(|block| &block.readings) {
        by_name.entry(name).or_default().push(*value);
    }
    let nanoseconds = waits.iter().fold(0, |sum: u64, wait| sum.saturating_add(wait.nanoseconds));
    Some(Surroundings {
        waits: u32::try_from(waits.len()).unwrap_or(u32::MAX),
        waited_seconds: nanoseconds as f64 / 1e9,
        shut_by: waits.iter().take(MOST_REASONS).map(|wait| wait.shut_by.clone()).collect(),
        readings: by_name.into_iter().filter_map(|(name, values)| reading(name, values)).collect(),
    })
}

fn reading(name: &str, mut values: Vec<f64>) -> Option<SurroundingReading> {
    values.sort_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    let lower = *values.get((values.len() - 1) / 2)?;
    Some(SurroundingReading {
        name: name.to_owned(),
        blocks: u32::try_from(values.len()).unwrap_or(u32::MAX),
        median: f64::midpoint(lower, upper),
        most: *values.last()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_are_summed_up_by_name_and_waits_are_counted() {
        let block = |value: f64, waited: Option<Waited>| BlockSurroundings {
            waited,
            readings: BTreeMap::from([("major_faults".to_owned(), value)]),
        };
        let wait = Waited { nanoseconds: 1_500_000_000, shut_by: "others_cpu is 80".to_owned() };
        let found = surroundings(&[block(4.0, None), block(1.0, Some(wait)), block(2.0, None)]);
        let found = found.unwrap();
        assert_eq!((found.waits, found.waited_seconds), (1, 1.5));
        assert_eq!(found.shut_by, ["others_cpu is 80"]);
        let reading = &found.readings[0];
        assert_eq!((reading.blocks, reading.median, reading.most), (3, 2.0, 4.0));
        assert_eq!(surroundings(&[]), None);
    }
}
