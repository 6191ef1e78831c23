//! Faults between arms.

use insta::assert_snapshot;

use super::support::{codes, shown};

const AA: &str = "[[arm]]\nname = \"off-again\"\nrole = \"aa\"\n";
const TWO: &str = "[[arm]]\nname = \"two\"\nrole = \"treatment\"\nthreads = 2\ncontract.identical.of = \"tokens\"\n";

#[test]
fn no_off() {
    assert_snapshot!(shown(&[("role = \"off\"", "role = \"control\"\nthreads = 3")]), @r###"
    error[missing-off]: no arm is `off`
      --> m.toml:18:1
       |
    18 | [[arm]]
       | ^^^^^^^
       |
       = help: add the arm that does nothing:
               [[arm]]
               name = "off"
               role = "off"

    m.toml: 1 error
    "###);
}

#[test]
fn more_than_one_off() {
    assert_snapshot!(shown(&[(AA, "[[arm]]\nname = \"off-again\"\nrole = \"off\"\n")]), @r###"
    error[missing-aa]: no arm is `aa`, so that the run would not show its own noise
      --> m.toml:18:1
       |
    18 | [[arm]]
       | ^^^^^^^
       |
       = help: add `off` once more:
               [[arm]]
               name = "off-again"
               role = "aa"

    error[several-off]: more than one arm is `off`
      --> m.toml:24:8
       |
    20 | role = "off"
       |        ----- first
    ...
    24 | role = "off"
       |        ^^^^^ again
       |
       = help: one arm is `off`; the same once more, for the noise floor, has `role = "aa"`

    m.toml: 2 errors
    "###);
}

#[test]
fn no_aa() {
    assert_snapshot!(shown(&[(AA, "")]), @r###"
    error[missing-aa]: no arm is `aa`, so that the run would not show its own noise
      --> m.toml:18:1
       |
    18 | [[arm]]
       | ^^^^^^^
       |
       = help: add `off` once more:
               [[arm]]
               name = "off-again"
               role = "aa"

    m.toml: 1 error
    "###);
}

#[test]
fn nothing_to_judge() {
    assert_eq!(codes(&[(TWO, "")]), ["no-treatment"]);
}

#[test]
fn a_faulty_role_is_not_reported_as_a_missing_arm_too() {
    assert_eq!(codes(&[("role = \"off\"", "role = \"of\"")]), ["unknown-value"]);
}

#[test]
fn two_arms_of_one_name() {
    assert_snapshot!(shown(&[("name = \"two\"", "name = \"off\"")]), @r###"
    error[duplicate-arm]: two arms are called `off`
      --> m.toml:27:8
       |
    19 | name = "off"
       |        ----- first
    ...
    27 | name = "off"
       |        ^^^^^ again
       |
       = help: give each arm a name of its own

    m.toml: 1 error
    "###);
}

#[test]
fn an_arm_that_equals_off_and_is_not_aa() {
    assert_snapshot!(shown(&[("threads = 2\n", "")]), @r###"
    error[arm-equals-off]: `two` does the same as `off`
      --> m.toml:27:8
       |
    19 | name = "off"
       |        ----- the same settings and worker are in force here
    ...
    27 | name = "two"
       |        ^^^^^
       |
       = help: give it a setting or a worker of its own, or, if it is `off` again, `role = "aa"`

    m.toml: 1 error
    "###);
    // Said in other words, it is the same still: an own value, and what stands for batch threads.
    assert_eq!(codes(&[("threads = 2\n", "threads = 1\nbatch_threads = 1\n")]), ["arm-equals-off"]);
    assert_eq!(codes(&[("threads = 2\n", "build = \"native\"\n")]), ["arm-equals-off"]);
    let control = format!("{TWO}\n[[arm]]\nname = \"idle\"\nrole = \"control\"\n");
    assert_eq!(codes(&[(TWO, &control)]), ["arm-equals-off"]);
}

#[test]
fn a_misspelt_setting_is_not_also_an_arm_equal_to_off() {
    assert_eq!(codes(&[("threads = 2\n", "treads = 2\n")]), ["unknown-key"]);
}

#[test]
fn an_aa_that_differs_from_off() {
    assert_snapshot!(shown(&[("role = \"aa\"\n", "role = \"aa\"\nthreads = 3\n")]), @r###"
    error[aa-differs]: `off-again` is `aa`, but differs from `off` in `threads`
      --> m.toml:25:11
       |
     9 | threads = 1
       |           - off
    ...
    25 | threads = 3
       |           ^
       |
       = help: an `aa` arm is `off` once more: give both the same settings

    m.toml: 1 error
    "###);
    assert_eq!(
        codes(&[("role = \"aa\"\n", "role = \"aa\"\nworker = \"there\"\n")]),
        ["aa-differs"]
    );
}

#[test]
fn two_treatments_that_are_equal() {
    let twice = format!("{TWO}\n{}", TWO.replace("\"two\"", "\"zwei\""));
    assert_snapshot!(shown(&[(TWO, &twice)]), @r###"
    error[equal-treatments]: `two` and `zwei` do the same
      --> m.toml:33:8
       |
    27 | name = "two"
       |        ----- the same settings and worker are in force here
    ...
    33 | name = "zwei"
       |        ^^^^^^
       |
       = help: leave one of them out: it would count as a second comparison

    m.toml: 1 error
    "###);
}

#[test]
fn a_treatment_without_a_contract() {
    assert_snapshot!(shown(&[("contract.identical.of = \"tokens\"\n", "")]), @r###"
    error[missing-contract]: the treatment `two` promises nothing of its output
      --> m.toml:27:8
       |
    27 | name = "two"
       |        ^^^^^
       |
       = help: a speed-up that changes the answer is none. Add, for example:
               contract.identical.of = "tokens"
               or `contract.cosine`, `contract.kl` or `contract.argmax`, with a bar and its `basis`

    m.toml: 1 error
    "###);
    assert_eq!(
        codes(&[("contract.identical.of = \"tokens\"\n", "contract = {}\n")]),
        ["missing-contract"]
    );
}

#[test]
fn a_contract_where_nobody_asks_for_one() {
    let change = ("role = \"aa\"\n", "role = \"aa\"\ncontract.identical.of = \"tokens\"\n");
    assert_eq!(codes(&[change]), ["needless-contract"]);
}

#[test]
fn a_contract_without_basis_or_with_too_few_positions() {
    assert_snapshot!(shown(&[("contract.identical.of = \"tokens\"", "contract.cosine.at_least = 0.99\ncontract.cosine.positions = 511")]), @r###"
    error[missing-key]: `basis` is missing from `contract.cosine`
      --> m.toml:30:10
       |
    30 | contract.cosine.at_least = 0.99
       |          ^^^^^^
       |
       = help: add `basis = "worst of three earlier runs was 0.9991"`: where the bar comes from, in words

    error[out-of-range]: `positions` cannot be 511
      --> m.toml:31:29
       |
    31 | contract.cosine.positions = 511
       |                             ^^^ at least 512
       |
       = help: it is a whole number, 512 or more, for example `positions = 512`

    m.toml: 2 errors
    "###);
    assert_eq!(
        codes(&[(
            "contract.identical.of = \"tokens\"",
            "contract.kl.mean_at_most = 0.1\ncontract.kl.p99_at_most = 0.1\ncontract.kl.basis = \"b\"\ncontract.kl.positions = 511"
        )]),
        ["out-of-range"]
    );
}

#[test]
fn an_expectation_that_is_never_or_always_met() {
    let with = |expect: &str| format!("threads = 2\n{expect}\n");
    for expect in [
        "expect.operation.mul_mat.at_least = 2\nexpect.operation.mul_mat.at_most = 1",
        "expect.operation.mul_mat.at_least = 0",
        "expect.operation.mul_mat = {}",
    ] {
        assert_eq!(codes(&[("threads = 2\n", &with(expect))]), ["unreachable-outcome"], "{expect}");
    }
    assert_eq!(
        codes(&[("threads = 2\n", &with("expect.operation.MulMat.at_least = 1"))]),
        ["bad-name"]
    );
    assert_eq!(codes(&[("threads = 2\n", &with("expect.operation.mul_mat = 1"))]), ["wrong-type"]);
}

#[test]
fn more_arms_than_a_machine_can_hold() {
    let arms: String = (0..62)
        .map(|i| TWO.replace("two", &format!("n{i}")).replace("= 2", &format!("= {}", i + 3)))
        .collect();
    let at_most = super::support::altered(&[(TWO, &arms)]);
    assert_eq!(super::support::plan(&at_most).arms.len(), 64);
    let third = "[[arm]]\nname = \"third\"\nrole = \"aa\"\n";
    let faults = super::support::faults(&at_most.replacen(AA, &format!("{AA}{third}"), 1));
    assert_eq!(faults.list.len(), 1);
    assert_eq!(faults.list[0].message, "`arm` has 65 entries; at most 64 fit");
}
