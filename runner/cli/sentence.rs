//! A reason on the command line: somebody will read it in a year.

/// One or more words that are not blank, on one line.
pub fn parse(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("say it in a sentence: it stays in the ledger for ever".to_owned());
    }
    if text.chars().any(char::is_control) {
        return Err("write it on one line, without control characters".to_owned());
    }
    Ok(text.to_owned())
}
