//! The gate: is the machine quiet enough for the next block, and was it during the last?
//!
//! Before a block the processor time of others over the last second or more decides; our own tree
//! is taken off, so that the window may reach back over earlier blocks. Pressure, on processors and
//! on memory, is judged only over windows in which our workers were idle (the caller was told to
//! wait), since two computing threads and this program press against each other on two processors. The load average and the kernel's ten-second average of
//! pressure are never used: a build that just ended still fills both.
//!
//! The gate has two states. An open one shuts when a sensor is over its limit, and a shut one opens
//! when a whole idle window is at or under four fifths of each: a load that wavers about a limit
//! does not open and shut it at each look.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use super::block_flags::{block_flags, block_readings, others, states};
use super::limits::OPENS_AT;
use super::root::MachineRoot;
use super::sensor::{Fit, SensorReading};
use super::survey::celsius;
use super::watch::{Clocks, Snapshot, Watch};

/// A window shorter than this says little: with two processors the ticks leave 3 % of doubt.
const WINDOW: Duration = Duration::from_secs(1);

/// The registered limits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GateLimits {
    /// Most processor time of others, percent of one processor.
    pub others_cpu_percent: f64,
    /// Most pressure while our workers are idle, percent of the time.
    pub pressure_percent: f64,
}

/// Whether a block may start.
#[derive(Debug, Clone, PartialEq)]
pub enum Quietness {
    /// Start it now.
    Quiet,
    /// Do nothing for so long, then ask again.
    Wait {
        /// How long; our workers must be idle meanwhile.
        pause: Duration,
        /// Sensors over their limit; empty when there simply was no reading yet.
        unfit: Vec<SensorReading>,
    },
}

/// What the last look left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Shut,
}

/// The reading at the start of work, which belongs to the first block.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Start {
    ToCome,
    Celsius(Option<f64>),
    Told,
}

/// Reads sensors around blocks.
pub struct QuietGate<'run> {
    root: MachineRoot,
    limits: GateLimits,
    clocks: Box<dyn Fn() -> Clocks + 'run>,
    own_processes: Box<dyn Fn() -> BTreeSet<u32> + 'run>,
    state: State,
    /// Oldest first; only as many as the window needs.
    history: VecDeque<Snapshot>,
    /// When the caller was last told to wait.
    idle_since: Option<Snapshot>,
    /// At the start of the running block.
    block_start: Option<Snapshot>,
    /// How warm the processor was when the gate first opened; nothing before, nor after the block
    /// that took it.
    start: Start,
    /// What the last block was like.
    readings: BTreeMap<&'static str, f64>,
    /// Sensors that gave no reading at some time.
    unread: BTreeSet<&'static str>,
}

impl<'run> QuietGate<'run> {
    /// `own_processes` gives the numbers of this program and its workers; their descendants are
    /// found by themselves.
    #[must_use]
    pub fn new(
        root: MachineRoot,
        limits: GateLimits,
        clocks: impl Fn() -> Clocks + 'run,
        own_processes: impl Fn() -> BTreeSet<u32> + 'run,
    ) -> QuietGate<'run> {
        QuietGate {
            root,
            limits,
            clocks: Box::new(clocks),
            own_processes: Box::new(own_processes),
            state: State::Open,
            history: VecDeque::new(),
            idle_since: None,
            block_start: None,
            start: Start::ToCome,
            readings: BTreeMap::new(),
            unread: BTreeSet::new(),
        }
    }

    /// May the next block start? The caller adds up the pauses and stops at its registered wait.
    /// A sensor that cannot be read holds nothing up.
    pub fn before_block(&mut self) -> Quietness {
        let now = self.snapshot();
        let idle = self.idle_since.take();
        let reference = idle.as_ref().or_else(|| self.history.front());
        let Some(watch) = reference
            .map(|reference| Watch::between(reference, &now))
            // The caller's sleep may end a little early.
            .filter(|watch| watch.seconds >= 0.9 * WINDOW.as_secs_f64())
        else {
            // A wait that was cut short goes on from where it began.
            self.idle_since = Some(idle.unwrap_or(now));
            return Quietness::Wait { pause: WINDOW, unfit: Vec::new() };
        };
        self.note_unread(&watch);
        let mut unfit = vec![self.against(others(&watch, self.limits.others_cpu_percent))];
        if idle.is_some() {
            unfit.extend(self.while_idle(&watch).map(|reading| self.against(reading)));
        }
        unfit.retain(|reading| reading.fit == Fit::Unfit);
        if !unfit.is_empty() {
            // Only a window that begins now can be quiet.
            self.state = State::Shut;
            self.history.clear();
            self.idle_since = Some(now);
            return Quietness::Wait { pause: WINDOW, unfit };
        }
        self.state = State::Open;
        if self.start == Start::ToCome {
            self.start = Start::Celsius(celsius(&self.root).known().copied());
        }
        // The wait counts as history, or a short first block would be followed by another wait.
        if let Some(idle) = idle {
            self.remember(idle);
        }
        self.remember(now.clone());
        self.block_start = Some(now);
        Quietness::Quiet
    }

    /// Names of the sensors that flag the block that just ended, in a fixed order; none when no
    /// block was begun.
    pub fn after_block(&mut self) -> Vec<&'static str> {
        self.readings.clear();
        let Some(start) = self.block_start.take() else { return Vec::new() };
        let now = self.snapshot();
        let watch = Watch::between(&start, &now);
        self.note_unread(&watch);
        self.remember(now);
        self.readings = block_readings(&watch);
        if let Start::Celsius(celsius) = std::mem::replace(&mut self.start, Start::Told) {
            self.readings.extend(celsius.map(|celsius| ("start_celsius", celsius)));
        }
        block_flags(&watch, self.limits.others_cpu_percent)
    }

    /// What the block was like that [`QuietGate::after_block`] was last asked of: information that
    /// flags nothing, by name and unit. What could not be read is not among them.
    #[must_use]
    pub fn readings(&self) -> &BTreeMap<&'static str, f64> {
        &self.readings
    }

    /// Sensors that at some time gave no reading, by name: the record says that nothing is known
    /// of them, instead of passing for quiet.
    #[must_use]
    pub fn unread(&self) -> Vec<&'static str> {
        self.unread.iter().copied().collect()
    }

    fn note_unread(&mut self, watch: &Watch) {
        let states = states(watch);
        self.unread.extend(states.iter().filter(|(_, read)| !read).map(|(name, _)| *name));
    }

    /// Sensors that only an idle window can tell from our own work, against the registered limit.
    fn while_idle(&self, watch: &Watch) -> [SensorReading; 2] {
        let pressures = [
            ("pressure", &watch.pressure_percent),
            ("memory_pressure", &watch.memory_pressure_percent),
        ];
        let limit = self.limits.pressure_percent;
        pressures.map(|(name, reading)| {
            let advice = "wait until others are done";
            SensorReading::new(name, reading.clone(), "% of the time", limit, advice)
        })
    }

    /// The reading against what its limit is in the gate's state.
    fn against(&self, reading: SensorReading) -> SensorReading {
        match self.state {
            State::Open => reading,
            State::Shut => {
                let opens_at = OPENS_AT * reading.limit;
                reading.opening_at(opens_at)
            }
        }
    }

    fn snapshot(&self) -> Snapshot {
        // names are for terminals, and nobody reads them here
        Snapshot::take_quickly(&self.root, (self.clocks)(), &(self.own_processes)())
    }

    /// Keeps the newest snapshot that is a window old, and all after it.
    fn remember(&mut self, now: Snapshot) {
        let age = |snapshot: &Snapshot| {
            let then = snapshot.clocks().monotonic_nanoseconds;
            now.clocks().monotonic_nanoseconds.saturating_sub(then)
        };
        let window = WINDOW.as_nanos() as u64;
        while self.history.get(1).is_some_and(|second| age(second) >= window) {
            self.history.pop_front();
        }
        self.history.push_back(now);
    }
}

#[cfg(test)]
#[path = "gate_tests.rs"]
mod tests;
