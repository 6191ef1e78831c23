//! An order of objects that a seed decides.

/// The same items: in the order given, or, with a seed, in one that the seed and a name decide.
pub fn arranged<T>(items: Vec<T>, seed: Option<u64>, name: &str) -> Vec<T> {
    let Some(seed) = seed else { return items };
    let mut drawn: Vec<(blake3::Hash, T)> = items
        .into_iter()
        .zip(0_u64..)
        .map(|(item, index)| (blake3::hash(format!("{seed}/{name}/{index}").as_bytes()), item))
        .collect();
    drawn.sort_by(|(left, _), (right, _)| left.as_bytes().cmp(right.as_bytes()));
    drawn.into_iter().map(|(_, item)| item).collect()
}
