//! The tensors of the built-in models.
//!
//! Random weights alone make a poor test object: greedy text soon runs in a circle, and the most
//! likely token leads by a hair, so that any change of arithmetic flips it. The output matrix
//! therefore holds, beside noise, three followers for each token (each a random cycle through all
//! readable pieces); the layers decide between them. What the models write is gibberish.

use super::feed_forward::feed_forward;
use super::matrix::half_matrix;
use super::shape::Shape;
use super::vocabulary::{FIRST_PIECE, LINE_FEED, VOCABULARY, vocabulary};
use super::weights::Gaussian;
use super::writer::{Stored, Value, Writer};

const CONTEXT: u32 = 4096;

/// Followers of a token.
const FOLLOWERS: usize = 3;
/// Widens the attention scores to a standard deviation of about 2.5, so that each position looks
/// at a few others and not at the mean of all.
const ATTENTION_GAIN: f64 = 1.6;

/// The whole file, the same bytes on every platform.
pub(in crate::model) fn write_model(shape: &Shape) -> Vec<u8> {
    let mut writer = Writer::default();
    push_keys(&mut writer, shape);
    let mut streams = 0..;
    let mut gaussian = || Gaussian::new(shape.seed, streams.next().unwrap_or(0));

    let wide = shape.embedding;
    let embedding = gaussian().tensor(VOCABULARY * wide, 1.0);
    let output = output_matrix(shape, &embedding, &mut gaussian());
    half_matrix(&mut writer, "token_embd.weight".into(), wide, &embedding);
    norm(&mut writer, "output_norm.weight".into(), wide, &mut gaussian());
    half_matrix(&mut writer, "output.weight".into(), wide, &output);
    for layer in 0..shape.layers {
        let name = |part: &str| format!("blk.{layer}.{part}.weight");
        // One over the root of a row's length keeps the size of what passes through.
        let even = 1.0 / libm::sqrt(wide as f64);
        let kv = shape.kv_heads * shape.head();
        norm(&mut writer, name("attn_norm"), wide, &mut gaussian());
        for (part, rows, deviation) in [
            ("attn_q", wide, even * ATTENTION_GAIN),
            ("attn_k", kv, even * ATTENTION_GAIN),
            ("attn_v", kv, even),
            ("attn_output", wide, even),
        ] {
            let weights = gaussian().tensor(rows * wide, deviation);
            half_matrix(&mut writer, name(part), wide, &weights);
        }
        norm(&mut writer, name("ffn_norm"), wide, &mut gaussian());
        feed_forward(&mut writer, shape, layer, &mut gaussian);
    }
    writer.finish()
}

fn push_keys(writer: &mut Writer, shape: &Shape) {
    let number = |value: usize| Value::U32(value as u32);
    writer.key("general.architecture", Value::Text("llama"));
    writer.key("general.name", Value::Text(shape.name));
    writer.key("general.license", Value::Text("CC0-1.0"));
    writer.key("general.quantization_version", Value::U32(2));
    writer.key("llama.context_length", Value::U32(CONTEXT));
    writer.key("llama.embedding_length", number(shape.embedding));
    writer.key("llama.block_count", number(shape.layers));
    writer.key("llama.feed_forward_length", number(shape.feed_forward));
    if let Some(experts) = shape.experts {
        writer.key("llama.expert_count", Value::U32(experts.count));
        writer.key("llama.expert_used_count", Value::U32(experts.used));
    }
    writer.key("llama.attention.head_count", number(shape.heads));
    writer.key("llama.attention.head_count_kv", number(shape.kv_heads));
    writer.key("llama.attention.layer_norm_rms_epsilon", Value::F32(1e-5));
    writer.key("llama.rope.dimension_count", number(shape.head()));
    writer.key("llama.rope.freq_base", Value::F32(10_000.0));
    writer.key("llama.vocab_size", number(VOCABULARY));
    let all = vocabulary();
    writer.key("tokenizer.ggml.model", Value::Text("llama"));
    writer.key("tokenizer.ggml.pre", Value::Text("default"));
    writer.key("tokenizer.ggml.tokens", Value::Texts(all.tokens));
    writer.key("tokenizer.ggml.scores", Value::Floats(all.scores));
    writer.key("tokenizer.ggml.token_type", Value::Integers(all.types));
    writer.key("tokenizer.ggml.unknown_token_id", Value::U32(0));
    writer.key("tokenizer.ggml.bos_token_id", Value::U32(1));
    writer.key("tokenizer.ggml.eos_token_id", Value::U32(2));
    writer.key("tokenizer.ggml.add_bos_token", Value::Bool(true));
    writer.key("tokenizer.ggml.add_eos_token", Value::Bool(false));
}

/// Noise, and on top of it the followers: the row of a follower points along the embedding of
/// the token that it follows.
fn output_matrix(shape: &Shape, embedding: &[f32], gaussian: &mut Gaussian) -> Vec<f32> {
    let wide = shape.embedding;
    let even = 1.0 / libm::sqrt(wide as f64);
    let mut output = gaussian.tensor(VOCABULARY * wide, even);
    let readable: Vec<usize> = std::iter::once(LINE_FEED).chain(FIRST_PIECE..VOCABULARY).collect();
    for _ in 0..FOLLOWERS {
        let mut cycle = readable.clone();
        gaussian.shuffle(&mut cycle);
        for token in 0..VOCABULARY {
            let place = cycle.iter().position(|other| *other == token).unwrap_or(token);
            let follower = cycle[(place + 1) % cycle.len()];
            let direction = &embedding[token * wide..(token + 1) * wide];
            let row = &mut output[follower * wide..(follower + 1) * wide];
            for (weight, component) in row.iter_mut().zip(direction) {
                *weight += (f64::from(*component) * even * shape.follower_gain) as f32;
            }
        }
    }
    output
}

/// Norm weights are around one, in single precision as everywhere.
fn norm(writer: &mut Writer, name: String, wide: usize, gaussian: &mut Gaussian) {
    let data = (0..wide).flat_map(|_| ((1.0 + gaussian.next(0.1)) as f32).to_le_bytes()).collect();
    writer.tensor(name, vec![wide as u64], Stored::F32, data);
}
