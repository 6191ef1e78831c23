//! Contracts over teacher-forced logits: off and the arm write them to scratch files, which are
//! read side by side, row by row, and taken away.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use engine_protocol::{LogitsFile, LogitsRequest, Token};

use super::fault::WorkerError;
use super::logits_file::RowReader;
use super::preflight;
use super::run::Run;
use super::stop::Stop;
use super::texts::{TextError, Tokenizer};
use super::worker::Worker;
use crate::failure::Failure;
use crate::manifest::Contract;
use crate::verdict::ContractFinding;
use crate::verdict::contract::{LogitFigures, LogitsComparison};

/// Off's files so far, by depth.
#[derive(Debug, Default)]
pub(super) struct OffLogits {
    by_depth: BTreeMap<usize, OffRows>,
}

/// Off's rows at one depth.
#[derive(Debug, Clone)]
struct OffRows {
    tokens: Vec<Token>,
    path: PathBuf,
    file: LogitsFile,
}

impl OffLogits {
    /// Takes the files away.
    pub(super) fn discard(&self) {
        for rows in self.by_depth.values() {
            let _ = std::fs::remove_file(&rows.path);
        }
    }
}

/// Teacher-forced positions that a contract asks for.
fn positions(contract: &Contract) -> usize {
    match contract {
        Contract::Identical => 0,
        Contract::Cosine { positions, .. }
        | Contract::Kl { positions, .. }
        | Contract::Argmax { positions, .. } => *positions as usize,
    }
}

/// Tests an arm's logit contracts at each depth. `None` when the arm ended.
pub(super) fn test(
    run: &mut Run<'_, '_>,
    off: &mut Worker,
    arm: usize,
    worker: &mut Worker,
    contracts: &[Contract],
    off_logits: &mut OffLogits,
) -> Result<Option<Vec<ContractFinding>>, Stop> {
    let mut findings = Vec::new();
    if contracts.iter().all(|contract| positions(contract) == 0) {
        return Ok(Some(findings));
    }
    let mut depths: Vec<usize> =
        run.job.conditions().into_iter().map(|condition| run.job.depth(condition)).collect();
    depths.sort_unstable();
    depths.dedup();
    for depth in depths {
        let off_rows = off_rows(run, off, depth, off_logits)?;
        let path = scratch(run, &format!("arm-{arm}-{depth}"));
        let request = logits_request(&off_rows.tokens, depth, &path);
        let arm_file = match worker.logits(request, run.call()) {
            Ok(file) => file,
            Err(error) => {
                let _ = std::fs::remove_file(&path);
                preflight::ends(run, arm, Some(worker), &error)?;
                return Ok(None);
            }
        };
        let compared = compare(run.job.name(arm), contracts, depth, &off_rows, (&path, &arm_file));
        let _ = std::fs::remove_file(&path);
        match compared {
            Ok(found) => findings.extend(found),
            // What is on disk is not what the worker said.
            Err(failure) => {
                preflight::ends(run, arm, Some(worker), &WorkerError::broken(failure.what))?;
                return Ok(None);
            }
        }
    }
    Ok(Some(findings))
}

/// Off's rows at a depth, for as many positions as any arm asks for.
fn off_rows(
    run: &mut Run<'_, '_>,
    off: &mut Worker,
    depth: usize,
    known: &mut OffLogits,
) -> Result<OffRows, Stop> {
    if let Some(known) = known.by_depth.get(&depth) {
        return Ok(known.clone());
    }
    let all = run.job.plan.arms.iter().flat_map(|arm| &arm.contracts).map(positions);
    let most = all.max().unwrap_or(0);
    let off_arm = run.job.plan.off();
    let text = Tokenizer::new(&run.context.inputs, off, run.call())
        .map_err(TextError::from)
        .and_then(|tokenizer| tokenizer.gather(0, depth + most, off, run.call()));
    let tokens = match text {
        Ok(tokens) => tokens,
        Err(TextError::Failure(failure)) => return Err(failure.into()),
        Err(TextError::Worker(error)) => {
            preflight::ends(run, off_arm, Some(off), &error)?;
            return Err(Failure::refused("off ended").into());
        }
    };
    let path = scratch(run, &format!("off-{depth}"));
    match off.logits(logits_request(&tokens, depth, &path), run.call()) {
        Ok(file) => {
            let rows = OffRows { tokens, path, file };
            known.by_depth.insert(depth, rows.clone());
            Ok(rows)
        }
        Err(error) => {
            preflight::ends(run, off_arm, Some(off), &error)?;
            Err(Failure::refused("off ended").into())
        }
    }
}

fn scratch(run: &Run<'_, '_>, name: &str) -> PathBuf {
    run.desk.private.join(format!("logits-{name}.f32"))
}

fn logits_request(tokens: &[Token], depth: usize, path: &Path) -> LogitsRequest {
    LogitsRequest::new(
        tokens.to_vec(),
        u32::try_from(depth).unwrap_or(u32::MAX),
        path.to_string_lossy().into_owned(),
    )
}

/// What is found over as many positions as each contract asks for.
fn compare(
    arm: &str,
    contracts: &[Contract],
    depth: usize,
    off: &OffRows,
    (path, file): (&Path, &LogitsFile),
) -> Result<Vec<ContractFinding>, Failure> {
    let mut figures: BTreeMap<usize, LogitFigures> = BTreeMap::new();
    let mut findings = Vec::new();
    for contract in contracts.iter().filter(|contract| positions(contract) > 0) {
        let rows = positions(contract);
        if let Entry::Vacant(vacant) = figures.entry(rows) {
            vacant.insert(read_side_by_side(off, (path, file), depth, rows)?);
        }
        let Some(found) = figures.get(&rows) else { continue };
        let mut finding = found.finding(arm, contract);
        // said beside the figures, since single-token kernels may be other code
        let at = if depth > 0 { format!(" at depth {depth}") } else { String::new() };
        finding.detail = format!("teacher-forced in batches{at}: {}", finding.detail);
        findings.push(finding);
    }
    Ok(findings)
}

/// Reads both files row by row. Off's may have more rows than this arm needs.
fn read_side_by_side(
    off: &OffRows,
    (path, file): (&Path, &LogitsFile),
    depth: usize,
    rows: usize,
) -> Result<LogitFigures, Failure> {
    let mut left = RowReader::open(&off.path, &off.file)?;
    let mut right = RowReader::open(path, file)?;
    let mut comparison = LogitsComparison::new();
    for row in 0..rows {
        let (Some(off_row), Some(arm_row)) = (left.next_row()?, right.next_row()?) else { break };
        comparison.add((depth + row) as u64, off_row, arm_row);
    }
    Ok(comparison.finish())
}
