//! `--vary` and `--set`: settings as the command line names them.

use engine_protocol::Settings;
use runner::Failure;
use runner::exec::PilotValue;
use runner::manifest::read_setting;
use runner::model::read_form;

/// One setting and the values that it takes in turn; the first is off's.
#[derive(Debug, Clone)]
pub struct Vary {
    /// The setting's key.
    pub key: String,
    /// One for each arm.
    pub values: Vec<PilotValue>,
}

/// `flash_attention=off,on`.
pub fn vary(text: &str) -> Result<Vary, Failure> {
    let (key, values) = pair(text, "--vary")?;
    let values: Vec<PilotValue> =
        values.split(',').map(|value| varied(key, value)).collect::<Result<_, Failure>>()?;
    if values.len() < 2 {
        return Err(Failure::usage(format!(
            "`{text}` has one value; off and another are compared"
        ))
        .at("--vary")
        .hint("write `--vary flash_attention=off,on`: the first value is off"));
    }
    for (index, value) in values.iter().enumerate() {
        let same = |earlier: &PilotValue| {
            (&earlier.settings, earlier.form) == (&value.settings, value.form)
        };
        if values[..index].iter().any(same) {
            return Err(Failure::usage(format!("the value `{}` is there twice", value.word))
                .at("--vary")
                .hint("leave one of them out"));
        }
    }
    Ok(Vary { key: key.to_owned(), values })
}

/// A value of a setting, or a form of the model.
fn varied(key: &str, word: &str) -> Result<PilotValue, Failure> {
    let (settings, form) = if key == "form" {
        let form = read_form(word).map_err(|failure| failure.at("--vary"))?;
        (Settings::default(), Some(form))
    } else {
        (single(key, word, "--vary")?, None)
    };
    Ok(PilotValue { word: word.to_owned(), settings, form })
}

/// `threads=2`, several times, beside the setting that varies.
pub fn fixed(texts: &[String], vary: &Vary) -> Result<Settings, Failure> {
    texts.iter().try_fold(Settings::default(), |settings, text| {
        let (key, value) = pair(text, "--set")?;
        let one = single(key, value, "--set")?;
        // an option that is taken and then ignored would be worse than none
        if key == vary.key {
            return Err(Failure::usage(format!(
                "`{key}` varies, so no one value holds for all arms"
            ))
            .at("--set")
            .hint(format!("leave `--set {text}` out")));
        }
        if settings.named().contains(&key) {
            return Err(Failure::usage(format!("`{key}` is set twice"))
                .at("--set")
                .hint("leave one of them out"));
        }
        Ok(settings.overlaid(&one))
    })
}

fn pair<'text>(text: &'text str, option: &str) -> Result<(&'text str, &'text str), Failure> {
    text.split_once('=').ok_or_else(|| {
        Failure::usage(format!("`{text}` is no `setting=value`"))
            .at(option)
            .hint("write `flash_attention=off,on` or `threads=2`")
    })
}

/// A number where it is one, else a word.
fn single(key: &str, value: &str, option: &str) -> Result<Settings, Failure> {
    read_setting(key, value).map_err(|failure| failure.at(option))
}

#[cfg(test)]
mod tests {
    use engine_protocol::{Form, Toggle};

    use super::{fixed, vary};

    #[test]
    fn values_become_settings_in_order() {
        let vary = vary("flash_attention=off,on").unwrap();
        let values: Vec<_> =
            vary.values.iter().map(|value| value.settings.flash_attention).collect();
        assert_eq!(values, [Some(Toggle::Off), Some(Toggle::On)]);
    }

    #[test]
    fn forms_vary_too() {
        let vary = vary("form=f16,q8_0").unwrap();
        let forms: Vec<_> = vary.values.iter().map(|value| value.form).collect();
        assert_eq!(forms, [Some(Form::F16), Some(Form::Q8_0)]);
        assert!(super::vary("form=f16,q8-0").unwrap_err().to_string().contains("q8_0"));
        assert!(super::vary("form=f16,f16").unwrap_err().to_string().contains("twice"));
    }

    #[test]
    fn faults_name_the_setting_and_the_value() {
        assert!(vary("flash=off,on").unwrap_err().to_string().contains("flash_attention"));
        assert!(vary("threads=1,many").unwrap_err().to_string().contains("many"));
        assert!(vary("threads=1").unwrap_err().to_string().contains("one value"));
        assert!(vary("threads=1,1").unwrap_err().to_string().contains("twice"));
        assert!(vary("cpu_mask=0x3,0x03").unwrap_err().to_string().contains("twice"));
    }

    #[test]
    fn a_setting_holds_for_all_arms_once_or_varies() {
        let vary = vary("flash_attention=off,on").unwrap();
        let fault = |texts: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
            fixed(&texts, &vary).unwrap_err().to_string()
        };
        assert!(fault(&["threads"]).contains("setting=value"));
        assert!(fault(&["flash_attention=on"]).contains("varies"));
        assert!(fault(&["threads=1", "threads=2"]).contains("twice"));
        let settings = fixed(&["threads=2".to_owned()], &vary).unwrap();
        assert_eq!(settings.threads, Some(2));
    }
}
