//! The walk through the tensors in execution order, to the first that parts.

use serde::Serialize;

use super::bars::Bars;
use super::divergence::Divergence;

/// What stands before a tensor on the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Each side goes on with its own values: differences are carried along.
    Carried,
    /// Every block gets the other side's input, so that each is judged by itself.
    Fed,
}

/// One tensor that both sides have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    /// The engine's name.
    pub name: String,
    /// The engine's name of the operation.
    pub operation: String,
    /// How far the sides are apart.
    pub divergence: Divergence,
    /// Over what came before it; absent where nothing differed before.
    pub growth: Option<f64>,
    /// Whether it parts.
    pub parts: bool,
}

/// What has been compared so far.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Walk {
    /// How.
    pub mode: Mode,
    /// Against what.
    pub bars: Bars,
    /// In execution order.
    pub steps: Vec<Step>,
    /// The first that parts.
    pub first: Option<usize>,
    #[serde(skip)]
    before: f64,
    /// The fed bar as it stands, and in which block.
    #[serde(skip)]
    fed: (f64, Option<u32>),
}

impl Walk {
    /// Nothing compared yet.
    #[must_use]
    pub fn new(mode: Mode, bars: Bars) -> Walk {
        let fed = (bars.fed, None);
        Walk { mode, bars, steps: Vec::new(), first: None, before: 0.0, fed }
    }

    /// Adds the next tensor and says whether it is the first that parts.
    pub fn add(&mut self, name: &str, operation: &str, divergence: Divergence) -> bool {
        let relative = divergence.relative;
        let growth = (self.before > 0.0 && relative.is_finite()).then(|| relative / self.before);
        let fed = self.fed_bar(name, operation);
        let bar = match self.mode {
            Mode::Fed => fed,
            Mode::Carried => fed.max(self.bars.jump * self.before),
        };
        let parts = relative > bar;
        // what came by a fault is no measure of what rounding carries
        if relative.is_finite() && (self.mode == Mode::Fed || !parts) {
            self.before = self.before.max(relative);
        }
        let first = parts && self.first.is_none();
        if first {
            self.first = Some(self.steps.len());
        }
        self.steps.push(Step {
            name: name.to_owned(),
            operation: operation.to_owned(),
            divergence,
            growth,
            parts,
        });
        first
    }

    /// What rounding explains here: a coarse operation is felt until the block's end, and carried
    /// beyond it.
    fn fed_bar(&mut self, name: &str, operation: &str) -> f64 {
        let block = block_of(name).or(self.fed.1);
        if self.mode == Mode::Fed && block != self.fed.1 {
            self.fed.0 = self.bars.fed;
        }
        self.fed = (self.fed.0.max(self.bars.fed_at(operation)), block);
        self.fed.0
    }

    /// What rounding explains of a single step where the walk ended.
    #[must_use]
    pub fn bar_at_end(&self) -> f64 {
        self.fed.0
    }

    /// The first that parts.
    #[must_use]
    pub fn first(&self) -> Option<&Step> {
        self.first.and_then(|first| self.steps.get(first))
    }

    /// The first that parts with those that stand around it, at most `reach` either way.
    #[must_use]
    pub fn around(&self, reach: usize) -> &[Step] {
        let first = self.first.unwrap_or(0);
        let end = (first + reach + 1).min(self.steps.len());
        self.steps.get(first.saturating_sub(reach)..end).unwrap_or(&[])
    }

    /// The largest difference of all; the end of a walk on which nothing parted.
    #[must_use]
    pub fn largest(&self) -> Option<&Step> {
        let by = |a: &&Step, b: &&Step| a.divergence.relative.total_cmp(&b.divergence.relative);
        self.steps.iter().max_by(by)
    }

    /// The largest growth from what came before, of tensors whose difference counts at all: over
    /// a hundredth of the bar.
    #[must_use]
    pub fn largest_growth(&self) -> Option<&Step> {
        let counts = |step: &&Step| step.divergence.relative > self.bars.fed / 100.0;
        let growth = |step: &Step| step.growth.unwrap_or(0.0);
        self.steps.iter().filter(counts).max_by(|a, b| growth(a).total_cmp(&growth(b)))
    }

    /// Blocks in which a tensor parts, and blocks that were compared.
    #[must_use]
    pub fn blocks(&self) -> (Vec<u32>, usize) {
        let mut all: Vec<u32> = self.steps.iter().filter_map(|step| block_of(&step.name)).collect();
        all.sort_unstable();
        all.dedup();
        let mut parting: Vec<u32> = self
            .steps
            .iter()
            .filter(|step| step.parts)
            .filter_map(|step| block_of(&step.name))
            .collect();
        parting.sort_unstable();
        parting.dedup();
        (parting, all.len())
    }
}

/// The block of `attn_norm-3` or `Qcur-3#2`; `None` for what belongs to no block.
#[must_use]
pub fn block_of(name: &str) -> Option<u32> {
    let name = name.split('#').next()?;
    name.rsplit_once('-')?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::bars::Rounding;
    use super::super::divergence::Place;
    use super::*;

    fn apart(relative: f64) -> Divergence {
        let place = Place { position: 0, index: 0, left: 0.0, right: 0.0 };
        Divergence { relative, place, cosine: 1.0, least_cosine: 1.0, scale: 1.0 }
    }

    fn walk(mode: Mode, relatives: &[f64]) -> Walk {
        let bars = Bars { rounding: Rounding::Float32, fed: 1e-3, jump: 8.0 };
        let mut walk = Walk::new(mode, bars);
        for (at, relative) in relatives.iter().enumerate() {
            walk.add(&format!("t-{at}"), "mul", apart(*relative));
        }
        walk
    }

    #[test]
    fn carried_growth_in_small_steps_is_no_fault_and_a_jump_is() {
        let grows = walk(Mode::Carried, &[1e-4, 5e-4, 3e-3, 1e-2]);
        assert_eq!(grows.first, None);
        let jumps = walk(Mode::Carried, &[1e-4, 5e-4, 5e-2, 6e-2]);
        assert_eq!(jumps.first().map(|step| step.name.as_str()), Some("t-2"));
        // the next is as far, by what it inherited
        assert!(jumps.steps[3].parts);
    }

    #[test]
    fn fed_the_bar_is_fixed() {
        let fed = walk(Mode::Fed, &[1e-4, 9e-4, 2e-3]);
        assert_eq!(fed.first, Some(2));
    }

    #[test]
    fn a_table_of_16_bits_is_felt_until_the_end_of_its_block() {
        let bars = Bars { rounding: Rounding::Float32, fed: 1e-3, jump: 8.0 };
        let mut walk = Walk::new(Mode::Fed, bars);
        walk.add("ffn_geglu-0", "geglu", apart(5e-3));
        walk.add("ffn_out-0", "mul_mat", apart(5e-3));
        assert_eq!(walk.first, None);
        walk.add("attn_norm-1", "mul", apart(5e-3));
        assert_eq!(walk.first, Some(2));
    }

    #[test]
    fn an_infinite_difference_parts_at_once() {
        let nan = walk(Mode::Carried, &[0.0, f64::INFINITY, 1.0]);
        assert_eq!(nan.first, Some(1));
        assert_eq!(nan.steps[1].growth, None);
    }

    #[test]
    fn neighbours_are_cut_at_the_ends() {
        let walk = walk(Mode::Fed, &[1.0, 0.0, 0.0]);
        assert_eq!(walk.around(1).len(), 2);
    }

    #[test]
    fn blocks_are_read_from_names() {
        assert_eq!(block_of("Qcur-12#2"), Some(12));
        assert_eq!(block_of("result_norm"), None);
        assert_eq!(block_of("inp_embd"), None);
        let walk = walk(Mode::Fed, &[0.0, 1.0, 1.0]);
        assert_eq!(walk.blocks(), (vec![1, 2], 3));
    }
}
