//! Operating characteristics as people see them.

use super::{Style, operating_markdown, operating_svg, operating_text};
use crate::design::test_plan::{arm, plan};
use crate::design::{Operating, PlannedLook, TimeEstimate, operating_by};
use crate::manifest::{InputScope, NoiseSource, Plan, Role};

fn of(plan: &Plan) -> Operating {
    let because = "nothing like it was run here before".to_owned();
    operating_by(plan, None, TimeEstimate::Unknown { because }, 400).unwrap()
}

/// Two looks with futility, a family, a class, a record behind noise and time.
fn rich() -> Operating {
    let mut base = plan(16, 6);
    base.arms.push(arm("faster", Role::Treatment));
    base.design.input_scope = InputScope::Class;
    base.noise.source = Some(NoiseSource::Record("before/20261129-120000".to_owned()));
    let from = "before/20261129-120000".to_owned();
    let mut rich =
        operating_by(&base, None, TimeEstimate::Estimated { minutes: 8.0, from }, 400).unwrap();
    let look = |number, rounds, nominal_p, quantile| PlannedLook {
        number,
        rounds,
        information: f64::from(rounds) / 16.0,
        nominal_p,
        quantile,
        half_width_percent: quantile,
    };
    rich.looks = vec![look(1, 8, 0.000_421, None), look(2, 16, 0.024_88, Some(2.504))];
    rich.futility_percent = Some(10.0);
    rich
}

#[test]
fn a_table_for_the_terminal() {
    let text = operating_text(&rich(), 100, Style::Plain);
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    insta::assert_snapshot!(text, @r#"
    noise       a round's value varies by 1.55 % (standard deviation), measured in record
                  before/20261129-120000
    resolution  a true effect of +3.31 % or more wins with a chance of 80 %
                a true effect of +3.51 % or more wins with a chance of 90 %
                an interval reaches 0.968 % to either side at 16 rounds, and the margin is 2 %: 7 rounds
                  bring it to the margin
                where nothing differs, level has a chance of 80 % from 11 rounds on
    looks       look 1 at 8 rounds: nominal p 4.21e-4, t none, interval none to either side
                look 2 at 16 rounds: nominal p 0.0249, t 2.504, interval 2.5 % to either side
                parked early when the chance of a decision is under 10 %
    time        8.0 min for all rounds, if it runs as fast as before/20261129-120000 did

    ┌───────────────────────┬────────┬───────┬────────┬────────┬────────┬───────┬────────┬─────────┐
    │ true effect           ┆ win    ┆ loss  ┆ level  ┆ parked ┆ futile ┆ void  ┆ rounds ┆ minutes │
    ╞═══════════════════════╪════════╪═══════╪════════╪════════╪════════╪═══════╪════════╪═════════╡
    │ -3.88 %, -2 margins   ┆    0 % ┆  99 % ┆    0 % ┆  0.5 % ┆    0 % ┆ 0.5 % ┆   16.0 ┆     8.0 │
    │ -2.93 %, -1.5 margins ┆    0 % ┆  55 % ┆    0 % ┆ 44.5 % ┆    0 % ┆ 0.5 % ┆   16.0 ┆     8.0 │
    │ -1.96 %, -1 margin    ┆    0 % ┆ 0.8 % ┆  0.6 % ┆ 98.1 % ┆    0 % ┆ 0.5 % ┆   16.0 ┆     8.0 │
    │ -0.99 %, -0.5 margins ┆    0 % ┆   0 % ┆ 51.6 % ┆ 47.9 % ┆    0 % ┆ 0.5 % ┆   16.0 ┆     8.0 │
    │ 0 %                   ┆    0 % ┆   0 % ┆ 98.4 % ┆  1.1 % ┆    0 % ┆ 0.5 % ┆   16.0 ┆     8.0 │
    │ +1.00 %, +0.5 margins ┆    0 % ┆   0 % ┆   55 % ┆ 44.5 % ┆    0 % ┆ 0.5 % ┆   16.0 ┆     8.0 │
    │ +2.00 %, +1 margin    ┆  0.6 % ┆   0 % ┆  0.8 % ┆ 98.1 % ┆    0 % ┆ 0.5 % ┆   16.0 ┆     8.0 │
    │ +3.01 %, +1.5 margins ┆ 51.6 % ┆   0 % ┆    0 % ┆ 47.9 % ┆    0 % ┆ 0.5 % ┆   16.0 ┆     8.0 │
    │ +4.04 %, +2 margins   ┆ 98.9 % ┆   0 % ┆    0 % ┆  0.6 % ┆    0 % ┆ 0.5 % ┆   16.0 ┆     8.0 │
    │ +5.00 %, expected     ┆ 99.5 % ┆   0 % ┆    0 % ┆    0 % ┆    0 % ┆ 0.5 % ┆   16.0 ┆     8.0 │
    └───────────────────────┴────────┴───────┴────────┴────────┴────────┴───────┴────────┴─────────┘
    Chances of one comparison over 400 simulated experiments, each judged by the whole rule: 2 looks,
    intervals of 97.5 % each, the aa arm, 16 rounds registered. All 2 comparisons have the same true
    effect, and those of one condition share off's noise; the run goes on until each is decided.
    Futile comparisons are among the parked ones.
    The claim is about a class of inputs: how few they are is in these chances; differences between them
    are not registered and not in them, so that the run may decide less often.
    "#);
}

#[test]
fn many_looks_are_summed_up() {
    let mut many = rich();
    let first = many.looks[1];
    many.looks =
        (20..=200).map(|rounds| PlannedLook { number: rounds - 19, rounds, ..first }).collect();
    let text = operating_text(&many, 100, Style::Plain);
    assert!(text.contains("look 1 at 20 rounds: "), "{text}");
    assert!(text.contains("and after each of the 179 rounds between"), "{text}");
    assert!(text.contains("look 181 at 200 rounds: "), "{text}");
    assert!(!text.contains("look 2 at"), "{text}");
}

#[test]
fn a_table_in_markdown() {
    insta::assert_snapshot!(operating_markdown(&of(&plan(16, 6))), @r#"
    - noise: a round's value varies by 1.55 % (standard deviation), assumed in the manifest
    - resolution: a true effect of +3.25 % or more wins with a chance of 80 %
    - resolution: a true effect of +3.40 % or more wins with a chance of 90 %
    - resolution: an interval reaches 0.829 % to either side at 16 rounds, and the margin is 2 %: 5 rounds bring it to the margin
    - resolution: where nothing differs, level has a chance of 80 % from 11 rounds on
    - time: unknown: nothing like it was run here before

    | true effect | win | loss | level | parked | void | rounds |
    | --- | ---: | ---: | ---: | ---: | ---: | ---: |
    | -3.88 %, -2 margins | 0 % | 99.5 % | 0 % | 0.5 % | 0 % | 16.0 |
    | -2.93 %, -1.5 margins | 0 % | 66.8 % | 0 % | 33.2 % | 0 % | 16.0 |
    | -1.96 %, -1 margin | 0 % | 2 % | 3.2 % | 94.8 % | 0 % | 16.0 |
    | -0.99 %, -0.5 margins | 0 % | 0 % | 62.5 % | 37.5 % | 0 % | 16.0 |
    | 0 % | 0 % | 0 % | 99.2 % | 0.8 % | 0 % | 16.0 |
    | +1.00 %, +0.5 margins | 0 % | 0 % | 66.8 % | 33.2 % | 0 % | 16.0 |
    | +2.00 %, +1 margin | 3.2 % | 0 % | 2 % | 94.8 % | 0 % | 16.0 |
    | +3.01 %, +1.5 margins | 62.5 % | 0 % | 0 % | 37.5 % | 0 % | 16.0 |
    | +4.04 %, +2 margins | 99.8 % | 0 % | 0 % | 0.2 % | 0 % | 16.0 |
    | +5.00 %, expected | 100 % | 0 % | 0 % | 0 % | 0 % | 16.0 |

    Chances of one comparison over 400 simulated experiments, each judged by the whole rule: one look, intervals of 95 % each, the aa arm, 16 rounds registered.
    "#);
}

#[test]
fn a_name_cannot_break_out_of_markdown() {
    let mut other = rich();
    other.noise = crate::design::NoiseOrigin::Pilot("<img>|`".to_owned());
    let text = operating_markdown(&other);
    assert!(text.contains("measured in pilot &lt;img&gt;\\|\\`"), "{text}");
}

#[test]
fn extremes_show_no_nan() {
    for (margin, noise, expected) in
        [(1e-9, 3.0, 5.0), (1e300, 3.0, 5.0), (2.0, 0.0, 0.0), (0.0, 3.0, 5.0), (2.0, 1e9, -100.0)]
    {
        let mut other = plan(3, 2);
        other.decision.margin_percent = margin;
        other.noise.assumed_block_sd_percent = noise;
        other.noise.expected_effect_percent = expected;
        for rounds in [2, 3] {
            other.design.rounds = rounds;
            let found =
                operating_by(&other, None, TimeEstimate::Unknown { because: "x".into() }, 20);
            let found = found.unwrap();
            let text = operating_text(&found, 100, Style::Plain)
                + &operating_markdown(&found)
                + &operating_svg(&found, "extremes");
            assert!(!text.contains("NaN") && !text.contains(" inf"), "{text}");
            assert!(text.lines().all(|line| line.len() < 20_000));
        }
    }
}

#[test]
fn a_plot_marks_margins_and_outcomes() {
    let svg = operating_svg(&of(&plan(16, 6)), "test-plan: what 16 rounds can show");
    for text in [
        ">win</text>",
        ">loss</text>",
        ">level</text>",
        ">parked</text>",
        ">margin</text>",
        ">-margin</text>",
        ">+2.00 %</text>",
        ">true effect</text>",
        ">chance of each outcome</text>",
        "from -2 to 2 margins of 2 %",
    ] {
        assert!(svg.contains(text), "{text} is missing: {svg}");
    }
    assert!(!svg.contains(">insufficient<"), "{svg}");
    for absent in ["<script", "href", "<image", "@font-face", "NaN"] {
        assert!(!svg.contains(absent), "{absent}");
    }
    // every element that is opened is closed
    assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
    assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"));
}
