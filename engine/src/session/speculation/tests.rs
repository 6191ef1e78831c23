//! Verification and rollback on a model that is a hash of all it has in its cache: whatever is
//! left there by mistake changes every later token.

use engine_protocol::{DecodeRequest, DraftAcceptance, Feed, Token};

use super::Speculation;
use super::drafter::Drafter;
use super::lookup::PromptLookup;
use super::target::Target;
use crate::EngineError;

/// How a cache is rolled back.
trait Rollback {
    fn kept(&self, length: usize, evaluated: usize) -> usize;
}

/// As it should be.
struct Exact;

impl Rollback for Exact {
    fn kept(&self, length: usize, _: usize) -> usize {
        length
    }
}

/// One rejected token stays.
struct LeavesOne;

impl Rollback for LeavesOne {
    fn kept(&self, length: usize, evaluated: usize) -> usize {
        (length + 1).min(evaluated)
    }
}

struct Toy<R> {
    cache: Vec<Token>,
    /// What the caller believes the length to be.
    length: usize,
    width: usize,
    rollback: R,
}

impl<R> Toy<R> {
    fn new(prompt: &[Token], rollback: R) -> Self {
        Self { cache: prompt.to_vec(), length: prompt.len(), width: 0, rollback }
    }
}

/// Few tokens, so that text repeats; half of them follow from the last one alone.
fn choice(cache: &[Token]) -> Token {
    let last = cache.last().copied().unwrap_or(0);
    let sum = cache.iter().fold(7_i64, |sum, token| (sum * 31 + i64::from(*token)) % 1009);
    let token = if sum % 3 == 0 { sum % 5 } else { i64::from((last + 1) % 5) };
    Token::try_from(token).unwrap()
}

impl<R: Rollback> Target for Toy<R> {
    fn length(&self) -> usize {
        self.length
    }

    fn evaluate(&mut self, batch: &[Token]) -> Result<(), EngineError> {
        self.cache.extend_from_slice(batch);
        self.length += batch.len();
        self.width = batch.len();
        Ok(())
    }

    fn choices(&mut self, width: usize) -> Result<Vec<Token>, EngineError> {
        assert_eq!(width, self.width);
        let before = self.cache.len() - width;
        Ok((1..=width).map(|kept| choice(&self.cache[..before + kept])).collect())
    }

    fn keep(&mut self, length: usize) -> Result<(), EngineError> {
        let extra = self.cache.len() - self.length;
        let kept = self.rollback.kept(length + extra, self.cache.len());
        self.cache.truncate(kept);
        self.length = length;
        Ok(())
    }
}

const PROMPT: [Token; 6] = [1, 2, 3, 1, 2, 4];

fn plain(count: usize) -> Vec<Token> {
    let mut cache = PROMPT.to_vec();
    let mut chosen = Vec::new();
    for _ in 0..count {
        cache.push(choice(&cache));
        chosen.push(choice(&cache));
    }
    chosen
}

fn speculation(longest: usize, acceptance: DraftAcceptance) -> Speculation {
    Speculation {
        drafter: Drafter::Lookup(PromptLookup { longest: 3 }),
        longest,
        acceptance,
        text: PROMPT.to_vec(),
    }
}

fn request(untimed: u32, timed: u32, feed: Feed) -> DecodeRequest {
    DecodeRequest { untimed_tokens: untimed, timed_tokens: timed, feed }
}

#[test]
fn drafting_gives_the_tokens_of_plain_decoding_and_counts_each_once() {
    for longest in [1, 2, 4, 8] {
        let mut toy = Toy::new(&PROMPT, Exact);
        let mut drafting = speculation(longest, DraftAcceptance::Greedy);
        let chunk =
            drafting.decode(&mut toy, choice(&PROMPT), &request(1, 60, Feed::Free)).unwrap();
        assert_eq!(chunk.chosen, plain(chunk.chosen.len()), "{longest}");
        assert!((60..=60 + longest).contains(&chunk.timed_tokens), "{longest}");
        assert_eq!(chunk.chosen.len(), chunk.timed_tokens + 1);
        assert_eq!(toy.cache.len(), PROMPT.len() + chunk.chosen.len());
        assert_eq!(toy.cache, drafting.text);
        let counts = &chunk.counts;
        let accepted: u64 = counts.accepted_by_position.iter().sum();
        let drafted: u64 = counts.drafted_by_position.iter().sum();
        assert!(accepted > 0 && accepted < drafted, "{counts:?}");
        assert_eq!(counts.evaluations + accepted, chunk.timed_tokens as u64);
        assert_eq!(counts.evaluated_tokens, counts.evaluations + drafted);
        assert_eq!(counts.evaluations_by_width.iter().sum::<u64>(), counts.evaluations);
        assert_eq!(counts.drafted_by_position.len(), counts.accepted_by_position.len());
        assert_eq!(counts.drafter_tokens, 0);
    }
}

#[test]
fn a_rollback_that_leaves_a_rejected_token_changes_the_output() {
    let mut toy = Toy::new(&PROMPT, LeavesOne);
    let mut drafting = speculation(4, DraftAcceptance::Greedy);
    let chunk = drafting.decode(&mut toy, choice(&PROMPT), &request(1, 60, Feed::Free)).unwrap();
    assert_ne!(chunk.chosen, plain(chunk.chosen.len()));
    // The control rolls back as much, so it shows the fault too.
    let mut toy = Toy::new(&PROMPT, LeavesOne);
    let mut control = speculation(4, DraftAcceptance::Nothing);
    let chunk = control.decode(&mut toy, choice(&PROMPT), &request(1, 60, Feed::Free)).unwrap();
    assert_ne!(chunk.chosen, plain(61));
}

#[test]
fn a_control_keeps_one_token_of_every_full_batch() {
    let mut toy = Toy::new(&PROMPT, Exact);
    let mut control = speculation(4, DraftAcceptance::Nothing);
    let chunk = control.decode(&mut toy, choice(&PROMPT), &request(1, 20, Feed::Free)).unwrap();
    assert_eq!(chunk.chosen, plain(21));
    assert_eq!(chunk.timed_tokens, 20);
    assert_eq!(chunk.counts.evaluations_by_width, [0, 0, 0, 0, 20]);
    assert_eq!(chunk.counts.evaluated_tokens, 100);
    assert_eq!(chunk.counts.accepted_by_position.iter().sum::<u64>(), 0);
}

#[test]
fn fed_text_decides_what_is_kept_and_is_never_passed() {
    // a text that repeats, which the toy would not choose
    let fed: Vec<Token> = [1, 2, 3].repeat(7);
    let mut toy = Toy::new(&PROMPT, Exact);
    let mut drafting = speculation(4, DraftAcceptance::Greedy);
    let feed = Feed::Fed(fed.clone());
    let chunk = drafting.decode(&mut toy, choice(&PROMPT), &request(1, 20, feed)).unwrap();
    assert_eq!(chunk.timed_tokens, 20);
    assert_eq!(toy.cache, [PROMPT.to_vec(), fed].concat());
    assert!(chunk.counts.accepted_by_position.iter().sum::<u64>() > 10);
    for (index, chosen) in chunk.chosen.iter().enumerate() {
        assert_eq!(*chosen, choice(&toy.cache[..=PROMPT.len() + index]));
    }
}

#[test]
fn chunks_join_up_whatever_each_went_beyond() {
    let mut toy = Toy::new(&PROMPT, Exact);
    let mut drafting = speculation(8, DraftAcceptance::Greedy);
    let (mut chosen, mut next) = (Vec::new(), choice(&PROMPT));
    for _ in 0..6 {
        let chunk = drafting.decode(&mut toy, next, &request(1, 9, Feed::Free)).unwrap();
        chosen.extend(chunk.chosen);
        next = *chosen.last().unwrap();
    }
    assert_eq!(chosen, plain(chosen.len()));
}
