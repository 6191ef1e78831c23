//! How fast the clock runs at this moment.

use super::finding::{Finding, Value};
use crate::machine::facts::Facts;
use crate::machine::processors::{processor_folder, processors};
use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

pub(super) fn finding(root: &MachineRoot, facts: &Facts) -> Finding {
    Finding::information("frequency", megahertz(root, facts).map(Value::Number), "MHz")
}

/// The mean over all processors, MHz: `scaling_cur_freq`, else `cpu MHz` of `/proc/cpuinfo`. A
/// virtual machine is shown a nominal clock there, which says nothing of the real one.
fn megahertz(root: &MachineRoot, facts: &Facts) -> Reading<f64> {
    let mut kilohertz = Vec::new();
    for number in processors(root) {
        let file = format!("{}/cpufreq/scaling_cur_freq", processor_folder(number));
        if let Some(text) = root.text(&file).known() {
            let Ok(value) = text.parse::<f64>() else {
                return Reading::unknown(format!("/{file} holds no number"));
            };
            kilohertz.push(value);
        }
    }
    if !kilohertz.is_empty() {
        return mean(&kilohertz).map(|kilohertz| kilohertz / 1000.0);
    }
    match facts.hypervisor.known().map(String::as_str) {
        Some("none") => {}
        _ => return Reading::unknown("virtual machines are shown a nominal clock, if any"),
    }
    root.text("proc/cpuinfo").and_then(|text| {
        let values: Vec<f64> = text
            .lines()
            .filter_map(|line| line.strip_prefix("cpu MHz")?.split_once(':')?.1.trim().parse().ok())
            .collect();
        mean(&values)
    })
}

fn mean(values: &[f64]) -> Reading<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    Reading::from_option(Some(mean).filter(|mean| mean.is_finite()), "no processor says it")
}
