//! Processors that may be used, and whether two of them share a core.

use super::finding::{Finding, Value};
use crate::machine::facts::Facts;

pub(super) fn usable(facts: &Facts) -> Finding {
    Finding::information(
        "cores_usable",
        facts.cores_usable.clone().map(Value::Number),
        "processors",
    )
}

pub(super) fn hardware_threads(facts: &Facts) -> Finding {
    let smt = facts.smt.clone().map(|on| if on { "on" } else { "off" }.to_owned());
    let shared = facts.smt.known() == Some(&true);
    Finding::words("smt", smt).advising(shared.then(|| {
        "two hardware threads share a core, and a neighbour on it slows both: leave `threads` at the \
         number of cores"
            .to_owned()
    }))
}
