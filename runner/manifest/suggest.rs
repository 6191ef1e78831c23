//! What the writer of an unknown key may have meant.

use super::code::Code;
use super::diagnostics::Diagnostic;
use super::language::{Shape, Table, language};
use super::scalar::shorten;
use super::span::Span;
use super::walk::titled;

/// Least similarity (Jaro-Winkler, 0 to 1) that is worth a suggestion: `thread` against
/// `threads` is 0.97, `rounds` against `rungs` 0.75.
const NEAR: f64 = 0.84;

/// Names that other tools have for our keys.
const ELSEWHERE: &[(&str, &str)] = &[
    ("n_threads", "threads"),
    ("n_threads_batch", "batch_threads"),
    ("threads_batch", "batch_threads"),
    ("n_ctx", "context_tokens"),
    ("ctx_size", "context_tokens"),
    ("n_batch", "batch_tokens"),
    ("n_ubatch", "micro_batch_tokens"),
    ("ubatch_size", "micro_batch_tokens"),
    ("ubatch", "micro_batch_tokens"),
    ("flash_attn", "flash_attention"),
    ("fa", "flash_attention"),
    ("type_k", "kv_key_type"),
    ("cache_type_k", "kv_key_type"),
    ("type_v", "kv_value_type"),
    ("cache_type_v", "kv_value_type"),
    ("no_kv_offload", "kv_offload"),
    ("n_gpu_layers", "gpu_layers"),
    ("ngl", "gpu_layers"),
    ("mmap", "memory_map"),
    ("mlock", "memory_lock"),
    ("prio", "priority"),
    ("poll", "poll_percent"),
    ("n_parallel", "parallel_sequences"),
    ("n_prompt", "prefill_tokens"),
    ("n_gen", "decode_tokens"),
    ("n_depth", "depth_tokens"),
];

/// The known text that is nearest, if any is near.
pub(super) fn nearest<'known>(
    text: &str,
    known: impl Iterator<Item = &'known str>,
) -> Option<&'known str> {
    // Long texts are no slips of the pen, and similarity costs their length squared.
    if text.len() > 100 {
        return None;
    }
    known
        .map(|name| (strsim::jaro_winkler(text, name), name))
        .filter(|(similarity, _)| *similarity >= NEAR)
        .max_by(|left, right| left.0.total_cmp(&right.0).then_with(|| right.1.cmp(left.1)))
        .map(|(_, name)| name)
}

/// The fault of an unknown key: in the wrong table, misspelt, or neither.
pub(super) fn unknown_key(name: &str, span: Span, table: &Table) -> Diagnostic {
    let here = titled(table);
    let shown = shorten(name);
    let homes = homes(name);
    if !homes.is_empty() {
        return Diagnostic::error(
            Code::KEY_IN_WRONG_TABLE,
            span,
            format!("`{shown}` does not belong to {here}"),
        )
        .help(format!("it is a key of {}", homes.join(" or ")));
    }
    let fault = Diagnostic::error(Code::UNKNOWN_KEY, span, format!("{here} has no key `{shown}`"));
    let names = || table.keys.iter().map(|key| key.name.as_ref());
    if let Some((_, ours)) = ELSEWHERE.iter().find(|(theirs, _)| *theirs == name) {
        let place = if table.key(ours).is_some() {
            String::new()
        } else {
            format!(" of {}", self::homes(ours).join(" or "))
        };
        return fault.help(format!("that is `{ours}`{place} here"));
    }
    if let Some(near) = nearest(name, names()) {
        return fault.help(format!("did you mean `{near}`?"));
    }
    let mut everywhere: Vec<&str> = Vec::new();
    each_table(language(), &mut |table| {
        everywhere.extend(table.keys.iter().map(|key| key.name.as_ref()));
    });
    if let Some(near) = nearest(name, everywhere.into_iter()) {
        return fault.help(format!("did you mean `{near}` of {}?", self::homes(near).join(" or ")));
    }
    let known: Vec<&str> = names().collect();
    fault.help(format!("it has {}", known.join(", ")))
}

/// Tables that have a key, in words.
fn homes(name: &str) -> Vec<String> {
    let mut homes = Vec::new();
    each_table(language(), &mut |table| {
        let title = titled(table);
        if table.key(name).is_some() && !homes.contains(&title) {
            homes.push(title);
        }
    });
    homes
}

/// A table and all tables below it.
pub(super) fn each_table<'table>(table: &'table Table, visit: &mut dyn FnMut(&'table Table)) {
    visit(table);
    for key in &table.keys {
        if let Shape::Table(inner) | Shape::Tables(inner) | Shape::Named(_, inner) = &key.shape {
            each_table(inner, visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_from_elsewhere_leads_to_a_key_of_ours_and_is_none_itself() {
        for (theirs, ours) in ELSEWHERE {
            assert!(!homes(ours).is_empty(), "{ours}");
            assert!(homes(theirs).is_empty(), "{theirs}");
        }
    }

    #[test]
    fn a_slip_is_near_and_another_word_is_not() {
        let known = ["threads", "rounds", "rungs"];
        assert_eq!(nearest("thread", known.into_iter()), Some("threads"));
        assert_eq!(nearest("banana", known.into_iter()), None);
    }
}
