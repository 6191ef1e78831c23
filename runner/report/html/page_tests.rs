//! The page of a record: what stands on it, and that nothing on it can become markup.

use sample_table::{SampleRow, SampleState, Work};
use serde_json::Value;

use super::{PageContext, SamplesShown, html_page};
use crate::record::{Counterparts, FigureState, Life, Record};
use crate::report::example;
use crate::verdict::RoundFigure;

/// Breaks out of a title, an attribute, a style sheet and a script, and turns the text around.
const HOSTILE: &str = "\u{202e}</title></style></script><script>alert(1)</script>\"'>\
                       <img src=x onerror=a()>&\u{1b}[31m";

pub(super) fn page_of(record: &Record, samples: SamplesShown<'_>) -> String {
    let context = PageContext {
        samples,
        counterparts: &Counterparts::None,
        life: &Life::default(),
        index: None,
    };
    html_page(record, &context).unwrap()
}

/// Without the simulation of what its design could show, which takes seconds in a debug build.
fn without_simulation(mut record: Record) -> Record {
    record.sealed.rules_version = 1;
    record
}

const NOT_READ: SamplesShown<'static> = SamplesShown::NotRead { why: "no Parquet in this build" };

/// One prefill of each arm in each block: `flash` 5 % faster, off drifting a little.
fn samples(rounds: u32, blocks: u32) -> Vec<SampleRow> {
    let mut rows = Vec::new();
    for round in 0..rounds {
        for block in 0..blocks {
            for (place, arm) in ["off", "off-again", "flash"].into_iter().enumerate() {
                let drift = u64::from((round * 31 + block * 17) % 97) * 4_000;
                let spread = u64::from((round * 7 + block * 13) % 29) * 9_000 * place as u64;
                let faster = if arm == "flash" { 800_000 } else { 0 };
                rows.push(SampleRow {
                    condition: 0,
                    round,
                    segment: round,
                    block,
                    chunk: 0,
                    place: place as u32,
                    arm: arm.to_owned(),
                    input: format!("prose-{block}"),
                    work: Work::Decode,
                    tokens: 16,
                    nanoseconds: 16_000_000 + drift + spread - faster,
                    started_nanoseconds: u64::from(block) * 100_000_000 + place as u64 * 30_000_000,
                    state: SampleState::Timed,
                    energy: None,
                    flags: if round == 2 && block == 1 {
                        "pressure".to_owned()
                    } else {
                        String::new()
                    },
                });
            }
        }
    }
    rows
}

#[test]
fn a_page_shows_every_part_of_a_record() {
    let rows = samples(8, 6);
    let page = page_of(&example::described(), SamplesShown::Read(&rows));
    let texts = [
        "<h1>Flash attention</h1>",
        "flash attention raises decode throughput by 5 % or more",
        "+5.3 %",
        "Every pair",
        "Paired against pooled",
        "Off against arm",
        "48 pairs, a row a round",
        "Cross: one of 1 flagged blocks",
        "The run, block by block",
        "<th scope=\"row\">pressure</th><td>1</td><td>2</td>",
        "trimmed blocks",
        "Chances by true effect",
        "Contracts",
        "-O3",
        "stack key",
        "The manifest as it was registered",
        "No canary is recorded.",
        "What the gate did is not recorded.",
    ];
    for text in texts {
        assert!(page.contains(text), "{text:?} is missing:\n{page}");
    }
    for elsewhere in ["http://", "https://", "<script", "url(", "@import", "src="] {
        assert!(!page.contains(elsewhere), "{elsewhere:?} is on the page");
    }
}

#[test]
fn without_samples_the_page_shows_what_the_record_holds_and_says_so() {
    let page = page_of(&without_simulation(example::described()), NOT_READ);
    for text in ["48 pairs", "Flagged blocks are not shown", "no Parquet in this build"] {
        assert!(page.contains(text), "{text:?} is missing");
    }
    assert!(page.contains("off against arm: not recorded"), "{page}");
    assert!(!page.contains("The run, block by block"), "{page}");
}

pub(super) fn struck(cause: &str) -> Life {
    Life {
        state: FigureState::Struck {
            at: "2026-12-01T00:00:00Z".to_owned(),
            cause: cause.to_owned(),
            replacement: None,
        },
        ..Life::default()
    }
}

#[test]
fn a_struck_figure_is_struck_before_anything_else() {
    let context = PageContext {
        samples: NOT_READ,
        counterparts: &Counterparts::None,
        life: &struck("the reference was wrong"),
        index: Some("../index.html"),
    };
    let page = html_page(&example::win(), &context).unwrap();
    let banner = page
        .find(
            "<strong>struck</strong>: this record was struck on 2026-12-01: the reference was wrong",
        )
        .unwrap();
    assert!(banner < page.find("<h1>").unwrap());
    assert!(page.contains("<body class=\"is-struck\">"), "{page}");
    assert!(page.contains("<a href=\"../index.html\">All records</a>"), "{page}");
}

#[test]
fn every_kind_of_record_has_a_page() {
    let all = [
        example::win(),
        example::void(),
        example::parked_ladder(),
        example::insufficient(),
        example::described(),
    ];
    for record in all {
        let record = without_simulation(record);
        let page = page_of(&record, NOT_READ);
        assert!(page.contains("</html>"), "{}", record.plan.title);
        assert!(!page.contains("NaN") && !page.contains("inf "), "{}", record.plan.title);
    }
}

#[test]
fn rounds_without_sealed_pairs_are_drawn_from_the_samples() {
    let mut record = without_simulation(example::described());
    let description = record.sealed.analysis.comparisons[0].description.as_mut().unwrap();
    for round in &mut description.rounds {
        round.blocks.clear();
    }
    let rows = samples(8, 6);
    let page = page_of(&record, SamplesShown::Read(&rows));
    // one of 48 blocks is flagged
    assert!(page.contains("47 pairs, a row a round"), "{page}");
}

/// Sets every text of these keys.
fn poison(value: &mut Value, keys: &[&str]) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if keys.contains(&name.as_str()) => {
                        *text = HOSTILE.to_owned();
                    }
                    _ => poison(value, keys),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| poison(item, keys)),
        _ => {}
    }
}

/// A record in which every free text is hostile.
pub(super) fn hostile() -> Record {
    let mut record = without_simulation(example::described());
    let texts = [
        "arm",
        "detail",
        "text",
        "claim",
        "first_divergence",
        "name",
        "method",
        "sentence",
        "series",
    ];
    let mut analysis = serde_json::to_value(&record.sealed.analysis).unwrap();
    analysis["flags"] = serde_json::json!([HOSTILE]);
    analysis["comparisons"][0]["description"]["outliers"]["marked"] = serde_json::json!([HOSTILE]);
    analysis["comparisons"][0]["condition"] = HOSTILE.into();
    analysis["comparisons"][0]["metric"] = HOSTILE.into();
    poison(&mut analysis, &texts);
    record.sealed.analysis = serde_json::from_value(analysis).unwrap();
    let mut facts = serde_json::to_value(&record.sealed.facts).unwrap();
    facts["unread_sensors"] = serde_json::json!([HOSTILE]);
    poison(&mut facts, &texts);
    record.sealed.facts = serde_json::from_value(facts).unwrap();
    for claim in &mut record.sealed.claims {
        claim.sentence = HOSTILE.to_owned();
    }
    let provenance = &mut record.provenance;
    provenance.model.name = HOSTILE.to_owned();
    provenance.workload.name = HOSTILE.to_owned();
    provenance.workload.licence = HOSTILE.to_owned();
    provenance.regime.backends = vec![HOSTILE.to_owned()];
    provenance.regime.class = HOSTILE.to_owned();
    provenance.repository.commit = Some(HOSTILE.to_owned());
    provenance.runner.build.insert(HOSTILE.to_owned(), HOSTILE.to_owned());
    for fact in provenance.start.machine.values_mut() {
        *fact = HOSTILE.to_owned();
    }
    for engine in &mut provenance.engines {
        engine.facts.flags.insert(HOSTILE.to_owned(), vec![HOSTILE.to_owned()]);
        engine.facts.compiler = HOSTILE.to_owned();
        engine.facts.name = HOSTILE.to_owned();
    }
    record.plan.title = HOSTILE.to_owned();
    record.plan.hypothesis = HOSTILE.to_owned();
    record.plan.mechanism = Some(HOSTILE.to_owned());
    record.plan.decision.parked_resolution = HOSTILE.to_owned();
    record
}

/// No tag of a hostile text, and no character that turns or colours the text around it.
pub(super) fn assert_harmless(page: &str, scripts: usize) {
    assert_eq!(page.matches("<script").count(), scripts, "a script got onto the page");
    assert_eq!(page.matches("</title>").count() - page.matches("<title ").count(), 1);
    assert_eq!(page.matches("</style>").count(), 1);
    assert!(!page.contains("<img"), "a tag got onto the page");
    assert!(!page.contains('\u{1b}') && !page.contains('\u{202e}'));
    // within an attribute, a quotation mark would end it
    assert!(!page.contains("alert(1)</"), "an end tag got onto the page");
}

#[test]
fn no_text_of_a_record_becomes_markup() {
    let mut rows = samples(8, 6);
    for row in &mut rows {
        if !row.flags.is_empty() {
            row.flags = HOSTILE.to_owned();
        }
    }
    let page = page_of(&hostile(), SamplesShown::Read(&rows));
    assert_harmless(&page, 0);
    let shown = page.matches("alert(1)").count();
    assert!(shown > 30, "only {shown} of the hostile texts are shown");
}

#[test]
fn five_thousand_samples_make_less_than_a_megabyte() {
    let (rounds, blocks) = (42, 40);
    let rows = samples(rounds, blocks);
    assert!(rows.len() > 5_000, "{}", rows.len());
    let mut record = example::described();
    let description = record.sealed.analysis.comparisons[0].description.as_mut().unwrap();
    description.rounds = (0..rounds)
        .map(|round| RoundFigure {
            round,
            part: 0,
            value: 0.05,
            blocks: (0..blocks)
                .map(|block| 0.05 + 0.0003 * f64::from((round * 7 + block) % 41))
                .collect(),
        })
        .collect();
    let page = page_of(&record, SamplesShown::Read(&rows));
    assert!(page.contains("1680 pairs"), "{}", page.len());
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
}
