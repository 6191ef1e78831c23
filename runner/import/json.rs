//! JSON of another tool: faults with line and column.

use serde_json::{Map, Value};

use crate::failure::Failure;

/// A whole document.
pub(super) fn document(text: &str, file: &str) -> Result<Value, Failure> {
    serde_json::from_str(text).map_err(|error| fault(&error, text, file, 0))
}

/// One object a line; empty lines are passed over.
pub(super) fn lines(text: &str, file: &str) -> Result<Vec<Map<String, Value>>, Failure> {
    let mut objects = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str(line) {
            Ok(Value::Object(object)) => objects.push(object),
            Ok(_) => {
                return Err(Failure::failed("this line is no JSON object")
                    .at(format!("{file}, line {number}")));
            }
            Err(error) => return Err(fault(&error, line, file, number - 1)),
        }
    }
    Ok(objects)
}

fn fault(error: &serde_json::Error, text: &str, file: &str, lines_before: usize) -> Failure {
    let line = lines_before + error.line();
    let place = format!("{file}, line {line}, column {}", error.column());
    if error.is_eof() {
        return Failure::failed("the file is cut off: its JSON ends in the middle")
            .at(place)
            .hint("let the tool run to its end, or import what it wrote as jsonl");
    }
    if is_no_number(text, error) {
        return Failure::failed("a number that is none (NaN or infinity) stands here")
            .at(place)
            .hint("such a test measured nothing: take it out, or measure it again");
    }
    // serde_json ends its messages with the place, which stands before them here
    let message = error.to_string();
    let what = message.split(" at line ").next().unwrap_or(&message);
    Failure::failed(format!("this is no JSON: {what}")).at(place)
}

/// Whether the place of the fault is within `nan`, `-inf`, `Infinity`.
fn is_no_number(text: &str, error: &serde_json::Error) -> bool {
    let Some(line) = text.lines().nth(error.line().saturating_sub(1)) else { return false };
    let characters: Vec<char> = line.chars().collect();
    let at = error.column().saturating_sub(1).min(characters.len());
    let (before, after) = characters.split_at(at);
    let is_word = |c: &&char| c.is_ascii_alphabetic() || **c == '-';
    let begin = before.iter().rev().take_while(is_word).count();
    let word: String = before
        .iter()
        .skip(before.len() - begin)
        .chain(after.iter().take_while(is_word))
        .map(char::to_ascii_lowercase)
        .collect();
    let word = word.trim_start_matches('-');
    word.starts_with("nan") || word.starts_with("inf")
}

#[cfg(test)]
mod tests {
    use super::document;

    #[test]
    fn faults_name_their_place_and_their_kind() {
        let said = |text: &str| document(text, "f.json").unwrap_err().to_string();
        for none in ["NaN", "nan", "-nan", "inf", "-inf", "Infinity", "-Infinity"] {
            let text = format!("{{\n \"a\": {none}\n}}");
            assert!(said(&text).contains("NaN or infinity"), "{none}: {}", said(&text));
            assert!(said(&text).starts_with("f.json, line 2"), "{none}: {}", said(&text));
        }
        assert!(said("[{\"a\": [1, 2").contains("cut off"));
        assert!(said("{\"a\" 1}").contains("this is no JSON: expected `:`"));
    }
}
