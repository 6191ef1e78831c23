//! All findings in their order.

use super::finding::Finding;
use super::{
    battery, clock_source, cores, energy, frequency, governor, huge_pages, numa, quota,
    temperature, turbo, window,
};
use crate::machine::facts::Facts;
use crate::machine::gate::GateLimits;
use crate::machine::root::MachineRoot;
use crate::machine::watch::Watch;

/// Every sensor. What needs a window is taken from `watch`, over which our own processes must have
/// been idle; the rest is read now.
#[must_use]
pub fn survey(
    root: &MachineRoot,
    watch: &Watch,
    limits: &GateLimits,
    facts: &Facts,
) -> Vec<Finding> {
    let mut findings = window::findings(watch, limits, facts);
    findings.extend([
        governor::finding(facts),
        turbo::finding(facts),
        frequency::finding(root, facts),
        temperature::finding(root),
        battery::finding(root, facts),
        cores::usable(facts),
        cores::hardware_threads(facts),
        quota::finding(facts),
        numa::finding(root),
        huge_pages::transparent(facts),
        huge_pages::reserved(root),
        clock_source::finding(facts),
        energy::finding(root),
    ]);
    #[cfg(feature = "cuda")]
    findings.extend(crate::machine::gpu::findings(root));
    findings
}
