//! How two model files differ: what another form of the same weights explains, and what it does not.

use crate::failure::Failure;
use crate::model::{Document, MetadataValue};

/// Longest list of differences that is written out.
const MOST_NAMED: usize = 4;

/// The differences of one file from another, in words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FileDifference {
    /// Tensors of other types, and keys that only describe the file. Nothing that says which side
    /// is wrong: a form is made with other types on purpose.
    pub(super) form: Vec<String>,
    /// Other keys, tensors and values: no form has them.
    pub(super) content: Vec<String>,
}

impl FileDifference {
    /// Compares the first with the second, of which the words say "not …". Tensors of other types
    /// are not held against each other value by value; of the others one is in memory at a time.
    pub(super) fn between(mine: &Document, theirs: &Document) -> Result<FileDifference, Failure> {
        let mut found = FileDifference::default();
        found.add_keys(mine, theirs);
        for tensor in &mine.facts().tensors {
            let name = &tensor.name;
            match theirs.tensor(name) {
                None => found.content.push(format!("tensor `{name}` is there")),
                Some(their) if their.dimensions != tensor.dimensions => {
                    found.content.push(format!("tensor `{name}` has another shape"));
                }
                Some(their) if their.tensor_type != tensor.tensor_type => {
                    found.form.push(format!(
                        "tensor `{name}` is {}, not {}",
                        tensor.tensor_type, their.tensor_type
                    ));
                }
                // enough to name; no more is read
                Some(_) if found.content.len() > 2 * MOST_NAMED => {}
                Some(_) if mine.tensor_bytes(name)? != theirs.tensor_bytes(name)? => {
                    found.content.push(format!("tensor `{name}` has other values"));
                }
                Some(_) => {}
            }
        }
        let gone = theirs.facts().tensors.iter().filter(|their| mine.tensor(&their.name).is_none());
        found.content.extend(gone.map(|their| format!("tensor `{}` is missing", their.name)));
        Ok(found)
    }

    fn add_keys(&mut self, mine: &Document, theirs: &Document) {
        let (mine, theirs) = (&mine.facts().metadata, &theirs.facts().metadata);
        let mut keys: Vec<&String> = mine.keys().chain(theirs.keys()).collect();
        keys.sort();
        keys.dedup();
        for key in keys {
            let (mine, theirs) = (mine.get(key), theirs.get(key));
            if mine != theirs {
                let words = format!("`{key}` is {}, not {}", shown(mine), shown(theirs));
                if only_describes(key) { &mut self.form } else { &mut self.content }.push(words);
            }
        }
    }

    /// All of it.
    pub(super) fn words(&self) -> String {
        let all: Vec<String> = self.content.iter().chain(&self.form).cloned().collect();
        if all.is_empty() {
            return "the files are laid out differently, with the same content".to_owned();
        }
        listed(&all)
    }
}

/// The first of them, and how many more there are.
pub(super) fn listed(list: &[String]) -> String {
    let mut named: Vec<String> = list.iter().take(MOST_NAMED).cloned().collect();
    if list.len() > MOST_NAMED {
        named.push(format!("and {} more", list.len() - MOST_NAMED));
    }
    named.join("; ")
}

/// Keys that say how the file was made, and by which nothing is computed.
fn only_describes(key: &str) -> bool {
    let general = key.starts_with("general.") && key != "general.architecture";
    general || key.starts_with("quantize.")
}

fn shown(value: Option<&MetadataValue>) -> String {
    match value {
        None => "absent".to_owned(),
        Some(MetadataValue::Unsigned(value)) => value.to_string(),
        Some(MetadataValue::Signed(value)) => value.to_string(),
        // most are written in 32 bits
        Some(MetadataValue::Float(value)) => {
            let short = *value as f32;
            if f64::from(short) == *value { short.to_string() } else { value.to_string() }
        }
        Some(MetadataValue::Bool(value)) => value.to_string(),
        Some(MetadataValue::Text(text)) => format!("{text:?}"),
        Some(MetadataValue::LongText(bytes)) => format!("a text of {bytes} bytes"),
        Some(MetadataValue::Array(count)) => format!("a list of {count}"),
    }
}
