//! What entries of the ledger say, one file a kind.

mod amendment;
mod anchor;
mod deviation;
mod overruling;
mod registration;
mod retraction;
mod stale_mark;
mod withdrawal;

pub use amendment::Amendment;
pub use anchor::{FloorAnchor, FloorDistribution, FloorName};
pub use deviation::{Deviation, DeviationOutcome};
pub use overruling::Overruling;
pub use registration::Registration;
pub use retraction::Retraction;
pub use stale_mark::{StaleFact, StaleMark};
pub use withdrawal::Withdrawal;

use super::reference::RecordName;
