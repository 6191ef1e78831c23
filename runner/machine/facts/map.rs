//! The facts by name, as records store them.

use std::collections::BTreeMap;
use std::fmt::Display;

use super::{Facts, Quota, Reading};

impl Facts {
    /// Every fact as a text, `unknown` where there is none. `machine` is [`Facts::name`].
    #[must_use]
    pub fn to_map(&self) -> BTreeMap<String, String> {
        let caches = self.caches.clone().map(|caches| {
            let texts: Vec<String> = caches
                .iter()
                .map(|cache| format!("L{} {} {} B", cache.level, cache.kind, cache.bytes))
                .collect();
            texts.join("; ")
        });
        let quota = self.quota.clone().map(|quota| match quota {
            Quota::Cores(cores) => cores.to_string(),
            Quota::Unlimited => "unlimited".to_owned(),
        });
        let facts = [
            ("machine", self.name()),
            ("cpu_model", text(&self.cpu_model)),
            ("cpu_vendor", text(&self.cpu_vendor)),
            ("cpu_revision", text(&self.cpu_revision)),
            ("microcode", text(&self.microcode)),
            ("cores_online", text(&self.cores_online)),
            ("cores_by_affinity", text(&self.cores_by_affinity)),
            ("quota", text(&quota)),
            ("cores", text(&self.cores_usable)),
            ("caches", text(&caches)),
            ("governor", text(&self.governor)),
            ("turbo", text(&self.turbo)),
            ("smt", text(&self.smt)),
            ("memory_bytes", text(&self.memory_bytes)),
            ("swap_bytes", text(&self.swap_bytes)),
            ("transparent_huge_pages", text(&self.transparent_huge_pages)),
            ("platform", self.platform.clone()),
            ("kernel", text(&self.kernel)),
            ("libc", text(&self.libc)),
            ("distribution", text(&self.distribution)),
            ("hypervisor", text(&self.hypervisor)),
            ("clock_source", text(&self.clock_source)),
        ];
        facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

fn text(reading: &Reading<impl Display>) -> String {
    reading.known().map_or_else(|| "unknown".to_owned(), ToString::to_string)
}
