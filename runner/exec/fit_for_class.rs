//! Whether a plan's set is fit for its class, with the model's own tokenizer: asked before anything
//! is frozen and before anything is run.

use crate::failure::Failure;
use crate::manifest::{MeasurementClass, Plan, Role};
use crate::model::{Document, Experts, ModelFile, TokenizerHash};
use crate::project::Project;
use crate::workload::InputSet;
use crate::workload::calibration::{
    Fitness, Known, Unit, bars, by_words, fitness, fitness_of_routing, known,
};

/// What to do about a set that is not fit.
const OTHERWISE: &str = "take a set of varied text (`runner workload list`), or show the arms as \
     `ceiling` or `control`: then nothing is judged on it; or let one such arm have it as `inputs` \
     of its own";

/// Holds a set against the class of a plan; on a mixture of experts against what routing needs as
/// well, whatever the class: which experts work hangs on the text. A plan that judges nothing may
/// take any set: what it shows is a best case.
///
/// # Errors
/// Refused when the set does not name the class, is outside of it, or is not calibrated for it with
/// this model's tokenizer; usage when its calibration cannot be understood.
pub(super) fn require(
    plan: &Plan,
    set: &InputSet,
    model: &ModelFile,
    project: &Project,
) -> Result<(), Failure> {
    let judged = plan.arms.iter().any(|arm| matches!(arm.role, Role::Treatment | Role::Peer));
    if !judged {
        return Ok(());
    }
    let class = plan.workload.class;
    let refused = |what: String| {
        let what = format!("the set `{}` {what}", set.name);
        Failure::refused(what).at("[workload] class")
    };
    if !set.classes.contains(&class) {
        let mut what = vec![format!("does not serve the class {}", class.key())];
        what.extend(by_words(class, set).reasons());
        return Err(refused(what.join("; ")).hint(OTHERWISE));
    }
    let document = Document::read(&model.path)?;
    let experts = Experts::of(document.facts());
    if bars(class).is_empty() && experts.is_none() {
        return Ok(());
    }
    let asked =
        Asked { set, model, tokenizer: TokenizerHash::of(&document)?, known: known(set, project)? };
    let mut found = asked.content(class);
    if experts.is_some() {
        found = found.and(asked.routing(class));
    }
    if let Fitness::Outside(_) = found.fitness {
        let on = if experts.is_some() { " on a mixture of experts" } else { "" };
        let reasons = found.fitness.reasons().join("; ");
        let what = format!("is outside of the class {}{on}: {reasons}", class.key());
        return Err(refused(what).hint(OTHERWISE));
    }
    if found.basis == Basis::Missing {
        let stale = match &asked.known.of_another_content {
            Some(_) => "; what is stored was measured of another content",
            None => "",
        };
        let what = format!(
            "is not calibrated for the class {} with the model `{}`{stale}",
            class.key(),
            model.name
        );
        let command = format!("`runner workload measure {} --model {}`", set.name, model.name);
        return Err(refused(what).hint(format!("run {command}, which measures it once")));
    }
    Ok(())
}

/// What was found of a set.
struct Found {
    fitness: Fitness,
    basis: Basis,
}

/// Whether a class has what it must be judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Basis {
    There,
    Missing,
}

impl Found {
    fn and(self, other: Found) -> Found {
        let missing = [self.basis, other.basis].contains(&Basis::Missing);
        Found {
            fitness: self.fitness.and(other.fitness),
            basis: if missing { Basis::Missing } else { Basis::There },
        }
    }
}

/// A set under a model.
struct Asked<'plan> {
    set: &'plan InputSet,
    model: &'plan ModelFile,
    tokenizer: TokenizerHash,
    known: Known,
}

impl Asked<'_> {
    /// What the class itself needs; by words, and so without a basis, where the tokenizer's
    /// statistics are not stored.
    fn content(&self, class: MeasurementClass) -> Found {
        match self.known.by_tokenizer(self.tokenizer.as_str()) {
            Some(measured) => Found {
                fitness: fitness(class, &measured.content, Unit::Tokens),
                basis: Basis::There,
            },
            None => Found {
                fitness: by_words(class, self.set),
                basis: if bars(class).is_empty() { Basis::There } else { Basis::Missing },
            },
        }
    }

    /// What a mixture of experts needs beside. Only the class `routing` needs the experts to have
    /// been seen; another is held against what is known.
    fn routing(&self, class: MeasurementClass) -> Found {
        let content = self.content(MeasurementClass::Routing).fitness;
        let experts = self.known.by_model(self.model.sha256.as_str());
        let (experts, basis) = match experts {
            Some(experts) => (fitness_of_routing(Some(experts)), Basis::There),
            None if class == MeasurementClass::Routing => (Fitness::Fit, Basis::Missing),
            None => (Fitness::Fit, Basis::There),
        };
        // the class itself has said what its content lacks
        let content = if class == MeasurementClass::Routing { Fitness::Fit } else { content };
        Found { fitness: content.and(experts), basis }
    }
}
