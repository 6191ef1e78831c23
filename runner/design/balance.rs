//! Balanced orders: who stands where, how often, and after whom.

use crate::stats::Draws;

/// `count` orders of `members` things. Over any whole number of squares (`members` orders each)
/// every member stands in every place equally often, and over all orders the counts differ by
/// at most one. Each square is a Williams design with shuffled labels and rows, so that within
/// one (an even number of members) or within two (an odd number) every member also follows
/// every other equally often.
///
/// Source: E. J. Williams, "Experimental designs balanced for the estimation of residual
/// effects of treatments", Australian Journal of Scientific Research A 2 (1949).
#[must_use]
pub fn balanced_orders(members: usize, count: usize, draws: &mut Draws) -> Vec<Vec<usize>> {
    let mut orders: Vec<Vec<usize>> = Vec::with_capacity(count);
    if members == 0 {
        orders.resize(count, Vec::new());
        return orders;
    }
    let mut labels: Vec<usize> = (0..members).collect();
    let mut squares = 0_usize;
    while orders.len() < count {
        // With an odd number, the second square of a pair is the first one backwards.
        let mirrored = members % 2 == 1 && squares % 2 == 1;
        if !mirrored {
            draws.shuffle(&mut labels);
        }
        let mut rows = williams_rows(members);
        draws.shuffle(&mut rows);
        for row in rows.into_iter().take(count - orders.len()) {
            let mut order: Vec<usize> = row.into_iter().map(|place| labels[place]).collect();
            if mirrored {
                order.reverse();
            }
            orders.push(order);
        }
        squares += 1;
    }
    orders
}

/// Rows of a cyclic Latin square whose first row is 0, 1, n - 1, 2, n - 2, …
fn williams_rows(members: usize) -> Vec<Vec<usize>> {
    let first: Vec<usize> = (0..members)
        .map(|place| if place % 2 == 1 { place.div_ceil(2) } else { members - place / 2 })
        .collect();
    (0..members)
        .map(|shift| first.iter().map(|&member| (member + shift) % members).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::balanced_orders;
    use crate::stats::Draws;

    fn place_counts(members: usize, orders: &[Vec<usize>]) -> Vec<u32> {
        let mut counts = vec![0; members * members];
        for order in orders {
            for (place, &member) in order.iter().enumerate() {
                counts[member * members + place] += 1;
            }
        }
        counts
    }

    #[test]
    fn every_member_takes_every_place_equally_often() {
        for members in 1..=7 {
            for count in [0, 1, members, 3 * members, 3 * members + 2] {
                let orders = balanced_orders(members, count, &mut Draws::new(5, "t"));
                assert_eq!(orders.len(), count);
                let counts = place_counts(members, &orders);
                let least = counts.iter().min().unwrap();
                let greatest = counts.iter().max().unwrap();
                let allowed = u32::from(count % members != 0);
                assert!(greatest - least <= allowed, "{members} {count}: {counts:?}");
            }
        }
    }

    #[test]
    fn every_member_follows_every_other_equally_often() {
        for members in 2..=7 {
            let squares = if members % 2 == 0 { 1 } else { 2 };
            let orders = balanced_orders(members, squares * members, &mut Draws::new(9, "t"));
            let mut follows = vec![0; members * members];
            for order in &orders {
                for pair in order.windows(2) {
                    follows[pair[0] * members + pair[1]] += 1;
                }
            }
            for from in 0..members {
                for to in 0..members {
                    let right = if from == to { 0 } else { squares };
                    assert_eq!(follows[from * members + to], right, "{members}: {orders:?}");
                }
            }
        }
    }

    #[test]
    fn every_order_holds_every_member_once() {
        for mut order in balanced_orders(5, 23, &mut Draws::new(1, "t")) {
            order.sort_unstable();
            assert_eq!(order, [0, 1, 2, 3, 4]);
        }
    }
}
