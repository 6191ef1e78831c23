//! Every sensor with its value, whether it is fit, and what would make it so: `machine quiet`. One
//! file a sensor, or a kind of them that is read from one place.

mod battery;
mod clock_source;
mod cores;
mod energy;
mod finding;
mod frequency;
mod governor;
mod huge_pages;
mod numa;
mod quota;
mod temperature;
mod turbo;
mod whole;
mod window;

pub use finding::{Finding, Value};
pub(super) use temperature::celsius;
pub use whole::survey;
