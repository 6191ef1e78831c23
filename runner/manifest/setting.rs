//! One setting with its value, outside of the table that it usually stands in: a rung, or a word
//! on a command line.

use engine_protocol::Settings;

use super::checked::CheckedValue;
use super::language::{Shape, Table, TextRule, is_setting, language};
use super::scalar::{mask, shorten};
use super::suggest::nearest;
use crate::failure::Failure;

/// A setting from its key and a word, held to the same limits as in a manifest.
///
/// # Errors
/// A usage failure when no setting has this key, or the word is none of its values.
pub fn read_setting(key: &str, word: &str) -> Result<Settings, Failure> {
    if !is_setting(key) {
        let known = engine_protocol::SETTING_KEYS;
        let hint = match nearest(key, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("settings are {}", known.join(", ")),
        };
        let what = format!("no setting is called `{}`", shorten(key));
        return Err(Failure::usage(what).hint(hint));
    }
    let value = word
        .parse::<u64>()
        .map_or_else(|_| CheckedValue::Text(word.to_owned()), CheckedValue::Whole);
    one_form(key, &value).and_then(|value| Settings::single(key, &value).ok()).ok_or_else(|| {
        Failure::usage(format!("`{key}` cannot be {:?}", shorten(word)))
            .hint(format!("it is {}", wanted(key)))
    })
}

/// The value as JSON, in the form in which settings are stored; `None` when it is out of range.
pub(super) fn one_form(setting: &str, value: &CheckedValue) -> Option<serde_json::Value> {
    match (shape(setting)?, value) {
        (Shape::Whole { least, most }, CheckedValue::Whole(number)) => {
            (least..=most).contains(&number).then(|| (*number).into())
        }
        (Shape::Text(TextRule::Mask), CheckedValue::Text(text)) => mask(text).map(Into::into),
        (_, value) => value.scalar_json(),
    }
}

/// What a setting's values are, in words.
pub(super) fn wanted(setting: &str) -> String {
    shape(setting).map(Shape::wanted).unwrap_or_default()
}

fn shape(setting: &str) -> Option<&'static Shape> {
    let engine: &Table = match &language().key("engine")?.shape {
        Shape::Table(engine) => engine,
        _ => return None,
    };
    engine.key(setting).map(|key| &key.shape)
}

#[cfg(test)]
mod tests {
    use engine_protocol::Toggle;

    use super::read_setting;

    #[test]
    fn words_become_settings_in_their_one_form() {
        assert_eq!(read_setting("threads", "2").unwrap().threads, Some(2));
        let flash = read_setting("flash_attention", "on").unwrap();
        assert_eq!(flash.flash_attention, Some(Toggle::On));
        let mask = read_setting("cpu_mask", "0x00F").unwrap();
        assert_eq!(mask.cpu_mask.as_deref(), Some("0xf"));
    }

    #[test]
    fn limits_are_those_of_a_manifest() {
        for (key, word, hint) in [
            ("threads", "0", "it is a whole number, 1 to 1024"),
            ("threads", "-1", "it is a whole number, 1 to 1024"),
            ("threads", "", "it is a whole number, 1 to 1024"),
            ("poll_percent", "101", "it is a whole number, 0 to 100"),
            ("flash_attention", "yes", "it is one of \"on\", \"off\""),
            ("flash_attention", "1", "it is one of \"on\", \"off\""),
            // workers of off and aa would both want it
            ("rpc_servers", "node-a:1", "it is a list, each value a server as `host:port`"),
            ("thread", "1", "did you mean `threads`?"),
        ] {
            let failure = read_setting(key, word).unwrap_err();
            assert_eq!(failure.hint.as_deref(), Some(hint), "{key}={word}");
        }
    }
}
