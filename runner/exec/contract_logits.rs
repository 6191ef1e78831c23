//! Contracts over teacher-forced logits: off and the arm write them to scratch files, which are
//! read side by side, and taken away.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::PathBuf;

use engine_protocol::Evaluation;

use super::contract_rows::{self, Rows};
use super::contract_texts::{self, TestedText, how, positions};
use super::entry::SeenLogits;
use super::fault::WorkerError;
use super::run::Run;
use super::worker::Worker;
use crate::failure::Failure;
use crate::manifest::Contract;
use crate::verdict::ContractFinding;
use crate::verdict::contract::{
    LogitsTested, Repeat, SelfFigures, Sides, TextFigures, logits_finding,
};

/// All texts, with off's rows of each and what off's second process repeated.
#[derive(Debug, Default)]
pub(super) struct OffLogits {
    pub(super) texts: Vec<TestedText>,
    pub(super) evaluation: Evaluation,
    rows: Vec<Rows>,
    /// By depth.
    selves: BTreeMap<usize, Repeat>,
    pub(super) seen: Vec<SeenLogits>,
}

/// An arm's rows of each text.
#[derive(Debug, Default)]
pub(super) struct ArmLogits {
    rows: Vec<Rows>,
}

impl OffLogits {
    /// Off's rows of all texts, from its first process.
    pub(super) fn ask(
        run: &Run<'_, '_>,
        off: &mut Worker,
        texts: Vec<TestedText>,
    ) -> Result<OffLogits, WorkerError> {
        let evaluation = contract_texts::evaluation(run.job.plan.workload.work);
        let rows = ask_all(run, off, "off", &texts, evaluation)?;
        Ok(OffLogits { texts, evaluation, rows, ..OffLogits::default() })
    }

    /// The same of its second process, held against the first.
    pub(super) fn ask_again(
        &mut self,
        run: &Run<'_, '_>,
        worker: &mut Worker,
    ) -> Result<(), WorkerError> {
        let off = run.job.name(run.job.plan.off()).to_owned();
        for (text, rows) in own(&self.texts, &self.rows) {
            let (repeat, seen) = again(run, worker, &off, (text, rows), self.evaluation)?;
            self.selves.insert(text.depth, repeat);
            self.seen.push(seen);
        }
        Ok(())
    }

    /// Takes the files away.
    pub(super) fn discard(&self) {
        self.rows.iter().for_each(Rows::discard);
    }
}

impl ArmLogits {
    /// An arm's rows of all texts, from its first process.
    pub(super) fn ask(
        run: &Run<'_, '_>,
        worker: &mut Worker,
        off: &OffLogits,
    ) -> Result<ArmLogits, WorkerError> {
        Ok(ArmLogits { rows: ask_all(run, worker, "arm", &off.texts, off.evaluation)? })
    }

    /// What is found of each contract at each depth, the arm's second process included.
    pub(super) fn findings(
        &self,
        run: &Run<'_, '_>,
        (arm, contracts): (usize, &[Contract]),
        off: &OffLogits,
        second: &mut Worker,
        seen: &mut Vec<SeenLogits>,
    ) -> Result<Vec<ContractFinding>, WorkerError> {
        let name = run.job.name(arm).to_owned();
        let mut findings = Vec::new();
        for (own_text, own_rows) in own(&off.texts, &self.rows) {
            let (repeat, hash) = again(run, second, &name, (own_text, own_rows), off.evaluation)?;
            seen.push(hash);
            let of_off = off.selves.get(&own_text.depth).cloned();
            let of_off = of_off.map(|repeat| (run.job.name(run.job.plan.off()).to_owned(), repeat));
            let selves: Vec<SelfFigures> = of_off
                .into_iter()
                .chain(std::iter::once((name.clone(), repeat)))
                .map(|(arm, repeat)| SelfFigures { arm, repeat })
                .collect();
            let mut by_positions: BTreeMap<usize, Vec<TextFigures>> = BTreeMap::new();
            for contract in contracts.iter().filter(|contract| positions(contract) > 0) {
                let wanted = positions(contract);
                if let Entry::Vacant(vacant) = by_positions.entry(wanted) {
                    vacant.insert(self.texts(off, own_text.depth, wanted)?);
                }
                let tested = LogitsTested {
                    how: how(off.evaluation, own_text.depth),
                    condition: own_text.condition,
                    texts: by_positions.get(&wanted).cloned().unwrap_or_default(),
                    selves: selves.clone(),
                };
                findings.push(logits_finding(&name, contract, &tested));
            }
        }
        Ok(findings)
    }

    /// Figures of all texts at a depth, over as many positions as a contract asks for.
    fn texts(
        &self,
        off: &OffLogits,
        depth: usize,
        wanted: usize,
    ) -> Result<Vec<TextFigures>, WorkerError> {
        let all = off.texts.iter().zip(off.rows.iter().zip(&self.rows));
        let here = all.filter(|(text, _)| text.depth == depth);
        here.map(|(text, (off_rows, arm_rows))| {
            let wanted = wanted.min(text.positions());
            let figures =
                contract_rows::compare((off_rows, arm_rows), Sides::OffAndArm, text, wanted);
            Ok(TextFigures {
                set: text.set.clone(),
                text: text.label.clone(),
                wanted: wanted as u64,
                figures: figures.map_err(broken)?,
            })
        })
        .collect()
    }

    /// Takes the files away.
    pub(super) fn discard(&self) {
        self.rows.iter().for_each(Rows::discard);
    }
}

/// The experiment's own texts with their rows.
fn own<'text>(
    texts: &'text [TestedText],
    rows: &'text [Rows],
) -> impl Iterator<Item = (&'text TestedText, &'text Rows)> {
    texts.iter().zip(rows).filter(|(text, _)| text.own)
}

fn ask_all(
    run: &Run<'_, '_>,
    worker: &mut Worker,
    side: &str,
    texts: &[TestedText],
    evaluation: Evaluation,
) -> Result<Vec<Rows>, WorkerError> {
    let mut all: Vec<Rows> = Vec::new();
    for text in texts {
        match ask(run, worker, side, text, evaluation) {
            Ok(rows) => all.push(rows),
            Err(error) => {
                all.iter().for_each(Rows::discard);
                return Err(error);
            }
        }
    }
    Ok(all)
}

/// One text's rows, in a scratch file that is what the worker said.
pub(super) fn ask(
    run: &Run<'_, '_>,
    worker: &mut Worker,
    side: &str,
    text: &TestedText,
    evaluation: Evaluation,
) -> Result<Rows, WorkerError> {
    let path = scratch(run, &format!("{side}-{}-{}", text.depth, text.set.replace('/', "-")));
    let asked = worker.logits(text.request(evaluation, &path), run.call());
    let rows = asked.and_then(|file| {
        contract_rows::confirm(&path, &file).map_err(broken)?;
        Ok(Rows { path: path.clone(), file })
    });
    if rows.is_err() {
        let _ = std::fs::remove_file(&path);
    }
    rows
}

/// A text's rows once more, held against the first ones.
fn again(
    run: &Run<'_, '_>,
    worker: &mut Worker,
    arm: &str,
    (text, first): (&TestedText, &Rows),
    evaluation: Evaluation,
) -> Result<(Repeat, SeenLogits), WorkerError> {
    let text = text.again(evaluation);
    let second = ask(run, worker, "again", &text, evaluation)?;
    let rows = text.positions();
    let equal = contract_rows::equal_bytes((first, &second), rows);
    let repeat = equal.and_then(|equal| {
        if equal {
            return Ok(Repeat::EqualBytes { positions: rows as u64 });
        }
        let sides = Sides::FirstAndSecond;
        let figures = contract_rows::compare((first, &second), sides, &text, rows)?;
        Ok(Repeat::Apart(Box::new(figures)))
    });
    second.discard();
    let repeat = repeat.map_err(broken)?;
    let seen = SeenLogits {
        arm: arm.to_owned(),
        depth: text.depth,
        blake3: second.file.blake3,
        repeated: matches!(repeat, Repeat::EqualBytes { .. }),
    };
    Ok((repeat, seen))
}

/// What is on disk is not what the worker said.
pub(super) fn broken(failure: Failure) -> WorkerError {
    WorkerError::broken(failure.what)
}

/// A file in the run's private folder.
pub(super) fn scratch(run: &Run<'_, '_>, name: &str) -> PathBuf {
    run.desk.private.join(format!("logits-{name}.f32"))
}
