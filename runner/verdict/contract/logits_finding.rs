//! The finding of a `cosine`, `kl` or `argmax` contract: the worst of all texts is held against
//! the bar.

use super::logits::{LogitFigures, Place, shown};
use crate::manifest::Contract;
use crate::verdict::{ContractFinding, ContractState};

/// One text on which two sides were compared.
#[derive(Debug, Clone, PartialEq)]
pub struct TextFigures {
    /// The set that it is from.
    pub set: String,
    /// The same in words, with what it is here.
    pub text: String,
    /// Positions that should have been compared on it.
    pub wanted: u64,
    /// What was found.
    pub figures: LogitFigures,
}

/// An arm held against itself, in two processes.
#[derive(Debug, Clone, PartialEq)]
pub struct SelfFigures {
    /// The arm's name.
    pub arm: String,
    /// What was found.
    pub repeat: Repeat,
}

/// How two processes of one arm compare.
#[derive(Debug, Clone, PartialEq)]
pub enum Repeat {
    /// All rows are the same bytes.
    EqualBytes {
        /// How many rows.
        positions: u64,
    },
    /// They are not.
    Apart(Box<LogitFigures>),
}

/// All that was compared for an arm's logit contracts at one depth.
#[derive(Debug, Clone, PartialEq)]
pub struct LogitsTested {
    /// How, in words: `teacher-forced token by token at depth 512`.
    pub how: String,
    /// Index of the condition's value at which; `None` where all have the same text.
    pub condition: Option<u32>,
    /// The experiment's own text first.
    pub texts: Vec<TextFigures>,
    /// Off and the arm against themselves.
    pub selves: Vec<SelfFigures>,
}

/// Whether figures reach a contract's bar; `None` when there are none.
#[must_use]
pub fn reaches(contract: &Contract, figures: &LogitFigures) -> Option<bool> {
    match contract {
        Contract::Identical => None,
        Contract::Cosine { at_least, .. } => {
            figures.cosine_min.map(|least| least.value >= *at_least)
        }
        Contract::Kl { mean_at_most, p99_at_most, .. } => figures
            .kl_mean
            .zip(figures.kl_p99)
            .map(|(mean, p99)| mean <= *mean_at_most && p99 <= *p99_at_most),
        Contract::Argmax { agreement_at_least, .. } => {
            figures.argmax_agreement.map(|agreement| agreement >= *agreement_at_least)
        }
    }
}

/// What an arm's logits came to. It fails when a row could not be compared, when fewer positions
/// were compared than the contract says, and when any text misses the bar. Where a side differs
/// from itself by more than the bar, the question has no answer. `identical` is about tokens and
/// cannot be answered here.
#[must_use]
pub fn logits_finding(arm: &str, contract: &Contract, tested: &LogitsTested) -> ContractFinding {
    let mut texts: Vec<&TextFigures> = tested.texts.iter().collect();
    // the worst first; of equal ones the experiment's own, which stands before the others
    texts.sort_by(|left, right| badness(contract, right).total_cmp(&badness(contract, left)));
    let compared = texts.iter().map(|text| text.figures.compared).sum();
    let unsteady = tested.selves.iter().find(|side| match &side.repeat {
        Repeat::EqualBytes { positions } => *positions == 0,
        Repeat::Apart(figures) => {
            figures.fault.is_some() || reaches(contract, figures) != Some(true)
        }
    });
    let kept = !texts.is_empty() && texts.iter().all(|text| is_kept(contract, text));
    let state = match (contract, unsteady) {
        (Contract::Identical, _) => ContractState::NotRun,
        (_, Some(_)) => ContractState::NotSelfEqual,
        (_, None) if kept => ContractState::Kept,
        (_, None) => ContractState::Broken,
    };
    let mut detail = match (contract, texts.first()) {
        (Contract::Identical, _) => "logits say nothing about tokens".to_owned(),
        (_, None) => "no position was compared".to_owned(),
        (_, Some(worst)) => {
            let rest = texts.iter().skip(1);
            let rest = rest.map(|text| format!("; on {}: {}", text.text, figure(contract, text)));
            let rest: String = rest.collect();
            format!("worst on {}: {}{rest}", worst.text, sentence(contract, worst))
        }
    };
    for side in &tested.selves {
        detail.push_str(&format!("; {}", repeated(contract, side)));
    }
    let first_divergence = match unsteady.map(|side| &side.repeat) {
        Some(Repeat::Apart(figures)) => place_of(figures),
        Some(Repeat::EqualBytes { .. }) => None,
        None => texts.first().and_then(|text| place_of(&text.figures)),
    };
    ContractFinding {
        arm: arm.to_owned(),
        contract: contract_key(contract).to_owned(),
        condition: tested.condition,
        state,
        compared,
        detail: format!("{}: {detail}", tested.how),
        first_divergence,
        figures: figures(&texts),
    }
}

/// The worst text's figures by their names, and those of the others with their text.
fn figures(texts: &[&TextFigures]) -> Vec<crate::verdict::NamedFigure> {
    let named = texts.iter().enumerate().flat_map(|(rank, text)| match rank {
        0 => text.figures.named(),
        _ => text.figures.named_of(&text.set),
    });
    named.collect()
}

fn contract_key(contract: &Contract) -> &'static str {
    match contract {
        Contract::Identical => "identical",
        Contract::Cosine { .. } => "cosine",
        Contract::Kl { .. } => "kl",
        Contract::Argmax { .. } => "argmax",
    }
}

fn is_kept(contract: &Contract, text: &TextFigures) -> bool {
    let figures = &text.figures;
    figures.fault.is_none()
        && figures.compared > 0
        && figures.compared >= text.wanted
        && reaches(contract, figures) == Some(true)
}

/// Greater is worse; what could not be compared is the worst.
fn badness(contract: &Contract, text: &TextFigures) -> f64 {
    let figures = &text.figures;
    if figures.fault.is_some() || figures.compared == 0 || figures.compared < text.wanted {
        return f64::INFINITY;
    }
    let bad = match contract {
        Contract::Identical => None,
        Contract::Cosine { .. } => figures.cosine_min.map(|least| -least.value),
        Contract::Kl { mean_at_most, p99_at_most, .. } => figures
            .kl_mean
            .zip(figures.kl_p99)
            .map(|(mean, p99)| (mean / mean_at_most).max(p99 / p99_at_most)),
        Contract::Argmax { .. } => figures.argmax_agreement.map(|agreement| -agreement),
    };
    bad.unwrap_or(f64::INFINITY)
}

/// The figures of the worst text, with the bar and the place.
fn sentence(contract: &Contract, text: &TextFigures) -> String {
    let figures = &text.figures;
    if let Some(fault) = &figures.fault {
        return format!("{fault}; {} positions before it were sound", figures.compared);
    }
    if figures.compared == 0 {
        return "no position was compared".to_owned();
    }
    let said = match contract {
        Contract::Identical => String::new(),
        Contract::Cosine { at_least, .. } => format!(
            "cosine min {} (bar {at_least}){}, mean {}, centred min {}",
            shown(figures.cosine_min.map(|least| least.value)),
            at(figures.cosine_min),
            shown(figures.cosine_mean),
            shown(figures.centred_cosine_min),
        ),
        Contract::Kl { mean_at_most, p99_at_most, .. } => format!(
            "KL mean {} (bar {mean_at_most}), p99 {} (bar {p99_at_most}), median {}, max {} \
             nats{}",
            shown(figures.kl_mean),
            shown(figures.kl_p99),
            shown(figures.kl_median),
            shown(figures.kl_max.map(|most| most.value)),
            at(figures.kl_max),
        ),
        Contract::Argmax { agreement_at_least, .. } => format!(
            "argmax agreement {} (bar {agreement_at_least}){}",
            shown(figures.argmax_agreement),
            figures.clearest_disagreement.map_or(String::new(), |place| format!(
                ", at the clearest disagreement both are surer than {} of their tokens{}",
                shown(Some(place.value)),
                at(Some(place))
            )),
        ),
    };
    if figures.compared < text.wanted {
        return format!("{} of {} positions compared: {said}", figures.compared, text.wanted);
    }
    let ratio = figures.perplexity_ratio;
    let ratio = ratio.map_or(String::new(), |_| format!(", perplexity x{}", shown(ratio)));
    format!("{said}{ratio}, {} positions", figures.compared)
}

/// A place with the margins there, so that a near-tie is told from a clear difference.
fn at(place: Option<Place>) -> String {
    place.map_or(String::new(), |place| {
        format!(
            " at position {} (margins of the best token {} and {})",
            place.position,
            shown(Some(place.here.margin)),
            shown(Some(place.there.margin))
        )
    })
}

/// The deciding figure of another text.
fn figure(contract: &Contract, text: &TextFigures) -> String {
    let figures = &text.figures;
    if figures.fault.is_some() || figures.compared < text.wanted {
        return sentence(contract, text);
    }
    let said = match contract {
        Contract::Identical => String::new(),
        Contract::Cosine { .. } => {
            format!("cosine min {}", shown(figures.cosine_min.map(|least| least.value)))
        }
        Contract::Kl { .. } => {
            format!("KL mean {}, p99 {}", shown(figures.kl_mean), shown(figures.kl_p99))
        }
        Contract::Argmax { .. } => format!("agreement {}", shown(figures.argmax_agreement)),
    };
    format!("{said}, {} positions", figures.compared)
}

fn repeated(contract: &Contract, side: &SelfFigures) -> String {
    let name = &side.arm;
    match &side.repeat {
        Repeat::EqualBytes { positions } => {
            format!(
                "`{name}` equals itself to the last bit in a second process, {positions} positions"
            )
        }
        Repeat::Apart(figures) => {
            let itself = TextFigures {
                set: String::new(),
                text: String::new(),
                wanted: figures.compared,
                figures: (**figures).clone(),
            };
            format!(
                "`{name}` differs from itself in a second process: {}",
                sentence(contract, &itself)
            )
        }
    }
}

fn place_of(figures: &LogitFigures) -> Option<String> {
    match &figures.fault {
        Some(fault) => Some(fault.to_string()),
        None => figures.first_argmax_difference.clone(),
    }
}
