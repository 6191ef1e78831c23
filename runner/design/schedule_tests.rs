//! The schedule: balance, and a vector that pins it for ever.

use std::collections::{BTreeMap, BTreeSet};

use super::test_plan::{plan, with_depths, with_prompts};
use super::{Block, Schedule, schedule};

fn text(schedule: &Schedule) -> String {
    let mut lines = String::new();
    for round in &schedule.rounds {
        lines.push_str(&format!("round {} start {:?}\n", round.index, round.start_order));
        for block in &round.blocks {
            lines.push_str(&format!(
                "{} c{} i{} {:?} x{}\n",
                block.index, block.condition, block.input, block.order, block.chunks
            ));
        }
    }
    lines
}

#[test]
fn a_registered_seed_gives_this_schedule_for_ever() {
    let schedule = schedule(&with_prompts(plan(2, 2), &[16, 32]), 5);
    let right = "\
round 0 start [1, 0, 2]
0 c1 i1 [0, 2, 1] x6
1 c0 i1 [2, 1, 0] x6
2 c0 i0 [0, 2, 1] x6
3 c1 i0 [2, 1, 0] x6
round 1 start [0, 2, 1]
0 c0 i2 [1, 0, 2] x6
1 c1 i2 [1, 0, 2] x6
2 c1 i4 [0, 1, 2] x6
3 c0 i4 [1, 2, 0] x6
";
    assert_eq!(text(&schedule), right);
}

#[test]
fn each_arm_takes_each_place_equally_often_at_each_value() {
    let plan = with_depths(plan(6, 4), &[0, 512]);
    let schedule = schedule(&plan, 48);
    let mut counts: BTreeMap<(u32, usize, usize), u32> = BTreeMap::new();
    for block in schedule.rounds.iter().flat_map(|round| &round.blocks) {
        for (place, &arm) in block.order.iter().enumerate() {
            *counts.entry((block.condition, arm, place)).or_default() += 1;
        }
    }
    assert_eq!(counts.len(), 2 * 3 * 3);
    assert!(counts.values().all(|&count| count == 8), "{counts:?}");
}

#[test]
fn workers_start_in_each_place_equally_often() {
    let mut counts: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    for round in schedule(&plan(9, 1), 48).rounds {
        for (place, arm) in round.start_order.into_iter().enumerate() {
            *counts.entry((arm, place)).or_default() += 1;
        }
    }
    assert!(counts.values().all(|&count| count == 3), "{counts:?}");
}

#[test]
fn inputs_do_not_repeat_until_the_set_is_used_up() {
    let schedule = schedule(&plan(5, 4), 10);
    let inputs: Vec<usize> =
        schedule.rounds.iter().flat_map(|round| &round.blocks).map(|block| block.input).collect();
    for pass in inputs.chunks(10) {
        assert_eq!(pass.iter().collect::<BTreeSet<_>>().len(), 10);
    }
    assert_ne!(inputs[..10], inputs[10..]);
}

#[test]
fn an_input_meets_every_value_and_values_alternate_in_order() {
    let schedule = schedule(&with_prompts(plan(4, 6), &[16, 32]), 48);
    let mut first_at_zero = 0;
    for round in &schedule.rounds {
        assert_eq!(round.blocks.len(), 12);
        for pair in round.blocks.chunks(2) {
            assert_eq!(pair[0].input, pair[1].input);
            assert_ne!(pair[0].condition, pair[1].condition);
            first_at_zero += u32::from(pair[0].condition == 0);
        }
    }
    assert_eq!(first_at_zero, 12);
}

#[test]
fn each_depth_is_entered_once_a_round_on_the_same_inputs_and_depths_change_places() {
    let schedule = schedule(&with_depths(plan(6, 4), &[512, 2048, 4096]), 48);
    let mut firsts: BTreeMap<u32, u32> = BTreeMap::new();
    for round in &schedule.rounds {
        let groups: Vec<&[Block]> = round.blocks.chunks(4).collect();
        assert_eq!(groups.len(), 3);
        let inputs = |group: &[Block]| group.iter().map(|block| block.input).collect::<Vec<_>>();
        for group in &groups {
            assert!(group.iter().all(|block| block.condition == group[0].condition));
            assert_eq!(inputs(group), inputs(groups[0]));
        }
        let values: BTreeSet<u32> = groups.iter().map(|group| group[0].condition).collect();
        assert_eq!(values.len(), 3);
        *firsts.entry(groups[0][0].condition).or_default() += 1;
    }
    assert!(firsts.values().all(|&count| count == 2), "{firsts:?}");
}

#[test]
fn another_seed_gives_another_schedule_and_no_input_none() {
    let mut other = plan(4, 6);
    other.design.order_seed += 1;
    assert_ne!(schedule(&plan(4, 6), 48), schedule(&other, 48));
    assert!(schedule(&plan(4, 6), 0).rounds.is_empty());
}
