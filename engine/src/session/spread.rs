//! Which tensors lie where, told of a model that is spread over servers.

use std::collections::{BTreeMap, BTreeSet};

use engine_protocol::{RpcServers, TensorPlacement};

use crate::EngineError;
use crate::native::ModelHandle;

/// A tensor: its name, its buffer type, its bytes.
type Lying = (String, String, u64);

/// Every tensor of the model by its buffer; each server must hold some, else it would be there for
/// nothing.
pub(super) fn of(
    model: &ModelHandle,
    servers: &RpcServers,
) -> Result<Vec<TensorPlacement>, EngineError> {
    // A tied embedding may lie at both ends of the model.
    let mut met = BTreeSet::new();
    let mut lying: Vec<Lying> = Vec::new();
    for item in model.weights()? {
        let (buffer, bytes) = model.weight_buffer(item.index)?;
        if met.insert((item.name.clone(), buffer.clone())) {
            lying.push((item.name, buffer, bytes));
        }
    }
    let placed = placed(&lying);
    let holds = |server: &str| placed.iter().any(|one| one.device.contains(&format!("[{server}]")));
    match servers.iter().find(|server| !lying.is_empty() && !holds(server.as_str())) {
        None => Ok(placed),
        Some(server) => Err(EngineError::Unsupported(format!(
            "`rpc_servers` cannot be honoured: no tensor lies on {server}: the engine found no layer for it"
        ))),
    }
}

fn placed(lying: &[Lying]) -> Vec<TensorPlacement> {
    let mut devices: BTreeMap<&str, Vec<&Lying>> = BTreeMap::new();
    for one in lying {
        devices.entry(&one.1).or_default().push(one);
    }
    let told = |(device, own): (&str, Vec<&Lying>)| TensorPlacement {
        device: device.to_owned(),
        tensors: u32::try_from(own.len()).unwrap_or(u32::MAX),
        bytes: own.iter().map(|(_, _, bytes)| bytes).sum(),
        names: drawn_together(&own, lying),
    };
    devices.into_iter().map(told).collect()
}

/// Names with runs of whole layers drawn together: `blk.0-14.*`. A layer of which only a part lies
/// here keeps the names of that part, each with its run: `blk.3-5.attn_q.weight`.
fn drawn_together(own: &[&Lying], all: &[Lying]) -> Vec<String> {
    let mut whole: BTreeMap<u32, usize> = BTreeMap::new();
    for (name, _, _) in all {
        if let Some((layer, _)) = of_layer(name) {
            *whole.entry(layer).or_default() += 1;
        }
    }
    let mut here: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    let mut names: BTreeSet<String> = BTreeSet::new();
    for (name, _, _) in own {
        match of_layer(name) {
            Some((layer, rest)) => here.entry(layer).or_default().push(rest),
            None => _ = names.insert(name.clone()),
        }
    }
    let mut runs: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (layer, rests) in &here {
        if whole.get(layer) == Some(&rests.len()) {
            runs.entry("*").or_default().push(*layer);
        } else {
            rests.iter().for_each(|rest| runs.entry(rest).or_default().push(*layer));
        }
    }
    let layers = runs.iter().flat_map(|(rest, layers)| {
        ranges(layers).into_iter().map(move |range| format!("blk.{range}.{rest}"))
    });
    layers.chain(names).collect()
}

fn of_layer(name: &str) -> Option<(u32, &str)> {
    let (layer, rest) = name.strip_prefix("blk.")?.split_once('.')?;
    Some((layer.parse().ok()?, rest))
}

/// `0-14`, `16` of ascending numbers.
fn ranges(numbers: &[u32]) -> Vec<String> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(*number) => *last = *number,
            _ => runs.push((*number, *number)),
        }
    }
    let word = |(first, last): (u32, u32)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    runs.into_iter().map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lying(name: &str, device: &str) -> Lying {
        (name.to_owned(), device.to_owned(), 10)
    }

    #[test]
    fn whole_layers_are_drawn_together() {
        let all = [
            lying("token_embd.weight", "CPU"),
            lying("blk.0.attn_q.weight", "RPC0[a:1]"),
            lying("blk.0.attn_k.weight", "RPC0[a:1]"),
            lying("blk.1.attn_q.weight", "RPC0[a:1]"),
            lying("blk.1.attn_k.weight", "RPC0[a:1]"),
            lying("blk.2.attn_q.weight", "RPC0[b:1]"),
            lying("blk.2.attn_k.weight", "RPC0[b:1]"),
            lying("output.weight", "RPC0[b:1]"),
        ];
        let placed = placed(&all);
        let told: Vec<_> = placed
            .iter()
            .map(|one| (one.device.as_str(), one.tensors, one.names.join(" ")))
            .collect();
        assert_eq!(
            told,
            [
                ("CPU", 1, "token_embd.weight".to_owned()),
                ("RPC0[a:1]", 4, "blk.0-1.*".to_owned()),
                ("RPC0[b:1]", 3, "blk.2.* output.weight".to_owned()),
            ]
        );
        assert_eq!(placed.iter().map(|one| one.bytes).sum::<u64>(), 80);
    }

    #[test]
    fn parts_of_layers_keep_their_names() {
        let all = [
            lying("blk.0.attn_q.weight", "CPU"),
            lying("blk.0.ffn_up.weight", "CUDA0"),
            lying("blk.1.attn_q.weight", "CPU"),
            lying("blk.1.ffn_up.weight", "CUDA0"),
            lying("blk.3.ffn_up.weight", "CUDA0"),
        ];
        let names: Vec<_> = placed(&all).into_iter().map(|one| one.names.join(" ")).collect();
        assert_eq!(names, ["blk.0-1.attn_q.weight", "blk.3.* blk.0-1.ffn_up.weight"]);
    }
}
