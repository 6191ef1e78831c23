//! What things are drawn in: one meaning each, a colour in a document and a class on a page.

/// A meaning. Marks of different meaning differ in shape or label too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    Text,
    Pale,
    /// What lies behind everything.
    Ground,
    /// Lines of a grid.
    Grid,
    /// Between the margins.
    Band,
    /// Off, and off again.
    Off,
    /// The arm that is compared.
    Arm,
    /// A block that a sensor flagged.
    Flag,
    Win,
    Loss,
    Level,
    Parked,
    Void,
    Insufficient,
}

impl Ink {
    /// Its colour on white. Outcomes have those of M. Okabe and K. Ito's palette, which people of
    /// every colour vision can tell apart.
    pub fn color(self) -> &'static str {
        match self {
            Ink::Text => "#222222",
            Ink::Pale => "#888888",
            Ink::Ground => "#ffffff",
            Ink::Grid => "#dddddd",
            Ink::Band => "#eeeeee",
            Ink::Off => "#777777",
            Ink::Arm => "#0072b2",
            Ink::Flag | Ink::Loss => "#d55e00",
            Ink::Win => "#009e73",
            Ink::Level => "#56b4e9",
            Ink::Parked => "#f0e442",
            Ink::Void => "#cc79a7",
            Ink::Insufficient => "#999999",
        }
    }

    /// Its name in the classes of a page: `s-` for lines, `f-` for areas and texts.
    pub fn name(self) -> &'static str {
        match self {
            Ink::Text => "text",
            Ink::Pale => "pale",
            Ink::Ground => "ground",
            Ink::Grid => "grid",
            Ink::Band => "band",
            Ink::Off => "off",
            Ink::Arm => "arm",
            Ink::Flag => "flag",
            Ink::Win => "win",
            Ink::Loss => "loss",
            Ink::Level => "level",
            Ink::Parked => "parked",
            Ink::Void => "void",
            Ink::Insufficient => "insufficient",
        }
    }
}
