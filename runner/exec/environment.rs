//! What a worker may see of the environment: an allow-list, so that a variable left over in
//! somebody's shell (`OMP_NUM_THREADS`, `GGML_…`) cannot change a measurement unseen.

use std::ffi::OsString;

/// Passed on as they are.
const NAMES: [&str; 4] = ["PATH", "HOME", "LANG", "TMPDIR"];

/// Passed on by their beginning: only the tests' own worker reads these.
const BEGINNINGS: [&str; 1] = ["FAKE_WORKER_"];

/// The variables that a worker is started with, out of `all`.
pub(super) fn allowed(
    all: impl Iterator<Item = (OsString, OsString)>,
) -> Vec<(OsString, OsString)> {
    all.filter(|(name, _)| {
        name.to_str().is_some_and(|name| {
            NAMES.contains(&name) || BEGINNINGS.iter().any(|start| name.starts_with(start))
        })
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_listed_variables_pass() {
        let all = ["PATH", "OMP_NUM_THREADS", "GGML_X", "GOMP_SPINCOUNT", "FAKE_WORKER_A", "PATHX"]
            .into_iter()
            .map(|name| (OsString::from(name), OsString::from("1")));
        let names: Vec<_> = allowed(all).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["PATH", "FAKE_WORKER_A"]);
    }
}
