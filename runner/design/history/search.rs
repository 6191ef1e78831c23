//! The search itself: from what is known of commits to the next one, or to the answer. Pure: the same
//! knowledge gives the same step.

use std::collections::{BTreeMap, BTreeSet};

/// A commit's place in the history: 1 is the first after the good one.
pub type Commit = usize;

/// What a step said of its commit, against the good one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// More of the metric, by more than the margin.
    Higher,
    /// Less of it, by more than the margin.
    Lower,
    /// No difference above the margin.
    Level,
    /// Neither: parked, void, or cut short.
    Unclear,
}

/// The commits that are searched, and what is known of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Search {
    /// How many there are after the good one; the last is the bad one.
    pub commits: usize,
    /// How often an unclear step is repeated.
    pub repeats_at_most: u32,
    /// What each step said, by commit, in the order in which they were made.
    pub known: BTreeMap<Commit, Vec<Step>>,
    /// Those that cannot be built.
    pub skipped: BTreeSet<Commit>,
}

/// What comes next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// This commit is measured against the good one.
    Measure(Commit),
    /// Nothing more.
    Answer(Found),
}

/// What a search has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// It is this one.
    First(Commit),
    /// It is one of these: those before the last cannot be built.
    OneOf(Vec<Commit>),
    /// The bad commit is level with the good one.
    NoChange,
    /// A step stays unclear: it may be any of these.
    Parked(Vec<Commit>),
    /// The bad commit cannot be built.
    BadEnd,
}

/// The greatest number of steps over so many commits, repeats among them. Where commits are skipped
/// the halves are uneven; the search is parked before it goes over this number.
#[must_use]
pub fn most_steps(commits: usize, repeats_at_most: u32) -> u32 {
    let halvings = commits.max(1).next_power_of_two().trailing_zeros();
    (1 + halvings) * (1 + repeats_at_most)
}

impl Search {
    /// The next step.
    #[must_use]
    pub fn next(&self) -> Next {
        let bad = self.commits;
        if self.skipped.contains(&bad) || bad == 0 {
            return Next::Answer(Found::BadEnd);
        }
        let direction = match self.said_of(bad) {
            Said::Nothing => return self.measure(bad, 0),
            Said::Unclear => return Next::Answer(Found::Parked((1..=bad).collect())),
            Said::Step(Step::Level) => return Next::Answer(Found::NoChange),
            Said::Step(direction) => direction,
        };
        // the change is after `before` and at or before `at`
        let (mut before, mut at): (Commit, Commit) = (0, bad);
        while let Some(commit) = self.between(before, at) {
            match self.said_of(commit) {
                Said::Nothing => return self.measure(commit, before),
                Said::Unclear => {
                    return Next::Answer(Found::Parked((before + 1..=at).collect()));
                }
                Said::Step(step) if step == direction => at = commit,
                // level, or changed the other way: the change in question comes after it
                Said::Step(_) => before = commit,
            }
        }
        Next::Answer(match at - before {
            1 => Found::First(at),
            _ => Found::OneOf((before + 1..=at).collect()),
        })
    }

    /// The commit that halves what is left, or the nearest that can be built.
    fn between(&self, before: Commit, at: Commit) -> Option<Commit> {
        let middle = before + (at - before) / 2;
        let inside = (before + 1..at).filter(|commit| !self.skipped.contains(commit));
        inside.min_by_key(|commit| (commit.abs_diff(middle), *commit))
    }

    fn measure(&self, commit: Commit, before: Commit) -> Next {
        let made: usize = self.known.values().map(Vec::len).sum();
        if made < most_steps(self.commits, self.repeats_at_most) as usize {
            return Next::Measure(commit);
        }
        let at = self.changed().unwrap_or(self.commits);
        Next::Answer(Found::Parked((before + 1..=at).collect()))
    }

    /// The earliest commit that was found to be changed.
    fn changed(&self) -> Option<Commit> {
        let direction = match self.said_of(self.commits) {
            Said::Step(direction) => direction,
            Said::Nothing | Said::Unclear => return None,
        };
        let all = self.known.keys().copied();
        all.into_iter()
            .find(|commit| matches!(self.said_of(*commit), Said::Step(step) if step == direction))
    }

    fn said_of(&self, commit: Commit) -> Said {
        let steps = self.known.get(&commit).map(Vec::as_slice).unwrap_or_default();
        match steps.iter().find(|step| **step != Step::Unclear) {
            Some(step) => Said::Step(*step),
            None if steps.len() > self.repeats_at_most as usize => Said::Unclear,
            None => Said::Nothing,
        }
    }
}

/// What all steps about a commit come to.
enum Said {
    /// It is to be measured, or measured again.
    Nothing,
    /// This.
    Step(Step),
    /// Every repetition was unclear.
    Unclear,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(commits: usize) -> Search {
        Search { commits, repeats_at_most: 2, ..Search::default() }
    }

    /// Goes on until there is an answer; the number of steps comes with it.
    fn run(mut search: Search, truth: impl Fn(Commit, usize) -> Option<Step>) -> (Found, usize) {
        let mut steps = 0;
        loop {
            match search.next() {
                Next::Answer(found) => return (found, steps),
                Next::Measure(commit) => {
                    let known = search.known.entry(commit).or_default();
                    match truth(commit, known.len()) {
                        Some(step) => {
                            known.push(step);
                            steps += 1;
                        }
                        None => {
                            search.skipped.insert(commit);
                        }
                    }
                    let most = most_steps(search.commits, search.repeats_at_most);
                    assert!(steps <= most as usize, "{search:?}");
                }
            }
        }
    }

    #[test]
    fn every_planted_commit_is_found_within_the_halvings() {
        for commits in 1..=33 {
            for planted in 1..=commits {
                let truth =
                    |commit, _| Some(if commit >= planted { Step::Lower } else { Step::Level });
                let (found, steps) = run(search(commits), truth);
                assert_eq!(found, Found::First(planted));
                assert!(steps as u32 * 3 <= most_steps(commits, 2), "{commits} {planted} {steps}");
            }
        }
    }

    #[test]
    fn no_change_and_an_unclear_first_step_end_it() {
        assert_eq!(run(search(8), |_, _| Some(Step::Level)), (Found::NoChange, 1));
        let all: Vec<Commit> = (1..=8).collect();
        assert_eq!(run(search(8), |_, _| Some(Step::Unclear)), (Found::Parked(all), 3));
    }

    #[test]
    fn an_unclear_step_is_repeated_and_then_what_remains_is_named() {
        let clear = |commit| if commit >= 3 { Step::Higher } else { Step::Level };
        let late = |commit, tries| {
            Some(if commit == 4 && tries < 2 { Step::Unclear } else { clear(commit) })
        };
        assert_eq!(run(search(8), late).0, Found::First(3));
        let never = |commit, _| Some(if commit == 2 { Step::Unclear } else { clear(commit) });
        assert_eq!(run(search(8), never).0, Found::Parked(vec![1, 2, 3, 4]));
    }

    #[test]
    fn what_cannot_be_built_is_gone_around() {
        let planted = |commit| Some(if commit >= 6 { Step::Lower } else { Step::Level });
        let around = |commit, _| if commit == 4 { None } else { planted(commit) };
        assert_eq!(run(search(8), around).0, Found::First(6));
        let among = |commit, _| if commit == 5 || commit == 6 { None } else { planted(commit) };
        assert_eq!(run(search(8), among).0, Found::OneOf(vec![5, 6, 7]));
        assert_eq!(run(search(8), |_, _| None).0, Found::BadEnd);
    }

    #[test]
    fn a_change_the_other_way_is_not_the_one_in_question() {
        let truth = |commit, _| {
            Some(match commit {
                1..=2 => Step::Level,
                3..=6 => Step::Higher,
                _ => Step::Lower,
            })
        };
        assert_eq!(run(search(8), truth).0, Found::First(7));
    }

    #[test]
    fn the_number_of_steps_is_bounded() {
        assert_eq!(most_steps(1, 0), 1);
        assert_eq!(most_steps(2, 0), 2);
        assert_eq!(most_steps(8, 2), 12);
        assert_eq!(most_steps(9, 2), 15);
    }
}
