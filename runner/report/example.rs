//! One record of each kind, for tests.

use crate::record::example::{self, comparison, effect};
use crate::record::{
    Circumstances, CommitState, FinishedSummary, Record, RunName, RunSummary, SamplesSeal, Sealed,
    SummaryState, sealed_claims,
};
use crate::rule::Decision;
use crate::verdict::{
    AdjustedEstimate, Agreement, Analysis, ClassIntervals, ContractState, Description, Estimator,
    EstimatorFigure, Interruption, LookFigure, LookOutcome, NestedSpread, Outliers, PairingGain,
    PlaceFigure, ReasonCode, RoundFigure, RunCourse, RunEnd, RunFacts, RunSummary as Summary,
    ShiftFigure, Test, TestFigure,
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

pub(super) fn win() -> Record {
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

pub(super) fn void() -> Record {
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
        difference: None,
    };
    record
}

pub(super) fn parked_ladder() -> Record {
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

pub(super) fn insufficient() -> Record {
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

pub(super) fn summaries() -> Vec<RunSummary> {
    let of = |record: &Record, id: &str| RunSummary {
        id: id.to_owned().try_into().unwrap(),
        title: record.plan.title.clone(),
        run: Some(record.sealed.run.clone()),
        registered: Some(record.registered.clone()),
        amendments: 0,
        withdrawn: None,
        question: None,
        state: SummaryState::Finished(Box::new(FinishedSummary::of(record, &[]))),
    };
    let waiting = |id: &str, title: &str| RunSummary {
        id: id.to_owned().try_into().unwrap(),
        title: title.to_owned(),
        run: None,
        registered: Some(Circumstances {
            state: CommitState::Committed,
            ..example::circumstances()
        }),
        amendments: 0,
        withdrawn: None,
        question: None,
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

/// A run of rules version 2 with all that can be described of it: two looks, 8 rounds of 6
/// blocks, one stall, a class of inputs, drift.
pub(super) fn described() -> Record {
    let mut won = comparison("flash", 0.0512, 0.0205, ReasonCode::AboveMargin);
    let look = |look, rounds, half: f64, nominal_p, outcome, chance_of_decision| LookFigure {
        look,
        rounds,
        information: f64::from(rounds) / 16.0,
        nominal_p,
        log_ratio: 0.049,
        lo: Some(0.049 - half),
        hi: Some(0.049 + half),
        units: rounds,
        outcome,
        chance_of_decision,
    };
    won.looks = vec![
        look(1, 8, 0.044, 0.0054, LookOutcome::GoOn, Some(0.93)),
        look(2, 16, 0.0205, 0.0492, LookOutcome::Win, None),
    ];
    won.adjusted = Some(AdjustedEstimate { log_ratio: 0.0508, lo: 0.030, hi: 0.0716 });
    won.class_intervals = Some(ClassIntervals {
        rounds_half_width: 0.0151,
        inputs_half_width: 0.0122,
        both_half_width: 0.0205,
        inputs: 48,
    });
    won.description = Some(description(8));
    let mut analysis = example::analysis(vec![won], Summary::Judged);
    analysis.rules_version = 2;
    let mut record = record(analysis, example::evidence().facts);
    record.sealed.rules_version = 2;
    record
}

/// Round values and blocks near +5 %, one block of which stalled.
pub(super) fn round_figures(rounds: u32) -> Vec<RoundFigure> {
    (0..rounds)
        .map(|round| {
            let value = 0.0512 + 0.004 * (f64::from(round * 5 % 7) - 3.0);
            let block = |block: u32| value + 0.006 * (f64::from((round * 3 + block * 4) % 9) - 4.0);
            let mut blocks: Vec<f64> = (0..6).map(block).collect();
            if round == 3 {
                blocks[2] = -0.9;
            }
            RoundFigure { round, part: 0, value, blocks }
        })
        .collect()
}

pub(super) fn description(rounds: u32) -> Description {
    let estimator = |estimator, log_ratio, half: Option<f64>, decision| EstimatorFigure {
        estimator,
        log_ratio,
        lo: half.map(|half| log_ratio - half),
        hi: half.map(|half| log_ratio + half),
        decision,
    };
    let win = Some(Decision::Win);
    Description {
        rounds: round_figures(rounds),
        estimators: vec![
            estimator(Estimator::TrimmedRounds, 0.0512, Some(0.0205), win),
            estimator(Estimator::MeanRounds, 0.0362, Some(0.061), Some(Decision::Undecided)),
            estimator(Estimator::HodgesLehmannRounds, 0.0511, Some(0.021), win),
            estimator(Estimator::BcaRounds, 0.0362, None, None),
            estimator(Estimator::PercentileRounds, 0.0362, Some(0.0101), win),
            estimator(Estimator::TrimmedBlocks, 0.0513, Some(0.0092), win),
            estimator(Estimator::PooledBlocks, 0.0362, Some(0.05), Some(Decision::Undecided)),
        ],
        tests: vec![
            TestFigure { test: Test::SignedRank, p: Some(0.0078125), method: "exact".to_owned() },
            TestFigure { test: Test::Sign, p: Some(0.0078125), method: "exact".to_owned() },
            TestFigure {
                test: Test::SignFlip,
                p: None,
                method: "no round differs from zero".to_owned(),
            },
        ],
        pairing: Some(PairingGain {
            correlation: Some(0.831),
            paired_standard_error: 0.0021,
            pooled_standard_error: 0.0051,
            blocks_factor: Some(5.898),
        }),
        spread: Some(NestedSpread {
            round_sd: 0.0,
            block_sd: 0.0121,
            chunk_sd: Some(0.031),
            clipped: vec!["round".to_owned()],
        }),
        course: Some(RunCourse {
            trend: 0.0121,
            trend_p: Some(0.003),
            places: [0.004, 0.0, -0.004]
                .into_iter()
                .zip(0..)
                .map(|(log_rate, place)| PlaceFigure { place, log_rate, n: 96 })
                .collect(),
            places_p: Some(0.21),
            lag_1: Some(0.12),
            effective_rounds: Some(6.3),
            shift: Some(ShiftFigure {
                series: "off".to_owned(),
                after_block: 12,
                size: -0.08,
                p: 0.000_02,
            }),
        }),
        outliers: Some(Outliers {
            threshold: 3.5,
            count: 1,
            marked: vec!["round 3, block 2: -59.34 %".to_owned()],
            of: 48,
        }),
    }
}
