//! `ENGINE_CUDA_ARCHITECTURES`: `90`, or `80,90`; each as machine code and as PTX, as CMake does.

use super::fault::Fault;

const HINT: &str = "name those of the GPUs that will be used, separated by commas: \
                    ENGINE_CUDA_ARCHITECTURES=90 for H100 and H200, 80 for A100, 89 for RTX 40";

/// The flags for nvcc; nothing named is a fault, since each costs the whole time.
pub fn flags(named: Option<&str>) -> Result<Vec<String>, Fault> {
    let Some(text) = named else {
        return Err(Fault::new("ENGINE_CUDA_ARCHITECTURES is not set").hint(HINT));
    };
    text.split(',').map(|part| flag(part.trim(), text)).collect()
}

fn flag(part: &str, text: &str) -> Result<String, Fault> {
    let digits = part.strip_suffix(['a', 'f']).unwrap_or(part);
    let well_formed =
        (2..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !well_formed {
        return Err(Fault::new(format!(
            "ENGINE_CUDA_ARCHITECTURES is `{text}`, where `{part}` is no architecture"
        ))
        .hint(HINT));
    }
    // Upstream makes 12X to 12Xa: what FP4 needs is in no other.
    let blackwell = part == digits && digits.len() == 3 && digits.starts_with("12");
    let name = if blackwell { format!("{part}a") } else { part.to_owned() };
    Ok(format!("--generate-code=arch=compute_{name},code=[compute_{name},sm_{name}]"))
}
