//! Real sizes of models, by hand.

use std::collections::BTreeMap;

use engine_protocol::{Form, KvType, Primitive, Settings};

use super::{Cut, described, primitive};
use crate::manifest::{Pieces, PrimitiveKind};
use crate::model::{GgufFacts, MetadataValue, TensorInfo};

/// SmolLM2-135M's sizes, with the matrices of one of its layers.
fn smol() -> GgufFacts {
    let numbers = [
        ("block_count", 30),
        ("embedding_length", 576),
        ("attention.head_count", 9),
        ("attention.head_count_kv", 3),
    ];
    let mut metadata: BTreeMap<String, MetadataValue> = numbers
        .into_iter()
        .map(|(key, value)| (format!("llama.{key}"), MetadataValue::Unsigned(value)))
        .collect();
    metadata.insert("general.name".to_owned(), MetadataValue::Text("smol".to_owned()));
    let tensor = |name: &str, dimensions: &[u64]| TensorInfo {
        name: name.to_owned(),
        dimensions: dimensions.to_vec(),
        tensor_type: "f16".to_owned(),
        offset: 0,
        bytes: Some(2 * dimensions.iter().product::<u64>()),
    };
    GgufFacts {
        version: 3,
        architecture: Some("llama".to_owned()),
        context_tokens: None,
        vocabulary: None,
        parameters: 0,
        alignment: 32,
        metadata,
        tensors: vec![
            tensor("token_embd.weight", &[576, 49152]),
            tensor("blk.0.attn_norm.weight", &[576]),
            tensor("blk.0.attn_k.weight", &[576, 192]),
            tensor("blk.0.ffn_down.weight", &[1536, 576]),
        ],
        tensor_types: Vec::new(),
        file_bytes: 0,
    }
}

fn cut(what: PrimitiveKind, pieces: Pieces) -> Cut {
    Cut { what, pieces, cells: 512 }
}

#[test]
fn the_composition_of_copies_is_every_layers_keys_and_values() {
    let settings = Settings::default();
    let real =
        primitive(&smol(), cut(PrimitiveKind::Copy, Pieces::Composition), &settings).unwrap();
    // 512 cells of 3 heads of 64 values in f16
    assert_eq!(real, Primitive::Copy { pieces: vec![512 * 3 * 64 * 2; 60] });
    assert_eq!(described(&real), "60 copies of 196608 bytes");
    let one = primitive(&smol(), cut(PrimitiveKind::Copy, Pieces::One), &settings).unwrap();
    assert_eq!(one, Primitive::Copy { pieces: vec![60 * 196_608] });
    assert_eq!(described(&one), "one contiguous copy of 11796480 bytes");
    // keys of another type
    let settings = Settings { kv_key_type: Some(KvType::Q8_0), ..settings };
    let mixed =
        primitive(&smol(), cut(PrimitiveKind::Copy, Pieces::Composition), &settings).unwrap();
    assert_eq!(described(&mixed), "60 copies of 104448 to 196608 bytes");
}

#[test]
fn products_and_attention_do_the_same_work_in_one_piece() {
    let what = PrimitiveKind::MatrixProduct { weight_type: Form::Q4_1, batch: 2 };
    let real = primitive(&smol(), cut(what, Pieces::Composition), &Settings::default()).unwrap();
    assert_eq!(
        described(&real),
        "3 products of matrices of 110592 to 28311552 weights in q4_1 with 2 columns"
    );
    let one = primitive(&smol(), cut(what, Pieces::One), &Settings::default()).unwrap();
    assert_eq!(described(&one), "one product of a matrix of 50880 by 576 in q4_1 with 2 columns");
    let what = PrimitiveKind::Attention { batch: 1 };
    let real = primitive(&smol(), cut(what, Pieces::Composition), &Settings::default()).unwrap();
    assert_eq!(
        described(&real),
        "30 attentions of 9 heads of 64 values over 512 cells, 1 query a head"
    );
    let one = primitive(&smol(), cut(what, Pieces::One), &Settings::default()).unwrap();
    assert_eq!(
        described(&one),
        "one attention of 270 heads of 64 values over 512 cells, 1 query a head"
    );
}

#[test]
fn sizes_that_are_not_said_or_differ_by_layer_are_refused() {
    let refused = |alter: &dyn Fn(&mut GgufFacts)| {
        let mut facts = smol();
        alter(&mut facts);
        let asked = cut(PrimitiveKind::Copy, Pieces::Composition);
        primitive(&facts, asked, &Settings::default()).unwrap_err().what
    };
    let set = |key: &'static str, value: MetadataValue| {
        move |facts: &mut GgufFacts| {
            facts.metadata.insert(format!("llama.{key}"), value.clone());
        }
    };
    for (what, words) in [
        (refused(&|facts| facts.architecture = None), "does not say its `architecture`"),
        (refused(&|facts| facts.metadata.clear()), "does not say its `attention.head_count`"),
        (refused(&set("block_count", MetadataValue::Unsigned(0))), "`block_count`"),
        (refused(&set("attention.head_count_kv", MetadataValue::Array(30))), "layers differ"),
        (refused(&set("attention.sliding_window", MetadataValue::Unsigned(512))), "sliding"),
    ] {
        assert!(what.contains(words), "{what}");
    }
    let mut experts = smol();
    experts.tensors[2].dimensions = vec![576, 192, 8];
    let what = PrimitiveKind::MatrixProduct { weight_type: Form::F16, batch: 1 };
    let asked = cut(what, Pieces::Composition);
    let failure = primitive(&experts, asked, &Settings::default()).unwrap_err();
    assert!(failure.what.contains("mixture of experts"), "{failure:?}");
}
