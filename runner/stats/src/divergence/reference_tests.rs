//! Against NumPy 2.4, in extended precision (`x`, `y`: the rows as `numpy.longdouble`):
//!
//! ```python
//! i = numpy.arange(n)
//! a = ((i * 7919 + 13) % 1009).astype("f4") / numpy.float32(64) - numpy.float32(8)
//! b = a + ((i * 31 + 5) % 17 - 8).astype("f4") / numpy.float32(256)
//! cosine = lambda u, v: (u @ v) / numpy.sqrt((u @ u) * (v @ v))
//! cosine(x, y); cosine(x - x.mean(), y - y.mean())
//! ln = lambda u: numpy.log(numpy.exp(u - u.max()).sum()) + u.max()
//! (numpy.exp(x - ln(x)) * ((x - ln(x)) - (y - ln(y)))).sum()       # KL
//! abs(x - y).max(), abs(x - y).argmax(), x.argmax(), y.argmax()
//! ln(x) - x[1], ln(y) - y[1]                                       # of token 1
//! ```

use super::{RowFault, Side, compare_logits, compare_values, softmax};

fn rows(length: u32) -> (Vec<f32>, Vec<f32>) {
    let pair = |i: u32| {
        let a = ((i * 7919 + 13) % 1009) as f32 / 64.0 - 8.0;
        let b = a + (((i * 31 + 5) % 17) as f32 - 8.0) / 256.0;
        (a, b)
    };
    (0..length).map(pair).unzip()
}

struct Known {
    length: u32,
    cosine: f64,
    centred: f64,
    kl: f64,
    largest: (f64, usize),
    /// Of token 1.
    unlikely: (f64, f64),
    margins: (f64, f64),
    best: (usize, usize),
}

const KNOWN: [Known; 4] = [
    Known {
        length: 2,
        cosine: 9.999_963_530_796_592e-1,
        centred: 1.0,
        kl: 1.070_879_620_699_828e-10,
        largest: (0.023_437_5, 1),
        unlikely: (1.553_498_961_273_832e-6, 1.571_811_101_047_562e-6),
        margins: (13.375, 13.363_281_25),
        best: (1, 1),
    },
    Known {
        length: 3,
        cosine: 9.999_920_360_405_232e-1,
        centred: 9.999_920_446_893_2e-1,
        kl: 1.166_814_649_117_147e-4,
        largest: (0.031_25, 2),
        unlikely: (8.762_067_915_214_306e-2, 9.232_512_627_253_227e-2),
        margins: (2.390_625, 2.335_937_5),
        best: (1, 1),
    },
    Known {
        length: 1000,
        cosine: 9.999_911_625_745_748e-1,
        centred: 9.999_911_568_465_246e-1,
        kl: 1.935_388_137_114_863e-4,
        largest: (0.031_25, 2),
        unlikely: (6.333_421_889_217_842, 6.356_137_862_598_577),
        margins: (0.015_625, 0.011_718_75),
        best: (620, 620),
    },
    Known {
        length: 49_152,
        cosine: 9.999_911_669_097_96e-1,
        centred: 9.999_911_602_591_427e-1,
        kl: 1.830_727_368_940_484e-4,
        largest: (0.031_25, 2),
        unlikely: (10.224_751_567_376_296, 10.248_442_982_380_714),
        margins: (0.0, 0.0),
        best: (620, 16_764),
    },
];

#[test]
fn as_numpy_in_extended_precision() {
    for known in KNOWN {
        let (here, there) = rows(known.length);
        let found = compare_logits(&here, &there).unwrap();
        let near = |ours: f64, theirs: f64, what: &str| {
            // sums of 49,152 terms in double precision
            let tolerance = 1e-14 + 1e-12 * theirs.abs();
            assert!((ours - theirs).abs() <= tolerance, "{}: {what} {ours:e}", known.length);
        };
        near(found.values.cosine, known.cosine, "cosine");
        near(found.values.centred_cosine.unwrap(), known.centred, "centred cosine");
        near(found.kl, known.kl, "kl");
        let largest = (found.values.largest_difference, found.values.largest_difference_at);
        assert_eq!(largest, known.largest);
        assert_eq!((found.here.top.margin, found.there.top.margin), known.margins);
        assert_eq!((found.here.top.token, found.there.top.token), known.best);
        near(found.here.negative_log_likelihood(&here, 1).unwrap(), known.unlikely.0, "here");
        near(found.there.negative_log_likelihood(&there, 1).unwrap(), known.unlikely.1, "there");
        assert_eq!(softmax(&here).unwrap(), found.here);
        assert_eq!(compare_values(&here, &there).unwrap(), found.values);
        assert_eq!(found.same_top(), known.best.0 == known.best.1);
    }
}

#[test]
fn the_same_bits_everywhere() {
    let (here, there) = rows(49_152);
    let found = compare_logits(&here, &there).unwrap();
    let bits = [
        found.values.cosine,
        found.values.centred_cosine.unwrap(),
        found.kl,
        found.here.log_total,
        found.there.log_total,
    ]
    .map(f64::to_bits);
    let known = [
        0x3fef_ffed_79c5_5391,
        0x3fef_ffed_7633_4649,
        0x3f27_fee6_d5e3_0000,
        0x4020_1b12_a32f_363d,
        0x4020_0b33_eb28_7de2,
    ];
    assert_eq!(bits, known, "{bits:#x?}");
}

#[test]
fn equal_rows_are_equal_to_the_last_bit() {
    for length in [2, 3, 1000, 49_152] {
        let (here, _) = rows(length);
        let found = compare_logits(&here, &here).unwrap();
        assert_eq!(found.kl, 0.0);
        assert_eq!((found.values.largest_difference, found.values.largest_difference_at), (0.0, 0));
        assert!((found.values.cosine - 1.0).abs() < 1e-15);
        assert_eq!(found.here, found.there);
    }
}

#[test]
fn an_offset_is_no_divergence_but_of_the_plain_cosine() {
    // rows whose cosine is 1 to eleven digits, and whose distributions are nothing alike
    let here: Vec<f32> = vec![16_384.0, 16_385.0, 16_386.0, 16_384.5];
    let there: Vec<f32> = vec![16_386.0, 16_385.0, 16_384.0, 16_385.5];
    let found = compare_logits(&here, &there).unwrap();
    assert!(found.values.cosine > 0.999_999, "{found:?}");
    assert!(found.values.centred_cosine.unwrap() < -0.9, "{found:?}");
    assert!(found.kl > 0.5, "{found:?}");
    let moved: Vec<f32> = here.iter().map(|logit| logit - 16_384.0).collect();
    assert_eq!(compare_logits(&here, &moved).unwrap().kl, 0.0);
}

#[test]
fn a_constant_row_has_no_centred_cosine() {
    let found = compare_logits(&[2.0; 9], &[1.0; 9]).unwrap();
    assert_eq!((found.values.centred_cosine, found.values.cosine), (None, 1.0));
    assert_eq!((found.kl, found.here.top.token, found.here.top.margin), (0.0, 0, 0.0));
}

#[test]
fn what_underflows_is_no_fault() {
    let found = compare_logits(&[0.5, -2000.0, 0.5], &[0.5, -3.0e38, 0.5]).unwrap();
    assert!((found.here.log_total - 2.0_f64.ln()).abs() < 1e-15);
    assert!(found.kl.abs() < 1e-15, "{found:?}");
}

#[test]
fn nothing_is_forgiven() {
    let fault = |here: &[f32], there: &[f32]| compare_logits(here, there).unwrap_err();
    assert_eq!(fault(&[], &[]), RowFault::TooShort { values: 0, least: 2 });
    assert_eq!(fault(&[1.0], &[1.0]), RowFault::TooShort { values: 1, least: 2 });
    assert_eq!(fault(&[1.0, 2.0], &[1.0]), RowFault::UnlikeLengths { here: 2, there: 1 });
    assert_eq!(fault(&[1.0, 2.0], &[0.0, 0.0]), RowFault::AllZero { side: Side::There });
    assert_eq!(fault(&[1.0, f32::INFINITY], &[1.0, 2.0]).to_string(), "value 1 is inf here",);
    assert_eq!(fault(&[1.0, 2.0], &[1.0, f32::NAN]).to_string(), "value 1 is NaN there");
    assert_eq!(compare_values(&[], &[]), Err(RowFault::TooShort { values: 0, least: 1 }));
    assert!(compare_values(&[3.0], &[2.0]).is_ok());
}
