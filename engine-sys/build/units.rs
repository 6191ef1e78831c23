//! A cache of single objects, shared by all builds: what did not change is not compiled again, in
//! whatever tree it lies.
//!
//! In `units/`, a file for each key lists what the compiler read besides the source, with the
//! hash of each, and the hash of the object that came out. An entry holds where all those files
//! have the same content now. Objects lie in `units/objects/` by the hash of their content.
//! Whatever is damaged is not used: the list begins with a hash of itself, and an object is hashed
//! before it is taken.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::fault::Fault;
use super::files;
use super::memo::{self, Memo};
use super::roots::{self, Roots};

/// Raised when a key or an entry would come to mean something else.
const VERSION: &str = "engine units 1";

/// Entries kept for a key, the newest first.
const KEPT: usize = 24;

/// What decides an object, but for the files that the source includes.
pub struct Question<'a> {
    /// What else decides: compiler, language, flags, predefined macros.
    pub facts: Vec<&'a str>,
    /// The source.
    pub source: &'a Path,
    /// Folders of headers, in order.
    pub folders: &'a [PathBuf],
}

/// The cache, as one build sees it.
pub struct Units {
    folder: PathBuf,
    roots: Roots,
    memo: Memo,
}

/// One set of included files, and what came out.
struct Entry {
    object: String,
    /// Name and hash of each file that was read.
    dependencies: Vec<(String, String)>,
    /// Files that were there under names that also fit, and were not read.
    beside: BTreeSet<String>,
}

impl Units {
    /// The cache in a store of objects.
    pub fn new(store: &Path, roots: Roots) -> Self {
        Self { folder: store.join("units"), roots, memo: Memo::default() }
    }

    /// The folders by whose names paths are told.
    pub fn roots(&self) -> &Roots {
        &self.roots
    }

    /// The key of a question; none where the source cannot be named or read.
    pub fn key(&self, question: &Question<'_>) -> Option<String> {
        let source = self.roots.name(question.source)?;
        let content = self.memo.hash(question.source)?;
        let folders: Option<Vec<String>> =
            question.folders.iter().map(|folder| self.roots.name(folder)).collect();
        let folders = folders?;
        let mut hasher = blake3::Hasher::new();
        let own = [VERSION, source.as_str(), content.as_str()];
        let texts = own.into_iter().chain(folders.iter().map(String::as_str));
        for text in texts.chain(question.facts.iter().copied()) {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        Some(hasher.finalize().to_hex().to_string())
    }

    /// Puts the object of an entry that holds into `target`; false if there is none.
    pub fn take(&self, key: &str, question: &Question<'_>, target: &Path) -> bool {
        self.entries(key).iter().any(|entry| {
            self.holds(entry, question.folders) && self.take_object(&entry.object, target)
        })
    }

    /// Keeps a compiled object. What the compiler read is named as in its dependency file.
    pub fn keep(
        &self,
        key: &str,
        question: &Question<'_>,
        read: &[String],
        object: &Path,
    ) -> Result<(), Fault> {
        let Some(dependencies) = self.described(read) else { return Ok(()) };
        let content = files::read_bytes(object)?;
        let beside = self.beside(&dependencies, question.folders);
        let hash = memo::hash(&content);
        let entry = Entry { object: hash.clone(), dependencies, beside };
        let path = self.object(&hash);
        files::make_folder(path.parent().unwrap_or(&self.folder))?;
        replace(&path, &content)?;
        let mut entries = self.entries(key);
        entries.retain(|other| other.dependencies != entry.dependencies);
        entries.insert(0, entry);
        entries.truncate(KEPT);
        let list = self.list(key);
        files::make_folder(list.parent().unwrap_or(&self.folder))?;
        replace(&list, written(&entries).as_bytes())
    }

    fn list(&self, key: &str) -> PathBuf {
        self.folder.join("entries").join(key)
    }

    fn object(&self, hash: &str) -> PathBuf {
        self.folder.join("objects").join(format!("{hash}.o"))
    }

    fn entries(&self, key: &str) -> Vec<Entry> {
        let text = fs::read_to_string(self.list(key));
        text.ok().and_then(|text| parsed(&text)).unwrap_or_default()
    }

    fn holds(&self, entry: &Entry, folders: &[PathBuf]) -> bool {
        let same = |(name, hash): &(String, String)| {
            self.roots.path(name).and_then(|path| self.memo.hash(&path)).as_ref() == Some(hash)
        };
        entry.dependencies.iter().all(same)
            && self.beside(&entry.dependencies, folders) == entry.beside
    }

    fn take_object(&self, hash: &str, target: &Path) -> bool {
        let path = self.object(hash);
        let Ok(content) = fs::read(&path) else { return false };
        if memo::hash(&content) != hash {
            // It is written anew when the compiler is done.
            let _ = fs::remove_file(&path);
            return false;
        }
        replace(target, &content).is_ok()
    }

    fn described(&self, read: &[String]) -> Option<Vec<(String, String)>> {
        let describe = |path: &String| {
            let path = Path::new(path);
            Some((self.roots.name(path)?, self.memo.hash(&roots::plain(path))?))
        };
        let described: Option<BTreeSet<(String, String)>> = read.iter().map(describe).collect();
        described.map(|described| described.into_iter().collect())
    }

    /// Files that are not among the dependencies, but that the name of one of them would find from
    /// another folder: were one added, the compiler might read it instead.
    fn beside(&self, dependencies: &[(String, String)], folders: &[PathBuf]) -> BTreeSet<String> {
        let read: BTreeSet<PathBuf> =
            dependencies.iter().filter_map(|(name, _)| self.roots.path(name)).collect();
        let listed: BTreeSet<PathBuf> = folders.iter().map(|folder| roots::plain(folder)).collect();
        let holding = read.iter().filter_map(|path| path.parent().map(Path::to_owned));
        let all: BTreeSet<PathBuf> = holding.chain(listed).collect();
        let mut beside = BTreeSet::new();
        for path in &read {
            let names = all.iter().filter_map(|folder| path.strip_prefix(folder).ok());
            for name in names.collect::<BTreeSet<_>>() {
                let fitting = all.iter().map(|folder| folder.join(name));
                let others = fitting.filter(|other| !read.contains(other));
                let there = others.filter(|other| self.memo.is_file(other));
                beside.extend(there.filter_map(|other| self.roots.name(&other)));
            }
        }
        beside
    }
}

/// The text of a list: the hash of the rest, and then the entries line by line.
fn written(entries: &[Entry]) -> String {
    let mut text = String::new();
    for entry in entries {
        text.push_str(&format!("object {}\n", entry.object));
        for (name, hash) in &entry.dependencies {
            text.push_str(&format!("read {hash} {name}\n"));
        }
        for name in &entry.beside {
            text.push_str(&format!("beside {name}\n"));
        }
    }
    format!("{}\n{text}", memo::hash(text.as_bytes()))
}

/// The entries of a list; none if it is damaged.
fn parsed(text: &str) -> Option<Vec<Entry>> {
    let (hash, rest) = text.split_once('\n')?;
    if hash != memo::hash(rest.as_bytes()) {
        return None;
    }
    let mut entries: Vec<Entry> = Vec::new();
    for line in rest.lines() {
        let (word, value) = line.split_once(' ')?;
        match word {
            "object" => entries.push(Entry {
                object: value.to_owned(),
                dependencies: Vec::new(),
                beside: BTreeSet::new(),
            }),
            "read" => {
                let (hash, name) = value.split_once(' ')?;
                entries.last_mut()?.dependencies.push((name.to_owned(), hash.to_owned()));
            }
            "beside" => {
                entries.last_mut()?.beside.insert(value.to_owned());
            }
            _ => return None,
        }
    }
    Some(entries)
}

/// Writes a file whole or not at all, under a temporary name that no other build uses.
fn replace(path: &Path, content: &[u8]) -> Result<(), Fault> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let temporary = files::with_suffix(path, &format!(".{}-{number}", std::process::id()));
    fs::write(&temporary, content).map_err(|error| Fault::file("write", &temporary, error))?;
    files::rename(&temporary, path)
}
