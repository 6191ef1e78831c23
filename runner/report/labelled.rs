//! Lines that begin with a label in a column of its own, fitted to a width.

use super::terminal::wrapped;

/// Columns of the label.
const LABEL: usize = 12;

/// `memory      2 copies …`, broken so that it fits; what is below the label stays empty. A line
/// without a label in that column is broken plainly.
#[must_use]
pub fn labelled_line(line: &str, width: usize) -> String {
    let label: String = line.chars().take(LABEL).collect();
    let text: String = line.chars().skip(LABEL).collect();
    if line.chars().count() <= width || !label.ends_with(' ') {
        return fitted_line(line, width);
    }
    let broken = wrapped(&text, width.saturating_sub(LABEL), 0);
    let heads = std::iter::once(label).chain(std::iter::repeat(" ".repeat(LABEL)));
    let lines: Vec<String> =
        heads.zip(broken.lines()).map(|(head, line)| format!("{head}{line}")).collect();
    lines.join("\n")
}

/// A line as it is where it fits, else broken.
#[must_use]
pub fn fitted_line(line: &str, width: usize) -> String {
    if line.chars().count() <= width { line.to_owned() } else { wrapped(line, width, 2) }
}

#[cfg(test)]
mod tests {
    use super::labelled_line;

    #[test]
    fn long_lines_are_broken_beside_their_label() {
        let line = "memory      two copies of the model at once, and much more";
        assert_eq!(labelled_line(line, 80), line);
        let broken = labelled_line(line, 40);
        assert_eq!(
            broken,
            "memory      two copies of the model at\n            once, and much more"
        );
        assert_eq!(
            labelled_line("an-id: a title that is long", 20),
            "an-id: a title that\n  is long"
        );
    }
}
