//! Where builds lie in the cache.

use std::path::{Path, PathBuf};

use engine_protocol::EngineFacts;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::manifest::Build;

/// How many digits of a hash name a folder.
const DIGITS: usize = 16;

/// The folder of builds.
#[derive(Debug, Clone)]
pub(super) struct Place {
    root: PathBuf,
}

/// A build that is there.
#[derive(Debug, Clone, PartialEq)]
pub struct BuiltWorker {
    /// The worker's executable.
    pub executable: PathBuf,
    /// What cargo and the compilers said.
    pub log: PathBuf,
    /// What is known of it.
    pub facts: BuiltFacts,
}

/// What is kept beside a built worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BuiltFacts {
    /// Version of this file: 1.
    pub format: u32,
    /// Which build.
    pub build: Build,
    /// BLAKE3 over all that it was made of, hexadecimal.
    pub key: String,
    /// What that was, a line each.
    pub made_of: Vec<String>,
    /// Wall time of the build, seconds.
    pub seconds: f64,
    /// BLAKE3 of the executable, hexadecimal.
    pub executable_blake3: String,
    /// What the worker says of its engine; `None` where this processor cannot run it.
    pub engine: Option<EngineFacts>,
    /// Extensions of the instruction set that it was compiled for.
    pub instruction_set: Vec<String>,
}

impl Place {
    pub(super) fn below(cache: &Path) -> Place {
        Place { root: cache.join("builds") }
    }

    /// Of the worker's sources, unpacked.
    pub(super) fn sources(&self, blake3: &str) -> PathBuf {
        self.root.join("sources").join(short(blake3))
    }

    /// Of a copied tree of engine sources.
    pub(super) fn tree(&self, name: &str) -> PathBuf {
        self.root.join("trees").join(name)
    }

    /// Cargo's target folder, of all builds.
    pub(super) fn target(&self) -> PathBuf {
        self.root.join("target")
    }

    /// Compiled objects of the engine, of all builds.
    pub(super) fn objects(&self) -> PathBuf {
        self.root.join("objects")
    }

    /// One build at a time: they share cargo's target folder.
    pub(super) fn lock(&self) -> PathBuf {
        self.root.join("lock")
    }

    pub(super) fn make(&self) -> Result<(), Failure> {
        std::fs::create_dir_all(self.root.join("trees"))
            .and_then(|()| std::fs::create_dir_all(self.root.join("sources")))
            .map_err(|error| {
                Failure::failed(format!("the cache of builds cannot be made: {error}"))
                    .at(self.root.display())
                    .hint("name another folder in RUNNER_CACHE_DIR")
            })
    }

    /// The folder of a build.
    pub(super) fn build(&self, build: &Build, key: &str) -> PathBuf {
        self.root.join(format!("{}-{}", build.name, short(key)))
    }

    /// The log of a build that is going on, or has failed.
    pub(super) fn log(&self, build: &Build, key: &str) -> PathBuf {
        self.root.join(format!("{}-{}.log", build.name, short(key)))
    }
}

/// Enough of a hash for the name of a folder.
pub(super) fn short(hash: &str) -> &str {
    hash.get(..DIGITS).unwrap_or(hash)
}

impl BuiltWorker {
    const FACTS: &str = "build.json";
    const EXECUTABLE: &str = "engine-worker";
    const LOG: &str = "build.log";

    /// The worker in a folder, if it is there and whole.
    pub(super) fn in_folder(folder: &Path) -> Option<BuiltWorker> {
        let text = std::fs::read_to_string(folder.join(BuiltWorker::FACTS)).ok()?;
        let facts: BuiltFacts = serde_json::from_str(&text).ok()?;
        let executable = folder.join(BuiltWorker::EXECUTABLE);
        let same = crate::exec::executable::hash_file(&executable).ok()? == facts.executable_blake3;
        same.then(|| BuiltWorker { executable, log: folder.join(BuiltWorker::LOG), facts })
    }

    /// Puts a worker, its log and its facts into a folder, whole or not at all.
    pub(super) fn keep(
        folder: &Path,
        (executable, log): (&Path, &Path),
        facts: &BuiltFacts,
    ) -> Result<(), Failure> {
        let partial = folder.with_extension("partial");
        let kept = (|| -> std::io::Result<()> {
            for old in [&partial, folder] {
                if old.exists() {
                    std::fs::remove_dir_all(old)?;
                }
            }
            std::fs::create_dir_all(&partial)?;
            std::fs::copy(executable, partial.join(BuiltWorker::EXECUTABLE))?;
            std::fs::rename(log, partial.join(BuiltWorker::LOG))?;
            let text = serde_json::to_string_pretty(facts)?;
            std::fs::write(partial.join(BuiltWorker::FACTS), text)?;
            std::fs::rename(&partial, folder)
        })();
        kept.map_err(|error| {
            Failure::failed(format!("the build cannot be kept: {error}"))
                .at(folder.display())
                .hint("make room, then run the same command again")
        })
    }
}
