//! The last step of every page.

use crate::failure::Failure;

/// The page without characters that no reader can see and some programs act on: controls, and those
/// that turn the direction of the text around them. The template has escaped the rest.
pub(super) fn finished<T: askama::Template>(page: &T) -> Result<String, Failure> {
    let mut text = page
        .render()
        .map_err(|error| Failure::failed(format!("the page could not be made: {error}")))?;
    text.push('\n');
    if text.chars().all(|c| !is_hidden(c)) {
        return Ok(text);
    }
    Ok(text.chars().map(|c| if is_hidden(c) { ' ' } else { c }).collect())
}

fn is_hidden(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}
