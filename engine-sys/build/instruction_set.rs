//! The instruction set of ggml-cpu: the flags that ask for it, and what the compiler makes of them.
//!
//! Reviewed against `ggml/src/ggml-cpu/CMakeLists.txt` of the pinned package: with `GGML_NATIVE`,
//! the default, x86 gets `-march=native` and nothing else; ARM is in `arm.rs`.

use std::collections::BTreeMap;

use super::arm;
use super::fault::Fault;
use super::settings::Settings;
use super::toolchain::{Language, Toolchain};
use super::tree;

/// The word for the instruction set of the machine that compiles.
pub const NATIVE: &str = "native";

/// What was asked for and what it means.
pub struct InstructionSet {
    /// The flags, for ggml-cpu only.
    pub flags: Vec<String>,
    /// The folder below `ggml-cpu/arch` with kernels for this architecture.
    pub kernels: Option<&'static str>,
    /// Extensions by the names of their macros, without underscores: `AVX2`, `F16C`, `DOTPROD`, …
    pub features: Vec<String>,
    /// A hash of every macro that the compiler predefines under these flags.
    pub macros: String,
}

impl InstructionSet {
    /// Asks the compiler.
    pub fn resolve(toolchain: &Toolchain, settings: &Settings) -> Result<Self, Fault> {
        let request = settings.instruction_set.as_str();
        if settings.cross && request == NATIVE {
            return Err(Fault::new(format!(
                "the native instruction set of {} cannot be told on another machine",
                settings.target
            ))
            .hint("name one: ENGINE_INSTRUCTION_SET=x86-64-v3, or armv8.2-a+dotprod"));
        }
        let architecture = settings.architecture();
        let (kernels, flags) = match (architecture.as_str(), request) {
            ("x86_64" | "x86", _) => (Some("x86"), vec![format!("-march={request}")]),
            ("aarch64" | "arm", NATIVE) => (Some("arm"), arm::native_flags(toolchain, settings)),
            ("aarch64" | "arm", _) => {
                let mut flags = arm::half_precision_flags(toolchain, settings);
                flags.push(format!("-march={request}"));
                (Some("arm"), flags)
            }
            // Upstream's fallback for an architecture that it does not know.
            _ => (None, vec!["-DGGML_CPU_GENERIC".to_owned()]),
        };
        // Flags of the user's come after, and may ask for more.
        let mut all = flags.clone();
        all.extend(settings.choices.extra_flags.iter().cloned());
        let macros = toolchain.compiler(Language::C).predefined(Language::C, &all)?;
        let listed = macros.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]);
        Ok(Self { macros: tree::hash_texts(listed), features: features(&macros), flags, kernels })
    }
}

/// Extensions beyond what every processor of the architecture has.
const X86: [&str; 44] = [
    "SSE3",
    "SSSE3",
    "SSE4_1",
    "SSE4_2",
    "SSE4A",
    "AVX",
    "AVX2",
    "AVXVNNI",
    "FMA",
    "F16C",
    "BMI",
    "BMI2",
    "LZCNT",
    "POPCNT",
    "MOVBE",
    "ADX",
    "RDRND",
    "RDSEED",
    "AES",
    "PCLMUL",
    "SHA",
    "GFNI",
    "VAES",
    "VPCLMULQDQ",
    "AVX512F",
    "AVX512CD",
    "AVX512BW",
    "AVX512DQ",
    "AVX512VL",
    "AVX512IFMA",
    "AVX512VBMI",
    "AVX512VBMI2",
    "AVX512VNNI",
    "AVX512BITALG",
    "AVX512VPOPCNTDQ",
    "AVX512BF16",
    "AVX512FP16",
    "AVX512VP2INTERSECT",
    "XSAVE",
    "XSAVEC",
    "XSAVES",
    "AMX_TILE",
    "AMX_INT8",
    "AMX_BF16",
];

const ARM: [&str; 14] = [
    "FMA",
    "FP16_VECTOR_ARITHMETIC",
    "DOTPROD",
    "MATMUL_INT8",
    "BF16",
    "SVE",
    "SVE2",
    "SME",
    "ATOMICS",
    "CRC32",
    "AES",
    "SHA2",
    "SHA3",
    "RCPC",
];

fn features(macros: &BTreeMap<String, String>) -> Vec<String> {
    let x86 = X86.iter().filter(|name| macros.contains_key(&format!("__{name}__")));
    let arm = ARM.iter().filter(|name| macros.contains_key(&format!("__ARM_FEATURE_{name}")));
    x86.chain(arm).map(|name| (*name).to_owned()).collect()
}
