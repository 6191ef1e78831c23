//! Types of the facts that the build script writes down.

/// Where the engine came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The pinned source package, verified.
    Pinned {
        /// Its name.
        package: &'static str,
        /// Its exact version.
        version: &'static str,
        /// BLAKE3 over the package's tree, as committed in `vendor/`; hexadecimal.
        package_blake3: &'static str,
    },
    /// A tree named by `ENGINE_SRC_DIR`.
    SourceTree {
        /// Its commit, where git tracks it.
        commit: Option<&'static str>,
        /// Whether it had changes, where git tracks it.
        dirty: Option<bool>,
        /// BLAKE3 of those changes, where it was said; hexadecimal.
        difference: Option<&'static str>,
    },
    /// Libraries named by `ENGINE_LIB_DIR`.
    Libraries {
        /// The commit of their headers' tree, where git tracks it.
        commit: Option<&'static str>,
        /// Whether that tree had changes, where git tracks it.
        dirty: Option<bool>,
    },
}

/// Who runs the engine's threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threading {
    /// OpenMP.
    OpenMp {
        /// Its run-time library: `gomp` or `omp`.
        library: &'static str,
    },
    /// The engine itself.
    Own,
    /// Shared prebuilt libraries do not say.
    Unknown,
}
