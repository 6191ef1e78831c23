//! How warm the processor is when work begins. Too hot, and it slows itself down; too cold, and the
//! first minutes run at clocks that the rest do not hold.

use super::finding::{Finding, Value};
use crate::machine::limits::{COLD_CELSIUS, HOT_CELSIUS};
use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;
use crate::machine::sensor::Fit;

const ZONES: &str = "sys/class/thermal";
const MONITORS: &str = "sys/class/hwmon";

/// Parts of names of zones that lie in or at the processor.
const ZONES_OF_PROCESSORS: [&str; 4] = ["x86_pkg_temp", "cpu", "soc", "acpitz"];
/// Drivers of processors' own sensors: Intel's, AMD's (two), and that of boards with Arm.
const DRIVERS: [&str; 4] = ["coretemp", "k10temp", "zenpower", "cpu_thermal"];

pub(super) fn finding(root: &MachineRoot) -> Finding {
    let value = celsius(root);
    let (fit, advice) = match value.known() {
        None => (Fit::Unknown, None),
        Some(celsius) if *celsius > HOT_CELSIUS => {
            (Fit::Unfit, Some("it is hot already and will slow itself down: let it cool".to_owned()))
        }
        Some(celsius) if *celsius < COLD_CELSIUS => (
            Fit::Unfit,
            Some(
                "it is cold, and the first minutes run at clocks that the rest do not hold: let it \
                 work for some minutes before (`runner try`)"
                    .to_owned(),
            ),
        ),
        Some(_) => (Fit::Fit, None),
    };
    Finding {
        name: "temperature",
        value: value.map(Value::Number),
        unit: "°C",
        wanted: Some(format!("{COLD_CELSIUS} to {HOT_CELSIUS}")),
        fit,
        advice,
    }
}

/// The warmest sensor of the processor, degrees Celsius.
pub(in crate::machine) fn celsius(root: &MachineRoot) -> Reading<f64> {
    let readings = monitors(root).into_iter().chain(zones(root));
    let warmest = readings.filter(|value| value.is_finite()).reduce(f64::max);
    Reading::from_option(warmest, "no sensor of the processor is shown (usual in virtual machines)")
}

fn zones(root: &MachineRoot) -> Vec<f64> {
    let zones = root.names(ZONES).into_iter().filter(|name| name.starts_with("thermal_zone"));
    zones
        .filter_map(|zone| {
            let kind = root.text(&format!("{ZONES}/{zone}/type")).known()?.to_lowercase();
            ZONES_OF_PROCESSORS
                .iter()
                .any(|part| kind.contains(part))
                .then(|| thousandths(root, &format!("{ZONES}/{zone}/temp")))
                .flatten()
        })
        .collect()
}

fn monitors(root: &MachineRoot) -> Vec<f64> {
    let of_processor = |monitor: &String| {
        let name = root.text(&format!("{MONITORS}/{monitor}/name"));
        name.known().is_some_and(|name| DRIVERS.contains(&name.as_str()))
    };
    let monitors = root.names(MONITORS).into_iter().filter(of_processor);
    monitors
        .flat_map(|monitor| {
            let folder = format!("{MONITORS}/{monitor}");
            let inputs = root.names(&folder).into_iter();
            let inputs = inputs.filter(|file| file.starts_with("temp") && file.ends_with("_input"));
            let values: Vec<f64> =
                inputs.filter_map(|file| thousandths(root, &format!("{folder}/{file}"))).collect();
            values
        })
        .collect()
}

fn thousandths(root: &MachineRoot, file: &str) -> Option<f64> {
    Some(root.text(file).known()?.parse::<f64>().ok()? / 1000.0)
}
