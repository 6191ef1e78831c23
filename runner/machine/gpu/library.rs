//! The library, and questions to every GPU.

use nvml_wrapper::error::NvmlError;
use nvml_wrapper::{Device, Nvml};

use super::{MachineRoot, Reading};

/// The loaded library.
pub(super) struct Library {
    nvml: Nvml,
}

impl Library {
    /// Loads it, where a driver has installed it.
    pub(super) fn load(root: &MachineRoot) -> Reading<Library> {
        if !root.is_live() {
            return Reading::unknown("files that describe a machine do not describe its GPUs");
        }
        match Nvml::init() {
            Ok(nvml) => Reading::Known(Library { nvml }),
            Err(NvmlError::LibloadingError(_)) => {
                Reading::unknown("no NVIDIA driver: its library NVML cannot be loaded")
            }
            Err(error) => Reading::unknown(format!("NVML: {error}")),
        }
    }

    /// The library itself.
    pub(super) fn ask<T>(
        &self,
        question: impl FnOnce(&Nvml) -> Result<T, NvmlError>,
    ) -> Reading<T> {
        question(&self.nvml).map_or_else(unknown, Reading::Known)
    }

    /// The same of every GPU, in the library's order.
    pub(super) fn ask_each<T>(
        &self,
        question: impl Fn(&Device<'_>) -> Result<T, NvmlError>,
    ) -> Reading<Vec<T>> {
        let answers = || {
            let count = self.nvml.device_count()?;
            (0..count).map(|index| question(&self.nvml.device_by_index(index)?)).collect()
        };
        match answers() {
            Ok(answers) if Vec::is_empty(&answers) => Reading::unknown("there is no GPU"),
            Ok(answers) => Reading::Known(answers),
            Err(error) => unknown(error),
        }
    }
}

fn unknown<T>(error: NvmlError) -> Reading<T> {
    Reading::unknown(format!("NVML: {error}"))
}

/// One text for all GPUs: the answers by commas, only one where all are the same.
pub(super) fn joined<T: ToString + PartialEq>(answers: &[T]) -> String {
    let same = answers.windows(2).all(|pair| matches!(pair, [one, other] if one == other));
    let shown = if same { answers.get(..1).unwrap_or_default() } else { answers };
    shown.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_the_same_is_said_once() {
        assert_eq!(joined(&["H200", "H200"]), "H200");
        assert_eq!(joined(&[1, 2, 1]), "1,2,1");
        assert_eq!(joined::<u32>(&[]), "");
    }

    #[test]
    fn a_machine_described_by_files_has_no_known_gpu() {
        let root = MachineRoot::below(std::path::Path::new("/nowhere"));
        assert!(Library::load(&root).known().is_none());
    }
}
