//! Measures what this machine can do at most, and stores it under the machine's name.

use std::path::PathBuf;
use std::time::Duration;

use machine_probe::{Operand, copy, instructions, multiply_adds, read, timer_steps};

use super::clock::{self, SegmentClock};
use super::conduct::lock_file;
use super::lock::MachineLock;
use super::machine_root::{DESCRIBED_BY, machine_name, machine_root};
use crate::failure::Failure;
use crate::machine::{Facts, MachineRoot};
use crate::project::Project;
use crate::record::{
    ArithmeticFigure, Distribution, MemoryFigure, StoredBounds, machine_facts, store_bounds,
};

/// The smallest working set: larger than a first-level cache.
const SMALLEST_BYTES: u64 = 256 << 10;
/// The largest, at the least.
const LARGEST_BYTES: u64 = 256 << 20;
/// The largest is so many times the last-level cache, so that little of it is found there.
const TIMES_CACHE: u64 = 4;
/// But never more than this part of main memory.
const OF_MEMORY: u64 = 8;
/// Readings of the timer.
const TIMER_READINGS: u32 = 100_000;
/// Every count of threads up to here is measured; beyond, powers of two and all.
const EVERY_THREAD_COUNT: u32 = 4;

/// Bounds that were measured now, and where they are stored.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredBounds {
    /// The figures.
    pub bounds: StoredBounds,
    /// Their file.
    pub path: PathBuf,
}

/// Measures for about `budget`, and stores the figures.
///
/// # Errors
/// Refused when a timed run holds this machine; failed when the file cannot be written.
pub fn machine_bounds(project: &Project, budget: Duration) -> Result<MeasuredBounds, Failure> {
    let root = machine_root();
    let facts = Facts::read(&root);
    let _lock = MachineLock::take(&lock_file(), "machine bounds")?;
    let bounds = measured(&root, &facts, budget);
    let path = store_bounds(project, &bounds)?;
    Ok(MeasuredBounds { bounds, path })
}

fn measured(root: &MachineRoot, facts: &Facts, budget: Duration) -> StoredBounds {
    let at = clock::utc_now();
    let running = SegmentClock::start();
    let now = move || running.nanoseconds();
    let sizes = working_sets(facts);
    let threads = thread_counts(most_threads(facts));
    let cells = threads.len() * (2 * sizes.len() + Operand::ALL.len());
    let each = clock::nanoseconds(budget) / cells.max(1) as u64;
    let timer_nanoseconds = Distribution::of(&timer_steps(&now, TIMER_READINGS));
    let mut bounds = StoredBounds {
        format_version: StoredBounds::FORMAT,
        machine: machine_name(facts),
        at,
        seconds: 0.0,
        instructions: instructions().to_owned(),
        matrix_units: matrix_units(root),
        last_level_cache_bytes: last_level_cache(facts),
        timer_nanoseconds,
        read: Vec::new(),
        copy: Vec::new(),
        multiply_adds: Vec::new(),
        facts: machine_facts(facts),
    };
    for &threads in &threads {
        for &working_set_bytes in &sizes {
            let values = read(&now, working_set_bytes, threads, each);
            bounds.read.extend(memory(working_set_bytes, threads, &values));
        }
        for &working_set_bytes in &sizes {
            let values = copy(&now, working_set_bytes, threads, each);
            bounds.copy.extend(memory(working_set_bytes, threads, &values));
        }
        for operand in Operand::ALL {
            let values = multiply_adds(&now, operand, threads, each).unwrap_or_default();
            bounds.multiply_adds.extend(Distribution::of(&values).map(|per_second| {
                ArithmeticFigure { operand: operand.name().to_owned(), threads, per_second }
            }));
        }
    }
    if !root.is_live() {
        let (name, value) = DESCRIBED_BY;
        bounds.facts.insert(name.to_owned(), value.to_owned());
    }
    bounds.seconds = (now() / 1_000_000) as f64 / 1000.0; // milliseconds are enough
    bounds
}

fn memory(working_set_bytes: u64, threads: u32, values: &[f64]) -> Option<MemoryFigure> {
    let bytes_per_second = Distribution::of(values)?;
    Some(MemoryFigure { working_set_bytes, threads, bytes_per_second })
}

/// Four times as large from one to the next.
fn working_sets(facts: &Facts) -> Vec<u64> {
    let beyond_cache = last_level_cache(facts).map_or(0, |bytes| bytes.saturating_mul(TIMES_CACHE));
    let wanted = LARGEST_BYTES.max(beyond_cache);
    let room = facts.memory_bytes.known().map_or(LARGEST_BYTES, |bytes| bytes / OF_MEMORY);
    let most = wanted.min(room).max(SMALLEST_BYTES);
    let mut sizes: Vec<u64> =
        std::iter::successors(Some(SMALLEST_BYTES), |bytes| bytes.checked_mul(4))
            .take_while(|bytes| *bytes < most)
            .collect();
    sizes.push(most);
    sizes
}

fn last_level_cache(facts: &Facts) -> Option<u64> {
    let caches = facts.caches.known()?;
    caches.iter().max_by_key(|cache| cache.level).map(|cache| cache.bytes)
}

/// What affinity and quota allow. Where the machine hides it, what the standard library makes of it.
fn most_threads(facts: &Facts) -> u32 {
    facts.usable_threads().unwrap_or_else(|| {
        std::thread::available_parallelism()
            .ok()
            .and_then(|count| u32::try_from(count.get()).ok())
            .unwrap_or(1)
    })
}

fn thread_counts(most: u32) -> Vec<u32> {
    let mut counts: Vec<u32> = (1..=most.min(EVERY_THREAD_COUNT)).collect();
    counts.extend(
        std::iter::successors(Some(2 * EVERY_THREAD_COUNT), |count| count.checked_mul(2))
            .take_while(|count| *count < most),
    );
    if counts.last() != Some(&most) {
        counts.push(most);
    }
    counts
}

/// Units for whole matrices, by the kernel's names for them. What cannot be read leaves none: then
/// the processor's name is not known either.
fn matrix_units(root: &MachineRoot) -> Vec<String> {
    let text = root.text("proc/cpuinfo");
    let text = text.known().map_or("", String::as_str);
    let words = |heading: &str| {
        let line = text.lines().find(|line| line.starts_with(heading));
        line.and_then(|line| line.split_once(':')).map_or("", |(_, words)| words)
    };
    // `smep` of x86 has nothing to do with `sme` of Arm
    let of_x86 = words("flags").split_whitespace().filter(|word| word.starts_with("amx_"));
    let of_arm = words("Features").split_whitespace().filter(|word| word.starts_with("sme"));
    of_x86.chain(of_arm).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::{matrix_units, thread_counts};
    use crate::machine::MachineRoot;

    #[test]
    fn units_for_matrices_are_those_of_the_processors_own_kind() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("proc")).unwrap();
        for (text, units) in [
            ("flags\t\t: fpu smep sse2 avx512_vnni", vec![]),
            ("flags\t\t: fpu smep amx_bf16 amx_tile", vec!["amx_bf16", "amx_tile"]),
            ("Features\t: fp asimd sme sme2", vec!["sme", "sme2"]),
        ] {
            std::fs::write(folder.path().join("proc/cpuinfo"), text).unwrap();
            assert_eq!(matrix_units(&MachineRoot::below(folder.path())), units);
        }
    }

    #[test]
    fn few_threads_are_counted_one_by_one_and_all_are_always_among_them() {
        assert_eq!(thread_counts(1), [1]);
        assert_eq!(thread_counts(2), [1, 2]);
        assert_eq!(thread_counts(6), [1, 2, 3, 4, 6]);
        assert_eq!(thread_counts(8), [1, 2, 3, 4, 8]);
        assert_eq!(thread_counts(96), [1, 2, 3, 4, 8, 16, 32, 64, 96]);
    }
}
