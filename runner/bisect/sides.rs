//! Which side looks broken. Only what a side shows by itself is held against it: that two sides
//! differ says nothing of which is wrong.

use serde::Serialize;

use super::buffers::BufferFinding;
use super::sight::Sight;

/// One of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The reference, or off.
    Left,
    /// The engine, or the arm.
    Right,
}

/// Something that a side shows by itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reason {
    /// Which side.
    pub side: Side,
    /// In words.
    pub why: String,
}

/// Which looks broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SideVerdict {
    /// The first.
    LeftLooksBroken,
    /// The second.
    RightLooksBroken,
    /// Both show something that no sound side does.
    BothLookBroken,
    /// Neither shows anything by itself.
    BothLookSound,
}

/// What the sides show at the tensor that parts and in the reference's buffers.
#[must_use]
pub fn reasons(sight: Option<&Sight>, buffers: &[BufferFinding]) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = buffers
        .iter()
        .map(|found| Reason {
            side: Side::Left,
            why: format!("its buffer `{}`: {}", found.name, found.why),
        })
        .collect();
    if let Some(sight) = sight {
        let of = |side, own: &super::Look, other| {
            let odd = own.odd_beside(other).into_iter();
            odd.map(move |oddity| Reason {
                side,
                why: format!("in `{}` {}", sight.tensor, oddity.words()),
            })
        };
        reasons.extend(of(Side::Left, &sight.left, &sight.right));
        reasons.extend(of(Side::Right, &sight.right, &sight.left));
    }
    reasons
}

/// The verdict that reasons give.
#[must_use]
pub fn judge_sides(reasons: &[Reason]) -> SideVerdict {
    let against = |side| reasons.iter().any(|reason| reason.side == side);
    match (against(Side::Left), against(Side::Right)) {
        (true, true) => SideVerdict::BothLookBroken,
        (true, false) => SideVerdict::LeftLooksBroken,
        (false, true) => SideVerdict::RightLooksBroken,
        (false, false) => SideVerdict::BothLookSound,
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::Rows;
    use super::*;

    fn rows(values: &[f32]) -> Rows {
        Rows::new(values.len(), values.to_vec()).unwrap()
    }

    #[test]
    fn a_mere_difference_is_held_against_nobody() {
        let sight = Sight::of("t-0", &rows(&[1.0, 2.0]), &rows(&[3.0, -2.0]), None, 1e-3);
        assert_eq!(judge_sides(&reasons(Some(&sight), &[])), SideVerdict::BothLookSound);
    }

    #[test]
    fn what_a_side_shows_by_itself_is_held_against_it() {
        let nan = Sight::of("t-0", &rows(&[1.0, 2.0]), &rows(&[f32::NAN, 2.0]), None, 1e-3);
        let found = reasons(Some(&nan), &[]);
        assert_eq!(judge_sides(&found), SideVerdict::RightLooksBroken);
        assert_eq!(found[0].why, "in `t-0` one value is NaN");
        let buffer = BufferFinding { name: "rotary".into(), why: "every value is zero".into() };
        assert_eq!(
            judge_sides(&reasons(None, std::slice::from_ref(&buffer))),
            SideVerdict::LeftLooksBroken
        );
        assert_eq!(judge_sides(&reasons(Some(&nan), &[buffer])), SideVerdict::BothLookBroken);
    }
}
