//! Faults of the timed work, its metric and its decision.

use insta::assert_snapshot;

use super::support::{altered, codes, plan, shown};

const DECODE: &str = "prompt_tokens = 32\ndecode_tokens = 64";

#[test]
fn one_kind_of_work() {
    assert_snapshot!(shown(&[(DECODE, "prompt_tokens = 32\ndecode_tokens = 64\nprefill_tokens = 64")]), @r###"
    error[exclusive-keys]: `decode_tokens` and `prefill_tokens` exclude each other
      --> m.toml:17:1
       |
    16 | decode_tokens = 64
       | ------------- the other one
    17 | prefill_tokens = 64
       | ^^^^^^^^^^^^^^
       |
       = help: one experiment times one kind of work: leave one of them out

    m.toml: 1 error
    "###);
    assert_eq!(codes(&[(DECODE, "")]), ["missing-key"]);
    assert_eq!(codes(&[(DECODE, "decode_tokens = 64")]), ["missing-key"]);
}

#[test]
fn keys_and_metrics_of_the_other_kind_of_work() {
    assert_snapshot!(shown(&[
        (DECODE, "prompt_tokens = 32\nprefill_tokens = 64"),
        ("rounds = 12", "rounds = 12\nchunk_tokens = 8"),
        ("[metric]\n", "[metric]\nsecondary = [\"prompt_milliseconds\"]\n"),
    ]), @r###"
    error[not-of-this-work]: `prompt_tokens` belongs to decode work, and this is prefill work
      --> m.toml:15:1
       |
    15 | prompt_tokens = 32
       | ^^^^^^^^^^^^^
       |
       = help: leave `prompt_tokens` out: a prefill is timed whole

    error[not-of-this-work]: `prompt_milliseconds` cannot be a secondary metric of prefill work
      --> m.toml:33:14
       |
    33 | secondary = ["prompt_milliseconds"]
       |              ^^^^^^^^^^^^^^^^^^^^^
       |
       = help: prefill work has `joules_per_token` alone

    error[not-of-this-work]: `decode_tokens_per_second` cannot be the primary metric of prefill work
      --> m.toml:34:11
       |
    16 | prefill_tokens = 64
       |                  -- prefill work
    ...
    34 | primary = "decode_tokens_per_second"
       |           ^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: write `primary = "prefill_tokens_per_second"`

    error[not-of-this-work]: `chunk_tokens` belongs to decode work, and this is prefill work
      --> m.toml:43:1
       |
    43 | chunk_tokens = 8
       | ^^^^^^^^^^^^
       |
       = help: leave `chunk_tokens` out: a prefill is timed whole

    m.toml: 4 errors
    "###);
    assert_eq!(
        codes(&[("primary = \"decode_tokens_per_second\"", "primary = \"prompt_milliseconds\"")]),
        ["not-of-this-work"]
    );
    assert_eq!(
        codes(&[(
            "[metric]\n",
            "[metric]\nsecondary = [\"prompt_milliseconds\", \"prompt_milliseconds\"]\n"
        )]),
        ["duplicate-value"]
    );
}

#[test]
fn tokens_that_do_not_divide_into_chunks() {
    assert_snapshot!(shown(&[("decode_tokens = 64", "decode_tokens = 63")]), @r###"
    error[chunk-misfit]: 63 tokens do not divide into chunks of 8
      --> m.toml:16:17
       |
    16 | decode_tokens = 63
       |                 ^^
       |
       = help: write `decode_tokens = 56` or `64`, or other `chunk_tokens`

    m.toml: 1 error
    "###);
    assert_snapshot!(shown(&[("rounds = 12", "rounds = 12\nchunk_tokens = 7")]), @r###"
    error[chunk-misfit]: 64 tokens do not divide into chunks of 7
      --> m.toml:16:17
       |
    16 | decode_tokens = 64
       |                 ^^
    ...
    42 | chunk_tokens = 7
       |                - a chunk
       |
       = help: write `decode_tokens = 63` or `70`, or other `chunk_tokens`

    m.toml: 1 error
    "###);
}

#[test]
fn more_tokens_than_the_context_holds() {
    assert_snapshot!(shown(&[("context_tokens = 1024", "context_tokens = 103")]), @r###"
    error[over-context]: 104 tokens do not fit into a context of 103
      --> m.toml:16:17
       |
    10 | context_tokens = 103
       |                  --- the context
    ...
    16 | decode_tokens = 64
       |                 ^^ 0 of depth, 32 of prompt, 64 timed and 8 untimed (one a chunk)
       |
       = help: write `context_tokens = 104` or more

    m.toml: 1 error
    "###);
    // 32 of prompt, 64 timed, 8 untimed.
    plan(&altered(&[("context_tokens = 1024", "context_tokens = 104")]));
}

#[test]
fn more_tokens_than_the_context_holds_at_one_value_of_the_condition() {
    let condition =
        ("[metric]", "[condition]\nsetting = \"depth_tokens\"\nvalues = [0, 920, 921]\n[metric]");
    assert_snapshot!(shown(&[condition]), @r###"
    error[over-context]: 1025 tokens do not fit into a context of 1024
      --> m.toml:34:19
       |
    10 | context_tokens = 1024
       |                  ---- the context
    ...
    34 | values = [0, 920, 921]
       |                   ^^^ 921 of depth, 32 of prompt, 64 timed and 8 untimed (one a chunk)
       |
       = help: write `context_tokens = 1025` or more

    m.toml: 1 error
    "###);
}

#[test]
fn a_contract_over_more_positions_than_the_context_holds() {
    let contract = (
        "contract.identical.of = \"tokens\"",
        "contract.cosine.at_least = 0.99\ncontract.cosine.basis = \"b\"",
    );
    assert_snapshot!(shown(&[contract, (DECODE, "prompt_tokens = 32\ndecode_tokens = 64\ndepth_tokens = 513")]), @r###"
    error[over-context]: 1025 tokens do not fit into a context of 1024
      --> m.toml:31:10
       |
    10 | context_tokens = 1024
       |                  ---- the context
    ...
    31 | contract.cosine.at_least = 0.99
       |          ^^^^^^ 513 of depth and 512 positions of the contract
       |
       = help: write `context_tokens = 1025` or more

    m.toml: 1 error
    "###);
    plan(&altered(&[
        contract,
        (DECODE, "prompt_tokens = 32\ndecode_tokens = 64\ndepth_tokens = 512"),
    ]));
}

#[test]
fn a_workload_that_is_too_short() {
    // The set has 300 bytes; one token more may stand for the beginning of the text.
    let change = |prompt: u32| format!("prompt_tokens = {prompt}\ndecode_tokens = 64");
    let set = ("inputs = \"prose-48\"", "inputs = \"tiny-set\"");
    assert_snapshot!(shown(&[set, (DECODE, &change(302))]), @r###"
    error[workload-too-short]: `tiny-set` cannot give 302 tokens
      --> m.toml:15:17
       |
    13 | inputs = "tiny-set"
       |          ---------- 300 bytes of text in all
    14 | class = "dense_throughput"
    15 | prompt_tokens = 302
       |                 ^^^ of one input
       |
       = help: a token is at least one byte: take a longer set, or fewer tokens

    m.toml: 1 error
    "###);
    plan(&altered(&[set, (DECODE, &change(301))]));
    let contract = (
        "contract.identical.of = \"tokens\"",
        "contract.cosine.at_least = 0.99\ncontract.cosine.basis = \"b\"",
    );
    assert_eq!(codes(&[set, contract]), ["workload-too-short"]);
}

#[test]
fn conditions_that_are_empty_twice_the_same_or_of_other_work() {
    let condition = |text: &str| format!("[condition]\n{text}\n[metric]");
    let one = |text: &str| shown(&[("[metric]", &condition(text))]);
    assert_snapshot!(one("setting = \"depth_tokens\"\nvalues = []"), @r###"
    error[empty-list]: `values` is empty
      --> m.toml:34:10
       |
    34 | values = []
       |          ^^
       |
       = help: write, for example, `values = [0, 512, 2048]`

    m.toml: 1 error
    "###);
    assert_snapshot!(one("setting = \"depth_tokens\"\nvalues = [512, 0, 512]"), @r###"
    error[duplicate-value]: the value 512 occurs twice
      --> m.toml:34:19
       |
    34 | values = [512, 0, 512]
       |           ---     ^^^ again
       |           |
       |           first
       |
       = help: leave one of them out

    m.toml: 1 error
    "###);
    assert_snapshot!(one("setting = \"prefill_tokens\"\nvalues = [512]"), @r###"
    error[not-of-this-work]: decode work has no such setting to vary
      --> m.toml:33:11
       |
    16 | decode_tokens = 64
       |                 -- decode work
    ...
    33 | setting = "prefill_tokens"
       |           ^^^^^^^^^^^^^^^^
       |
       = help: write `setting = "prompt_tokens"`, `"depth_tokens"` or `"chunk_tokens"`

    m.toml: 1 error
    "###);
    assert_snapshot!(one("setting = \"prompt_tokens\"\nvalues = [0, -1, \"8\"]"), @r###"
    error[out-of-range]: a value cannot be 0
      --> m.toml:34:11
       |
    34 | values = [0, -1, "8"]
       |           ^ at least 1

    error[out-of-range]: `values` cannot be -1
      --> m.toml:34:14
       |
    34 | values = [0, -1, "8"]
       |              ^^ at least 0
       |
       = help: it is a whole number, 0 or more, for example `values = [0, 512, 2048]`

    error[wrong-type]: `values` must be a whole number, 0 or more, not a text
      --> m.toml:34:18
       |
    34 | values = [0, -1, "8"]
       |                  ^^^
       |
       = help: without quotes: `values = 8`

    m.toml: 3 errors
    "###);
    assert_snapshot!(one("setting = \"prompt_tokens\"\nvalues = [0, 1]"), @r###"
    error[out-of-range]: a value cannot be 0
      --> m.toml:34:11
       |
    34 | values = [0, 1]
       |           ^ at least 1

    m.toml: 1 error
    "###);
}

#[test]
fn an_effect_that_never_reaches_the_margin() {
    assert_snapshot!(shown(&[("expected_effect_percent = 5.0", "expected_effect_percent = 2.0")]), @r###"
    error[unreachable-outcome]: an effect of 2 % can never be told from the margin of 2 %
      --> m.toml:38:27
       |
    38 | expected_effect_percent = 2.0
       |                           ^^^ expected
    ...
    49 | margin_percent = 2.0
       |                  --- the whole interval must lie beyond this
       |
       = help: expect an effect beyond the margin (for equivalence: the smallest that must not be overlooked), or lower the margin

    m.toml: 1 error
    "###);
    assert_eq!(
        codes(&[("expected_effect_percent = 5.0", "expected_effect_percent = 0")]),
        ["unreachable-outcome"]
    );
    // The margin is one of ratios: 1/1.02 is -1.96 %.
    assert_eq!(
        codes(&[("expected_effect_percent = 5.0", "expected_effect_percent = -1.96")]),
        ["unreachable-outcome"]
    );
    plan(&altered(&[("expected_effect_percent = 5.0", "expected_effect_percent = -1.97")]));
}

#[test]
fn all_faults_show_at_once() {
    let rendered = shown(&[
        ("id = \"good\"", "id = \"a/b\""),
        ("threads = 1\n", "thread = 1\n"),
        ("inputs = \"prose-48\"", "inputs = \"rose-48\""),
        ("decode_tokens = 64", "decode_tokens = 63"),
        ("role = \"aa\"", "role = \"control\""),
        ("rounds = 12", "rounds = 0"),
        ("expected_effect_percent = 5.0", "expected_effect_percent = 1"),
    ]);
    assert!(rendered.ends_with("m.toml: 7 errors"), "{rendered}");
}
