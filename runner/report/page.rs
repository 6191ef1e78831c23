//! The page of a record: its table, and what its design could show beforehand.

use super::markdown::markdown_table;
use super::operating::operating_markdown;
use crate::design::{TimeEstimate, operating};
use crate::record::Record;

/// The first version of the rules whose records show what their design could.
const FIRST_RULES: u32 = 2;

/// The Markdown table of a record, `table.md`, with the chances that its whole rule had under the
/// registered noise: simulated from the plan alone, so that a reader sees which outcomes could be
/// expected before there was any.
#[must_use]
pub fn markdown_page(record: &Record) -> String {
    let mut page = markdown_table(record);
    if record.sealed.rules_version < FIRST_RULES {
        return page;
    }
    let time = TimeEstimate::Unknown { because: "the run is over".to_owned() };
    page.push_str("\n## What the design could show\n\n");
    match operating(&record.plan, None, time) {
        Ok(found) => {
            let text = operating_markdown(&found);
            // the run above says how long it took
            let lines = text.lines().filter(|line| !line.starts_with("- time: "));
            page.extend(lines.map(|line| format!("{line}\n")));
        }
        Err(why) => page.push_str(&format!("Nothing is simulated: {why}.\n")),
    }
    page
}

#[cfg(test)]
mod tests {
    use super::markdown_page;
    use crate::report::example;

    #[test]
    fn records_of_version_1_have_no_more_than_their_table() {
        let record = example::win();
        assert_eq!(markdown_page(&record), crate::report::markdown_table(&record));
    }

    #[test]
    fn the_page_shows_the_chances_that_the_design_had() {
        let record = example::described();
        let page = markdown_page(&record);
        let (_, section) = page.split_once("## What the design could show\n").unwrap();
        assert!(section.contains("| true effect |"), "{section}");
        assert!(section.contains("- resolution: a true effect of "), "{section}");
    }
}
