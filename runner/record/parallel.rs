//! Work on many records at once.

/// Maps in order, on all processors.
pub(super) fn in_parallel<Item: Sync, Out: Send>(
    items: &[Item],
    map: impl Fn(&Item) -> Out + Sync,
) -> Vec<Out> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let share = items.len().div_ceil(threads).max(1);
    let mut mapped = Vec::with_capacity(items.len());
    std::thread::scope(|scope| {
        let handles: Vec<_> = items
            .chunks(share)
            .map(|chunk| scope.spawn(|| chunk.iter().map(&map).collect::<Vec<Out>>()))
            .collect();
        for handle in handles {
            match handle.join() {
                Ok(part) => mapped.extend(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    mapped
}
