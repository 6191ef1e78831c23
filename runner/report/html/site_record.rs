//! A record in the index of all.

use super::super::figures::confidence;
use super::super::notes::commit;
use super::super::rows::{name, reason_word};
use super::facts::{moment, regime};
use super::forest::interval;
use super::state::{Standing, comparison_state, is_struck};
use super::verdict::Badge;
use crate::record::{Life, Record};
use crate::report::percent_change;

/// What the index shows of a record. Not escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteRecord {
    pub(super) id: String,
    pub(super) run: String,
    /// Address of its page, from the index.
    pub(super) address: String,
    pub(super) title: String,
    pub(super) hypothesis: String,
    pub(super) standing: Standing,
    pub(super) attempt: u32,
    /// RFC 3339; what records are sorted by.
    pub(super) started: String,
    pub(super) date: String,
    pub(super) commit: String,
    pub(super) machine: String,
    pub(super) model: String,
    pub(super) backend: String,
    pub(super) regime: String,
    pub(super) rows: Vec<SiteRow>,
}

/// A comparison of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SiteRow {
    pub name: String,
    pub badge: Badge,
    pub reason: String,
    pub change: String,
    pub interval: String,
    pub confidence: String,
    pub n: String,
    pub is_struck: bool,
}

impl SiteRecord {
    /// Of a record, what stands around it and the address of its page.
    #[must_use]
    pub fn of(record: &Record, life: &Life, address: &str) -> SiteRecord {
        let (sealed, provenance) = (&record.sealed, &record.provenance);
        let cpu = provenance.start.machine.get("cpu_model");
        let rows = sealed.analysis.comparisons.iter().map(|comparison| {
            let effect = comparison.effect.as_ref();
            let state = comparison_state(life, &comparison.arm, &comparison.condition);
            SiteRow {
                is_struck: is_struck(state),
                name: name(&comparison.arm, &comparison.condition),
                badge: Badge::of(comparison.verdict),
                reason: reason_word(comparison.reason.code).replace('_', " "),
                change: effect
                    .map_or_else(|| "none".to_owned(), |one| percent_change(one.log_ratio)),
                interval: interval(effect),
                confidence: effect
                    .map_or_else(String::new, |one| confidence(one.confidence_percent)),
                n: format!("{} rounds, {} blocks", comparison.rounds, comparison.blocks),
            }
        });
        let backends = &provenance.regime.backends;
        SiteRecord {
            id: sealed.id.to_string(),
            run: sealed.run.to_string(),
            address: address.to_owned(),
            title: record.plan.title.clone(),
            hypothesis: record.plan.hypothesis.clone(),
            standing: Standing::of(life),
            attempt: sealed.attempt,
            started: provenance.start.utc.clone(),
            date: moment(&provenance.start.utc),
            commit: commit(provenance.repository.commit.as_deref(), provenance.repository.state),
            machine: cpu.map_or("unknown", String::as_str).to_owned(),
            model: provenance.model.name.clone(),
            backend: if backends.is_empty() {
                "unknown".to_owned()
            } else {
                backends.join(" and ")
            },
            regime: regime(record),
            rows: rows.collect(),
        }
    }

    /// Words of its verdicts, each between spaces.
    pub(super) fn verdicts(&self) -> String {
        let words: Vec<&str> = self.rows.iter().map(|row| row.badge.word.as_str()).collect();
        format!(" {} ", words.join(" "))
    }

    /// What a search looks through.
    pub(super) fn searched(&self) -> String {
        let mut parts = vec![
            self.id.as_str(),
            &self.run,
            &self.title,
            &self.hypothesis,
            &self.machine,
            &self.model,
            &self.backend,
            &self.regime,
            &self.commit,
            &self.standing.word,
        ];
        parts.extend(self.rows.iter().flat_map(|row| [row.name.as_str(), &row.reason]));
        parts.join(" ").to_lowercase()
    }
}
