//! The rules, one function a setting. What upstream does was read in ggml 0.26.0:
//! `ggml-cpu.c` (`ggml_graph_compute`, `ggml_threadpool_new_impl`, `ggml_thread_apply_*`,
//! `ggml_numa_init`) and `llama-context.cpp` (batch sizes, quantised values).

use std::collections::BTreeSet;

use engine_protocol::{
    DraftSource, KvType, MOST_RPC_SERVERS, Numa, Priority, SETTING_KEYS, Settings, Toggle,
};

use super::{Ground, Platform, Threading};
use crate::{EngineError, ProcessorMask, defaults};

/// A setting that would not do what it says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{setting}` cannot be honoured: {reason}")]
pub struct Refusal {
    /// The key.
    pub setting: &'static str,
    /// A lower-case fragment.
    pub reason: String,
}

impl From<Refusal> for EngineError {
    fn from(refusal: Refusal) -> Self {
        Self::Unsupported(refusal.to_string())
    }
}

/// What a rule looks at: the settings as named, and with every default filled in.
struct Case<'a> {
    named: &'a Settings,
    all: &'a Settings,
    ground: &'a Ground,
}

/// Settings that this build can honour on this platform, by key, in the order of the reference.
/// A key is here when at least one of its values would change something.
#[must_use]
pub fn supported(ground: &Ground) -> Vec<String> {
    SETTING_KEYS.iter().filter(|key| can_matter(key, ground)).map(|key| (*key).to_owned()).collect()
}

fn can_matter(key: &str, ground: &Ground) -> bool {
    match key {
        "poll_percent" => ground.threading == Threading::OwnPools,
        "priority" => ground.platform != Platform::Other,
        "cpu_mask" | "cpu_strict" => ground.platform == Platform::Linux,
        "gpu_layers" | "kv_offload" => ground.accelerators > 0 || ground.uses_servers,
        "rpc_servers" => ground.uses_servers,
        "memory_map" => ground.maps_files,
        "memory_lock" => ground.locks_memory,
        "numa" => ground.platform == Platform::Linux && ground.memory_nodes > 1,
        _ => true,
    }
}

/// Refuses the first named setting, in the order of the reference, that would be ignored.
///
/// # Errors
/// [`Refusal`] with the setting and the reason.
pub fn check(named: &Settings, ground: &Ground) -> Result<(), Refusal> {
    let all = defaults::complete(named, ground);
    let case = Case { named, all: &all, ground };
    for key in named.named() {
        if let Some(reason) = case.fault(key) {
            return Err(Refusal { setting: key, reason });
        }
    }
    Ok(())
}

impl Case<'_> {
    fn fault(&self, key: &str) -> Option<String> {
        match key {
            "threads" => too_many_threads(self.named.threads),
            "batch_threads" => too_many_threads(self.named.batch_threads),
            "batch_tokens" => self.batch(),
            "micro_batch_tokens" => self.micro_batch(),
            "kv_value_type" => self.value_type(),
            "kv_offload" => self.kv_offload(),
            "gpu_layers" => self.gpu_layers(),
            "memory_map" => self.memory_map(),
            "memory_lock" => self.memory_lock(),
            "poll_percent" => self.poll(),
            "priority" => self.priority(),
            "cpu_mask" => self.mask(),
            "cpu_strict" => self.strict(),
            "numa" => self.numa(),
            "draft_source" => self.draft_source(),
            "draft_tokens" => self.draft_tokens(),
            "draft_lookup_tokens" => self.only_with("prompt_lookup", DraftSource::PromptLookup),
            "draft_model" => self.only_with("draft_model", DraftSource::DraftModel),
            "draft_layers" => self.only_with("self_slice", DraftSource::SelfSlice),
            "draft_acceptance" => self.nothing_drafted(),
            "rpc_servers" => self.servers(),
            _ => None,
        }
    }

    fn least_threads(&self) -> u32 {
        let threads = self.all.threads.unwrap_or(1);
        threads.min(self.all.batch_threads.unwrap_or(threads))
    }

    fn most_threads(&self) -> u32 {
        let threads = self.all.threads.unwrap_or(1);
        threads.max(self.all.batch_threads.unwrap_or(threads))
    }

    fn batch(&self) -> Option<String> {
        let batch = self.named.batch_tokens?;
        let context = defaults::padded(self.all.context_tokens?);
        (batch > context)
            .then(|| format!("{batch} tokens would be cut to the context of {context} tokens"))
    }

    fn micro_batch(&self) -> Option<String> {
        let micro = self.named.micro_batch_tokens?;
        let batch = self.all.batch_tokens?;
        (micro > batch)
            .then(|| format!("{micro} tokens would be cut to the batch of {batch} tokens"))
    }

    fn value_type(&self) -> Option<String> {
        let quantised = match self.named.kv_value_type? {
            KvType::F32 | KvType::F16 | KvType::Bf16 => false,
            KvType::Q8_0
            | KvType::Q5_1
            | KvType::Q5_0
            | KvType::Q4_1
            | KvType::Q4_0
            | KvType::Iq4Nl => true,
        };
        (quantised && self.all.flash_attention != Some(Toggle::On)).then(|| {
            "the engine takes quantised values only with `flash_attention = \"on\"`".to_owned()
        })
    }

    fn kv_offload(&self) -> Option<String> {
        if self.named.kv_offload? == Toggle::Off {
            return None;
        }
        if self.has_no_device() {
            return Some(self.no_device());
        }
        self.no_layer_on_a_device()
    }

    fn gpu_layers(&self) -> Option<String> {
        (self.named.gpu_layers? > 0 && self.has_no_device()).then(|| self.no_device())
    }

    fn servers(&self) -> Option<String> {
        let servers = self.named.rpc_servers.as_ref()?;
        if !self.ground.uses_servers {
            return Some(
                "this build of the engine has no RPC backend; build it with the cargo feature `rpc`"
                    .to_owned(),
            );
        }
        let count = servers.iter().count();
        let distinct = servers.iter().collect::<BTreeSet<_>>().len();
        if !(1..=MOST_RPC_SERVERS).contains(&count) || distinct < count {
            return Some(format!(
                "it names {count} servers, {distinct} of them different; the engine takes 1 to {MOST_RPC_SERVERS}, each once"
            ));
        }
        self.no_layer_on_a_device()
    }

    fn has_no_device(&self) -> bool {
        self.ground.accelerators == 0 && self.all.rpc_servers.is_none()
    }

    fn no_layer_on_a_device(&self) -> Option<String> {
        (self.all.gpu_layers == Some(0))
            .then(|| "no layer is on a device; set `gpu_layers` too".to_owned())
    }

    fn no_device(&self) -> String {
        let trouble = &self.ground.device_trouble;
        let why = if trouble.is_empty() { String::new() } else { format!(" ({trouble})") };
        format!("there is no device but the CPU{why}")
    }

    fn memory_map(&self) -> Option<String> {
        (self.named.memory_map? == Toggle::On && !self.ground.maps_files)
            .then(|| "files cannot be mapped on this platform".to_owned())
    }

    fn memory_lock(&self) -> Option<String> {
        (self.named.memory_lock? == Toggle::On && !self.ground.locks_memory)
            .then(|| "memory cannot be locked on this platform".to_owned())
    }

    fn poll(&self) -> Option<String> {
        self.named.poll_percent?;
        if self.ground.threading == Threading::OpenMp {
            return Some(
                "threads come from OpenMP in this build, which waits in its own way".to_owned(),
            );
        }
        (self.most_threads() == 1).then(|| "with one thread none waits for work".to_owned())
    }

    fn priority(&self) -> Option<String> {
        let priority = self.named.priority?;
        if priority == Priority::Normal {
            return None; // what every thread has anyway
        }
        match self.ground.platform {
            Platform::Other => Some("the engine sets no priority on this platform".to_owned()),
            Platform::MacOs if priority == Priority::Low => {
                Some("the engine cannot lower the priority on this platform".to_owned())
            }
            Platform::MacOs | Platform::Linux => self.unplaced_single_thread(),
        }
    }

    fn mask(&self) -> Option<String> {
        let text = self.named.cpu_mask.as_deref()?;
        let mask = match ProcessorMask::parse(text) {
            Ok(mask) => mask,
            Err(error) => return Some(error.to_string()),
        };
        if self.ground.platform != Platform::Linux {
            return Some("threads cannot be bound to processors on this platform".to_owned());
        }
        let missing = mask.without(&self.ground.processors);
        if !missing.is_empty() {
            return Some(format!("this process may not use the processors {missing}"));
        }
        let threads = self.most_threads();
        if self.all.cpu_strict == Some(Toggle::On) && mask.len() < threads as usize {
            return Some(format!(
                "it has fewer processors ({}) than threads ({threads}), and `cpu_strict` wants one for each",
                mask.len()
            ));
        }
        self.unplaced_single_thread()
    }

    fn strict(&self) -> Option<String> {
        if self.named.cpu_strict? == Toggle::Off {
            return None; // what holds anyway
        }
        if self.ground.platform != Platform::Linux {
            return Some("threads cannot be bound to processors on this platform".to_owned());
        }
        self.named
            .cpu_mask
            .is_none()
            .then(|| "there are no processors to share out; set `cpu_mask` too".to_owned())
    }

    /// Under OpenMP, upstream places threads inside the parallel region, which a single thread
    /// does not enter.
    fn unplaced_single_thread(&self) -> Option<String> {
        (self.ground.threading == Threading::OpenMp && self.least_threads() == 1).then(|| {
            "threads come from OpenMP in this build, and a single thread is left as it is"
                .to_owned()
        })
    }

    fn source(&self) -> DraftSource {
        self.all.draft_source.unwrap_or(DraftSource::Nothing)
    }

    fn draft_source(&self) -> Option<String> {
        match self.source() {
            DraftSource::Nothing => None,
            _ if self.all.draft_tokens.is_none() => {
                Some("it does not say how much is drafted; set `draft_tokens` too".to_owned())
            }
            DraftSource::SelfSlice if self.all.draft_layers.is_none() => {
                Some("it does not say how many layers draft; set `draft_layers` too".to_owned())
            }
            DraftSource::PromptLookup | DraftSource::DraftModel | DraftSource::SelfSlice => None,
        }
    }

    fn draft_tokens(&self) -> Option<String> {
        let width = self.named.draft_tokens?.saturating_add(1);
        let micro = self.all.micro_batch_tokens?;
        self.nothing_drafted().or_else(|| {
            (width > micro).then(|| {
                format!("a batch of {width} tokens would be cut to `micro_batch_tokens` of {micro}")
            })
        })
    }

    fn nothing_drafted(&self) -> Option<String> {
        (self.source() == DraftSource::Nothing)
            .then(|| "nothing is drafted; set `draft_source` too".to_owned())
    }

    fn only_with(&self, name: &str, source: DraftSource) -> Option<String> {
        (self.source() != source).then(|| format!("it is of `draft_source = \"{name}\"` only"))
    }

    fn numa(&self) -> Option<String> {
        if self.named.numa? == Numa::Disabled {
            return None;
        }
        if self.ground.platform != Platform::Linux {
            return Some("memory nodes are not known on this platform".to_owned());
        }
        (self.ground.memory_nodes < 2).then(|| "the machine has one memory node".to_owned())
    }
}

/// ggml's `GGML_MAX_N_THREADS`.
const MOST_THREADS: u32 = 512;

fn too_many_threads(threads: Option<u32>) -> Option<String> {
    match threads? {
        0 => Some("no thread would compute".to_owned()),
        1..=MOST_THREADS => None,
        threads => Some(format!("{threads} is more than the engine's {MOST_THREADS}")),
    }
}

#[cfg(test)]
mod tests;
