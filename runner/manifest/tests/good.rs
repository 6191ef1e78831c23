//! Manifests that are right.

use std::path::Path;

use super::support::{GOOD, World, altered, plan, try_read};
use crate::manifest::{
    CommitsTemplate, Contract, ExperimentId, NamedCommit, Plan, Stop, TemplateKind, TimedWork,
    TwoCommits, canonical_form, commits_template, from_canonical, read, template, to_toml,
};

fn id(text: &str) -> ExperimentId {
    ExperimentId::try_from(text.to_owned()).unwrap()
}

/// All manifests that are right: templates, quickstart, and one with everything in it.
fn all() -> Vec<(String, Plan)> {
    let mut all: Vec<(String, Plan)> = TemplateKind::ALL
        .iter()
        .map(|kind| (kind.name().to_owned(), plan(&template(*kind, &id("a-new-one")))))
        .collect();
    all.push(("good".to_owned(), plan(GOOD)));
    all.push(("quickstart".to_owned(), plan(include_str!("../../../experiments/quickstart.toml"))));
    all.push(("everything".to_owned(), plan(include_str!("../vectors/everything.toml"))));
    all.push(("sequential".to_owned(), plan(include_str!("../vectors/sequential.toml"))));
    all.push(("chunk-lengths".to_owned(), plan(include_str!("../vectors/chunk-lengths.toml"))));
    all.push(("forms".to_owned(), plan(include_str!("../vectors/forms.toml"))));
    all.push(("slices".to_owned(), plan(include_str!("../vectors/slices.toml"))));
    all.push(("form-ladder".to_owned(), plan(include_str!("../vectors/form-ladder.toml"))));
    all.push(("around".to_owned(), plan(include_str!("../vectors/around.toml"))));
    all.push(("ladder-rule".to_owned(), plan(include_str!("../vectors/ladder-rule.toml"))));
    for (name, rule) in [
        ("o'brien-fleming", "group_sequential]\nspending = \"obrien_fleming\""),
        ("pocock", "group_sequential]\nspending = \"pocock\""),
        ("their own", "group_sequential]\nspending = \"exact_obrien_fleming\""),
        ("his own", "group_sequential]\nspending = \"exact_pocock\"\nfutility_percent = 0.5"),
        ("listed", "group_sequential]\nspent_percent = [0.1, 33.3, 100]"),
    ] {
        let rule = format!("[stop.{rule}\nlooks_at_rounds = [8, 10, 12]");
        all.push((name.to_owned(), plan(&altered(&[("[stop.fixed]", &rule)]))));
    }
    all
}

#[test]
fn every_template_passes_and_carries_the_id() {
    for kind in TemplateKind::ALL {
        assert_eq!(TemplateKind::named(kind.name()), Some(*kind));
        let source = template(*kind, &id("a-new-one"));
        let reading = try_read(&source).unwrap();
        assert!(reading.warnings.is_empty());
        assert_eq!(reading.plan.id.as_str(), "a-new-one");
    }
}

#[test]
fn templates_about_commits_pass_and_say_the_revisions() {
    let named =
        |name: &str, digit: &str| NamedCommit { name: name.to_owned(), commit: digit.repeat(40) };
    let commits = TwoCommits {
        checkout: "../a \"tree\"".to_owned(),
        before: named("v1|\n\"", "a"),
        after: named("HEAD~3", "b"),
    };
    for kind in [CommitsTemplate::Commits, CommitsTemplate::BisectSpeed] {
        let source = commits_template(kind, &id("a-new-one"), &commits);
        let reading = try_read(&source).unwrap();
        assert!(reading.warnings.is_empty(), "{source}");
        let plan = reading.plan;
        let again = crate::manifest::to_toml(&plan);
        assert_eq!(try_read(&again).unwrap().plan, plan, "{again}");
        assert!(source.contains("was called HEAD~3"), "{source}");
        assert_eq!(plan.history.is_some(), kind == CommitsTemplate::BisectSpeed);
    }
}

#[test]
fn a_history_refuses_what_its_steps_cannot_be() {
    let history = "[history]\ncheckout = \"../t\"\ngood = \"a\"\nbad = \"b\"\n[metric]";
    let with = |more: &[(&str, &str)]| {
        let mut changes = vec![("[metric]", history), ("threads = 2\n", "")];
        changes.extend(more);
        super::support::codes(&changes)
    };
    assert!(try_read(&altered(&[("[metric]", history), ("threads = 2\n", "")])).is_ok());
    for more in [
        ("[history]", "[condition]\nsetting = \"depth_tokens\"\nvalues = [0, 8]\n[history]"),
        ("role = \"treatment\"", "role = \"treatment\"\nbuild = \"v3\""),
        ("model = ", "build = \"v3\"\nmodel = "),
        ("bad = \"b\"", "bad = \"a\""),
        ("[history]", "[[arm]]\nname = \"c\"\nrole = \"control\"\nthreads = 3\n[history]"),
        ("id = \"good\"", &format!("id = \"{}\"", "g".repeat(51))),
    ] {
        let found = with(&[more]);
        assert!(found.contains(&"bad-history"), "{more:?}: {found:?}");
    }
}

/// The rule that each template names in comments, in the place of its fixed one.
#[test]
fn what_templates_say_instead_of_the_fixed_rule_is_right() {
    for kind in TemplateKind::ALL {
        let source = template(*kind, &id("a-new-one"));
        let (before, rest) = source.split_once("[stop.fixed]\n").unwrap();
        let (_, rest) = rest.split_once("# Instead").unwrap();
        let (rule, after) = rest.split_once("\n\n").unwrap();
        let rule: Vec<&str> =
            rule.lines().skip(1).map(|line| line.trim_start_matches("# ")).collect();
        // a ladder's rule is not for looks, and the comment says so
        let climbs = |line: &&str| !line.starts_with("stop.");
        let before: Vec<&str> = before.lines().filter(climbs).collect();
        let source = format!("{}\n{}\n\n{after}", before.join("\n"), rule.join("\n"));
        assert!(try_read(&source).unwrap().warnings.is_empty(), "{source}");
        let stop = plan(&source).stop;
        assert!(matches!(stop, Stop::GroupSequential { .. }), "{stop:?}");
        assert_eq!(stop.cap_minutes(), plan(&template(*kind, &id("b"))).stop.cap_minutes());
    }
}

#[test]
fn a_plan_written_as_toml_reads_back_as_the_same_plan() {
    for (name, plan) in all() {
        let text = to_toml(&plan);
        assert_eq!(super::support::plan(&text), plan, "{name}:\n{text}");
    }
}

#[test]
fn a_canonical_text_reads_back_as_the_same_plan() {
    for (name, plan) in all() {
        assert_eq!(from_canonical(&canonical_form(&plan)).unwrap(), plan, "{name}");
    }
}

#[test]
fn defaults_are_filled_in() {
    let plan = plan(GOOD);
    assert_eq!(
        plan.workload.work,
        TimedWork::Decode { prompt_tokens: 32, decode_tokens: 64, chunk_tokens: 8 }
    );
    assert_eq!(plan.workload.inputs_blake3, "a".repeat(64));
    assert_eq!(plan.gate.others_cpu_percent, 10.0);
    assert_eq!(plan.decision.confidence_percent, 95.0);
    assert_eq!(plan.arms[2].contracts, [Contract::Identical]);
}

#[test]
fn rungs_become_treatments_with_the_ladders_contracts() {
    let plan = plan(&template(TemplateKind::Ladder, &id("steps")));
    let names: Vec<&str> = plan.arms.iter().map(|arm| arm.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "off",
            "off-again",
            "micro_batch_tokens=64",
            "micro_batch_tokens=128",
            "micro_batch_tokens=256"
        ]
    );
    assert_eq!(plan.ladder.as_ref().unwrap().arms.len(), 3);
    assert!(plan.arms[2..].iter().all(|arm| arm.contracts.len() == 1));
    assert_eq!(plan.arms[4].settings.micro_batch_tokens, Some(256));
}

#[test]
fn byte_order_mark_and_carriage_returns_change_nothing() {
    let windows = format!("\u{feff}{}", GOOD.replace('\n', "\r\n"));
    assert_eq!(plan(&windows), plan(GOOD));
    let prose = altered(&[("\"it reads\"", "\"\"\"it\nreads\"\"\"")]);
    assert_eq!(plan(&prose.replace('\n', "\r\n")), plan(&prose));
}

#[test]
fn inline_tables_and_headers_mean_the_same_as_dotted_keys() {
    let inline = altered(&[(
        "contract.identical.of = \"tokens\"",
        "contract = { identical = { of = \"tokens\" } }",
    )]);
    assert_eq!(plan(&inline), plan(GOOD));
    let header = altered(&[(
        "contract.identical.of = \"tokens\"",
        "[arm.contract.identical]\nof = \"tokens\"",
    )]);
    assert_eq!(plan(&header), plan(GOOD));
}

#[test]
fn a_missing_worker_executable_is_a_warning_and_there_is_a_plan() {
    let source = altered(&[("threads = 2\n", "worker = \"not/there\"\n")]);
    let reading = read(&source, Path::new("m.toml"), &World).unwrap();
    assert_eq!(reading.warnings.list.len(), 1);
    assert_eq!(reading.warnings.list[0].code.text, "no-such-file");
    let source = altered(&[("threads = 2\n", "worker = \"there\"\n")]);
    assert!(try_read(&source).unwrap().warnings.is_empty());
}

/// The first TOML block of the reference.
#[test]
fn the_example_of_the_reference_is_right() {
    let reference = include_str!("../../../docs/manifest.md");
    let example = reference.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(try_read(example).unwrap().warnings.is_empty());
}

#[test]
fn the_quickstart_is_right_without_a_warning() {
    let reading = try_read(include_str!("../../../experiments/quickstart.toml")).unwrap();
    assert!(reading.warnings.is_empty());
}
