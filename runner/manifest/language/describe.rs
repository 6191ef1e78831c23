//! The vocabulary in which the language is described.

use std::borrow::Cow;

/// A table: its keys, and nothing else, may stand in it.
#[derive(Debug, Clone)]
pub struct Table {
    /// As it is written in messages: `[engine]`, `[[arm]]`, `contract.kl of [[arm]]`.
    pub title: &'static str,
    /// One sentence or two.
    pub doc: &'static str,
    /// In the order of the reference.
    pub keys: Vec<Key>,
}

/// A key of a table.
#[derive(Debug, Clone)]
pub struct Key {
    /// As written.
    pub name: Cow<'static, str>,
    /// What it holds.
    pub shape: Shape,
    /// Whether it must be there.
    pub need: Need,
    /// One line for people.
    pub doc: Cow<'static, str>,
    /// What to write, as TOML: `threads = 2`.
    pub example: Cow<'static, str>,
}

/// Whether a key must be there.
#[derive(Debug, Clone, PartialEq)]
pub enum Need {
    /// It must.
    Required,
    /// It may be absent, and that means something of its own.
    Optional,
    /// It may be absent, and then has this value.
    Default(Literal),
    /// A table that may be absent: all its keys have defaults.
    AllDefaults,
}

/// A default value.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// A text.
    Text(&'static str),
    /// A whole number.
    Whole(u64),
    /// A number.
    Real(f64),
}

/// What a key holds.
#[derive(Debug, Clone)]
pub enum Shape {
    /// A text.
    Text(TextRule),
    /// A whole number from `least` to `most`, both included.
    Whole {
        /// Least.
        least: u64,
        /// Greatest.
        most: u64,
    },
    /// A number.
    Real(RealRange),
    /// One of some texts.
    OneOf(Vec<Choice>),
    /// A list of values of one shape; `least` of them or more.
    List {
        /// Of each value.
        item: Box<Shape>,
        /// Fewest values.
        least: usize,
    },
    /// Texts or whole numbers, checked elsewhere: the rungs of a ladder.
    Rungs,
    /// A table.
    Table(Table),
    /// Tables of one kind in a list: `[[arm]]`.
    Tables(Table),
    /// Tables of one kind under names that are free.
    Named(NameRule, Table),
    /// Texts under names of variables.
    Variables,
}

/// Rules for texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextRule {
    /// Ends up in a table: one line, no `|`, no control characters.
    Line,
    /// Several lines are fine, other control characters are not.
    Prose,
    /// An experiment's id.
    Id,
    /// An arm's name.
    ArmName,
    /// 64 hexadecimal digits.
    Sha256,
    /// Hexadecimal, with `0x`.
    Mask,
    /// Where a server listens: `host:port`.
    Server,
}

/// Rules for names that are free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameRule {
    /// The engine's name of an operation, lower case.
    Operation,
    /// The engine's name of a device or of a buffer type.
    Device,
    /// A build of the engine.
    Build,
}

impl NameRule {
    /// Whether a name is such a one.
    pub fn holds(self, name: &str) -> bool {
        /// Longest name of a device; the engine's own have a few letters.
        const LONGEST: usize = 64;
        let good = |c: char| match self {
            NameRule::Operation => c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_',
            NameRule::Device => c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'),
            NameRule::Build => {
                c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-' | '.')
            }
        };
        let fits = self == NameRule::Operation || name.len() <= LONGEST;
        !name.is_empty() && fits && name.chars().all(good)
    }

    /// What it names, in messages.
    pub fn what(self) -> &'static str {
        match self {
            NameRule::Operation => "an operation",
            NameRule::Device => "a device or a buffer type",
            NameRule::Build => "a build",
        }
    }

    /// How such names look.
    pub fn looks(self) -> &'static str {
        match self {
            NameRule::Operation => {
                "operations are named in lower case, for example `flash_attn_ext`"
            }
            NameRule::Device => {
                "letters, digits, `_`, `-` and `.`, 64 at most: for example `CUDA0` or `CPU_REPACK`"
            }
            NameRule::Build => {
                "lower-case letters, digits, `-`, `_` and `.`, a letter or a digit first, 64 at most"
            }
        }
    }
}

/// A range of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RealRange {
    /// Lower end.
    pub from: f64,
    /// Whether the lower end itself is out.
    pub above: bool,
    /// Upper end.
    pub to: f64,
    /// Whether the upper end itself is out.
    pub below: bool,
}

impl RealRange {
    /// From `from` to `to`, both included.
    pub const fn between(from: f64, to: f64) -> RealRange {
        RealRange { from, above: false, to, below: false }
    }

    /// Above `from`, at most `to`.
    pub const fn above(from: f64, to: f64) -> RealRange {
        RealRange { from, above: true, to, below: false }
    }

    /// Above `from` and below `to`, both excluded.
    pub const fn inside(from: f64, to: f64) -> RealRange {
        RealRange { from, above: true, to, below: true }
    }

    /// Whether a number lies in it.
    pub fn holds(self, number: f64) -> bool {
        let over = if self.above { number > self.from } else { number >= self.from };
        let under = if self.below { number < self.to } else { number <= self.to };
        over && under
    }

    /// `above 0, at most 100`.
    pub fn words(self) -> String {
        match (self.above, self.below) {
            (true, true) => format!("above {}, below {}", self.from, self.to),
            (true, false) => format!("above {}, at most {}", self.from, self.to),
            (false, true) => format!("{} or more, below {}", self.from, self.to),
            (false, false) => format!("{} to {}", self.from, self.to),
        }
    }
}

/// A text that a key may have.
#[derive(Debug, Clone)]
pub struct Choice {
    /// As written.
    pub text: String,
    /// What it means; may be empty.
    pub doc: String,
}

impl Shape {
    /// The choices of an enum that a plan stores: texts and docs come from its own schema.
    pub fn choices<T: schemars::JsonSchema>() -> Shape {
        Shape::OneOf(choices_of(schemars::schema_for!(T).as_value()))
    }

    /// `a whole number, 1 to 1024`: what is wanted, in messages and in the reference.
    pub fn wanted(&self) -> String {
        match self {
            Shape::Text(TextRule::Line) => "a line of text".to_owned(),
            Shape::Text(TextRule::Prose) => "text".to_owned(),
            Shape::Text(TextRule::Id) => "an id: lower-case letters, digits, `-`".to_owned(),
            Shape::Text(TextRule::ArmName) => {
                "a name: lower-case letters, digits, `-`, `_`, `=`, `.`".to_owned()
            }
            Shape::Text(TextRule::Sha256) => "64 hexadecimal digits".to_owned(),
            Shape::Text(TextRule::Mask) => "a hexadecimal text such as \"0x3\"".to_owned(),
            Shape::Text(TextRule::Server) => "a server as `host:port`".to_owned(),
            Shape::Whole { least, most } if *most >= u64::from(u32::MAX) => {
                format!("a whole number, {least} or more")
            }
            Shape::Whole { least, most } if least == most => format!("the number {least}"),
            Shape::Whole { least, most } => format!("a whole number, {least} to {most}"),
            Shape::Real(range) => format!("a number, {}", range.words()),
            Shape::OneOf(choices) => {
                let texts: Vec<String> =
                    choices.iter().map(|choice| format!("\"{}\"", choice.text)).collect();
                match texts.as_slice() {
                    [only] => only.clone(),
                    many => format!("one of {}", many.join(", ")),
                }
            }
            Shape::List { item, .. } => format!("a list, each value {}", item.wanted()),
            Shape::Rungs => "a list of values of the setting".to_owned(),
            Shape::Table(_) => "a table".to_owned(),
            Shape::Tables(_) => "a list of tables".to_owned(),
            Shape::Named(_, _) => "tables under names".to_owned(),
            Shape::Variables => "texts under names of variables".to_owned(),
        }
    }
}

/// Texts and docs of a JSON schema of an enum without fields.
pub(super) fn choices_of(schema: &serde_json::Value) -> Vec<Choice> {
    let mut choices = Vec::new();
    let mut add = |text: Option<&str>, doc: &str| {
        if let Some(text) = text {
            choices.push(Choice { text: text.to_owned(), doc: one_line(doc) });
        }
    };
    for text in schema["enum"].as_array().into_iter().flatten() {
        add(text.as_str(), "");
    }
    for variant in schema["oneOf"].as_array().into_iter().flatten() {
        let doc = variant["description"].as_str().unwrap_or_default();
        add(variant["const"].as_str(), doc);
        for text in variant["enum"].as_array().into_iter().flatten() {
            add(text.as_str(), doc);
        }
    }
    choices
}

/// A docstring on one line.
pub(super) fn one_line(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Table {
    /// A key of this table.
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}
