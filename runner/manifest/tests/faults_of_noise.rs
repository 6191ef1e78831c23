//! Faults of what is known of the noise.

use insta::assert_snapshot;

use super::support::{altered, codes, plan, shown, try_read};
use crate::manifest::{Color, NoiseSource, canonical_form, from_canonical};

const ASSUMED: &str = "assumed_round_sd_percent = 0.8\nassumed_block_sd_percent = 3.0";

fn shown_with(noise: &str) -> String {
    shown(&[(ASSUMED, noise)])
}

/// Warnings of a manifest that is right.
fn warned(noise: &str) -> String {
    let reading = try_read(&altered(&[(ASSUMED, noise)])).unwrap();
    reading.warnings.render(Color::Plain)
}

#[test]
fn neither_or_half_of_it() {
    assert_snapshot!(shown_with(""), @r#"
    error[missing-key]: `[noise]` does not say how much two identical arms differ
      --> m.toml:35:1
       |
    35 | [noise]
       | ^^^^^^^
       |
       = help: add `pilot = "…"` (`runner try` prints the name), `record = "<id>/<run>"`, or both `assumed_round_sd_percent = 0.8` and `assumed_block_sd_percent = 3.0`

    m.toml: 1 error
    "#);
    assert_snapshot!(shown_with("assumed_round_sd_percent = 0.8"), @r#"
    error[missing-key]: `assumed_round_sd_percent` needs `assumed_block_sd_percent` beside it
      --> m.toml:36:1
       |
    36 | assumed_round_sd_percent = 0.8
       | ^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: add `assumed_block_sd_percent = 3.0`

    m.toml: 1 error
    "#);
    assert_eq!(codes(&[(ASSUMED, "assumed_block_sd_percent = 3.0")]), ["missing-key"]);
}

#[test]
fn ways_that_are_mixed() {
    assert_snapshot!(
        shown_with("assumed_round_sd_percent = 0.8\npilot = \"20261106-100000\""),
        @r#"
    error[exclusive-keys]: `pilot` and `assumed_round_sd_percent` exclude each other
      --> m.toml:36:1
       |
    36 | assumed_round_sd_percent = 0.8
       | ^^^^^^^^^^^^^^^^^^^^^^^^
    37 | pilot = "20261106-100000"
       | ----- the other one
       |
       = help: a run that is named says how much its arms differ: leave the numbers out, or the run

    m.toml: 1 error
    "#
    );
    assert_snapshot!(
        shown_with("record = \"earlier/20261101-100000\"\npilot = \"20261106-100000\""),
        @r#"
    error[exclusive-keys]: `record` and `pilot` exclude each other
      --> m.toml:37:1
       |
    36 | record = "earlier/20261101-100000"
       | ------ the other one
    37 | pilot = "20261106-100000"
       | ^^^^^
       |
       = help: the noise comes from one run: leave one of them out

    m.toml: 1 error
    "#
    );
    let all = format!("{ASSUMED}\nrecord = \"a/b\"\npilot = \"c\"");
    assert_eq!(codes(&[(ASSUMED, &all)]), ["exclusive-keys"; 4]);
}

#[test]
fn a_run_that_is_not_there() {
    assert_snapshot!(shown_with("record = \"earlier/20261101-100001\""), @r#"
    error[unknown-noise-source]: there is no record `earlier/20261101-100001`: `results/` has no such run
      --> m.toml:36:10
       |
    36 | record = "earlier/20261101-100001"
       |          ^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: did you mean `record = "earlier/20261101-100000"`?

    m.toml: 1 error
    "#);
    assert_snapshot!(shown_with("pilot = \"zzz\""), @r#"
    error[unknown-noise-source]: there is no pilot `zzz`: `results/` has no such run
      --> m.toml:36:9
       |
    36 | pilot = "zzz"
       |         ^^^^^
       |
       = help: the last one is `pilot = "20261108-100000"`

    m.toml: 1 error
    "#);
    assert_eq!(codes(&[(ASSUMED, "record = \"\"")]), ["bad-text"]);
    assert_eq!(codes(&[(ASSUMED, "record = 3")]), ["wrong-type"]);
}

#[test]
fn a_run_that_cannot_be_read_or_is_too_short() {
    assert_snapshot!(shown_with("record = \"torn/20261105-100000\""), @r#"
    error[bad-noise-source]: the record `torn/20261105-100000` cannot be used
      --> m.toml:36:10
       |
    36 | record = "torn/20261105-100000"
       |          ^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: results/torn/record.toml: changed after it was sealed

    m.toml: 1 error
    "#);
    assert_snapshot!(shown_with("pilot = \"20261107-100000\""), @r#"
    error[noise-of-too-few-rounds]: the pilot `20261107-100000` has fewer than two whole rounds of `off` and `aa`
      --> m.toml:36:9
       |
    36 | pilot = "20261107-100000"
       |         ^^^^^^^^^^^^^^^^^
       |
       = help: look for longer (`runner try … --minutes 5`), or write both `assumed_…` numbers

    m.toml: 1 error
    "#);
}

#[test]
fn a_run_of_another_metric() {
    assert_snapshot!(shown_with("record = \"prefill/20261103-100000\""), @r#"
    error[noise-of-other-work]: the record `prefill/20261103-100000` measured `prefill_tokens_per_second`
      --> m.toml:36:10
       |
    33 | primary = "decode_tokens_per_second"
       |           -------------------------- `decode_tokens_per_second` is judged here
    ...
    36 | record = "prefill/20261103-100000"
       |          ^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: decoding and prefill differ in their noise: name a run of the same metric

    m.toml: 1 error
    "#);
}

#[test]
fn a_run_of_other_work_is_a_warning() {
    assert_snapshot!(warned("record = \"other-work/20261102-100000\""), @r#"
    warning[noise-of-other-work]: the noise of the record `other-work/20261102-100000` was measured on other work
      --> m.toml:36:10
       |
    36 | record = "other-work/20261102-100000"
       |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ class divergence there, dense_throughput here; chunk_tokens 16 there, 8 here; threads 4 there, 1 here
       |
       = help: the noise may be another here: measure it on this work with `runner try`

    m.toml: 1 warning
    "#);
}

#[test]
fn a_run_that_other_work_disturbed_is_a_warning() {
    assert_snapshot!(warned("record = \"busy/20261104-100000\""), @r#"
    warning[noise-contaminated]: the record `busy/20261104-100000` is void: 31 % of the blocks were flagged (cap 20 %)
      --> m.toml:36:10
       |
    36 | record = "busy/20261104-100000"
       |          ^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: its noise is that of a busy machine: take a quieter run

    m.toml: 1 warning
    "#);
}

#[test]
fn few_degrees_of_freedom_are_a_warning() {
    assert_snapshot!(warned("pilot = \"20261106-100000\""), @r#"
    warning[noise-barely-known]: the noise of the pilot `20261106-100000` is barely known
      --> m.toml:36:9
       |
    36 | pilot = "20261106-100000"
       |         ^^^^^^^^^^^^^^^^^ from 3 degrees of freedom: the true spread may be up to 2.1 times this
       |
       = help: 0.61 % between rounds and 2.3 % between blocks are taken for the truth: look for longer (`runner try … --minutes 10`), or plan with more rounds

    m.toml: 1 warning
    "#);
    // no spread at all has no factor, and one degree is one
    assert_snapshot!(warned("pilot = \"20261108-100000\""), @r#"
    warning[noise-barely-known]: the noise of the pilot `20261108-100000` is barely known
      --> m.toml:36:9
       |
    36 | pilot = "20261108-100000"
       |         ^^^^^^^^^^^^^^^^^ from 1 degree of freedom: no spread at all was seen
       |
       = help: 0 % between rounds and 0 % between blocks are taken for the truth: look for longer (`runner try … --minutes 10`), or plan with more rounds

    m.toml: 1 warning
    "#);
}

#[test]
fn the_numbers_of_a_run_stand_in_the_plan_to_four_digits() {
    let text = altered(&[(ASSUMED, "record = \"earlier/20261101-100000\"")]);
    assert!(try_read(&text).unwrap().warnings.is_empty());
    let plan = plan(&text);
    let noise = &plan.noise;
    assert_eq!(noise.assumed_round_sd_percent, 0.6123);
    assert_eq!(noise.assumed_block_sd_percent, 2.346);
    assert_eq!(noise.source, Some(NoiseSource::Record("earlier/20261101-100000".to_owned())));
    let canonical = canonical_form(&plan);
    assert!(
        canonical.contains("\"source\":{\"record\":\"earlier/20261101-100000\"}"),
        "{canonical}"
    );
    assert_eq!(from_canonical(&canonical).unwrap(), plan);
}

/// `runner try` prints the folder too.
#[test]
fn a_pilot_may_be_named_with_its_folder() {
    let with = |name: &str| plan(&altered(&[(ASSUMED, &format!("pilot = \"{name}\""))]));
    assert_eq!(with("pilots/20261106-100000"), with("20261106-100000"));
}

#[test]
fn no_spread_between_rounds_may_be_assumed() {
    let none = "assumed_round_sd_percent = 0";
    plan(&altered(&[("assumed_round_sd_percent = 0.8", none)]));
    assert_eq!(
        codes(&[("assumed_block_sd_percent = 3.0", "assumed_block_sd_percent = 0")]),
        ["out-of-range"]
    );
}
