//! A described record as it is read.

use insta::assert_snapshot;

use super::super::example::described;
use super::super::{Detail, Style, markdown_table, terminal_table};

#[test]
fn a_described_record_in_markdown() {
    assert_snapshot!(markdown_table(&described()), @"");
}

#[test]
fn a_described_record_on_a_terminal_in_short() {
    assert_snapshot!(terminal_table(&described(), 100, Style::Plain, Detail::Short), @"");
}

#[test]
fn a_described_record_on_a_terminal_in_full() {
    assert_snapshot!(terminal_table(&described(), 80, Style::Plain, Detail::All), @"");
}
