//! The page of one record.

use askama::Template;

use super::super::beside::beside_lines;
use super::super::drafts;
use super::super::energy;
use super::super::ladder::headlines;
use super::super::life::life_lines;
use super::super::notes::{Notes, notes};
use super::super::peers;
use super::super::processes::{MEMORY_HEADING, memory_lines};
use super::super::rows::{name, spread_text, unit_of};
use super::blocks::{Block, blocks};
use super::bounds::{BoundView, bounds};
use super::comparison::{ComparisonView, comparison};
use super::context::{PageContext, SamplesShown};
use super::contracts::{ContractView, contracts, sentences};
use super::course::{CourseView, course};
use super::design::{DesignView, design};
use super::facts::{Fact, facts};
use super::figure::Figure;
use super::finished::finished;
use super::forest;
use super::ladder::{LadderView, ladders};
use super::provenance::{Group, groups};
use super::result::results;
use super::state::{Standing, is_struck};
use super::tables::Table;
use super::verdict::{Badge, tallies};
use crate::failure::Failure;
use crate::record::Record;

/// All that the template shows. Not escaped: the template does that.
#[derive(Debug, Template)]
#[template(path = "record.html")]
struct RecordPage {
    id: String,
    run: String,
    title: String,
    hypothesis: String,
    index: Option<String>,
    standing: Standing,
    is_struck: bool,
    life: Vec<String>,
    ladder_headlines: Vec<String>,
    tallies: Vec<(Badge, usize)>,
    facts: Vec<Fact>,
    forest: Option<Figure>,
    comparisons: Vec<ComparisonView>,
    ladders: Vec<LadderView>,
    contracts: Vec<ContractView>,
    contract_sentences: Vec<String>,
    notes: Notes,
    secondary: Option<Table>,
    drafts: Option<Table>,
    peers: Option<Table>,
    peer_lines: Vec<String>,
    bounds: Vec<BoundView>,
    course: CourseView,
    memory_heading: &'static str,
    memory: Vec<String>,
    beside: Vec<String>,
    design: DesignView,
    groups: Vec<Group>,
}

/// A record as one self-contained file: no network, no script.
///
/// # Errors
/// When the template cannot be filled in.
pub fn html_page(record: &Record, context: &PageContext<'_>) -> Result<String, Failure> {
    let gathered: Option<Vec<Block<'_>>> = match context.samples {
        SamplesShown::Read(rows) => Some(blocks(record, rows)),
        SamplesShown::NotRead { .. } => None,
    };
    let results = results(record, context.life);
    let standing = Standing::of(context.life);
    let analysis = &record.sealed.analysis;
    let page = RecordPage {
        id: record.sealed.id.to_string(),
        run: record.sealed.run.to_string(),
        title: record.plan.title.clone(),
        hypothesis: record.plan.hypothesis.clone(),
        index: context.index.map(str::to_owned),
        is_struck: is_struck(&context.life.state),
        life: life_lines(context.life),
        ladder_headlines: headlines(record),
        tallies: tallies(analysis.comparisons.iter().map(|comparison| comparison.verdict)),
        facts: facts(record, &standing),
        standing,
        forest: forest::comparisons(record, &results),
        comparisons: results
            .into_iter()
            .map(|result| comparison(record, result, gathered.as_deref()))
            .collect(),
        ladders: ladders(record),
        contracts: contracts(record),
        contract_sentences: sentences(record),
        notes: notes(record),
        secondary: secondary(record),
        peers: Table::of(peers::HEADING, &peers::HEADER, peers::rows(record)),
        peer_lines: peers::lines(record),
        drafts: Table::of(drafts::HEADING, &drafts::HEADER, drafts::rows(record)),
        bounds: bounds(record),
        course: course(record, context.samples, gathered.as_deref()),
        memory_heading: MEMORY_HEADING,
        memory: memory_lines(record),
        beside: beside_lines(record, context.counterparts),
        design: design(record),
        groups: groups(record),
    };
    finished(&page)
}

fn secondary(record: &Record) -> Option<Table> {
    let rows = record.sealed.analysis.secondary.iter().map(|figure| {
        [
            name(&figure.arm, &figure.condition),
            figure.metric.replace('_', " "),
            format!("{} {}", spread_text(&figure.values), unit_of(&figure.metric)),
            figure.values.n.to_string(),
        ]
    });
    let unknown = energy::unknown(record)
        .map(|why| ["every arm".to_owned(), "joules per token".to_owned(), why, "0".to_owned()]);
    let rows = rows.chain(unknown);
    let head = ["arm", "metric", "median (quartiles)", "blocks"];
    Table::of("Secondary metrics, described and not judged", &head, rows)
}
