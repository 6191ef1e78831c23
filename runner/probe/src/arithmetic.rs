//! Multiply-adds.

use std::hint::black_box;

use pulp::{Arch, Simd, WithSimd};

use super::clock::{Clock, rate};
use super::integers;
use super::repeat::repeat;

/// Chains of multiply-adds that do not wait for each other: a fused one takes four cycles and two
/// begin in each (Zen and Intel since Haswell: A. Fog, "Instruction tables"), so eight keep a
/// core busy; twelve leave room for two constants in sixteen registers.
pub(crate) const CHAINS: usize = 12;

/// Rounds of a repetition: a few milliseconds.
const ROUNDS: u32 = 1_000_000;

/// What is multiplied and added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// 32-bit floats.
    F32,
    /// 64-bit floats.
    F64,
    /// Pairs of 16-bit integers, added up in 32 bits.
    I16,
}

impl Operand {
    /// All of them.
    pub const ALL: [Operand; 3] = [Operand::F32, Operand::F64, Operand::I16];

    /// `f32`, `f64`, `i16`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Operand::F32 => "f32",
            Operand::F64 => "f64",
            Operand::I16 => "i16",
        }
    }
}

/// The instructions that are used here: `avx512`, `avx2`, `neon`, or `baseline`.
#[must_use]
pub fn instructions() -> &'static str {
    match Arch::new() {
        #[cfg(target_arch = "x86_64")]
        Arch::V4(_) => "avx512",
        #[cfg(target_arch = "x86_64")]
        Arch::V3(_) => "avx2",
        #[cfg(target_arch = "aarch64")]
        Arch::Neon(_) => "neon",
        _ => "baseline",
    }
}

/// Multiply-adds a second that `threads` threads do together with operands in registers, one
/// value a repetition; `None` where this processor's own instructions for them are not used here,
/// so that the figure would be too small for a bound.
#[must_use]
pub fn multiply_adds(
    clock: Clock<'_>,
    operand: Operand,
    threads: u32,
    budget_nanoseconds: u64,
) -> Option<Vec<f64>> {
    let threads = threads.max(1);
    let once: fn() -> u64 = match operand {
        Operand::F32 => || consumed(Arch::new().dispatch(Singles)),
        Operand::F64 => || consumed(Arch::new().dispatch(Doubles)),
        Operand::I16 => {
            integers::pairs(1)?;
            || integers::pairs(black_box(ROUNDS)).unwrap_or(0)
        }
    };
    let done = (once() * u64::from(threads)) as f64;
    let work = |_: &mut ()| {
        black_box(once());
    };
    let times = repeat(clock, threads, budget_nanoseconds, &|| (), &work);
    Some(times.into_iter().filter_map(|time| rate(done, time)).collect())
}

/// How many were done, once their sum is no longer the compiler's to leave out.
fn consumed<Sum>((sum, done): (Sum, u64)) -> u64 {
    black_box(sum);
    done
}

struct Singles;
struct Doubles;

/// Each chain goes to one: `x = x * 0.999 + 0.001`. No denormals, no infinities.
impl WithSimd for Singles {
    type Output = (f32, u64);

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> (f32, u64) {
        let factor = simd.splat_f32s(black_box(0.999));
        let addend = simd.splat_f32s(black_box(0.001));
        let mut chains =
            std::array::from_fn::<_, CHAINS, _>(|chain| simd.splat_f32s(black_box(chain as f32)));
        let rounds = black_box(ROUNDS);
        for _ in 0..rounds {
            for chain in &mut chains {
                *chain = simd.mul_add_e_f32s(*chain, factor, addend);
            }
        }
        let zero = simd.splat_f32s(0.0);
        let sum = chains.into_iter().fold(zero, |sum, chain| simd.add_f32s(sum, chain));
        let lanes = size_of::<S::f32s>() / size_of::<f32>();
        (simd.reduce_sum_f32s(sum), u64::from(rounds) * (CHAINS * lanes) as u64)
    }
}

impl WithSimd for Doubles {
    type Output = (f64, u64);

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> (f64, u64) {
        let factor = simd.splat_f64s(black_box(0.999));
        let addend = simd.splat_f64s(black_box(0.001));
        let mut chains =
            std::array::from_fn::<_, CHAINS, _>(|chain| simd.splat_f64s(black_box(chain as f64)));
        let rounds = black_box(ROUNDS);
        for _ in 0..rounds {
            for chain in &mut chains {
                *chain = simd.mul_add_e_f64s(*chain, factor, addend);
            }
        }
        let zero = simd.splat_f64s(0.0);
        let sum = chains.into_iter().fold(zero, |sum, chain| simd.add_f64s(sum, chain));
        let lanes = size_of::<S::f64s>() / size_of::<f64>();
        (simd.reduce_sum_f64s(sum), u64::from(rounds) * (CHAINS * lanes) as u64)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::{Operand, multiply_adds};

    #[test]
    fn floats_are_measured_everywhere_and_rates_are_positive() {
        let now = AtomicU64::new(0);
        let clock = || now.fetch_add(1_000_000, Ordering::SeqCst);
        for operand in [Operand::F32, Operand::F64] {
            let rates = multiply_adds(&clock, operand, 1, 0).unwrap();
            assert_eq!(rates.len(), 5);
            // at least one lane: 12 million in a scripted millisecond
            assert!(rates.iter().all(|rate| *rate >= 1.2e10), "{rates:?}");
        }
    }
}
