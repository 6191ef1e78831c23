//! Turbo: whether the clock may go above what it can hold.

use super::finding::Finding;
use crate::machine::facts::Facts;

pub(super) fn finding(facts: &Facts) -> Finding {
    let turbo = facts.turbo.clone().map(|on| if on { "on" } else { "off" }.to_owned());
    Finding::judged("turbo", turbo, "off", |turbo| {
        (turbo != "off").then(|| {
            "the clock goes above its base and falls back when it is warm: \
             `runner machine quiet --apply`, or the firmware's setup"
                .to_owned()
        })
    })
}
