//! The C library, told from its file: asking it would take a foreign call.

use std::fs::File;
use std::io::Read;

use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

/// Of glibc 2.36 two megabytes; a larger file is not it.
const MOST_BYTES: u64 = 64 << 20;

/// `glibc 2.36`, or `musl` for a program that holds it.
pub(super) fn libc(root: &MachineRoot) -> Reading<String> {
    if root.is_live() && cfg!(target_env = "musl") {
        return Reading::Known("musl, in the program itself".into());
    }
    root.text("proc/self/maps").and_then(|maps| {
        let path =
            maps.lines().filter_map(|line| line.find('/').map(|at| &line[at..])).find(|path| {
                let file = path.rsplit('/').next().unwrap_or("");
                file == "libc.so.6" || (file.starts_with("libc-2.") && file.ends_with(".so"))
            });
        let Some(path) = path else {
            return Reading::unknown("no known C library is mapped");
        };
        let version = glibc_version(root, path);
        Reading::from_option(version, "the C library's file does not say its version")
            .map(|version| format!("glibc {version}"))
    })
}

/// The file holds a line such as `GNU C Library (…) stable release version 2.36.`
fn glibc_version(root: &MachineRoot, path: &str) -> Option<String> {
    const MARK: &[u8] = b"release version ";
    let mut bytes = Vec::new();
    File::open(root.path(path)).ok()?.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    let at = bytes.windows(MARK.len()).position(|window| window == MARK)? + MARK.len();
    let version: String = bytes[at..]
        .iter()
        .map(|byte| char::from(*byte))
        .take_while(|c| c.is_ascii_digit() || *c == '.')
        .collect();
    let version = version.trim_end_matches('.').to_owned();
    (!version.is_empty()).then_some(version)
}
