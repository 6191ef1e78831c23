//! The `INSERT INTO` lines that llama-bench writes: names in brackets, values in quotes.

use crate::failure::Failure;

/// Names and values of one test.
type Named = Vec<(String, String)>;

/// Each insertion with its line; all other statements are passed over.
pub(super) fn insertions(text: &str, file: &str) -> Result<Vec<(usize, Named)>, Failure> {
    let mut all = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if !line.to_uppercase().starts_with("INSERT INTO") {
            continue;
        }
        let place = || format!("{file}, line {number}");
        let cut = || {
            Failure::failed("an insertion is cut off")
                .at(place())
                .hint("let the tool run to its end")
        };
        let (names, rest) =
            line.split_once('(').and_then(|(_, rest)| rest.split_once(')')).ok_or_else(cut)?;
        let names: Vec<String> = names.split(',').map(|name| name.trim().to_owned()).collect();
        let values = rest
            .split_once('(')
            .and_then(|(_, values)| values.trim_end_matches(';').trim_end().strip_suffix(')'))
            .and_then(quoted)
            .ok_or_else(cut)?;
        if names.len() != values.len() {
            let (names, values) = (names.len(), values.len());
            return Err(Failure::failed(format!("{names} names and {values} values")).at(place()));
        }
        all.push((number, names.into_iter().zip(values).collect()));
    }
    Ok(all)
}

/// `'a', 'it''s', 3`.
fn quoted(text: &str) -> Option<Vec<String>> {
    let mut values = Vec::new();
    let mut value = String::new();
    let mut inside = false;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\'' if inside && characters.peek() == Some(&'\'') => {
                characters.next();
                value.push('\'');
            }
            '\'' => inside = !inside,
            ',' if !inside => values.push(std::mem::take(&mut value)),
            c if !inside && c.is_whitespace() => {}
            c => value.push(c),
        }
    }
    values.push(value);
    (!inside).then_some(values)
}

#[cfg(test)]
mod tests {
    use super::insertions;

    #[test]
    fn values_in_quotes_and_what_is_cut_off() {
        let text = "CREATE TABLE x (a TEXT);\nINSERT INTO x (a, b) VALUES ('it''s, so', '3');\n";
        let found = insertions(text, "f").unwrap();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(found, [(2, vec![pair("a", "it's, so"), pair("b", "3")])]);
        for cut in ["INSERT INTO x (a, b) VALUES ('1', '2", "INSERT INTO x (a", "INSERT INTO x"] {
            assert!(insertions(cut, "f").is_err(), "{cut}");
        }
    }
}
