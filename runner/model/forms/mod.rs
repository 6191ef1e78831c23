//! Forms of a model: the same weights with their matrices in another type, made once by an engine's
//! quantiser and kept in the cache with a description beside each.

mod derivation;
mod keep;
mod kept;
mod name;
mod share;
mod sidecar;

pub use derivation::derivation;
pub use keep::{Making, Place, place};
pub use kept::{FormFile, kept_form, kept_forms};
pub use name::{form_name, read_form, type_name};
pub use share::{LEAST_SHARE_PERCENT, share_percent, shares};
pub use sidecar::{FormEngine, FormSource, Sidecar};
