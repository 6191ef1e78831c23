//! The engine that is not there: tokens by hashing, times by script.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use engine_protocol::{
    Beginning, Begun, BufferBytes, BufferKind, Command, DecodeRequest, Decoded, EngineFacts, Feed,
    Greeting, LoadRequest, Loaded, LogitsFile, LogitsRequest, ModelFacts, OperationCount,
    PrefillRequest, Prefilled, Problem, ProblemKind, Reply, SETTING_KEYS, SlotsDecoded, SourcePin,
    Token,
};

use crate::drafts::Drafting;
use crate::energy;
use crate::layers::layers_of;
use crate::noise::Noise;
use crate::requantise::requantise;
use crate::script::{Behaviour, FaultKind, Processes, Script};

/// Beginning of text.
const OPENING: Token = 1;
/// Tokens below this have a meaning of their own.
const FIRST_WORD: u64 = 3;
/// How much longer a stall takes than it should: 23.8 s instead of 1.6 s was seen.
const STALL_FACTOR: f64 = 15.0;

/// The state of a process.
pub struct Engine {
    script: Script,
    behaviour: Behaviour,
    noise: Noise,
    process_factor: f64,
    process: u64,
    counts: BTreeMap<&'static str, u32>,
    greeted: bool,
    loaded: bool,
    begun: bool,
    sequence: Vec<Token>,
    /// Rejected tokens that a broken rollback left in the cache.
    pub(crate) left_over: usize,
    next: Token,
    drafting: Option<Drafting>,
    /// Memory that is really held.
    held: Vec<u8>,
    slots: u32,
    /// Tokens that fit.
    context: u32,
}

impl Engine {
    /// Before anything is loaded.
    pub fn new() -> Engine {
        let early = std::env::var_os("FAKE_WORKER_SCRIPT").map(PathBuf::from);
        let script = early.and_then(|path| Script::read(&path).ok()).unwrap_or_default();
        crate::OUTLIVES_INPUT.store(script.base.outlives_input, Ordering::Relaxed);
        Engine {
            context: script.context_tokens,
            behaviour: script.base.clone(),
            script,
            noise: Noise::new(0, 0),
            process_factor: 1.0,
            process: 0,
            counts: BTreeMap::new(),
            greeted: false,
            loaded: false,
            begun: false,
            sequence: Vec::new(),
            left_over: 0,
            next: OPENING,
            drafting: None,
            held: Vec::new(),
            slots: 1,
        }
    }

    /// Counts the command and says what goes wrong with it.
    pub fn fault_of(&mut self, command: &Command) -> Option<FaultKind> {
        let name = name(command);
        let count = self.counts.entry(name).or_insert(0);
        *count += 1;
        let fault = self.behaviour.fault.as_ref()?;
        let here = fault.command == name
            && fault.nth == *count
            && fault.process.is_none_or(|process| process == self.process);
        here.then_some(fault.kind)
    }

    /// Whether the script's worker was made before this message.
    pub fn is_unknown(&self, command: &Command) -> bool {
        self.behaviour.unknown.iter().any(|unknown| unknown == name(command))
    }

    /// The answer to a command.
    pub fn reply(&mut self, command: Command) -> Reply {
        if let Some(fault) = &self.behaviour.fault
            && fault.kind == FaultKind::Problem
            && fault.command == name(&command)
            && self.counts.get(name(&command)) == Some(&fault.nth)
        {
            return problem(ProblemKind::Compute, "scripted");
        }
        let early = matches!(
            command,
            Command::Hello { .. } | Command::Load(_) | Command::Requantise(_) | Command::Shutdown
        );
        let first = matches!(command, Command::Hello { .. } | Command::Shutdown);
        if !first && !self.greeted {
            return problem(ProblemKind::Protocol, "`hello` comes first");
        }
        if !early && !self.loaded {
            return problem(ProblemKind::Protocol, "nothing is loaded");
        }
        match command {
            Command::Hello { protocol_version } => self.greet(protocol_version),
            Command::Load(load) => self.load(&load).map_or_else(Reply::Problem, Reply::Loaded),
            Command::Tokenize { text } => Reply::Tokens(self.tokenize(&text)),
            Command::Begin(begin) => self.begin(begin),
            Command::Decode(decode) => self.decode(&decode),
            Command::Prefill(prefill) => self.prefill(prefill),
            Command::Logits(logits) => self.logits(&logits),
            Command::Operations(_) => Reply::Operations(self.operations()),
            Command::Requantise(request) => match requantise(&request, &self.behaviour) {
                Ok(made) => Reply::Requantised(made),
                Err(message) => problem(ProblemKind::Scratch, &message),
            },
            Command::Observe(request) => crate::observe::observe(&self.behaviour.observe, &request)
                .map_or_else(Reply::Problem, Reply::Observed),
            Command::Primitive(request) => {
                let behaviour = self.behaviour.primitive.clone();
                crate::primitive::timed(&request, &behaviour, &mut |each| self.time(each, 1))
            }
            Command::Weights(_) | Command::Slots(_) => {
                problem(ProblemKind::Unsupported, "there is no graph behind this worker")
            }
            Command::Shutdown => Reply::Ending,
        }
    }

    /// A scripted version is spoken, whatever is asked for.
    fn greet(&mut self, asked: u32) -> Reply {
        let own = engine_protocol::PROTOCOL_VERSION;
        if asked != own && self.behaviour.protocol_version == own {
            return problem(ProblemKind::Protocol, &format!("version {asked} is not spoken here"));
        }
        self.greeted = true;
        Reply::Greeting(self.greeting())
    }

    fn greeting(&self) -> Greeting {
        Greeting {
            protocol_version: self.behaviour.protocol_version,
            worker: "fake-worker 1".to_owned(),
            engine: EngineFacts {
                name: "fake".to_owned(),
                version: "1".to_owned(),
                source: SourcePin::Pinned { package: "fake".to_owned(), version: "1".to_owned() },
                source_blake3: self.behaviour.source_blake3.clone(),
                compiler: "none".to_owned(),
                flags: BTreeMap::new(),
                instruction_set: self.behaviour.instruction_set.clone(),
                backends: vec!["FAKE".to_owned()],
                threading: "none".to_owned(),
                supported_settings: SETTING_KEYS.iter().map(|key| (*key).to_owned()).collect(),
            },
        }
    }

    fn load(&mut self, load: &LoadRequest) -> Result<Loaded, Problem> {
        // a real model file stands for the script that the variable names
        let model = Path::new(&load.model_path);
        let early = std::env::var_os("FAKE_WORKER_SCRIPT").map(PathBuf::from);
        let script = early.filter(|_| model.extension().is_none_or(|end| end != "toml"));
        let path = script.as_deref().unwrap_or(model);
        let bad = |message: String| Problem { kind: ProblemKind::Model, message };
        std::fs::metadata(model).map_err(|error| bad(error.to_string()))?;
        let text = std::fs::read_to_string(path).map_err(|error| bad(error.to_string()))?;
        self.script = Script::read(path).map_err(bad)?;
        let process = processes_before(path) + 1;
        self.behaviour =
            Script::behaviour(&text, (&load.settings, &load.model_path), process).map_err(bad)?;
        crate::OUTLIVES_INPUT.store(self.behaviour.outlives_input, Ordering::Relaxed);
        for key in load.settings.named() {
            if self.behaviour.unsupported.iter().any(|unsupported| unsupported == key) {
                let message = format!("`{key}` would be ignored by this engine");
                return Err(Problem { kind: ProblemKind::Unsupported, message });
            }
        }
        self.drafting = Drafting::of(load);
        self.slots = load.settings.slots.unwrap_or(1);
        if let (Some(_), Some(other)) = (&load.draft_model_path, self.behaviour.drafter_vocabulary)
            && other != self.script.vocabulary
        {
            return Err(bad(format!(
                "the draft model has another vocabulary than the model: {} tokens against {other}",
                self.script.vocabulary
            )));
        }
        count_process(path);
        self.process = process;
        self.noise = Noise::new(self.script.seed, self.process);
        self.process_factor = (self.noise.normal() * self.behaviour.process_sd).exp();
        if self.behaviour.burn {
            std::thread::spawn(|| {
                let mut noise = Noise::new(0, 0);
                while noise.bits() != 0 || noise.bits() != 0 {}
            });
        }
        flood(self.behaviour.stderr_bytes);
        let mut effective = load.settings.clone();
        self.context = *effective.context_tokens.get_or_insert(self.script.context_tokens);
        let effective = effective.overlaid(&self.behaviour.effective);
        // not zero, so that each page is there
        self.held = vec![1; self.behaviour.holds_megabytes * 1_000_000];
        self.loaded = true;
        Ok(Loaded {
            model: ModelFacts {
                architecture: "fake".to_owned(),
                description: "a script".to_owned(),
                parameters: 1,
                vocabulary: self.behaviour.vocabulary.unwrap_or(self.script.vocabulary),
                trained_context_tokens: self.script.context_tokens,
                layers: self.behaviour.layers.unwrap_or_else(|| layers_of(model)),
                tensor_bytes: 4,
                tensor_types: Vec::new(),
            },
            effective,
            buffers: match self.behaviour.buffers.as_slice() {
                [] => vec![BufferBytes {
                    device: "FAKE".to_owned(),
                    kind: BufferKind::Weights,
                    bytes: if path == model { 4 } else { file_bytes(model) },
                }],
                scripted => scripted.to_vec(),
            },
            backends: vec!["FAKE".to_owned()],
            placement: Vec::new(),
        })
    }

    fn tokenize(&self, text: &str) -> Vec<Token> {
        let word = |word: &str| self.word(hash(&[word.as_bytes()]));
        std::iter::once(OPENING).chain(text.split_whitespace().map(word)).collect()
    }

    fn word(&self, hash: u64) -> Token {
        let words = u64::from(self.script.vocabulary).saturating_sub(FIRST_WORD).max(1);
        Token::try_from(FIRST_WORD + hash % words).unwrap_or(0)
    }

    fn begin(&mut self, begin: Beginning) -> Reply {
        let prompt_tokens = begin.prompt.len();
        self.begun = true;
        let varied = self.of_different(&begin.prompt);
        self.left_over = 0;
        self.sequence = begin.depth;
        self.sequence.extend(begin.prompt);
        if let Some(problem) = self.over_context(0) {
            return problem;
        }
        self.next = self.choose();
        let nanoseconds =
            varied + self.time(self.behaviour.prefill_nanoseconds_per_token, prompt_tokens);
        Reply::Begun(Begun {
            prompt_tokens: count(prompt_tokens),
            nanoseconds,
            position: count(self.sequence.len()),
        })
    }

    fn decode(&mut self, decode: &DecodeRequest) -> Reply {
        if !self.begun {
            return problem(ProblemKind::Protocol, "`begin` comes first");
        }
        if let Some(drafting) = self.drafting {
            return self.decode_with_drafts(decode, drafting);
        }
        let tokens = decode.untimed_tokens as usize + decode.timed_tokens as usize;
        if let Some(problem) = self.over_context(tokens) {
            return problem;
        }
        let mut chosen = Vec::with_capacity(tokens);
        for step in 0..tokens {
            let token = match &decode.feed {
                Feed::Free => self.next,
                Feed::Fed(fed) => match fed.get(step) {
                    Some(token) => *token,
                    None => return problem(ProblemKind::Protocol, "too few tokens are fed"),
                },
            };
            self.sequence.push(token);
            self.next = self.choose();
            chosen.push(self.next);
        }
        if self.behaviour.end_of_text_twice {
            chosen.push(self.next);
        }
        let timed = decode.timed_tokens as usize;
        let nanoseconds = self.time(self.behaviour.decode_nanoseconds_per_token, timed);
        self.spend(nanoseconds, timed, tokens);
        let reported = i64::from(decode.timed_tokens) + self.behaviour.tokens_off_by;
        Reply::Decoded(Decoded {
            peer: None,
            timed_tokens: u32::try_from(reported).unwrap_or(0),
            nanoseconds,
            chosen,
            position: count(self.sequence.len()),
            speculation: None,
            slots: (self.slots > 1 && !self.behaviour.ignores_slots)
                .then_some(SlotsDecoded { sequences: self.slots, other_choices: 0 }),
        })
    }

    fn prefill(&mut self, prefill: PrefillRequest) -> Reply {
        let tokens = prefill.tokens.len();
        let varied = self.of_different(&prefill.tokens);
        let depth = prefill.depth.len();
        self.left_over = 0;
        self.sequence = prefill.depth;
        self.sequence.extend(prefill.tokens);
        if let Some(problem) = self.over_context(0) {
            return problem;
        }
        let chosen = self.choose();
        self.sequence.truncate(depth);
        let nanoseconds = varied + self.time(self.behaviour.prefill_nanoseconds_per_token, tokens);
        self.spend(nanoseconds, tokens, tokens);
        let reported = i64::try_from(tokens).unwrap_or(0) + self.behaviour.tokens_off_by;
        Reply::Prefilled(Prefilled {
            peer: None,
            timed_tokens: u32::try_from(reported).unwrap_or(0),
            nanoseconds,
            chosen: Some(chosen),
        })
    }

    fn logits(&self, logits: &LogitsRequest) -> Reply {
        let vocabulary = self.script.vocabulary;
        let from = logits.from_position as usize;
        let mut bytes = Vec::new();
        let mut rows = 0;
        let noise = self.logits_noise(logits);
        for (position, token) in logits.tokens.iter().enumerate().skip(from) {
            let only = &logits.only_positions;
            if !only.is_empty() && !only.contains(&count(position)) {
                continue;
            }
            rows += 1;
            let noise = match self.behaviour.logits_noise_from_position {
                Some(first) if count(position) < first => 0.0,
                _ => noise,
            };
            let best = self.choice(*token, position + 1);
            let other = self.another(best);
            for entry in 0..vocabulary {
                let place = [position as u64, u64::from(token.unsigned_abs()), u64::from(entry)];
                let clean = unit(hash(&place.map(u64::to_le_bytes).each_ref().map(|b| &b[..])));
                let clean = match entry {
                    best_word if best_word == best.unsigned_abs() => 1.125,
                    near if self.behaviour.near_tie && near == other.unsigned_abs() => 1.124,
                    _ => clean,
                };
                let pattern = unit(hash(&[&entry.to_le_bytes()]));
                let mut value = clean.mul_add(8.0, noise * pattern);
                let row = position - from;
                if self.behaviour.logits_nan_at == Some(count(row)) && entry == 0 {
                    value = f32::NAN;
                }
                bytes.extend(value.to_le_bytes());
            }
        }
        if let Err(error) = std::fs::write(&logits.path, &bytes) {
            return problem(ProblemKind::Scratch, &error.to_string());
        }
        Reply::Logits(LogitsFile {
            path: logits.path.clone(),
            positions: rows,
            vocabulary,
            blake3: blake3::hash(&bytes).to_hex().to_string(),
        })
    }

    /// The scripted noise, where the script wants it.
    fn logits_noise(&self, logits: &LogitsRequest) -> f32 {
        let behaviour = &self.behaviour;
        let evaluated = behaviour.logits_noise_evaluation.is_none_or(|of| of == logits.evaluation);
        let process = self.is_meant(behaviour.logits_noise_in_processes);
        let decodes = self.counts.get("decode").copied().unwrap_or(0);
        let used = behaviour.logits_noise_from_command.is_none_or(|from| decodes >= from);
        let mut tokens = logits.tokens.clone();
        tokens.sort_unstable();
        tokens.dedup();
        let varied =
            behaviour.logits_noise_distinct_tokens.is_none_or(|least| tokens.len() >= least);
        if evaluated && process && used && varied { behaviour.logits_noise } else { 0.0 }
    }

    fn operations(&self) -> Vec<OperationCount> {
        let fake = "FAKE".to_owned();
        let own = [(&fake, &self.behaviour.operations)];
        let counts = own.into_iter().chain(&self.behaviour.operations_on);
        counts
            .flat_map(|(device, operations)| {
                operations.iter().map(|(operation, count)| OperationCount {
                    operation: operation.clone(),
                    device: device.clone(),
                    count: *count,
                })
            })
            .collect()
    }

    pub(crate) fn over_context(&self, more: usize) -> Option<Reply> {
        let context = self.context as usize;
        let needed = self.sequence.len() + more;
        let message = format!("{needed} tokens do not fit a context of {context}");
        (needed > context).then(|| problem(ProblemKind::Context, &message))
    }

    /// Puts a token into the cache and gives the choice after it.
    pub(crate) fn step(&mut self, token: Token) -> Token {
        self.sequence.push(token);
        self.next = self.choose();
        self.next
    }

    /// The token that it would evaluate next by itself.
    pub(crate) fn next(&self) -> Token {
        self.next
    }

    pub(crate) fn behaviour(&self) -> &Behaviour {
        &self.behaviour
    }

    /// Tokens in the cache, as a sound worker would count them.
    pub(crate) fn length(&self) -> usize {
        self.sequence.len()
    }

    /// Greedy: a function of the last token and its position, but for a scripted divergence.
    fn choose(&self) -> Token {
        let last = self.sequence.last().copied().unwrap_or(OPENING);
        self.choice(last, self.sequence.len() + self.left_over)
    }

    fn choice(&self, last: Token, position: usize) -> Token {
        let place = [u64::from(last.unsigned_abs()), position as u64];
        let token = self.word(hash(&place.map(u64::to_le_bytes).each_ref().map(|b| &b[..])));
        if self.diverges(count(position)) {
            return self.another(token);
        }
        token
    }

    /// What a scripted divergence chooses instead.
    fn another(&self, token: Token) -> Token {
        self.word(u64::from(token.unsigned_abs()).saturating_sub(FIRST_WORD) + 1)
    }

    fn diverges(&self, position: u32) -> bool {
        let behaviour = &self.behaviour;
        let decodes = self.counts.get("decode").copied().unwrap_or(0);
        behaviour.diverge_from_position.is_some_and(|from| position >= from)
            && behaviour.diverge_from_command.is_none_or(|from| decodes >= from)
            && self.is_meant(behaviour.diverge_in_processes)
    }

    fn is_meant(&self, processes: Processes) -> bool {
        match processes {
            Processes::All => true,
            Processes::Odd => self.process % 2 == 1,
        }
    }

    /// How much slower the process is than it will be.
    fn slow_start(&self) -> f64 {
        let commands =
            ["decode", "prefill"].map(|name| self.counts.get(name).copied().unwrap_or(0));
        let before = f64::from(commands[0] + commands[1]).max(1.0) - 1.0;
        let surplus = self.behaviour.slow_start;
        surplus.mul_add((-before / self.behaviour.slow_start_halves_after).exp2(), 1.0)
    }

    /// Nanoseconds that a text takes beside those of its length.
    fn of_different(&self, tokens: &[Token]) -> u64 {
        let different = tokens.iter().collect::<BTreeSet<_>>().len() as u64;
        different * self.behaviour.nanoseconds_per_different_token
    }

    /// Moves the counter of energy by what the time of `timed` tokens and that of the rest take.
    fn spend(&self, nanoseconds: u64, timed: usize, tokens: usize) {
        let Some(file) = &self.behaviour.energy_file else { return };
        let computed = ["decode", "prefill"].map(|name| self.counts.get(name).copied());
        let computed: u32 = computed.into_iter().flatten().sum();
        if self.behaviour.energy_ends_after.is_some_and(|after| computed > after) {
            let _ = std::fs::remove_file(file);
            return;
        }
        energy::spend(file, self.behaviour.watts, nanoseconds, (timed, tokens));
    }

    /// A scripted time for so many tokens.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "times far below 2^53 nanoseconds, never negative"
    )]
    pub(crate) fn time(&mut self, per_token: u64, tokens: usize) -> u64 {
        if let Some(fixed) = self.behaviour.nanoseconds {
            return fixed;
        }
        let mut time = per_token as f64 * tokens as f64 * self.process_factor;
        time *= (self.noise.normal() * self.behaviour.noise_sd).exp();
        time *= self.slow_start();
        if self.noise.uniform() < self.behaviour.stall_probability {
            time *= STALL_FACTOR;
        }
        let nanoseconds = time.round() as u64;
        if self.behaviour.sleep {
            std::thread::sleep(Duration::from_nanos(nanoseconds));
        }
        nanoseconds
    }
}

fn name(command: &Command) -> &'static str {
    match command {
        Command::Hello { .. } => "hello",
        Command::Load(_) => "load",
        Command::Tokenize { .. } => "tokenize",
        Command::Begin(_) => "begin",
        Command::Decode(_) => "decode",
        Command::Prefill(_) => "prefill",
        Command::Logits(_) => "logits",
        Command::Operations(_) => "operations",
        Command::Observe(_) => "observe",
        Command::Weights(_) => "weights",
        Command::Slots(_) => "slots",
        Command::Requantise(_) => "requantise",
        Command::Primitive(_) => "primitive",
        Command::Shutdown => "shutdown",
    }
}

pub(crate) fn problem(kind: ProblemKind, message: &str) -> Reply {
    Reply::Problem(Problem { kind, message: message.to_owned() })
}

fn file_bytes(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// Where the processes of a script are listed.
fn list_beside(script: &Path) -> PathBuf {
    let mut name = script.as_os_str().to_owned();
    name.push(".pids");
    PathBuf::from(name)
}

/// How many processes have loaded the script so far. A run starts them one after the other.
fn processes_before(script: &Path) -> u64 {
    let all = std::fs::read_to_string(list_beside(script)).unwrap_or_default();
    all.lines().count() as u64
}

/// Appends this process to the list beside the script.
fn count_process(script: &Path) {
    let line = format!("{}\n", std::process::id());
    let opened = std::fs::OpenOptions::new().append(true).create(true).open(list_beside(script));
    let _ = opened.and_then(|mut file| file.write_all(line.as_bytes()));
}

/// Writes this many bytes to standard error.
fn flood(bytes: u64) {
    let piece = [b'e'; 4096];
    let mut stderr = std::io::stderr().lock();
    let mut left = bytes;
    while left > 0 {
        let now = left.min(piece.len() as u64);
        if stderr.write_all(&piece[..usize::try_from(now).unwrap_or(0)]).is_err() {
            return;
        }
        left -= now;
    }
}

pub(crate) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn hash(parts: &[&[u8]]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(part);
    }
    let mut eight = [0; 8];
    eight.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    u64::from_le_bytes(eight)
}

/// Uniform in [0, 1).
#[expect(clippy::cast_precision_loss, reason = "24 bits fit")]
fn unit(hash: u64) -> f32 {
    (hash >> 40) as f32 / (1_u32 << 24) as f32
}
