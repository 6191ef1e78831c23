//! Looking into an evaluation: a visitor that the shim calls for every node of the graph.

use core::ffi::c_void;
use core::marker::PhantomData;
use std::ptr::{self, NonNull};

use engine_protocol::Token;
use engine_sys as sys;

use super::status::{check, or_failed};
use super::{Context, text};
use crate::EngineError;

/// Dimensions of a tensor.
const DIMENSIONS: usize = 4;

/// A node that computes floating-point values, for the time of one call.
#[derive(Debug)]
pub(crate) struct Node<'call> {
    handle: NonNull<sys::runner_shim_node>,
    call: PhantomData<&'call ()>,
}

/// What an observer wants of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interest {
    /// To see its values.
    Values,
    /// Nothing.
    None,
}

/// Goes along with an evaluation, in order of execution.
pub(crate) trait Observer {
    /// Whether the node's values are wanted; they are not there yet.
    fn meet(&mut self, node: &Node<'_>) -> Result<Interest, EngineError>;
    /// The values of the node that was met last. Nothing that follows has been computed.
    fn see(&mut self, node: &mut Node<'_>) -> Result<(), EngineError>;
}

impl Node<'_> {
    pub(crate) fn name(&self) -> Result<String, EngineError> {
        // SAFETY: the handle is alive; the buffer is valid for `capacity` bytes.
        text::read(|buffer, capacity, length| unsafe {
            sys::runner_shim_node_name(self.as_ptr(), buffer, capacity, length)
        })
        .or_else(or_failed)
    }

    pub(crate) fn operation(&self) -> Result<String, EngineError> {
        // SAFETY: the handle is alive; the buffer is valid for `capacity` bytes.
        text::read(|buffer, capacity, length| unsafe {
            sys::runner_shim_node_operation(self.as_ptr(), buffer, capacity, length)
        })
        .or_else(or_failed)
    }

    pub(crate) fn device(&self) -> Result<String, EngineError> {
        // SAFETY: the handle is alive; the buffer is valid for `capacity` bytes.
        text::read(|buffer, capacity, length| unsafe {
            sys::runner_shim_node_device(self.as_ptr(), buffer, capacity, length)
        })
        .or_else(or_failed)
    }

    /// Lengths of its dimensions, the fastest first.
    pub(crate) fn shape(&self) -> Result<[u64; DIMENSIONS], EngineError> {
        let mut lengths = [0; DIMENSIONS];
        // SAFETY: the handle is alive; the shim writes four lengths.
        check(unsafe { sys::runner_shim_node_shape(self.as_ptr(), lengths.as_mut_ptr()) })?;
        Ok(lengths)
    }

    /// Fills `values` from value `first` on, counted along the dimensions.
    pub(crate) fn read(&self, first: usize, values: &mut [f32]) -> Result<(), EngineError> {
        // SAFETY: the handle is alive; the values are writable for their length, which the shim
        // checks against the node's.
        check(unsafe {
            sys::runner_shim_node_read(self.as_ptr(), first, values.as_mut_ptr(), values.len())
        })
    }

    /// Overwrites all values.
    pub(crate) fn write(&mut self, values: &[f32]) -> Result<(), EngineError> {
        // SAFETY: the handle is alive; the values are readable for their length, which the shim
        // checks against the node's.
        check(unsafe { sys::runner_shim_node_write(self.as_ptr(), values.as_ptr(), values.len()) })
    }

    fn as_ptr(&self) -> *mut sys::runner_shim_node {
        self.handle.as_ptr()
    }
}

/// An observer on its way through an evaluation, and its first failure.
struct Visit<'observer> {
    observer: &'observer mut dyn Observer,
    failure: Option<EngineError>,
}

impl Visit<'_> {
    /// The answer that the shim expects; after a failure nothing more is wanted.
    fn answer(&mut self, handle: NonNull<sys::runner_shim_node>, computed: bool) -> i32 {
        if self.failure.is_some() {
            return 0;
        }
        let mut node = Node { handle, call: PhantomData };
        let answered = if computed {
            self.observer.see(&mut node).map(|()| 1)
        } else {
            self.observer.meet(&node).map(|interest| i32::from(interest == Interest::Values))
        };
        answered.unwrap_or_else(|error| {
            self.failure = Some(error);
            0
        })
    }
}

/// The shim's callback. A panic in it ends the process: it cannot unwind into C.
extern "C" fn visit(data: *mut c_void, node: *mut sys::runner_shim_node, computed: i32) -> i32 {
    let Some(handle) = NonNull::new(node) else { return 0 };
    // SAFETY: `data` is the `Visit` that `Context::decode_observed` lent to the shim; it lives until
    // that call returns, and nothing else touches it meanwhile.
    let Some(visit) = (unsafe { data.cast::<Visit<'_>>().as_mut() }) else { return 0 };
    visit.answer(handle, computed != 0)
}

impl Context {
    /// As [`Context::decode`], with an observer. The context must be made to be observed.
    pub(crate) fn decode_observed(
        &mut self,
        tokens: &[Token],
        position: i32,
        first_output: usize,
        observer: &mut dyn Observer,
    ) -> Result<(), EngineError> {
        let mut visitor = Visit { observer, failure: None };
        let data = (&raw mut visitor).cast();
        // SAFETY: the handle is alive; `visitor` outlives the evaluation, and the shim is made to
        // forget it below, before it goes.
        check(unsafe { sys::runner_shim_observe(self.as_ptr(), Some(visit), data) })?;
        let mut done = self.decode(tokens, position, first_output);
        if done.is_ok() {
            done = self.synchronize();
        }
        // SAFETY: the handle is alive; no visitor is set.
        check(unsafe { sys::runner_shim_observe(self.as_ptr(), None, ptr::null_mut()) })?;
        visitor.failure.map_or(done, Err)
    }

    /// Has nodes read positions from `first` on as one too high: a deliberate fault. The context
    /// must be made to be observed.
    pub(crate) fn misplace(&mut self, first: i32) -> Result<(), EngineError> {
        // SAFETY: the handle is alive.
        check(unsafe { sys::runner_shim_misplace(self.as_ptr(), first) })
    }
}
