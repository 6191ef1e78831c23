//! Tables and overview as they are read in Markdown, and their JSON.

use insta::assert_snapshot;

use super::example::{insufficient, parked_ladder, summaries, void, win};
use super::*;

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

    - commit 2b3c4d5e6f7a, 2026-11-29T17:00:00Z, Example CPU @ 2.5 GHz, 2 cores, attempt 1, rules version 1, registered committed
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

    - commit 2b3c4d5e6f7a, 2026-11-29T17:00:00Z, Example CPU @ 2.5 GHz, 2 cores, attempt 1, rules version 1, registered uncommitted, uncommitted, unpinned
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

    - commit 2b3c4d5e6f7a, 2026-11-29T17:00:00Z, Example CPU @ 2.5 GHz, 2 cores, attempt 1, rules version 1, registered committed
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

    - commit 2b3c4d5e6f7a, 2026-11-29T17:00:00Z, Example CPU @ 2.5 GHz, 2 cores, attempt 1, rules version 1, registered committed
    - model builtin-tiny, engine ggml 0.26.0, inputs prose-48, stack key b54412560f90
    - changed during the run: governor from performance to powersave
    "#);
}

#[test]
fn the_overview_lists_losses_and_what_was_never_run() {
    assert_snapshot!(index(&summaries()), @r#"
    # Results

    Generated by `runner report`; do not edit.

    4 records, 6 comparisons: 2 win, 1 loss, 1 parked, 1 void, 1 insufficient.

    | record | question | comparison | verdict | ratio to off, paired | n | attempt | machine | date | commit | regime | state |
    | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
    | flash/20261129-170000 | Flash attention | flash | win: above_margin | 1.053x (+5.3 %); 1.031x to 1.074x, 95 % | 16 rounds, 96 blocks | 1 | Example CPU @ 2.5 GHz | 2026-11-29 | commit 2b3c4d5e6f7a, rules 1, registered committed | builtin-tiny; decode; dense_throughput; cpu; whole model | current |
    | flash-two/20261129-170000 | Flash attention | flash | insufficient: too_few_rounds | 1.051x (+5.1 %); no interval | 1 round, 2 blocks | 1 | Example CPU @ 2.5 GHz | 2026-11-29 | commit 2b3c4d5e6f7a, rules 1, registered committed | builtin-tiny; decode; dense_throughput; cpu; whole model | current |
    | ladder/20261129-170000 | Flash attention | micro_batch_tokens=16 at depth_tokens=512 | loss: below_margin | 0.811x (-18.9 %); 0.796x to 0.825x, 98.33 % | 16 rounds, 96 blocks | 1 | Example CPU @ 2.5 GHz | 2026-11-29 | commit 2b3c4d5e6f7a, rules 1, registered committed | builtin-tiny; decode; dense_throughput; cpu; whole model | current |
    | ladder/20261129-170000 | Flash attention | micro_batch_tokens=64 at depth_tokens=512 | parked: interval_crosses_margin | 1.014x (+1.4 %); 0.996x to 1.033x, 98.33 % | 16 rounds, 96 blocks | 1 | Example CPU @ 2.5 GHz | 2026-11-29 | commit 2b3c4d5e6f7a, rules 1, registered committed | builtin-tiny; decode; dense_throughput; cpu; whole model | current |
    | ladder/20261129-170000 | Flash attention | micro_batch_tokens=512 at depth_tokens=512 | win: above_margin | 1.149x (+14.9 %); 1.129x to 1.170x, 98.33 % | 16 rounds, 96 blocks | 1 | Example CPU @ 2.5 GHz | 2026-11-29 | commit 2b3c4d5e6f7a, rules 1, registered committed | builtin-tiny; decode; dense_throughput; cpu; whole model | current |
    | void-one/20261129-170000 | Flash attention | flash | void: contract_broken | 1.363x (+36.3 %); 1.336x to 1.391x, 95 % | 16 rounds, 96 blocks | 1 | Example CPU @ 2.5 GHz | 2026-11-29 | commit 2b3c4d5e6f7a, rules 1, registered uncommitted, unpinned | builtin-tiny; decode; dense_throughput; cpu; whole model | current |

    ## Registered, without a record

    - never-run : a &lt;title&gt; with a \| in it (registered 2026-11-29T16:10:31Z, committed)
    "#);
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
    assert!(!terminal_table(&record, 100, Style::Plain, Detail::All).contains('\u{1b}'));
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
