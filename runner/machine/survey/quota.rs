//! How much processor time a container allows.

use super::finding::{Finding, Value};
use crate::machine::facts::{Facts, Quota};
use crate::machine::sensor::Fit;

pub(super) fn finding(facts: &Facts) -> Finding {
    let advice = |cores: f64| {
        format!(
            "the container is limited to {cores} processors and stopped for the rest of each period \
             when it has used them: raise the limit, or run fewer threads than that"
        )
    };
    let value = facts.quota.clone().map(|quota| match quota {
        Quota::Unlimited => Value::Words("unlimited".to_owned()),
        Quota::Cores(cores) => Value::Number(cores),
    });
    let mut finding = Finding::information("quota", value, "processors");
    finding.wanted = Some("at least 1".to_owned());
    match facts.quota.known() {
        None => {}
        Some(Quota::Unlimited) => finding.fit = Fit::Fit,
        // with less than a whole one even a single thread is stopped in every period
        Some(Quota::Cores(cores)) => {
            finding.fit = if *cores < 1.0 { Fit::Unfit } else { Fit::Information };
            finding.advice = Some(advice(*cores));
        }
    }
    finding
}
