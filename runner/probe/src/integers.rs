//! Multiply-adds of integers, as quantised weights need them.
//!
//! What is timed is `pmaddwd`: two products of 16-bit values and their sum in each 32-bit lane.
//! Instructions for 8-bit values (`vpmaddubsw`, `vpdpbusd`) run on the same units at the same rate
//! and do at most twice as many, since a register holds twice as many of them (A. Fog,
//! "Instruction tables"; uops.info). Units for whole matrices (AMX) do more; who uses these figures
//! as a bound must know whether there are any.

use std::hint::black_box;

/// Does `rounds` rounds; how many multiply-adds that were. `None` without wide instructions that
/// are known here.
#[cfg(target_arch = "x86_64")]
pub(crate) fn pairs(rounds: u32) -> Option<u64> {
    match pulp::Arch::new() {
        pulp::Arch::V4(simd) => Some(simd.vectorize(wide::Pairs512 { simd, rounds })),
        pulp::Arch::V3(simd) => Some(simd.vectorize(wide::Pairs256 { simd, rounds })),
        _ => None,
    }
}

/// Other processors: their instructions for integers (`sdot`, `smmla`) are not used here.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn pairs(_rounds: u32) -> Option<u64> {
    None
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use pulp::NullaryFnOnce;
    use pulp::x86::{V3, V4};

    use super::black_box;
    use crate::arithmetic::CHAINS;

    /// Products in a 32-bit lane.
    const PRODUCTS: u64 = 2;

    pub(super) struct Pairs256 {
        pub simd: V3,
        pub rounds: u32,
    }

    pub(super) struct Pairs512 {
        pub simd: V4,
        pub rounds: u32,
    }

    /// Each chain multiplies what came of it before, so that nothing can be done beforehand.
    impl NullaryFnOnce for Pairs256 {
        type Output = u64;

        #[inline(always)]
        fn call(self) -> u64 {
            let Pairs256 { simd, rounds } = self;
            let factor = simd.avx._mm256_set1_epi16(black_box(3));
            let mut chains = std::array::from_fn::<_, CHAINS, _>(|chain| {
                simd.avx._mm256_set1_epi16(black_box(chain as i16 + 1))
            });
            for _ in 0..rounds {
                for chain in &mut chains {
                    *chain = simd.avx2._mm256_madd_epi16(*chain, factor);
                }
            }
            black_box(chains);
            u64::from(rounds) * CHAINS as u64 * 8 * PRODUCTS
        }
    }

    impl NullaryFnOnce for Pairs512 {
        type Output = u64;

        #[inline(always)]
        fn call(self) -> u64 {
            let Pairs512 { simd, rounds } = self;
            let factor = simd.avx512f._mm512_set1_epi16(black_box(3));
            let mut chains = std::array::from_fn::<_, CHAINS, _>(|chain| {
                simd.avx512f._mm512_set1_epi16(black_box(chain as i16 + 1))
            });
            for _ in 0..rounds {
                for chain in &mut chains {
                    *chain = simd.avx512bw._mm512_madd_epi16(*chain, factor);
                }
            }
            black_box(chains);
            u64::from(rounds) * CHAINS as u64 * 16 * PRODUCTS
        }
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn wide_instructions_count_more() {
        if let Some(done) = super::pairs(10) {
            assert!(done == 10 * 12 * 16 || done == 10 * 12 * 32, "{done}");
        }
    }
}
