//! Scripted drafts: how many of each are accepted comes from the script, and the tokens from the
//! same hash as without drafts.

use engine_protocol::{
    DecodeRequest, Decoded, DraftAcceptance, DraftSource, Feed, LoadRequest, ProblemKind, Reply,
    SpeculationCounts, Token,
};

use crate::engine::{Engine, count, problem};

/// What the settings say of drafts.
#[derive(Debug, Clone, Copy)]
pub struct Drafting {
    /// Longest draft.
    longest: usize,
    keeps_none: bool,
    /// Whether a model drafts.
    has_model: bool,
}

impl Drafting {
    pub fn of(load: &LoadRequest) -> Option<Drafting> {
        let settings = &load.settings;
        let source = settings.draft_source.filter(|source| *source != DraftSource::Nothing)?;
        Some(Drafting {
            longest: settings.draft_tokens.unwrap_or(1) as usize,
            keeps_none: settings.draft_acceptance == Some(DraftAcceptance::Nothing),
            has_model: source != DraftSource::PromptLookup,
        })
    }
}

impl Engine {
    pub fn decode_with_drafts(&mut self, decode: &DecodeRequest, drafting: Drafting) -> Reply {
        let asked = decode.untimed_tokens as usize + decode.timed_tokens as usize;
        if let Some(problem) = self.over_context(asked + drafting.longest) {
            return problem;
        }
        let fed: Option<&[Token]> = match &decode.feed {
            Feed::Free => None,
            Feed::Fed(tokens) if tokens.len() == asked => Some(tokens),
            Feed::Fed(_) => return problem(ProblemKind::Protocol, "too few tokens are fed"),
        };
        let mut chosen: Vec<Token> = Vec::new();
        let mut counts = SpeculationCounts {
            drafted_by_position: vec![0; drafting.longest],
            accepted_by_position: vec![0; drafting.longest],
            evaluations_by_width: vec![0; drafting.longest + 1],
            ..SpeculationCounts::default()
        };
        while chosen.len() < decode.untimed_tokens as usize {
            let token = fed.and_then(|fed| fed.get(chosen.len()).copied());
            chosen.push(self.step(token.unwrap_or(self.next())));
        }
        let pattern = self.behaviour().accepts.clone();
        let mut turn = 0;
        while chosen.len() < asked {
            let room = fed.map_or(drafting.longest, |fed| fed.len() - chosen.len() - 1);
            let drafted = drafting.longest.min(room);
            let wanted = pattern.get(turn % pattern.len().max(1)).copied().unwrap_or(0) as usize;
            let accepted = if drafting.keeps_none { 0 } else { wanted.min(drafted) };
            turn += 1;
            for _ in 0..=accepted {
                let token = fed.and_then(|fed| fed.get(chosen.len()).copied());
                chosen.push(self.step(token.unwrap_or(self.next())));
            }
            if accepted < drafted && self.behaviour().rollback_leaves_token {
                self.left_over += 1;
            }
            let width = if drafting.keeps_none { drafting.longest } else { drafted };
            let off_by = isize::try_from(self.behaviour().width_off_by).unwrap_or(0);
            let width = width.saturating_add_signed(off_by);
            if counts.evaluations_by_width.len() <= width {
                counts.evaluations_by_width.resize(width + 1, 0);
            }
            counts.evaluations += 1;
            counts.evaluated_tokens += width as u64 + 1;
            counts.evaluations_by_width[width] += 1;
            counts.drafted_by_position[..drafted].iter_mut().for_each(|count| *count += 1);
            counts.accepted_by_position[..accepted].iter_mut().for_each(|count| *count += 1);
            if drafting.has_model {
                counts.drafter_tokens += drafted as u64;
            }
        }
        if let Some(first) = counts.accepted_by_position.first_mut() {
            *first = first.saturating_add_signed(self.behaviour().accepted_off_by);
        }
        if let Some(first) = counts.drafted_by_position.first_mut() {
            *first = first.saturating_add_signed(self.behaviour().drafted_off_by);
        }
        let timed = chosen.len() - decode.untimed_tokens as usize;
        if self.behaviour().end_of_text_twice {
            chosen.push(self.next());
        }
        let evaluations = usize::try_from(counts.evaluations).unwrap_or(0);
        let nanoseconds = self.time(self.behaviour().decode_nanoseconds_per_token, evaluations);
        let reported = i64::try_from(timed).unwrap_or(0) + self.behaviour().tokens_off_by;
        Reply::Decoded(Decoded {
            peer: None,
            timed_tokens: u32::try_from(reported).unwrap_or(0),
            nanoseconds,
            chosen,
            position: count(self.length()),
            slots: None,
            speculation: Some(counts),
        })
    }
}
