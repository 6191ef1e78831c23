//! The same values in another order, with another sign or at another scale: what a layout that is
//! read wrongly looks like.

use serde::Serialize;

use super::divergence::divergence;
use super::rows::{Rows, root_mean_square};

/// How the second tensor follows from the first. A head is a stretch of a row of so many values.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Arrangement {
    /// Pairs that rotate together stand half a head apart in the first, side by side in the second.
    Interleaved {
        /// Values of a head.
        head: usize,
    },
    /// They stand side by side in the first, half a head apart in the second.
    HalfSplit {
        /// Values of a head.
        head: usize,
    },
    /// The two halves of each head have changed places.
    HalvesSwapped {
        /// Values of a head.
        head: usize,
    },
    /// Heads have changed places: the second's head `i` is the first's head `order[i]`.
    HeadsMoved {
        /// Values of a head.
        head: usize,
        /// Where each comes from.
        order: Vec<usize>,
    },
    /// Rows of heads read as columns.
    HeadsTransposed {
        /// Values of a head of the first.
        head: usize,
    },
    /// Every sign is reversed.
    Negated,
    /// The second's position `p` is the first's position `p + by`.
    Shifted {
        /// Positions, at most one either way.
        by: i64,
    },
    /// Every value times one factor.
    Scaled {
        /// The factor.
        factor: f64,
    },
}

/// Heads narrower than this match by chance.
const LEAST_HEAD: usize = 4;
/// A row of more heads has none.
const MOST_HEADS: usize = 256;
/// A match must be this many times nearer than the tensors were.
const NEARER: f64 = 10.0;

impl Arrangement {
    /// The tensor so rearranged.
    #[must_use]
    pub fn apply(&self, rows: &Rows) -> Rows {
        match self {
            Arrangement::Interleaved { head } => rows.map_rows(|from, to| {
                by_heads(from, to, *head, |at, half| 2 * (at % half) + at / half);
            }),
            Arrangement::HalfSplit { head } => rows.map_rows(|from, to| {
                by_heads(from, to, *head, |at, half| (at % 2) * half + at / 2);
            }),
            Arrangement::HalvesSwapped { head } => rows.map_rows(|from, to| {
                by_heads(from, to, *head, |at, half| (at + half) % (2 * half));
            }),
            Arrangement::HeadsMoved { head, order } => rows.map_rows(|from, to| {
                for (to, source) in to.chunks_exact_mut(*head).zip(order) {
                    if let Some(from) = from.get(source * head..(source + 1) * head) {
                        to.copy_from_slice(from);
                    }
                }
            }),
            Arrangement::HeadsTransposed { head } => rows.map_rows(|from, to| {
                let heads = from.len() / head.max(&1);
                for (at, value) in from.iter().enumerate() {
                    if let Some(to) = to.get_mut((at % head) * heads + at / head) {
                        *to = *value;
                    }
                }
            }),
            Arrangement::Negated => scaled(rows, -1.0),
            Arrangement::Scaled { factor } => scaled(rows, *factor),
            Arrangement::Shifted { by } => shifted(rows, *by),
        }
    }

    /// In words, after "equal".
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Arrangement::Interleaved { head } => format!(
                "after interleaving the halves of each head of {head} (half-split against interleaved rotary layout)"
            ),
            Arrangement::HalfSplit { head } => format!(
                "after splitting the pairs of each head of {head} into halves (interleaved against half-split rotary layout)"
            ),
            Arrangement::HalvesSwapped { head } => {
                format!("after swapping the halves of each head of {head}")
            }
            Arrangement::HeadsMoved { head, order } => {
                let moved: Vec<usize> =
                    (0..order.len()).filter(|at| order.get(*at) != Some(at)).collect();
                match moved[..] {
                    [a, b] => format!("after swapping heads {a} and {b} (of {head} values each)"),
                    _ => format!("after putting {} heads of {head} in another order", moved.len()),
                }
            }
            Arrangement::HeadsTransposed { head } => {
                format!("after reading heads of {head} as columns (transposed)")
            }
            Arrangement::Negated => "after reversing every sign".to_owned(),
            Arrangement::Shifted { by } => {
                format!("after shifting by {by:+} position")
            }
            Arrangement::Scaled { factor } => format!("after scaling by {factor:.6}"),
        }
    }
}

/// Fills a row head by head: the value at `at` goes to `place(at, half a head)`.
fn by_heads(from: &[f32], to: &mut [f32], head: usize, place: impl Fn(usize, usize) -> usize) {
    to.copy_from_slice(from);
    if head < 2 {
        return;
    }
    for (from, to) in from.chunks_exact(head).zip(to.chunks_exact_mut(head)) {
        for (at, value) in from.iter().enumerate() {
            if let Some(to) = to.get_mut(place(at, head / 2)) {
                *to = *value;
            }
        }
    }
}

fn scaled(rows: &Rows, factor: f64) -> Rows {
    rows.map_rows(|from, to| {
        for (from, to) in from.iter().zip(to) {
            *to = (f64::from(*from) * factor) as f32;
        }
    })
}

/// Rows that fall off the end stay where they are; [`recognise`] leaves them out.
fn shifted(rows: &Rows, by: i64) -> Rows {
    let count = rows.count() as i64;
    let mut values = Vec::with_capacity(rows.values().len());
    for position in 0..count {
        let from = position + by;
        let from = if (0..count).contains(&from) { from } else { position };
        values.extend_from_slice(rows.row(from as usize));
    }
    Rows::new(rows.width(), values).unwrap_or_else(|| rows.clone())
}

/// Finds how the second tensor follows from the first, to a largest relative difference of
/// `tolerance`. `head` is a head's width where it is known: it is tried first.
#[must_use]
pub fn recognise(
    left: &Rows,
    right: &Rows,
    head: Option<usize>,
    tolerance: f64,
) -> Option<Arrangement> {
    let before = divergence(left, right)?;
    if before.relative <= tolerance {
        return None;
    }
    let enough = tolerance.min(before.relative / NEARER);
    candidates(left, right, head, before.place.position, enough)
        .into_iter()
        .find(|arrangement| residue(arrangement, left, right) <= enough)
}

/// The largest relative difference that is left.
fn residue(arrangement: &Arrangement, left: &Rows, right: &Rows) -> f64 {
    let arranged = arrangement.apply(left);
    let compared = match arrangement {
        Arrangement::Shifted { by } => without_edge(&arranged, *by)
            .zip(without_edge(right, *by))
            .and_then(|(left, right)| divergence(&left, &right)),
        _ => divergence(&arranged, right),
    };
    compared.map_or(f64::INFINITY, |compared| compared.relative)
}

/// The rows that a shift brings from inside the text.
fn without_edge(rows: &Rows, by: i64) -> Option<Rows> {
    let (width, edge) = (rows.width(), usize::try_from(by.unsigned_abs()).ok()?);
    // one row alone would be matched by chance more easily than several
    if rows.count() < edge + 2 {
        return None;
    }
    let kept = rows.values().len() - edge * width;
    let values = if by > 0 { &rows.values()[..kept] } else { &rows.values()[edge * width..] };
    Rows::new(width, values.to_vec())
}

/// What may be: those that work on the row that parts most, simplest first.
fn candidates(
    left: &Rows,
    right: &Rows,
    head: Option<usize>,
    worst: usize,
    enough: f64,
) -> Vec<Arrangement> {
    let mut found = vec![Arrangement::Negated];
    found.extend([1, -1].map(|by| Arrangement::Shifted { by }));
    let (a, b) = (left.row(worst), right.row(worst));
    found.extend(factor(a, b).map(|factor| Arrangement::Scaled { factor }));
    let one = |row: &[f32]| Rows::new(row.len(), row.to_vec());
    let (Some(one_left), Some(one_right)) = (one(a), one(b)) else { return found };
    let works = |arrangement: &Arrangement| residue(arrangement, &one_left, &one_right) <= enough;
    let in_heads = |head: usize| {
        [
            Arrangement::Interleaved { head },
            Arrangement::HalfSplit { head },
            Arrangement::HeadsTransposed { head },
            Arrangement::HalvesSwapped { head },
        ]
    };
    let widths = heads(left.width());
    for head in head.into_iter().filter(|head| widths.contains(head)) {
        found.extend(order(a, b, head, enough).filter(works));
        found.extend(in_heads(head).into_iter().filter(works));
    }
    found.extend(widths.iter().flat_map(|head| in_heads(*head)).filter(works));
    // the widest first: what moves as a whole head is not said to be two halves that moved
    found.extend(widths.iter().rev().filter_map(|head| order(a, b, *head, enough)).filter(works));
    found
}

/// Even widths that divide a row.
fn heads(width: usize) -> Vec<usize> {
    let fits = |head: &usize| {
        head.is_multiple_of(2) && width.is_multiple_of(*head) && width / head <= MOST_HEADS
    };
    (LEAST_HEAD..=width).filter(fits).collect()
}

/// The factor by which one row follows from another.
fn factor(left: &[f32], right: &[f32]) -> Option<f64> {
    let (mut both, mut own) = (0.0, 0.0);
    for (a, b) in left.iter().zip(right) {
        if a.is_finite() && b.is_finite() {
            both += f64::from(*a) * f64::from(*b);
            own += f64::from(*a) * f64::from(*a);
        }
    }
    let factor = both / own;
    (factor.is_finite() && factor != 0.0).then_some(factor)
}

/// Which head of one row each head of another comes from, where each has one of its own.
fn order(left: &[f32], right: &[f32], head: usize, enough: f64) -> Option<Arrangement> {
    let scale = root_mean_square(left).max(root_mean_square(right));
    let near = |a: &[f32], b: &[f32]| {
        a.iter().zip(b).all(|(a, b)| {
            (f64::from(*a) - f64::from(*b)).abs() <= enough * scale.max(f64::MIN_POSITIVE)
        })
    };
    let heads: Vec<&[f32]> = left.chunks_exact(head).collect();
    let mut order = Vec::with_capacity(heads.len());
    for (place, wanted) in right.chunks_exact(head).enumerate() {
        let free = |source: &usize| !order.contains(source) && near(heads[*source], wanted);
        // its own place first: heads that are equal have not moved
        let source = std::iter::once(place).chain(0..heads.len()).find(free)?;
        order.push(source);
    }
    let moved = order.iter().enumerate().any(|(place, source)| place != *source);
    moved.then_some(Arrangement::HeadsMoved { head, order })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that repeat nowhere.
    fn some(width: usize, count: usize) -> Rows {
        let values = (0..width * count).map(|at| libm::sin(at as f64 * 1.7 + 0.3) as f32);
        Rows::new(width, values.collect()).unwrap()
    }

    #[test]
    fn each_arrangement_is_recognised_from_its_own_result() {
        let rows = some(32, 5);
        for arrangement in [
            Arrangement::Interleaved { head: 8 },
            Arrangement::HalfSplit { head: 8 },
            Arrangement::HalvesSwapped { head: 8 },
            Arrangement::HeadsMoved { head: 8, order: vec![1, 0, 2, 3] },
            Arrangement::HeadsTransposed { head: 8 },
            Arrangement::Negated,
            Arrangement::Shifted { by: 1 },
            Arrangement::Shifted { by: -1 },
            Arrangement::Scaled { factor: 0.5 },
        ] {
            let other = arrangement.apply(&rows);
            let found = recognise(&rows, &other, Some(8), 1e-5).unwrap();
            assert_eq!(found, arrangement, "{}", found.words());
        }
    }

    #[test]
    fn interleaving_and_splitting_undo_each_other() {
        let rows = some(16, 2);
        let there = Arrangement::Interleaved { head: 8 }.apply(&rows);
        // pair i of a half-split head is (i, i + half)
        assert_eq!(
            there.row(0)[..4],
            [rows.row(0)[0], rows.row(0)[4], rows.row(0)[1], rows.row(0)[5]]
        );
        assert_eq!(Arrangement::HalfSplit { head: 8 }.apply(&there), rows);
    }

    #[test]
    fn an_unknown_head_is_found_too() {
        let rows = some(24, 3);
        let other = Arrangement::HalvesSwapped { head: 12 }.apply(&rows);
        let found = recognise(&rows, &other, None, 1e-5).unwrap();
        assert_eq!(found, Arrangement::HalvesSwapped { head: 12 });
    }

    #[test]
    fn what_is_equal_or_simply_other_matches_nothing() {
        let rows = some(16, 3);
        assert_eq!(recognise(&rows, &rows, None, 1e-5), None);
        let other = rows.map_rows(|from, to| {
            for (at, (from, to)) in from.iter().zip(to).enumerate() {
                *to = from * from + at as f32;
            }
        });
        assert_eq!(recognise(&rows, &other, None, 1e-5), None);
    }

    #[test]
    fn swapped_heads_are_named() {
        let moved = Arrangement::HeadsMoved { head: 4, order: vec![0, 2, 1] };
        assert_eq!(moved.words(), "after swapping heads 1 and 2 (of 4 values each)");
    }
}
