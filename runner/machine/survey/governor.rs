//! The frequency governor: who decides how fast the clock runs.

use super::finding::Finding;
use crate::machine::facts::Facts;

pub(super) fn finding(facts: &Facts) -> Finding {
    Finding::judged("governor", facts.governor.clone(), "performance", |governor| {
        governor.split(',').any(|name| name != "performance").then(|| {
            "another governor than `performance` lowers the clock between pieces of work: \
             `runner machine quiet --apply`, or write `performance` to each scaling_governor"
                .to_owned()
        })
    })
}
