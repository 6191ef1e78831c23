//! The tensors of `builtin-tiny`.
//!
//! Random weights alone make a poor test object: greedy text soon runs in a circle, and the most
//! likely token leads by a hair, so that any change of arithmetic flips it. The output matrix
//! therefore holds, beside noise, three followers for each token (each a random cycle through all
//! readable pieces); the layers decide between them. What the model writes is gibberish.

use super::half::{Q8_BLOCK, half_bits, push_q8_block};
use super::vocabulary::{FIRST_PIECE, LINE_FEED, VOCABULARY, vocabulary};
use super::weights::Gaussian;
use super::writer::{Stored, Value, Writer};

/// Its name in the catalogue.
pub const TINY_NAME: &str = "builtin-tiny";

/// Arbitrary. Another seed is another model, with another hash.
const SEED: u8 = 29;
const CONTEXT: u32 = 4096;
const EMBEDDING: usize = 256;
const LAYERS: usize = 4;
const HEADS: usize = 8;
const KV_HEADS: usize = 4;
const HEAD: usize = EMBEDDING / HEADS;
const FEED_FORWARD: usize = 512;

/// Followers of a token, and how strongly they are preferred (a logit of about 6 over noise of
/// about 1; found by trial: greedy text of 512 tokens does not repeat itself).
const FOLLOWERS: usize = 3;
const FOLLOWER_GAIN: f64 = 0.6;
/// Widens the attention scores to a standard deviation of about 2.5, so that each position looks
/// at a few others and not at the mean of all.
const ATTENTION_GAIN: f64 = 1.6;

/// The whole file, the same bytes on every platform.
pub(in crate::model) fn write_tiny() -> Vec<u8> {
    let mut writer = Writer::default();
    push_keys(&mut writer);
    let mut streams = 0..;
    let mut gaussian = || Gaussian::new(SEED, streams.next().unwrap_or(0));

    let embedding = gaussian().tensor(VOCABULARY * EMBEDDING, 1.0);
    let output = output_matrix(&embedding, &mut gaussian());
    half_matrix(&mut writer, "token_embd.weight".into(), EMBEDDING, &embedding);
    norm(&mut writer, "output_norm.weight".into(), &mut gaussian());
    half_matrix(&mut writer, "output.weight".into(), EMBEDDING, &output);
    for layer in 0..LAYERS {
        let name = |part: &str| format!("blk.{layer}.{part}.weight");
        // One over the root of a row's length keeps the size of what passes through.
        let even = 1.0 / libm::sqrt(EMBEDDING as f64);
        let kv = KV_HEADS * HEAD;
        norm(&mut writer, name("attn_norm"), &mut gaussian());
        for (part, rows, deviation) in [
            ("attn_q", EMBEDDING, even * ATTENTION_GAIN),
            ("attn_k", kv, even * ATTENTION_GAIN),
            ("attn_v", kv, even),
            ("attn_output", EMBEDDING, even),
        ] {
            let weights = gaussian().tensor(rows * EMBEDDING, deviation);
            half_matrix(&mut writer, name(part), EMBEDDING, &weights);
        }
        norm(&mut writer, name("ffn_norm"), &mut gaussian());
        let narrow = 1.0 / libm::sqrt(FEED_FORWARD as f64);
        for (part, row, rows, deviation) in [
            ("ffn_gate", EMBEDDING, FEED_FORWARD, even),
            ("ffn_up", EMBEDDING, FEED_FORWARD, even),
            ("ffn_down", FEED_FORWARD, EMBEDDING, narrow),
        ] {
            let weights = gaussian().tensor(rows * row, deviation);
            q8_matrix(&mut writer, name(part), row, &weights);
        }
    }
    writer.finish()
}

fn push_keys(writer: &mut Writer) {
    let number = |value: usize| Value::U32(value as u32);
    writer.key("general.architecture", Value::Text("llama"));
    writer.key("general.name", Value::Text(TINY_NAME));
    writer.key("general.license", Value::Text("CC0-1.0"));
    writer.key("general.quantization_version", Value::U32(2));
    writer.key("llama.context_length", Value::U32(CONTEXT));
    writer.key("llama.embedding_length", number(EMBEDDING));
    writer.key("llama.block_count", number(LAYERS));
    writer.key("llama.feed_forward_length", number(FEED_FORWARD));
    writer.key("llama.attention.head_count", number(HEADS));
    writer.key("llama.attention.head_count_kv", number(KV_HEADS));
    writer.key("llama.attention.layer_norm_rms_epsilon", Value::F32(1e-5));
    writer.key("llama.rope.dimension_count", number(HEAD));
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
fn output_matrix(embedding: &[f32], gaussian: &mut Gaussian) -> Vec<f32> {
    let even = 1.0 / libm::sqrt(EMBEDDING as f64);
    let mut output = gaussian.tensor(VOCABULARY * EMBEDDING, even);
    let readable: Vec<usize> = std::iter::once(LINE_FEED).chain(FIRST_PIECE..VOCABULARY).collect();
    for _ in 0..FOLLOWERS {
        let mut cycle = readable.clone();
        gaussian.shuffle(&mut cycle);
        for token in 0..VOCABULARY {
            let place = cycle.iter().position(|other| *other == token).unwrap_or(token);
            let follower = cycle[(place + 1) % cycle.len()];
            let direction = &embedding[token * EMBEDDING..(token + 1) * EMBEDDING];
            let row = &mut output[follower * EMBEDDING..(follower + 1) * EMBEDDING];
            for (weight, component) in row.iter_mut().zip(direction) {
                *weight += (f64::from(*component) * even * FOLLOWER_GAIN) as f32;
            }
        }
    }
    output
}

/// Norm weights are around one, in single precision as everywhere.
fn norm(writer: &mut Writer, name: String, gaussian: &mut Gaussian) {
    let data =
        (0..EMBEDDING).flat_map(|_| ((1.0 + gaussian.next(0.1)) as f32).to_le_bytes()).collect();
    writer.tensor(name, vec![EMBEDDING as u64], Stored::F32, data);
}

fn dimensions(row: usize, weights: &[f32]) -> Vec<u64> {
    vec![row as u64, (weights.len() / row) as u64]
}

fn half_matrix(writer: &mut Writer, name: String, row: usize, weights: &[f32]) {
    let data = weights.iter().flat_map(|weight| half_bits(*weight).to_le_bytes()).collect();
    writer.tensor(name, dimensions(row, weights), Stored::F16, data);
}

fn q8_matrix(writer: &mut Writer, name: String, row: usize, weights: &[f32]) {
    let mut data = Vec::new();
    let (blocks, _) = weights.as_chunks::<Q8_BLOCK>();
    blocks.iter().for_each(|block| push_q8_block(block, &mut data));
    writer.tensor(name, dimensions(row, weights), Stored::Q8_0, data);
}
