//! Which files are searched, and which cannot be.

use std::path::{Component, Path, PathBuf};

use ignore::WalkBuilder;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::settings::Settings;
use super::source::Source;
use crate::failure::Failure;
use crate::project::Project;

/// Longest file that is searched, bytes: 16 MiB.
const LARGEST: u64 = 16 << 20;
/// Never searched: what is built, what is fetched, what is sealed.
const SKIPPED: [&str; 3] = ["/target", ".git", "/vendor"];
/// Files of these kinds hold figures that a text search does not see.
const PAGES: [&str; 12] =
    ["pdf", "png", "jpg", "jpeg", "gif", "webp", "docx", "xlsx", "pptx", "odt", "ods", "ipynb.gz"];

/// A file that could not be searched.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Unsearchable {
    /// Which.
    pub file: String,
    /// Why.
    pub reason: String,
}

/// What was found below the roots.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Files {
    /// Files of text, by path.
    pub sources: Vec<Source>,
    /// The rest, by path.
    pub unsearchable: Vec<Unsearchable>,
}

/// Patterns of a project.
#[derive(Debug, Clone)]
pub struct Patterns {
    documents: Gitignore,
    skip: Gitignore,
}

impl Patterns {
    /// Compiles them.
    ///
    /// # Errors
    /// A usage failure that names a pattern that cannot be understood.
    pub fn new(settings: &Settings) -> Result<Patterns, Failure> {
        let skip: Vec<String> =
            SKIPPED.iter().map(|text| (*text).to_owned()).chain(settings.skip.clone()).collect();
        Ok(Patterns { documents: compiled(&settings.documents)?, skip: compiled(&skip)? })
    }

    /// Whether the figures of a file must have a source.
    #[must_use]
    pub fn is_document(&self, path: &str) -> bool {
        self.documents.matched(within(path), false).is_ignore()
    }

    fn skips(&self, path: &str, kind: EntryKind) -> bool {
        self.skip.matched(within(path), kind == EntryKind::Folder).is_ignore()
    }
}

/// What a pattern is held against: one that ends with `/` is for folders only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EntryKind {
    File,
    Folder,
}

/// Whether a file is Markdown or HTML: its text has blocks, and may be struck through.
#[must_use]
pub fn is_marked_up(path: &str) -> bool {
    let end = path.rsplit('.').next().unwrap_or("");
    ["md", "markdown", "mdx", "html", "htm"].iter().any(|known| end.eq_ignore_ascii_case(known))
}

/// Patterns are held against paths below a root, so `../` is taken off.
fn within(path: &str) -> &str {
    path.trim_start_matches("../").trim_start_matches('/')
}

fn compiled(patterns: &[String]) -> Result<Gitignore, Failure> {
    let mut builder = GitignoreBuilder::new("");
    for pattern in patterns {
        builder.add_line(None, pattern).map_err(|error| bad_pattern(pattern, &error))?;
    }
    builder.build().map_err(|error| bad_pattern("", &error))
}

fn bad_pattern(pattern: &str, error: &ignore::Error) -> Failure {
    Failure::usage(format!("the pattern {pattern:?} cannot be understood: {error}"))
        .at("[audit] of runner.toml")
        .hint("patterns are those of .gitignore")
}

/// Reads all files below `roots`. A root that is named must be there.
///
/// # Errors
/// A usage failure when a root is not there.
pub fn files(project: &Project, roots: &[PathBuf], patterns: &Patterns) -> Result<Files, Failure> {
    let mut files = Files::default();
    let roots: Vec<PathBuf> = roots.iter().map(|root| plain(root)).collect();
    let results = [plain(&project.results), plain(&project.with_own_results().results)];
    for root in &roots {
        if results.iter().any(|results| root.starts_with(results)) {
            return Err(Failure::usage("records are not audited, but verified")
                .at(root.display())
                .hint("run `runner record verify`"));
        }
        if !root.exists() {
            return Err(Failure::usage("there is no such file or folder").at(root.display()));
        }
        walk(project, root, &roots, patterns, &mut files);
    }
    files.sources.sort_by(|one, other| one.path.cmp(&other.path));
    files.sources.dedup_by(|one, other| one.path == other.path);
    files.unsearchable.sort();
    files.unsearchable.dedup();
    Ok(files)
}

fn walk(project: &Project, root: &Path, roots: &[PathBuf], patterns: &Patterns, files: &mut Files) {
    let results = [plain(&project.results), plain(&project.with_own_results().results)];
    let own = plain(&project.root);
    let skipping = patterns.clone();
    let base = own.clone();
    let walker = WalkBuilder::new(root)
        .hidden(false)
        .require_git(false)
        .git_global(false)
        .sort_by_file_path(Path::cmp)
        .filter_entry(move |entry| {
            let path = plain(entry.path());
            let folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            let kind = if folder { EntryKind::Folder } else { EntryKind::File };
            let named = relative(&base, &path);
            entry.file_name() != ".git"
                && !results.contains(&path)
                && (entry.depth() == 0 || !skipping.skips(&named, kind))
        })
        .build();
    for entry in walker {
        match entry {
            Ok(entry) => {
                let path = plain(entry.path());
                let name = relative(&own, &path);
                match entry.file_type() {
                    Some(kind) if kind.is_symlink() => link(&path, &name, roots, files),
                    Some(kind) if kind.is_file() => {
                        if entry.depth() > 0 && patterns.skips(&name, EntryKind::File) {
                            continue;
                        }
                        read(&path, name, files);
                    }
                    _ => {}
                }
            }
            Err(error) => files.unsearchable.push(Unsearchable {
                file: relative(&own, root),
                reason: format!("cannot be read: {error}"),
            }),
        }
    }
}

/// What a link points to within the roots is searched where it lies.
fn link(path: &Path, name: &str, roots: &[PathBuf], files: &mut Files) {
    let reason = match std::fs::canonicalize(path) {
        Ok(target) => {
            let inside = |root: &PathBuf| {
                std::fs::canonicalize(root).is_ok_and(|root| target.starts_with(root))
            };
            if roots.iter().any(inside) {
                return;
            }
            "a link to a place outside: name that under `outside` to search it".to_owned()
        }
        Err(error) => format!("a link that leads nowhere: {error}"),
    };
    files.unsearchable.push(Unsearchable { file: name.to_owned(), reason });
}

fn read(path: &Path, name: String, files: &mut Files) {
    match text_of(path) {
        Ok(text) if is_marked_up(&name) && is_generated(&name, &text) => {
            let reason = "generated by `runner`, which makes it again from the records".to_owned();
            files.unsearchable.push(Unsearchable { file: name, reason });
        }
        Ok(text) => files.sources.push(Source::new(name, text)),
        Err(reason) => files.unsearchable.push(Unsearchable { file: name, reason }),
    }
}

/// The page of all figures, which `runner report --check` holds against the records, and a page of a
/// report. The templates write the name as an expression, so that they are no such pages themselves.
fn is_generated(name: &str, text: &str) -> bool {
    const PAGE: &str = "<meta name=\"generator\" content=\"runner report\">";
    name == "docs/benchmarks.md"
        && text.lines().take(5).any(|line| line.starts_with("Generated by `runner report`"))
        || text.starts_with("<!doctype html>") && text.lines().take(8).any(|line| line == PAGE)
}

fn text_of(path: &Path) -> Result<String, String> {
    let extension = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase());
    if let Some(extension) = extension.filter(|end| PAGES.contains(&end.as_str())) {
        return Err(format!("{} is no text", extension.to_uppercase()));
    }
    let size = std::fs::metadata(path).map_err(|error| format!("cannot be read: {error}"))?.len();
    if size > LARGEST {
        return Err(format!("too large: {size} bytes, at most {LARGEST} are searched"));
    }
    let bytes = std::fs::read(path).map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.iter().take(8192).any(|byte| *byte == 0) {
        return Err("binary".to_owned());
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            Err(format!("not UTF-8: the first wrong byte is number {}", at + 1))
        }
    }
}

/// Without `.` and `..` inside, and without asking the disk.
fn plain(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if parts.file_name().is_some() => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts
}

/// A path as it is printed: relative to the root, with `/`; with `../` for what lies beside it.
fn relative(root: &Path, path: &Path) -> String {
    let joined = |path: &Path| {
        let parts: Vec<String> =
            path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
        parts.join("/")
    };
    if let Ok(below) = path.strip_prefix(root) {
        return joined(below);
    }
    for (up, folder) in root.ancestors().enumerate().skip(1) {
        // no path begins at the root of all files
        if folder.parent().is_some()
            && let Ok(below) = path.strip_prefix(folder)
        {
            return format!("{}{}", "../".repeat(up), joined(below));
        }
    }
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_root() {
        for (path, name) in [
            ("/a/b/docs/x.md", "docs/x.md"),
            ("/a/papers/x.md", "../papers/x.md"),
            ("/other/x.md", "/other/x.md"),
        ] {
            assert_eq!(relative(Path::new("/a/b"), Path::new(path)), name);
        }
        assert_eq!(plain(Path::new("/a/b/../papers/./x")), Path::new("/a/papers/x"));
    }

    #[test]
    fn patterns_are_those_of_gitignore() {
        let settings = Settings { skip: vec!["drafts/".to_owned()], ..Settings::default() };
        let patterns = Patterns::new(&settings).unwrap();
        assert!(patterns.is_document("docs/deep/x.md") && patterns.is_document("../papers/x.md"));
        assert!(!patterns.is_document("src/x.rs"));
        assert!(
            patterns.skips("target", EntryKind::Folder)
                && !patterns.skips("a/target", EntryKind::Folder)
        );
        assert!(patterns.skips("docs/drafts", EntryKind::Folder));
        let wrong = Settings { skip: vec!["[z-a]".to_owned()], ..Settings::default() };
        assert!(Patterns::new(&wrong).is_err());
    }
}
