//! How far rounding alone can part two sound tensors.

use serde::Serialize;

/// The coarsest arithmetic that stands between the two sides, which decides what rounding explains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rounding {
    /// The same kernels on tensors of the same types: the same bits where the values are the same.
    SameKernels,
    /// Weights, activations and cache in 32 bits: only the order of summation differs.
    Float32,
    /// Weights, activations or cache in 16 bits.
    Float16,
    /// Activations in 8 bits, as quantised weights are multiplied.
    EightBits,
}

/// The two bars.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bars {
    /// What they are for.
    pub rounding: Rounding,
    /// A tensor computed from the same input on both sides parts when its largest relative
    /// difference is over this.
    pub fed: f64,
    /// Where differences are carried along, a tensor parts when its difference is over `fed` and
    /// over this many times the largest that came before it.
    pub jump: f64,
}

impl Bars {
    /// The bars of an arithmetic; `docs/bisect.md` says what they were measured on.
    #[must_use]
    pub fn of(rounding: Rounding) -> Bars {
        let fed = match rounding {
            Rounding::SameKernels => 1e-5,
            Rounding::Float32 => 2e-4,
            Rounding::Float16 => 2e-2,
            Rounding::EightBits => 0.8,
        };
        Bars { rounding, fed, jump: 8.0 }
    }

    /// The fed bar at an operation and behind it, within a block: the engine looks GELU up in a table
    /// of 16-bit values (ggml-cpu, `GGML_GELU_FP16`), whatever the weights are.
    #[must_use]
    pub fn fed_at(&self, operation: &str) -> f64 {
        let tabled = ["gelu", "geglu", "gelu_quick", "geglu_quick"].contains(&operation);
        let different_kernels = self.rounding != Rounding::SameKernels;
        let table = if tabled && different_kernels { Bars::of(Rounding::Float16).fed } else { 0.0 };
        self.fed.max(table)
    }
}

impl Rounding {
    /// By ggml's name of a tensor type.
    #[must_use]
    pub fn of_type(tensor_type: &str) -> Rounding {
        match tensor_type {
            "f32" | "f64" | "i32" | "i16" | "i8" | "i64" => Rounding::Float32,
            "f16" | "bf16" => Rounding::Float16,
            _ => Rounding::EightBits,
        }
    }

    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Rounding::SameKernels => "the same kernels on the same types",
            Rounding::Float32 => "32-bit arithmetic",
            Rounding::Float16 => "16-bit weights, activations or cache",
            Rounding::EightBits => "quantised weights (8-bit activations)",
        }
    }
}
