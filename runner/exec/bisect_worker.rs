//! One side's worker: loaded once, asked for logits and for its inner tensors.

use std::path::{Path, PathBuf};

use engine_protocol::{
    LoadRequest, Loaded, LogitsRequest, ObserveRequest, Replacement, Selection, Settings, Token,
};

use super::bisect_tensors::ObservedFile;
use super::context::Inputs;
use super::executable::{Executables, Program};
use super::fault::WorkerError;
use super::interrupt::Interrupt;
use super::limits::RequestLimits;
use super::logits_file::RowReader;
use super::texts::{TextError, Tokenizer};
use super::worker::{Call, Worker};
use crate::bisect::Rows;
use crate::failure::Failure;
use crate::manifest::WorkerChoice;
use crate::verdict::ArmFaultKind;

/// A worker with a model.
pub(super) struct Observatory {
    worker: Worker,
    program: Program,
    limits: RequestLimits,
    interrupt: Interrupt,
    scratch: PathBuf,
    /// Stands in the names of its files: two sides share a folder.
    side: &'static str,
    files: u32,
    /// What it loaded.
    pub(super) loaded: Loaded,
}

impl Observatory {
    /// Starts a worker and loads a model.
    ///
    /// # Errors
    /// Refused when there is no such worker, or it cannot load the model.
    pub(super) fn open(
        choice: &WorkerChoice,
        executables: &Executables,
        model: &Path,
        settings: &Settings,
        (scratch, side): (&Path, &'static str),
    ) -> Result<Observatory, Failure> {
        let program = executables.program(choice)?;
        let (limits, interrupt) = (RequestLimits::default(), Interrupt::never());
        let call = Call { limits: &limits, interrupt: &interrupt };
        let failed = |error| refusal(&program, "load the model", error);
        let mut worker = Worker::start(&program.path, &program.arguments).map_err(failed)?;
        worker.hello(call).map_err(failed)?;
        let load = LoadRequest {
            model_path: model.to_string_lossy().into_owned(),
            settings: settings.clone(),
            draft_model_path: None,
        };
        let loaded = worker.load(load, call).map_err(failed)?;
        let scratch = scratch.to_path_buf();
        Ok(Observatory { worker, program, limits, interrupt, scratch, side, files: 0, loaded })
    }

    /// The beginning of an item of a set, and of what follows it where it is too short.
    pub(super) fn text(
        &mut self,
        inputs: &Inputs,
        item: usize,
        tokens: usize,
    ) -> Result<Vec<Token>, Failure> {
        let call = Call { limits: &self.limits, interrupt: &self.interrupt };
        let gathered = Tokenizer::new(inputs, &mut self.worker, call)
            .map_err(TextError::from)
            .and_then(|tokenizer| tokenizer.gather(item, tokens, &mut self.worker, call));
        gathered.map_err(|error| match error {
            TextError::Failure(failure) => failure,
            TextError::Worker(error) => refusal(&self.program, "tokenise the text", error),
        })
    }

    /// The logits of every position, as the model runs when nobody looks.
    pub(super) fn logits(&mut self, tokens: &[Token]) -> Result<Option<Rows>, Failure> {
        let path = self.file("logits");
        let request = LogitsRequest::new(tokens.to_vec(), 0, path.to_string_lossy().into_owned());
        let call = Call { limits: &self.limits, interrupt: &self.interrupt };
        let file = self
            .worker
            .logits(request, call)
            .map_err(|error| refusal(&self.program, "compute logits", error))?;
        let mut reader = RowReader::open(&path, &file)?;
        let mut values = Vec::with_capacity(file.positions as usize * file.vocabulary as usize);
        while let Some(row) = reader.next_row()? {
            values.extend_from_slice(row);
        }
        let _ = std::fs::remove_file(&path);
        Ok(Rows::new(file.vocabulary as usize, values))
    }

    /// Observes one evaluation.
    ///
    /// # Errors
    /// Refused when the worker cannot, or its file is not what it said.
    pub(super) fn observe(
        &mut self,
        tokens: &[Token],
        tensors: Selection,
        replace: Vec<Replacement>,
    ) -> Result<ObservedFile, Failure> {
        let path = self.file("tensors");
        let request = ObserveRequest {
            tokens: tokens.to_vec(),
            tensors,
            positions: (0..tokens.len() as u32).collect(),
            replace,
            path: path.to_string_lossy().into_owned(),
        };
        let call = Call { limits: &self.limits, interrupt: &self.interrupt };
        let observed = self
            .worker
            .observe(request, call)
            .map_err(|error| refusal(&self.program, "show its tensors", error))?;
        ObservedFile::open(&path, observed)
    }

    /// Ends the worker.
    pub(super) fn close(self) {
        self.worker.shut_down();
    }

    fn file(&mut self, what: &str) -> PathBuf {
        self.files += 1;
        self.scratch.join(format!("{}-{what}-{}.f32", self.side, self.files))
    }
}

fn refusal(program: &Program, what: &str, error: WorkerError) -> Failure {
    let (kind, detail) =
        error.as_fault().unwrap_or_else(|| (ArmFaultKind::Failed, "it was interrupted".to_owned()));
    let hint = match kind {
        ArmFaultKind::Unsupported => "another build or other settings may be able to",
        _ => "`runner engine info` asks the engine alone",
    };
    Failure::refused(format!("the engine cannot {what}: {detail}"))
        .at(program.path.display())
        .hint(hint)
}
