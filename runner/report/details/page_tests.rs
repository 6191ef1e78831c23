//! A described record as it is read: whole pages.

use insta::assert_snapshot;

use super::super::example::described;
use super::super::{Detail, Style, markdown_table, terminal_table};

#[test]
fn a_described_record_in_markdown() {
    assert_snapshot!(markdown_table(&described()), @r#"
    # flash: Flash attention

    Run 20261129-170000. flash attention raises decode throughput by 5 % or more

    | comparison | verdict | ratio to off, paired | ratio to off, pooled | n | noise floor | off: median (quartiles) | arm: median (quartiles) | rounds agree | inputs agree | p |
    | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
    | flash | win: above_margin | 1.053x (+5.3 %); 1.031x to 1.074x, 95 % | 1.057x (+5.7 %); 0.994x to 1.124x, 95 % | 16 rounds, 96 blocks | 1.001x (+0.1 %); 0.989x to 1.013x, 99 % | 41.20 (39.96 to 42.44) tokens/s | 43.36 (42.06 to 44.67) tokens/s | 15 of 16 rounds | 44 of 48 inputs | Holm p 0.0003 |

    ## Verdicts

    - **win** flash (above_margin): the reason in words, with the numbers
    - Claim: flash changes decode throughput on prose-48.
    - Pairing: correlation 0.83; unpaired, the same interval would have taken 5.9 times the blocks
    - Estimators: 3 of 5 others agree with the registered one (win); disagree: mean rounds (parked), pooled blocks (parked); without an interval: BCa bootstrap rounds
    - Look 1: 8 rounds, information 0.50, nominal p 0.0054, 1.050x (+5.0 %), repeated interval 1.005x to 1.097x: open; chance of a decision by the last look 93 %
    - Look 2: 16 rounds, information 1.00, nominal p 0.0492, 1.050x (+5.0 %), repeated interval 1.029x to 1.072x: win
    - Corrected for looking: 1.052x (+5.2 %), 1.030x to 1.074x (described, not judged)
    - Class of inputs (48 inputs): half widths clustered by rounds 1.52 %, inputs 1.23 %, both 2.07 %; the widest, by both, governs
    - **Warning**: the log ratio drifts by +1.2 % over the run, p 0.0030
    - **Warning**: off's own speed shifts by -7.7 % after 12 blocks, p &lt; 0.0001 over rounds

    ## Noise floor (off against off again)

    - off-again: 1.001x (+0.1 %), 0.989x to 1.013x, 99 %, 16 units; no bias seen

    ## Contracts

    - flash: identical kept, 768 tokens compared; 768 of 768 tokens equal

    ## Run

    - completed; 16 rounds judged, 96 blocks measured, 2 flagged
    - engine 93.1 % of 300.0 s wall time, timed 67.0 %
    - flags: pressure: 2

    ## Provenance

    - commit 2b3c4d5e6f7a, 2026-11-29T17:00:00Z, Example CPU @ 2.5 GHz, 2 cores, attempt 1, rules version 2, registered committed
    - model builtin-tiny, engine ggml 0.26.0, inputs prose-48, stack key b54412560f90
    - changed during the run: governor from performance to powersave

    ## Details of flash

    ### Every pair

    ```text
             -2.15 %           0                                                         +8.16 %
    round 0   :                |           .   :     .    .    O              .    .             +4.00 %
    round 1   :                |               :                 .    .    .    O    .    .   .  +6.10 %
    round 2   :                |               :     .    .              O    .    .         .   +5.25 %
    round 3  <:                |              .:        .    .    O              .               +4.41 %
    round 4   :                |               :                    .    .    .    O    .    . > +6.52 %
    round 5   :                |               :        .    .              O    .    .        > +5.68 %
    round 6   :                |               :  .         .    .    O              .    .      +4.83 %
    round 7   :                |               :.    .    .    O    .    .    .                  +4.00 %
    estimate  :                |               :        [----------------O----------------]      +5.25 %
    ```

    - O the round's value, . a block (2 to 9: so many, + more), \| no effect, : margins (-1.96 % and +2.00 %), \[ \] the 95 % interval, &lt; &gt; beyond the axis

    ### Estimators

    | estimator | ratio to off | interval | would decide |
    | --- | --- | --- | --- |
    | trimmed rounds (registered) | 1.053x (+5.3 %) | 1.031x to 1.074x | win |
    | mean rounds | 1.037x (+3.7 %) | 0.976x to 1.102x | parked |
    | Hodges-Lehmann rounds | 1.052x (+5.2 %) | 1.031x to 1.075x | win |
    | BCa bootstrap rounds | 1.037x (+3.7 %) | no interval | nothing |
    | percentile bootstrap rounds | 1.037x (+3.7 %) | 1.026x to 1.047x | win |
    | trimmed blocks | 1.053x (+5.3 %) | 1.043x to 1.062x | win |
    | pooled blocks | 1.037x (+3.7 %) | 0.986x to 1.090x | parked |

    - intervals at 95.08 %: the error that look 2 had

    - tests of no effect over rounds: signed-rank p 0.0078 (exact); sign p 0.0078 (exact); sign-flip no p (no round differs from zero)

    ### Looks

    | look | rounds | share | nominal p | ratio to off | interval | outcome |
    | --- | --- | --- | --- | --- | --- | --- |
    | 1 | 8 | 0.50 | 0.0054 | 1.050x (+5.0 %) | 1.005x to 1.097x | open |
    | 2 | 16 | 1.00 | 0.0492 | 1.050x (+5.0 %) | 1.029x to 1.072x | win |

    ### Noise

    - standard error of the mean over blocks: 0.21 % paired, 0.51 % pooled
    - spread of the log ratio by level, beyond what the level below explains: round 0.00 % (its variance came out below zero), block 1.22 %, chunk 3.15 %
    - drift: the log ratio changes by +1.2 % from the first round to the last, p 0.0030
    - speed by place within a chunk, against the mean of all places: place 0 +0.40 % (96 samples), place 1 0.00 % (96 samples), place 2 -0.40 % (96 samples); p 0.2100
    - neighbouring rounds: correlation 0.12; 8 units are worth 6.3 independent ones
    - shift: off's own speed shifts by -7.7 % after 12 blocks, p &lt; 0.0001 over rounds
    - outliers: 1 of 48 blocks beyond 3.5 scaled median absolute deviations, marked and kept: round 3, block 2: -59.34 %
    "#);
}

#[test]
fn a_described_record_on_a_terminal_in_short() {
    assert_snapshot!(terminal_table(&described(), 100, Style::Plain, Detail::Short), @r#"
    flash/20261129-170000: Flash attention
    ┌────────────┬────────────────────┬──────────────────┬─────────────────┐
    │ comparison ┆ median             ┆ ratio to off     ┆ verdict         │
    │            ┆ quartiles          ┆ paired, pooled   ┆ what agrees     │
    ╞════════════╪════════════════════╪══════════════════╪═════════════════╡
    │ flash      ┆ off 41.20 tokens/s ┆ 1.053x (+5.3 %)  ┆ win             │
    │ 16 rounds  ┆ 39.96 to 42.44     ┆ 1.031x to 1.074x ┆ Holm p 0.0003   │
    │ 96 blocks  ┆ arm 43.36 tokens/s ┆ at 95 %          ┆ rounds 15 of 16 │
    │            ┆ 42.06 to 44.67     ┆ pooled 1.057x    ┆ inputs 44 of 48 │
    │            ┆                    ┆ (+5.7 %)         ┆                 │
    │            ┆                    ┆ 0.994x to 1.124x ┆                 │
    │            ┆                    ┆ at 95 %          ┆                 │
    └────────────┴────────────────────┴──────────────────┴─────────────────┘
    win flash (above_margin): the reason in words, with the numbers
      claim: flash changes decode throughput on prose-48.
      pairing: correlation 0.83; unpaired, the same interval would have taken 5.9 times the blocks
      estimators: 3 of 5 others agree with the registered one (win); disagree: mean rounds (parked),
        pooled blocks (parked); without an interval: BCa bootstrap rounds
      look 1: 8 rounds, information 0.50, nominal p 0.0054, 1.050x (+5.0 %), repeated interval 1.005x to
        1.097x: open; chance of a decision by the last look 93 %
      look 2: 16 rounds, information 1.00, nominal p 0.0492, 1.050x (+5.0 %), repeated interval 1.029x
        to 1.072x: win
      corrected for looking: 1.052x (+5.2 %), 1.030x to 1.074x (described, not judged)
      class of inputs (48 inputs): half widths clustered by rounds 1.52 %, inputs 1.23 %, both 2.07 %;
        the widest, by both, governs
      warning: the log ratio drifts by +1.2 % over the run, p 0.0030
      warning: off's own speed shifts by -7.7 % after 12 blocks, p < 0.0001 over rounds
    noise floor (off against off again):
      off-again: 1.001x (+0.1 %), 0.989x to 1.013x, 99 %, 16 units; no bias seen
    contracts:
      flash: identical kept, 768 tokens compared; 768 of 768 tokens equal
    run:
      completed; 16 rounds judged, 96 blocks measured, 2 flagged
      engine 93.1 % of 300.0 s wall time, timed 67.0 %
      flags: pressure: 2
    provenance:
      commit 2b3c4d5e6f7a, 2026-11-29T17:00:00Z, Example CPU @ 2.5 GHz, 2 cores, attempt 1, rules
        version 2, registered committed
      model builtin-tiny, engine ggml 0.26.0, inputs prose-48, stack key b54412560f90
      changed during the run: governor from performance to powersave
    every pair, estimator and look: runner show flash/20261129-170000 --all
    "#);
}

#[test]
fn all_details_stand_below_the_short_form() {
    let text = |detail| terminal_table(&described(), 80, Style::Plain, detail);
    let (short, all) = (text(Detail::Short), text(Detail::All));
    let (before, hint) = short.trim_end().rsplit_once('\n').unwrap();
    assert!(hint.contains("runner show flash/20261129-170000 --all"), "{hint}");
    assert_snapshot!(all.strip_prefix(before).unwrap(), @r#"

    every pair of flash:
               -2.15 %      0                                        +8.16 %
      round 0   :           |        .  :   .   .   O          .  .          +4.00 %
      round 1   :           |           :            .  .   .   O  .   .   . +6.10 %
      round 2   :           |           :   .   .          O   .  .       .  +5.25 %
      round 3  <:           |          .:      .  .   O          .           +4.41 %
      round 4   :           |           :              .   .   .  O   .   .> +6.52 %
      round 5   :           |           :      .  .          O   .   .     > +5.68 %
      round 6   :           |           : .      .   .  O          .   .     +4.83 %
      round 7   :           |           :.  .   .   O  .   .   .             +4.00 %
      estimate  :           |           :     [------------O-----------]     +5.25 %
      O the round's value, . a block (2 to 9: so many, + more), | no effect, :
        margins (-1.96 % and +2.00 %), [ ] the 95 % interval, < > beyond the axis
    estimators of flash:
      estimator                    ratio to off     interval          would decide
      trimmed rounds (registered)  1.053x (+5.3 %)  1.031x to 1.074x  win
      mean rounds                  1.037x (+3.7 %)  0.976x to 1.102x  parked
      Hodges-Lehmann rounds        1.052x (+5.2 %)  1.031x to 1.075x  win
      BCa bootstrap rounds         1.037x (+3.7 %)  no interval       nothing
      percentile bootstrap rounds  1.037x (+3.7 %)  1.026x to 1.047x  win
      trimmed blocks               1.053x (+5.3 %)  1.043x to 1.062x  win
      pooled blocks                1.037x (+3.7 %)  0.986x to 1.090x  parked
      intervals at 95.08 %: the error that look 2 had
      tests of no effect over rounds: signed-rank p 0.0078 (exact); sign p 0.0078
        (exact); sign-flip no p (no round differs from zero)
    looks of flash:
      look  rounds  share  nominal p  ratio to off     interval          outcome
      1     8       0.50   0.0054     1.050x (+5.0 %)  1.005x to 1.097x  open
      2     16      1.00   0.0492     1.050x (+5.0 %)  1.029x to 1.072x  win
    noise of flash:
      standard error of the mean over blocks: 0.21 % paired, 0.51 % pooled
      spread of the log ratio by level, beyond what the level below explains: round
        0.00 % (its variance came out below zero), block 1.22 %, chunk 3.15 %
      drift: the log ratio changes by +1.2 % from the first round to the last, p
        0.0030
      speed by place within a chunk, against the mean of all places: place 0 +0.40 %
        (96 samples), place 1 0.00 % (96 samples), place 2 -0.40 % (96 samples); p
        0.2100
      neighbouring rounds: correlation 0.12; 8 units are worth 6.3 independent ones
      shift: off's own speed shifts by -7.7 % after 12 blocks, p < 0.0001 over
        rounds
      outliers: 1 of 48 blocks beyond 3.5 scaled median absolute deviations, marked
        and kept: round 3, block 2: -59.34 %
    "#);
}
