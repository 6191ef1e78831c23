//! Faults of values: type, range, words, characters, names that nobody knows.

use insta::assert_snapshot;

use super::support::{codes, shown};

#[test]
fn wrong_types_and_what_to_write() {
    assert_snapshot!(shown(&[
        ("threads = 2", "flash_attention = true"),
        ("title = \"A good one\"", "title = 3"),
        ("rounds = 12", "rounds = \"12\""),
        ("margin_percent = 2.0", "margin_percent = [2.0]"),
        ("[metric]\nprimary = \"decode_tokens_per_second\"", "metric = \"decode_tokens_per_second\""),
    ]), @r###"
    error[missing-table]: the table `[metric]` is missing
     --> m.toml:1:1
      |
    1 | schema = 1
      | ^^^^^^^^^^
      |
      = help: add, for example:
              [metric]
              primary = "decode_tokens_per_second"

    error[wrong-type]: `title` must be a line of text, not the whole number 3
     --> m.toml:3:9
      |
    3 | title = 3
      |         ^
      |
      = help: write, for example, `title = "What is compared"`

    error[wrong-type]: `flash_attention` must be one of "on", "off", not `true`
      --> m.toml:29:19
       |
    29 | flash_attention = true
       |                   ^^^^
       |
       = help: write `flash_attention = "on"`

    error[key-in-wrong-table]: `metric` does not belong to `[[arm]]`
      --> m.toml:32:1
       |
    32 | metric = "decode_tokens_per_second"
       | ^^^^^^
       |
       = help: it is a key of the top of the manifest

    error[wrong-type]: `rounds` must be a whole number, 2 to 10000, not a text
      --> m.toml:40:10
       |
    40 | rounds = "12"
       |          ^^^^
       |
       = help: without quotes: `rounds = 12`

    error[wrong-type]: `margin_percent` must be a number, above 0, at most 1000, not a list
      --> m.toml:48:18
       |
    48 | margin_percent = [2.0]
       |                  ^^^^^
       |
       = help: write, for example, `margin_percent = 2.0`

    m.toml: 6 errors
    "###);
}

#[test]
fn numbers_out_of_range() {
    assert_snapshot!(shown(&[
        ("rounds = 12", "rounds = 0"),
        ("blocks_per_round = 4", "blocks_per_round = 0\nchunk_tokens = 0"),
        ("order_seed = 7", "order_seed = -1"),
        ("margin_percent = 2.0", "margin_percent = 0\nconfidence_percent = 49.9"),
        ("assumed_round_sd_percent = 0.8", "assumed_round_sd_percent = -0.8"),
        ("threads = 1\n", "threads = 4294967296\n"),
    ]), @r###"
    error[out-of-range]: `threads` cannot be 4294967296
     --> m.toml:9:11
      |
    9 | threads = 4294967296
      |           ^^^^^^^^^^ at most 1024
      |
      = help: it is a whole number, 1 to 1024, for example `threads = 1`

    error[out-of-range]: `assumed_round_sd_percent` cannot be -0.8
      --> m.toml:36:28
       |
    36 | assumed_round_sd_percent = -0.8
       |                            ^^^^ 0 to 100
       |
       = help: write, for example, `assumed_round_sd_percent = 0.8`

    error[out-of-range]: `rounds` cannot be 0
      --> m.toml:41:10
       |
    41 | rounds = 0
       |          ^ at least 2
       |
       = help: it is a whole number, 2 to 10000, for example `rounds = 12`

    error[out-of-range]: `blocks_per_round` cannot be 0
      --> m.toml:42:20
       |
    42 | blocks_per_round = 0
       |                    ^ at least 1
       |
       = help: it is a whole number, 1 to 10000, for example `blocks_per_round = 4`

    error[out-of-range]: `chunk_tokens` cannot be 0
      --> m.toml:43:16
       |
    43 | chunk_tokens = 0
       |                ^ at least 1
       |
       = help: it is a whole number, 1 or more, for example `chunk_tokens = 8`

    error[out-of-range]: `order_seed` cannot be -1
      --> m.toml:44:14
       |
    44 | order_seed = -1
       |              ^^ at least 0
       |
       = help: it is a whole number, 0 or more, for example `order_seed = 20261129`

    error[out-of-range]: `margin_percent` cannot be 0
      --> m.toml:50:18
       |
    50 | margin_percent = 0
       |                  ^ above 0, at most 1000
       |
       = help: write, for example, `margin_percent = 2.0`

    error[out-of-range]: `confidence_percent` cannot be 49.9
      --> m.toml:51:22
       |
    51 | confidence_percent = 49.9
       |                      ^^^^ 50 to 99.9
       |
       = help: write, for example, `confidence_percent = 95`

    m.toml: 8 errors
    "###);
}

#[test]
fn edges_of_ranges_are_in_or_out() {
    for (old, bad) in [
        ("margin_percent = 2.0", "margin_percent = 2.0\nconfidence_percent = 99.91"),
        ("cap_minutes = 20", "cap_minutes = 0"),
        ("cap_minutes = 20", "cap_minutes = 10081"),
        ("expected_effect_percent = 5.0", "expected_effect_percent = -100"),
        ("rounds = 12", "rounds = 1"),
        ("threads = 2", "threads = 1025"),
        ("prompt_tokens = 32", "prompt_tokens = 0"),
    ] {
        assert_eq!(codes(&[(old, bad)]), ["out-of-range"], "{bad}");
    }
    for (old, good) in [
        ("margin_percent = 2.0", "margin_percent = 2.0\nconfidence_percent = 99.9"),
        ("margin_percent = 2.0", "margin_percent = 2.0\nconfidence_percent = 50"),
        ("cap_minutes = 20", "cap_minutes = 0.001"),
        ("rounds = 12", "rounds = 2"),
        ("threads = 2", "threads = 1024"),
    ] {
        super::support::plan(&super::support::altered(&[(old, good)]));
    }
}

#[test]
fn values_that_are_not_finite() {
    assert_snapshot!(shown(&[
        ("margin_percent = 2.0", "margin_percent = nan"),
        ("cap_minutes = 20", "cap_minutes = inf"),
        ("assumed_block_sd_percent = 3.0", "assumed_block_sd_percent = -inf"),
    ]), @r###"
    error[not-finite]: `assumed_block_sd_percent` cannot be -inf
      --> m.toml:37:28
       |
    37 | assumed_block_sd_percent = -inf
       |                            ^^^^
       |
       = help: it is a number, above 0, at most 100, for example `assumed_block_sd_percent = 3.0`

    error[not-finite]: `cap_minutes` cannot be inf
      --> m.toml:46:15
       |
    46 | cap_minutes = inf
       |               ^^^
       |
       = help: it is a number, above 0, at most 10080, for example `cap_minutes = 20`

    error[not-finite]: `margin_percent` cannot be nan
      --> m.toml:49:18
       |
    49 | margin_percent = nan
       |                  ^^^
       |
       = help: it is a number, above 0, at most 1000, for example `margin_percent = 2.0`

    m.toml: 3 errors
    "###);
}

#[test]
fn an_id_with_a_slash_or_capitals() {
    assert_snapshot!(shown(&[("id = \"good\"", "id = \"Good/one\""), ("name = \"two\"", "name = \"Two threads\"")]), @r###"
    error[bad-name]: `id` cannot be "Good/one": an id is made of lower-case letters, digits and `-`, not of 'G'
     --> m.toml:2:6
      |
    2 | id = "Good/one"
      |      ^^^^^^^^^^
      |
      = help: write, for example, `id = "good-one"`

    error[bad-name]: `name` cannot be "Two threads": an arm's name is made of lower-case letters, digits and `-_=.`, not of 'T'
      --> m.toml:27:8
       |
    27 | name = "Two threads"
       |        ^^^^^^^^^^^^^
       |
       = help: write, for example, `name = "two-threads"`

    m.toml: 2 errors
    "###);
}

#[test]
fn texts_that_would_break_a_table() {
    assert_snapshot!(shown(&[
        ("title = \"A good one\"", "title = \"a | b\""),
        ("hypothesis = \"it reads\"", "hypothesis = \"\""),
        ("parked.resolution = \"a second registration\"", "parked.resolution = \"a\\nb\""),
        ("prior_access = \"none\"", "prior_access = \"none\"\nmechanism = \"\\u202e\""),
        ("name = \"off-again\"", "name = \"off|again\\n\""),
    ]), @r###"
    error[bad-text]: `title` cannot have '|': it stands in tables
     --> m.toml:3:9
      |
    3 | title = "a | b"
      |         ^^^^^^^
      |
      = help: keep it on one line, without `|` and control characters

    error[bad-text]: `hypothesis` is empty
     --> m.toml:4:14
      |
    4 | hypothesis = ""
      |              ^^
      |
      = help: write, for example, `hypothesis = "… raises decode throughput by 5 % or more"`

    error[bad-text]: `mechanism` cannot have '\u{202e}'
     --> m.toml:6:13
      |
    6 | mechanism = "\u202e"
      |             ^^^^^^^^
      |
      = help: leave control characters out

    error[bad-name]: `name` cannot be "off|again\n": an arm's name is made of lower-case letters, digits and `-_=.`, not of '|'
      --> m.toml:24:8
       |
    24 | name = "off|again\n"
       |        ^^^^^^^^^^^^^
       |
       = help: write, for example, `name = "off-again"`

    error[bad-text]: `resolution` cannot have '\n': it stands in tables
      --> m.toml:51:21
       |
    51 | parked.resolution = "a\nb"
       |                     ^^^^^^
       |
       = help: keep it on one line, without `|` and control characters

    m.toml: 5 errors
    "###);
}

#[test]
fn texts_of_any_length_are_not_taken() {
    for (most, code) in [(1000, Vec::new()), (1001, vec!["bad-text"])] {
        let title = format!("title = \"{}\"", "ü".repeat(most));
        let source = super::support::altered(&[("title = \"A good one\"", &title)]);
        let found = super::support::try_read(&source);
        let codes: Vec<&str> = found
            .err()
            .into_iter()
            .flat_map(|faults| faults.list)
            .map(|fault| fault.code.text)
            .collect();
        assert_eq!(codes, code);
    }
}

#[test]
fn a_value_that_is_not_known() {
    assert_snapshot!(shown(&[("prior_access = \"none\"", "prior_access = \"pilots\""), ("class = \"dense_throughput\"", "class = \"easy\"")]), @r###"
    error[unknown-value]: `prior_access` cannot be "pilots"
     --> m.toml:5:16
      |
    5 | prior_access = "pilots"
      |                ^^^^^^^^ one of "none", "pilot", "partial", "seen"
      |
      = help: did you mean `prior_access = "pilot"`?

    error[unknown-value]: `class` cannot be "easy"
      --> m.toml:14:9
       |
    14 | class = "easy"
       |         ^^^^^^ one of "dense_throughput", "routing", "speculation", "divergence", "long_context"
       |
       = help: write, for example, `class = "dense_throughput"`

    m.toml: 2 errors
    "###);
}

#[test]
fn unknown_names_of_models_and_workloads() {
    assert_snapshot!(shown(&[("model = \"builtin-tiny\"", "model = \"smollm\""), ("inputs = \"prose-48\"", "inputs = \"sets/mine\"")]), @r###"
    error[unknown-model]: the catalogue has no model `smollm`
     --> m.toml:8:9
      |
    8 | model = "smollm"
      |         ^^^^^^^^
      |
      = help: did you mean `model = "smollm2-135m-instruct-q4_1"`?

    error[unknown-workload]: `sets/mine` is no workload: no embedded set and no file is called so
      --> m.toml:13:10
       |
    13 | inputs = "sets/mine"
       |          ^^^^^^^^^^^
       |
       = help: known: code-48, prose-48, tiny-set; or the path of a set file, from the project's root

    m.toml: 2 errors
    "###);
    assert_snapshot!(shown(&[("model = \"builtin-tiny\"", "model = \"builtin-tine\""), ("inputs = \"prose-48\"", "inputs = \"prose-8\"")]), @r###"
    error[unknown-model]: the catalogue has no model `builtin-tine`
     --> m.toml:8:9
      |
    8 | model = "builtin-tine"
      |         ^^^^^^^^^^^^^^
      |
      = help: did you mean `model = "builtin-tiny"`?

    error[unknown-workload]: `prose-8` is no workload: no embedded set and no file is called so
      --> m.toml:13:10
       |
    13 | inputs = "prose-8"
       |          ^^^^^^^^^
       |
       = help: did you mean `inputs = "prose-48"`?

    m.toml: 2 errors
    "###);
}
