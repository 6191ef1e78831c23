//! Runs to their end and looks at what was judged.

use serde_json::Value;

use super::Sandbox;

/// A run that was judged, sealed and printed.
#[derive(Debug)]
pub struct Judged {
    pub code: i32,
    record: Value,
}

impl Sandbox {
    /// Registers and runs `experiments/ID.toml`, made from [`super::manifest`] with replacements. It says
    /// that the question was seen where anything was run before.
    #[track_caller]
    pub fn judge(&self, id: &str, replacements: &[(&str, &str)]) -> Judged {
        let file = self.manifest(id, replacements);
        if !self.files("results").is_empty() {
            let text = std::fs::read_to_string(self.path(&file)).unwrap();
            self.write(&file, text.replace("prior_access = \"none\"", "prior_access = \"seen\""));
        }
        let said = self.runner(&["--json", "exec", "--register", &file]);
        let mut json = said.json();
        assert!(json["record"].is_object(), "there is no record: {said:?}");
        Judged { code: said.code, record: json["record"].take() }
    }

    /// The same for a run that must be refused: what was said. No run is left behind.
    #[track_caller]
    pub fn refused(&self, id: &str, replacements: &[(&str, &str)]) -> String {
        let file = self.manifest(id, replacements);
        let said = self.runner(&["exec", "--register", &file]).expect_code(3);
        assert_eq!(self.runs(id), Vec::<String>::new());
        said.err
    }
}

impl Judged {
    /// A treatment's comparison.
    #[track_caller]
    pub fn comparison(&self, arm: &str) -> &Value {
        let all = self.record["analysis"]["comparisons"].as_array().unwrap();
        all.iter().find(|comparison| comparison["arm"] == arm).unwrap()
    }

    /// Asserts a treatment's verdict and reason; the reason in words.
    #[track_caller]
    pub fn expect(&self, arm: &str, verdict: &str, code: &str) -> &str {
        let comparison = self.comparison(arm);
        let found = (&comparison["verdict"], &comparison["reason"]["code"]);
        assert_eq!(found, (&Value::from(verdict), &Value::from(code)), "{}", comparison["reason"]);
        comparison["reason"]["text"].as_str().unwrap()
    }

    /// The estimated ratio to off, where there is one.
    #[track_caller]
    pub fn ratio(&self, arm: &str) -> Option<f64> {
        self.comparison(arm)["effect"]["log_ratio"].as_f64().map(f64::exp)
    }

    /// What was found of the first contract of an arm.
    #[track_caller]
    pub fn contract(&self, arm: &str) -> &Value {
        let all = self.record["facts"]["contracts"].as_array().unwrap();
        all.iter().find(|finding| finding["arm"] == arm).unwrap()
    }

    /// All evidence that is no sample.
    pub fn facts(&self) -> &Value {
        &self.record["facts"]
    }

    /// What was concluded.
    pub fn analysis(&self) -> &Value {
        &self.record["analysis"]
    }

    /// The ladder held against its rule, at each condition value.
    pub fn ladder(&self) -> &[Value] {
        self.record["analysis"]["ladder"].as_array().map_or(&[], Vec::as_slice)
    }

    /// The noise floor.
    pub fn noise_floor(&self) -> &Value {
        &self.record["analysis"]["aa"][0]
    }
}
