//! The engine's library as a whole: start, stop, build and devices.

use std::marker::PhantomData;

use engine_sys as sys;

use super::status::{check, or_failed};
use super::text;
use crate::EngineError;

/// What a build can do, as the shim's probes found it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Capability {
    ReadFlashAttention,
    ReadKvTypes,
    Map,
    Lock,
    ThreadsAreOpenMp,
    UseServers,
}

/// Sorts of device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeviceKind {
    Cpu,
    /// One with a place for layers and caches.
    Accelerator,
    Other,
}

/// The started library. Stopped when the last owner lets go.
#[derive(Debug)]
pub(crate) struct Library {
    one_thread: PhantomData<*const ()>,
}

impl Library {
    /// Registers the backends; errors that the engine logs go to standard error.
    pub(crate) fn start() -> Result<Self, EngineError> {
        // SAFETY: no handle exists yet; a second start is harmless.
        check(unsafe { sys::runner_shim_start(sys::RUNNER_SHIM_LOG_ERROR) })?;
        Ok(Self { one_thread: PhantomData })
    }

    pub(crate) fn can(&self, capability: Capability) -> bool {
        let number = match capability {
            Capability::ReadFlashAttention => sys::RUNNER_SHIM_CAN_READ_FLASH_ATTENTION,
            Capability::ReadKvTypes => sys::RUNNER_SHIM_CAN_READ_KV_TYPES,
            Capability::Map => sys::RUNNER_SHIM_CAN_MAP,
            Capability::Lock => sys::RUNNER_SHIM_CAN_LOCK,
            Capability::ThreadsAreOpenMp => sys::RUNNER_SHIM_THREADS_ARE_OPENMP,
            Capability::UseServers => sys::RUNNER_SHIM_CAN_USE_SERVERS,
        };
        // SAFETY: the library is started; no pointer is passed.
        unsafe { sys::runner_shim_can(number) != 0 }
    }

    /// ggml's version with its commit.
    pub(crate) fn version(&self) -> Result<String, EngineError> {
        // SAFETY: the buffer is valid for `capacity` bytes during the call.
        text::read(|buffer, capacity, length| unsafe {
            sys::runner_shim_engine_version(buffer, capacity, length)
        })
        .or_else(or_failed)
    }

    /// Names of the registered backends, in the engine's order.
    pub(crate) fn backends(&self) -> Result<Vec<String>, EngineError> {
        // SAFETY: the library is started; no pointer is passed.
        let count = unsafe { sys::runner_shim_backend_count() };
        (0..count)
            .map(|index| {
                // SAFETY: the buffer is valid for `capacity` bytes during the call.
                text::read(|buffer, capacity, length| unsafe {
                    sys::runner_shim_backend_name(index, buffer, capacity, length)
                })
                .or_else(or_failed)
            })
            .collect()
    }

    /// Sorts of the devices, in the engine's order.
    pub(crate) fn devices(&self) -> Result<Vec<DeviceKind>, EngineError> {
        // SAFETY: the library is started; no pointer is passed.
        let count = unsafe { sys::runner_shim_device_count() };
        (0..count)
            .map(|index| {
                let mut kind = sys::RUNNER_SHIM_DEVICE_OTHER;
                // SAFETY: `kind` is writable during the call.
                check(unsafe { sys::runner_shim_device_kind_of(index, &raw mut kind) })?;
                Ok(match kind {
                    sys::RUNNER_SHIM_DEVICE_CPU => DeviceKind::Cpu,
                    sys::RUNNER_SHIM_DEVICE_GPU | sys::RUNNER_SHIM_DEVICE_INTEGRATED_GPU => {
                        DeviceKind::Accelerator
                    }
                    // What the engine calls an accelerator (a BLAS library) works beside the CPU
                    // on its memory: no layers or caches can be placed there.
                    _ => DeviceKind::Other,
                })
            })
            .collect()
    }

    /// Why devices of a backend that was compiled in cannot be used; empty where they can, or there
    /// is no such backend.
    pub(crate) fn device_trouble(&self) -> Result<String, EngineError> {
        // SAFETY: the buffer is valid for `capacity` bytes during the call.
        text::read(|buffer, capacity, length| unsafe {
            sys::runner_shim_device_trouble(buffer, capacity, length)
        })
        .or_else(or_failed)
    }

    /// Chooses the placement on memory nodes; false where the machine has only one.
    pub(crate) fn start_numa(&self, strategy: engine_protocol::Numa) -> Result<bool, EngineError> {
        use engine_protocol::Numa;
        let number = match strategy {
            Numa::Disabled => sys::RUNNER_SHIM_NUMA_DISABLED,
            Numa::Distribute => sys::RUNNER_SHIM_NUMA_DISTRIBUTE,
            Numa::Isolate => sys::RUNNER_SHIM_NUMA_ISOLATE,
            Numa::Numactl => sys::RUNNER_SHIM_NUMA_NUMACTL,
        };
        let mut in_effect = 0;
        // SAFETY: `in_effect` is writable during the call.
        check(unsafe { sys::runner_shim_numa_start(number, &raw mut in_effect) })?;
        Ok(in_effect != 0)
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        // SAFETY: models and contexts own a share of the library, so all of them are gone. A
        // failure to stop has no consequence that the caller could meet.
        let _ = unsafe { sys::runner_shim_stop() };
    }
}

/// Ends the process at once, whatever other threads compute.
pub(crate) fn exit_now(code: u8) {
    // SAFETY: takes a number, touches no state of ours, and does not return.
    unsafe { sys::runner_shim_exit_now(i32::from(code)) }
}
