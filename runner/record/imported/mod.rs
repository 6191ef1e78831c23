//! What other tools measured: kept apart, never judged, never paired.

mod form;
mod parallels;
mod read;
mod store;
mod verify;

pub use form::{
    Better, IMPORTED_FOLDER, IMPORTED_VERSION, Imported, ImportedSample, ImportedSamples,
    ImportedSource, NewImport, NewSeries, Series, SeriesKind, Shape,
};
pub use parallels::{
    FEWEST_FOR_INTERVAL, OneSide, Parallel, Unpaired, model_of_plan, parallels, same_model,
    shapes_of_plan, sides_of_import, sides_of_record,
};
pub use read::{ImportRow, StoredImport, imports, read_import};
pub use store::store_import;
pub(super) use verify::verify_imported;
