//! Columns of Parquet, compressed with zstd, without statistics: small, and the same bytes for
//! the same rows.

use std::io::Cursor;

use polars::prelude::{
    Column, DataFrame, NamedFrom, ParquetCompression, ParquetReader, ParquetWriter, PolarsResult,
    SerReader, Series, StatisticsOptions,
};

use crate::canonical::{state_name, work_name};
use crate::{SampleEnergy, SampleRow, SampleState, Work};

const STATES: [SampleState; 3] = [SampleState::Timed, SampleState::TimedOut, SampleState::Censored];
const WORKS: [Work; 4] = [Work::Prompt, Work::Decode, Work::Prefill, Work::Primitive];

/// Columns of files in which any row has an energy; empty where one has none.
const MICROJOULES: &str = "microjoules";
const ENERGY_TOKENS: &str = "energy_tokens";

pub(crate) fn to_bytes(rows: &[SampleRow]) -> Result<Vec<u8>, String> {
    let mut frame = frame(rows).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    ParquetWriter::new(&mut bytes)
        .with_compression(ParquetCompression::Zstd(None))
        .with_statistics(StatisticsOptions::empty())
        .set_parallel(false)
        .finish(&mut frame)
        .map_err(|error| error.to_string())?;
    Ok(bytes)
}

fn frame(rows: &[SampleRow]) -> PolarsResult<DataFrame> {
    let numbers = |name: &str, field: fn(&SampleRow) -> u32| -> Column {
        Series::new(name.into(), rows.iter().map(field).collect::<Vec<u32>>()).into()
    };
    let long = |name: &str, field: fn(&SampleRow) -> u64| -> Column {
        Series::new(name.into(), rows.iter().map(field).collect::<Vec<u64>>()).into()
    };
    let texts = |name: &str, field: fn(&SampleRow) -> &str| -> Column {
        Series::new(name.into(), rows.iter().map(field).collect::<Vec<&str>>()).into()
    };
    let mut columns = vec![
        numbers("condition", |row| row.condition),
        numbers("round", |row| row.round),
        numbers("segment", |row| row.segment),
        numbers("block", |row| row.block),
        numbers("chunk", |row| row.chunk),
        numbers("place", |row| row.place),
        texts("arm", |row| &row.arm),
        texts("input", |row| &row.input),
        texts("work", |row| work_name(row.work)),
        numbers("tokens", |row| row.tokens),
        long("nanoseconds", |row| row.nanoseconds),
        long("started_nanoseconds", |row| row.started_nanoseconds),
        texts("state", |row| state_name(row.state)),
        texts("flags", |row| &row.flags),
    ];
    // files of runs whose energy nobody asked for stay as they were
    if rows.iter().any(|row| row.energy.is_some()) {
        let microjoules = rows.iter().map(|row| row.energy.map(|energy| energy.microjoules));
        let tokens = rows.iter().map(|row| row.energy.map(|energy| energy.tokens));
        let microjoules = microjoules.collect::<Vec<Option<u64>>>();
        columns.push(Series::new(MICROJOULES.into(), microjoules).into());
        let tokens = tokens.collect::<Vec<Option<u32>>>();
        columns.push(Series::new(ENERGY_TOKENS.into(), tokens).into());
    }
    DataFrame::new(rows.len(), columns)
}

pub(crate) fn from_bytes(bytes: Vec<u8>) -> Result<Vec<SampleRow>, String> {
    let frame =
        ParquetReader::new(Cursor::new(bytes)).finish().map_err(|error| error.to_string())?;
    let columns = Columns { frame: &frame };
    let (condition, round) = (columns.numbers("condition")?, columns.numbers("round")?);
    let (segment, block) = (columns.numbers("segment")?, columns.numbers("block")?);
    let (chunk, place) = (columns.numbers("chunk")?, columns.numbers("place")?);
    let (arm, input) = (columns.texts("arm")?, columns.texts("input")?);
    let (work, tokens) = (columns.texts("work")?, columns.numbers("tokens")?);
    let nanoseconds = columns.long("nanoseconds")?;
    let started_nanoseconds = columns.long("started_nanoseconds")?;
    let (state, flags) = (columns.texts("state")?, columns.texts("flags")?);
    let energy = columns.energy()?;
    (0..frame.height())
        .map(|row| {
            Ok(SampleRow {
                condition: at(&condition, row)?,
                round: at(&round, row)?,
                segment: at(&segment, row)?,
                block: at(&block, row)?,
                chunk: at(&chunk, row)?,
                place: at(&place, row)?,
                arm: at(&arm, row)?,
                input: at(&input, row)?,
                work: named(&at(&work, row)?, &WORKS, work_name)?,
                tokens: at(&tokens, row)?,
                nanoseconds: at(&nanoseconds, row)?,
                started_nanoseconds: at(&started_nanoseconds, row)?,
                state: named(&at(&state, row)?, &STATES, state_name)?,
                flags: at(&flags, row)?,
                energy: energy.get(row).copied().flatten(),
            })
        })
        .collect()
}

struct Columns<'frame> {
    frame: &'frame DataFrame,
}

impl Columns<'_> {
    fn series(&self, name: &str) -> Result<&Series, String> {
        let column = self.frame.column(name).map_err(|error| error.to_string())?;
        Ok(column.as_materialized_series())
    }

    /// Of each row; none at all where the file has no such columns.
    fn energy(&self) -> Result<Vec<Option<SampleEnergy>>, String> {
        if self.frame.get_column_index(MICROJOULES).is_none() {
            return Ok(Vec::new());
        }
        let microjoules = self.series(MICROJOULES)?.u64().map_err(|error| error.to_string())?;
        let tokens = self.series(ENERGY_TOKENS)?.u32().map_err(|error| error.to_string())?;
        let both = microjoules.iter().zip(tokens.iter());
        both.map(|both| match both {
            (Some(microjoules), Some(tokens)) => Ok(Some(SampleEnergy { microjoules, tokens })),
            (None, None) => Ok(None),
            _ => Err(empty_value(ENERGY_TOKENS)),
        })
        .collect()
    }

    fn numbers(&self, name: &str) -> Result<Vec<u32>, String> {
        let series = self.series(name)?;
        let values = series.u32().map_err(|error| error.to_string())?;
        values.iter().collect::<Option<Vec<u32>>>().ok_or_else(|| empty_value(name))
    }

    fn long(&self, name: &str) -> Result<Vec<u64>, String> {
        let series = self.series(name)?;
        let values = series.u64().map_err(|error| error.to_string())?;
        values.iter().collect::<Option<Vec<u64>>>().ok_or_else(|| empty_value(name))
    }

    fn texts(&self, name: &str) -> Result<Vec<String>, String> {
        let series = self.series(name)?;
        let values = series.str().map_err(|error| error.to_string())?;
        let owned = values.iter().map(|value| value.map(str::to_owned));
        owned.collect::<Option<Vec<String>>>().ok_or_else(|| empty_value(name))
    }
}

fn empty_value(name: &str) -> String {
    format!("column `{name}` has an empty value")
}

fn at<T: Clone>(values: &[T], row: usize) -> Result<T, String> {
    values.get(row).cloned().ok_or_else(|| format!("row {row} is cut short"))
}

fn named<T: Copy>(text: &str, all: &[T], name: fn(T) -> &'static str) -> Result<T, String> {
    let found = all.iter().copied().find(|value| name(*value) == text);
    found.ok_or_else(|| format!("{text:?} is no known value"))
}
