//! A program that is run instead of cargo, for tests alone.

use std::ffi::OsString;

/// Names that program: it is given the path at which to put the worker, and the variables that a
/// build by cargo is given. For tests, which must not compile an engine: workers that it makes have
/// keys of their own in the cache, and every record that is made while it is set says so in its
/// provenance ([`MADE_BY`]).
const VARIABLE: &str = "RUNNER_BUILD_COMMAND";

/// The fact that marks such a run in its provenance.
pub(in crate::exec) const MADE_BY: (&str, &str) = ("engines_made_by", "a stand-in for tests");

/// The program, where one is named.
pub(in crate::exec) fn stand_in() -> Option<OsString> {
    std::env::var_os(VARIABLE).filter(|program| !program.is_empty())
}
