//! The contract `identical`.

use super::stage::Stage;
use crate::verdict::{ContractFinding, ContractState};

fn findings(script: &str) -> Vec<ContractFinding> {
    Stage::new(script).run().unwrap().evidence.facts.contracts
}

#[test]
fn a_planted_divergence_names_input_position_and_both_tokens() {
    // 12 tokens of prompt: the token chosen after 15 is the fourth, position 3.
    let found = findings("[[when]]\nsettings = { threads = 2 }\ndiverge_from_position = 15\n");
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].arm.as_str(), found[0].state), ("fast", ContractState::Broken));
    let place = found[0].first_divergence.as_ref().unwrap();
    let (input, rest) = place.split_once(", ").unwrap();
    assert!(input.starts_with("input `item-"), "{place}");
    assert!(rest.starts_with("position 3: token "), "{place}");
    let tokens: Vec<i32> = rest.split("token ").skip(1).map(number).collect();
    // The script chooses the next word instead.
    assert_eq!(tokens[1], tokens[0] + 1, "{place}");
}

fn number(text: &str) -> i32 {
    text.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn a_divergence_that_shows_only_while_timed_breaks_the_contract() {
    let found = findings(
        // before timing six processes load the script; the first round's are 7 to 9
        "[[when]]\nsettings = { threads = 2 }\nprocesses = [7, 8, 9]\n\
         diverge_from_position = 0\n",
    );
    assert_eq!(found[0].state, ContractState::Broken, "{found:?}");
    assert!(found[0].detail.contains("not while timed"), "{found:?}");
    let place = found[0].first_divergence.as_ref().unwrap();
    assert!(place.contains("while timed: round "), "{place}");
}

#[test]
fn an_arm_that_does_not_equal_itself_cannot_be_asked() {
    let found = findings(
        "[[when]]\nsettings = { threads = 2 }\ndiverge_from_position = 15\n\
         diverge_in_processes = \"odd\"\n",
    );
    assert_eq!(found[0].state, ContractState::NotSelfEqual);
    assert!(found[0].detail.contains("`fast` against itself"), "{found:?}");
}

#[test]
fn off_that_does_not_equal_itself_spoils_the_question() {
    // Off's first process is number 1, its second number 4.
    let found = findings("[base]\ndiverge_from_position = 15\ndiverge_in_processes = \"odd\"\n");
    assert_eq!(found[0].state, ContractState::NotSelfEqual);
    assert!(found[0].detail.contains("`off` against itself"), "{found:?}");
    // And while timed, off or aa departed as well.
    assert!(found.iter().any(|finding| finding.arm.starts_with("off")), "{found:?}");
}

#[test]
fn a_fed_arm_may_choose_what_it_likes() {
    let stage = Stage::new("[[when]]\nsettings = { threads = 2 }\ndiverge_from_position = 0\n")
        .without_contracts();
    let facts = stage.run().unwrap().evidence.facts;
    assert!(facts.contracts.is_empty(), "{:?}", facts.contracts);
    assert!(facts.arm_faults.is_empty());
}
