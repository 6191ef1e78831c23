//! Who this machine is, and whether it is quiet.
