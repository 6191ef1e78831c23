//! Folders that lie elsewhere in every build and yet mean the same: names for them, and for the
//! files in them.

use std::path::{Component, Path, PathBuf};

/// Folders by name.
#[derive(Debug, Clone, Default)]
pub struct Roots {
    named: Vec<(&'static str, PathBuf)>,
}

/// The llama.cpp tree.
pub const TREE: &str = "llama.cpp";

/// Files that the build writes itself.
pub const GENERATED: &str = "generated";

/// This package.
pub const PACKAGE: &str = "engine-sys";

impl Roots {
    /// The same with one more folder. Where one lies in another, the one that was added first
    /// gives the name.
    #[must_use]
    pub fn with(mut self, name: &'static str, folder: &Path) -> Self {
        self.named.push((name, plain(folder)));
        self
    }

    /// The name of a file or folder: `llama.cpp/src/llama.cpp`, or its whole path if it lies in no
    /// named folder. None for a path that a line of text cannot hold.
    pub fn name(&self, path: &Path) -> Option<String> {
        let path = plain(path);
        let inside =
            self.named.iter().find_map(|(name, root)| Some((*name, path.strip_prefix(root).ok()?)));
        let name = match inside {
            Some((name, rest)) => format!("{name}/{}", rest.to_str()?),
            None if path.is_absolute() => path.to_str()?.to_owned(),
            None => return None,
        };
        (!name.contains(['\n', '\r'])).then_some(name)
    }

    /// Where a name lies in this build; none if its folder is not known here.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        if Path::new(name).is_absolute() {
            return Some(PathBuf::from(name));
        }
        let (folder, rest) = name.split_once('/')?;
        let (_, root) = self.named.iter().find(|(named, _)| *named == folder)?;
        Some(root.join(rest))
    }

    /// Flags by which compilers write the names of these folders in place of their paths. They do
    /// not decide what is computed, as folders of headers do not.
    pub fn prefix_maps(&self) -> Vec<String> {
        // The last that fits is taken.
        let reversed = self.named.iter().rev();
        reversed
            .map(|(name, root)| format!("-ffile-prefix-map={}={name}", root.display()))
            .collect()
    }
}

/// A path without `.` and `..`.
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                if !plain.pop() {
                    plain.push(part);
                }
            }
            other => plain.push(other),
        }
    }
    plain
}
