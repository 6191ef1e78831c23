//! Boundaries that books and papers printed, to half a unit of the last printed digit.

use super::{
    Continuation, boundaries_of_spending, crossing_probabilities, mixture_bound, mixture_rho,
    obrien_fleming_boundaries, obrien_fleming_spending, pocock_boundaries,
};

fn equal_looks(count: u32) -> Vec<f64> {
    (1..=count).map(|look| f64::from(look) / f64::from(count)).collect()
}

fn printed(found: f64, right: f64, half_a_unit: f64) {
    assert!((found - right).abs() <= half_a_unit, "found {found}, printed {right}");
}

#[test]
fn obrien_fleming_at_five_per_cent() {
    // C. Jennison and B. W. Turnbull, Group Sequential Methods (2000), table 2.3
    let five = obrien_fleming_boundaries(&equal_looks(5), 0.05).unwrap();
    for (found, right) in five.iter().zip([4.5617, 3.2256, 2.6337, 2.2809, 2.0401]) {
        printed(*found, right, 5e-5);
    }
    for (looks, right) in [(2, 1.9774), (3, 2.0040), (4, 2.0243)] {
        let found = obrien_fleming_boundaries(&equal_looks(looks), 0.05).unwrap();
        printed(*found.last().unwrap(), right, 5e-5);
    }
}

#[test]
fn pocock_at_five_per_cent() {
    // C. Jennison and B. W. Turnbull, Group Sequential Methods (2000), table 2.1
    for (looks, right) in [(2, 2.1783), (3, 2.2895), (4, 2.3613), (5, 2.4132)] {
        for found in pocock_boundaries(&equal_looks(looks), 0.05).unwrap() {
            printed(found, right, 5e-5);
        }
    }
}

#[test]
fn lan_demets_of_the_obrien_fleming_type() {
    // one side of 0.025, as each of ours is
    let information = equal_looks(5);
    let spent: Vec<f64> =
        information.iter().map(|share| obrien_fleming_spending(0.05, *share).unwrap()).collect();
    let printed_spent =
        [(5.39e-7, 5e-10), (3.94e-4, 5e-7), (0.003_808, 5e-7), (0.012_212, 5e-7), (0.025, 5e-7)];
    for (found, (right, half_a_unit)) in spent.iter().zip(printed_spent) {
        printed(found / 2.0, right, half_a_unit);
    }
    let boundaries = boundaries_of_spending(&spent, &information).unwrap();
    for (found, right) in boundaries.iter().zip([4.8769, 3.3570, 2.6803, 2.2898, 2.0310]) {
        printed(*found, right, 5e-5);
    }
}

#[test]
fn peeking_at_1_96_without_correction() {
    for (looks, right) in [(2, 0.042), (4, 0.063), (10, 0.097), (20, 0.124)] {
        let upper = Continuation { lower: f64::NEG_INFINITY, upper: 1.96 };
        let regions = vec![upper; looks as usize];
        let crossed = crossing_probabilities(&regions, &equal_looks(looks), 0.0).unwrap();
        printed(crossed.iter().map(|look| look.above).sum(), right, 5e-4);
    }
}

#[test]
fn the_normal_mixture() {
    let rho = mixture_rho(100.0, 0.05).unwrap();
    printed(rho, 12.600_56, 5e-6);
    printed(mixture_bound(100.0, rho, 0.05).unwrap(), 30.352_09, 5e-6);
}
