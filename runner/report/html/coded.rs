//! Sentences in which names stand between backticks, cut for a page that sets them in another type.

/// A part of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Without its backticks.
    pub text: String,
    /// How it is set.
    pub kind: PieceKind,
}

/// How a part of a sentence is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceKind {
    /// As it is.
    Words,
    /// Like code.
    Name,
}

impl Piece {
    /// Whether it is set like code.
    #[must_use]
    pub fn is_name(&self) -> bool {
        self.kind == PieceKind::Name
    }
}

/// The parts of a sentence. A backtick without a partner stays a backtick.
#[must_use]
pub fn coded(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut words = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((name, left)) = after.split_once('`').filter(|(name, _)| !name.is_empty()) else {
            break;
        };
        words.push_str(before);
        if !words.is_empty() {
            pieces.push(Piece { text: std::mem::take(&mut words), kind: PieceKind::Words });
        }
        pieces.push(Piece { text: name.to_owned(), kind: PieceKind::Name });
        rest = left;
    }
    words.push_str(rest);
    if !words.is_empty() {
        pieces.push(Piece { text: words, kind: PieceKind::Words });
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::coded;

    #[test]
    fn names_between_backticks_are_cut_out_and_nothing_is_lost() {
        let shown = |text: &str| -> Vec<String> {
            let pieces = coded(text).into_iter();
            let mark = |piece: super::Piece| match piece.is_name() {
                true => format!("<{}>", piece.text),
                false => piece.text,
            };
            pieces.map(mark).collect()
        };
        assert_eq!(
            shown("`fast` is faster than `off`."),
            ["<fast>", " is faster than ", "<off>", "."]
        );
        assert_eq!(shown("no name"), ["no name"]);
        assert_eq!(shown("an `open one"), ["an `open one"]);
        assert_eq!(shown("``"), ["``"]);
        assert_eq!(shown(""), Vec::<String>::new());
    }
}
