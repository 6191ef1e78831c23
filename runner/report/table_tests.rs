//! Tables as they are read, for one record of each kind.

use insta::assert_snapshot;

use super::*;
use crate::record::example::{self, comparison, effect};
use crate::record::{
    Circumstances, CommitState, FinishedSummary, Record, RunName, RunSummary, SamplesSeal, Sealed,
    SummaryState, sealed_claims,
};
use crate::verdict::{
    Agreement, Analysis, ContractState, Interruption, ReasonCode, RunEnd, RunFacts,
    RunSummary as Summary,
};

fn record(analysis: Analysis, facts: RunFacts) -> Record {
    let hash = "77".repeat(32);
    Record {
        sealed: Sealed {
            format_version: 1,
            id: "flash".to_owned().try_into().unwrap(),
            run: RunName::at("2026-11-29T17:00:00Z").unwrap(),
            attempt: 1,
            manifest_hash: hash.clone().try_into().unwrap(),
            registration: hash.clone().try_into().unwrap(),
            rules_version: 1,
            earlier: Vec::new(),
            samples: SamplesSeal {
                file: "samples.parquet".to_owned(),
                rows: 24,
                rows_blake3: hash.try_into().unwrap(),
            },
            claims: sealed_claims(&analysis, 1, &[]),
            facts,
            analysis,
            files: Default::default(),
        },
        provenance: example::provenance(),
        plan: example::plan("flash"),
        registered: example::circumstances(),
    }
}

fn win() -> Record {
    let won = comparison("flash", 0.0512, 0.0205, ReasonCode::AboveMargin);
    let mut analysis = example::analysis(vec![won], Summary::Judged);
    let values = analysis.comparisons[0].off.clone().unwrap();
    analysis.secondary.push(crate::verdict::SecondaryFigure {
        arm: "off".to_owned(),
        condition: String::new(),
        metric: "prompt_milliseconds".to_owned(),
        values,
    });
    record(analysis, example::evidence().facts)
}

fn void() -> Record {
    let mut broken = comparison("flash", 0.31, 0.02, ReasonCode::ContractBroken);
    broken.effect_with_flagged = Some(effect(0.30, 0.05, 95.0, 16));
    let mut facts = example::evidence().facts;
    facts.contracts[0].state = ContractState::Broken;
    facts.contracts[0].detail = "761 of 768 tokens equal".to_owned();
    facts.contracts[0].first_divergence =
        Some("input prose-7, position 41: off 318, flash 90|1".to_owned());
    facts.interruptions.push(Interruption {
        round: 3,
        blocks_done: 2,
        last_entry_at: "2026-11-29T17:01:00Z".to_owned(),
        resumed_at: "2026-11-29T17:09:00Z".to_owned(),
    });
    let mut record = record(example::analysis(vec![broken], Summary::Void), facts);
    record.registered.state = CommitState::Uncommitted;
    record.provenance.engines[0].facts.source = engine_protocol::SourcePin::Unpinned {
        form: "libraries".to_owned(),
        commit: None,
        dirty: None,
    };
    record
}

fn parked_ladder() -> Record {
    let rung = |arm: &str, log: f64, code| {
        let mut rung = comparison(arm, log, 0.018, code);
        rung.metric = "prefill_tokens_per_second".to_owned();
        rung.condition = "depth_tokens=512".to_owned();
        rung.effect = Some(effect(log, 0.018, 98.333_333_333_333_33, 16));
        rung
    };
    let rungs = vec![
        rung("micro_batch_tokens=16", -0.21, ReasonCode::BelowMargin),
        rung("micro_batch_tokens=64", 0.014, ReasonCode::IntervalCrossesMargin),
        rung("micro_batch_tokens=512", 0.139, ReasonCode::AboveMargin),
    ];
    let mut analysis = example::analysis(rungs, Summary::Judged);
    analysis.described.push(comparison("control-arm", 0.01, 0.02, ReasonCode::DescribedOnly));
    record(analysis, example::evidence().facts)
}

fn insufficient() -> Record {
    let mut few = comparison("flash", 0.05, 0.02, ReasonCode::TooFewRounds);
    few.rounds = 1;
    few.blocks = 2;
    few.rounds_agree = Agreement { agree: 1, of: 1 };
    few.inputs_agree = Agreement { agree: 2, of: 2 };
    few.effect =
        Some(crate::verdict::Effect { lo: None, hi: None, n: 1, ..effect(0.05, 0.02, 95.0, 1) });
    few.pooled = None;
    few.holm_p = None;
    let mut analysis = example::analysis(vec![few], Summary::Incomplete);
    analysis.aa[0].effect = None;
    let mut facts = example::evidence().facts;
    facts.end = RunEnd::Broken { detail: "the disk is full".to_owned() };
    record(analysis, facts)
}

#[test]
fn a_win_on_a_terminal() {
    assert_snapshot!(terminal_table(&win(), 100, Style::Plain), @r#"
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
        version 1
      model builtin-tiny, engine ggml 0.26.0, inputs prose-48, stack key b54412560f90
      changed during the run: governor from performance to powersave
    "#);
}

#[test]
fn a_void_on_a_terminal() {
    assert_snapshot!(terminal_table(&void(), 100, Style::Plain), @r#"
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
        version 1, uncommitted, unpinned
      model builtin-tiny, engine ggml 0.26.0, inputs prose-48, stack key b54412560f90
      changed during the run: governor from performance to powersave
    "#);
}

#[test]
fn a_parked_ladder_on_a_narrow_terminal() {
    assert_snapshot!(terminal_table(&parked_ladder(), 80, Style::Plain), @r#"
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
        attempt 1, rules version 1
      model builtin-tiny, engine ggml 0.26.0, inputs prose-48, stack key
        b54412560f90
      changed during the run: governor from performance to powersave
    "#);
}

#[test]
fn an_insufficient_run_on_a_terminal() {
    assert_snapshot!(terminal_table(&insufficient(), 100, Style::Plain), @r#"
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
        version 1
      model builtin-tiny, engine ggml 0.26.0, inputs prose-48, stack key b54412560f90
      changed during the run: governor from performance to powersave
    "#);
}

#[test]
fn a_win_in_markdown() {
    assert_snapshot!(markdown_table(&win()), @r#"
    # flash: Flash attention

    Run 20261129-170000. flash attention raises decode throughput by 5 % or more

    | comparison | n | off: median (quartiles) | arm: median (quartiles) | ratio to off, paired | ratio to off, pooled | rounds agree | inputs agree | p | verdict |
    | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
    | flash | 16 rounds, 96 blocks | 41.20 (39.96 to 42.44) tokens/s | 43.36 (42.06 to 44.67) tokens/s | 1.053x (+5.3 %); 1.031x to 1.074x, 95 % | 1.057x (+5.7 %); 0.994x to 1.124x, 95 % | 15 of 16 rounds | 44 of 48 inputs | Holm p 0.0003 | win: above_margin |

    ## Verdicts

    - **win** flash (above_margin): the reason in words, with the numbers
    - Claim: flash changes decode throughput on prose-48.

    ## Contracts

    - flash: identical kept, 768 tokens compared; 768 of 768 tokens equal

    ## Noise floor (off against off again)

    - off-again: 1.001x (+0.1 %), 0.989x to 1.013x, 99 %, 16 units; no bias seen

    ## Secondary metrics, median (quartiles)

    - off: prompt_milliseconds 41.20 (39.96 to 42.44) ms, 96 blocks

    ## Run

    - completed; 16 rounds judged, 96 blocks measured, 2 flagged
    - engine 93.1 % of 300.0 s wall time, timed 67.0 %
    - flags: pressure: 2

    ## Provenance

    - commit 2b3c4d5e6f7a, 2026-11-29T17:00:00Z, Example CPU @ 2.5 GHz, 2 cores, attempt 1, rules version 1
    - model builtin-tiny, engine ggml 0.26.0, inputs prose-48, stack key b54412560f90
    - changed during the run: governor from performance to powersave
    "#);
}

#[test]
fn a_void_in_markdown() {
    assert_snapshot!(markdown_table(&void()), @r#"
    # flash: Flash attention

    Run 20261129-170000. flash attention raises decode throughput by 5 % or more

    | comparison | n | off: median (quartiles) | arm: median (quartiles) | ratio to off, paired | ratio to off, pooled | rounds agree | inputs agree | p | verdict |
    | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
    | flash | 16 rounds, 96 blocks | 41.20 (39.96 to 42.44) tokens/s | 56.17 (54.49 to 57.86) tokens/s | 1.363x (+36.3 %); 1.336x to 1.391x, 95 % | 1.369x (+36.9 %); 1.289x to 1.454x, 95 % | 15 of 16 rounds | 44 of 48 inputs | Holm p 0.0003 | void: contract_broken |

    ## Verdicts

    - **void** flash (contract_broken): the reason in words, with the numbers
    - Claim: flash changes decode throughput on prose-48.
    - With flagged blocks kept: 1.350x (+35.0 %) 1.284x to 1.419x, 95 %

    ## Contracts

    - flash: identical BROKEN, 768 tokens compared; 761 of 768 tokens equal; first divergence: input prose-7, position 41: off 318, flash 90\|1

    ## Noise floor (off against off again)

    - off-again: 1.001x (+0.1 %), 0.989x to 1.013x, 99 %, 16 units; no bias seen

    ## Run

    - completed; 16 rounds judged, 96 blocks measured, 2 flagged
    - engine 93.1 % of 300.0 s wall time, timed 67.0 %
    - flags: pressure: 2
    - interrupted in round 3 after 2 blocks: last entry 2026-11-29T17:01:00Z, resumed 2026-11-29T17:09:00Z

    ## Provenance

    - commit 2b3c4d5e6f7a, 2026-11-29T17:00:00Z, Example CPU @ 2.5 GHz, 2 cores, attempt 1, rules version 1, uncommitted, unpinned
    - model builtin-tiny, engine ggml 0.26.0, inputs prose-48, stack key b54412560f90
    - changed during the run: governor from performance to powersave
    "#);
}

#[test]
fn a_parked_ladder_in_markdown() {
    assert_snapshot!(markdown_table(&parked_ladder()), @r#"
    # flash: Flash attention

    Run 20261129-170000. flash attention raises decode throughput by 5 % or more

    | comparison | n | off: median (quartiles) | arm: median (quartiles) | ratio to off, paired | ratio to off, pooled | rounds agree | inputs agree | p | verdict |
    | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
    | micro_batch_tokens=16 at depth_tokens=512 | 16 rounds, 96 blocks | 41.20 (39.96 to 42.44) tokens/s | 33.40 (32.39 to 34.40) tokens/s | 0.811x (-18.9 %); 0.796x to 0.825x, 98.33 % | 0.814x (-18.6 %); 0.771x to 0.859x, 95 % | 15 of 16 rounds | 44 of 48 inputs | Holm p 0.0003 | loss: below_margin |
    | micro_batch_tokens=64 at depth_tokens=512 | 16 rounds, 96 blocks | 41.20 (39.96 to 42.44) tokens/s | 41.78 (40.53 to 43.03) tokens/s | 1.014x (+1.4 %); 0.996x to 1.033x, 98.33 % | 1.018x (+1.8 %); 0.965x to 1.075x, 95 % | 15 of 16 rounds | 44 of 48 inputs | Holm p 0.0003 | parked: interval_crosses_margin |
    | micro_batch_tokens=512 at depth_tokens=512 | 16 rounds, 96 blocks | 41.20 (39.96 to 42.44) tokens/s | 47.34 (45.92 to 48.76) tokens/s | 1.149x (+14.9 %); 1.129x to 1.170x, 98.33 % | 1.154x (+15.4 %); 1.093x to 1.218x, 95 % | 15 of 16 rounds | 44 of 48 inputs | Holm p 0.0003 | win: above_margin |
    | control-arm | 16 rounds, 96 blocks | 41.20 (39.96 to 42.44) tokens/s | 41.61 (40.37 to 42.86) tokens/s | 1.010x (+1.0 %); 0.990x to 1.030x, 95 % | 1.014x (+1.4 %); 0.955x to 1.077x, 95 % | 15 of 16 rounds | 44 of 48 inputs | Holm p 0.0003 | described: described_only |

    ## Verdicts

    - **loss** micro_batch_tokens=16 at depth_tokens=512 (below_margin): the reason in words, with the numbers
    - Claim: micro_batch_tokens=16 changes decode throughput on prose-48.
    - **parked** micro_batch_tokens=64 at depth_tokens=512 (interval_crosses_margin): the reason in words, with the numbers
    - Claim: micro_batch_tokens=64 changes decode throughput on prose-48.
    - **win** micro_batch_tokens=512 at depth_tokens=512 (above_margin): the reason in words, with the numbers
    - Claim: micro_batch_tokens=512 changes decode throughput on prose-48.
    - **described** control-arm (described_only): the reason in words, with the numbers

    ## Contracts

    - flash: identical kept, 768 tokens compared; 768 of 768 tokens equal

    ## Noise floor (off against off again)

    - off-again: 1.001x (+0.1 %), 0.989x to 1.013x, 99 %, 16 units; no bias seen

    ## Run

    - completed; 16 rounds judged, 96 blocks measured, 2 flagged
    - engine 93.1 % of 300.0 s wall time, timed 67.0 %
    - flags: pressure: 2

    ## Provenance

    - commit 2b3c4d5e6f7a, 2026-11-29T17:00:00Z, Example CPU @ 2.5 GHz, 2 cores, attempt 1, rules version 1
    - model builtin-tiny, engine ggml 0.26.0, inputs prose-48, stack key b54412560f90
    - changed during the run: governor from performance to powersave
    "#);
}

#[test]
fn an_insufficient_run_in_markdown() {
    assert_snapshot!(markdown_table(&insufficient()), @r#"
    # flash: Flash attention

    Run 20261129-170000. flash attention raises decode throughput by 5 % or more

    | comparison | n | off: median (quartiles) | arm: median (quartiles) | ratio to off, paired | ratio to off, pooled | rounds agree | inputs agree | p | verdict |
    | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
    | flash | 1 round, 2 blocks | 41.20 (39.96 to 42.44) tokens/s | 43.31 (42.01 to 44.61) tokens/s | 1.051x (+5.1 %); no interval | none; no interval | 1 of 1 rounds | 2 of 2 inputs | no Holm p | insufficient: too_few_rounds |

    ## Verdicts

    - **insufficient** flash (too_few_rounds): the reason in words, with the numbers
    - Claim: flash changes decode throughput on prose-48.

    ## Contracts

    - flash: identical kept, 768 tokens compared; 768 of 768 tokens equal

    ## Noise floor (off against off again)

    - off-again: no estimate

    ## Run

    - broken off: the disk is full; 16 rounds judged, 96 blocks measured, 2 flagged
    - engine 93.1 % of 300.0 s wall time, timed 67.0 %
    - flags: pressure: 2

    ## Provenance

    - commit 2b3c4d5e6f7a, 2026-11-29T17:00:00Z, Example CPU @ 2.5 GHz, 2 cores, attempt 1, rules version 1
    - model builtin-tiny, engine ggml 0.26.0, inputs prose-48, stack key b54412560f90
    - changed during the run: governor from performance to powersave
    "#);
}

fn summaries() -> Vec<RunSummary> {
    let of = |record: &Record, id: &str| RunSummary {
        id: id.to_owned().try_into().unwrap(),
        title: record.plan.title.clone(),
        run: Some(record.sealed.run.clone()),
        registered: Some(record.registered.clone()),
        state: SummaryState::Finished(Box::new(FinishedSummary::of(record))),
    };
    let waiting = |id: &str, title: &str| RunSummary {
        id: id.to_owned().try_into().unwrap(),
        title: title.to_owned(),
        run: None,
        registered: Some(Circumstances {
            state: CommitState::Committed,
            ..example::circumstances()
        }),
        state: SummaryState::RegisteredOnly,
    };
    vec![
        of(&win(), "flash"),
        of(&insufficient(), "flash-two"),
        of(&parked_ladder(), "ladder"),
        waiting("never-run", "a <title> with a | in it"),
        of(&void(), "void-one"),
    ]
}

#[test]
fn the_overview_lists_losses_and_what_was_never_run() {
    assert_snapshot!(index(&summaries()), @r#"
    # Results

    Generated by `runner report`; do not edit.

    4 records, 6 comparisons: 2 win, 1 loss, 1 parked, 1 void, 1 insufficient.

    | record | title | comparison | ratio to off | verdict | attempt | provenance |
    | --- | --- | --- | --- | --- | --- | --- |
    | flash/20261129-170000 | Flash attention | flash | 1.053x (+5.3 %); 1.031x to 1.074x, 95 % | win: above_margin | attempt 1 | commit 2b3c4d5e6f7a, 2026-11-29, Example CPU @ 2.5 GHz, rules version 1 |
    | flash-two/20261129-170000 | Flash attention | flash | 1.051x (+5.1 %); no interval | insufficient: too_few_rounds | attempt 1 | commit 2b3c4d5e6f7a, 2026-11-29, Example CPU @ 2.5 GHz, rules version 1 |
    | ladder/20261129-170000 | Flash attention | micro_batch_tokens=16 at depth_tokens=512 | 0.811x (-18.9 %); 0.796x to 0.825x, 98.33 % | loss: below_margin | attempt 1 | commit 2b3c4d5e6f7a, 2026-11-29, Example CPU @ 2.5 GHz, rules version 1 |
    | ladder/20261129-170000 | Flash attention | micro_batch_tokens=64 at depth_tokens=512 | 1.014x (+1.4 %); 0.996x to 1.033x, 98.33 % | parked: interval_crosses_margin | attempt 1 | commit 2b3c4d5e6f7a, 2026-11-29, Example CPU @ 2.5 GHz, rules version 1 |
    | ladder/20261129-170000 | Flash attention | micro_batch_tokens=512 at depth_tokens=512 | 1.149x (+14.9 %); 1.129x to 1.170x, 98.33 % | win: above_margin | attempt 1 | commit 2b3c4d5e6f7a, 2026-11-29, Example CPU @ 2.5 GHz, rules version 1 |
    | void-one/20261129-170000 | Flash attention | flash | 1.363x (+36.3 %); 1.336x to 1.391x, 95 % | void: contract_broken | attempt 1 | commit 2b3c4d5e6f7a, 2026-11-29, Example CPU @ 2.5 GHz, rules version 1, uncommitted, unpinned |

    ## Registered, without a record

    - never-run : a &lt;title&gt; with a \| in it (registered 2026-11-29T16:10:31Z)
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
    │ 20261129-170000 ┆                    ┆ 1.031x to 1.074x, ┆ above_margin      ┆ Example CPU @ 2.5 │
    │                 ┆                    ┆ 95 %              ┆                   ┆ GHz               │
    │                 ┆                    ┆                   ┆                   ┆ attempt 1         │
    ├╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┤
    │ flash-two       ┆ flash              ┆ 1.051x (+5.1 %)   ┆ insufficient      ┆ 2026-11-29        │
    │ 20261129-170000 ┆                    ┆ no interval       ┆ too_few_rounds    ┆ Example CPU @ 2.5 │
    │                 ┆                    ┆                   ┆                   ┆ GHz               │
    │                 ┆                    ┆                   ┆                   ┆ attempt 1         │
    ├╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┤
    │ ladder          ┆ micro_batch_tokens ┆ 0.811x (-18.9 %)  ┆ loss              ┆ 2026-11-29        │
    │ 20261129-170000 ┆ =16 at             ┆ 0.796x to 0.825x, ┆ below_margin      ┆ Example CPU @ 2.5 │
    │                 ┆ depth_tokens=512   ┆ 98.33 %           ┆                   ┆ GHz               │
    │                 ┆                    ┆                   ┆                   ┆ attempt 1         │
    ├╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┤
    │ ladder          ┆ micro_batch_tokens ┆ 1.014x (+1.4 %)   ┆ parked            ┆ 2026-11-29        │
    │ 20261129-170000 ┆ =64 at             ┆ 0.996x to 1.033x, ┆ interval_crosses_ ┆ Example CPU @ 2.5 │
    │                 ┆ depth_tokens=512   ┆ 98.33 %           ┆ margin            ┆ GHz               │
    │                 ┆                    ┆                   ┆                   ┆ attempt 1         │
    ├╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┤
    │ ladder          ┆ micro_batch_tokens ┆ 1.149x (+14.9 %)  ┆ win               ┆ 2026-11-29        │
    │ 20261129-170000 ┆ =512 at            ┆ 1.129x to 1.170x, ┆ above_margin      ┆ Example CPU @ 2.5 │
    │                 ┆ depth_tokens=512   ┆ 98.33 %           ┆                   ┆ GHz               │
    │                 ┆                    ┆                   ┆                   ┆ attempt 1         │
    ├╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┤
    │ never-run       ┆                    ┆                   ┆ registered, never ┆ registered        │
    │                 ┆                    ┆                   ┆ run               ┆ 2026-11-29T16:10: │
    │                 ┆                    ┆                   ┆                   ┆ 31Z               │
    ├╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┤
    │ void-one        ┆ flash              ┆ 1.363x (+36.3 %)  ┆ void              ┆ 2026-11-29        │
    │ 20261129-170000 ┆                    ┆ 1.336x to 1.391x, ┆ contract_broken   ┆ Example CPU @ 2.5 │
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
            let text = terminal_table(&record, width, Style::Plain);
            for line in text.lines() {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
            assert!(!text.contains('\u{1b}'));
        }
        assert!(terminal_table(&record, 100, Style::Coloured).contains('\u{1b}'));
    }
}

#[test]
fn hostile_texts_break_neither_table() {
    let mut record = win();
    record.plan.title = "a\nb | <script>alert(1)</script> \u{1b}[31m".to_owned();
    record.sealed.claims[0].sentence = "x\n\n# heading <b>".to_owned();
    let text = markdown_table(&record);
    assert!(!text.contains("<script>") && !text.contains("<b>") && !text.contains('\u{1b}'));
    assert!(!text.lines().any(|line| line.starts_with("# heading")));
    let rows = text.lines().filter(|line| line.starts_with('|'));
    for row in rows {
        let bars = row.replace("\\|", "").matches('|').count();
        assert_eq!(bars, 11, "{row}");
    }
    assert!(!terminal_table(&record, 100, Style::Plain).contains('\u{1b}'));
}

#[test]
fn json_has_null_and_a_reason_instead_of_nan() {
    let value = record_json(&insufficient());
    let figures = &value["figures"]["comparisons"][0];
    assert!(figures["pooled"].is_null());
    assert_eq!(figures["pooled_reason"], "the reason in words, with the numbers");
    assert!(figures["paired"]["lo"].is_null());
    assert_eq!(figures["paired"]["reason"], "the reason in words, with the numbers");
    assert!(figures["paired"]["ratio_to_off"].is_number());
    let listing = listing_json(&crate::record::Listing { summaries: summaries() });
    assert_eq!(listing["results"][0]["comparisons"][0]["verdict"], "win");
    assert_eq!(listing["results"][3]["state"], "registered");
}
