//! What a piece of work is, in numbers that an argument can stand for.

use std::path::PathBuf;

use engine_protocol::{LoadRequest, Settings};

/// What was loaded.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Model {
    /// The file.
    pub(super) path: PathBuf,
    /// Settings of the engine, of which threads and context can be told.
    pub(super) settings: Settings,
}

impl Model {
    pub(super) fn of(load: &LoadRequest) -> Model {
        Model { path: PathBuf::from(&load.model_path), settings: load.settings.clone() }
    }
}

/// One timed piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    /// Single tokens after what stands before them.
    Decode {
        /// Depth and prompt.
        before: usize,
        /// Of those, the prompt.
        prompt: usize,
        /// How many are timed.
        tokens: u32,
    },
    /// A prompt.
    Prefill {
        /// Depth.
        before: usize,
        /// How many are timed.
        tokens: usize,
    },
}

impl Piece {
    /// Tokens that are timed.
    pub(super) fn timed(self) -> u64 {
        match self {
            Piece::Decode { tokens, .. } => u64::from(tokens),
            Piece::Prefill { tokens, .. } => tokens as u64,
        }
    }

    /// Tokens that stand before the timed ones.
    pub(super) fn before(self) -> usize {
        match self {
            Piece::Decode { before, .. } | Piece::Prefill { before, .. } => before,
        }
    }
}
