//! One record of each kind, for tests.

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
