//! The pages about the rule name every reason.

use super::{LadderCode, ReasonCode};

fn name<T: serde::Serialize>(value: T) -> String {
    serde_json::to_value(value).unwrap().as_str().unwrap().to_owned()
}

#[test]
fn every_reason_code_is_documented_in_order_with_its_verdict() {
    let page = include_str!("../../docs/reason-codes.md");
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let documented: Vec<&str> = rows.iter().map(|row| row[1].trim_matches('`')).collect();
    let codes: Vec<String> = ReasonCode::ALL.iter().map(name).collect();
    assert_eq!(documented, codes);
    for (row, code) in rows.iter().zip(ReasonCode::ALL) {
        let machines = if code.is_machines() { " **M**" } else { "" };
        assert_eq!(row[2], format!("{}{machines}", name(code.verdict())), "{code:?}");
        assert!(row[3].len() > 20 && !row[4].is_empty(), "{code:?}");
    }
}

#[test]
fn the_list_of_all_reasons_is_in_order_of_precedence_and_whole() {
    assert!(ReasonCode::ALL.is_sorted());
    // The last code's place counts them: codes are numbered from 0 in order of declaration.
    assert_eq!(ReasonCode::DescribedOnly as usize + 1, ReasonCode::ALL.len());
}

#[test]
fn the_rule_names_every_reason() {
    let page = include_str!("../../docs/decision-rule.md");
    for code in ReasonCode::ALL {
        assert!(page.contains(&format!("`{}`", name(code))), "{code:?}");
    }
}

#[test]
fn every_reason_of_a_ladder_is_documented_on_both_pages() {
    let codes = include_str!("../../docs/reason-codes.md");
    let rule = include_str!("../../docs/decision-rule.md");
    let mut last = 0;
    for code in LadderCode::ALL {
        let place = codes.find(&format!("- `{}`: ", name(code)));
        assert!(place.is_some_and(|place| place > last), "{code:?}");
        last = place.unwrap();
        assert!(rule.contains(&format!("`{}`", name(code))), "{code:?}");
    }
}
