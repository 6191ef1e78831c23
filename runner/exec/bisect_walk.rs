//! The walk over two sides' tensors: carried, fed, and once more at the place that it names.

use std::path::Path;

use engine_protocol::{Replacement, Selection, Token};

use super::bisect_tensors::{ObservedFile, Tensors};
use super::bisect_worker::Observatory;
use crate::bisect::{Bars, Mode, Names, Retest, Rows, Sight, Walk, block_of, divergence};
use crate::failure::Failure;

/// What both walks need.
pub(super) struct Ground<'run> {
    /// The first side.
    pub(super) left: &'run dyn Tensors,
    /// The text.
    pub(super) tokens: &'run [Token],
    /// What rounding explains.
    pub(super) bars: Bars,
    /// Values of a head, where the model says.
    pub(super) head: Option<usize>,
    /// For files.
    pub(super) scratch: &'run Path,
}

/// A walk, and a look at the tensor that parts first.
pub(super) struct Walked {
    pub(super) walk: Walk,
    pub(super) sight: Option<Sight>,
}

/// Which names both sides have, in the second side's order, and which not.
pub(super) fn shared(left: &dyn Tensors, right: &dyn Tensors) -> (Vec<String>, Names) {
    let (left, right) = (left.names(), right.names());
    let (both, only_right) = right.iter().cloned().partition(|name| left.contains(name));
    let only_left = left.into_iter().filter(|name| !right.contains(name)).collect();
    (both, Names { only_left, only_right, other_shape: Vec::new() })
}

impl Ground<'_> {
    /// Both sides as they are.
    pub(super) fn carried(
        &self,
        both: &[String],
        right: &ObservedFile,
        names: &mut Names,
    ) -> Result<Walked, Failure> {
        let mut walked = Walked { walk: Walk::new(Mode::Carried, self.bars), sight: None };
        for name in both {
            if !self.step(&mut walked, name, right)? {
                names.other_shape.push(name.clone());
            }
        }
        Ok(walked)
    }

    /// Compares one tensor; `false` when it has another shape on each side.
    fn step(&self, walked: &mut Walked, name: &str, right: &ObservedFile) -> Result<bool, Failure> {
        let (Some(left_rows), Some(right_rows)) = (self.left.read(name)?, right.read(name)?) else {
            return Ok(false);
        };
        // a row holds a position on both sides, however it is split into heads
        let left_rows = match right.is_by_position(name) {
            true => left_rows,
            false => left_rows.shaped_like(&right_rows),
        };
        let Some(divergence) = divergence(&left_rows, &right_rows) else { return Ok(false) };
        let operation = right.operation(name).unwrap_or("");
        if walked.walk.add(name, operation, divergence) {
            walked.sight = Some(self.sight(name, left_rows, right_rows));
        }
        Ok(true)
    }

    /// A look at both sides in the first side's own layout: what is swapped there is seen there.
    fn sight(&self, name: &str, left: Rows, right: Rows) -> Sight {
        let (head, bar) = (self.head, self.bars.fed);
        match self.left.own_layout(name) {
            None => Sight::of(name, &left, &right, head, bar),
            Some(own) => Sight::of(name, &own.apply(&left), &own.apply(&right), head, bar),
        }
    }

    /// Every block with the first side's input. Two evaluations, for even and odd blocks: so the
    /// last tensor of a block, which is the next one's input, is judged before it is replaced.
    pub(super) fn fed(
        &self,
        both: &[String],
        right: &mut Observatory,
    ) -> Result<Result<Walked, String>, Failure> {
        let stages = stages(both);
        let Some(last) = stages.iter().filter_map(|(_, stage)| *stage).max() else {
            return Ok(Err("no tensor belongs to a block".to_owned()));
        };
        let (mut inputs, mut unfed) = (Vec::new(), Vec::new());
        for stage in 0..=last {
            let Some(input) = input_of(stage, &stages) else {
                return Ok(Err(format!("the input of block {stage} has no name on both sides")));
            };
            // from NaN comes NaN, on both sides
            let rows = self.left.read(&input)?;
            if rows.is_some_and(|rows| rows.values().iter().any(|value| !value.is_finite())) {
                unfed.push(stage);
            }
            inputs.push(self.replacement(&input)?);
        }
        let mut files = Vec::new();
        for parity in 0..2 {
            let mine = |stage: u32| stage % 2 == parity;
            let wanted: Vec<String> = stages
                .iter()
                .filter(|(_, stage)| stage.is_some_and(mine))
                .map(|(name, _)| name.clone())
                .collect();
            if wanted.is_empty() {
                files.push(None);
                continue;
            }
            let replace = (0..=last).zip(&inputs).filter(|(stage, _)| mine(*stage));
            let replace = replace.map(|(_, input)| input.clone()).collect();
            files.push(Some(right.observe(self.tokens, Selection::Named(wanted), replace)?));
        }
        let mut walked = Walked { walk: Walk::new(Mode::Fed, self.bars), sight: None };
        for (name, stage) in &stages {
            let Some(stage) = stage.filter(|stage| !unfed.contains(stage)) else { continue };
            if let Some(Some(file)) = files.get(stage as usize % 2) {
                self.step(&mut walked, name, file)?;
            }
        }
        Ok(Ok(walked))
    }

    /// The named tensor and its neighbours, and nothing else observed.
    pub(super) fn again(
        &self,
        walk: &Walk,
        both: &[String],
        right: &mut Observatory,
    ) -> Result<Option<Retest>, Failure> {
        let Some(first) = walk.first() else { return Ok(None) };
        let observed: Vec<String> = walk.around(1).iter().map(|step| step.name.clone()).collect();
        let stages = stages(both);
        let stage = stages.iter().find(|(name, _)| *name == first.name).and_then(|(_, s)| *s);
        let mut replace = Vec::new();
        if walk.mode == Mode::Fed
            && let Some(input) = stage.and_then(|stage| input_of(stage, &stages))
        {
            replace.push(self.replacement(&input)?);
        }
        let file = right.observe(self.tokens, Selection::Named(observed.clone()), replace)?;
        let mut walked = Walked { walk: Walk::new(Mode::Fed, self.bars), sight: None };
        self.step(&mut walked, &first.name, &file)?;
        let step = walked.walk.steps.first();
        Ok(Some(Retest {
            observed,
            relative: step.map(|step| step.divergence.relative),
            parts: step.is_some_and(|step| step.parts),
        }))
    }

    /// The first side's values of a tensor, as a file.
    fn replacement(&self, name: &str) -> Result<Replacement, Failure> {
        let rows = self.left.read(name)?.ok_or_else(|| {
            Failure::refused(format!("the tensor `{name}` is missing, and blocks need it as input"))
        })?;
        let path = self.scratch.join(format!("input-{name}.f32"));
        if !path.exists() {
            let bytes: Vec<u8> =
                rows.values().iter().flat_map(|value| value.to_le_bytes()).collect();
            std::fs::write(&path, bytes).map_err(|error| {
                Failure::refused(format!("cannot be written: {error}")).at(path.display())
            })?;
        }
        Ok(Replacement { tensor: name.to_owned(), path: path.to_string_lossy().into_owned() })
    }
}

/// Each name with its block. What comes after the last block's output is a block of its own, since
/// it has an input that can be fed; what comes before the first block is none. A name without a
/// number between the two belongs to the block that it stands in.
fn stages(names: &[String]) -> Vec<(String, Option<u32>)> {
    let last = names.iter().filter_map(|name| block_of(name)).max();
    let end = last.map(output_of);
    let mut stage = None;
    let mut staged = Vec::with_capacity(names.len());
    for name in names {
        stage = block_of(name).or(stage);
        staged.push((name.clone(), stage));
        if Some(name) == end.as_ref() {
            stage = last.map(|last| last + 1);
        }
    }
    staged
}

/// The name of a block's output.
fn output_of(block: u32) -> String {
    format!("l_out-{block}")
}

/// The tensor that a block starts from: the block output before it, or the last of what stands
/// before the first block.
fn input_of(stage: u32, stages: &[(String, Option<u32>)]) -> Option<String> {
    match stage.checked_sub(1) {
        None => {
            let before = stages.iter().take_while(|(_, stage)| stage.is_none());
            before.last().map(|(name, _)| name.clone())
        }
        Some(before) => {
            let output = output_of(before);
            stages.iter().any(|(name, _)| *name == output).then_some(output)
        }
    }
}

/// The logits among a side's tensors.
pub(super) fn logits_of(side: &dyn Tensors) -> Result<Option<Rows>, Failure> {
    side.read("result_output")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn each_block_starts_where_the_one_before_ended() {
        let stages = stages(&names(&[
            "embd",
            "attn_norm-0",
            "l_out-0",
            "attn_norm-1",
            "l_out-1",
            "result_norm",
        ]));
        let of: Vec<Option<u32>> = stages.iter().map(|(_, stage)| *stage).collect();
        assert_eq!(of, [None, Some(0), Some(0), Some(1), Some(1), Some(2)]);
        let inputs: Vec<Option<String>> = (0..3).map(|stage| input_of(stage, &stages)).collect();
        let expected = ["embd", "l_out-0", "l_out-1"].map(|name| Some(name.to_owned()));
        assert_eq!(inputs, expected);
    }

    #[test]
    fn a_block_without_a_named_input_cannot_be_fed() {
        let stages = stages(&names(&["attn_norm-0", "attn_norm-1"]));
        assert_eq!(input_of(0, &stages), None);
        assert_eq!(input_of(1, &stages), None);
    }
}
