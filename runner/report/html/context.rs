//! What a page shows beside the record itself.

use sample_table::SampleRow;

use crate::record::{Counterparts, Life};

/// What stands around a record's page.
#[derive(Debug)]
pub struct PageContext<'a> {
    /// The samples, or why they are not shown.
    pub samples: SamplesShown<'a>,
    /// The slice or the whole model that belongs to it.
    pub counterparts: &'a Counterparts,
    /// What stands around it: whether its figures still hold, amendments, deviations, overrides.
    pub life: &'a Life,
    /// Address of the index, where the page is one of many.
    pub index: Option<&'a str>,
}

/// A record's samples.
#[derive(Debug, Clone, Copy)]
pub enum SamplesShown<'a> {
    /// As they are sealed.
    Read(&'a [SampleRow]),
    /// They cannot be read here; the page says so, and shows what the record itself holds.
    NotRead {
        /// Why.
        why: &'a str,
    },
}
