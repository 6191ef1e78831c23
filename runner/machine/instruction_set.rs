//! Which extensions of the instruction set this machine's processors offer.

use super::reading::Reading;
use super::root::MachineRoot;

/// An extension of x86 as compilers name it, without underscores, and as Linux lists it in
/// `/proc/cpuinfo` under `flags` (`arch/x86/include/asm/cpufeatures.h`).
const X86: [(&str, &str); 44] = [
    ("SSE3", "pni"),
    ("SSSE3", "ssse3"),
    ("SSE4_1", "sse4_1"),
    ("SSE4_2", "sse4_2"),
    ("SSE4A", "sse4a"),
    ("AVX", "avx"),
    ("AVX2", "avx2"),
    ("AVXVNNI", "avx_vnni"),
    ("FMA", "fma"),
    ("F16C", "f16c"),
    ("BMI", "bmi1"),
    ("BMI2", "bmi2"),
    ("LZCNT", "abm"),
    ("POPCNT", "popcnt"),
    ("MOVBE", "movbe"),
    ("ADX", "adx"),
    ("RDRND", "rdrand"),
    ("RDSEED", "rdseed"),
    ("AES", "aes"),
    ("PCLMUL", "pclmulqdq"),
    ("SHA", "sha_ni"),
    ("GFNI", "gfni"),
    ("VAES", "vaes"),
    ("VPCLMULQDQ", "vpclmulqdq"),
    ("AVX512F", "avx512f"),
    ("AVX512CD", "avx512cd"),
    ("AVX512BW", "avx512bw"),
    ("AVX512DQ", "avx512dq"),
    ("AVX512VL", "avx512vl"),
    ("AVX512IFMA", "avx512ifma"),
    ("AVX512VBMI", "avx512vbmi"),
    ("AVX512VBMI2", "avx512_vbmi2"),
    ("AVX512VNNI", "avx512_vnni"),
    ("AVX512BITALG", "avx512_bitalg"),
    ("AVX512VPOPCNTDQ", "avx512_vpopcntdq"),
    ("AVX512BF16", "avx512_bf16"),
    ("AVX512FP16", "avx512_fp16"),
    ("AVX512VP2INTERSECT", "avx512_vp2intersect"),
    ("XSAVE", "xsave"),
    ("XSAVEC", "xsavec"),
    ("XSAVES", "xsaves"),
    ("AMX_TILE", "amx_tile"),
    ("AMX_INT8", "amx_int8"),
    ("AMX_BF16", "amx_bf16"),
];

/// The same of ARM, listed under `Features` (`arch/arm64/kernel/cpuinfo.c`).
const ARM: [(&str, &str); 13] = [
    ("FP16_VECTOR_ARITHMETIC", "asimdhp"),
    ("DOTPROD", "asimddp"),
    ("MATMUL_INT8", "i8mm"),
    ("BF16", "bf16"),
    ("SVE", "sve"),
    ("SVE2", "sve2"),
    ("SME", "sme"),
    ("ATOMICS", "atomics"),
    ("CRC32", "crc32"),
    ("SHA2", "sha2"),
    ("SHA3", "sha3"),
    ("RCPC", "lrcpc"),
    ("AES", "aes"),
];

/// Of some extensions, named as compilers name them, those that the processors do not offer.
/// Names that the system does not list count as offered. Unknown where the system does not tell.
#[must_use]
pub fn missing_extensions(root: &MachineRoot, wanted: &[String]) -> Reading<Vec<String>> {
    let listed = match root.text("proc/cpuinfo") {
        Reading::Known(text) => text,
        Reading::Unknown(why) => return Reading::unknown(why),
    };
    let flags = listed.lines().find_map(|line| {
        let (name, flags) = line.split_once(':')?;
        match name.trim() {
            "flags" => Some((X86.as_slice(), flags)),
            "Features" => Some((ARM.as_slice(), flags)),
            _ => None,
        }
    });
    let Some((names, flags)) = flags else {
        return Reading::unknown("/proc/cpuinfo lists no extensions".to_owned());
    };
    let offered: Vec<&str> = flags.split_whitespace().collect();
    let lacks = |wanted: &&String| {
        names.iter().any(|(name, flag)| name == wanted && !offered.contains(flag))
    };
    Reading::Known(wanted.iter().filter(lacks).cloned().collect())
}

/// The macros of extensions among those that a compiler predefines, as [`missing_extensions`]
/// names them.
#[must_use]
pub fn extensions_of(macros: &str) -> Vec<String> {
    let defined: Vec<&str> = macros
        .lines()
        .filter_map(|line| line.strip_prefix("#define ")?.split_whitespace().next())
        .collect();
    let of = |names: &[(&str, &str)], spelt: fn(&str) -> String| -> Vec<String> {
        let known = names.iter().filter(|(name, _)| defined.contains(&spelt(name).as_str()));
        known.map(|(name, _)| (*name).to_owned()).collect()
    };
    let mut names = of(&X86, |name| format!("__{name}__"));
    names.extend(of(&ARM, |name| format!("__ARM_FEATURE_{name}")));
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::fixture::Fixture;

    #[test]
    fn what_the_processor_does_not_list_is_missing_and_what_nobody_lists_is_not() {
        let fixture = Fixture::new();
        fixture.file("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu pni ssse3 avx avx2 abm\n");
        let wanted = ["SSE3", "AVX2", "LZCNT", "AVX512F", "SOMETHING_NEW"].map(str::to_owned);
        let missing = missing_extensions(&fixture.root(), &wanted);
        assert_eq!(missing, Reading::Known(vec!["AVX512F".to_owned()]));
        let silent = Fixture::new();
        assert!(matches!(missing_extensions(&silent.root(), &wanted), Reading::Unknown(_)));
    }

    #[test]
    fn macros_of_extensions_are_told_from_others() {
        let macros = "#define __AVX2__ 1\n#define __linux__ 1\n#define __CRC32__ 1\n";
        assert_eq!(extensions_of(macros), ["AVX2"]);
        assert_eq!(extensions_of("#define __ARM_FEATURE_DOTPROD 1\n"), ["DOTPROD"]);
    }
}
