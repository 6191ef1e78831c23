//! Tables as they are read on a terminal.

use insta::assert_snapshot;

use super::example::{insufficient, parked_ladder, summaries, void, win};
use super::*;
use crate::manifest::{Condition, ConditionSetting};
use crate::verdict::ContractState;

#[test]
fn a_win_on_a_terminal() {
    assert_snapshot!(terminal_table(&win(), 100, Style::Plain, Detail::Short), @r#"
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
    contracts:
      flash: identical kept, 768 tokens compared; 768 of 768 tokens equal
    noise floor (off against off again):
      off-again: 1.001x (+0.1 %), 0.989x to 1.013x, 99 %, 16 units; no bias seen
    secondary metrics, median (quartiles):
      off: prompt_milliseconds 41.20 (39.96 to 42.44) ms, 96 blocks
    run:
      completed; 16 rounds judged, 96 blocks measured, 2 flagged
      engine 93.1 % of 300.0 s wall time, timed 67.0 %
      flags: pressure: 2
    provenance:
      commit 2b3c4d5e6f7a, 2026-11-29T17:00:00Z, Example CPU @ 2.5 GHz, 2 cores, attempt 1, rules
        version 1, registered committed
      model builtin-tiny, engine ggml 0.26.0, inputs prose-48, stack key b54412560f90
      changed during the run: governor from performance to powersave
    "#);
}

#[test]
fn a_void_on_a_terminal() {
    assert_snapshot!(terminal_table(&void(), 100, Style::Plain, Detail::Short), @r#"
    flash/20261129-170000: Flash attention
    ┌────────────┬────────────────────┬──────────────────┬─────────────────┐
    │ comparison ┆ median             ┆ ratio to off     ┆ verdict         │
    │            ┆ quartiles          ┆ paired, pooled   ┆ what agrees     │
    ╞════════════╪════════════════════╪══════════════════╪═════════════════╡
    │ flash      ┆ off 41.20 tokens/s ┆ 1.363x (+36.3 %) ┆ void            │
    │ 16 rounds  ┆ 39.96 to 42.44     ┆ 1.336x to 1.391x ┆ Holm p 0.0003   │
    │ 96 blocks  ┆ arm 56.17 tokens/s ┆ at 95 %          ┆ rounds 15 of 16 │
    │            ┆ 54.49 to 57.86     ┆ pooled 1.369x    ┆ inputs 44 of 48 │
    │            ┆                    ┆ (+36.9 %)        ┆                 │
    │            ┆                    ┆ 1.289x to 1.454x ┆                 │
    │            ┆                    ┆ at 95 %          ┆                 │
    └────────────┴────────────────────┴──────────────────┴─────────────────┘
    void flash (contract_broken): the reason in words, with the numbers
      claim: flash changes decode throughput on prose-48.
      with flagged blocks kept: 1.350x (+35.0 %) 1.284x to 1.419x, 95 %
    contracts:
      flash: identical BROKEN, 768 tokens compared; 761 of 768 tokens equal; first divergence: input
        prose-7, position 41: off 318, flash 90|1
    noise floor (off against off again):
      off-again: 1.001x (+0.1 %), 0.989x to 1.013x, 99 %, 16 units; no bias seen
    run:
      completed; 16 rounds judged, 96 blocks measured, 2 flagged
      engine 93.1 % of 300.0 s wall time, timed 67.0 %
      flags: pressure: 2
      interrupted in round 3 after 2 blocks: last entry 2026-11-29T17:01:00Z, resumed
        2026-11-29T17:09:00Z
    provenance:
      commit 2b3c4d5e6f7a, 2026-11-29T17:00:00Z, Example CPU @ 2.5 GHz, 2 cores, attempt 1, rules
        version 1, registered uncommitted, uncommitted, unpinned
      model builtin-tiny, engine ggml 0.26.0, inputs prose-48, stack key b54412560f90
      changed during the run: governor from performance to powersave
    "#);
}

#[test]
fn a_parked_ladder_on_a_narrow_terminal() {
    assert_snapshot!(terminal_table(&parked_ladder(), 80, Style::Plain, Detail::Short), @r#"
    flash/20261129-170000: Flash attention
    ┌────────────────────┬────────────────────┬──────────────────┬─────────────────┐
    │ comparison         ┆ median             ┆ ratio to off     ┆ verdict         │
    │                    ┆ quartiles          ┆ paired, pooled   ┆ what agrees     │
    ╞════════════════════╪════════════════════╪══════════════════╪═════════════════╡
    │ micro_batch_tokens ┆ off 41.20 tokens/s ┆ 0.811x (-18.9 %) ┆ loss            │
    │ =16                ┆ 39.96 to 42.44     ┆ 0.796x to 0.825x ┆ Holm p 0.0003   │
    │ depth_tokens=512   ┆ arm 33.40 tokens/s ┆ at 98.33 %       ┆ rounds 15 of 16 │
    │ 16 rounds          ┆ 32.39 to 34.40     ┆ pooled 0.814x    ┆ inputs 44 of 48 │
    │ 96 blocks          ┆                    ┆ (-18.6 %)        ┆                 │
    │                    ┆                    ┆ 0.771x to 0.859x ┆                 │
    │                    ┆                    ┆ at 95 %          ┆                 │
    ├╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┤
    │ micro_batch_tokens ┆ off 41.20 tokens/s ┆ 1.014x (+1.4 %)  ┆ parked          │
    │ =64                ┆ 39.96 to 42.44     ┆ 0.996x to 1.033x ┆ Holm p 0.0003   │
    │ depth_tokens=512   ┆ arm 41.78 tokens/s ┆ at 98.33 %       ┆ rounds 15 of 16 │
    │ 16 rounds          ┆ 40.53 to 43.03     ┆ pooled 1.018x    ┆ inputs 44 of 48 │
    │ 96 blocks          ┆                    ┆ (+1.8 %)         ┆                 │
    │                    ┆                    ┆ 0.965x to 1.075x ┆                 │
    │                    ┆                    ┆ at 95 %          ┆                 │
    ├╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┤
    │ micro_batch_tokens ┆ off 41.20 tokens/s ┆ 1.149x (+14.9 %) ┆ win             │
    │ =512               ┆ 39.96 to 42.44     ┆ 1.129x to 1.170x ┆ Holm p 0.0003   │
    │ depth_tokens=512   ┆ arm 47.34 tokens/s ┆ at 98.33 %       ┆ rounds 15 of 16 │
    │ 16 rounds          ┆ 45.92 to 48.76     ┆ pooled 1.154x    ┆ inputs 44 of 48 │
    │ 96 blocks          ┆                    ┆ (+15.4 %)        ┆                 │
    │                    ┆                    ┆ 1.093x to 1.218x ┆                 │
    │                    ┆                    ┆ at 95 %          ┆                 │
    ├╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┤
    │ control-arm        ┆ off 41.20 tokens/s ┆ 1.010x (+1.0 %)  ┆ described       │
    │ 16 rounds          ┆ 39.96 to 42.44     ┆ 0.990x to 1.030x ┆ Holm p 0.0003   │
    │ 96 blocks          ┆ arm 41.61 tokens/s ┆ at 95 %          ┆ rounds 15 of 16 │
    │                    ┆ 40.37 to 42.86     ┆ pooled 1.014x    ┆ inputs 44 of 48 │
    │                    ┆                    ┆ (+1.4 %)         ┆                 │
    │                    ┆                    ┆ 0.955x to 1.077x ┆                 │
    │                    ┆                    ┆ at 95 %          ┆                 │
    └────────────────────┴────────────────────┴──────────────────┴─────────────────┘
    loss micro_batch_tokens=16 at depth_tokens=512 (below_margin): the reason in
      words, with the numbers
      claim: micro_batch_tokens=16 changes decode throughput on prose-48.
    parked micro_batch_tokens=64 at depth_tokens=512 (interval_crosses_margin): the
      reason in words, with the numbers
      claim: micro_batch_tokens=64 changes decode throughput on prose-48.
    win micro_batch_tokens=512 at depth_tokens=512 (above_margin): the reason in
      words, with the numbers
      claim: micro_batch_tokens=512 changes decode throughput on prose-48.
    described control-arm (described_only): the reason in words, with the numbers
    contracts:
      flash: identical kept, 768 tokens compared; 768 of 768 tokens equal
    noise floor (off against off again):
      off-again: 1.001x (+0.1 %), 0.989x to 1.013x, 99 %, 16 units; no bias seen
    run:
      completed; 16 rounds judged, 96 blocks measured, 2 flagged
      engine 93.1 % of 300.0 s wall time, timed 67.0 %
      flags: pressure: 2
    provenance:
      commit 2b3c4d5e6f7a, 2026-11-29T17:00:00Z, Example CPU @ 2.5 GHz, 2 cores,
        attempt 1, rules version 1, registered committed
      model builtin-tiny, engine ggml 0.26.0, inputs prose-48, stack key
        b54412560f90
      changed during the run: governor from performance to powersave
    "#);
}

#[test]
fn an_insufficient_run_on_a_terminal() {
    assert_snapshot!(terminal_table(&insufficient(), 100, Style::Plain, Detail::Short), @r#"
    flash/20261129-170000: Flash attention
    ┌────────────┬────────────────────┬─────────────────┬───────────────┐
    │ comparison ┆ median             ┆ ratio to off    ┆ verdict       │
    │            ┆ quartiles          ┆ paired, pooled  ┆ what agrees   │
    ╞════════════╪════════════════════╪═════════════════╪═══════════════╡
    │ flash      ┆ off 41.20 tokens/s ┆ 1.051x (+5.1 %) ┆ insufficient  │
    │ 1 round    ┆ 39.96 to 42.44     ┆ no interval     ┆ no Holm p     │
    │ 2 blocks   ┆ arm 43.31 tokens/s ┆ pooled none     ┆ rounds 1 of 1 │
    │            ┆ 42.01 to 44.61     ┆ no interval     ┆ inputs 2 of 2 │
    └────────────┴────────────────────┴─────────────────┴───────────────┘
    insufficient flash (too_few_rounds): the reason in words, with the numbers
      claim: flash changes decode throughput on prose-48.
    contracts:
      flash: identical kept, 768 tokens compared; 768 of 768 tokens equal
    noise floor (off against off again):
      off-again: no estimate
    run:
      broken off: the disk is full; 16 rounds judged, 96 blocks measured, 2 flagged
      engine 93.1 % of 300.0 s wall time, timed 67.0 %
      flags: pressure: 2
    provenance:
      commit 2b3c4d5e6f7a, 2026-11-29T17:00:00Z, Example CPU @ 2.5 GHz, 2 cores, attempt 1, rules
        version 1, registered committed
      model builtin-tiny, engine ggml 0.26.0, inputs prose-48, stack key b54412560f90
      changed during the run: governor from performance to powersave
    "#);
}

#[test]
fn the_listing_on_a_terminal() {
    let listing = crate::record::Listing { summaries: summaries() };
    assert_snapshot!(terminal_listing(&listing, 100, Style::Plain), @r#"
    ┌─────────────────┬────────────────────┬───────────────────┬───────────────────┬───────────────────┐
    │ record          ┆ comparison         ┆ ratio to off      ┆ verdict           ┆ where and when    │
    ╞═════════════════╪════════════════════╪═══════════════════╪═══════════════════╪═══════════════════╡
    │ flash           ┆ flash              ┆ 1.053x (+5.3 %)   ┆ win               ┆ 2026-11-29        │
    │ 20261129-170000 ┆                    ┆ 1.031x to 1.074x, ┆ above margin      ┆ Example CPU @ 2.5 │
    │                 ┆                    ┆ 95 %              ┆                   ┆ GHz               │
    │                 ┆                    ┆                   ┆                   ┆ attempt 1         │
    ├╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┤
    │ flash-two       ┆ flash              ┆ 1.051x (+5.1 %)   ┆ insufficient      ┆ 2026-11-29        │
    │ 20261129-170000 ┆                    ┆ no interval       ┆ too few rounds    ┆ Example CPU @ 2.5 │
    │                 ┆                    ┆                   ┆                   ┆ GHz               │
    │                 ┆                    ┆                   ┆                   ┆ attempt 1         │
    ├╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┤
    │ ladder          ┆ micro_batch_tokens ┆ 0.811x (-18.9 %)  ┆ loss              ┆ 2026-11-29        │
    │ 20261129-170000 ┆ =16 at             ┆ 0.796x to 0.825x, ┆ below margin      ┆ Example CPU @ 2.5 │
    │                 ┆ depth_tokens=512   ┆ 98.33 %           ┆                   ┆ GHz               │
    │                 ┆                    ┆                   ┆                   ┆ attempt 1         │
    ├╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┤
    │ ladder          ┆ micro_batch_tokens ┆ 1.014x (+1.4 %)   ┆ parked            ┆ 2026-11-29        │
    │ 20261129-170000 ┆ =64 at             ┆ 0.996x to 1.033x, ┆ interval crosses  ┆ Example CPU @ 2.5 │
    │                 ┆ depth_tokens=512   ┆ 98.33 %           ┆ margin            ┆ GHz               │
    │                 ┆                    ┆                   ┆                   ┆ attempt 1         │
    ├╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┤
    │ ladder          ┆ micro_batch_tokens ┆ 1.149x (+14.9 %)  ┆ win               ┆ 2026-11-29        │
    │ 20261129-170000 ┆ =512 at            ┆ 1.129x to 1.170x, ┆ above margin      ┆ Example CPU @ 2.5 │
    │                 ┆ depth_tokens=512   ┆ 98.33 %           ┆                   ┆ GHz               │
    │                 ┆                    ┆                   ┆                   ┆ attempt 1         │
    ├╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┤
    │ never-run       ┆                    ┆                   ┆ registered, never ┆ registered        │
    │                 ┆                    ┆                   ┆ run               ┆ 2026-11-29 16:10  │
    │                 ┆                    ┆                   ┆                   ┆ committed         │
    ├╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┤
    │ void-one        ┆ flash              ┆ 1.363x (+36.3 %)  ┆ void              ┆ 2026-11-29        │
    │ 20261129-170000 ┆                    ┆ 1.336x to 1.391x, ┆ contract broken   ┆ Example CPU @ 2.5 │
    │                 ┆                    ┆ 95 %              ┆                   ┆ GHz               │
    │                 ┆                    ┆                   ┆                   ┆ attempt 1,        │
    │                 ┆                    ┆                   ┆                   ┆ unpinned          │
    └─────────────────┴────────────────────┴───────────────────┴───────────────────┴───────────────────┘
    "#);
}

#[test]
fn no_line_is_wider_than_the_terminal_and_plain_has_no_escapes() {
    for record in [win(), void(), parked_ladder(), insufficient()] {
        for width in [60, 80, 100, 200] {
            let text = terminal_table(&record, width, Style::Plain, Detail::Short);
            for line in text.lines() {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
            assert!(!text.contains('\u{1b}'));
        }
        assert!(terminal_table(&record, 100, Style::Coloured, Detail::Short).contains('\u{1b}'));
    }
}

#[test]
fn findings_of_conditions_are_told_apart() {
    let mut record = win();
    record.plan.condition =
        Some(Condition { setting: ConditionSetting::DepthTokens, values: vec![0, 512] });
    let findings = &mut record.sealed.facts.contracts;
    findings[0].contract = "cosine".to_owned();
    findings.push(findings[0].clone());
    findings[0].condition = Some(0);
    findings[1].condition = Some(1);
    findings[1].state = ContractState::Broken;
    let table = terminal_table(&record, 100, Style::Plain, Detail::Short);
    for line in
        ["flash at depth_tokens=0: cosine kept,", "flash at depth_tokens=512: cosine BROKEN,"]
    {
        assert!(table.contains(line), "{table}");
    }
}
