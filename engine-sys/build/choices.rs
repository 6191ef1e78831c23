//! What a build of the engine can be asked for: words of the environment, each checked.

use super::fault::Fault;

/// How the engine is compiled, beyond its instruction set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choices {
    /// llamafile kernels.
    pub llamafile: Switch,
    /// Weights put in an order of the kernels' own.
    pub repack: Switch,
    /// Who runs the threads.
    pub threading: AskedThreading,
    /// Matrix products by a library.
    pub blas: Option<Blas>,
    /// Flags after all others, for C and C++.
    pub extra_flags: Vec<String>,
    /// Permutes the objects, which changes the layout of the binary and nothing else.
    pub link_order_seed: Option<u64>,
}

/// Part of the engine or not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Switch {
    /// Compiled in, which is upstream's default.
    #[default]
    On,
    /// Left out.
    Off,
}

/// Who is to run the threads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AskedThreading {
    /// OpenMP where it is found, which is upstream's default.
    #[default]
    WhereFound,
    /// OpenMP, or no build.
    OpenMp,
    /// The engine itself.
    Own,
}

/// A library for matrix products.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blas {
    /// OpenBLAS.
    OpenBlas,
}

const SWITCHES: [(&str, Switch); 2] = [("on", Switch::On), ("off", Switch::Off)];

const THREADING: [(&str, AskedThreading); 2] =
    [("openmp", AskedThreading::OpenMp), ("own", AskedThreading::Own)];

const BLAS: [(&str, Blas); 1] = [("openblas", Blas::OpenBlas)];

/// The variables that only a compiled engine can honour.
pub const VARIABLES: [&str; 6] = [
    "ENGINE_LLAMAFILE",
    "ENGINE_REPACK",
    "ENGINE_THREADING",
    "ENGINE_BLAS",
    "ENGINE_EXTRA_FLAGS",
    "ENGINE_LINK_ORDER_SEED",
];

impl Choices {
    /// Reads them by a function that knows the value of a variable.
    pub fn read(value: impl Fn(&str) -> Option<String>) -> Result<Self, Fault> {
        Ok(Self {
            llamafile: known("ENGINE_LLAMAFILE", &value, &SWITCHES)?.unwrap_or_default(),
            repack: known("ENGINE_REPACK", &value, &SWITCHES)?.unwrap_or_default(),
            threading: known("ENGINE_THREADING", &value, &THREADING)?.unwrap_or_default(),
            blas: known("ENGINE_BLAS", &value, &BLAS)?,
            extra_flags: extra_flags(value("ENGINE_EXTRA_FLAGS"))?,
            link_order_seed: seed(value("ENGINE_LINK_ORDER_SEED"))?,
        })
    }
}

fn known<T: Copy>(
    name: &str,
    value: impl Fn(&str) -> Option<String>,
    words: &[(&str, T)],
) -> Result<Option<T>, Fault> {
    let Some(word) = value(name) else { return Ok(None) };
    if let Some((_, meaning)) = words.iter().find(|(known, _)| *known == word) {
        return Ok(Some(*meaning));
    }
    let all: Vec<&str> = words.iter().map(|(known, _)| *known).collect();
    Err(Fault::new(format!("{name} is `{word}`, which it does not know"))
        .hint(format!("set it to {}, or leave it unset", all.join(" or "))))
}

/// Flags, each of which begins with `-`: a bare word would be taken for a file to compile.
fn extra_flags(value: Option<String>) -> Result<Vec<String>, Fault> {
    let flags: Vec<String> =
        value.unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    match flags.iter().find(|flag| !flag.starts_with('-')) {
        Some(word) => Err(Fault::new(format!("ENGINE_EXTRA_FLAGS has `{word}`, which is no flag"))
            .hint(
                "write flags that begin with `-`, separated by spaces; arguments are joined on, \
                   as in -DNAME=value",
            )),
        None => Ok(flags),
    }
}

fn seed(value: Option<String>) -> Result<Option<u64>, Fault> {
    let Some(value) = value else { return Ok(None) };
    value.parse().map(Some).map_err(|error| {
        Fault::new(format!("ENGINE_LINK_ORDER_SEED is `{value}`: {error}"))
            .hint("set it to a whole number from 0 on, or leave it unset")
    })
}
