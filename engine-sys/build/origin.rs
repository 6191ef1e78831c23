//! Which engine this build uses.

use std::path::PathBuf;

use super::fault::Fault;
use super::git::{self, Checkout};
use super::message::UNSUPPORTED;
use super::package::{self, Package};
use super::prebuilt::Libraries;
use super::settings::Settings;
use super::tree;

/// A llama.cpp tree to compile.
pub struct SourceTree {
    /// Its root.
    pub root: PathBuf,
    /// BLAKE3 over the parts that are compiled or included.
    pub blake3: String,
}

/// Where the engine comes from.
pub enum Origin {
    /// The pinned package, verified.
    Pinned {
        /// The package.
        package: Package,
        /// The llama.cpp tree in it.
        tree: SourceTree,
    },
    /// A tree that the user named.
    SourceTree {
        /// That tree.
        tree: SourceTree,
        /// What git knows of it.
        checkout: Option<Checkout>,
    },
    /// Libraries that the user named.
    Libraries {
        /// Those libraries, with their headers.
        libraries: Libraries,
        /// What git knows of the headers' tree.
        checkout: Option<Checkout>,
    },
}

impl Origin {
    /// Decides by the environment, and reads what it decided for.
    pub fn find(settings: &Settings) -> Result<Self, Fault> {
        if let Some(paths) = &settings.prebuilt {
            let libraries = Libraries::find(paths)?;
            let checkout =
                paths.includes.iter().find_map(|folder| git::checkout(folder, "llama.h"));
            return Ok(Self::Libraries { libraries, checkout });
        }
        if let Some(root) = &settings.source_dir {
            for file in ["include/llama.h", "ggml/include/ggml.h", "ggml/src/ggml.c"] {
                if !root.join(file).is_file() {
                    return Err(Fault::new(format!(
                        "{UNSUPPORTED}ENGINE_SRC_DIR is {}, which has no {file}",
                        root.display()
                    ))
                    .hint("set it to the root of a llama.cpp tree"));
                }
            }
            tree::watch(root);
            let blake3 = tree::engine_hash(root, &settings.choices)?;
            let tree = SourceTree { root: root.clone(), blake3 };
            let stated = settings.stated.clone();
            let checkout = stated.or_else(|| git::checkout(root, "include/llama.h"));
            return Ok(Self::SourceTree { checkout, tree });
        }
        let package = match &settings.other_package {
            Some(other) => package::find_other(other, settings)?,
            None => package::find(&settings.package.with_file_name("vendor"))?,
        };
        let root = package.root.join("llama.cpp");
        let tree = SourceTree { blake3: tree::engine_hash(&root, &settings.choices)?, root };
        Ok(Self::Pinned { package, tree })
    }

    /// What the engine calls itself instead of a commit: never this repository's.
    pub fn label(&self) -> String {
        match self {
            Self::Pinned { package, .. } => format!("{} {}", package::NAME, package.version),
            Self::SourceTree { checkout, .. } | Self::Libraries { checkout, .. } => {
                match checkout {
                    Some(Checkout { commit, dirty: false, .. }) => commit.clone(),
                    Some(Checkout { commit, dirty: true, .. }) => format!("{commit}-dirty"),
                    None => "unknown".to_owned(),
                }
            }
        }
    }
}
