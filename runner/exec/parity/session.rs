//! One worker with one model loaded, asked for rows, tokens and tensors.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use engine_protocol::{
    Beginning, DecodeRequest, Feed, LoadRequest, Loaded, LogitsRequest, ObserveRequest, Observed,
    ProblemKind, RequantiseRequest, Selection, Settings, SlotOutput, SlotsRequest, Token,
    WeightsFile, WeightsRequest,
};

use crate::exec::executable::{Program, hash_file};
use crate::exec::fault::WorkerError;
use crate::exec::interrupt::Interrupt;
use crate::exec::limits::RequestLimits;
use crate::exec::logits_file::RowReader;
use crate::exec::worker::{Call, Worker};
use crate::failure::Failure;

/// Scratch files named so far.
static FILES: AtomicU64 = AtomicU64::new(0);

/// An answer, or the word that this worker cannot give one.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Answer<T> {
    Given(T),
    Unsupported(String),
}

/// A worker that has greeted, and perhaps loaded a model.
#[derive(Debug)]
pub(super) struct Session {
    worker: Worker,
    limits: RequestLimits,
    interrupt: Interrupt,
    program: PathBuf,
    scratch: PathBuf,
    /// Name and version of the engine.
    pub(super) engine: String,
    /// BLAKE3 of the engine's sources, as it says itself.
    pub(super) engine_source: String,
}

/// Rows of a scratch file, which is removed with this.
#[derive(Debug)]
pub(super) struct Rows {
    reader: RowReader,
    path: PathBuf,
}

impl Rows {
    /// The next row.
    pub(super) fn next_row(&mut self) -> Result<Option<&[f32]>, Failure> {
        self.reader.next_row()
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Session {
    /// Starts a worker; nothing is loaded. Scratch files go into `scratch`.
    pub(super) fn start(program: &Program, scratch: &Path) -> Result<Session, Failure> {
        let (limits, interrupt) = (RequestLimits::default(), Interrupt::never());
        let call = Call { limits: &limits, interrupt: &interrupt };
        let started = Worker::start(&program.path, &program.arguments).and_then(|mut worker| {
            let greeting = worker.hello(call)?;
            Ok((worker, greeting))
        });
        let (worker, greeting) =
            started.map_err(|error| failure(&program.path, "be asked", &error))?;
        Ok(Session {
            worker,
            limits,
            interrupt,
            program: program.path.clone(),
            scratch: scratch.to_path_buf(),
            engine: format!("{} {}", greeting.engine.name, greeting.engine.version),
            engine_source: greeting.engine.source_blake3,
        })
    }

    /// Starts a worker and loads a model.
    pub(super) fn load(
        program: &Program,
        scratch: &Path,
        model: &Path,
        settings: &Settings,
    ) -> Result<(Session, Loaded), Failure> {
        let mut session = Session::start(program, scratch)?;
        let load = LoadRequest {
            model_path: model.to_string_lossy().into_owned(),
            settings: settings.clone(),
            draft_model_path: None,
        };
        let what = format!("load {}", model.display());
        let loaded = session.ask(&what, |worker, call| worker.load(load, call))?;
        Ok((session, loaded))
    }

    /// Ends the worker.
    pub(super) fn end(self) {
        self.worker.shut_down();
    }

    /// Text to tokens.
    pub(super) fn tokenise(&mut self, text: &str) -> Result<Vec<Token>, Failure> {
        let text = text.to_owned();
        self.ask("tokenise", |worker, call| worker.tokenize(text, call))
    }

    /// Rows of logits at some positions of a text, ascending: they are read one by one from a file
    /// that is taken away with the reader. With a gap every position from there on is one too high.
    pub(super) fn rows(
        &mut self,
        tokens: &[Token],
        positions: &[u32],
        gap_before: Option<u32>,
    ) -> Result<Rows, Failure> {
        let path = self.scratch_file();
        let first = positions.first().copied().unwrap_or(0);
        let request = LogitsRequest {
            only_positions: positions.to_vec(),
            gap_before,
            ..LogitsRequest::new(tokens.to_vec(), first, path.to_string_lossy().into_owned())
        };
        let file = self.ask("compute logits", |worker, call| worker.logits(request, call))?;
        let reader = RowReader::open(&path, &file)?;
        Ok(Rows { reader, path })
    }

    /// The same, each handed to `sink` with its position.
    pub(super) fn logits(
        &mut self,
        tokens: &[Token],
        positions: &[u32],
        gap_before: Option<u32>,
        mut sink: impl FnMut(u32, &[f32]),
    ) -> Result<(), Failure> {
        if positions.is_empty() {
            return Ok(());
        }
        let mut rows = self.rows(tokens, positions, gap_before)?;
        for position in positions {
            let Some(row) = rows.next_row()? else { break };
            sink(*position, row);
        }
        Ok(())
    }

    /// What follows a text, greedily. `first` is the most likely token after it, known from its
    /// last row of logits: a worker tells only what it chose after that.
    pub(super) fn greedy(
        &mut self,
        tokens: &[Token],
        first: Token,
        count: usize,
    ) -> Result<Vec<Token>, Failure> {
        let Some(more) = count.checked_sub(1) else { return Ok(Vec::new()) };
        let mut chosen = vec![first];
        if more > 0 {
            let begin = Beginning { depth: Vec::new(), prompt: tokens.to_vec() };
            let timed_tokens = u32::try_from(more).unwrap_or(u32::MAX);
            let decode = DecodeRequest { untimed_tokens: 0, timed_tokens, feed: Feed::Free };
            let decoded = self.ask("continue a text", |worker, call| {
                let position = worker.begin(begin, call)?.position;
                worker.decode(decode, position, None, call)
            })?;
            chosen.extend(decoded.chosen);
        }
        Ok(chosen)
    }

    /// Inner tensors at some positions: each is handed to `sink` with its name, row by row.
    pub(super) fn observe(
        &mut self,
        tokens: &[Token],
        names: &[String],
        positions: &[u32],
        mut sink: impl FnMut(&str, u32, &[f32]),
    ) -> Result<Answer<()>, Failure> {
        let path = self.scratch_file();
        let request = ObserveRequest {
            tokens: tokens.to_vec(),
            tensors: Selection::Named(names.to_vec()),
            positions: positions.to_vec(),
            replace: Vec::new(),
            path: path.to_string_lossy().into_owned(),
        };
        let answer = self.may("observe tensors", |worker, call| worker.observe(request, call))?;
        let observed: Observed = match answer {
            Answer::Given(observed) => observed,
            Answer::Unsupported(why) => return Ok(Answer::Unsupported(why)),
        };
        let values = values_of(&path, &observed.blake3);
        let _ = std::fs::remove_file(&path);
        let values = values?;
        for tensor in &observed.tensors {
            let width = usize::try_from(tensor.width).unwrap_or(0).max(1);
            let start = usize::try_from(tensor.offset).unwrap_or(usize::MAX);
            let rows = values.get(start..).unwrap_or_default().chunks_exact(width);
            let rows = rows.take(usize::try_from(tensor.rows).unwrap_or(0));
            for (position, row) in positions.iter().zip(rows) {
                sink(&tensor.name, *position, row);
            }
        }
        Ok(Answer::Given(()))
    }

    /// All loaded tensors, in a file that the caller takes away.
    pub(super) fn weights(&mut self) -> Result<Answer<(PathBuf, WeightsFile)>, Failure> {
        let path = self.scratch_file();
        let request =
            WeightsRequest { tensors: Vec::new(), path: path.to_string_lossy().into_owned() };
        let answer = self.may("write its tensors", |worker, call| worker.weights(request, call))?;
        let file = match answer {
            Answer::Given(file) => file,
            Answer::Unsupported(why) => return Ok(Answer::Unsupported(why)),
        };
        check_hash(&path, &file.blake3)?;
        Ok(Answer::Given((path, file)))
    }

    /// Sequences side by side.
    pub(super) fn slots(
        &mut self,
        prompts: Vec<Vec<Token>>,
        decode_tokens: u32,
    ) -> Result<Answer<Vec<SlotOutput>>, Failure> {
        let request = SlotsRequest { prompts, decode_tokens };
        self.may("decode side by side", |worker, call| worker.slots(request, call))
    }

    /// Another form of a model file.
    pub(super) fn requantise(&mut self, request: RequantiseRequest) -> Result<(), Failure> {
        self.ask("write another form", |worker, call| worker.requantise(request, call))?;
        Ok(())
    }

    /// A name that no other session uses either: two of them share a folder.
    fn scratch_file(&self) -> PathBuf {
        let number = FILES.fetch_add(1, Ordering::Relaxed);
        self.scratch.join(format!("{number}.f32"))
    }

    fn ask<T>(
        &mut self,
        what: &str,
        question: impl FnOnce(&mut Worker, Call<'_>) -> Result<T, WorkerError>,
    ) -> Result<T, Failure> {
        match self.may(what, question)? {
            Answer::Given(given) => Ok(given),
            Answer::Unsupported(why) => {
                Err(Failure::refused(format!("the worker cannot {what}: {why}"))
                    .at(self.program.display())
                    .hint("is it a worker of this version?"))
            }
        }
    }

    /// Asks for what a worker may not be able to do.
    fn may<T>(
        &mut self,
        what: &str,
        question: impl FnOnce(&mut Worker, Call<'_>) -> Result<T, WorkerError>,
    ) -> Result<Answer<T>, Failure> {
        let call = Call { limits: &self.limits, interrupt: &self.interrupt };
        match question(&mut self.worker, call) {
            Ok(given) => Ok(Answer::Given(given)),
            Err(WorkerError::Problem(ProblemKind::Unsupported, why)) => {
                Ok(Answer::Unsupported(why))
            }
            Err(error) => Err(failure(&self.program, what, &error)),
        }
    }
}

fn failure(program: &Path, what: &str, error: &WorkerError) -> Failure {
    let detail = error.as_fault().map(|(_, detail)| detail).unwrap_or_default();
    Failure::refused(format!("the worker cannot {what}: {detail}"))
        .at(program.display())
        .hint("`runner engine info` asks it alone")
}

/// The file that a worker wrote must be the one it speaks of.
fn check_hash(path: &Path, blake3: &str) -> Result<(), Failure> {
    let refused = |what: String| Failure::refused(what).at(path.display());
    let hash = hash_file(path).map_err(|error| refused(format!("cannot be read: {error}")))?;
    if hash == blake3 {
        return Ok(());
    }
    Err(refused(format!("the file has blake3 {hash}, the worker said {blake3}")))
}

fn values_of(path: &Path, blake3: &str) -> Result<Vec<f32>, Failure> {
    check_hash(path, blake3)?;
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::refused(format!("cannot be read: {error}")).at(path.display()))?;
    let fours = bytes.chunks_exact(4).map(|chunk| {
        let mut four = [0; 4];
        four.copy_from_slice(chunk);
        f32::from_le_bytes(four)
    });
    Ok(fours.collect())
}
