//! The shim's options: numbers by key.

use std::ptr::NonNull;

use engine_protocol::RpcServer;
use engine_sys as sys;

use super::status::check;
use crate::EngineError;

/// Keys of the shim's options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OptionKey {
    GpuLayers,
    MemoryMap,
    MemoryLock,
    ContextTokens,
    BatchTokens,
    MicroBatchTokens,
    Threads,
    BatchThreads,
    FlashAttention,
    KeyType,
    ValueType,
    KvOffload,
    ParallelSequences,
    Observed,
    PollPercent,
    Priority,
    CpuStrict,
    Repack,
}

/// Owner of a set of options.
#[derive(Debug)]
pub(crate) struct Options {
    handle: NonNull<sys::runner_shim_options>,
}

impl Options {
    pub(crate) fn new() -> Result<Self, EngineError> {
        // SAFETY: takes nothing; null means lack of memory.
        NonNull::new(unsafe { sys::runner_shim_options_new() })
            .map(|handle| Self { handle })
            .ok_or_else(|| EngineError::Compute("out of memory".to_owned()))
    }

    pub(crate) fn set(&mut self, key: OptionKey, value: i64) -> Result<(), EngineError> {
        let number = match key {
            OptionKey::GpuLayers => sys::RUNNER_SHIM_OPTION_GPU_LAYERS,
            OptionKey::MemoryMap => sys::RUNNER_SHIM_OPTION_MEMORY_MAP,
            OptionKey::MemoryLock => sys::RUNNER_SHIM_OPTION_MEMORY_LOCK,
            OptionKey::ContextTokens => sys::RUNNER_SHIM_OPTION_CONTEXT_TOKENS,
            OptionKey::BatchTokens => sys::RUNNER_SHIM_OPTION_BATCH_TOKENS,
            OptionKey::MicroBatchTokens => sys::RUNNER_SHIM_OPTION_MICRO_BATCH_TOKENS,
            OptionKey::Threads => sys::RUNNER_SHIM_OPTION_THREADS,
            OptionKey::BatchThreads => sys::RUNNER_SHIM_OPTION_BATCH_THREADS,
            OptionKey::FlashAttention => sys::RUNNER_SHIM_OPTION_FLASH_ATTENTION,
            OptionKey::KeyType => sys::RUNNER_SHIM_OPTION_KEY_TYPE,
            OptionKey::ValueType => sys::RUNNER_SHIM_OPTION_VALUE_TYPE,
            OptionKey::KvOffload => sys::RUNNER_SHIM_OPTION_KV_OFFLOAD,
            OptionKey::ParallelSequences => sys::RUNNER_SHIM_OPTION_PARALLEL_SEQUENCES,
            OptionKey::Observed => sys::RUNNER_SHIM_OPTION_OBSERVED,
            OptionKey::PollPercent => sys::RUNNER_SHIM_OPTION_POLL_PERCENT,
            OptionKey::Priority => sys::RUNNER_SHIM_OPTION_PRIORITY,
            OptionKey::CpuStrict => sys::RUNNER_SHIM_OPTION_CPU_STRICT,
            OptionKey::Repack => sys::RUNNER_SHIM_OPTION_REPACK,
        };
        // SAFETY: the handle is ours and alive.
        check(unsafe { sys::runner_shim_options_set(self.handle.as_ptr(), number, value) })
    }

    pub(crate) fn allow_processor(&mut self, processor: u32) -> Result<(), EngineError> {
        // SAFETY: the handle is ours and alive.
        check(unsafe { sys::runner_shim_options_allow_processor(self.handle.as_ptr(), processor) })
    }

    /// A server whose devices the model may be put on; it must be reachable when the model is loaded.
    pub(crate) fn add_server(&mut self, server: &RpcServer) -> Result<(), EngineError> {
        let endpoint = super::file::terminated(server.as_str())?;
        // SAFETY: the handle is ours and alive; the text is zero-terminated and copied by the shim.
        check(unsafe {
            sys::runner_shim_options_add_server(self.handle.as_ptr(), endpoint.as_ptr())
        })
    }

    pub(super) fn as_ptr(&self) -> *const sys::runner_shim_options {
        self.handle.as_ptr()
    }
}

impl Drop for Options {
    fn drop(&mut self) {
        // SAFETY: the handle is ours, alive, and freed only here.
        unsafe { sys::runner_shim_options_free(self.handle.as_ptr()) }
    }
}
