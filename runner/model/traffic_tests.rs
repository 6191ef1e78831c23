use super::*;

fn tensor(name: &str, dimensions: &[u64], tensor_type: &str) -> TensorInfo {
    let elements = dimensions.iter().product();
    TensorInfo {
        name: name.to_owned(),
        dimensions: dimensions.to_vec(),
        tensor_type: tensor_type.to_owned(),
        offset: 0,
        bytes: bytes_of(tensor_type, elements),
    }
}

fn number(key: &str, value: u64) -> (String, MetadataValue) {
    (format!("llama.{key}"), MetadataValue::Unsigned(value))
}

/// Two blocks of an embedding of 64: one matrix of 64 x 64 and one norm each.
fn dense() -> GgufFacts {
    let mut tensors = vec![
        tensor("token_embd.weight", &[64, 100], "f16"),
        tensor("output_norm.weight", &[64], "f32"),
    ];
    for block in 0..2 {
        tensors.push(tensor(&format!("blk.{block}.attn_norm.weight"), &[64], "f32"));
        tensors.push(tensor(&format!("blk.{block}.attn_q.weight"), &[64, 64], "q4_0"));
    }
    tensors.push(tensor("rope_freqs.weight", &[32], "f32"));
    GgufFacts {
        version: 3,
        architecture: Some("llama".to_owned()),
        context_tokens: None,
        vocabulary: None,
        parameters: 0,
        alignment: 32,
        metadata: BTreeMap::from([
            number("block_count", 2),
            number("embedding_length", 64),
            number("attention.head_count", 4),
            number("attention.head_count_kv", 2),
        ]),
        tensors,
        tensor_types: Vec::new(),
        file_bytes: 0,
    }
}

/// 64 x 64 in q4_0: 128 blocks of 18 bytes.
const MATRIX_BYTES: u64 = 128 * 18;
const NORM_BYTES: u64 = 64 * 4;
/// A row of the embedding table, 64 halves.
const ROW_BYTES: u64 = 128;

#[test]
fn a_tied_table_counts_whole_as_the_output_and_as_one_row_besides() {
    let found = traffic(&dense()).unwrap();
    assert_eq!(found.block_bytes, 2 * (MATRIX_BYTES + NORM_BYTES) + NORM_BYTES + ROW_BYTES);
    assert_eq!(found.output_bytes, 64 * 100 * 2);
    assert_eq!((found.operations, found.last_operations), (64 * 64, 64 * 64 + 64 * 100));
    assert_eq!(found.experts, None);
}

#[test]
fn an_output_of_its_own_leaves_the_table_one_row() {
    let mut facts = dense();
    facts.tensors.push(tensor("output.weight", &[64, 100], "q8_0"));
    let found = traffic(&facts).unwrap();
    assert_eq!(found.output_bytes, 200 * 34);
    assert_eq!(found.block_bytes, traffic(&dense()).unwrap().block_bytes);
}

#[test]
fn of_experts_only_the_active_ones_count() {
    let mut facts = dense();
    facts.tensors.push(tensor("blk.1.ffn_up_exps.weight", &[64, 32, 8], "f32"));
    let before = traffic(&dense()).unwrap();
    // without the counts nothing is guessed
    assert!(traffic(&facts).unwrap_err().contains("how many experts are active"));
    facts.metadata.extend([number("expert_count", 8), number("expert_used_count", 2)]);
    let found = traffic(&facts).unwrap();
    assert_eq!(found.experts, Some((2, 8)));
    assert_eq!(found.block_bytes - before.block_bytes, 2 * 64 * 32 * 4);
    assert_eq!(found.last_operations - before.last_operations, 2 * 64 * 32);
    // experts as single tensors, as the first files had them
    let mut old = dense();
    old.metadata.extend([number("expert_count", 8), number("expert_used_count", 2)]);
    assert!(traffic(&old).unwrap_err().contains("a form that is unknown"));
}

#[test]
fn heads_that_predict_further_tokens_are_left_out() {
    let mut facts = dense();
    facts.metadata.extend([number("nextn_predict_layers", 1)]);
    let found = traffic(&facts).unwrap();
    assert_eq!(found.block_bytes, MATRIX_BYTES + 2 * NORM_BYTES + ROW_BYTES);
    assert_eq!(found.operations, 0);
}

#[test]
fn the_cache_is_known_only_where_every_block_keeps_every_position() {
    let facts = dense();
    let shape = traffic(&facts).unwrap().cache.unwrap();
    assert_eq!(shape, CacheShape { keys: 2 * 2 * 16, values: 2 * 2 * 16 });
    assert_eq!(shape.bytes(512, "f16", "f16"), Some(512 * 128 * 2));
    assert_eq!(shape.bytes(512, "f16", "q8_0"), Some(512 * 64 * 2 + 512 * 64 / 32 * 34));
    assert_eq!(shape.bytes(512, "f17", "f16"), None);
    let mut window = dense();
    window.metadata.extend([number("attention.sliding_window", 128)]);
    assert_eq!(traffic(&window).unwrap().cache, None);
    let mut by_layer = dense();
    let key = "llama.attention.head_count_kv".to_owned();
    by_layer.metadata.insert(key, MetadataValue::Array(2));
    assert_eq!(traffic(&by_layer).unwrap().cache, None);
}

#[test]
fn what_is_not_there_is_said_and_never_zero() {
    let mut facts = dense();
    facts.tensors.retain(|tensor| !tensor.name.starts_with("blk."));
    assert!(traffic(&facts).unwrap_err().contains("no blocks"));
    let mut facts = dense();
    facts.architecture = None;
    assert!(traffic(&facts).is_err());
    let mut facts = dense();
    facts.tensors[2].bytes = None;
    assert!(traffic(&facts).unwrap_err().contains("`blk.0.attn_norm.weight`"));
}
