//! Whether this processor has what the engine was compiled for.

use crate::build_facts::INSTRUCTION_SET;

/// The instruction set extensions that were compiled in and that this processor, or its operating
/// system, does not offer: with any, the engine would be killed by an illegal instruction.
///
/// Extensions that cannot be asked for (AMX, which ggml itself asks the kernel for before use; SME)
/// count as present. Nothing is known of prebuilt libraries.
pub fn missing_cpu_features() -> Vec<&'static str> {
    let compiled = INSTRUCTION_SET.unwrap_or_default();
    compiled.iter().copied().filter(|name| offered(name) == Some(false)).collect()
}

/// Whether the processor offers an extension, named as in `INSTRUCTION_SET`; none if that cannot
/// be told.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
fn offered(name: &str) -> Option<bool> {
    use std::arch::is_x86_feature_detected as detected;
    Some(match name {
        "SSE3" => detected!("sse3"),
        "SSSE3" => detected!("ssse3"),
        "SSE4_1" => detected!("sse4.1"),
        "SSE4_2" => detected!("sse4.2"),
        "SSE4A" => detected!("sse4a"),
        "AVX" => detected!("avx"),
        "AVX2" => detected!("avx2"),
        "AVXVNNI" => detected!("avxvnni"),
        "FMA" => detected!("fma"),
        "F16C" => detected!("f16c"),
        "BMI" => detected!("bmi1"),
        "BMI2" => detected!("bmi2"),
        "LZCNT" => detected!("lzcnt"),
        "POPCNT" => detected!("popcnt"),
        "MOVBE" => detected!("movbe"),
        "ADX" => detected!("adx"),
        "RDRND" => detected!("rdrand"),
        "RDSEED" => detected!("rdseed"),
        "AES" => detected!("aes"),
        "PCLMUL" => detected!("pclmulqdq"),
        "SHA" => detected!("sha"),
        "GFNI" => detected!("gfni"),
        "VAES" => detected!("vaes"),
        "VPCLMULQDQ" => detected!("vpclmulqdq"),
        "AVX512F" => detected!("avx512f"),
        "AVX512CD" => detected!("avx512cd"),
        "AVX512BW" => detected!("avx512bw"),
        "AVX512DQ" => detected!("avx512dq"),
        "AVX512VL" => detected!("avx512vl"),
        "AVX512IFMA" => detected!("avx512ifma"),
        "AVX512VBMI" => detected!("avx512vbmi"),
        "AVX512VBMI2" => detected!("avx512vbmi2"),
        "AVX512VNNI" => detected!("avx512vnni"),
        "AVX512BITALG" => detected!("avx512bitalg"),
        "AVX512VPOPCNTDQ" => detected!("avx512vpopcntdq"),
        "AVX512BF16" => detected!("avx512bf16"),
        "AVX512FP16" => detected!("avx512fp16"),
        "AVX512VP2INTERSECT" => detected!("avx512vp2intersect"),
        "XSAVE" => detected!("xsave"),
        "XSAVEC" => detected!("xsavec"),
        "XSAVES" => detected!("xsaves"),
        _ => return None,
    })
}

/// The same for AArch64.
#[cfg(target_arch = "aarch64")]
fn offered(name: &str) -> Option<bool> {
    use std::arch::is_aarch64_feature_detected as detected;
    Some(match name {
        "FMA" => detected!("neon"),
        "FP16_VECTOR_ARITHMETIC" => detected!("fp16"),
        "DOTPROD" => detected!("dotprod"),
        "MATMUL_INT8" => detected!("i8mm"),
        "BF16" => detected!("bf16"),
        "SVE" => detected!("sve"),
        "SVE2" => detected!("sve2"),
        "ATOMICS" => detected!("lse"),
        "CRC32" => detected!("crc"),
        "AES" => detected!("aes"),
        "SHA2" => detected!("sha2"),
        "SHA3" => detected!("sha3"),
        "RCPC" => detected!("rcpc"),
        _ => return None,
    })
}

/// No other architecture can be asked.
#[cfg(not(any(target_arch = "x86_64", target_arch = "x86", target_arch = "aarch64")))]
fn offered(_name: &str) -> Option<bool> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_that_compiled_natively_lacks_nothing() {
        if crate::build_facts::INSTRUCTION_SET_REQUEST == "native" {
            assert_eq!(missing_cpu_features(), Vec::<&str>::new());
        }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn every_compiled_extension_but_amx_can_be_asked_for() {
        let unknown: Vec<_> = INSTRUCTION_SET
            .unwrap_or_default()
            .iter()
            .filter(|name| offered(name).is_none() && !name.starts_with("AMX"))
            .collect();
        assert_eq!(unknown, Vec::<&&str>::new());
    }
}
