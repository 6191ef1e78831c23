//! Carry-over: whether the place in the order of arms matters.

use std::collections::BTreeMap;

use super::f_distribution::f_upper_p;

/// A column of which less than this share is left, after what the columns before it explain, says
/// nothing of its own: places that go with the arms.
const LEAST_SHARE: f64 = 1e-9;

/// A value measured at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlacedValue {
    /// The block, by any number that is its own.
    pub block: u64,
    /// The arm, by any number.
    pub arm: u32,
    /// Place within the chunk, from 0.
    pub place: u32,
    /// What was measured: a log rate.
    pub value: f64,
}

/// What the place does.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaceEffect {
    /// Each place that was seen, in order: its effect less the mean of all places' effects (in
    /// the unit of the values), and how many values were measured there.
    pub places: Vec<(u32, f64, u32)>,
    /// p of no effect of the place; `None` where nothing is left to judge it by.
    pub p: Option<f64>,
}

/// The effect of the place on a value, apart from those of block and arm: the additive model
/// `value = block + arm + place`, by least squares, and the F test of the places (one way, within
/// blocks). Values count as independent, which those of one block are not quite: a small p is a
/// hint, not proof.
///
/// `None` for no values, a value that is not finite, a single place, or places that cannot be
/// told from the arms (each arm always at its own).
///
/// Source: H. Scheffé, The Analysis of Variance (1959): the sum of
/// squares of places is that which they explain after blocks and arms.
#[must_use]
pub fn place_effect(values: &[PlacedValue]) -> Option<PlaceEffect> {
    if values.iter().any(|one| !one.value.is_finite()) {
        return None;
    }
    let arms = numbered(values.iter().map(|one| one.arm));
    let places = numbered(values.iter().map(|one| one.place));
    if places.len() < 2 {
        return None;
    }
    // a column for each arm and place but the first, and the value itself last
    let of_arms = arms.len() - 1;
    let of_places = places.len() - 1;
    let width = of_arms + of_places + 1;
    let row = |one: &PlacedValue| {
        let mut row = vec![0.0; width];
        if let Some(column) = arms.get(&one.arm).and_then(|number| number.checked_sub(1)) {
            row[column] = 1.0;
        }
        if let Some(column) = places.get(&one.place).and_then(|number| number.checked_sub(1)) {
            row[of_arms + column] = 1.0;
        }
        row[width - 1] = one.value;
        row
    };
    let mut blocks = BTreeMap::<u64, Vec<&PlacedValue>>::new();
    for one in values {
        blocks.entry(one.block).or_default().push(one);
    }
    let mut products = vec![vec![0.0; width]; width];
    for block in blocks.values() {
        add_block(&mut products, &block.iter().map(|one| row(one)).collect::<Vec<_>>());
    }
    let totals: Vec<f64> = (0..width).map(|column| products[column][column]).collect();
    let columns = |from: usize, to: usize| (from..to).zip(totals[from..to].iter().copied());
    let mut swept = Vec::new();
    for (column, total) in columns(0, of_arms) {
        if sweep(&mut products, column, total) {
            swept.push(column);
        }
    }
    let without_places = products[width - 1][width - 1];
    let arm_columns = swept.len();
    for (column, total) in columns(of_arms, width - 1) {
        if sweep(&mut products, column, total) {
            swept.push(column);
        }
    }
    let place_columns = swept.len() - arm_columns;
    if place_columns == 0 {
        return None;
    }
    let rest = products[width - 1][width - 1].max(0.0);
    let explained = (without_places - rest).max(0.0);
    let freedom = values.len().saturating_sub(blocks.len() + swept.len());
    let (above, below) = (place_columns as f64, freedom as f64);
    // what is left of the rounding of squares is no spread
    let p = if freedom == 0 || totals[width - 1] <= 0.0 {
        None
    } else if rest <= LEAST_SHARE * LEAST_SHARE * totals[width - 1] {
        (explained > 0.0).then_some(0.0)
    } else {
        f_upper_p(explained / above / (rest / below), above, below)
    };
    let effect = |column: usize| {
        let column = of_arms + column;
        if swept.contains(&column) { products[column][width - 1] } else { 0.0 }
    };
    let effects: Vec<f64> = std::iter::once(0.0).chain((0..of_places).map(effect)).collect();
    let centre = effects.iter().sum::<f64>() / effects.len() as f64;
    let places = places.into_iter().map(|(place, number)| {
        let count = values.iter().filter(|one| one.place == place).count();
        (place, effects[number] - centre, u32::try_from(count).unwrap_or(u32::MAX))
    });
    let found = PlaceEffect { places: places.collect(), p };
    found.places.iter().all(|(_, effect, _)| effect.is_finite()).then_some(found)
}

/// Different numbers in order, each with its place in that order.
fn numbered(all: impl Iterator<Item = u32>) -> BTreeMap<u32, usize> {
    let mut numbers: BTreeMap<u32, usize> = all.map(|one| (one, 0)).collect();
    for (number, slot) in numbers.values_mut().enumerate() {
        *slot = number;
    }
    numbers
}

/// Adds sums of products of the columns, each less its mean within the block.
fn add_block(products: &mut [Vec<f64>], rows: &[Vec<f64>]) {
    let width = products.len();
    let count = rows.len() as f64;
    let first: Vec<f64> = rows.first().cloned().unwrap_or_default();
    let means: Vec<f64> = (0..width)
        .map(|column| rows.iter().map(|row| row[column] - first[column]).sum::<f64>() / count)
        .collect();
    for row in rows {
        let less: Vec<f64> =
            (0..width).map(|column| row[column] - first[column] - means[column]).collect();
        for (one, into) in products.iter_mut().enumerate() {
            for (other, product) in into.iter_mut().enumerate() {
                *product += less[one] * less[other];
            }
        }
    }
}

/// Takes out of all columns what `column` explains; afterwards the last column holds its
/// coefficient. Returns whether anything was left of it, of `total` in the beginning.
///
/// Source: J. H. Goodnight, "A tutorial on the SWEEP operator", The American Statistician 33
/// (1979).
fn sweep(products: &mut [Vec<f64>], column: usize, total: f64) -> bool {
    let pivot = products[column][column];
    if pivot.is_nan() || pivot <= LEAST_SHARE * total {
        return false;
    }
    let row: Vec<f64> = products[column].iter().map(|value| value / pivot).collect();
    for (other, target) in products.iter_mut().enumerate() {
        if other != column {
            let factor = target[column];
            for (value, own) in target.iter_mut().zip(&row) {
                *value -= factor * own;
            }
            target[column] = -factor / pivot;
        }
    }
    products[column] = row;
    products[column][column] = 1.0 / pivot;
    true
}

#[cfg(test)]
mod tests {
    use super::{PlaceEffect, PlacedValue, place_effect};
    use crate::Draws;

    /// Three arms in turned orders, six chunks a block, odd ones backwards.
    fn layout(blocks: u64, mut value: impl FnMut(u64, u32, u32) -> f64) -> Vec<PlacedValue> {
        let mut values = Vec::new();
        for block in 0..blocks {
            for chunk in 0..6_u64 {
                for turn in 0..3_u64 {
                    let arm = ((block + turn) % 3) as u32;
                    let place = if chunk % 2 == 0 { turn } else { 2 - turn } as u32;
                    values.push(PlacedValue { block, arm, place, value: value(block, arm, place) });
                }
            }
        }
        values
    }

    #[test]
    fn the_effect_of_a_place_is_told_from_arm_and_block() {
        let mut draws = Draws::new(37, "places");
        let values = layout(40, |block, arm, place| {
            let of_place = [0.02, 0.0, -0.05][place as usize];
            (block % 7) as f64 + 0.3 * f64::from(arm) + of_place + 0.02 * draws.normal()
        });
        let PlaceEffect { places, p } = place_effect(&values).unwrap();
        for ((place, effect, count), right) in places.into_iter().zip([0.03, 0.01, -0.04]) {
            assert!((effect - right).abs() < 0.005, "{place}: {effect}");
            assert_eq!(count, 240);
        }
        assert!(p.unwrap() < 1e-6);
    }

    #[test]
    fn without_an_effect_small_p_are_as_rare_as_they_say() {
        let mut draws = Draws::new(41, "no places");
        let small = (0..400)
            .filter(|_| {
                let values = layout(6, |_, arm, _| f64::from(arm) + draws.normal());
                place_effect(&values).unwrap().p.unwrap() <= 0.1
            })
            .count();
        // standard deviation of the count: 6
        assert!(small.abs_diff(40) < 20, "{small}");
    }

    #[test]
    fn two_blocks_by_hand() {
        // One arm; places 0 and 1 in either block: differences 1 and 3. Effect 2, rest of squares
        // 2 (1/2)(1)^2 = 1 on 4 - 2 - 1 = 1 degree, explained 2 * 2^2 / 2 = 4.
        let value = |block, place, value| PlacedValue { block, arm: 0, place, value };
        let values = [value(0, 0, 5.0), value(0, 1, 6.0), value(1, 0, 1.0), value(1, 1, 4.0)];
        let found = place_effect(&values).unwrap();
        assert!((found.places[0].1 + 1.0).abs() < 1e-14, "{found:?}");
        assert!((found.places[1].1 - 1.0).abs() < 1e-14);
        // F(1, 1) = 4 is t = 2 on one degree: 1 - 2 atan(2) / pi
        let right = 1.0 - 2.0 * libm::atan(2.0) / std::f64::consts::PI;
        assert!((found.p.unwrap() - right).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn what_cannot_be_told_has_none() {
        let value = |block, arm, place, value| PlacedValue { block, arm, place, value };
        assert_eq!(place_effect(&[]), None);
        assert_eq!(place_effect(&[value(0, 0, 0, 1.0)]), None);
        assert_eq!(place_effect(&[value(0, 0, 0, 1.0), value(1, 0, 0, 2.0)]), None);
        // each arm always at its own place
        let confounded =
            [value(0, 0, 0, 1.0), value(0, 1, 1, 2.0), value(1, 0, 0, 2.0), value(1, 1, 1, 5.0)];
        assert_eq!(place_effect(&confounded), None);
        for bad in [f64::NAN, f64::INFINITY] {
            assert_eq!(place_effect(&[value(0, 0, 0, 1.0), value(0, 0, 1, bad)]), None);
        }
        // two values: an effect, and nothing to judge it by
        let two = place_effect(&[value(0, 0, 0, 1.0), value(0, 0, 1, 2.0)]).unwrap();
        assert_eq!((two.places[1].1, two.p), (0.5, None));
        let flat = place_effect(&layout(2_000, |_, _, _| 0.1)).unwrap();
        assert_eq!(flat.p, None);
        assert!(flat.places.iter().all(|(_, effect, _)| *effect == 0.0));
    }
}
