//! The inputs of primitives: no texts, but places at which the rotation over buffers begins.

use super::canonical::hash;
use super::set::{InputSet, Item};
use crate::manifest::{BUFFERS, MeasurementClass};

/// As many as blocks of a usual round, so that pairs have a key; the worker takes them modulo the
/// number of its buffers.
const PLACES: u32 = 16;

/// The set that every primitive has.
pub(super) fn buffers() -> InputSet {
    let items: Vec<Item> = (1..=PLACES)
        .map(|place| Item {
            id: format!("buffer-{place:02}"),
            text: format!("the rotation begins at buffer {place}"),
        })
        .collect();
    InputSet {
        name: BUFFERS.to_owned(),
        licence: "CC0-1.0".to_owned(),
        source: "no texts: made by this program".to_owned(),
        classes: vec![MeasurementClass::DenseThroughput],
        blake3: hash(&items),
        items,
    }
}
