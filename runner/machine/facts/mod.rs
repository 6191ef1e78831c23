//! Facts about the machine on which a figure may depend. Nothing private: no host name, no user,
//! no serial number, no path.

mod cache;
mod clock;
mod cores;
mod elsewhere;
mod libc;
mod machine;
mod memory;
mod memory_limit;
mod power;
mod processor;
mod quota;
mod system;

pub use cache::Cache;
pub use machine::Facts;
use machine::platform;
pub use memory_limit::memory_limit;
pub use quota::Quota;

use super::reading::Reading;
