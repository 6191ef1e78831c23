//! Faults that one key alone has.

use insta::assert_snapshot;

use super::support::{codes, shown};

#[test]
fn an_unknown_key_and_the_nearest_known_one() {
    assert_snapshot!(shown(&[("threads = 1\n", "thread = 1\n")]), @r###"
    error[unknown-key]: `[engine]` has no key `thread`
     --> m.toml:9:1
      |
    9 | thread = 1
      | ^^^^^^
      |
      = help: did you mean `threads`?

    m.toml: 1 error
    "###);
}

#[test]
fn a_name_from_elsewhere_and_ours() {
    assert_snapshot!(shown(&[("threads = 1\n", "n_ubatch = 64\n")]), @r###"
    error[unknown-key]: `[engine]` has no key `n_ubatch`
     --> m.toml:9:1
      |
    9 | n_ubatch = 64
      | ^^^^^^^^
      |
      = help: that is `micro_batch_tokens` here

    m.toml: 1 error
    "###);
}

#[test]
fn speculation_is_not_there_yet() {
    let change = ("threads = 2\n", "threads = 2\nspeculation.prompt_lookup.draft_tokens = 4\n");
    assert_eq!(codes(&[change]), ["unknown-key"]);
}

#[test]
fn a_key_in_the_wrong_table() {
    assert_snapshot!(shown(&[("[decision]\n", "[decision]\nrounds = 3\n"), ("role = \"off\"\n", "role = \"off\"\nat_least = 1\n")]), @r###"
    error[key-in-wrong-table]: `at_least` does not belong to `[[arm]]`
      --> m.toml:21:1
       |
    21 | at_least = 1
       | ^^^^^^^^
       |
       = help: it is a key of `contract.cosine` or `expect.operation.<name>` or `expect.device.<name>` or `expect.accepted_tokens`

    error[key-in-wrong-table]: `rounds` does not belong to `[decision]`
      --> m.toml:50:1
       |
    50 | rounds = 3
       | ^^^^^^
       |
       = help: it is a key of `[design]`

    m.toml: 2 errors
    "###);
}

#[test]
fn a_key_behind_a_sub_table_falls_into_it() {
    let change = (
        "threads = 2\ncontract.identical.of = \"tokens\"",
        "[arm.contract.identical]\nof = \"tokens\"\nthreads = 2",
    );
    assert_snapshot!(shown(&[change]), @r###"
    error[key-in-wrong-table]: `threads` does not belong to `contract.identical`
      --> m.toml:31:1
       |
    31 | threads = 2
       | ^^^^^^^
       |
       = help: it is a key of `[engine]` or `[[arm]]`

    m.toml: 1 error
    "###);
}

#[test]
fn missing_keys_and_tables() {
    assert_snapshot!(shown(&[
        ("id = \"good\"\n", ""),
        ("rounds = 12\n", ""),
        ("\nparked.resolution = \"a second registration\"", ""),
        ("[stop.fixed]\ncap_minutes = 20\n", ""),
        ("name = \"two\"\n", ""),
    ]), @r###"
    error[missing-key]: `id` is missing from the top of the manifest
     --> m.toml:1:1
      |
    1 | schema = 1
      | ^^^^^^^^^^
      |
      = help: add `id = "my-question"`: names the experiment, and its folder in `results/`. Never reused. 64 characters or fewer

    error[missing-table]: the table `[stop]` is missing
     --> m.toml:1:1
      |
    1 | schema = 1
      | ^^^^^^^^^^
      |
      = help: add, for example:
              [stop.fixed]
              cap_minutes = 20

    error[missing-key]: `name` is missing from `[[arm]]`
      --> m.toml:25:1
       |
    25 | [[arm]]
       | ^^^^^^^
       |
       = help: add `name = "flash"`: unique. 64 characters or fewer

    error[missing-key]: `rounds` is missing from `[design]`
      --> m.toml:38:1
       |
    38 | [design]
       | ^^^^^^^^
       |
       = help: add `rounds = 12`: restarts of the workers; the unit of analysis. An interval needs two

    error[missing-key]: `parked.resolution` is missing from `[decision]`
      --> m.toml:43:1
       |
    43 | [decision]
       | ^^^^^^^^^^
       |
       = help: add `parked.resolution = "a second registration on a quieter machine"`: what comes after a parked result

    m.toml: 5 errors
    "###);
}

#[test]
fn another_version_of_the_language() {
    assert_snapshot!(shown(&[("schema = 1", "schema = 2")]), @r###"
    error[schema-version]: this program reads version 1 of the language, not 2
     --> m.toml:1:10
      |
    1 | schema = 2
      |          ^
      |
      = help: write `schema = 1`, or use the program that the manifest was made for

    m.toml: 1 error
    "###);
}

#[test]
fn one_model_and_one_worker() {
    let sha = "0".repeat(64);
    let both = format!(
        "model = \"builtin-tiny\"\nmodel_file = \"there\"\nmodel_sha256 = \"{sha}\"\nbuild = \"native\"\nworker = \"there\""
    );
    assert_eq!(codes(&[("model = \"builtin-tiny\"", &both)]), ["exclusive-keys", "exclusive-keys"]);
    assert_eq!(codes(&[("model = \"builtin-tiny\"\n", "")]), ["missing-key"]);
    assert_eq!(codes(&[("model = \"builtin-tiny\"", "model_file = \"there\"")]), ["missing-key"]);
    let short = "model_file = \"there\"\nmodel_sha256 = \"12\"";
    assert_eq!(codes(&[("model = \"builtin-tiny\"", short)]), ["bad-text"]);
    let stray = format!("model = \"builtin-tiny\"\nmodel_sha256 = \"{sha}\"");
    assert_eq!(codes(&[("model = \"builtin-tiny\"", &stray)]), ["exclusive-keys"]);
}
