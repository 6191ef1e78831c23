//! Names of a checkpoint's tensors (Hugging Face) and where a model file has their values.

/// How a checkpoint's values lie in the model file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// As they are.
    Same,
    /// Rows of each head interleaved: row `2 j + half` of a head is row `half d/2 + j` of the
    /// checkpoint's (llama's rotary layout, `LlamaModel.permute` of llama.cpp's converter).
    Interleaved {
        /// Heads of the tensor.
        heads: usize,
    },
    /// One was added to each value: gemma's norms.
    PlusOne,
    /// One expert of a stack.
    Expert {
        /// Which.
        index: usize,
    },
    /// Rows of the first half of each expert's: gates of a joint tensor.
    FirstHalf,
    /// Rows of the second half.
    SecondHalf,
}

/// A tensor of the model file, and how it comes from the checkpoint's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapped {
    /// Name in the model file.
    pub name: String,
    /// How the values lie.
    pub rule: Rule,
}

/// Facts of a model that its layout depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadCounts<'model> {
    /// The engine's word for the architecture.
    pub architecture: &'model str,
    /// Heads of queries.
    pub heads: usize,
    /// Heads of keys.
    pub key_heads: usize,
}

/// Where a checkpoint's tensor is in the model file; empty for a name that is unknown here.
#[must_use]
pub fn mapped(checkpoint: &str, model: &HeadCounts<'_>) -> Vec<Mapped> {
    let name = checkpoint.strip_prefix("model.").unwrap_or(checkpoint);
    let outside = match name {
        "embed_tokens.weight" => Some("token_embd.weight"),
        "norm.weight" | "final_layernorm.weight" => Some("output_norm.weight"),
        "norm.bias" | "final_layernorm.bias" => Some("output_norm.bias"),
        "lm_head.weight" => Some("output.weight"),
        "lm_head.bias" => Some("output.bias"),
        _ => None,
    };
    if let Some(outside) = outside {
        return vec![with_norm_rule(outside.to_owned(), model)];
    }
    let Some((block, rest)) = name.strip_prefix("layers.").and_then(|rest| rest.split_once('.'))
    else {
        return Vec::new();
    };
    if block.parse::<u32>().is_err() {
        return Vec::new();
    }
    let inside = |part: &str| format!("blk.{block}.{part}");
    if let Some(experts) = experts(rest) {
        return experts
            .into_iter()
            .map(|(part, rule)| Mapped { name: inside(part), rule })
            .collect();
    }
    let (place, kind) = match rest.rsplit_once('.') {
        Some((place, kind @ ("weight" | "bias"))) => (place, kind),
        _ => return Vec::new(),
    };
    let Some(part) = part(place, model.architecture) else { return Vec::new() };
    let name = inside(&format!("{part}.{kind}"));
    let rule = match (model.architecture, part) {
        ("llama", "attn_q") => Rule::Interleaved { heads: model.heads },
        ("llama", "attn_k") => Rule::Interleaved { heads: model.key_heads },
        _ => return vec![with_norm_rule(name, model)],
    };
    vec![Mapped { name, rule }]
}

fn with_norm_rule(name: String, model: &HeadCounts<'_>) -> Mapped {
    let shifted = model.architecture.starts_with("gemma") && name.ends_with("norm.weight");
    Mapped { name, rule: if shifted { Rule::PlusOne } else { Rule::Same } }
}

/// A part of a block by its place in the checkpoint.
fn part(place: &str, architecture: &str) -> Option<&'static str> {
    let gemma = architecture.starts_with("gemma") && architecture != "gemma";
    Some(match place {
        "input_layernorm" => "attn_norm",
        "self_attn.q_proj" => "attn_q",
        "self_attn.k_proj" => "attn_k",
        "self_attn.v_proj" => "attn_v",
        "self_attn.o_proj" | "self_attn.dense" => "attn_output",
        "self_attn.qkv_proj" => "attn_qkv",
        "self_attn.q_norm" => "attn_q_norm",
        "self_attn.k_norm" => "attn_k_norm",
        // gemma 2 has a norm on either side of each part
        "post_attention_layernorm" if gemma => "post_attention_norm",
        "post_attention_layernorm" | "pre_feedforward_layernorm" => "ffn_norm",
        "post_feedforward_layernorm" => "post_ffw_norm",
        "mlp.gate_proj" => "ffn_gate",
        "mlp.up_proj" | "mlp.gate_up_proj" | "mlp.fc1" => "ffn_up",
        "mlp.down_proj" | "mlp.fc2" => "ffn_down",
        "mlp.gate" | "block_sparse_moe.gate" => "ffn_gate_inp",
        _ => return None,
    })
}

/// Parts of a mixture of experts: one tensor an expert, or all of them in one.
fn experts(rest: &str) -> Option<Vec<(&'static str, Rule)>> {
    let rest = rest.strip_prefix("mlp.").or_else(|| rest.strip_prefix("block_sparse_moe."))?;
    let rest = rest.strip_prefix("experts.")?;
    match rest {
        "gate_up_proj" => {
            return Some(vec![
                ("ffn_gate_exps.weight", Rule::FirstHalf),
                ("ffn_up_exps.weight", Rule::SecondHalf),
            ]);
        }
        "down_proj" => return Some(vec![("ffn_down_exps.weight", Rule::Same)]),
        _ => {}
    }
    let (index, part) = rest.split_once('.')?;
    let rule = Rule::Expert { index: index.parse().ok()? };
    let part = match part {
        "gate_proj.weight" | "w1.weight" => "ffn_gate_exps.weight",
        "up_proj.weight" | "w3.weight" => "ffn_up_exps.weight",
        "down_proj.weight" | "w2.weight" => "ffn_down_exps.weight",
        _ => return None,
    };
    Some(vec![(part, rule)])
}
