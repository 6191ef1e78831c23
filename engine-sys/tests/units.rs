//! The cache of single objects: what is taken from it, and what is not.
#![expect(dead_code, reason = "the files are the build script's, which uses all of them")]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

#[path = "../build/depfile.rs"]
mod depfile;
#[path = "../build/fault.rs"]
mod fault;
#[path = "../build/files.rs"]
mod files;
#[path = "../build/memo.rs"]
mod memo;
#[path = "../build/roots.rs"]
mod roots;
#[path = "../build/units.rs"]
mod units;

use roots::Roots;
use units::{Question, Units};

/// A store and two trees with the same files, each in a folder of its own.
struct Ground {
    folder: PathBuf,
}

impl Ground {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("units").join(name);
        let _ = fs::remove_dir_all(&folder);
        let ground = Self { folder };
        for tree in ["one", "two"] {
            ground.write(&format!("{tree}/src/a.cpp"), "#include \"a.h\"\n");
            ground.write(&format!("{tree}/include/a.h"), "int a();\n");
        }
        ground.write("compiled.o", "machine code");
        ground
    }

    fn write(&self, name: &str, content: &str) {
        let path = self.folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// The cache as a build of a tree sees it, from the beginning.
    fn build(&self, tree: &str) -> Build {
        let root = self.folder.join(tree);
        Build {
            units: Units::new(
                &self.folder.join("store"),
                Roots::default().with(roots::TREE, &root),
            ),
            source: root.join("src/a.cpp"),
            folders: vec![root.join("src"), root.join("include")],
            read: vec![
                root.join("src/a.cpp").display().to_string(),
                root.join("src/../include/a.h").display().to_string(),
            ],
            object: self.folder.join("compiled.o"),
            target: root.join("a.o"),
        }
    }

    fn stored(&self, kind: &str) -> PathBuf {
        let folder = self.folder.join("store/units").join(kind);
        fs::read_dir(folder).unwrap().next().unwrap().unwrap().path()
    }
}

struct Build {
    units: Units,
    source: PathBuf,
    folders: Vec<PathBuf>,
    read: Vec<String>,
    object: PathBuf,
    target: PathBuf,
}

impl Build {
    fn question<'a>(&'a self, facts: &[&'a str]) -> Question<'a> {
        Question { facts: facts.to_vec(), source: &self.source, folders: &self.folders }
    }

    fn keep(&self, facts: &[&str]) {
        let question = self.question(facts);
        let key = self.units.key(&question).unwrap();
        self.units.keep(&key, &question, &self.read, &self.object).unwrap();
    }

    fn takes(&self, facts: &[&str]) -> bool {
        let _ = fs::remove_file(&self.target);
        let question = self.question(facts);
        let key = self.units.key(&question).unwrap();
        let taken = self.units.take(&key, &question, &self.target);
        assert_eq!(taken, self.target.is_file());
        if taken {
            assert_eq!(fs::read_to_string(&self.target).unwrap(), "machine code");
        }
        taken
    }
}

const FACTS: [&str; 2] = ["compiler 1", "-O3"];

#[test]
fn an_object_is_taken_in_another_tree_with_the_same_files() {
    let ground = Ground::new("same");
    assert!(!ground.build("one").takes(&FACTS));
    ground.build("one").keep(&FACTS);
    assert!(ground.build("one").takes(&FACTS));
    assert!(ground.build("two").takes(&FACTS));
}

#[test]
fn another_flag_source_or_header_is_compiled_anew() {
    let ground = Ground::new("differs");
    ground.build("one").keep(&FACTS);
    assert!(!ground.build("one").takes(&["compiler 1", "-O2"]));
    assert!(!ground.build("one").takes(&["compiler 2", "-O3"]));
    ground.write("two/include/a.h", "long a();\n");
    assert!(!ground.build("two").takes(&FACTS));
    ground.write("one/src/a.cpp", "#include \"a.h\"\n\n");
    assert!(!ground.build("one").takes(&FACTS));
}

#[test]
fn two_trees_in_turn_both_stay_in_the_cache() {
    let ground = Ground::new("turns");
    ground.write("two/include/a.h", "long a();\n");
    ground.build("one").keep(&FACTS);
    ground.build("two").keep(&FACTS);
    assert!(ground.build("one").takes(&FACTS));
    assert!(ground.build("two").takes(&FACTS));
}

#[test]
fn a_header_that_would_now_be_found_first_is_noticed() {
    let ground = Ground::new("beside");
    ground.build("one").keep(&FACTS);
    ground.write("two/src/a.h", "int a();\n");
    assert!(!ground.build("two").takes(&FACTS));
    assert!(ground.build("one").takes(&FACTS));
}

#[test]
fn a_damaged_list_or_object_is_not_used() {
    let ground = Ground::new("damaged");
    ground.build("one").keep(&FACTS);
    let list = ground.stored("entries");
    let whole = fs::read_to_string(&list).unwrap();
    // Cut so that the entry would depend on the source alone.
    let cut: Vec<&str> = whole.lines().filter(|line| !line.ends_with("a.h")).collect();
    assert!(cut.len() < whole.lines().count());
    fs::write(&list, cut.join("\n")).unwrap();
    assert!(!ground.build("one").takes(&FACTS));
    fs::write(&list, &whole).unwrap();
    assert!(ground.build("one").takes(&FACTS));

    fs::write(ground.stored("objects"), "machine").unwrap();
    assert!(!ground.build("one").takes(&FACTS));
    ground.build("one").keep(&FACTS);
    assert!(ground.build("one").takes(&FACTS));
}

#[test]
fn no_temporary_file_is_left() {
    let ground = Ground::new("left");
    ground.build("one").keep(&FACTS);
    let all = files::below(&ground.folder.join("store")).unwrap();
    assert_eq!(all.len(), 2, "{all:?}");
}

#[test]
fn dependency_files_are_read_with_makes_escapes() {
    let text = "out/a.o: /with\\ space/a.cpp \\\n /b/c\\#.h \\\n  /d$$e.h /f\\g.h\n\n/h.h:\n";
    let read = depfile::dependencies(text).unwrap();
    assert_eq!(read, ["/with space/a.cpp", "/b/c#.h", "/d$e.h", "/f\\g.h"]);
    for odd in ["", "\n", "no rule", "a.o:", "a.o:\n"] {
        assert_eq!(depfile::dependencies(odd), None, "{odd:?}");
    }
}

#[test]
fn paths_are_named_by_their_folder() {
    let roots = Roots::default()
        .with(roots::GENERATED, Path::new("/tree/made"))
        .with(roots::TREE, Path::new("/tree"));
    let named = |path: &str| roots.name(Path::new(path));
    assert_eq!(named("/tree/src/../a.h").as_deref(), Some("llama.cpp/a.h"));
    assert_eq!(named("/tree/made/b.h").as_deref(), Some("generated/b.h"));
    assert_eq!(named("/usr/c.h").as_deref(), Some("/usr/c.h"));
    assert_eq!(named("relative.h"), None);
    assert_eq!(named("/tree/two\nlines.h"), None);
    assert_eq!(roots.path("llama.cpp/a.h").as_deref(), Some(Path::new("/tree/a.h")));
    assert_eq!(roots.path("elsewhere/a.h"), None);
    assert_eq!(
        roots.prefix_maps(),
        ["-ffile-prefix-map=/tree=llama.cpp", "-ffile-prefix-map=/tree/made=generated"]
    );
}
