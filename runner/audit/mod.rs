//! What documents, tests and ledgers say, held against the records: figures without a source,
//! citations that do not hold, struck figures that live on, coverage that nothing has, and
//! experiments that were registered and never run.

mod allowed;
mod architectures;
mod bare;
mod citations;
mod cited;
mod comments;
mod covers;
mod direction;
mod documents;
mod drawer;
mod excuses;
mod figures;
mod files;
mod findings;
mod inspection;
mod json;
mod ledgers;
mod merged;
mod numbers;
mod page;
mod places;
mod promises;
mod record_blocks;
mod regime;
mod regime_words;
mod sarif;
mod sentences;
mod settings;
mod shelf;
mod source;
mod strikes;
mod struck;
mod table_units;
mod tests_of;
mod text;
mod units;
mod versions;

pub use figures::{Figure, figures};
pub use files::Unsearchable;
pub use findings::{Excused, Finding, Rule, Weight};
pub use inspection::{Audit, OtherFigure, Rewrite, Scope, audit, places_of};
pub use json::audit_json;
pub use places::{Place, Places};
pub use sarif::audit_sarif;
pub use source::Position;
pub use text::{Listed, audit_text, places_text};
pub use units::{Quantity, Unit};
