//! What is committed can be published: no absolute path leaves the machine.

use std::path::Path;

/// The text with each absolute path in it replaced: one under `root` by its path relative to it,
/// any other by its file name. Addresses (`https://…`) are left alone.
#[must_use]
pub fn without_private_paths(text: &str, root: &Path) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let end = from.find(ends_path).unwrap_or(from.len());
        let (path, after) = from.split_at(end);
        if starts_path(&out) && path.len() > 1 && !path.starts_with("//") {
            out.push_str(&reduced(path, root));
        } else {
            out.push_str(path);
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

fn ends_path(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | ';' | ':' | ')' | ']' | '>' | '|')
}

/// A slash begins an absolute path at the start, after a separator, or after a compiler's
/// one-letter option (`-I/usr/include`).
fn starts_path(before: &str) -> bool {
    match before.chars().next_back() {
        None => true,
        Some(last) if last.is_whitespace() || "=:,;\"'`([<|".contains(last) => true,
        Some(last) => {
            let word = before.rsplit(char::is_whitespace).next().unwrap_or(before);
            last.is_ascii_alphabetic() && word.len() == 2 && word.starts_with('-')
        }
    }
}

fn reduced(path: &str, root: &Path) -> String {
    if let Ok(relative) = Path::new(path).strip_prefix(root) {
        let relative = relative.to_string_lossy();
        return if relative.is_empty() { ".".to_owned() } else { relative.into_owned() };
    }
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_become_relative_or_mere_names() {
        let root = Path::new("/home/ada/project");
        let clean = |text: &str| without_private_paths(text, root);
        assert_eq!(clean("/home/ada/project/results/x"), "results/x");
        assert_eq!(clean("-I/home/ada/.cargo/src/ggml -O3"), "-Iggml -O3");
        assert_eq!(clean("--sysroot=/opt/secret/root"), "--sysroot=root");
        assert_eq!(clean("cannot open '/home/ada/m.gguf': gone"), "cannot open 'm.gguf': gone");
        assert_eq!(clean("-L /usr/lib:/home/ada/lib"), "-L lib:lib");
        assert_eq!(clean("see https://example.org/a/b"), "see https://example.org/a/b");
        assert_eq!(clean("tokens/s and a/b stay, 1 / 2 too"), "tokens/s and a/b stay, 1 / 2 too");
    }
}
