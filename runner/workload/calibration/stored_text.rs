//! The file of a calibration as it is written: one line a statistic, the same bytes for the same
//! numbers.

use std::fmt::Write;

use super::content::Content;
use super::distribution::Distribution;
use super::experts::ExpertUse;
use super::stored::Measured;
use crate::workload::SetHash;

/// The whole file.
pub(super) fn text(set: &SetHash, measured: &[Measured]) -> String {
    let mut text = String::from(
        "# Content statistics of a set of inputs, by tokenizer. Written by `runner workload measure`;\n\
         # docs/workloads.md says what each number is.\n\
         schema = 1\n",
    );
    line(&mut text, "set_blake3", &quoted(set.as_str()));
    for one in measured {
        text.push_str("\n[[measured]]\n");
        line(&mut text, "model", &quoted(&one.model));
        line(&mut text, "model_sha256", &quoted(&one.model_sha256));
        line(&mut text, "tokenizer_blake3", &quoted(&one.tokenizer_blake3));
        content(&mut text, &one.content);
        if let Some(experts) = &one.experts {
            of_experts(&mut text, experts);
        }
    }
    text
}

fn content(text: &mut String, content: &Content) {
    text.push_str("\n[measured.content]\n");
    line(text, "items", &content.items.to_string());
    line(text, "tokens", &content.tokens.to_string());
    for (key, distribution) in [
        ("length", content.length),
        ("token_repetition", content.token_repetition),
        ("unique_tokens", content.unique_tokens),
        ("repeated_pairs", content.repeated_pairs),
        ("repeated_runs", content.repeated_runs),
        ("shared_runs", content.shared_runs),
        ("lookup_hit_rate", content.lookup_hit_rate),
        ("compressed_share", content.compressed_share),
    ] {
        if let Some(distribution) = distribution {
            line(text, key, &inline(&distribution));
        }
    }
}

fn of_experts(text: &mut String, experts: &ExpertUse) {
    text.push_str("\n[measured.experts]\n");
    line(text, "count", &experts.count.to_string());
    line(text, "used", &experts.used.to_string());
    line(text, "items", &experts.items.to_string());
    line(text, "tokens", &experts.tokens.to_string());
    line(text, "expert_entropy", &inline(&experts.expert_entropy));
    line(text, "routing_entropy", &inline(&experts.routing_entropy));
    for layer in &experts.layer {
        text.push_str("\n[[measured.experts.layer]]\n");
        line(text, "layer", &layer.layer.to_string());
        line(text, "expert_entropy", &float(layer.expert_entropy));
        let counts: Vec<String> = layer.tokens_by_expert.iter().map(u64::to_string).collect();
        line(text, "tokens_by_expert", &format!("[{}]", counts.join(", ")));
    }
}

fn line(text: &mut String, key: &str, value: &str) {
    // writing to a string does not fail
    let _ = writeln!(text, "{key} = {value}");
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// With a point, as TOML wants a float to be written.
fn float(value: f64) -> String {
    format!("{value:?}")
}

fn inline(distribution: &Distribution) -> String {
    let Distribution { min, p10, median, p90, max } = *distribution;
    format!(
        "{{ min = {}, p10 = {}, median = {}, p90 = {}, max = {} }}",
        float(min),
        float(p10),
        float(median),
        float(p90),
        float(max)
    )
}
