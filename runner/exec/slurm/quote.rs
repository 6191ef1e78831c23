//! Words for a shell that mean themselves, whatever is in them.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// The word between single quotes; a single quote itself stands outside of them. Nothing within them has a
/// meaning for a shell.
pub(super) fn quoted(word: impl AsRef<OsStr>) -> Vec<u8> {
    let mut out = vec![b'\''];
    for byte in word.as_ref().as_bytes() {
        match byte {
            b'\'' => out.extend(b"'\\''"),
            other => out.push(*other),
        }
    }
    out.push(b'\'');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::tool;
    use std::path::Path;
    use std::time::Duration;

    #[test]
    fn a_shell_reads_back_what_was_quoted() {
        for word in ["", "plain", "a b", "it's", "'", "$(false) `false` \"x\" \\", "a\nb", "*", "é"]
        {
            let script = format!("printf %s {}", String::from_utf8(quoted(word)).unwrap());
            let limit = Duration::from_secs(60);
            let seen = tool::run("sh", &["-c", &script], Path::new("/"), limit).unwrap();
            assert_eq!((seen.succeeded, seen.stdout.as_str()), (true, word), "{script}");
        }
    }
}
