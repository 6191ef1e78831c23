//! Faults of the file as a whole, and places under line ends, tabs and letters of every width.

use std::path::Path;

use insta::assert_snapshot;

use super::support::{altered, faults, shown};
use crate::manifest::{Color, LARGEST, Position, decode};

/// Line, column and end column of the first fault, as JSON gives them.
fn place(source: &str) -> (u64, u64, u64) {
    let json = faults(source).to_json();
    let fault = &json["faults"][0];
    let number = |value: &serde_json::Value| value.as_u64().unwrap();
    assert_eq!(fault["line"], fault["places"][0]["line"]);
    (number(&fault["line"]), number(&fault["column"]), number(&fault["places"][0]["end_column"]))
}

#[test]
fn places_are_the_same_under_every_line_end_and_with_a_byte_order_mark() {
    let source = altered(&[("threads = 1\n", "threads = \"1\"\n")]);
    assert_eq!(place(&source), (9, 11, 14));
    assert_eq!(place(&source.replace('\n', "\r\n")), (9, 11, 14));
    assert_eq!(place(&format!("\u{feff}{source}")), (9, 11, 14));
    let first = "schema = true\n";
    assert_eq!(place(&format!("\u{feff}{first}")), place(first));
}

#[test]
fn columns_count_characters_and_a_tab_is_one() {
    let source = altered(&[("threads = 1\n", "\tthreads\t= \"ü€😀\" # ü\n")]);
    assert_eq!(place(&source), (9, 12, 17));
    let source = altered(&[("title = \"A good one\"", "\"tïtle\" = 1\ntitle = \"A good one\"")]);
    assert_eq!(place(&source), (3, 1, 8));
    assert_snapshot!(faults(&source).render(Color::Plain), @r###"
    error[unknown-key]: the top of the manifest has no key `tïtle`
     --> m.toml:3:1
      |
    3 | "tïtle" = 1
      | ^^^^^^^
      |
      = help: did you mean `title`?

    m.toml: 1 error
    "###);
}

#[test]
fn rendered_and_json_places_agree() {
    let source = altered(&[("threads = 1\n", "\tthreads\t= \"ü€😀\" # ü\n")]);
    let inline = "parked = { \"ü€😀\" = 1, resolution = 3 }";
    let source = source.replace("parked.resolution = \"a second registration\"", inline);
    for source in [source.replace('\n', "\r\n"), source] {
        let faults = faults(&source);
        let (rendered, json) = (faults.render(Color::Plain), faults.to_json());
        assert_eq!(faults.list.len(), 3);
        for fault in json["faults"].as_array().unwrap() {
            let place = format!("m.toml:{}:{}\n", fault["line"], fault["column"]);
            assert!(rendered.contains(&place), "{place} is not in\n{rendered}");
        }
    }
}

#[test]
fn an_offset_inside_a_character_or_past_the_end_has_a_position() {
    assert_eq!(Position::of("aü\nb", 2), Position { line: 1, column: 2 });
    assert_eq!(Position::of("aü\nb", 99), Position { line: 2, column: 2 });
    assert_eq!(Position::of("", 0), Position { line: 1, column: 1 });
}

#[test]
fn text_that_is_not_toml() {
    assert_snapshot!(shown(&[
        ("threads = 1\n", "threads =\n"),
        ("order_seed = 7", "order_seed 7"),
        ("title = \"A good one\"", "title = \"A good one"),
        ("role = \"aa\"", "role = \"aaa\""),
    ]), @r###"
    error[toml-syntax]: invalid basic string, expected `"`
     --> m.toml:3:20
      |
    3 | title = "A good one
      |                    ^
      |
      = help: end the text with `"` on its line, or begin and end it with `"""`

    error[toml-syntax]: string values must be quoted, expected literal string
     --> m.toml:9:10
      |
    9 | threads =
      |          ^
      |
      = help: write a value behind `=`; texts stand in quotes: `title = "two words"`

    error[unknown-value]: `role` cannot be "aaa"
      --> m.toml:24:8
       |
    24 | role = "aaa"
       |        ^^^^^ one of "off", "aa", "treatment", "control", "peer", "ceiling"
       |
       = help: did you mean `role = "aa"`?

    error[toml-syntax]: key with no value, expected `=`
      --> m.toml:43:12
       |
    43 | order_seed 7
       |            ^
       |
       = help: write `key = value`

    m.toml: 4 errors
    "###);
}

#[test]
fn keys_and_tables_that_are_given_twice() {
    assert_snapshot!(shown(&[("id = \"good\"", "id = \"good\"\nid = \"again\""), ("[noise]", "[workload]\n[noise]")]), @r###"
    error[duplicate-key]: `id` is given twice
     --> m.toml:3:1
      |
    2 | id = "good"
      | -- first
    3 | id = "again"
      | ^^ again
      |
      = help: leave one of them out

    error[duplicate-key]: `workload` is given twice
      --> m.toml:36:2
       |
    13 | [workload]
       | ---------- first
    ...
    36 | [workload]
       |  ^^^^^^^^ again
       |
       = help: leave one of them out

    m.toml: 2 errors
    "###);
}

#[test]
fn an_empty_file() {
    assert_snapshot!(faults("\n  \n").render(Color::Plain), @r###"
    error[empty-file]: the manifest is empty
     --> m.toml:1:1
      |
    1 |
      | ^
      |
      = help: `runner new ID --template ab` writes one to start from

    m.toml: 1 error
    "###);
}

#[test]
fn bytes_that_are_not_utf8() {
    let fault = decode(b"id = \"good\"\ntitle = \"\xff\"\n", Path::new("m.toml")).unwrap_err();
    assert_snapshot!(fault.render(Color::Plain), @r###"
    error[not-utf8]: the file is not UTF-8 text from line 2, column 10
     --> m.toml:2:10
      |
    2 | title = "
      |          ^ byte 0xff follows
      |
      = help: save it as UTF-8

    m.toml: 1 error
    "###);
    let utf16: Vec<u8> = "id".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let bytes = [&[0xff, 0xfe], utf16.as_slice()].concat();
    assert_eq!(decode(&bytes, Path::new("m.toml")).unwrap_err().list[0].code.text, "not-utf8");
    assert_eq!(decode("\u{feff}id".as_bytes(), Path::new("m.toml")).unwrap(), "id");
}

#[test]
fn a_file_over_the_limit() {
    let source = "#".repeat(LARGEST + 1);
    assert_snapshot!(faults(&source).render(Color::Plain), @r###"
    error[too-large]: the file has 1048577 bytes; a manifest has at most 1048576
     --> m.toml:1:1
      |
    1 |
      | ^
      |
      = help: is this the right file?

    m.toml: 1 error
    "###);
    assert_eq!(decode(source.as_bytes(), Path::new("m.toml")).unwrap_err().list.len(), 1);
}

/// Printable characters without order, the same each time.
fn garbage(bytes: u32) -> String {
    // 2654435761: Knuth's multiplicative hash.
    (0..bytes)
        .map(|i| char::from(33 + u8::try_from((i.wrapping_mul(2_654_435_761) >> 20) % 90).unwrap()))
        .collect()
}

#[test]
fn a_megabyte_of_garbage_has_a_short_answer() {
    let largest = u32::try_from(LARGEST).unwrap();
    for source in [
        garbage(largest),
        garbage(60_000),
        "a\n".repeat(30_000),
        "[".repeat(LARGEST),
        format!("a = {}1{}", "[".repeat(1000), "]".repeat(1000)),
        format!("{}a = 1", "a.".repeat(1000)),
        format!("x = \"{}", "y".repeat(LARGEST - 5)),
        (0..LARGEST / 20).map(|i| format!("key{i} = 1\n")).collect(),
        format!("arm = [{}]", "{},".repeat(LARGEST / 4)),
        "[[arm]]\n".repeat(LARGEST / 8),
    ] {
        let faults = faults(&source);
        let rendered = faults.render(Color::Plain);
        assert!(rendered.len() < 20_000, "{} bytes: {}", rendered.len(), &rendered[..200]);
        assert!(rendered.starts_with("error["));
        assert!(faults.list.len() <= 1000);
    }
}

#[test]
fn more_faults_than_are_shown_are_counted() {
    let source: String = (0..30).map(|i| format!("zzz{i} = 1\n")).collect();
    let source = format!("{source}{}", super::support::GOOD);
    let rendered = faults(&source).render(Color::Plain);
    assert_eq!(rendered.matches("error[unknown-key]").count(), 20);
    assert!(rendered.ends_with("… and 10 more\n\nm.toml: 30 errors"));
}

#[test]
fn colours_are_written_only_when_asked_for() {
    let faults = faults("schema = true");
    assert!(!faults.render(Color::Plain).contains('\u{1b}'));
    assert!(faults.render(Color::Styled).contains("\u{1b}["));
}

#[test]
fn json_has_code_place_and_help() {
    let json = faults(&altered(&[("threads = 1\n", "thread = 1\n")])).to_json();
    assert_eq!(
        json["faults"][0],
        serde_json::json!({
            "severity": "error",
            "code": "unknown-key",
            "file": "m.toml",
            "line": 9,
            "column": 1,
            "message": "`[engine]` has no key `thread`",
            "help": "did you mean `threads`?",
            "places": [
                {"line": 9, "column": 1, "end_line": 9, "end_column": 7, "text": ""}
            ],
        })
    );
    assert_eq!((json["errors"].as_u64(), json["warnings"].as_u64()), (Some(1), Some(0)));
}

#[test]
fn a_failure_carries_the_rendered_faults_and_is_a_usage_error() {
    let faults = faults("schema = true");
    let rendered = faults.render(Color::Plain);
    let failure = crate::Failure::from(faults);
    assert_eq!(failure.kind.exit_code(), 2);
    assert_eq!(failure.rendered, Some(rendered));
}
