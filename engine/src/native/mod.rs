//! The only module with `unsafe` in it: thin owners around the shim's handles.
//!
//! What every block relies on, stated once: a handle in these types is not null, was made by the
//! shim and is freed once, by `Drop`; the types are neither `Send` nor `Sync` (they hold raw
//! pointers), so that one thread makes all calls; the shim writes its out-pointers only on success
//! and never keeps a pointer that it was lent, unless its header says so.

mod context;
mod file;
mod library;
mod model;
mod observe;
mod options;
mod primitive;
mod rpc;
mod status;
mod text;
mod weights;

pub(crate) use context::{Batch, BufferItem, Context, ContextNumber, Output};
pub(crate) use library::{Capability, DeviceKind, Library, exit_now};
pub(crate) use model::{ModelHandle, ModelNumber};
pub(crate) use observe::{Interest, Node, Observer};
pub(crate) use options::{OptionKey, Options};
pub(crate) use primitive::{PrimitiveHandle, PrimitiveNumber};
pub(crate) use weights::{WeightItem, WeightOrder};
