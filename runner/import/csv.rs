//! Comma-separated values with quotes, as RFC 4180 has them.

use crate::failure::Failure;

/// All records, each with the line that it begins on.
pub(super) fn records(text: &str, file: &str) -> Result<Vec<(usize, Vec<String>)>, Failure> {
    let mut all = Vec::new();
    let mut cells: Vec<String> = Vec::new();
    let mut cell = String::new();
    let mut quoted = false;
    let (mut line, mut begun) = (1, 1);
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(std::mem::take(&mut cell)),
            '\r' if !quoted => {}
            '\n' if !quoted => {
                line += 1;
                if !(cells.is_empty() && cell.is_empty()) {
                    cells.push(std::mem::take(&mut cell));
                    all.push((begun, std::mem::take(&mut cells)));
                }
                begun = line;
            }
            _ => {
                if c == '\n' {
                    line += 1;
                }
                cell.push(c);
            }
        }
    }
    if quoted {
        return Err(Failure::failed("the file is cut off: a quote is never closed")
            .at(format!("{file}, line {begun}")));
    }
    if !(cells.is_empty() && cell.is_empty()) {
        cells.push(cell);
        all.push((begun, cells));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::records;

    #[test]
    fn quotes_commas_and_newlines_in_cells() {
        let found = records("a,b\n\"1,2\",\"say \"\"hi\"\"\"\r\n\"x\ny\",z", "f").unwrap();
        let cells: Vec<Vec<String>> = found.iter().map(|(_, cells)| cells.clone()).collect();
        assert_eq!(cells, [vec!["a", "b"], vec!["1,2", "say \"hi\""], vec!["x\ny", "z"]]);
        assert_eq!(found[2].0, 3);
        assert!(records("a\n\"b", "f").unwrap_err().to_string().contains("f, line 2"));
    }
}
