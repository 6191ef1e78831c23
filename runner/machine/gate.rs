//! The gate: is the machine quiet enough for the next block, and was it during the last?
//!
//! Before a block the processor time of others over the last second or more decides; our own tree
//! is taken off, so that the window may reach back over earlier blocks. Pressure is judged only
//! over windows in which our workers were idle (the caller was told to wait), since two computing
//! threads and this program press against each other on two processors. The load average and the
//! kernel's ten-second average of pressure are never used: a build that just ended still fills
//! both. During a block only others' time, steal, swap and sleep can be told from our own work.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use super::quiet::{Fit, SensorReading};
use super::reading::Reading;
use super::root::MachineRoot;

use super::watch::{Clocks, Snapshot, Watch};

/// Steal over this flags a block. Chosen: the kernel counts it in ticks of 10 ms, and a block of
/// some seconds with a twentieth of a processor missing is visibly slower.
pub(super) const STEAL_LIMIT_PERCENT: f64 = 5.0;
/// Two clocks are read one after the other; a tenth of a second between them is a sleep.
pub(super) const SUSPEND_LIMIT_MILLISECONDS: f64 = 100.0;
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

/// Reads sensors around blocks.
pub struct QuietGate<'run> {
    root: MachineRoot,
    limits: GateLimits,
    clocks: Box<dyn Fn() -> Clocks + 'run>,
    own_processes: Box<dyn Fn() -> BTreeSet<u32> + 'run>,
    /// Oldest first; only as many as the window needs.
    history: VecDeque<Snapshot>,
    /// When the caller was last told to wait.
    idle_since: Option<Snapshot>,
    /// At the start of the running block.
    block_start: Option<Snapshot>,
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
            history: VecDeque::new(),
            idle_since: None,
            block_start: None,
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
        let was_idle = idle.is_some();
        self.note_unread(&watch);
        let mut unfit = vec![self.others(&watch)];
        if was_idle {
            unfit.push(SensorReading::new(
                "pressure",
                watch.pressure_percent.clone(),
                "% of the time",
                self.limits.pressure_percent,
                "wait until others are done",
            ));
        }
        unfit.retain(|reading| reading.fit == Fit::Unfit);
        if !unfit.is_empty() {
            // Only a window that begins now can be quiet.
            self.history.clear();
            self.idle_since = Some(now);
            return Quietness::Wait { pause: WINDOW, unfit };
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
        let Some(start) = self.block_start.take() else { return Vec::new() };
        let now = self.snapshot();
        let watch = Watch::between(&start, &now);
        self.note_unread(&watch);
        self.remember(now);
        let over = |reading: &Reading<f64>, limit: f64| {
            reading.known().is_some_and(|value| *value > limit)
        };
        // Ticks leave a doubt, large for a short block: only what is over it is a finding.
        let doubt = watch.resolution_percent.known().copied().unwrap_or(0.0);
        let mut flags = Vec::new();
        if self.others(&watch).fit == Fit::Unfit {
            flags.push("others_cpu");
        }
        if over(&watch.steal_percent, STEAL_LIMIT_PERCENT + doubt) {
            flags.push("steal");
        }
        if watch.swapped_pages.known().is_some_and(|pages| *pages > 0) {
            flags.push("swap");
        }
        if over(&watch.suspended_milliseconds, SUSPEND_LIMIT_MILLISECONDS) {
            flags.push("suspend");
        }
        flags
    }

    /// Sensors that at some time gave no reading, by name: the record says that nothing is known
    /// of them, instead of passing for quiet.
    #[must_use]
    pub fn unread(&self) -> Vec<&'static str> {
        self.unread.iter().copied().collect()
    }

    fn note_unread(&mut self, watch: &Watch) {
        let states = [
            ("others_cpu", watch.others_cpu_percent.known().is_some()),
            ("pressure", watch.pressure_percent.known().is_some()),
            ("steal", watch.steal_percent.known().is_some()),
            ("swap", watch.swapped_pages.known().is_some()),
            ("suspend", watch.suspended_milliseconds.known().is_some()),
        ];
        self.unread.extend(states.iter().filter(|(_, read)| !read).map(|(name, _)| *name));
    }

    /// Others' time less what the ticks leave in doubt, against the limit.
    fn others(&self, watch: &Watch) -> SensorReading {
        let doubt = watch.resolution_percent.known().copied().unwrap_or(0.0);
        let value = watch.others_cpu_percent.clone().map(|percent| (percent - doubt).max(0.0));
        let busiest = watch.foreign.first().map_or_else(
            || "wait until others are done".to_owned(),
            |process| format!("stop or wait for {}", process.name),
        );
        let limit = self.limits.others_cpu_percent;
        SensorReading::new("others_cpu", value, "% of one processor", limit, busiest)
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot::take(&self.root, (self.clocks)(), &(self.own_processes)())
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
