//! `--vary` and `--set`: settings as the command line names them.

use engine_protocol::{SETTING_KEYS, Settings};
use runner::Failure;
use serde_json::Value;

/// One setting and the values that it takes in turn; the first is off's.
#[derive(Debug, Clone)]
pub struct Vary {
    /// The setting's key.
    pub key: String,
    /// One for each arm, as written, with the settings that it gives.
    pub values: Vec<(String, Settings)>,
}

/// `flash_attention=off,on`.
pub fn vary(text: &str) -> Result<Vary, Failure> {
    let (key, values) = pair(text)?;
    let values: Vec<(String, Settings)> = values
        .split(',')
        .map(|value| Ok((value.to_owned(), single(key, value)?)))
        .collect::<Result<_, Failure>>()?;
    if values.len() < 2 {
        return Err(Failure::usage(format!(
            "`{text}` has one value; off and another are compared"
        ))
        .at("--vary")
        .hint("write `--vary flash_attention=off,on`: the first value is off"));
    }
    for (index, (value, settings)) in values.iter().enumerate() {
        if values[..index].iter().any(|(_, earlier)| earlier == settings) {
            return Err(Failure::usage(format!("the value `{value}` is there twice")).at("--vary"));
        }
    }
    Ok(Vary { key: key.to_owned(), values })
}

/// `threads=2`, several times.
pub fn fixed(texts: &[String]) -> Result<Settings, Failure> {
    texts.iter().try_fold(Settings::default(), |settings, text| {
        let (key, value) = pair(text)?;
        Ok(settings.overlaid(&single(key, value)?))
    })
}

fn pair(text: &str) -> Result<(&str, &str), Failure> {
    text.split_once('=').ok_or_else(|| {
        Failure::usage(format!("`{text}` is no `setting=value`"))
            .hint("write `flash_attention=off,on` or `threads=2`")
    })
}

/// A number where it is one, else a word.
fn single(key: &str, value: &str) -> Result<Settings, Failure> {
    if !SETTING_KEYS.contains(&key) {
        return Err(Failure::usage(format!("no setting is called `{key}`"))
            .hint(format!("settings are {}", SETTING_KEYS.join(", "))));
    }
    let json = value.parse::<u32>().map_or_else(|_| Value::from(value), Value::from);
    Settings::single(key, &json)
        .map_err(|conflict| Failure::usage(conflict.to_string()).at(format!("`{key}={value}`")))
}

#[cfg(test)]
mod tests {
    use engine_protocol::Toggle;

    use super::{fixed, vary};

    #[test]
    fn values_become_settings_in_order() {
        let vary = vary("flash_attention=off,on").unwrap();
        let values: Vec<_> =
            vary.values.iter().map(|(_, settings)| settings.flash_attention).collect();
        assert_eq!(values, [Some(Toggle::Off), Some(Toggle::On)]);
    }

    #[test]
    fn faults_name_the_setting_and_the_value() {
        assert!(vary("flash=off,on").unwrap_err().to_string().contains("flash_attention"));
        assert!(vary("threads=1,many").unwrap_err().to_string().contains("many"));
        assert!(vary("threads=1").unwrap_err().to_string().contains("one value"));
        assert!(vary("threads=1,1").unwrap_err().to_string().contains("twice"));
        assert!(fixed(&["threads".to_owned()]).unwrap_err().to_string().contains("setting=value"));
    }
}
