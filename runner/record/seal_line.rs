//! The last lines of `record.toml`: a hash over all bytes before them.

use super::hash::ContentHash;

const SEAL_TABLE: &str = "\n[seal]\nblake3 = \"";
const SEAL_END: &str = "\"\n";

/// `content` with its seal.
pub(super) fn with_seal(content: &str) -> String {
    let hash = ContentHash::of(content.as_bytes());
    format!("{content}{SEAL_TABLE}{hash}{SEAL_END}")
}

/// The content before the seal, when the seal is there and holds.
pub(super) fn without_seal(text: &str) -> Result<&str, String> {
    let length = SEAL_TABLE.len() + 64 + SEAL_END.len();
    let split = text.len().checked_sub(length).and_then(|at| text.split_at_checked(at));
    let Some((content, seal)) = split else {
        return Err("the seal is missing".to_owned());
    };
    let hash = seal.strip_prefix(SEAL_TABLE).and_then(|rest| rest.strip_suffix(SEAL_END));
    let Some(hash) = hash else {
        return Err("the seal is not where it belongs, at the end".to_owned());
    };
    let actual = ContentHash::of(content.as_bytes());
    if actual.as_str() == hash {
        return Ok(content);
    }
    Err(format!("changed after it was sealed: its content hashes to {actual}, the seal is {hash}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_byte_breaks_the_seal() {
        let sealed = with_seal("format_version = 1\nid = \"a\"\n");
        assert_eq!(without_seal(&sealed), Ok("format_version = 1\nid = \"a\"\n"));
        for index in 0..sealed.len() {
            let mut bytes = sealed.clone().into_bytes();
            bytes[index] ^= 1;
            let text = String::from_utf8(bytes).unwrap();
            assert!(without_seal(&text).is_err(), "byte {index}");
        }
        for more in ["\n", "x"] {
            assert!(without_seal(&format!("{sealed}{more}")).is_err());
        }
        for cut in 0..sealed.len() {
            assert!(without_seal(&sealed[..cut]).is_err(), "cut at {cut}");
        }
    }
}
