//! Sets of inputs.
