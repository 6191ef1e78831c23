//! Which way a figure goes: what its sign, or the words beside it, say of a change.

use super::figures::Figure;

/// Which way a change goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// More, faster.
    Up,
    /// Less, slower.
    Down,
    /// Neither a sign nor a word says it.
    Unsaid,
}

/// Whose figure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// That of an arm beside off.
    Arm,
    /// That of off beside an arm: `off` stands before it.
    Off,
}

/// What a figure is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// Speed, which is measured.
    Speed,
    /// Something else, or nothing that can be read.
    Anything,
}

/// What a sentence says of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wording {
    /// Which way.
    pub direction: Direction,
    /// Whose.
    pub subject: Subject,
    /// What about.
    pub about: About,
}

/// Words right behind a figure, or before it, and where they point.
const BEHIND: [(&str, Direction); 11] = [
    ("faster", Direction::Up),
    ("quicker", Direction::Up),
    ("more", Direction::Up),
    ("higher", Direction::Up),
    ("better", Direction::Up),
    ("gain", Direction::Up),
    ("slower", Direction::Down),
    ("less", Direction::Down),
    ("fewer", Direction::Down),
    ("lower", Direction::Down),
    ("loss", Direction::Down),
];
const BEFORE: [(&str, Direction); 16] = [
    ("faster", Direction::Up),
    ("quicker", Direction::Up),
    ("gain", Direction::Up),
    ("gains", Direction::Up),
    ("gained", Direction::Up),
    ("speedup", Direction::Up),
    ("speed-up", Direction::Up),
    ("slower", Direction::Down),
    ("slowdown", Direction::Down),
    ("slow-down", Direction::Down),
    ("loss", Direction::Down),
    ("loses", Direction::Down),
    ("lost", Direction::Down),
    ("cost", Direction::Down),
    ("costs", Direction::Down),
    ("regression", Direction::Down),
];
/// Small words between a figure and the word that tells its way.
const BETWEEN: [&str; 12] = [
    "by", "of", "about", "some", "only", "nearly", "almost", "around", "at", "least", "most", "up",
];
/// Words that turn a sentence round: then none is read.
const NOT: [&str; 6] = ["not", "no", "never", "neither", "nor", "without"];
/// More or less of these is no more or less speed.
const COSTS: [&str; 6] = ["time", "memory", "bytes", "work", "code", "energy"];

impl Wording {
    /// Of a figure of which nothing is read but its sign.
    #[must_use]
    pub fn of_sign(figure: &Figure) -> Wording {
        let direction = sign(figure).unwrap_or(Direction::Unsaid);
        Wording { direction, subject: Subject::Off, about: About::Anything }
    }

    /// Reads the parts of a sentence before and behind a figure.
    #[must_use]
    pub fn read(figure: &Figure, before: &str, behind: &str, about: About) -> Wording {
        let (before, behind) = (without_comments(before), without_comments(behind));
        let direction = sign(figure).unwrap_or_else(|| worded(&before, &behind));
        Wording { direction, subject: subject(&before), about }
    }
}

fn sign(figure: &Figure) -> Option<Direction> {
    let direction = if figure.reading.value < 0.0 { Direction::Down } else { Direction::Up };
    figure.signed.then_some(direction)
}

fn worded(before: &str, behind: &str) -> Direction {
    let near = before.rsplit([',', ';', ':', '(', '\u{2014}']).next().unwrap_or("");
    let ahead: Vec<String> = words(near).collect();
    if ahead.iter().rev().take(4).any(|word| NOT.contains(&word.as_str()) || word == "t") {
        return Direction::Unsaid;
    }
    let mut next = words(clause(behind)).filter(|word| !matches!(word.as_str(), "to" | "percent"));
    if let Some(first) = next.next()
        && let Some((_, direction)) = BEHIND.iter().find(|(word, _)| *word == first)
    {
        let cost = next.next().is_some_and(|word| COSTS.contains(&word.as_str()));
        return if cost { Direction::Unsaid } else { *direction };
    }
    let mut back = ahead.iter().rev().skip_while(|word| BETWEEN.contains(&word.as_str()));
    let word = back.next();
    let found = BEFORE.iter().find(|(known, _)| word.is_some_and(|word| word == known));
    found.map_or(Direction::Unsaid, |(_, direction)| *direction)
}

/// Up to a mark that ends a part of a sentence; the point of a number is none.
fn clause(text: &str) -> &str {
    let end = text.char_indices().find(|(at, mark)| match mark {
        ',' | ';' | ':' | '(' | '\u{2014}' => true,
        '.' => {
            !text.get(at + 1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        }
        _ => false,
    });
    text.get(..end.map_or(text.len(), |(at, _)| at)).unwrap_or("")
}

/// `off` before a figure, unless the figure is held against it.
fn subject(before: &str) -> Subject {
    const AGAINST: [&str; 7] = ["than", "to", "of", "over", "against", "beside", "with"];
    let all: Vec<String> = words(before).collect();
    let named = all.iter().enumerate().any(|(at, word)| {
        let held = at.checked_sub(1).and_then(|before| all.get(before));
        word == "off" && !held.is_some_and(|held| AGAINST.contains(&held.as_str()))
    });
    if named { Subject::Off } else { Subject::Arm }
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric() && c != '-')
        .filter(|word| word.starts_with(char::is_alphabetic))
        .map(str::to_lowercase)
}

fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((plain, comment)) = rest.split_once("<!--") {
        out.push_str(plain);
        rest = comment.split_once("-->").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    // the end of a comment that began before
    out.rsplit_once("-->").map_or(out.clone(), |(_, after)| after.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::figures::figures;
    use super::*;

    fn read(line: &str) -> Vec<(Direction, Subject)> {
        let read = |figure: &Figure| {
            let before = line.get(..figure.span.start).unwrap();
            let behind = line.get(figure.span.end..).unwrap();
            let wording = Wording::read(figure, before, behind, About::Speed);
            (wording.direction, wording.subject)
        };
        figures(line, 0).iter().map(read).collect()
    }

    #[test]
    fn signs_and_words() {
        for (line, expected) in [
            ("It is 81.6 % faster.", Direction::Up),
            ("It is **81.6 %** slower.", Direction::Down),
            ("slower by about 81.6 %", Direction::Down),
            ("a speed-up of 81.6 %", Direction::Up),
            ("It is <!-- record: a -->81.6 %<!-- /record --> faster.", Direction::Up),
            ("+81.6 % slower", Direction::Up),
            ("\u{2212}81.6 % faster", Direction::Down),
            ("not even 81.6 % faster", Direction::Unsaid),
            ("It is faster (81.6 % of all)", Direction::Unsaid),
            ("81.6 % more time", Direction::Unsaid),
            ("81.6 %, and slower", Direction::Unsaid),
        ] {
            assert_eq!(read(line), [(expected, Subject::Arm)], "{line}");
        }
        let both = read("6.6 to 31.5 % slower");
        assert_eq!(both, [(Direction::Down, Subject::Arm); 2]);
    }

    #[test]
    fn off_may_be_the_subject() {
        assert_eq!(read("`off` is 5 % slower"), [(Direction::Down, Subject::Off)]);
        assert_eq!(read("Compared to off 5 % slower"), [(Direction::Down, Subject::Arm)]);
    }
}
