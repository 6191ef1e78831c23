//! The processor's last-level cache.

use std::fs;
use std::path::Path;

/// Where the kernel describes the caches of the first processor.
const FOLDER: &str = "/sys/devices/system/cpu/cpu0/cache";

/// Bytes of the largest cache that the kernel lists; `None` where it lists none.
pub(crate) fn last_level_bytes() -> Option<u64> {
    largest(Path::new(FOLDER))
}

fn largest(folder: &Path) -> Option<u64> {
    let entries = fs::read_dir(folder).ok()?;
    entries
        .filter_map(|entry| bytes(fs::read_to_string(entry.ok()?.path().join("size")).ok()?.trim()))
        .max()
}

/// `32K`, `16M` or plain bytes.
fn bytes(text: &str) -> Option<u64> {
    let (digits, shift) = match (text.strip_suffix('K'), text.strip_suffix('M')) {
        (Some(digits), _) => (digits, 10),
        (None, Some(digits)) => (digits, 20),
        (None, None) => (text, 0),
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_the_kernel_writes_them() {
        for (text, wanted) in [
            ("32K", Some(32 << 10)),
            ("16M", Some(16 << 20)),
            ("64", Some(64)),
            ("", None),
            ("K", None),
            ("18446744073709551615K", None),
        ] {
            assert_eq!(bytes(text), wanted, "{text}");
        }
        assert_eq!(largest(Path::new("/nowhere")), None);
    }
}
