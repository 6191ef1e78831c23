//! Sums in a fixed number of lanes: wide enough for vector registers, and with one order of
//! summation whatever the processor.

/// Values that are worked on side by side.
pub(super) const LANES: usize = 8;

/// One sum a lane.
pub(super) type Lanes = [f64; LANES];

/// The sum over the lanes, in pairs: (0+1)+(2+3) and so on.
pub(super) fn total(lanes: &Lanes) -> f64 {
    let [a, b, c, d, e, f, g, h] = *lanes;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

/// Hands out the values of two rows of one length, in order, each with its lane.
#[inline(always)]
pub(super) fn each_pair(here: &[f32], there: &[f32], mut take: impl FnMut(usize, f32, f32)) {
    let (here, here_rest) = here.as_chunks::<LANES>();
    let (there, there_rest) = there.as_chunks::<LANES>();
    for (here, there) in here.iter().zip(there) {
        for lane in 0..LANES {
            take(lane, here[lane], there[lane]);
        }
    }
    for (lane, (here, there)) in here_rest.iter().zip(there_rest).enumerate() {
        take(lane, *here, *there);
    }
}

/// Hands out the values of a row in order, each with its lane.
#[inline(always)]
pub(super) fn each(row: &[f32], mut take: impl FnMut(usize, f32)) {
    let (groups, rest) = row.as_chunks::<LANES>();
    for group in groups {
        for (lane, value) in group.iter().enumerate() {
            take(lane, *value);
        }
    }
    for (lane, value) in rest.iter().enumerate() {
        take(lane, *value);
    }
}

/// The first index at which what two rows of one length hold is meant; a whole group is asked at
/// once.
pub(super) fn first_index(
    here: &[f32],
    there: &[f32],
    meant: impl Fn(f32, f32) -> bool,
) -> Option<usize> {
    const GROUP: usize = 32;
    let groups = here.chunks(GROUP).zip(there.chunks(GROUP));
    for (number, (here, there)) in groups.enumerate() {
        let meant = |(here, there): (&f32, &f32)| meant(*here, *there);
        let any = here.iter().zip(there).fold(false, |any, pair| any | meant(pair));
        if any {
            let within = here.iter().zip(there).position(meant)?;
            return Some(number * GROUP + within);
        }
    }
    None
}
