//! A bisection in sentences.

use super::bisection::Bisection;
use super::divergence::Divergence;
use super::logits::{LogitsCheck, LogitsFinding};
use super::sides::{Side, SideVerdict};
use super::walk::{Mode, Step, Walk};

/// Longest list of names that is written out.
const MOST_NAMES: usize = 8;

impl Bisection {
    /// What was found, a sentence a line, the most important first.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let mut lines = vec![self.headline()];
        lines.extend(self.arrangement());
        if self.parts() {
            lines.push(self.side_sentence());
        }
        lines.extend(self.other_mode());
        lines.extend(self.retested());
        lines.push(self.about_logits());
        lines.extend(self.about_names());
        lines.extend(self.notes.iter().cloned());
        lines
    }

    fn headline(&self) -> String {
        let subject = &self.subject;
        let Some(first) = self.first() else { return self.nothing_seen() };
        let before = self.before(self.naming(), first);
        let place = first.divergence.place;
        format!(
            "`{}` is the first that parts{before}: cosine {}, largest difference {} at position {}, index {} ({} {}, {} {})",
            first.name,
            cosine(first.divergence.cosine),
            relative(&first.divergence),
            place.position,
            place.index,
            subject.left,
            number(place.left),
            subject.right,
            number(place.right),
        )
    }

    /// No more than was looked for: what is under the bar goes unseen.
    fn nothing_seen(&self) -> String {
        let (subject, walk) = (&self.subject, &self.carried);
        let bar = walk.bar_at_end();
        let largest = walk.largest();
        let what = match largest {
            Some(step) if step.divergence.relative > bar => "no jump",
            _ => "nothing",
        };
        let largest = largest.map_or_else(String::new, |step| {
            let size = relative(&step.divergence);
            format!("; the largest difference is {size} in `{}`", step.name)
        });
        format!(
            "{} and {} do not part in {} tensors: {what} beyond a bar of {bar} ({}) was seen{largest}",
            subject.left,
            subject.right,
            walk.steps.len(),
            walk.bars.rounding.words(),
        )
    }

    /// The tensor that agrees before the first that parts.
    fn before(&self, walk: &Walk, first: &Step) -> String {
        let mode = match walk.mode {
            Mode::Fed => " when every block gets the same input",
            Mode::Carried => " with differences carried along",
        };
        // what stands before the first block was never fed
        let all = &self.carried.steps;
        let at = all.iter().position(|step| step.name == first.name).unwrap_or(0);
        match at.checked_sub(1).and_then(|before| all.get(before)).filter(|step| !step.parts) {
            Some(before) => format!("{mode}, right after `{}` agreed", before.name),
            None => mode.to_owned(),
        }
    }

    fn arrangement(&self) -> Option<String> {
        let sight = self.sight.as_ref()?;
        let arrangement = sight.arrangement.as_ref()?;
        Some(format!("`{}` is equal {}", sight.tensor, arrangement.words()))
    }

    fn side_sentence(&self) -> String {
        let (left, right) = (&self.subject.left, &self.subject.right);
        let why = |side: Side| {
            let of_side = self.reasons.iter().filter(|reason| reason.side == side);
            of_side.map(|reason| reason.why.as_str()).collect::<Vec<_>>().join("; ")
        };
        match self.sides() {
            SideVerdict::LeftLooksBroken => {
                format!("the {left} looks broken: {}", why(Side::Left))
            }
            SideVerdict::RightLooksBroken => {
                format!("the {right} looks broken: {}", why(Side::Right))
            }
            SideVerdict::BothLookBroken => format!(
                "both look broken: the {left}: {}; the {right}: {}",
                why(Side::Left),
                why(Side::Right)
            ),
            SideVerdict::BothLookSound => {
                "both look sound by themselves; they part here, and that alone does not say which is wrong"
                    .to_owned()
            }
        }
    }

    /// What the other way of walking says, and in how many blocks it parts.
    fn other_mode(&self) -> Vec<String> {
        let mut lines = Vec::new();
        match &self.fed {
            Err(why) => lines.push(format!("blocks could not be judged one by one: {why}")),
            Ok(fed) if fed.first.is_some() => {
                let (parting, all) = fed.blocks();
                if all > 0 && !parting.is_empty() {
                    let which = match parting.len() {
                        count if count == all => format!("every block ({all}) parts"),
                        1 => format!("1 of {all} blocks parts by itself: {}", numbers(&parting)),
                        count => format!("{count} of {all} blocks part: {}", numbers(&parting)),
                    };
                    lines.push(format!("fed the same input, {which}"));
                }
                match self.carried.first() {
                    Some(step) if Some(step.name.as_str()) != self.first().map(|f| f.name.as_str()) => {
                        lines.push(format!(
                            "with differences carried along, `{}` is the first that parts",
                            step.name
                        ));
                    }
                    Some(_) => lines.push(
                        "with differences carried along it is the first that parts too".to_owned(),
                    ),
                    None => lines.push(
                        "with differences carried along, nothing jumps out of what came before"
                            .to_owned(),
                    ),
                }
            }
            Ok(_) if self.carried.first.is_some() => lines.push(
                "fed the same input, no block parts by itself: the difference grows from one block to the next, or comes in before the first".to_owned(),
            ),
            Ok(_) => {}
        }
        lines
    }

    fn retested(&self) -> Option<String> {
        let retest = self.retest.as_ref()?;
        let list = names(&retest.observed);
        Some(match (retest.relative, retest.parts) {
            (None, _) => format!("it could not be observed again with only {list}"),
            (Some(relative), true) => {
                format!("observed again with only {list}, it parts as before ({})", size(relative))
            }
            (Some(relative), false) => format!(
                "observed again with only {list}, it no longer parts ({}): what was seen depends on what is observed, so a fused operation is the suspect",
                size(relative)
            ),
        })
    }

    fn about_logits(&self) -> String {
        let bar = self.carried.bar_at_end();
        let apart = self.logits.usual().map_or_else(String::new, |divergence| {
            format!(
                " (least cosine {}, largest difference {})",
                cosine(divergence.least_cosine),
                relative(divergence)
            )
        });
        match self.logits.finding(bar) {
            LogitsFinding::Agree => format!("the logits agree{apart}"),
            LogitsFinding::Unknown if self.logits.observed.is_some() => format!(
                "whether the logits agree is unknown{apart}: the bar is too wide to tell ({})",
                LogitsCheck::bar(bar)
            ),
            LogitsFinding::StillThere => {
                format!("the logits part{apart}, and do so in the observed run too")
            }
            LogitsFinding::GoneWhenObserved => format!(
                "the logits part{apart}, and no longer do when every tensor is observed: observing changes the graph, so look at few tensors, or at fused operations"
            ),
            LogitsFinding::OnlyWhenObserved => format!(
                "the logits part only when tensors are observed{apart}: what is named here is not what runs otherwise"
            ),
            LogitsFinding::Unknown => {
                "there are no logits to tell whether the fault reaches them".to_owned()
            }
        }
    }

    fn about_names(&self) -> Vec<String> {
        let one_side = |side: &str, list: &[String]| {
            (!list.is_empty())
                .then(|| format!("only the {side} has {} ({})", tensors(list.len()), names(list)))
        };
        let mut lines = Vec::new();
        lines.extend(one_side(&self.subject.left, &self.names.only_left));
        lines.extend(one_side(&self.subject.right, &self.names.only_right));
        if !self.names.other_shape.is_empty() {
            lines.push(format!(
                "{} have other shapes and were not compared ({})",
                tensors(self.names.other_shape.len()),
                names(&self.names.other_shape)
            ));
        }
        lines
    }
}

fn tensors(count: usize) -> String {
    if count == 1 { "1 tensor".to_owned() } else { format!("{count} tensors") }
}

fn names(list: &[String]) -> String {
    let mut shown: Vec<String> =
        list.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
    if list.len() > MOST_NAMES {
        shown.push(format!("{} more", list.len() - MOST_NAMES));
    }
    shown.join(", ")
}

fn numbers(list: &[u32]) -> String {
    let shown: Vec<String> = list.iter().take(MOST_NAMES).map(u32::to_string).collect();
    let rest = if list.len() > MOST_NAMES { ", …" } else { "" };
    format!("{}{rest}", shown.join(", "))
}

/// A largest relative difference in words.
#[must_use]
pub fn relative(divergence: &Divergence) -> String {
    size(divergence.relative)
}

/// Relative to the root mean square of its position.
fn size(relative: f64) -> String {
    if relative.is_infinite() {
        return "infinite (NaN or infinity)".to_owned();
    }
    if relative == 0.0 { "none".to_owned() } else { format!("{relative:.2e}") }
}

/// Many nines are told apart.
#[must_use]
pub fn cosine(cosine: f64) -> String {
    if cosine >= 1.0 {
        return "1".to_owned();
    }
    let missing = 1.0 - cosine;
    if missing < 1e-5 { format!("1 - {missing:.1e}") } else { format!("{cosine:.6}") }
}

fn number(value: f32) -> String {
    if value == 0.0 || (1e-3..1e5).contains(&value.abs()) {
        format!("{value:.5}")
    } else {
        format!("{value:.4e}")
    }
}
