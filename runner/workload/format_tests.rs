use super::*;

const HEAD: &str = "schema = 1\nlicence = \"MIT\"\nsource = \"ours\"\nclasses = [\"routing\"]\n";

fn item(id: &str, text: &str) -> String {
    format!("[[item]]\nid = \"{id}\"\ntext = \"{text}\"\n")
}

fn fault(text: &str) -> String {
    parse(text, "set", "set.toml").unwrap_err().to_string()
}

#[test]
fn a_set_is_read_in_order() {
    let set = parse(&(HEAD.to_owned() + &item("b", "x y") + &item("a", "z")), "s", "p").unwrap();
    let ids: Vec<&str> = set.items.iter().map(|item| item.id.as_str()).collect();
    assert_eq!(ids, ["b", "a"]);
    assert_eq!(set.classes, [MeasurementClass::Routing]);
}

#[test]
fn every_fault_has_its_line_and_all_are_shown() {
    let text = HEAD.to_owned()
        + &item("a", "one")
        + &item("a", "two")
        + &item("B|", "bell \\u0007")
        + &item("c", " ")
        + &item("d", "one");
    insta::assert_snapshot!(fault(&text), @r#"
    set.toml:9: the id `a` is used twice, first at line 6
    set.toml:12: the id "B|" may hold lower-case letters, digits, `-`, `_` and `.`, not 'B'
    set.toml:13: the text of `B|` holds the control character '\u{7}'
    set.toml:16: the text of `c` is empty
    set.toml:19: `d` has the same text as `a` at line 7
      hint: docs/workloads.md shows the format of a set
    "#);
}

#[test]
fn an_empty_set_and_unknown_keys_are_refused() {
    assert!(fault(HEAD).contains("no [[item]]"));
    assert!(fault(&(HEAD.to_owned() + "name = \"x\"\n")).contains("set.toml:5: unknown field"));
    assert!(fault(&HEAD.replace('1', "2")).contains("schema 2"));
    assert!(fault("{]\n").contains("set.toml:1"));
}

#[test]
fn the_hash_is_that_of_the_documented_bytes() {
    let set = parse(&(HEAD.to_owned() + &item("a", "é\\n")), "s", "p").unwrap();
    let expected = blake3::hash("workload 1\n1:a,3:é\n,".as_bytes()).to_hex().to_string();
    assert_eq!(set.blake3.as_str(), expected);
}

#[test]
fn name_licence_and_line_ends_do_not_change_the_hash_and_order_and_text_do() {
    let one = |text: &str| parse(text, "s", "p").unwrap().blake3;
    let base = HEAD.to_owned() + "[[item]]\nid = \"a\"\ntext = '''\nx\ny\n'''\n" + &item("b", "z");
    let hash = one(&base);
    assert_eq!(one(&base.replace("MIT", "CC0-1.0")), hash);
    assert_eq!(one(&format!("\u{feff}{}", base.replace('\n', "\r\n"))), hash);
    assert_eq!(parse(&base, "other", "p").unwrap().blake3, hash);
    assert_ne!(one(&base.replace("\"z\"", "\"z \"")), hash);
    let turned =
        HEAD.to_owned() + &item("b", "z") + "[[item]]\nid = \"a\"\ntext = '''\nx\ny\n'''\n";
    assert_ne!(one(&turned), hash);
}
