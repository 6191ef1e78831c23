//! engine-sys
