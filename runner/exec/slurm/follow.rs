//! Follows jobs to their ends.

use std::time::{Duration, Instant};

use super::client::{Answer, SlurmProgram};
use super::collect::{close, collected};
use super::end::{Ended, ended};
use super::partition::Partition;
use super::place::JobFile;
use super::state::{JobSeen, Stage};
use super::submit::{How, JobEnd, SlurmAsk, Submitted, submit};
use crate::exec::interrupt::Interrupt;
use crate::exec::scheduler::other_partition;
use crate::failure::Failure;
use crate::record::Record;

/// What is told while jobs are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlurmEvent<'event> {
    /// A job was submitted.
    Submitted {
        /// Where to.
        partition: &'event Partition,
        /// Slurm's number.
        number: u64,
    },
    /// A job that an earlier command submitted is still there, or its end was not said yet.
    Found {
        /// Where it was submitted to.
        partition: &'event Partition,
        /// Slurm's number.
        number: u64,
    },
    /// Slurm says something else of it than before.
    State {
        /// Where it was submitted to.
        partition: &'event Partition,
        /// Slurm's number.
        number: u64,
        /// Slurm's words.
        words: &'event str,
    },
    /// A line that the run wrote to standard error.
    Line {
        /// Where it runs.
        partition: &'event Partition,
        /// The line.
        line: &'event str,
    },
}

/// Shortest and longest pause between two questions to Slurm; a tenth of the time since the job was last
/// seen to change between them.
const PAUSES: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(15));
/// Longest time without any answer.
const PATIENCE: Duration = Duration::from_secs(600);
/// How long files of an ended job may take to be seen here.
const SHARED_FILES: Duration = Duration::from_secs(30);
/// Between two looks at whether somebody wants this command to end.
const TICK: Duration = Duration::from_millis(50);

/// One job, followed.
struct Followed<'ask> {
    partition: &'ask Partition,
    submitted: Submitted,
    seen: Option<JobSeen>,
    /// When something of it changed.
    changed: Instant,
    /// When Slurm last answered.
    answered: Instant,
    ended: Option<Instant>,
    /// Bytes of standard error that were told.
    told: usize,
}

/// Submits one job for each partition, or goes on following those that are there; what became of each, in
/// the order of the partitions.
///
/// # Errors
/// Incomplete when this command is interrupted: the jobs go on, and the same command follows them again.
/// What goes wrong with one job stands in its end.
pub fn run_on_slurm(
    ask: &SlurmAsk<'_>,
    slurm: &SlurmProgram,
    tell: &mut dyn FnMut(SlurmEvent<'_>),
) -> Result<Vec<JobEnd>, Failure> {
    let interrupt = Interrupt::listen()?;
    let mut open: Vec<Followed<'_>> = Vec::new();
    let mut ends: Vec<JobEnd> = Vec::new();
    for partition in ask.partitions {
        match submit(ask, slurm, partition) {
            Ok(submitted) => {
                let number = submitted.number;
                tell(match submitted.how {
                    How::Now => SlurmEvent::Submitted { partition, number },
                    How::Earlier => SlurmEvent::Found { partition, number },
                });
                open.push(Followed::new(partition, submitted));
            }
            Err(failure) => {
                let partition = partition.clone();
                ends.push(JobEnd { partition, number: None, record: Err(failure) });
            }
        }
    }
    while !open.is_empty() {
        let mut still = Vec::new();
        for mut job in open {
            match job.look(ask, slurm, tell) {
                None => still.push(job),
                Some(record) => ends.push(JobEnd {
                    partition: job.partition.clone(),
                    number: Some(job.submitted.number),
                    record,
                }),
            }
        }
        open = still;
        pause(&open, &interrupt)?;
    }
    let place = |end: &JobEnd| ask.partitions.iter().position(|one| *one == end.partition);
    ends.sort_by_key(place);
    Ok(ends)
}

impl<'ask> Followed<'ask> {
    fn new(partition: &'ask Partition, submitted: Submitted) -> Followed<'ask> {
        let now = Instant::now();
        Followed {
            partition,
            submitted,
            seen: None,
            changed: now,
            answered: now,
            ended: None,
            told: 0,
        }
    }

    /// Looks once; what became of the job, once it has ended.
    fn look(
        &mut self,
        ask: &SlurmAsk<'_>,
        slurm: &SlurmProgram,
        tell: &mut dyn FnMut(SlurmEvent<'_>),
    ) -> Option<Result<Box<Record>, Failure>> {
        let number = self.submitted.number;
        let answer = slurm.look(number, &self.submitted.folder.path);
        self.tell_lines(tell);
        match answer {
            Answer::None(why) => {
                let waited = self.answered.elapsed();
                (waited > PATIENCE).then(|| {
                    Err(Failure::incomplete(format!(
                        "Slurm does not answer for {:.0} minutes: {why}",
                        waited.as_secs_f64() / 60.0
                    ))
                    .at(format!("job {number}"))
                    .hint("the job may go on; the same command follows it again"))
                })
            }
            Answer::Forgotten => {
                self.answered = Instant::now();
                self.end(ask)
            }
            Answer::Seen(seen) => {
                self.answered = Instant::now();
                if self.seen.as_ref() != Some(&seen) {
                    self.changed = self.answered;
                    let (partition, words) = (self.partition, &seen.words());
                    tell(SlurmEvent::State { partition, number, words });
                }
                let landed = seen.partition.clone();
                let stage = seen.stage();
                self.seen = Some(seen);
                if landed != self.partition.as_str() {
                    return Some(Err(self.elsewhere(slurm, &landed, stage)));
                }
                if stage == Stage::Open { None } else { self.end(ask) }
            }
        }
    }

    /// A job in another partition measures something that nobody asked for.
    fn elsewhere(&self, slurm: &SlurmProgram, landed: &str, stage: Stage) -> Failure {
        let Submitted { folder, number, .. } = &self.submitted;
        let failure = other_partition(self.partition.as_str(), landed).at(format!("job {number}"));
        let cancelled = match stage {
            Stage::Open => slurm.cancel(*number, &folder.path),
            Stage::Ended | Stage::Cut => Ok(()),
        };
        match cancelled.and_then(|()| close(folder, &format!("landed in {landed}"))) {
            Ok(()) => failure,
            Err(other) => Failure { what: format!("{}; {}", failure.what, other.what), ..failure },
        }
    }

    fn end(&mut self, ask: &SlurmAsk<'_>) -> Option<Result<Box<Record>, Failure>> {
        let since = *self.ended.get_or_insert_with(Instant::now);
        let seen = self.seen.as_ref();
        match ended(ask.project, &self.submitted, seen) {
            Err(failure) => Some(Err(failure)),
            Ok(Ended::NotYet) if since.elapsed() < SHARED_FILES => None,
            Ok(Ended::NotYet) => Some(self.without(super::end::cut(&self.submitted, None, seen))),
            Ok(Ended::Finished(run)) => Some(collected(ask, &self.submitted, &run)),
            Ok(Ended::Without(failure)) => Some(self.without(failure)),
        }
    }

    fn without(&self, failure: Failure) -> Result<Box<Record>, Failure> {
        close(&self.submitted.folder, &failure.what)?;
        Err(failure)
    }

    fn tell_lines(&mut self, tell: &mut dyn FnMut(SlurmEvent<'_>)) {
        let Some(text) = JobFile::Errors.text(&self.submitted.folder) else { return };
        let new = text.get(self.told..).unwrap_or_default();
        let Some(whole) = new.rfind('\n') else { return };
        for line in new.get(..whole).unwrap_or_default().lines() {
            tell(SlurmEvent::Line { partition: self.partition, line });
        }
        self.told += whole + 1;
        self.changed = Instant::now();
    }
}

/// Waits, and ends when somebody wants it to.
fn pause(open: &[Followed<'_>], interrupt: &Interrupt) -> Result<(), Failure> {
    let Some(last) = open.iter().map(|job| job.changed.elapsed()).min() else { return Ok(()) };
    let pause = (last / 10).clamp(PAUSES.0, PAUSES.1);
    let begun = Instant::now();
    while begun.elapsed() < pause {
        if let Some(signal) = interrupt.raised() {
            let numbers: Vec<String> =
                open.iter().map(|job| job.submitted.number.to_string()).collect();
            return Err(Failure::incomplete(format!(
                "following was interrupted by {signal}, and job {} goes on",
                numbers.join(", ")
            ))
            .hint(format!(
                "the same command follows it again and collects its record; `scancel {}` ends it",
                numbers.join(" ")
            )));
        }
        std::thread::sleep(TICK);
    }
    Ok(())
}
