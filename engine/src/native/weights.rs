//! The tensors of a loaded model.

use engine_sys as sys;

use super::status::{check, or_failed};
use super::{ModelHandle, text};
use crate::EngineError;

/// One tensor, as the engine holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WeightItem {
    pub(crate) index: usize,
    pub(crate) name: String,
    pub(crate) tensor_type: String,
    /// The fastest first.
    pub(crate) lengths: [u64; 4],
    pub(crate) order: WeightOrder,
}

/// How a tensor lies in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WeightOrder {
    /// As in the file.
    AsInFile,
    /// In a backend's own order: it cannot be read.
    Repacked,
}

impl ModelHandle {
    /// All tensors, in the engine's order; none where the source tree does not tell.
    pub(crate) fn weights(&self) -> Result<Vec<WeightItem>, EngineError> {
        // SAFETY: the handle is alive.
        let count = unsafe { sys::runner_shim_weight_count(self.as_ptr()) };
        (0..count).map(|index| self.weight(index)).collect()
    }

    fn weight(&self, index: usize) -> Result<WeightItem, EngineError> {
        let mut lengths = [0; 4];
        let mut repacked = 0;
        // SAFETY: the handle is alive; the shim writes four lengths, and the buffer is valid for
        // `capacity` bytes, during the call.
        let name = text::read(|buffer, capacity, length| unsafe {
            sys::runner_shim_weight(
                self.as_ptr(),
                index,
                lengths.as_mut_ptr(),
                buffer,
                capacity,
                length,
            )
        })
        .or_else(or_failed)?;
        // SAFETY: the handle is alive; the buffer is valid for `capacity` bytes.
        let tensor_type = text::read(|buffer, capacity, length| unsafe {
            sys::runner_shim_weight_type(self.as_ptr(), index, buffer, capacity, length)
        })
        .or_else(or_failed)?;
        // SAFETY: the handle is alive; `repacked` is writable during the call.
        check(unsafe {
            sys::runner_shim_weight_repacked(self.as_ptr(), index, &raw mut repacked)
        })?;
        let order = if repacked == 0 { WeightOrder::AsInFile } else { WeightOrder::Repacked };
        Ok(WeightItem { index, name, tensor_type, lengths, order })
    }

    /// The buffer type in which a tensor lies, and the bytes that its values take.
    pub(crate) fn weight_buffer(&self, index: usize) -> Result<(String, u64), EngineError> {
        let mut bytes = 0;
        // SAFETY: the handle is alive; `bytes` is writable, and the buffer valid for `capacity`
        // bytes, during the call.
        let buffer = text::read(|buffer, capacity, length| unsafe {
            sys::runner_shim_weight_buffer(
                self.as_ptr(),
                index,
                &raw mut bytes,
                buffer,
                capacity,
                length,
            )
        })
        .or_else(or_failed)?;
        Ok((buffer, bytes))
    }

    /// Rows from `first` on, as many as `values` holds; it must be a multiple of the row's length,
    /// which is `item`'s first.
    pub(crate) fn read_rows(
        &self,
        item: &WeightItem,
        first: u64,
        values: &mut [f32],
    ) -> Result<(), EngineError> {
        let [width, ..] = item.lengths;
        let rows = (values.len() as u64).checked_div(width).unwrap_or(0);
        // SAFETY: the handle is alive; the values are writable for `rows` whole rows, and the shim
        // checks the rows against the tensor's.
        check(unsafe {
            sys::runner_shim_weight_read(
                self.as_ptr(),
                item.index,
                first,
                rows,
                values.as_mut_ptr(),
            )
        })
    }
}
