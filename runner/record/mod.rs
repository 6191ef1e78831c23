//! Sealed records and the ledger.
