//! Shows that the check of bounds can fail: a value that cannot be goes through it, and one that
//! can be.

use sample_table::{SampleRow, SampleState};

use super::blocks::work_of;
use super::bounds::{
    ALLOWANCE, Bound, BoundReached, BoundState, Counted, PROCESSOR, passed, reached,
};
use super::bounds_evidence::{
    ArmTraffic, BoundsEvidence, BoundsProof, MachineBounds, WorkingSetBandwidth,
};
use super::evidence::ArmPrimitive;
use crate::manifest::{Pieces, Plan};

/// Times the limit: known to be impossible.
const IMPOSSIBLE: f64 = 10.0;
/// Of the largest value seen: known to be possible.
const POSSIBLE: f64 = 0.5;

/// Bytes of an evaluation that are made up: 256 MB, so that no bound is that of a small cache.
const BYTES: u64 = 256_000_000;
/// Stands for a machine of which nothing is stored, bytes a second.
const MADE_UP_LARGEST: f64 = 10e9;

/// Lets the check judge off's readings of an impossible and of a possible rate, under the stored
/// bounds of the machine (made-up ones where there are none).
///
/// # Errors
/// In words, when the check lets the impossible pass or refuses the possible.
pub fn bounds_proof(plan: &Plan, machine: Option<&MachineBounds>) -> Result<BoundsProof, String> {
    let largest = machine
        .and_then(|machine| machine.read_of(BYTES))
        .map(|row| row.largest_bytes_per_second)
        .filter(|largest| largest.is_finite() && *largest > 0.0);
    let (machine, largest) = match (machine, largest) {
        (Some(machine), Some(largest)) => (machine.clone(), largest),
        _ => (made_up(), MADE_UP_LARGEST),
    };
    let limit = ALLOWANCE * largest;
    let impossible = IMPOSSIBLE * limit;
    let state = |rate| judged(plan, &machine, rate);
    match state(impossible) {
        Some(BoundState::Passed) => {}
        other => return Err(format!("{} was judged {other:?}", gigabytes(impossible))),
    }
    if !is_void(plan, &judged_all(plan, &machine, impossible)) {
        return Err(format!("{} passed its bound and voids nothing", gigabytes(impossible)));
    }
    match state(POSSIBLE * largest) {
        Some(BoundState::Within) => {}
        other => return Err(format!("{} was judged {other:?}", gigabytes(POSSIBLE * largest))),
    }
    Ok(BoundsProof { impossible_bytes_per_second: impossible, limit_bytes_per_second: limit })
}

fn gigabytes(value: f64) -> String {
    Bound::ReadBandwidth.a_second(value)
}

fn made_up() -> MachineBounds {
    let row = WorkingSetBandwidth {
        working_set_bytes: BYTES,
        largest_bytes_per_second: MADE_UP_LARGEST,
        threads: 1,
    };
    MachineBounds {
        machine: "made up".to_owned(),
        measured_at: String::new(),
        read: vec![row],
        copy: Vec::new(),
        multiply_adds: None,
    }
}

/// What the check says of a rate of off's, claimed for the first condition value.
fn judged(plan: &Plan, machine: &MachineBounds, rate: f64) -> Option<BoundState> {
    let found = judged_all(plan, machine, rate);
    found.iter().find(|one| one.bound != Bound::MultiplyAdds).map(|one| one.state)
}

/// Whether a comparison would be void by what was found: the last step of the check.
fn is_void(plan: &Plan, found: &[BoundReached]) -> bool {
    let off = plan.arms.get(plan.off());
    off.zip(found.first())
        .is_some_and(|(off, first)| passed(plan, found, off, &first.condition).is_some())
}

/// All that the check finds of a rate of off's, claimed for the first condition value.
fn judged_all(plan: &Plan, machine: &MachineBounds, rate: f64) -> Vec<BoundReached> {
    let Some(off) = plan.arms.get(plan.off()).map(|off| off.name.to_string()) else {
        return Vec::new();
    };
    let work = work_of(plan, plan.metric.primary);
    // one token reads all of it, whatever the work is
    let nanoseconds = (BYTES as f64 / rate * 1e9) as u64;
    let row = SampleRow {
        condition: 0,
        round: 0,
        segment: 0,
        block: 0,
        chunk: 0,
        place: 0,
        arm: off.clone(),
        input: String::new(),
        work,
        tokens: 1,
        nanoseconds: nanoseconds.max(1),
        started_nanoseconds: 0,
        state: SampleState::Timed,
        energy: None,
        flags: String::new(),
    };
    let traffic = ArmTraffic {
        arm: off,
        condition: 0,
        block_bytes: BYTES,
        output_bytes: 0,
        kv_bytes: 0,
        operations: 0,
        last_operations: 0,
        micro_batch_tokens: None,
        sequences: 1,
    };
    let bounds = BoundsEvidence {
        machine: Some(machine.clone()),
        traffic: vec![traffic],
        unknown: Vec::new(),
        proof: BoundsProof { impossible_bytes_per_second: rate, limit_bytes_per_second: 0.0 },
    };
    // and a repetition of a primitive moves as much
    let primitive = ArmPrimitive {
        arm: row.arm.clone(),
        condition: 0,
        pieces: Pieces::One,
        description: String::new(),
        bytes_moved: BYTES,
        operations: 0,
        device: PROCESSOR.to_owned(),
        buffers: 1,
        buffer_bytes: BYTES,
        cache_bytes: None,
    };
    let counted = Counted { speculation: &[], primitives: &[primitive] };
    reached(plan, &[row], &bounds, counted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::test_plan::plan;

    #[test]
    fn the_impossible_is_found_with_stored_bounds_and_without() {
        let plan = plan(8, 6);
        let without = bounds_proof(&plan, None).unwrap();
        assert_eq!(without.limit_bytes_per_second, 12.5e9);
        let mut machine = made_up();
        machine.read[0].largest_bytes_per_second = 40e9;
        let with = bounds_proof(&plan, Some(&machine)).unwrap();
        assert_eq!(with.limit_bytes_per_second, 50e9);
        assert_eq!(with.impossible_bytes_per_second, 500e9);
        // figures that bound nothing are not taken for bounds
        machine.read[0].largest_bytes_per_second = f64::INFINITY;
        assert_eq!(bounds_proof(&plan, Some(&machine)), Ok(without));
    }
}
