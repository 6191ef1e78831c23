//! Kernel, distribution, hypervisor.

use super::processor::Processor;
use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

/// The kernel's release, such as `6.1.0-18-amd64`.
pub(super) fn kernel(root: &MachineRoot) -> Reading<String> {
    root.text("proc/sys/kernel/osrelease")
}

/// `PRETTY_NAME` of `/etc/os-release`.
pub(super) fn distribution(root: &MachineRoot) -> Reading<String> {
    root.text("etc/os-release").and_then(|text| {
        let name = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
        let name = name.map(|name| name.trim_matches('"').to_owned());
        Reading::from_option(name.filter(|name| !name.is_empty()), "/etc/os-release has no name")
    })
}

/// x86 says by a flag whether it is virtual; the product's name may say which it is.
pub(super) fn hypervisor(root: &MachineRoot, processor: &Processor) -> Reading<String> {
    let vendor = root.text("sys/class/dmi/id/sys_vendor");
    let product = root.text("sys/class/dmi/id/product_name");
    let words = [vendor.known(), product.known()]
        .into_iter()
        .flatten()
        .map(|word| word.to_lowercase())
        .collect::<Vec<_>>()
        .join(" ");
    // Names that hypervisors give themselves in the firmware tables.
    let known = [
        ("qemu", "qemu"),
        ("kvm", "kvm"),
        ("vmware", "vmware"),
        ("virtualbox", "virtualbox"),
        ("xen", "xen"),
        ("amazon ec2", "amazon ec2"),
        ("google compute", "google compute engine"),
        ("virtual machine", "hyper-v"),
        ("parallels", "parallels"),
    ];
    let named = known.iter().find(|(mark, _)| words.contains(mark)).map(|(_, name)| *name);
    let flagged = processor
        .flags
        .known()
        .filter(|_| processor.vendor.known().is_some_and(|vendor| !vendor.starts_with("0x")))
        .map(|flags| flags.iter().any(|flag| flag == "hypervisor"));
    match (flagged, named) {
        (Some(true), named) => Reading::Known(named.unwrap_or("some").to_owned()),
        (Some(false), _) => Reading::Known("none".into()),
        (None, Some(named)) => Reading::Known(named.to_owned()),
        (None, None) => Reading::unknown("this processor does not say whether it is virtual"),
    }
}
