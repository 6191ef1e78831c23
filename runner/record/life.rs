//! What happened around a record: before it, on its question; after it, in its ledger.

use super::entries::{Amendment, Deviation, FloorAnchor, Overruling, Withdrawal};
use super::entry::{Entry, EntryBody};
use super::figure_state::{FigureState, comparison_state, record_state};
use super::hash::{EntryHash, RunName};
use super::ledger::read_ledger;
use super::pilots;
use super::prior::{PriorExperiment, prior_experiments};
use super::read;
use super::registered::Circumstances;
use super::runs::RunFolder;
use super::runs::{RunState, run_folder};
use super::sealed::Record;
use crate::failure::Failure;
use crate::manifest::{ManifestHash, question_key};
use crate::project::Project;
use crate::verdict::Verdict;

/// An entry's body, with when it was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Dated<Body> {
    /// When, and at which commit.
    pub when: Circumstances,
    /// What it says.
    pub body: Body,
}

/// What became of one comparison, where it is not what became of the whole record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparisonState {
    /// The treatment.
    pub arm: String,
    /// The condition; empty without one.
    pub condition: String,
    /// What became of it.
    pub state: FigureState,
}

/// All that stands around a record.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Life {
    /// What became of the record as a whole.
    pub state: FigureState,
    /// What became of single comparisons.
    pub comparisons: Vec<ComparisonState>,
    /// What its registration went through before it was run, oldest first.
    pub amendments: Vec<Dated<Amendment>>,
    /// Other analyses, asked for afterwards, oldest first.
    pub deviations: Vec<Dated<Deviation>>,
    /// Decisions otherwise than its verdicts, oldest first.
    pub overrulings: Vec<Dated<Overruling>>,
    /// Floors that are its distribution, oldest first.
    pub anchors: Vec<Dated<FloorAnchor>>,
    /// The withdrawal of its registration.
    pub withdrawn: Option<Dated<Withdrawal>>,
    /// Looks at the same question before it.
    pub before: LooksBefore,
}

/// Looks at a question before a run: void, parked and cut ones count like any other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LooksBefore {
    /// Finished runs, oldest first: record and verdicts.
    pub finished: Vec<(String, Vec<Verdict>)>,
    /// Runs that stored a sample and have no record.
    pub unfinished: Vec<String>,
    /// Pilots.
    pub pilots: Vec<String>,
}

impl LooksBefore {
    /// How many there were.
    #[must_use]
    pub fn count(&self) -> usize {
        self.finished.len() + self.unfinished.len() + self.pilots.len()
    }
}

/// Reads what stands around a record.
///
/// # Errors
/// When a ledger or results/ cannot be read.
pub fn life(project: &Project, record: &Record) -> Result<Life, Failure> {
    let (id, run) = (&record.sealed.id, &record.sealed.run);
    let entries = read_ledger(project, id)?;
    let state = record_state(&entries, run);
    let compared = record.sealed.analysis.comparisons.iter();
    let comparisons = compared
        .map(|comparison| ComparisonState {
            arm: comparison.arm.clone(),
            condition: comparison.condition.clone(),
            state: comparison_state(&entries, run, &comparison.arm, &comparison.condition),
        })
        .filter(|one| one.state != state);
    let mut life = Life {
        state: state.clone(),
        comparisons: comparisons.collect(),
        before: looks_before(project, record)?,
        ..Life::default()
    };
    for entry in &entries {
        life.take(entry, run);
    }
    let followed = amendments_up_to(&entries, &record.sealed.registration);
    life.amendments.retain(|one| followed.contains(&one.body.manifest_hash));
    Ok(life)
}

impl Life {
    fn take(&mut self, entry: &Entry, run: &RunName) {
        let when = entry.circumstances.clone();
        match &entry.body {
            EntryBody::Amend(body) => {
                self.amendments.push(Dated { when, body: body.as_ref().clone() });
            }
            EntryBody::Deviate(body) if body.run == *run => {
                self.deviations.push(Dated { when, body: body.as_ref().clone() });
            }
            EntryBody::Override(body) if body.run == *run => {
                self.overrulings.push(Dated { when, body: body.clone() });
            }
            EntryBody::Anchor(body) if body.run == *run => {
                self.anchors.push(Dated { when, body: body.as_ref().clone() });
            }
            EntryBody::Withdraw(body) => self.withdrawn = Some(Dated { when, body: body.clone() }),
            _ => {}
        }
    }
}

/// Runs and pilots on the record's question that began before it.
fn looks_before(project: &Project, record: &Record) -> Result<LooksBefore, Failure> {
    let question = question_key(&record.plan);
    let mut looks = LooksBefore::default();
    let prior = prior_experiments(project, &question)?;
    // names of runs are the times of their starts
    let mut earlier: Vec<(RunName, &PriorExperiment)> = prior
        .iter()
        .filter_map(|hit| Some((hit.run.clone()?, hit)))
        .filter(|(run, hit)| (run, &hit.id) < (&record.sealed.run, &record.sealed.id))
        .collect();
    earlier.sort_by(|one, other| (&one.0, &one.1.id).cmp(&(&other.0, &other.1.id)));
    for (run, hit) in earlier {
        let name = format!("{}/{run}", hit.id);
        match hit.state {
            Some(state @ RunState::Finished) => {
                let path = run_folder(project, &hit.id, &run);
                let folder = RunFolder { id: hit.id.clone(), run, state, path };
                let verdicts = match read::head(&folder) {
                    Ok(head) => head.comparisons.iter().map(|one| one.verdict).collect(),
                    Err(_) => Vec::new(), // `record verify` says what is wrong with it
                };
                looks.finished.push((name, verdicts));
            }
            Some(RunState::UnfinishedWithBlocks) => looks.unfinished.push(name),
            Some(RunState::Unfinished) | None => {}
        }
    }
    let pilots = pilots::pilots_on(project, &question.to_string())?;
    let before = pilots.into_iter().filter(|pilot| pilot.run.as_str() < record.sealed.run.as_str());
    looks.pilots = before.map(|pilot| pilot.run).collect();
    Ok(looks)
}

/// Hashes of the manifests that the entry which a record followed amends in turn, its own among them. An
/// amendment that came later says nothing of the record; `record verify` names it.
fn amendments_up_to(entries: &[Entry], registration: &EntryHash) -> Vec<ManifestHash> {
    let mut hashes = Vec::new();
    let mut at = registration.clone();
    while let Some(EntryBody::Amend(body)) =
        entries.iter().find(|entry| entry.hash == at).map(|entry| &entry.body)
    {
        if hashes.len() > entries.len() {
            break; // a chain is never longer than its ledger
        }
        hashes.push(body.manifest_hash);
        at = body.previous.clone();
    }
    hashes
}
