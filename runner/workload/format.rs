//! The file format of a set, version 1.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::canonical::hash;
use super::load::FORMAT;
use super::set::{InputSet, Item};
use crate::failure::Failure;
use crate::manifest::MeasurementClass;

/// Ids stand in tables and file names.
const MOST_ID_BYTES: usize = 64;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetFile {
    schema: u32,
    licence: String,
    source: String,
    classes: Vec<MeasurementClass>,
    #[serde(default)]
    item: Vec<SetItem>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetItem {
    id: Spanned<String>,
    text: Spanned<String>,
}

/// Reads a set from its text. `place` is its file, for messages.
pub(super) fn parse(text: &str, name: &str, place: &str) -> Result<InputSet, Failure> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let line = |offset: usize| {
        let before = text.get(..offset).unwrap_or(text);
        1 + before.matches('\n').count()
    };
    let file: SetFile = toml::from_str(text).map_err(|error| {
        let place = error
            .span()
            .map_or_else(|| place.to_owned(), |span| format!("{place}:{}", line(span.start)));
        Failure::usage(error.message().to_owned()).at(place).hint(FORMAT)
    })?;
    if file.schema != 1 {
        let what = format!("schema {} of a set is not known (1 is)", file.schema);
        return Err(Failure::usage(what).at(place).hint(FORMAT));
    }

    let mut faults: Vec<(usize, String)> = Vec::new();
    if file.item.is_empty() {
        faults.push((1, "the set has no [[item]]".into()));
    }
    if file.classes.is_empty() {
        faults.push((1, "the set serves no class".into()));
    }
    let mut ids: BTreeMap<&str, usize> = BTreeMap::new();
    let mut items = Vec::new();
    for item in &file.item {
        let id = item.id.get_ref().as_str();
        let id_line = line(item.id.span().start);
        if let Some(why) = bad_id(id) {
            faults.push((id_line, why));
        }
        if let Some(first) = ids.insert(id, id_line) {
            faults.push((id_line, format!("the id `{id}` is used twice, first at line {first}")));
        }
        let content = item.text.get_ref().replace("\r\n", "\n");
        let text_line = line(item.text.span().start);
        if content.trim().is_empty() {
            faults.push((text_line, format!("the text of `{id}` is empty")));
        }
        let bad = content.chars().find(|c| c.is_control() && *c != '\n' && *c != '\t');
        if let Some(bad) = bad {
            let what = format!("the text of `{id}` holds the control character {bad:?}");
            faults.push((text_line, what));
        }
        items.push((text_line, Item { id: id.to_owned(), text: content }));
    }
    let mut texts: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    for (text_line, item) in &items {
        if let Some((first, id)) = texts.get(item.text.as_str()) {
            let what = format!("`{}` has the same text as `{id}` at line {first}", item.id);
            faults.push((*text_line, what));
        } else {
            texts.insert(&item.text, (*text_line, &item.id));
        }
    }
    if let Some(failure) = all_faults(&faults, place) {
        return Err(failure);
    }
    let items: Vec<Item> = items.into_iter().map(|(_, item)| item).collect();
    Ok(InputSet {
        name: name.to_owned(),
        licence: file.licence,
        source: file.source,
        classes: file.classes,
        blake3: hash(&items),
        items,
    })
}

fn bad_id(id: &str) -> Option<String> {
    let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c);
    if id.is_empty() || id.len() > MOST_ID_BYTES {
        return Some(format!("an item's id has 1 to {MOST_ID_BYTES} characters"));
    }
    id.chars().find(|c| !good(*c)).map(|bad| {
        format!("the id {id:?} may hold lower-case letters, digits, `-`, `_` and `.`, not {bad:?}")
    })
}

/// All faults in one failure, each with its line; at most ten are spelled out.
fn all_faults(faults: &[(usize, String)], place: &str) -> Option<Failure> {
    let (line, what) = faults.first()?;
    let mut what = what.clone();
    for (line, more) in faults.iter().skip(1).take(9) {
        what.push_str(&format!("\n{place}:{line}: {more}"));
    }
    if faults.len() > 10 {
        what.push_str(&format!("\nand {} more", faults.len() - 10));
    }
    Some(Failure::usage(what).at(format!("{place}:{line}")).hint(FORMAT))
}

#[cfg(test)]
#[path = "format_tests.rs"]
mod tests;
