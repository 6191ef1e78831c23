//! What a build can be asked for, and in what order objects come.
#![expect(dead_code, reason = "the files are the build script's, which uses all of them")]

#[path = "../build/choices.rs"]
mod choices;
#[path = "../build/fault.rs"]
mod fault;
#[path = "../build/order.rs"]
mod order;

use choices::{AskedThreading, Blas, Choices, Switch};

fn read(variables: &[(&str, &str)]) -> Result<Choices, String> {
    let value = |name: &str| {
        let found = variables.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    };
    Choices::read(value).map_err(|fault| fault.lines().collect::<Vec<_>>().join("\n"))
}

#[test]
fn without_variables_all_is_as_upstream_has_it() {
    let choices = read(&[]).unwrap();
    assert_eq!(choices, Choices::default());
    assert_eq!((choices.llamafile, choices.repack), (Switch::On, Switch::On));
    assert_eq!(choices.threading, AskedThreading::WhereFound);
}

#[test]
fn each_variable_has_its_words() {
    let choices = read(&[
        ("ENGINE_LLAMAFILE", "off"),
        ("ENGINE_REPACK", "on"),
        ("ENGINE_THREADING", "own"),
        ("ENGINE_BLAS", "openblas"),
        ("ENGINE_EXTRA_FLAGS", " -ffast-math  -O2 "),
        ("ENGINE_LINK_ORDER_SEED", "7"),
    ])
    .unwrap();
    let expected = Choices {
        llamafile: Switch::Off,
        repack: Switch::On,
        threading: AskedThreading::Own,
        blas: Some(Blas::OpenBlas),
        extra_flags: vec!["-ffast-math".to_owned(), "-O2".to_owned()],
        link_order_seed: Some(7),
    };
    assert_eq!(choices, expected);
}

#[test]
fn unknown_words_are_faults_that_list_the_known_ones() {
    for (name, value, told) in [
        ("ENGINE_LLAMAFILE", "no", "on or off"),
        ("ENGINE_REPACK", "OFF", "on or off"),
        ("ENGINE_THREADING", "pthread", "openmp or own"),
        ("ENGINE_BLAS", "mkl", "openblas"),
        ("ENGINE_EXTRA_FLAGS", "-O2 main.c", "`main.c`"),
        ("ENGINE_LINK_ORDER_SEED", "-1", "whole number"),
    ] {
        let fault = read(&[(name, value)]).unwrap_err();
        assert!(fault.contains(name) && fault.contains(told), "{fault}");
    }
}

#[test]
fn a_seed_permutes_and_always_in_the_same_way() {
    let items: Vec<u32> = (0..40).collect();
    let arranged = |seed, name| order::arranged(items.clone(), seed, name);
    assert_eq!(arranged(None, "llama"), items);
    let one = arranged(Some(1), "llama");
    assert_eq!(arranged(Some(1), "llama"), one);
    assert_ne!(one, items);
    assert_ne!(arranged(Some(2), "llama"), one);
    assert_ne!(arranged(Some(1), "ggml"), one);
    let mut sorted = one;
    sorted.sort_unstable();
    assert_eq!(sorted, items);
}
