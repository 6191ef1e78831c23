//! Faults of ladders and of settings that do not fit together.

use insta::assert_snapshot;

use super::support::{codes, shown};

#[test]
fn ladders_that_are_empty_twice_the_same_or_of_no_setting() {
    let ladder = |text: &str| format!("[ladder]\n{text}\n[metric]");
    let one = |text: &str| shown(&[("[metric]", &ladder(text))]);
    let contract = "contract.identical.of = \"tokens\"";
    assert_snapshot!(one(&format!("setting = \"micro_batch_tokens\"\nrungs = []\n{contract}")), @r###"
    error[empty-list]: `rungs` is empty
      --> m.toml:34:9
       |
    34 | rungs = []
       |         ^^
       |
       = help: write, for example, `rungs = [64, 128, 256]`

    m.toml: 1 error
    "###);
    assert_snapshot!(one(&format!("setting = \"micro_batch_tokens\"\nrungs = [16, 32, 16]\n{contract}")), @r###"
    error[duplicate-value]: the rung 16 occurs twice
      --> m.toml:34:18
       |
    34 | rungs = [16, 32, 16]
       |          --      ^^ again
       |          |
       |          first
       |
       = help: leave one of them out

    m.toml: 1 error
    "###);
    assert_snapshot!(one(&format!("setting = \"microbatch_tokens\"\nrungs = [16]\n{contract}")), @r###"
    error[unknown-value]: no setting is called `microbatch_tokens`
      --> m.toml:33:11
       |
    33 | setting = "microbatch_tokens"
       |           ^^^^^^^^^^^^^^^^^^^
       |
       = help: did you mean `setting = "micro_batch_tokens"`?

    m.toml: 1 error
    "###);
    assert_snapshot!(one(&format!("setting = \"flash_attention\"\nrungs = [\"on\", \"maybe\", 1, true]\n{contract}")), @r###"
    error[unknown-value]: `flash_attention` cannot be "maybe"
      --> m.toml:34:16
       |
    34 | rungs = ["on", "maybe", 1, true]
       |                ^^^^^^^
       |
       = help: a rung is one of "on", "off"

    error[unknown-value]: `flash_attention` cannot be 1
      --> m.toml:34:25
       |
    34 | rungs = ["on", "maybe", 1, true]
       |                         ^
       |
       = help: a rung is one of "on", "off"

    error[wrong-type]: `rungs` must be a list of values of the setting, not `true`
      --> m.toml:34:28
       |
    34 | rungs = ["on", "maybe", 1, true]
       |                            ^^^^
       |
       = help: write, for example, `rungs = [64, 128, 256]`

    m.toml: 3 errors
    "###);
}

#[test]
fn a_rung_that_equals_off_or_a_treatment_and_a_ladder_without_contract() {
    let change = ("[metric]", "[ladder]\nsetting = \"threads\"\nrungs = [1, 2, 3]\n[metric]");
    assert_snapshot!(shown(&[change]), @r###"
    error[missing-contract]: the ladder promises nothing of its output
      --> m.toml:32:1
       |
    32 | [ladder]
       | ^^^^^^^^
       |
       = help: a speed-up that changes the answer is none. Add, for example:
               contract.identical.of = "tokens"
               or `contract.cosine`, `contract.kl` or `contract.argmax`, with a bar and its `basis`

    error[arm-equals-off]: `threads=1` does the same as `off`
      --> m.toml:34:10
       |
    19 | name = "off"
       |        ----- the same settings and worker are in force here
    ...
    34 | rungs = [1, 2, 3]
       |          ^
       |
       = help: leave this rung out, or let `off` run at another value

    error[equal-treatments]: `two` and `threads=2` do the same
      --> m.toml:34:13
       |
    27 | name = "two"
       |        ----- the same settings and worker are in force here
    ...
    34 | rungs = [1, 2, 3]
       |             ^
       |
       = help: leave one of them out: it would count as a second comparison

    m.toml: 3 errors
    "###);
}

#[test]
fn a_ladder_whose_rungs_differ_in_more_than_its_setting() {
    let ladder = "[ladder]\nsetting = \"threads\"\nrungs = [3]\ncontract.identical.of = \"tokens\"\n[metric]";
    let own = "memory_map = \"on\"\n";
    assert_snapshot!(
        shown(&[
            ("[metric]", ladder),
            ("role = \"off\"\n", &format!("role = \"off\"\n{own}")),
            ("role = \"aa\"\n", &format!("role = \"aa\"\n{own}")),
        ]),
        @r###"
    error[confounded-ladder]: the rungs would differ from `off` in `memory_map` too
      --> m.toml:21:14
       |
    21 | memory_map = "on"
       |              ^^^^
    ...
    35 | setting = "threads"
       |           --------- the one setting that is to differ
       |
       = help: move it to `[engine]`, where it holds for the rungs as well

    m.toml: 1 error
    "###
    );
}

#[test]
fn masks_have_one_form_in_arms_and_rungs() {
    let masks = |engine: &str, rungs: &str| {
        let ladder = format!(
            "[ladder]\nsetting = \"cpu_mask\"\nrungs = [{rungs}]\ncontract.identical.of = \"tokens\"\n[metric]"
        );
        super::support::altered(&[
            ("[metric]", &ladder),
            ("threads = 1\n", &format!("threads = 1\ncpu_mask = \"{engine}\"\n")),
        ])
    };
    let plan = super::support::plan(&masks("0x0F", "\"0x0A\", \"0xb\""));
    assert_eq!(plan.engine.settings.cpu_mask.as_deref(), Some("0xf"));
    let rungs: Vec<&str> =
        plan.ladder.as_ref().unwrap().arms.iter().map(|arm| arm.as_str()).collect();
    assert_eq!(rungs, ["cpu_mask=0xa", "cpu_mask=0xb"]);
    let code = |source: &str| super::support::faults(source).list[0].code.text;
    assert_eq!(code(&masks("0x0", "\"0x1\"")), "bad-text");
    assert_eq!(code(&masks("0x1", "\"0x0\", \"0x3\"")), "unknown-value");
    assert_eq!(code(&masks("0x1", "\"0x2\", \"0x02\"")), "duplicate-value");
}

#[test]
fn quantised_values_without_flash_attention() {
    assert_snapshot!(shown(&[("threads = 2\n", "threads = 2\nkv_value_type = \"q8_0\"\n")]), @r###"
    error[needs-flash-attention]: a quantised `kv_value_type` in `two` works with flash attention only
      --> m.toml:30:17
       |
    30 | kv_value_type = "q8_0"
       |                 ^^^^^^
       |
       = help: the engine's other attention cannot read quantised values: add `flash_attention = "on"`, or use "f16"

    m.toml: 1 error
    "###);
    assert_eq!(
        codes(&[(
            "threads = 1\n",
            "threads = 1\nflash_attention = \"off\"\nkv_value_type = \"q4_0\"\n"
        )]),
        ["needs-flash-attention"]
    );
}

#[test]
fn a_micro_batch_over_the_batch() {
    assert_snapshot!(shown(&[("threads = 1\n", "threads = 1\nbatch_tokens = 64\n"), ("threads = 2\n", "micro_batch_tokens = 128\n")]), @r###"
    error[setting-ignored]: `micro_batch_tokens` of 128 in `two` would be cut to `batch_tokens`
      --> m.toml:30:22
       |
    10 | batch_tokens = 64
       |                -- 64
    ...
    30 | micro_batch_tokens = 128
       |                      ^^^
       |
       = help: raise `batch_tokens` to 128 or more

    m.toml: 1 error
    "###);
}
