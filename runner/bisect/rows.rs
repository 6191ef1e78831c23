//! The values of one tensor: a row for each position.

/// Row after row. Never empty in either direction.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    width: usize,
    values: Vec<f32>,
}

impl Rows {
    /// Rows of a width; `None` when the values do not fill them evenly, or there are none.
    #[must_use]
    pub fn new(width: usize, values: Vec<f32>) -> Option<Rows> {
        let fits = width > 0 && !values.is_empty() && values.len().is_multiple_of(width);
        fits.then_some(Rows { width, values })
    }

    /// Values in a row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of rows.
    #[must_use]
    pub fn count(&self) -> usize {
        self.values.len() / self.width
    }

    /// A row; empty when there is no such row.
    #[must_use]
    pub fn row(&self, index: usize) -> &[f32] {
        let start = index * self.width;
        self.values.get(start..start + self.width).unwrap_or(&[])
    }

    /// All rows in order.
    pub fn iter(&self) -> impl Iterator<Item = &[f32]> {
        self.values.chunks_exact(self.width)
    }

    /// All values in order.
    #[must_use]
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The same values in rows of the other's width, where they fill as many.
    #[must_use]
    pub fn shaped_like(self, other: &Rows) -> Rows {
        let same = self.values.len() == other.values.len();
        Rows { width: if same { other.width } else { self.width }, values: self.values }
    }

    /// Each row put through a function that fills another row of the same width.
    #[must_use]
    pub fn map_rows(&self, fill: impl Fn(&[f32], &mut [f32])) -> Rows {
        let mut values = vec![0.0; self.values.len()];
        for (from, to) in self.iter().zip(values.chunks_exact_mut(self.width)) {
            fill(from, to);
        }
        Rows { width: self.width, values }
    }
}

/// Root mean square of a row's finite values; 0 where there are none.
#[must_use]
pub fn root_mean_square(row: &[f32]) -> f64 {
    let finite = row.iter().filter(|value| value.is_finite());
    let (count, sum) = finite.fold((0_u64, 0.0), |(count, sum), value| {
        (count + 1, f64::from(*value).mul_add(f64::from(*value), sum))
    });
    if count == 0 { 0.0 } else { libm::sqrt(sum / count as f64) }
}
