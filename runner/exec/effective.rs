//! Settings as the workers read them back, held against what was asked for: a setting that an engine
//! ignores would make two arms of one.

use engine_protocol::{SETTING_KEYS, Settings};
use serde_json::Value;

use super::context::ArmWorker;
use crate::failure::Failure;
use crate::manifest::{Arm, Plan, Role};

/// Refuses an arm whose worker reads back another value of a setting than was asked for. What a
/// worker does not tell says nothing.
pub(super) fn as_asked(arm: &str, asked: &Settings, effective: &Settings) -> Result<(), Failure> {
    let (asked, effective) = (members(asked), members(effective));
    let ignored = SETTING_KEYS.iter().find_map(|key| {
        let (asked, found) = (known(&asked, key)?, known(&effective, key)?);
        (!is_honoured(key, asked, found)).then_some((key, asked, found))
    });
    match ignored {
        None => Ok(()),
        Some((key, asked, found)) => Err(Failure::refused(format!(
            "`{key}` was asked for as {asked}, and is {found} in effect: the engine ignored it"
        ))
        .at(format!("arm `{arm}`"))
        .hint("nothing was measured; ask for what the engine can do, or leave the setting out")),
    }
}

/// Refuses arms that ask for different settings and of which the engine makes the same.
pub(super) fn told_apart(plan: &Plan, workers: &[ArmWorker]) -> Result<(), Failure> {
    let loaded = |arm: &Arm| {
        let worker = workers.iter().find(|worker| worker.arm == arm.name.as_str())?;
        worker.loaded.as_ref().map(|loaded| &loaded.effective)
    };
    let others = plan.arms.iter().filter(|arm| !matches!(arm.role, Role::Off | Role::Aa));
    for (index, arm) in others.clone().enumerate() {
        let before = others.clone().take(index).filter(|_| arm.role == Role::Treatment);
        let before = before.filter(|other| other.role == Role::Treatment);
        for other in plan.arms.get(plan.off()).into_iter().chain(before) {
            let (asked, asked_of_other) = (plan.settings_of(arm), plan.settings_of(other));
            let same_otherwise = plan.worker_of(arm) == plan.worker_of(other)
                && plan.form_of(arm) == plan.form_of(other)
                && plan.environment_of(arm) == plan.environment_of(other);
            let (Some(here), Some(there)) = (loaded(arm), loaded(other)) else { continue };
            if asked == asked_of_other || !same_otherwise || here != there {
                continue;
            }
            let (asked, asked_of_other) = (members(&asked), members(&asked_of_other));
            let keys: Vec<&str> = SETTING_KEYS
                .iter()
                .copied()
                .filter(|key| asked.get(*key) != asked_of_other.get(*key))
                .collect();
            return Err(Failure::refused(format!(
                "`{}` and `{}` ask for different settings (`{}`), and the engine makes the same of both",
                arm.name,
                other.name,
                keys.join("`, `")
            ))
            .at(format!("arm `{}`", arm.name))
            .hint("nothing was measured; give it a value that the engine does not choose anyway"));
        }
    }
    Ok(())
}

fn members(settings: &Settings) -> Value {
    serde_json::to_value(settings).unwrap_or_default()
}

fn known<'value>(members: &'value Value, key: &str) -> Option<&'value Value> {
    members.get(key).filter(|value| !value.is_null())
}

fn is_honoured(key: &str, asked: &Value, found: &Value) -> bool {
    match (key, asked.as_u64(), found.as_u64()) {
        // rounded up by engines: llama.cpp makes it a multiple of 256
        ("context_tokens", Some(asked), Some(found)) => found >= asked,
        _ if key == "cpu_mask" => digits(asked) == digits(found),
        _ => asked == found,
    }
}

/// A mask without what says the same: case, and zeros in front.
fn digits(mask: &Value) -> String {
    let text = mask.as_str().unwrap_or_default().to_lowercase();
    text.trim_start_matches("0x").trim_start_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use engine_protocol::Toggle;

    use super::*;

    #[test]
    fn another_value_is_refused_and_another_way_of_writing_is_not() {
        let asked = Settings {
            threads: Some(2),
            context_tokens: Some(1000),
            cpu_mask: Some("0x0F".to_owned()),
            ..Settings::default()
        };
        let told = Settings {
            context_tokens: Some(1024),
            cpu_mask: Some("0xf".to_owned()),
            flash_attention: Some(Toggle::On),
            ..asked.clone()
        };
        assert!(as_asked("a", &asked, &told).is_ok());
        let ignored = Settings { threads: Some(1), ..told.clone() };
        let refusal = as_asked("a", &asked, &ignored).unwrap_err();
        assert!(refusal.what.contains("`threads` was asked for as 2, and is 1"), "{refusal}");
        // a context that is too short is not what was asked for
        assert!(
            as_asked("a", &asked, &Settings { context_tokens: Some(900), ..told.clone() }).is_err()
        );
        // what is not told says nothing
        assert!(as_asked("a", &asked, &Settings { threads: None, ..told }).is_ok());
    }
}
