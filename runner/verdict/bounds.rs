//! Whether a figure passes what the machine can do: bandwidth and arithmetic, for each arm and
//! condition value, for each reading of the clock and for all of them together.

use sample_table::{SampleRow, SampleState, Work};
use serde::{Deserialize, Serialize};

use super::analysis::{Reason, ReasonCode};
use super::blocks::work_of;
use super::bounds_evidence::{ArmTraffic, BoundsEvidence};
use super::evidence::{ArmPrimitive, ArmSpeculation};
use super::words::condition as condition_label;
use crate::manifest::{Arm, Drafting, Plan, Role};

/// Times the largest value that was seen: what passes that is void. The probes are plain loops,
/// run when the machine was as it was then; a quarter covers what a better loop or a cooler
/// machine may add.
pub const ALLOWANCE: f64 = 1.25;

/// ggml's name of the processor as a device: figures of any other have no bound here.
pub(super) const PROCESSOR: &str = "CPU";

/// What a run's workers counted of their work.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counted<'facts> {
    /// Of drafts.
    pub speculation: &'facts [ArmSpeculation],
    /// Of a repetition of a primitive.
    pub primitives: &'facts [ArmPrimitive],
}

/// What bounds a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// Unique bytes times evaluations a second, against reading memory.
    ReadBandwidth,
    /// Bytes that a primitive reads and writes a second, against copying and reading memory.
    MovedBytes,
    /// Multiply-adds of evaluated tokens a second, against arithmetic.
    MultiplyAdds,
}

/// What readings are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CountedIn {
    /// Evaluations of a model's graph.
    #[default]
    Evaluations,
    /// Repetitions of a primitive.
    Repetitions,
}

impl CountedIn {
    fn is_evaluations(&self) -> bool {
        *self == CountedIn::Evaluations
    }

    /// What an amount of bytes or multiply-adds belongs to.
    #[must_use]
    pub fn single(self) -> &'static str {
        match self {
            CountedIn::Evaluations => "an evaluation of one token",
            CountedIn::Repetitions => "a repetition",
        }
    }
}

/// Where a figure stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoundState {
    /// At or under the largest value seen.
    Within,
    /// Over it by no more than the allowance: the probes saw too little, or the figure is wrong.
    OverLargestSeen,
    /// Over the limit.
    Passed,
    /// There is no bound to hold it against.
    Unknown,
}

/// How much of a bound an arm reached at a condition value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoundReached {
    /// The arm.
    pub arm: String,
    /// The condition, `depth_tokens=512`; empty without one.
    pub condition: String,
    /// Which bound.
    pub bound: Bound,
    /// Over all readings, a second: bytes, or multiply-adds.
    pub value: f64,
    /// Of the reading that came highest.
    pub greatest: f64,
    /// Which one that was.
    pub greatest_at: String,
    /// Bytes, or multiply-adds, of one evaluation of one token or one repetition of a primitive.
    pub of_an_evaluation: u64,
    /// Which of them.
    #[serde(default, skip_serializing_if = "CountedIn::is_evaluations")]
    pub counted_in: CountedIn,
    /// The largest value that was seen on this machine, a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub largest_seen: Option<f64>,
    /// Where it stands.
    pub state: BoundState,
}

impl BoundReached {
    /// The value as a share of the largest that was seen, percent.
    #[must_use]
    pub fn share_percent(&self) -> Option<f64> {
        self.largest_seen.map(|largest| 100.0 * self.value / largest)
    }
}

/// What every arm reached at every condition value, in the plan's order. An arm whose traffic is
/// not known, or that has no reading, is not among them.
pub(super) fn reached(
    plan: &Plan,
    samples: &[SampleRow],
    bounds: &BoundsEvidence,
    counted: Counted<'_>,
) -> Vec<BoundReached> {
    let mut found = Vec::new();
    for arm in &plan.arms {
        for (condition, value) in plan.condition_values().into_iter().enumerate() {
            let condition = condition as u32;
            let name = arm.name.as_str();
            let Some(unit) = Unit::of(plan, name, condition, bounds, counted) else { continue };
            let drafts = counted
                .speculation
                .iter()
                .find(|one| one.arm == name && one.condition == condition);
            let case = Case { plan, arm, condition, unit, drafts, bounds };
            found.extend(case.reached(samples, &condition_label(plan, value)));
        }
    }
    found
}

/// What readings are counted in.
#[derive(Debug, Clone, Copy)]
enum Unit<'facts> {
    /// Evaluations of a model's graph.
    Evaluations(&'facts ArmTraffic),
    /// Repetitions of a primitive.
    Repetitions(&'facts ArmPrimitive),
}

impl<'facts> Unit<'facts> {
    /// `None` where it is not known, or nothing bounds it.
    fn of(
        plan: &Plan,
        arm: &str,
        condition: u32,
        bounds: &'facts BoundsEvidence,
        counted: Counted<'facts>,
    ) -> Option<Unit<'facts>> {
        if plan.workload.work.reads_text() {
            let mut all = bounds.traffic.iter();
            return all
                .find(|one| one.arm == arm && one.condition == condition)
                .map(Unit::Evaluations);
        }
        let mut all = counted.primitives.iter();
        all.find(|one| one.arm == arm && one.condition == condition && one.device == PROCESSOR)
            .map(Unit::Repetitions)
    }
}

/// What speaks against a comparison: a bound that its arm, off or an aa arm passed.
pub(super) fn passed(
    plan: &Plan,
    reached: &[BoundReached],
    arm: &Arm,
    condition: &str,
) -> Option<Reason> {
    let is_meant = |name: &str| {
        let role = plan.arms.iter().find(|arm| arm.name.as_str() == name).map(|arm| arm.role);
        name == arm.name.as_str() || matches!(role, Some(Role::Off | Role::Aa))
    };
    reached
        .iter()
        .filter(|found| found.state == BoundState::Passed && found.condition == condition)
        .find(|found| is_meant(&found.arm))
        .map(|found| Reason::new(ReasonCode::BoundPassed, found.sentence()))
}

impl BoundReached {
    /// Both numbers.
    fn sentence(&self) -> String {
        let largest = self.largest_seen.unwrap_or(0.0);
        let did = match self.bound {
            Bound::ReadBandwidth => "would have read",
            Bound::MovedBytes => "would have read and written",
            Bound::MultiplyAdds => "would have done",
        };
        let what = self.bound.largest_seen();
        let (place, value) = if self.value > ALLOWANCE * largest {
            ("over all readings".to_owned(), self.value)
        } else {
            (format!("in {}", self.greatest_at), self.greatest)
        };
        format!(
            "`{}` {did} {} {place} ({} {}); {what} on this machine is {}, \
             and {ALLOWANCE} times that, {}, is passed by nothing that is true",
            self.arm,
            self.bound.a_second(value),
            self.bound.amount(self.of_an_evaluation as f64),
            self.counted_in.single(),
            self.bound.a_second(largest),
            self.bound.a_second(ALLOWANCE * largest),
        )
    }
}

impl Bound {
    /// What it is the largest of.
    #[must_use]
    pub fn largest_seen(self) -> &'static str {
        match self {
            Bound::ReadBandwidth => "the largest read bandwidth seen",
            Bound::MovedBytes => "the most bytes seen read and written",
            Bound::MultiplyAdds => "the most multiply-adds seen",
        }
    }

    /// `12.3 GB/s`, or `45.6 G multiply-adds/s`.
    #[must_use]
    pub fn a_second(self, value: f64) -> String {
        match self {
            Bound::ReadBandwidth | Bound::MovedBytes => format!("{} GB/s", digits(value * 1e-9)),
            Bound::MultiplyAdds => format!("{} G multiply-adds/s", digits(value * 1e-9)),
        }
    }

    /// `134.5 MB`, or `134.5 M multiply-adds`.
    #[must_use]
    pub fn amount(self, value: f64) -> String {
        match self {
            Bound::ReadBandwidth | Bound::MovedBytes => format!("{} MB", digits(value * 1e-6)),
            Bound::MultiplyAdds => format!("{} M multiply-adds", digits(value * 1e-6)),
        }
    }
}

/// Three digits or all before the point.
fn digits(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 0.1 => format!("{value:.2}"),
        _ => format!("{value:.2e}"),
    }
}

/// One arm at one condition value.
struct Case<'a> {
    plan: &'a Plan,
    arm: &'a Arm,
    condition: u32,
    unit: Unit<'a>,
    drafts: Option<&'a ArmSpeculation>,
    bounds: &'a BoundsEvidence,
}

/// Work that was surely done.
#[derive(Debug, Clone, Copy, Default)]
struct Done {
    bytes: f64,
    operations: f64,
}

impl Case<'_> {
    fn reached(&self, samples: &[SampleRow], condition: &str) -> Vec<BoundReached> {
        let timed = work_of(self.plan, self.plan.metric.primary);
        let name = self.arm.name.as_str();
        let mut all = Done::default();
        let mut seconds = 0.0;
        let mut greatest: Option<[(f64, &SampleRow); 2]> = None;
        let mut readings_lack_a_number = false;
        let of_case = samples
            .iter()
            .filter(|row| row.arm == name && row.condition == self.condition && row.work == timed);
        for row in of_case {
            if row.state != SampleState::Timed || row.nanoseconds == 0 {
                readings_lack_a_number = true;
                continue;
            }
            let time = row.nanoseconds as f64 * 1e-9;
            let done = self.done(row);
            all.bytes += done.bytes;
            all.operations += done.operations;
            seconds += time;
            let rates = [(done.bytes / time, row), (done.operations / time, row)];
            greatest = Some(match greatest {
                None => rates,
                Some([bytes, operations]) => {
                    [higher(bytes, rates[0]), higher(operations, rates[1])]
                }
            });
        }
        let Some([bytes, operations]) = greatest else { return Vec::new() };
        // what drafts made of all readings together is counted; of a single one it is not
        if let Some(drafts) = self.drafts.filter(|_| !readings_lack_a_number) {
            let counts = &drafts.counts;
            let counted = self.of_drafts(counts.evaluations, counts.evaluated_tokens);
            all = Done {
                bytes: all.bytes.max(counted.bytes),
                operations: all.operations.max(counted.operations),
            };
        }
        let single = self.single();
        let (memory, counted_in) = match self.unit {
            Unit::Evaluations(_) => (Bound::ReadBandwidth, CountedIn::Evaluations),
            Unit::Repetitions(_) => (Bound::MovedBytes, CountedIn::Repetitions),
        };
        let largest = |bound| self.largest(bound);
        let row = |bound, value: f64, greatest: (f64, &SampleRow), of_an_evaluation: f64| {
            let largest_seen = largest(bound);
            BoundReached {
                arm: name.to_owned(),
                condition: condition.to_owned(),
                bound,
                value,
                greatest: greatest.0,
                greatest_at: place(greatest.1),
                of_an_evaluation: of_an_evaluation as u64,
                counted_in,
                largest_seen,
                state: state(value.max(greatest.0), largest_seen),
            }
        };
        let mut rows = Vec::new();
        // a primitive that computes nothing, or whose bytes are not counted, has no such figure
        if single.bytes > 0.0 {
            rows.push(row(memory, all.bytes / seconds, bytes, single.bytes));
        }
        if single.operations > 0.0 {
            let value = all.operations / seconds;
            rows.push(row(Bound::MultiplyAdds, value, operations, single.operations));
        }
        rows
    }

    /// What evaluations took that workers counted.
    fn of_drafts(&self, evaluations: u64, tokens: u64) -> Done {
        match self.unit {
            Unit::Evaluations(traffic) => decoded(traffic, evaluations, tokens),
            Unit::Repetitions(_) => Done::default(),
        }
    }

    /// One evaluation of one token, or one repetition.
    fn single(&self) -> Done {
        match self.unit {
            Unit::Evaluations(traffic) => decoded(traffic, 1, 1),
            Unit::Repetitions(primitive) => repeated(primitive, 1),
        }
    }

    /// What a reading's tokens or repetitions took at the least.
    fn done(&self, row: &SampleRow) -> Done {
        let tokens = u64::from(row.tokens);
        let traffic = match self.unit {
            Unit::Repetitions(primitive) => return repeated(primitive, tokens),
            Unit::Evaluations(traffic) => traffic,
        };
        match row.work {
            Work::Decode => {
                // one that drafts keeps at most its draft and one token more of an evaluation
                let most = self.plan.drafting_of(self.arm).map_or(0, Drafting::beyond);
                let most = u64::from(most) + 1;
                let width = most.saturating_mul(u64::from(traffic.sequences.max(1)));
                decoded(traffic, tokens.div_ceil(width), tokens)
            }
            Work::Prefill | Work::Prompt => {
                let most = traffic.micro_batch_tokens.map_or(tokens, u64::from).max(1);
                let each = traffic.block_bytes as f64 + traffic.kv_bytes as f64;
                Done {
                    bytes: tokens.div_ceil(most) as f64 * each + traffic.output_bytes as f64,
                    operations: tokens as f64 * traffic.operations as f64
                        + traffic.last_operations as f64,
                }
            }
            // of a plan that reads text none has such readings
            Work::Primitive => Done::default(),
        }
    }

    fn largest(&self, bound: Bound) -> Option<f64> {
        let machine = self.bounds.machine.as_ref()?;
        let largest = match bound {
            Bound::ReadBandwidth | Bound::MovedBytes => {
                match self.unit {
                    Unit::Evaluations(_) => machine.read_of(self.single().bytes as u64)?,
                    Unit::Repetitions(primitive) => {
                        let buffers = u64::from(primitive.buffers);
                        machine.moved_of(primitive.buffer_bytes.saturating_mul(buffers))?
                    }
                }
                .largest_bytes_per_second
            }
            Bound::MultiplyAdds => machine.multiply_adds.as_ref()?.largest_per_second,
        };
        (largest.is_finite() && largest > 0.0).then_some(largest)
    }
}

/// Evaluations with logits for every token.
fn decoded(traffic: &ArmTraffic, evaluations: u64, tokens: u64) -> Done {
    let bytes = traffic.block_bytes as f64 + traffic.output_bytes as f64;
    let operations = traffic.operations as f64 + traffic.last_operations as f64;
    Done {
        bytes: evaluations as f64 * (bytes + traffic.kv_bytes as f64),
        operations: tokens as f64 * operations,
    }
}

/// Repetitions of a primitive, whose multiplications and additions are counted apart.
fn repeated(primitive: &ArmPrimitive, repetitions: u64) -> Done {
    Done {
        bytes: repetitions as f64 * primitive.bytes_moved as f64,
        operations: repetitions as f64 * primitive.operations as f64 / 2.0,
    }
}

fn higher<'row>(
    one: (f64, &'row SampleRow),
    other: (f64, &'row SampleRow),
) -> (f64, &'row SampleRow) {
    if other.0 > one.0 { other } else { one }
}

fn state(value: f64, largest: Option<f64>) -> BoundState {
    match largest {
        None => BoundState::Unknown,
        Some(largest) if value <= largest => BoundState::Within,
        Some(largest) if value <= ALLOWANCE * largest => BoundState::OverLargestSeen,
        Some(_) => BoundState::Passed,
    }
}

fn place(row: &SampleRow) -> String {
    format!("round {}, block {}, chunk {}", row.round, row.block, row.chunk)
}
