//! On which facts of machine and engine an experiment's figures depend.

use serde::{Deserialize, Serialize};

/// The facts that matter. When one of them changes, `record stale` marks the figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StackPlan {
    /// Sorted, each once.
    pub matters: Vec<StackFact>,
}

/// One fact of the stack key.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum StackFact {
    /// Operating system and architecture.
    Platform,
    /// The processor's model.
    CpuModel,
    /// Its family, model number and stepping.
    CpuRevision,
    /// Its microcode.
    Microcode,
    /// Cores that may be used.
    CoresUsable,
    /// Whether cores run several threads.
    Smt,
    /// The frequency governor.
    Governor,
    /// Whether the clock may be raised.
    Turbo,
    /// Whether memory comes in huge pages.
    TransparentHugePages,
    /// Whether a hypervisor lies between.
    Hypervisor,
    /// The kernel.
    Kernel,
    /// The C library.
    Libc,
    /// The GPU.
    Gpu,
    /// Its driver.
    GpuDriver,
    /// The engine's source.
    EngineSource,
    /// The compiler that the engine was built with.
    EngineCompiler,
    /// The flags that it was built with.
    EngineFlags,
    /// The processor extensions that it was built for.
    EngineInstructionSet,
}

impl StackFact {
    /// All of them, in the order of the stack key.
    pub const ALL: [StackFact; 18] = [
        StackFact::Platform,
        StackFact::CpuModel,
        StackFact::CpuRevision,
        StackFact::Microcode,
        StackFact::CoresUsable,
        StackFact::Smt,
        StackFact::Governor,
        StackFact::Turbo,
        StackFact::TransparentHugePages,
        StackFact::Hypervisor,
        StackFact::Kernel,
        StackFact::Libc,
        StackFact::Gpu,
        StackFact::GpuDriver,
        StackFact::EngineSource,
        StackFact::EngineCompiler,
        StackFact::EngineFlags,
        StackFact::EngineInstructionSet,
    ];

    /// Its name, as manifests and records spell it.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            StackFact::Platform => "platform",
            StackFact::CpuModel => "cpu_model",
            StackFact::CpuRevision => "cpu_revision",
            StackFact::Microcode => "microcode",
            StackFact::CoresUsable => "cores_usable",
            StackFact::Smt => "smt",
            StackFact::Governor => "governor",
            StackFact::Turbo => "turbo",
            StackFact::TransparentHugePages => "transparent_huge_pages",
            StackFact::Hypervisor => "hypervisor",
            StackFact::Kernel => "kernel",
            StackFact::Libc => "libc",
            StackFact::Gpu => "gpu",
            StackFact::GpuDriver => "gpu_driver",
            StackFact::EngineSource => "engine_source",
            StackFact::EngineCompiler => "engine_compiler",
            StackFact::EngineFlags => "engine_flags",
            StackFact::EngineInstructionSet => "engine_instruction_set",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::StackFact;

    #[test]
    fn a_fact_is_spelled_as_it_is_written() {
        for fact in StackFact::ALL {
            assert_eq!(serde_json::to_value(fact).unwrap(), fact.key());
        }
    }
}
