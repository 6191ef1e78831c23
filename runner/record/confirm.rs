//! Holds what is there now against what was frozen.

use super::frozen::{
    Frozen, FrozenArmInputs, FrozenDrafter, FrozenEngine, FrozenForm, FrozenHistory, FrozenSlice,
};
use super::provenance::form_word;
use super::registered::Registered;
use crate::failure::Failure;
use crate::manifest::Freeze;

impl Registered {
    /// Holds the model, the workload, the engines and the rules of this moment against those of
    /// the registration. With [`Freeze::Source`] only an engine's source hash counts.
    ///
    /// # Errors
    /// Refused (exit 3), naming every mismatch with both hashes and what to do about it.
    pub fn confirm(&self, now: &Frozen) -> Result<(), Failure> {
        let mismatches = mismatches(self.frozen(), now);
        if mismatches.is_empty() {
            return Ok(());
        }
        let what: Vec<&str> = mismatches.iter().map(|mismatch| mismatch.what.as_str()).collect();
        let mut hints: Vec<&str> = Vec::new();
        for mismatch in &mismatches {
            if !hints.contains(&mismatch.remedy) {
                hints.push(mismatch.remedy);
            }
        }
        Err(Failure::refused(format!(
            "changed since the registration of {}: {}",
            self.circumstances().at,
            what.join("; ")
        ))
        .at(format!("experiment {}", self.plan().id))
        .hint(hints.join("; or ")))
    }
}

struct Mismatch {
    what: String,
    remedy: &'static str,
}

const TAKE_RULES: &str = "run it with the release whose rules it was registered under, or register it anew under a new id";

fn mismatches(then: &Frozen, now: &Frozen) -> Vec<Mismatch> {
    let mut found = Vec::new();
    if then.rules_version != now.rules_version {
        found.push(Mismatch {
            what: format!(
                "the rules of judgement are version {}, registered were {}",
                now.rules_version, then.rules_version
            ),
            remedy: TAKE_RULES,
        });
    }
    if then.model.sha256 != now.model.sha256 {
        found.push(Mismatch {
            what: format!(
                "model `{}` has sha256 {}, registered was {}",
                now.model.name, now.model.sha256, then.model.sha256
            ),
            remedy: "put the registered model file back (`runner model fetch`)",
        });
    }
    found.extend(then.forms.iter().filter_map(|form| form_mismatch(form, now)));
    found.extend(then.slices.iter().filter_map(|slice| slice_mismatch(slice, now)));
    found.extend(then.drafters.iter().filter_map(|drafter| drafter_mismatch(drafter, now)));
    if then.inputs.blake3 != now.inputs.blake3 {
        found.push(Mismatch {
            what: format!(
                "workload `{}` has blake3 {}, registered was {}",
                now.inputs.name, now.inputs.blake3, then.inputs.blake3
            ),
            remedy: WORKLOAD_BACK,
        });
    }
    found.extend(then.arm_inputs.iter().filter_map(|inputs| arm_inputs_mismatch(inputs, now)));
    // a run of a step is asked for nothing of its history: that stands in the registration alone
    if let (Some(then), Some(now)) = (&then.history, &now.history)
        && then != now
    {
        let ends = |frozen: &FrozenHistory| {
            let last = frozen.commits.last().map_or("none", String::as_str);
            format!("{} commits from {} to {last}", frozen.commits.len(), frozen.good)
        };
        found.push(Mismatch {
            what: format!("the history is {}, registered was {}", ends(now), ends(then)),
            remedy: "a branch or a tag has moved: name commits by their hashes, or run the \
                     registered search, which keeps to its own",
        });
    }
    for engine in &then.engines {
        let same_worker = now.engines.iter().find(|other| other.worker == engine.worker);
        found.extend(engine_mismatch(then.freeze, engine, same_worker));
    }
    let added = now
        .engines
        .iter()
        .filter(|engine| !then.engines.iter().any(|registered| registered.worker == engine.worker));
    found.extend(added.map(|engine| Mismatch {
        what: format!("worker `{}` was not registered", engine.worker),
        remedy: REBUILD,
    }));
    found
}

const WORKLOAD_BACK: &str = "put the registered workload back (see the commit of the registration)";

fn arm_inputs_mismatch(then: &FrozenArmInputs, now: &Frozen) -> Option<Mismatch> {
    let seen = now.arm_inputs.iter().find(|inputs| inputs.arm == then.arm);
    let seen = seen.map_or("none", |inputs| inputs.blake3.as_str());
    (seen != then.blake3).then(|| Mismatch {
        what: format!(
            "workload `{}` of arm `{}` has blake3 {seen}, registered was {}",
            then.name, then.arm, then.blake3
        ),
        remedy: WORKLOAD_BACK,
    })
}

fn slice_mismatch(then: &FrozenSlice, now: &Frozen) -> Option<Mismatch> {
    let seen = now.slices.iter().find(|slice| slice.arm == then.arm);
    let seen = seen.map_or("none", |slice| slice.sha256.as_str());
    (seen != then.sha256).then(|| Mismatch {
        what: format!(
            "the slice of arm `{}` has sha256 {seen}, registered was {}",
            then.arm, then.sha256
        ),
        remedy: "a slice is made of the registered model, and anew when its file and description in \
                 the cache are removed; use the release that it was registered with",
    })
}

fn drafter_mismatch(then: &FrozenDrafter, now: &Frozen) -> Option<Mismatch> {
    let seen = now.drafters.iter().find(|drafter| drafter.arm == then.arm);
    let seen = seen.map_or("none", |drafter| drafter.sha256.as_str());
    (seen != then.sha256).then(|| Mismatch {
        what: format!(
            "the drafter of arm `{}` has sha256 {seen}, registered was {}",
            then.arm, then.sha256
        ),
        remedy: "put the registered draft model back (`runner model fetch`); a slice is made anew \
                 when its file in the cache is removed",
    })
}

fn form_mismatch(then: &FrozenForm, now: &Frozen) -> Option<Mismatch> {
    let seen = now.forms.iter().find(|form| form.form == then.form);
    let seen = seen.map_or("none", |form| form.sha256.as_str());
    (seen != then.sha256).then(|| Mismatch {
        what: format!(
            "form {} of model `{}` has sha256 {seen}, registered was {}",
            form_word(then.form),
            now.model.name,
            then.sha256
        ),
        remedy: "put the registered file back, or make the form with the engine that made it then \
                 (`runner model forms`)",
    })
}

const REBUILD: &str = "build the registered engine again (same sources, compiler and flags)";

fn engine_mismatch(
    freeze: Freeze,
    then: &FrozenEngine,
    now: Option<&FrozenEngine>,
) -> Option<Mismatch> {
    let Some(now) = now else {
        return Some(Mismatch {
            what: format!("worker `{}` of the registration is not there", then.worker),
            remedy: REBUILD,
        });
    };
    let difference = |which: &str, then_hash: &str, now_hash: &str| Mismatch {
        what: format!(
            "the {which} of engine `{} {}` (worker `{}`) has blake3 {now_hash}, registered was \
             {then_hash}",
            now.name, now.version, now.worker
        ),
        remedy: REBUILD,
    };
    if then.source_blake3 != now.source_blake3 {
        return Some(difference("source", &then.source_blake3, &now.source_blake3));
    }
    if freeze == Freeze::Build && then.build_blake3 != now.build_blake3 {
        let mut mismatch = difference(
            "build (compiler, flags or instruction set)",
            &then.build_blake3,
            &now.build_blake3,
        );
        mismatch.remedy = "build the registered engine again (same compiler and flags), or register \
             with `freeze = \"source\"` under a new id";
        return Some(mismatch);
    }
    None
}
