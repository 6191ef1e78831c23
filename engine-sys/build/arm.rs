//! The native instruction set of ARM, as `ggml/src/ggml-cpu/CMakeLists.txt` finds it: what
//! `-mcpu=native` resolves to, and then extensions one by one, since some compilers leave out what
//! the machine has.

use std::process::Stdio;

use super::probe;
use super::settings::Settings;
use super::toolchain::{Language, Toolchain};

/// An extension, and a program that uses it.
struct Extension {
    tag: &'static str,
    feature: &'static str,
    program: &'static str,
}

const EXTENSIONS: [Extension; 4] = [
    Extension {
        tag: "dotprod",
        feature: "DOTPROD",
        program: "#include <arm_neon.h>\nint main() { int8x16_t a = vdupq_n_s8(1); \
                  volatile int32x4_t s = vdotq_s32(vdupq_n_s32(0), a, a); (void) s; return 0; }\n",
    },
    Extension {
        tag: "i8mm",
        feature: "MATMUL_INT8",
        program: "#include <arm_neon.h>\nint main() { int8x16_t a = vdupq_n_s8(1); \
                  volatile int32x4_t s = vmmlaq_s32(vdupq_n_s32(0), a, a); (void) s; return 0; }\n",
    },
    Extension {
        tag: "sve",
        feature: "SVE",
        program: "#include <arm_sve.h>\nint main() { float out[64]; \
                  svfloat32_t a = svdup_n_f32(1.0f); svst1_f32(svptrue_b32(), out, \
                  svadd_f32_z(svptrue_b32(), a, a)); return out[0] == 2.0f ? 0 : 1; }\n",
    },
    Extension {
        tag: "sme",
        feature: "SME",
        program: "#include <arm_sme.h>\n__arm_locally_streaming int main() \
                  { __asm__ volatile(\"smstart; smstop;\"); return 0; }\n",
    },
];

/// The flags for this machine.
pub fn native_flags(toolchain: &Toolchain, settings: &Settings) -> Vec<String> {
    let base = resolved(toolchain).unwrap_or_else(|| "-mcpu=native".to_owned());
    let compiler = toolchain.compiler(Language::Cxx);
    let mut processor = base.clone();
    let mut undefined = Vec::new();
    for Extension { tag, feature, program } in &EXTENSIONS {
        let with = format!("{base}+{tag}");
        let without = format!("{base}+no{tag}");
        if probe::runs(compiler, Language::Cxx, settings, &[&with], program) {
            processor.push_str(&format!("+{tag}"));
        } else if probe::compiles(
            compiler,
            Language::Cxx,
            settings,
            &[&without],
            "int main() { return 0; }\n",
        ) {
            processor.push_str(&format!("+no{tag}"));
            undefined.push(format!("-U__ARM_FEATURE_{feature}"));
        }
    }
    let mut flags = half_precision_flags(toolchain, settings);
    flags.append(&mut undefined);
    flags.push(processor);
    flags
}

/// The flag for half-precision floats, where the compiler knows it (32-bit ARM).
pub fn half_precision_flags(toolchain: &Toolchain, settings: &Settings) -> Vec<String> {
    let flag = "-mfp16-format=ieee";
    let compiler = toolchain.compiler(Language::Cxx);
    let known =
        probe::compiles(compiler, Language::Cxx, settings, &[flag], "int main() { return 0; }\n");
    if known { vec![flag.to_owned()] } else { Vec::new() }
}

/// What the compiler's driver makes of `-mcpu=native`: `-march=` before `-mcpu=`, since some old
/// compilers resolve only the former.
fn resolved(toolchain: &Toolchain) -> Option<String> {
    let mut command = toolchain.compiler(Language::C).command();
    command.args(["-mcpu=native", "-E", "-v", "-"]).stdin(Stdio::null());
    let output = command.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    ["-march=", "-mcpu="].into_iter().find_map(|prefix| {
        let flag = first_flag(&text, prefix)?;
        (flag != format!("{prefix}native")).then_some(flag)
    })
}

fn first_flag(text: &str, prefix: &str) -> Option<String> {
    let start = text.find(prefix)?;
    let rest = &text[start..];
    let end = rest.find([' ', '\'', '\n']).unwrap_or(rest.len());
    Some(rest[..end].to_owned())
}
