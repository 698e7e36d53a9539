//! Reads Parquet files with polars, column by column, after the metadata has said that they fit into memory.

use crate::data::collect::{Collector, LARGEST_INTEGER, Numbers};
use crate::data::infer::Inference;
use crate::data::missing::MissingTexts;
use crate::data::notation::is_integer;
use crate::data::read::{Reading, from_polars};
use crate::data::schema::{ColumnType, Kind};
use crate::data::source::{MAX_BYTES, refuse_bomb};
use crate::data::{DataError, Places, RawColumn};
use polars::prelude::{ArrowDataType, ArrowSchema, Column, DataType, ParquetReader, PolarsResult, SerReader, TimeUnit};
use std::io::Cursor;

/// Rows, places and columns of a Parquet file.
pub fn parquet(origin: &str, bytes: &[u8], reading: &Reading) -> Result<(usize, Places, Vec<RawColumn>), DataError> {
    let polars = |error| from_polars(origin, &error);
    let schema = ParquetReader::new(Cursor::new(bytes)).schema().map_err(polars)?;
    let rows = refuse_large(origin, bytes, &schema)?;
    let missing = MissingTexts::with(&reading.missing);
    let mut columns = Vec::new();
    for (name, field) in schema.iter() {
        let (name, places) = (name.as_str(), Places::Rows);
        let inference =
            Inference { origin, name, places: &places, declared: reading.types.get(name), missing: &missing };
        if !reading.needs(name) {
            columns.push(inference.unread(Kind::Excluded));
        } else if width(&field.dtype).is_none() {
            columns.push(RawColumn {
                values: Err(unsupported(origin, name, &field.dtype)),
                ..inference.unread(Kind::Category)
            });
        } else {
            let reader = ParquetReader::new(Cursor::new(bytes)).with_columns(Some(vec![name.to_string()]));
            let frame = reader.finish().map_err(polars)?;
            let column = frame.columns().first().filter(|column| column.len() == rows);
            let Some(column) = column else {
                let problem = format!("column `{name}` does not have the {rows} rows that the file states");
                return Err(DataError::new(origin, problem, "give an undamaged file"));
            };
            columns.push(raw(&inference, column).map_err(polars)?);
        }
    }
    Ok((rows, Places::Rows, columns))
}

/// The bytes that a value of a type takes in memory; `None` if the type is not supported.
fn width(dtype: &ArrowDataType) -> Option<u64> {
    use ArrowDataType::*;
    match dtype {
        Boolean | Int8 | UInt8 | Int16 | UInt16 | Int32 | UInt32 | Float32 | Date32 => Some(8),
        Int64 | UInt64 | Float64 | Date64 | Timestamp(..) => Some(8),
        Decimal(..) | Decimal32(..) | Decimal64(..) | Utf8 | LargeUtf8 | Utf8View => Some(16),
        Dictionary(_, values, _) => width(values),
        _ => None,
    }
}

/// The type as the message names it.
fn unsupported(origin: &str, name: &str, dtype: &ArrowDataType) -> DataError {
    let dtype = format!("{dtype:?}");
    let dtype = dtype.split(['(', ' ', '{']).next().unwrap_or_default();
    DataError::new(
        origin,
        format!("column `{name}` has the type {dtype}, which is not supported"),
        format!("convert it to numbers, dates, true/false or text, or add `{name}` to `features.exclude`"),
    )
}

/// The number of rows of a file whose columns fit into memory, by what its metadata says of pages and values.
fn refuse_large(origin: &str, bytes: &[u8], schema: &ArrowSchema) -> Result<usize, DataError> {
    let mut reader = ParquetReader::new(Cursor::new(bytes));
    let metadata = reader.get_metadata().map_err(|error| from_polars(origin, &error))?;
    // The footer and the row groups may state different numbers of rows.
    let groups = &metadata.row_groups;
    let rows = groups.iter().map(|group| group.num_rows()).fold(0, usize::saturating_add).max(metadata.num_rows);
    let pages = groups.iter().flat_map(|group| group.parquet_columns());
    let pages: u64 = pages.map(|column| column.uncompressed_size().max(0) as u64).fold(0, u64::saturating_add);
    // A page of one repeated value is small, and still becomes a value in every row.
    let row: u64 = schema.iter_values().map(|field| width(&field.dtype).unwrap_or(0)).sum();
    let values = (rows as u64).saturating_mul(row);
    refuse_bomb(origin, bytes.len(), pages.max(values))?;
    if values > MAX_BYTES {
        let problem = format!("unpacks to {values} bytes, but at most {MAX_BYTES} are allowed");
        return Err(DataError::new(origin, problem, "give fewer rows or columns"));
    }
    Ok(rows)
}

fn raw(inference: &Inference, column: &Column) -> PolarsResult<RawColumn> {
    let declared = inference.declared;
    let is_category = matches!(declared, Some(ColumnType::Category));
    match column.dtype() {
        DataType::Date | DataType::Datetime(..) if !is_category => days(inference, column),
        dtype
            if (dtype.is_primitive_numeric() || dtype.is_decimal())
                && matches!(declared, None | Some(ColumnType::Number)) =>
        {
            numbers(inference, column)
        }
        _ => {
            // Numbers that are declared categories or dates, true and false, texts.
            let texts = column.cast(&DataType::String)?;
            let mut collector = Collector::new(declared);
            collector.add(&texts, inference.missing)?;
            if collector.begins_again() {
                collector.add(&texts, inference.missing)?;
            }
            Ok(match collector {
                Collector::Numbers { numbers, .. } => inference.numbers(numbers),
                Collector::Texts(texts) => inference.texts(texts),
                Collector::Mistaken => inference.unread(Kind::Category),
            })
        }
    }
}

/// A column that the file types as dates or times. Declared a number, it stays the same days.
fn days(inference: &Inference, column: &Column) -> PolarsResult<RawColumn> {
    let per_day = match column.dtype() {
        DataType::Datetime(TimeUnit::Milliseconds, _) => 86_400e3,
        DataType::Datetime(TimeUnit::Microseconds, _) => 86_400e6,
        DataType::Datetime(TimeUnit::Nanoseconds, _) => 86_400e9,
        _ => 1.0,
    };
    let physical = column.to_physical_repr().cast(&DataType::Float64)?;
    Ok(inference.dates(physical.f64()?.iter().map(|days| days.map_or(f64::NAN, |days| days / per_day)).collect()))
}

fn numbers(inference: &Inference, column: &Column) -> PolarsResult<RawColumn> {
    let is_float = column.dtype().is_float();
    let cast = column.cast(&DataType::Float64)?;
    let mut numbers = Numbers::default();
    for (row, number) in cast.f64()?.iter().enumerate() {
        let number = number.unwrap_or(f64::NAN);
        if number.is_infinite() {
            numbers.stray = Some((row, number.to_string()));
            break;
        }
        if !is_float && number.abs() >= LARGEST_INTEGER && numbers.large.len() < 3 {
            let text = column.get(row)?.to_string();
            if is_integer(&text) {
                numbers.large.push((row, text));
            }
        }
        numbers.push(number, inference.missing);
    }
    Ok(inference.numbers(numbers))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Values, read_as, read_bytes};
    use polars::prelude::{DataFrame, NamedFrom, ParquetWriter, Series};

    fn bytes(columns: Vec<Series>) -> Vec<u8> {
        let columns: Vec<Column> = columns.into_iter().map(Column::from).collect();
        let mut frame = DataFrame::new(columns[0].len(), columns).unwrap();
        let mut bytes = Vec::new();
        ParquetWriter::new(&mut bytes).finish(&mut frame).unwrap();
        bytes
    }

    #[test]
    fn parquet_gives_the_same_columns_as_csv() {
        let bytes = bytes(vec![
            Series::new("age".into(), [Some(31i64), None]),
            Series::new("job".into(), ["clerk", "retired"]),
            Series::new("loyal".into(), [true, false]),
        ]);
        let parquet = read_bytes("people.parquet", &bytes).unwrap();
        let csv = read_bytes("people.csv", b"age,job,loyal\n31,clerk,true\n,retired,false\n").unwrap();
        let of = |frame: &crate::data::Frame| {
            let columns =
                frame.columns.iter().map(|column| (column.kind, format!("{:?}", column.values), column.missing));
            columns.collect::<Vec<_>>()
        };
        assert_eq!(of(&parquet), of(&csv));
    }

    #[test]
    fn dates_times_decimals_and_dictionaries_are_read() {
        let days = Series::new("joined".into(), [19782i32, 0]).cast(&DataType::Date).unwrap();
        let times = Series::new("seen".into(), [19782i64 * 86_400_000 + 21_600_000, 0]);
        let times = times.cast(&DataType::Datetime(TimeUnit::Milliseconds, None)).unwrap();
        let price = Series::new("price".into(), ["1.25", "-3.5"]).cast(&DataType::Decimal(10, 2)).unwrap();
        let categories = polars::prelude::Categories::global();
        let job = Series::new("job".into(), ["clerk", "retired"]).cast(&DataType::from_categories(categories)).unwrap();
        let frame = read_bytes("people.parquet", &bytes(vec![days, times, price, job])).unwrap();
        let numbers = |index: usize| match frame.columns[index].values.as_deref() {
            Ok(Values::Numeric(numbers)) => numbers.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!((numbers(0), numbers(1), numbers(2)), (vec![19782.0, 0.0], vec![19782.25, 0.0], vec![1.25, -3.5]));
        assert_eq!(frame.columns[0].examples, ["1970-01-01", "2024-02-29"]);
        let kinds: Vec<Kind> = frame.columns.iter().map(|column| column.kind).collect();
        assert_eq!(kinds, [Kind::Date, Kind::Date, Kind::Number, Kind::Category]);
    }

    #[test]
    fn a_column_of_another_type_is_refused_by_name_unless_it_is_excluded() {
        let blob: [&[u8]; 2] = [b"a", b"bc"];
        let bytes = bytes(vec![Series::new("age".into(), [31i64, 62]), Series::new("photo".into(), blob)]);
        let refused = read_bytes("people.parquet", &bytes).and_then(|frame| frame.columns[1].values.clone().map(drop));
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("column `photo` has the type") && refused.contains("`features.exclude`"), "{refused}");
        let reading = Reading { unused: vec!["photo".to_string()], ..Reading::default() };
        let frame = read_as("people.parquet", &bytes, &reading).unwrap();
        assert!(matches!(frame.columns[0].values.as_deref(), Ok(Values::Numeric(ages)) if ages == &[31.0, 62.0]));
    }

    #[test]
    fn an_integer_above_2_to_the_53_and_an_infinite_number_are_not_numbers() {
        let large =
            read_bytes("a.parquet", &bytes(vec![Series::new("id".into(), [9_007_199_254_740_993i64, 1])])).unwrap();
        let doubt = large.columns[0].doubt.as_ref().unwrap();
        assert!(
            doubt
                .problem
                .contains("integers of 2^53 or more, which a number of 64 bits rounds: `9007199254740993` (row 1)"),
            "{doubt}"
        );
        let infinite = read_bytes("a.parquet", &bytes(vec![Series::new("x".into(), [1.0, f64::INFINITY])])).unwrap();
        let error = infinite.columns[0].values.as_ref().unwrap_err();
        assert!(error.problem.contains("row 2: column `x` holds `inf`"), "{error}");
    }

    #[test]
    fn a_declared_category_keeps_the_digits_of_its_numbers() {
        let types = [("zip".to_string(), ColumnType::Category)].into();
        let reading = Reading { types, ..Reading::default() };
        let frame = read_as("a.parquet", &bytes(vec![Series::new("zip".into(), [10115i64, 80331])]), &reading).unwrap();
        let Ok(Values::Categorical { levels, .. }) = frame.columns[0].values.as_deref() else { panic!() };
        assert_eq!(levels, &["10115", "80331"]);
    }

    #[test]
    fn a_small_file_of_repeated_values_is_refused_before_it_is_unpacked() {
        let bytes = bytes(vec![Series::new("x".into(), vec![1.0; 50_000_000])]);
        assert!(bytes.len() < 1 << 20, "{} bytes", bytes.len());
        let error = read_bytes("people.parquet", &bytes).unwrap_err();
        assert!(error.problem.contains("or more, but at most 268435456 are allowed"), "{error}");
    }
}
