//! Bounds of the described machine, stored as if they had been measured.

use super::Sandbox;

/// The described machine's name.
pub fn machine(sandbox: &Sandbox) -> String {
    let said = sandbox.runner(&["--json", "machine", "quiet", "--seconds", "0.5"]).expect_code(0);
    said.json()["machine"].as_str().unwrap().to_owned()
}

/// Stores bounds of the described machine as if they had been measured: bytes and multiply-adds a
/// second, for every working set from a kilobyte on.
pub fn store_bounds(sandbox: &Sandbox, bytes: f64, multiply_adds: f64) {
    let name = machine(sandbox);
    let even = |value: f64| {
        format!(
            "{{ {}, least = {value:e}, q1 = {value:e}, median = {value:e}, q3 = {value:e}, \
             greatest = {value:e} }}",
            drawn(5)
        )
    };
    let text = format!(
        "format_version = 1\nmachine = \"{name}\"\nat = \"2026-11-30T02:00:00.000Z\"\n\
         seconds = 20.0\ninstructions = \"avx2\"\ncopy = []\n\n\
         [[read]]\nworking_set_bytes = 1024\nthreads = 2\nbytes_per_second = {}\n\n\
         [[multiply_adds]]\noperand = \"f32\"\nthreads = 2\nper_second = {}\n\n\
         [[multiply_adds]]\noperand = \"i16\"\nthreads = 2\nper_second = {}\n\n[facts]\n",
        even(bytes),
        even(multiply_adds),
        even(multiply_adds / 4.0),
    );
    sandbox.write(&format!("results/machines/{name}/bounds.toml"), text);
}

/// How a distribution says of how many draws it is.
#[must_use]
pub fn drawn(times: u32) -> String {
    format!("n = {times}")
}
