//! From `[ladder]` to arms.

use engine_protocol::{Form, Settings};

use super::checked::CheckedTable;
use super::code::Code;
use super::diagnostics::Diagnostic;
use super::draft::{
    ArmDraft, ArmOrigin, SettingsDraft, accepted, contract_written, contracts, expectations,
    expected_buffers, expected_devices, is_whole,
};
use super::faults::Faults;
use super::language::{FORM_KEY, is_of_drafts, ladder_keys};
use super::names::ArmName;
use super::plan::{Environment, Role};
use super::scalar::shorten;
use super::setting::{one_form, wanted};
use super::span::Spot;
use super::suggest::nearest;

/// What a rung is: a setting's value, or a form of the model. `None` when it is no value of the key.
fn varied(key: &str, value: &serde_json::Value) -> Option<(Settings, Option<Form>)> {
    if key == FORM_KEY {
        let form = serde_json::from_value(value.clone()).ok()?;
        return Some((Settings::default(), Some(form)));
    }
    Some((Settings::single(key, value).ok()?, None))
}

/// The arms of the ladder's rungs.
pub(super) fn rungs(table: &CheckedTable, faults: &mut Faults) -> Vec<ArmDraft> {
    let Some(setting) = table.text("setting") else { return Vec::new() };
    if !ladder_keys().any(|key| key == setting.value) {
        let fault = Diagnostic::error(
            Code::UNKNOWN_VALUE,
            setting.span,
            format!("no setting is called `{}`", shorten(&setting.value)),
        );
        faults.push(match nearest(&setting.value, ladder_keys()) {
            Some(near) => fault.help(format!("did you mean `setting = \"{near}\"`?")),
            None => {
                let known: Vec<&str> = ladder_keys().collect();
                fault.help(format!("settings are {}", known.join(", ")))
            }
        });
        return Vec::new();
    }
    let beside = SettingsDraft::of(table);
    strays(&setting, &beside, faults);
    let Some(rungs) = table.list("rungs") else { return Vec::new() };
    let mut arms: Vec<ArmDraft> = Vec::new();
    for rung in rungs.value {
        let Some(written) = rung.value.scalar_json() else { continue };
        let read = one_form(&setting.value, &rung.value)
            .and_then(|value| Some((varied(&setting.value, &value)?, value)));
        let Some(((settings, form), value)) = read else {
            faults.push(
                Diagnostic::error(
                    Code::UNKNOWN_VALUE,
                    rung.span.clone(),
                    format!("`{}` cannot be {}", setting.value, shorten(&written.to_string())),
                )
                .help(format!("a rung is {}", wanted(&setting.value))),
            );
            continue;
        };
        let plain = value.as_str().map_or_else(|| value.to_string(), str::to_lowercase);
        let name = match ArmName::try_from(format!("{}={plain}", setting.value)) {
            Ok(name) => name,
            Err(why) => {
                faults.push(Diagnostic::error(
                    Code::BAD_NAME,
                    rung.span.clone(),
                    format!("this rung has no name: {why}"),
                ));
                continue;
            }
        };
        let twin =
            arms.iter().filter_map(|arm| arm.name.as_ref()).find(|other| other.value == name);
        if let Some(twin) = twin {
            faults.push(
                Diagnostic::error(
                    Code::DUPLICATE_VALUE,
                    rung.span.clone(),
                    format!("the rung {value} occurs twice"),
                )
                .here("again")
                .also(twin.span.clone(), "first")
                .help("leave one of them out"),
            );
            continue;
        }
        let mut own = SettingsDraft {
            settings: beside.settings.overlaid(&settings),
            places: beside.places.clone(),
        };
        own.places.insert(setting.value.clone(), rung.span.clone());
        arms.push(ArmDraft {
            span: rung.span.clone(),
            name: Some(Spot { value: name, span: rung.span.clone() }),
            role: Some(Spot { value: Role::Treatment, span: rung.span.clone() }),
            settings: own,
            form: form.map(|value| Spot { value, span: rung.span.clone() }),
            layers: None,
            inputs: None,
            pieces: None,
            worker: None,
            contracts: contracts(table),
            contract_written: contract_written(table),
            expect: expectations(table),
            expect_devices: expected_devices(table),
            expect_buffers: expected_buffers(table),
            environment: Environment::default(),
            expect_accepted: accepted(table),
            whole: is_whole(table),
            from: ArmOrigin::Rung,
        });
    }
    arms
}

/// What rungs have beside the ladder's setting: of drafts, in a ladder of drafts.
fn strays(setting: &Spot<String>, beside: &SettingsDraft, faults: &mut Faults) {
    for (key, place) in &beside.places {
        if *key == setting.value {
            faults.push(
                Diagnostic::error(
                    Code::EXCLUSIVE_KEYS,
                    place.clone(),
                    format!("`{key}` is given here, and the ladder varies it"),
                )
                .also(setting.span.clone(), "varied here")
                .help("leave it out: the rungs' values hold"),
            );
        } else if !is_of_drafts(&setting.value) {
            faults.push(
                Diagnostic::error(
                    Code::CONFOUNDED_LADDER,
                    place.clone(),
                    format!("the rungs would differ from `off` in `{key}` too"),
                )
                .also(setting.span.clone(), "the one setting that is to differ")
                .help("only a ladder over a setting of drafts has such keys beside it"),
            );
        }
    }
}
