//! The page of a record of 5,040 samples: a committed record with more rounds and blocks. Prints
//! lines of name, tab, figure: the page in all, and of that the simulation of what the design could
//! show, in seconds (best of the tries); then the page's bytes.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench fails by panicking")]

mod measure;

use std::hint::black_box;
use std::path::Path;

use measure::measure;
use runner::design::{TimeEstimate, operating};
use runner::project::Project;
use runner::record::{self, Counterparts, Life, Record};
use runner::report::{PageContext, SamplesShown, html_page};
use runner::verdict::RoundFigure;
use sample_table::{SampleRow, SampleState, Work};

const ROUNDS: u32 = 42;
const BLOCKS: u32 = 40;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf();
    let project = Project { results: root.join("results"), cache: root.join("target"), root };
    let id = "threads-decode".to_owned().try_into().unwrap();
    let run = record::runs_of(&project, &id).unwrap().remove(0).run;
    let record = enlarged(record::read(&project, &id, &run).unwrap());
    let rows = samples(&record);
    println!("# samples\t{}", rows.len());
    let page = || {
        let context = PageContext {
            samples: SamplesShown::Read(&rows),
            counterparts: &Counterparts::None,
            life: &Life::default(),
            index: None,
        };
        html_page(black_box(&record), &context).unwrap()
    };
    measure("page_of_5040_samples", 5, page);
    measure("of_that_the_simulation", 5, || {
        let time = TimeEstimate::Unknown { because: "the run is over".to_owned() };
        operating(black_box(&record.plan), None, time)
    });
    println!("bytes\t{}", page().len());
}

fn enlarged(mut record: Record) -> Record {
    // a record of version 1 of the rules has no simulation
    record.sealed.rules_version = record.sealed.rules_version.max(2);
    for comparison in &mut record.sealed.analysis.comparisons {
        let Some(description) = comparison.description.as_mut() else { continue };
        description.rounds = (0..ROUNDS)
            .map(|round| RoundFigure {
                round,
                part: 0,
                value: 0.05,
                blocks: (0..BLOCKS)
                    .map(|block| 0.05 + 0.0003 * f64::from((round * 7 + block) % 41))
                    .collect(),
            })
            .collect();
    }
    record
}

fn samples(record: &Record) -> Vec<SampleRow> {
    let arms: Vec<String> = record.plan.arms.iter().map(|arm| arm.name.to_string()).collect();
    let row = |round: u32, block: u32, (place, arm): (u32, &String)| SampleRow {
        energy: None,
        condition: 0,
        round,
        segment: round,
        block,
        chunk: 0,
        place,
        arm: arm.clone(),
        input: format!("prose-{block}"),
        work: Work::Decode,
        tokens: 16,
        nanoseconds: 16_000_000 + u64::from((round * 31 + block * 17 + place * 5) % 97) * 4_000,
        started_nanoseconds: u64::from(block) * 100_000_000 + u64::from(place) * 30_000_000,
        state: SampleState::Timed,
        flags: String::new(),
    };
    let blocks = (0..ROUNDS).flat_map(|round| (0..BLOCKS).map(move |block| (round, block)));
    blocks
        .flat_map(|(round, block)| {
            let places = (0..).zip(arms.iter().take(3));
            places.map(move |place| row(round, block, place)).collect::<Vec<SampleRow>>()
        })
        .collect()
}
