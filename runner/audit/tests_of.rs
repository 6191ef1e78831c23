//! Test functions of Rust and Python files, with their bodies.

use std::ops::Range;

use super::architectures::{ARCHITECTURES, names};
use super::excuses::excuses;
use super::files::Files;
use super::findings::{Finding, Rule};
use super::source::Source;

/// A test function.
#[derive(Debug)]
pub struct TestFunction<'source> {
    source: &'source Source,
    name: Range<usize>,
    body: Range<usize>,
}

impl<'source> TestFunction<'source> {
    /// Its body, helpers' arguments and all.
    #[must_use]
    pub fn body(&self) -> &'source str {
        self.source.text.get(self.body.clone()).unwrap_or("")
    }

    fn name(&self) -> &'source str {
        self.source.text.get(self.name.clone()).unwrap_or("")
    }
}

/// All test functions of the files that are searched.
#[must_use]
pub fn test_functions(files: &Files) -> Vec<TestFunction<'_>> {
    let mut found = Vec::new();
    for source in &files.sources {
        if source.path.ends_with(".rs") {
            rust(source, &mut found);
        } else if source.path.ends_with(".py") {
            python(source, &mut found);
        }
    }
    found
}

/// Tests whose name has an architecture's word and whose body does not.
pub fn test_promises(tests: &[TestFunction<'_>], findings: &mut Vec<Finding>) {
    for test in tests {
        let name = test.name().to_lowercase();
        for word in ARCHITECTURES.iter().filter(|word| names(&name, word)) {
            // `phi3` may be told of as `phi-3`, `qwen2` as `Qwen 2`
            let loose = |text: &str| -> String {
                text.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect()
            };
            if loose(test.body()).contains(*word) || is_excused(test) {
                continue;
            }
            let what = format!("`{}` promises {word}, and its body never mentions it", test.name());
            let found = Finding::at(Rule::TestPromise, test.source, &test.name, what);
            findings
                .push(found.hint("assert what the name says, or name the test by what it does"));
        }
    }
}

fn is_excused(test: &TestFunction<'_>) -> bool {
    let line = test.source.line_of(test.name.start);
    excuses(test.source).iter().any(|excuse| excuse.excuses(line))
}

fn rust<'source>(source: &'source Source, found: &mut Vec<TestFunction<'source>>) {
    for (at, _) in source.text.match_indices("#[test]") {
        let Some(rest) = source.text.get(at..) else { continue };
        let Some(start) = rest.find("fn ").map(|offset| at + offset + 3) else { continue };
        let after = source.text.get(start..).unwrap_or("");
        let length = after.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(after.len());
        let Some(open) = after.find('{').map(|offset| start + offset) else { continue };
        let end = closing(&source.text, open);
        found.push(TestFunction { source, name: start..start + length, body: open..end });
    }
}

/// Where the brace at a byte is closed; braces in texts are taken to be balanced, and a function
/// ends at the latest with a line `}`.
fn closing(text: &str, open: usize) -> usize {
    let line_start = text.get(..open).and_then(|text| text.rfind('\n')).map_or(0, |at| at + 1);
    let head = text.get(line_start..open).unwrap_or("");
    let indent = head.len() - head.trim_start().len();
    let close = format!("\n{}}}", head.get(..indent).unwrap_or(""));
    let rest = text.get(open..).unwrap_or("");
    // a body on one line
    let first_line = rest.split('\n').next().unwrap_or("");
    if first_line.len() > 1 && first_line.trim_end().ends_with('}') {
        return open + first_line.len();
    }
    rest.find(&close).map_or(text.len(), |offset| open + offset + close.len())
}

fn python<'source>(source: &'source Source, found: &mut Vec<TestFunction<'source>>) {
    for line in 0..source.line_count() {
        let text = source.line(line);
        let indent = text.len() - text.trim_start().len();
        if !text.trim_start().starts_with("def test_") {
            continue;
        }
        let span = source.line_span(line);
        let start = span.start + indent + "def ".len();
        let length = source.text.get(start..span.end).and_then(|rest| rest.find('('));
        let ends = |line: &usize| {
            let text = source.line(*line);
            !text.trim().is_empty() && text.len() - text.trim_start().len() <= indent
        };
        // decorators say what a test is given
        let first =
            (0..line).rev().take_while(|line| source.line(*line).trim_start().starts_with('@'));
        let first = first.last().unwrap_or(line);
        let last = (line + 1..source.line_count()).find(ends).unwrap_or(source.line_count());
        let arguments = source.line_span(line).start + indent + "def ".len() + length.unwrap_or(0);
        let body = arguments..source.line_span(last.saturating_sub(1)).end;
        let body = if first < line { source.line_span(first).start..body.end } else { body };
        let name = start..start + length.unwrap_or(0);
        // a decorated test's own name is no mention
        let body = if first < line && !mentions_apart(source, &body, &name) {
            arguments..body.end
        } else {
            body
        };
        found.push(TestFunction { source, name, body });
    }
}

fn mentions_apart(source: &Source, body: &Range<usize>, name: &Range<usize>) -> bool {
    let head = source.text.get(body.start..name.start).unwrap_or("").to_lowercase();
    ARCHITECTURES.iter().any(|word| names(&head, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn promises(path: &str, text: &str) -> Vec<String> {
        let sources = vec![Source::new(path.to_owned(), text.to_owned())];
        let files = Files { sources, unsearchable: Vec::new() };
        let mut findings = Vec::new();
        test_promises(&test_functions(&files), &mut findings);
        findings.into_iter().map(|finding| finding.what).collect()
    }

    #[test]
    fn a_name_that_the_body_does_not_keep() {
        let text = "mod tests {\n    #[test]\n    fn qwen2_is_right() {\n        check(\"llama\");\n    }\n\n    \
                    #[test]\n    fn llama_is_right() {\n        check(\"synthetic-llama\");\n    }\n}\n";
        assert_eq!(
            promises("a.rs", text),
            ["`qwen2_is_right` promises qwen2, and its body never mentions it"]
        );
        let python =
            "def test_phi3():\n    check('gemma2')\n\ndef test_gemma2():\n    check('Gemma-2')\n";
        assert_eq!(
            promises("a.py", python),
            ["`test_phi3` promises phi3, and its body never mentions it"]
        );
        let given = "@parametrize('a', ['phi3'])\ndef test_phi3(a):\n    check(a)\n";
        assert_eq!(promises("a.py", given), Vec::<String>::new());
    }

    #[test]
    fn programs_are_no_architectures() {
        let text = "#[test]\nfn llama_bench_flags_are_read() {\n    read(\"-ngl\");\n}\n";
        assert_eq!(promises("a.rs", text), Vec::<String>::new());
    }
}
