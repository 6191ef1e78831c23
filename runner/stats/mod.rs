//! Pure functions of numbers: no files, no clock, no manifest types.
