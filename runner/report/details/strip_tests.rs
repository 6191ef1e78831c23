//! Drawings of pairs.

use insta::assert_snapshot;

use super::super::example::{description, round_figures};
use super::section::Part;
use super::strip::every_pair;
use crate::record::example::effect;
use crate::verdict::{Description, Effect};

const MARGIN: f64 = 0.02;

fn drawn(description: &Description, effect: Option<&Effect>, width: usize) -> String {
    let parts = every_pair(description, effect, MARGIN, width);
    let lines = parts.into_iter().flat_map(|part| match part {
        Part::Drawing(lines) | Part::Lines(lines) => lines,
        Part::Table(_) => Vec::new(),
    });
    lines.collect::<Vec<String>>().join("\n")
}

fn widest(text: &str) -> usize {
    text.lines().filter(|line| !line.starts_with('O')).map(str::len).max().unwrap()
}

#[test]
fn rounds_stand_on_one_axis_with_their_blocks() {
    let mut three = description(3);
    three.rounds[1].part = 1;
    three.rounds[2].blocks = vec![0.05, 0.05, 0.05, -0.9, 0.9, 0.0];
    let estimate = effect(0.05, 0.02, 95.0, 3);
    assert_snapshot!(drawn(&three, Some(&estimate), 72), @r#"
              -13.21 %             0                        +23.04 %
    round 0                     :  |  .:.O  ..                       +4.00 %
    round 1/1                   :  |   :  ...O2.                     +6.10 %
    round 2   <                 :  .   :   O                       > +5.25 %
    estimate                    :  |   :[--O--]                      +5.13 %
    O the round's value, . a block (2 to 9: so many, + more), | no effect, : margins (-1.98 % and +2.02 %), [ ] the 95 % interval, < > beyond the axis
    "#);
}

#[test]
fn many_rounds_are_summed_up_in_few_rows() {
    let many = description(100);
    let text = drawn(&many, None, 72);
    assert!(text.lines().count() <= 26, "{text}");
    assert_snapshot!(text.lines().take(4).collect::<Vec<_>>().join("\n"), @r#"
                    -2.17 %   0                              +8.46 %
    rounds 0 to 4   <---------|--------:------========O=====-------> +5.25 %
    rounds 5 to 9   :         |        :------=======O=======------> +5.04 %
    rounds 10 to 14 :         |      --:-------======O======-------> +5.04 %
    "#);
    assert!(text.contains("rounds 95 to 99"), "{text}");
}

#[test]
fn blocks_that_are_not_listed_leave_the_rounds() {
    let mut few = description(2);
    for round in few.rounds.iter_mut() {
        round.blocks.clear();
    }
    let text = drawn(&few, None, 60);
    assert!(text.contains("the blocks stand in the samples"), "{text}");
    assert!(text.lines().nth(1).unwrap().contains('O'));
    assert!(!text.lines().nth(1).unwrap().trim_end_matches("0.00 %").contains(" . "), "{text}");
}

#[test]
fn every_width_is_kept_and_no_interval_is_too_wide() {
    let mut wide = description(24);
    wide.rounds = round_figures(24);
    let estimate = effect(0.05, 9.0, 98.333, 24);
    for width in [58, 72, 96, 300] {
        let text = drawn(&wide, Some(&estimate), width);
        assert!(widest(&text) <= width.min(100), "{width}: {text}");
        let row = text.lines().find(|line| line.starts_with("estimate")).unwrap();
        assert!(row.contains('<') && row.contains('>'), "{row}");
    }
}

#[test]
fn nothing_to_draw_and_nothing_but_zeros_are_defined() {
    let mut empty = description(1);
    empty.rounds.clear();
    assert!(every_pair(&empty, None, MARGIN, 80).is_empty());
    let mut still = description(1);
    still.rounds[0].value = 0.0;
    still.rounds[0].blocks = vec![0.0];
    let parts = every_pair(&still, None, 0.0, 80);
    let Some(Part::Drawing(lines)) = parts.first() else { panic!("{parts:?}") };
    assert!(lines[1].contains('O') && lines[1].ends_with("0.00 %"), "{lines:?}");
}
