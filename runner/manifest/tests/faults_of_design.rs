//! Faults of chunk lengths as a condition, and of claims about a class of inputs.

use insta::assert_snapshot;

use super::support::{altered, codes, plan, shown};
use crate::manifest::{TimedWork, question_key};

fn condition(values: &str) -> String {
    format!("[condition]\nsetting = \"chunk_tokens\"\nvalues = {values}\n[metric]")
}

#[test]
fn chunk_lengths_that_do_not_divide() {
    assert_snapshot!(shown(&[("[metric]", &condition("[8, 24, 128, 64]"))]), @r#"
    error[chunk-misfit]: 64 tokens do not divide into chunks of 24
      --> m.toml:34:14
       |
    16 | decode_tokens = 64
       |                 -- tokens
    ...
    34 | values = [8, 24, 128, 64]
       |              ^^
       |
       = help: write 16 or 32

    error[chunk-misfit]: 64 tokens do not divide into chunks of 128
      --> m.toml:34:18
       |
    16 | decode_tokens = 64
       |                 -- tokens
    ...
    34 | values = [8, 24, 128, 64]
       |                  ^^^
       |
       = help: write what divides them; 64 itself means "not cut"

    m.toml: 2 errors
    "#);
    assert_eq!(codes(&[("[metric]", &condition("[0, 8]"))]), ["out-of-range"]);
    assert_eq!(codes(&[("[metric]", &condition("[8, 8]"))]), ["duplicate-value"]);
    assert_eq!(codes(&[("[metric]", &condition("[]"))]), ["empty-list"]);
}

#[test]
fn a_chunk_length_of_its_own_beside_the_condition() {
    assert_snapshot!(
        shown(&[("rounds = 12", "rounds = 12\nchunk_tokens = 8"), ("[metric]", &condition("[8, 16]"))]),
        @r#"
    error[exclusive-keys]: `chunk_tokens` is given here, and the condition varies it
      --> m.toml:45:1
       |
    33 | setting = "chunk_tokens"
       |           -------------- varied here
    ...
    45 | chunk_tokens = 8
       | ^^^^^^^^^^^^
       |
       = help: leave `chunk_tokens` out of `[design]`: the condition's values hold

    m.toml: 1 error
    "#
    );
}

#[test]
fn chunk_lengths_of_work_that_is_not_cut() {
    let changes = [
        ("prompt_tokens = 32\ndecode_tokens = 64", "prefill_tokens = 512"),
        ("\"decode_tokens_per_second\"", "\"prefill_tokens_per_second\""),
        ("[metric]", &condition("[8, 16]")),
    ];
    assert_snapshot!(shown(&changes), @r#"
    error[not-of-this-work]: prefill work has no such setting to vary
      --> m.toml:32:11
       |
    15 | prefill_tokens = 512
       |                  --- prefill work
    ...
    32 | setting = "chunk_tokens"
       |           ^^^^^^^^^^^^^^
       |
       = help: write `setting = "prefill_tokens"` or `"depth_tokens"`

    m.toml: 1 error
    "#);
}

/// One untimed token a chunk: only the shortest chunks are too many.
#[test]
fn short_chunks_may_not_fit_where_long_ones_do() {
    let changes = [
        ("context_tokens = 1024", "context_tokens = 110"),
        ("[metric]", &*condition("[64, 8, 4]")),
    ];
    assert_snapshot!(shown(&changes), @r#"
    error[over-context]: 112 tokens do not fit into a context of 110
      --> m.toml:34:18
       |
    10 | context_tokens = 110
       |                  --- the context
    ...
    34 | values = [64, 8, 4]
       |                  ^ 0 of depth, 32 of prompt, 64 timed and 16 untimed (one a chunk)
       |
       = help: write `context_tokens = 112` or more

    m.toml: 1 error
    "#);
}

#[test]
fn each_value_cuts_the_same_work() {
    let plan = plan(&altered(&[("[metric]", &condition("[8, 64, 2]"))]));
    let works: Vec<TimedWork> =
        plan.condition_values().into_iter().map(|value| plan.work_at(value)).collect();
    let work =
        |chunk_tokens| TimedWork::Decode { prompt_tokens: 32, decode_tokens: 64, chunk_tokens };
    assert_eq!(works, [work(8), work(64), work(2)]);
    assert_eq!(plan.workload.work, work(8));
}

/// How it is measured is not what is asked.
#[test]
fn chunk_lengths_do_not_change_the_question() {
    let varied = plan(&altered(&[("[metric]", &condition("[8, 64, 2]"))]));
    assert_eq!(question_key(&varied), question_key(&plan(super::support::GOOD)));
}

const SCOPE: (&str, &str) = ("order_seed = 7", "order_seed = 7\ninput_scope = \"class\"");

#[test]
fn a_claim_about_a_class_from_too_few_inputs() {
    let few =
        [("rounds = 12", "rounds = 7"), ("blocks_per_round = 4", "blocks_per_round = 1"), SCOPE];
    assert_snapshot!(shown(&few), @r#"
    error[inputs-of-no-class]: the design visits 7 different inputs; a claim about their class needs 8
      --> m.toml:44:15
       |
    42 | blocks_per_round = 1
       |                    - blocks of a round
    43 | order_seed = 7
    44 | input_scope = "class"
       |               ^^^^^^^
       |
       = help: a claim about a class needs inputs drawn from it: more blocks, a larger set, or `input_scope = "set"`

    m.toml: 1 error
    "#);
    let enough =
        [("rounds = 12", "rounds = 8"), ("blocks_per_round = 4", "blocks_per_round = 1"), SCOPE];
    plan(&altered(&enough));
}

#[test]
fn a_claim_about_a_class_from_filler() {
    let filler = ("inputs = \"prose-48\"", "inputs = \"filler\"");
    assert_snapshot!(shown(&[filler, SCOPE]), @r#"
    error[inputs-of-no-class]: texts made by one rule say nothing of a class of texts
      --> m.toml:44:15
       |
    13 | inputs = "filler"
       |          -------- filler
    ...
    44 | input_scope = "class"
       |               ^^^^^^^
       |
       = help: a claim about a class needs inputs drawn from it: take another set, or `input_scope = "set"`

    m.toml: 1 error
    "#);
    plan(&altered(&[filler]));
}
