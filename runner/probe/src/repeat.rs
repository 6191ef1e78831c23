//! The same work on several threads at the same time, repeated.

use std::sync::Barrier;
use std::thread;

use super::clock::Clock;

/// Repetitions of a measurement: fewer make no quartiles, more tell nothing new.
const FEWEST: u32 = 5;
const MOST: u32 = 51;

/// Runs `work` on `threads` threads at once, over and over for about `budget_nanoseconds`, and
/// gives the time of each repetition in nanoseconds: from the start of the first thread to the
/// end of the last, so that work over time never says more than was done.
///
/// Each thread makes its own material first: memory lies where its thread runs.
pub(crate) fn repeat<Material>(
    clock: Clock<'_>,
    threads: u32,
    budget_nanoseconds: u64,
    make: &(dyn Fn() -> Material + Sync),
    work: &(dyn Fn(&mut Material) + Sync),
) -> Vec<u64> {
    let begun = clock();
    let mut first = 0;
    if threads <= 1 {
        let mut material = make();
        // once untimed: pages, caches and the processor's clock are as they will be
        work(&mut material);
        let mut times = Vec::new();
        while times.len() < repetitions(budget_nanoseconds, clock() - begun, first) {
            let start = clock();
            work(&mut material);
            let time = clock().saturating_sub(start);
            first = first.max(time);
            times.push(time);
        }
        return times;
    }
    // How often is settled before the threads start, so that all repeat equally often.
    let count = {
        let mut material = make();
        work(&mut material);
        let start = clock();
        work(&mut material);
        let time = clock().saturating_sub(start).max(1);
        let left = budget_nanoseconds.saturating_sub(clock().saturating_sub(begun));
        // threads share what there is of memory: each may be as much slower as there are of them
        (left / time.saturating_mul(2)).clamp(u64::from(FEWEST), u64::from(MOST))
    };
    let gate = Barrier::new(threads as usize);
    let one_thread = || {
        let mut material = make();
        work(&mut material);
        let mut spans = Vec::new();
        for _ in 0..count {
            gate.wait();
            let start = clock();
            work(&mut material);
            spans.push((start, clock()));
        }
        spans
    };
    let spans: Vec<Vec<(u64, u64)>> = thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(one_thread)).collect();
        running.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    (0..count as usize)
        .filter_map(|repetition| {
            let mut of_all = spans.iter().filter_map(|spans| spans.get(repetition));
            let (start, end) = *of_all.next()?;
            let (start, end) =
                of_all.fold((start, end), |(start, end), (other_start, other_end)| {
                    (start.min(*other_start), end.max(*other_end))
                });
            Some(end.saturating_sub(start))
        })
        .collect()
}

/// How many repetitions are wanted in all, when so much of the budget is used.
fn repetitions(budget: u64, used: u64, longest: u64) -> usize {
    if used.saturating_add(longest) < budget { MOST as usize } else { FEWEST as usize }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::repeat;

    #[test]
    fn every_thread_does_every_repetition_and_few_fit_a_small_budget() {
        // a clock that advances by a microsecond at each reading
        let now = AtomicU64::new(0);
        let clock = || now.fetch_add(1000, Ordering::SeqCst);
        let done = AtomicU64::new(0);
        for threads in [1, 3] {
            done.store(0, Ordering::SeqCst);
            let work = |_: &mut ()| {
                done.fetch_add(1, Ordering::SeqCst);
            };
            let times = repeat(&clock, threads, 0, &|| (), &work);
            assert_eq!(times.len(), 5);
            assert!(times.iter().all(|time| *time >= 1000));
            assert!(done.load(Ordering::SeqCst) >= u64::from(threads) * 5);
        }
    }

    #[test]
    fn a_large_budget_is_not_used_up() {
        let now = AtomicU64::new(0);
        let clock = || now.fetch_add(1000, Ordering::SeqCst);
        assert_eq!(repeat(&clock, 1, u64::MAX, &|| (), &|_| {}).len(), 51);
        assert_eq!(repeat(&clock, 2, u64::MAX, &|| (), &|_| {}).len(), 51);
    }
}
