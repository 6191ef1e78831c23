//! Memory nodes: whether the processors that may be used lie beside one memory or several.

use std::collections::BTreeSet;

use super::finding::Finding;
use crate::machine::processors::{number_of, processor_set};
use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

const NODES: &str = "sys/devices/system/node";

pub(super) fn finding(root: &MachineRoot) -> Finding {
    let placement = placement(root);
    let several = placement.known().is_some_and(|placement| placement.ours.len() > 1);
    let first = placement.known().and_then(|placement| placement.ours.first().copied());
    let advice = first.filter(|_| several).map(|node| {
        format!(
            "threads and weights may lie on different nodes: bind to one, \
             `numactl --cpunodebind={node} --membind={node} runner exec …`"
        )
    });
    let words = placement.map(|placement| {
        format!("our processors lie on {} of {} nodes", placement.ours.len(), placement.all)
    });
    Finding::words("numa", words).advising(advice)
}

struct Placement {
    all: usize,
    /// Nodes with processors that we may run on.
    ours: Vec<u32>,
}

fn placement(root: &MachineRoot) -> Reading<Placement> {
    allowed(root).and_then(|allowed| {
        let mut nodes: Vec<u32> =
            root.names(NODES).iter().filter_map(|name| number_of(name, "node")).collect();
        nodes.sort_unstable();
        if nodes.is_empty() {
            return Reading::unknown("the kernel lists no memory nodes");
        }
        let all = nodes.len();
        let mut ours = Vec::new();
        for node in nodes {
            let file = format!("{NODES}/node{node}/cpulist");
            // a node of memory alone has an empty list
            let text = match std::fs::read_to_string(root.path(&file)) {
                Ok(text) if text.trim().is_empty() => continue,
                Ok(text) => text,
                Err(_) => return Reading::unknown(format!("/{file} cannot be read")),
            };
            let Some(own) = processor_set(&text) else {
                return Reading::unknown(format!("/{file} is malformed"));
            };
            if !own.is_disjoint(&allowed) {
                ours.push(node);
            }
        }
        Reading::Known(Placement { all, ours })
    })
}

fn allowed(root: &MachineRoot) -> Reading<BTreeSet<u32>> {
    root.text("proc/self/status").and_then(|text| {
        let list = text.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        Reading::from_option(
            list.and_then(processor_set),
            "/proc/self/status has no list of allowed processors",
        )
    })
}
