//! Entries of version 1, of each kind that freezes nothing, as they were written: they stay readable for
//! ever. An amendment is a registration with three keys more, and is tested where manifests are.

use super::entry::{EntryBody, parse};
use super::hash::EntryHash;
use crate::verdict::{ReasonCode, Verdict};

const HEAD: &str = "format_version = 1\nkind = \"KIND\"\nexperiment = \"flash\"\nparents = []\n\
                    at = \"2027-01-01T00:00:00Z\"\nstate = \"pushed\"\n\n";

fn read(kind: &str, table: &str) -> EntryBody {
    let text = format!("{}[{kind}]\n{table}", HEAD.replace("KIND", kind));
    let name = format!("{}.toml", EntryHash::of(text.as_bytes()));
    let entry = parse(&name, text.as_bytes(), std::path::Path::new(&name)).unwrap();
    assert_eq!(entry.circumstances.state.word(), "pushed");
    assert_ne!(entry.body, EntryBody::Uninterpreted, "{text}");
    entry.body
}

#[test]
fn a_deviation() {
    let EntryBody::Deviate(body) = read(
        "deviate",
        "run = \"20261129-170000\"\nreason = \"a look\"\nrules_version = 3\n\
         manifest_hash = \"7d035b24f1538d359b5803792e1d21618cbde90279cf23fd7c941c27c9061008\"\n\
         canonical_manifest = \"{}\"\nchanged = [\"decision.margin_percent: 5.0 -> 6.0\"]\n\n\
         [[deviate.outcomes]]\narm = \"flash\"\ncondition = \"\"\nregistered = \"win\"\n\
         verdict = \"parked\"\ncode = \"interval_crosses_margin\"\nwhy = \"it crosses\"\n",
    ) else {
        panic!("another kind");
    };
    assert_eq!(body.outcomes[0].registered, Verdict::Win);
    assert_eq!(body.outcomes[0].code, ReasonCode::IntervalCrossesMargin);
    assert_eq!(body.outcomes[0].effect, None);
}

#[test]
fn an_override_and_a_withdrawal() {
    let EntryBody::Override(body) = read(
        "override",
        "run = \"20261129-170000\"\narm = \"flash\"\ncondition = \"\"\nverdict = \"level\"\n\
         decision = \"shipped\"\nreason = \"it is simpler\"\n",
    ) else {
        panic!("another kind");
    };
    assert_eq!((body.verdict, body.decision.as_str()), (Verdict::Level, "shipped"));
    let hash = "7d035b24f1538d359b5803792e1d21618cbde90279cf23fd7c941c27c9061008";
    let table = format!("manifest_hash = \"{hash}\"\nreason = \"gone\"\n");
    let EntryBody::Withdraw(body) = read("withdraw", &table) else { panic!("another kind") };
    assert_eq!(body.manifest_hash.to_string(), hash);
}

#[test]
fn a_retraction_of_one_arm_and_of_all() {
    let of = |more: &str| {
        let table = format!("run = \"20261129-170000\"\n{more}cause = \"the wrong model\"\n");
        match read("retract", &table) {
            EntryBody::Retract(body) => body,
            other => panic!("{other:?}"),
        }
    };
    assert!(of("").is_whole());
    let one = of("arm = \"flash\"\nreplacement = \"other/20261130-170000\"\n");
    assert!(!one.is_whole() && one.strikes("flash", "depth_tokens=512"));
    assert!(!one.strikes("other", ""));
    assert_eq!(one.replacement.unwrap().to_string(), "other/20261130-170000");
}

#[test]
fn a_stale_mark_and_an_anchor() {
    let EntryBody::Stale(body) = read(
        "stale",
        "run = \"20261129-170000\"\nmachine = \"bench\"\n\n[[stale.changed]]\nfact = \"kernel\"\n\
         then = \"6.1\"\nnow = \"6.2\"\n",
    ) else {
        panic!("another kind");
    };
    assert_eq!(body.changed[0].now, "6.2");
    assert_eq!(body.superseded_by, None);
    let EntryBody::Anchor(body) = read(
        "anchor",
        "floor = \"decode\"\nrun = \"20261129-170000\"\narm = \"off\"\ncondition = \"\"\n\
         metric = \"decode_tokens_per_second\"\nunit = \"tokens/s\"\nmechanism = \"two cores\"\n\n\
         [anchor.distribution]\nn = 5\npercentiles = [1.0, 2.0, 3.0, 4.0, 5.0]\nlog_mean = 1.0\n\
         log_sd = 0.5\nrounds = [1.0, 2.0, 3.0, 4.0, 5.0]\n",
    ) else {
        panic!("another kind");
    };
    assert_eq!((body.floor.to_string(), body.distribution.n), ("decode".to_owned(), 5));
}
