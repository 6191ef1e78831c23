//! A worker with scripted timings and faults.
fn main() {}
