//! The operating characteristics of a default plan (16 rounds of 6 blocks, an aa arm), and of the
//! same plan with three looks: how often the whole rule decides what, for true effects from -2 to
//! +2 margins. Prints a line each: name, tab, seconds (best of the tries).

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench fails by panicking")]

mod measure;

use std::hint::black_box;
use std::path::Path;

use measure::measure;
use runner::design::{TimeEstimate, operating};
use runner::manifest::Plan;
use runner::project::Project;
use runner::reading::read_manifest;

fn plan(name: &str) -> Plan {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let project = Project::find(root, None).unwrap();
    let file = root.join(format!("tests/programs/error_rates/{name}.toml"));
    read_manifest(&file, &project).unwrap().reading.plan
}

fn main() {
    for (name, manifest) in [
        ("operating_characteristics_of_a_default_plan", "fixed"),
        ("operating_characteristics_of_three_looks", "looks"),
    ] {
        let plan = plan(manifest);
        measure(name, 3, || {
            let time = TimeEstimate::Unknown { because: String::new() };
            operating(black_box(&plan), None, time)
        });
    }
}
