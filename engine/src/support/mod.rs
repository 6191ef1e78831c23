//! The support table: setting x build x platform. A setting that would be parsed and ignored makes
//! two arms that are secretly equal, so it is refused before anything is measured.

mod ground;
mod table;

pub use ground::{Ground, Platform, Threading};
pub use table::{Refusal, check, supported};
