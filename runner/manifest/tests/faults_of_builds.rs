//! Builds: declared in a manifest, known from the catalogue, and named by arms.

use insta::assert_snapshot;

use super::support::{GOOD, altered, codes, faults, plan, shown, try_read};
use crate::manifest::{BuildSource, Code, WorkerChoice, question_key, read_builds};

/// The good manifest with tables before the workload, and a treatment that is another build.
fn with(tables: &str, treatment: &str) -> String {
    altered(&[("[workload]", &format!("{tables}\n[workload]")), ("threads = 2", treatment)])
}

#[test]
fn a_build_is_known_from_the_manifest_and_from_the_catalogue() {
    let own = plan(&with("[build.mine]\nflags = [\"-fno-inline\"]\n", "build = \"mine\""));
    let WorkerChoice::Build(build) = own.worker_of(&own.arms[2]) else { panic!("no build") };
    assert_eq!(build.spec.flags, ["-fno-inline"]);
    let known = plan(&with("", "build = \"v3\""));
    let WorkerChoice::Build(build) = known.worker_of(&known.arms[2]) else { panic!("no build") };
    assert_eq!(build.spec.instruction_set.as_deref(), Some("x86-64-v3"));
}

#[test]
fn the_question_is_the_builds_content_and_not_its_name() {
    let named = |name: &str| {
        let tables = format!("[build.{name}]\ncheckout = \"../llama.cpp\"\nrevision = \"b1\"\n");
        question_key(&plan(&with(&tables, &format!("build = \"{name}\""))))
    };
    assert_eq!(named("one"), named("other"));
    assert_ne!(named("one"), question_key(&plan(GOOD)));
}

#[test]
fn an_unknown_build_with_what_was_meant() {
    assert_snapshot!(shown(&[("threads = 2", "build = \"v33\"")]), @r##"
    error[unknown-build]: no build is called `v33`
      --> m.toml:29:9
       |
    29 | build = "v33"
       |         ^^^^^
       |
       = help: did you mean `build = "v3"`?

    m.toml: 1 error
    "##);
}

#[test]
fn a_build_has_one_source_and_nothing_that_it_leaves_no_room_for() {
    let codes_of = |table: &str| {
        let text = with(&format!("[build.mine]\n{table}\n"), "build = \"mine\"");
        let found = faults(&text);
        found.list.iter().map(|fault| fault.code.text).collect::<Vec<_>>()
    };
    for (table, code) in [
        ("revision = \"b1\"", Code::MISSING_KEY),
        ("package_version = \"0.1.1\"", Code::MISSING_KEY),
        ("headers = [\"h\"]", Code::MISSING_KEY),
        ("backend = \"cuda\"", Code::MISSING_KEY),
        ("checkout = \"c\"\nlibraries = \"l\"\nheaders = [\"h\"]", Code::EXCLUSIVE_KEYS),
        ("libraries = \"l\"\nheaders = [\"h\"]\nblas = \"openblas\"", Code::BAD_BUILD),
        ("cuda_architectures = [\"90\"]", Code::BAD_BUILD),
        ("instruction_set = \"x86 64\"", Code::BAD_BUILD),
        ("flags = [\"O3\"]", Code::BAD_BUILD),
        ("flags = [\"-a -b\"]", Code::BAD_BUILD),
        ("threading = \"tbb\"", Code::UNKNOWN_VALUE),
        ("compiler = \"clang\"", Code::UNKNOWN_KEY),
    ] {
        assert_eq!(codes_of(table), [code.text], "{table}");
    }
    let good =
        plan(&with("[build.mine]\nlibraries = \"a b\"\nheaders = [\"h\"]\n", "build = \"mine\""));
    let WorkerChoice::Build(build) = good.worker_of(&good.arms[2]) else { panic!("no build") };
    let headers = vec!["h".to_owned()];
    assert_eq!(build.spec.source, BuildSource::Libraries { folder: "a b".to_owned(), headers });
}

#[test]
fn a_manifest_cannot_give_a_catalogues_name_to_something_else() {
    let text = with("[build.v3]\nblas = \"openblas\"\n", "build = \"v3\"");
    assert_eq!(faults(&text).list[0].code, Code::BAD_BUILD);
    let same = with("[build.v3]\ninstruction_set = \"x86-64-v3\"\n", "build = \"v3\"");
    assert!(try_read(&same).is_ok());
}

#[test]
fn builds_without_a_relinked_arm_are_warned_of() {
    let alone = try_read(&with("", "build = \"v3\"")).unwrap().warnings;
    assert_eq!(alone.list[0].code, Code::NO_RELINKED_ARM);
    let tables = "[build.again]\ninstruction_set = \"x86-64-v3\"\nlink_order_seed = 1\n";
    let control = "\n[[arm]]\nname = \"relinked\"\nrole = \"control\"\nbuild = \"again\"\n";
    let text = with(tables, "build = \"v3\"");
    let beside = text.replacen("\n[metric]", &format!("{control}\n[metric]"), 1);
    assert!(try_read(&beside).unwrap().warnings.list.is_empty());
}

#[test]
fn native_is_no_name_for_a_declared_build() {
    assert_eq!(codes(&[("[workload]", "[build.native]\n[workload]")]), ["bad-name"]);
    let catalogue = "schema = 1\n[build.native]\nblas = \"openblas\"\n";
    let faults = read_builds(catalogue, std::path::Path::new("b.toml")).unwrap_err();
    assert_eq!(faults.list[0].code, Code::BAD_NAME);
}
