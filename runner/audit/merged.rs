//! One finding a place: where a sentence cites a struck record, that is said once, and says all.

use super::findings::{Finding, Rule};
use super::page::Page;
use super::places::{Place, Places};
use super::sentences::sentences;
use super::source::Position;

/// A sentence with a finding that says all of its struck figures and names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    file: String,
    start: Position,
    end: Position,
}

impl Answered {
    /// Whether a place stands in it.
    #[must_use]
    pub fn has(&self, place: &Place) -> bool {
        place.file == self.file && self.start <= place.start && place.start < self.end
    }
}

/// Leaves of each sentence's findings that a record was struck the first, and says where they are.
pub fn answered(page: &Page<'_>, findings: &mut Vec<Finding>) -> Vec<Answered> {
    let file = &page.source.path;
    let own = |finding: &Finding| finding.rule == Rule::StruckRecord && finding.file == *file;
    if !findings.iter().any(own) {
        return Vec::new();
    }
    let spans = page.blocks.iter().flat_map(|block| sentences(page.source, block));
    let mut all = Vec::new();
    for span in spans {
        let (start, end) = (page.source.position(span.start), page.source.position(span.end));
        let mut said: Vec<String> = Vec::new();
        findings.retain(|finding| {
            let here = finding.start.is_some_and(|at| start <= at && at < end);
            if !own(finding) || !here {
                return true;
            }
            let new = !said.contains(&finding.what);
            if new {
                said.push(finding.what.clone());
            }
            new
        });
        if !said.is_empty() {
            all.push(Answered { file: file.clone(), start, end });
        }
    }
    all
}

/// Takes away what is said of a figure that is reported as struck.
pub fn struck_only(places: &Places, findings: &mut Vec<Finding>) {
    findings.retain(|finding| {
        let at = |place: &Place| place.file == finding.file && Some(place.start) == finding.start;
        finding.rule != Rule::NotInRecord || !places.found.iter().any(at)
    });
}
