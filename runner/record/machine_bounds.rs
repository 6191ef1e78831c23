//! What a machine can do at most, stored by its name: `results/machines/<name>/bounds.toml`.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::provenance::MachineFacts;
use super::store;
use super::verify::{Finding, failed, stray};
use crate::failure::Failure;
use crate::project::Project;
use crate::stats::quartiles;
use crate::verdict::{MachineBounds, MultiplyAdds, WorkingSetBandwidth};

/// Folder of machines in results/.
pub const MACHINES_FOLDER: &str = "machines";
const BOUNDS_FILE: &str = "bounds.toml";
const FORMAT: u32 = 1;
/// Fewer draws have no quartiles of their own; as many as the probes repeat at the least.
const FEWEST_DRAWS: u32 = 5;

/// How many 8-bit multiply-adds an instruction does at most where one of 16-bit pairs was timed: a
/// register holds twice as many of them.
const OF_EIGHT_BITS: f64 = 2.0;
/// The operand that this is about.
const PAIRS: &str = "i16";

/// Bounds as they are stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredBounds {
    /// Version of this form: 1.
    pub format_version: u32,
    /// The machine's name: a hash of its hardware.
    pub machine: String,
    /// UTC, RFC 3339.
    pub at: String,
    /// How long it took, seconds.
    pub seconds: f64,
    /// Instructions that the probes used: `avx512`, `avx2`, `neon`, `baseline`.
    pub instructions: String,
    /// Units of this processor for whole matrices, which no probe uses (`amx_int8`, …).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matrix_units: Vec<String>,
    /// The last-level cache, bytes; absent where the machine hides it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_level_cache_bytes: Option<u64>,
    /// Steps of the timer, nanoseconds; absent where none was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timer_nanoseconds: Option<Distribution>,
    /// Reading, bytes a second.
    pub read: Vec<MemoryFigure>,
    /// Copying, bytes a second; each byte counts once.
    pub copy: Vec<MemoryFigure>,
    /// Multiply-adds a second.
    pub multiply_adds: Vec<ArithmeticFigure>,
    /// The machine's facts.
    pub facts: MachineFacts,
}

/// A bandwidth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryFigure {
    /// All threads together.
    pub working_set_bytes: u64,
    /// Threads at the same time.
    pub threads: u32,
    /// Bytes a second.
    pub bytes_per_second: Distribution,
}

/// A rate of multiply-adds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArithmeticFigure {
    /// `f32`, `f64`, `i16`.
    pub operand: String,
    /// Threads at the same time.
    pub threads: u32,
    /// A second.
    pub per_second: Distribution,
}

/// Repetitions of one measurement.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Distribution {
    pub n: u32,
    pub least: f64,
    pub q1: f64,
    pub median: f64,
    pub q3: f64,
    pub greatest: f64,
}

impl Distribution {
    /// Of these values; `None` where there are none.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Distribution> {
        let five = quartiles(values)?;
        Some(Distribution {
            n: values.len() as u32,
            least: five.least,
            q1: five.first,
            median: five.median,
            q3: five.third,
            greatest: five.greatest,
        })
    }
}

impl StoredBounds {
    /// The version that is written now.
    pub const FORMAT: u32 = FORMAT;

    /// What figures are held against: the largest over thread counts and repetitions, and what is
    /// not known of it.
    #[must_use]
    pub fn largest(&self) -> (MachineBounds, Vec<String>) {
        let mut unknown = Vec::new();
        let multiply_adds = match self.arithmetic() {
            Ok(largest) => Some(largest),
            Err(why) => {
                unknown.push(format!("the arithmetic bound: {why}"));
                None
            }
        };
        let bounds = MachineBounds {
            machine: self.machine.clone(),
            measured_at: self.at.clone(),
            read: largest_of(&self.read),
            copy: largest_of(&self.copy),
            multiply_adds,
        };
        (bounds, unknown)
    }

    /// The largest rate over all types, 8-bit integers as twice the 16-bit ones.
    fn arithmetic(&self) -> Result<MultiplyAdds, String> {
        if !self.matrix_units.is_empty() {
            return Err(format!(
                "this processor has units that no probe uses ({})",
                self.matrix_units.join(", ")
            ));
        }
        if !self.multiply_adds.iter().any(|figure| figure.operand == PAIRS) {
            return Err(
                "integers were not measured: no probe uses this processor's instructions for them"
                    .to_owned(),
            );
        }
        let rows = self.multiply_adds.iter().map(|figure| {
            let greatest = figure.per_second.greatest;
            let (operand, largest_per_second) = if figure.operand == PAIRS {
                (format!("i8 (twice {PAIRS})"), OF_EIGHT_BITS * greatest)
            } else {
                (figure.operand.clone(), greatest)
            };
            MultiplyAdds { operand, largest_per_second, threads: figure.threads }
        });
        rows.max_by(|one, other| one.largest_per_second.total_cmp(&other.largest_per_second))
            .ok_or_else(|| "nothing was measured".to_owned())
    }

    /// Every figure is a number that can be.
    fn check(&self) -> Result<(), String> {
        if self.format_version != FORMAT {
            return Err(format!(
                "its format has version {}, this program reads {FORMAT}",
                self.format_version
            ));
        }
        let memory = self.read.iter().chain(&self.copy).map(|figure| &figure.bytes_per_second);
        let arithmetic = self.multiply_adds.iter().map(|figure| &figure.per_second);
        let sound = |values: &Distribution| {
            let rising =
                [values.least, values.q1, values.median, values.q3, values.greatest].is_sorted();
            rising && values.least > 0.0 && values.greatest.is_finite()
        };
        let mut all = memory.chain(arithmetic);
        if !all.clone().all(sound) {
            return Err("it holds a figure that cannot be".to_owned());
        }
        if let Some(few) = all.find(|values| values.n < FEWEST_DRAWS) {
            let draws = if few.n == 1 { "draw" } else { "draws" };
            return Err(format!(
                "a figure of {} {draws} is no distribution: {FEWEST_DRAWS} are the fewest",
                few.n
            ));
        }
        Ok(())
    }
}

/// The largest by working set, over thread counts and repetitions; the smallest set first.
fn largest_of(figures: &[MemoryFigure]) -> Vec<WorkingSetBandwidth> {
    let mut rows: Vec<WorkingSetBandwidth> = Vec::new();
    for figure in figures {
        let row = WorkingSetBandwidth {
            working_set_bytes: figure.working_set_bytes,
            largest_bytes_per_second: figure.bytes_per_second.greatest,
            threads: figure.threads,
        };
        match rows.iter_mut().find(|one| one.working_set_bytes == row.working_set_bytes) {
            Some(one) if one.largest_bytes_per_second < row.largest_bytes_per_second => *one = row,
            Some(_) => {}
            None => rows.push(row),
        }
    }
    rows.sort_by_key(|row| row.working_set_bytes);
    rows
}

/// Writes the bounds of a machine, in place of older ones.
///
/// # Errors
/// When the file cannot be written.
pub fn store_bounds(project: &Project, bounds: &StoredBounds) -> Result<PathBuf, Failure> {
    let folder = project.results.join(MACHINES_FOLDER).join(&bounds.machine);
    store::make_folder(&folder)?;
    let path = folder.join(BOUNDS_FILE);
    let text = toml::to_string(bounds).map_err(|error| Failure::failed(error.to_string()))?;
    store::write_whole(&path, text.as_bytes())?;
    Ok(path)
}

/// The bounds of a machine; `None` where none are stored.
///
/// # Errors
/// When they cannot be read, or are those of another machine.
pub fn read_bounds(project: &Project, machine: &str) -> Result<Option<StoredBounds>, Failure> {
    // a run whose results lie elsewhere, as a trial's or a cluster's job do, is on the same machine
    let places = [project.results.clone(), project.with_own_results().results];
    let files = places.map(|results| results.join(MACHINES_FOLDER).join(machine).join(BOUNDS_FILE));
    let Some(path) = files.into_iter().find(|path| path.is_file()) else {
        return Ok(None);
    };
    read(&path, machine).map(Some).map_err(|why| {
        Failure::failed(format!("the machine's bounds cannot be read: {why}"))
            .at(path.display())
            .hint("restore the file, or measure again: `runner machine bounds`")
    })
}

fn read(path: &Path, machine: &str) -> Result<StoredBounds, String> {
    let text = store::read_text(path).map_err(|failure| failure.what)?;
    let bounds: StoredBounds =
        toml::from_str(&text).map_err(|error| error.message().trim().to_owned())?;
    bounds.check()?;
    if bounds.machine != machine {
        return Err(format!("they are those of `{}`", bounds.machine));
    }
    Ok(bounds)
}

/// What a verification has to say of the folder of machines.
pub(super) fn verify_machines(project: &Project) -> Result<Vec<Finding>, Failure> {
    let machines = project.results.join(MACHINES_FOLDER);
    let mut findings = Vec::new();
    for machine in store::names_in(&machines)? {
        let place = format!("{MACHINES_FOLDER}/{machine}");
        if !machines.join(&machine).is_dir() {
            findings.push(stray(&place));
            continue;
        }
        for name in store::names_in(&machines.join(&machine))? {
            let place = format!("{place}/{name}");
            if name != BOUNDS_FILE {
                findings.push(stray(&place));
            } else if let Err(why) = read(&machines.join(&machine).join(&name), &machine) {
                findings.push(failed(&place, why));
            }
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn even(value: f64) -> Distribution {
        Distribution::of(&[value; FEWEST_DRAWS as usize]).unwrap()
    }

    fn stored() -> StoredBounds {
        let memory = |working_set_bytes, threads, value| MemoryFigure {
            working_set_bytes,
            threads,
            bytes_per_second: even(value),
        };
        let arithmetic = |operand: &str, value| ArithmeticFigure {
            operand: operand.to_owned(),
            threads: 2,
            per_second: even(value),
        };
        StoredBounds {
            format_version: 1,
            machine: "machine-1".to_owned(),
            at: "2026-11-30T02:00:00.000Z".to_owned(),
            seconds: 20.0,
            instructions: "avx2".to_owned(),
            matrix_units: Vec::new(),
            last_level_cache_bytes: None,
            timer_nanoseconds: None,
            read: vec![
                memory(1 << 20, 1, 50e9),
                memory(1 << 20, 2, 90e9),
                memory(1 << 28, 1, 12e9),
            ],
            copy: Vec::new(),
            multiply_adds: vec![arithmetic("f32", 90e9), arithmetic("i16", 60e9)],
            facts: MachineFacts::new(),
        }
    }

    #[test]
    fn the_largest_over_threads_counts_and_eight_bits_as_twice_sixteen() {
        let (bounds, unknown) = stored().largest();
        assert_eq!(unknown, Vec::<String>::new());
        assert_eq!(bounds.read.len(), 2);
        assert_eq!((bounds.read[0].largest_bytes_per_second, bounds.read[0].threads), (90e9, 2));
        let arithmetic = bounds.multiply_adds.unwrap();
        assert_eq!(arithmetic.largest_per_second, 120e9);
        assert_eq!(arithmetic.operand, "i8 (twice i16)");
    }

    #[test]
    fn units_that_no_probe_uses_leave_the_arithmetic_bound_unknown() {
        let mut with = stored();
        with.matrix_units = vec!["amx_int8".to_owned()];
        let (bounds, unknown) = with.largest();
        assert_eq!(bounds.multiply_adds, None);
        assert!(unknown[0].contains("amx_int8"), "{unknown:?}");
        let mut without = stored();
        without.multiply_adds.retain(|figure| figure.operand != "i16");
        assert_eq!(without.largest().0.multiply_adds, None);
    }

    #[test]
    fn a_figure_that_cannot_be_is_refused() {
        assert_eq!(stored().check(), Ok(()));
        for bad in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
            let mut bounds = stored();
            bounds.read[0].bytes_per_second.greatest = bad;
            assert!(bounds.check().is_err(), "{bad}");
        }
    }
}
