//! The run: gate, workers, blocks, journal. The only place that starts a process.
