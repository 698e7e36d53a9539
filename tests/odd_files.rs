//! Files as people have them: each is read as its owner would expect, or refused with column, line and remedy.

use doublepu::data::{Kind, Values};
use doublepu::run::Data;
use doublepu::spec;

/// What becomes of a column.
enum Expected {
    /// A number or a date whose first values are these; NaN where one is missing.
    Numbers(Kind, &'static [f64]),
    /// A category with these levels.
    Levels(&'static [&'static str]),
    /// An error whose message has all of these.
    Refused(&'static [&'static str]),
}

use Expected::{Levels, Numbers, Refused};

const NAN: f64 = f64::NAN;
/// Declarations for column `x`.
const PLAIN: &str = "";
const CATEGORY: &str = "types: { x: category }";
const NUMBER: &str = "types: { x: number }";
const DATE: &str = "types: { x: date }";
const FILLED: &str = "missing: indicator";

/// The rows of a file with one odd column: its values again and again.
const ROWS: usize = 40;

fn file(values: &[&str]) -> String {
    let field = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let row =
        |row: usize| format!("{},{},{},{}\n", field(values[row % values.len()]), 20 + row % 9, row % 2, row / 2 % 2);
    "x,age,y,z\n".to_string() + &(0..ROWS).map(row).collect::<String>()
}

/// Loads a file as a run does: the error as the terminal shows it, or kind and values of the feature `x`.
fn load(bytes: &[u8], features: &str, labels: &str) -> Result<(Kind, Values), String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("people.csv"), bytes).unwrap();
    let labels = if labels.is_empty() { "interest: { column: y, positive: 1 }" } else { labels };
    let text = format!(
        "experiment: odd\ndataset:\n  source: ./people.csv\n  {labels}\n  loyalty: {{ column: z, positive: 1 }}\n\
         features: {{ {features} }}\nsampling: {{ scheme: pools }}\nseeds: 1\nmethods: [double_pu]\n"
    );
    let experiment = spec::parse("odd.yaml", &text, folder.path(), &[]).map_err(|mistake| mistake.render(false))?;
    let data = Data::load(&experiment).map_err(|error| error.to_string())?;
    let column = data.files()[0].schema[0].columns.iter().find(|column| column.name == "x");
    let table = data.table(0, 1);
    let values = table.features.iter().find(|column| column.name == "x").map(|column| (*column.values).clone());
    Ok((column.map_or(Kind::Excluded, |column| column.kind), values.unwrap_or(Values::Numeric(Vec::new()))))
}

/// Columns of values, how a spec declares `x`, and what becomes of it.
#[rustfmt::skip]
const COLUMNS: &[(&str, &[&str], &str, Expected)] = &[
    ("whole numbers", &["31", "45"], PLAIN, Numbers(Kind::Number, &[31.0, 45.0])),
    ("a plus sign", &["+5", "-5"], PLAIN, Numbers(Kind::Number, &[5.0, -5.0])),
    ("no digit before or behind the point", &[".5", "5."], PLAIN, Numbers(Kind::Number, &[0.5, 5.0])),
    ("exponents", &["1e3", "2.5E-1"], PLAIN, Numbers(Kind::Number, &[1000.0, 0.25])),
    ("minus zero", &["-0", "1"], PLAIN, Numbers(Kind::Number, &[-0.0, 1.0])),
    ("blanks around numbers", &[" 5", "6 "], PLAIN, Numbers(Kind::Number, &[5.0, 6.0])),
    ("a sentinel", &["1e160", "5"], PLAIN, Numbers(Kind::Number, &[1e160, 5.0])),
    ("Excel serials are numbers of days", &["44197", "44562"], PLAIN, Numbers(Kind::Number, &[44197.0, 44562.0])),
    ("years", &["2019", "2020"], PLAIN, Numbers(Kind::Number, &[2019.0, 2020.0])),
    ("decimal commas", &["1,5", "2,75"], PLAIN, Refused(&["for decimals or for thousands: `1,5` (line 2), `2,75` (line 3)"])),
    ("decimal commas, declared categories", &["1,5", "2,75"], CATEGORY, Levels(&["1,5", "2,75"])),
    ("decimal commas, declared numbers", &["1,5", "2,75"], NUMBER, Refused(&["line 2: column `x` holds `1,5`, but the spec declares a number"])),
    ("percentages", &["5%", "12,5 %"], PLAIN, Refused(&["`5%` (line 2)", "percentages"])),
    ("currency in front", &["€5", "€7"], PLAIN, Refused(&["`€5` (line 2)", "currency"])),
    ("currency behind", &["5 EUR", "7.50 EUR"], PLAIN, Refused(&["`5 EUR` (line 2)", "currency"])),
    ("dollars with thousands", &["$1,200.50", "$900.00"], PLAIN, Refused(&["`$1,200.50` (line 2)", "currency"])),
    ("thousands with commas", &["1,000", "12,500"], PLAIN, Refused(&["`1,000` (line 2)", "for decimals or for thousands"])),
    ("thousands with points", &["1.234.567", "2.345.678"], PLAIN, Refused(&["`1.234.567` (line 2)", "separated thousands"])),
    ("thousands with blanks", &["1 000", "12 500"], PLAIN, Refused(&["`1 000` (line 2)", "separated thousands"])),
    ("thousands with apostrophes", &["1'000", "12'500"], PLAIN, Refused(&["`1'000` (line 2)"])),
    ("underscores", &["1_000", "2_000"], PLAIN, Refused(&["`1_000` (line 2)"])),
    ("hexadecimal", &["0x1F", "0xA0"], PLAIN, Refused(&["`0x1F` (line 2)", "hexadecimal"])),
    ("brackets for minus", &["(500)", "300"], PLAIN, Refused(&["`(500)` (line 2)", "in brackets"])),
    ("a long minus sign", &["−5", "3"], PLAIN, Refused(&["`−5` (line 2)", "unusual minus sign"])),
    ("infinity", &["5", "inf"], PLAIN, Refused(&["`inf` (line 3)", "not finite"])),
    ("a number that is too large", &["5", "1e999"], PLAIN, Refused(&["`1e999` (line 3)", "too large"])),
    ("a number that would become zero", &["5", "1e-400"], PLAIN, Refused(&["`1e-400` (line 3)", "become zero"])),
    ("one text among numbers", &["31", "32", "33", "n.a."], PLAIN, Refused(&["texts among values that are mostly numbers: `n.a.` (line 5)"])),
    ("a negative sentinel that the spec does not name", &["31", "32", "33", "-999"], "missing: mean", Numbers(Kind::Number, &[31.0, 32.0, 33.0, -999.0])),
    ("an open class among numbers", &["1", "2", "3+"], PLAIN, Refused(&["`3+` (line 4)", "{ x: category }"])),
    ("an open class, declared a category", &["1", "2", "3+"], CATEGORY, Levels(&["1", "2", "3+"])),
    ("sizes in letters and numbers", &["S", "M", "38", "40", "42"], PLAIN, Refused(&["`S` (line 2)", "mostly numbers"])),
    ("letters with digits", &["A12", "B7"], PLAIN, Levels(&["A12", "B7"])),
    ("a unit", &["5 km", "7 km", "9 km"], PLAIN, Levels(&["5 km", "7 km", "9 km"])),
    ("one empty number", &["31", "32", "33", ""], PLAIN, Refused(&["line 5: column `x` has no value; 10 of 40 rows have none", "{ x: median }"])),
    ("one empty number, filled", &["31", "32", "33", ""], FILLED, Numbers(Kind::Number, &[31.0, 32.0, 33.0, NAN])),
    ("NA among numbers", &["31", "NA", "33"], FILLED, Numbers(Kind::Number, &[31.0, NAN, 33.0])),
    ("a question mark among numbers", &["31", "?", "33"], FILLED, Numbers(Kind::Number, &[31.0, NAN, 33.0])),
    ("a hyphen among numbers", &["31", "-", "33"], FILLED, Numbers(Kind::Number, &[31.0, NAN, 33.0])),
    ("NaN and None among numbers", &["31", "NaN", "None"], FILLED, Refused(&["26 of 40 values are missing"])),
    ("null and N/A among numbers", &["31", "32", "33", "null", "N/A"], FILLED, Numbers(Kind::Number, &[31.0, 32.0, 33.0, NAN, NAN])),
    ("blank fields among numbers", &["31", " ", "33"], FILLED, Numbers(Kind::Number, &[31.0, NAN, 33.0])),
    ("NA among categories", &["a", "NA", "b"], PLAIN, Refused(&["line 3: column `x` has no value", "{ x: category }"])),
    ("NA among categories, filled", &["a", "NA", "b"], FILLED, Levels(&["a", "b", "(missing)"])),
    ("a question mark among categories", &["a", "?", "b"], FILLED, Levels(&["a", "b", "(missing)"])),
    ("a hyphen among categories", &["a", "-", "b"], FILLED, Levels(&["a", "b", "(missing)"])),
    ("a median of categories", &["a", "", "b"], "missing: median", Refused(&["line 3", "`median` is not possible for categories"])),
    ("unknown is a category", &["a", "unknown"], PLAIN, Levels(&["a", "unknown"])),
    ("mostly missing numbers", &["5", "", "", "6"], FILLED, Numbers(Kind::Number, &[5.0, NAN, NAN, 6.0])),
    ("numbers of which most are missing", &["5", "", "", "", "6"], FILLED, Refused(&["`5` (line 2), `6` (line 6)", "24 of 40 values are missing"])),
    ("nothing at all", &[""], FILLED, Refused(&["column `x` is doubtful: it has no value in any row"])),
    ("leading zeros", &["01067", "10115"], PLAIN, Refused(&["leading zeros, as codes have that are no numbers: `01067` (line 2)", "{ x: category }"])),
    ("leading zeros, declared categories", &["01067", "10115"], CATEGORY, Levels(&["01067", "10115"])),
    ("leading zeros, declared numbers", &["01067", "10115"], NUMBER, Numbers(Kind::Number, &[1067.0, 10115.0])),
    ("phone numbers", &["0171 5551234", "+49 171 5551234"], PLAIN, Levels(&["+49 171 5551234", "0171 5551234"])),
    ("phone numbers in digits", &["01715551234", "01725551234"], PLAIN, Refused(&["leading zeros"])),
    ("integers above 2^53", &["9007199254740993", "9007199254740995"], PLAIN, Refused(&["`9007199254740993` (line 2)", "2^53"])),
    ("true and false", &["TRUE", "FALSE"], PLAIN, Levels(&["FALSE", "TRUE"])),
    ("true in two spellings", &["TRUE", "True", "FALSE"], PLAIN, Refused(&["differ only in case: `TRUE` (line 2), `True` (line 3)"])),
    ("blanks around categories", &["a", " a", "b "], PLAIN, Levels(&["a", "b"])),
    ("umlauts and other scripts", &["Köln", "東京"], PLAIN, Levels(&["Köln", "東京"])),
    ("line breaks in quotes", &["a\nb", "c"], PLAIN, Levels(&["a\nb", "c"])),
    ("quotation marks in quotes", &["5\" pipe", "6\" pipe"], PLAIN, Levels(&["5\" pipe", "6\" pipe"])),
    ("dates with the year first", &["2024-02-29", "1970-01-01"], PLAIN, Numbers(Kind::Date, &[19782.0, 0.0])),
    ("dates with points", &["29.02.2024", "1.1.1970"], PLAIN, Numbers(Kind::Date, &[19782.0, 0.0])),
    ("dates with times", &["2024-02-29 06:00:00", "1970-01-01 12:00:00"], PLAIN, Numbers(Kind::Date, &[19782.25, 0.5])),
    ("dates in an offset", &["2024-02-29T12:00:00+06:00", "1970-01-01T00:00:00Z"], PLAIN, Numbers(Kind::Date, &[19782.25, 0.0])),
    ("dates with a month in letters", &["29 Feb 2024", "01 Jan 1970"], PLAIN, Numbers(Kind::Date, &[19782.0, 0.0])),
    ("dates with a missing one", &["2024-02-29", ""], FILLED, Numbers(Kind::Date, &[19782.0, NAN])),
    ("day or month first", &["01/02/2024", "03/04/2024"], PLAIN, Refused(&["`01/02/2024` (line 2)", "%d/%m/%Y or %m/%d/%Y", "{ x: { date: { format: \"%d/%m/%Y\" } } }"])),
    ("day or month first, declared without format", &["01/02/2024", "03/04/2024"], DATE, Refused(&["%d/%m/%Y or %m/%d/%Y"])),
    ("day first, declared", &["01/02/2024", "03/04/2024"], "types: { x: { date: { format: \"%d/%m/%Y\" } } }", Numbers(Kind::Date, &[19754.0, 19816.0])),
    ("day first, certain by one value", &["01/02/2024", "31/01/2024"], PLAIN, Numbers(Kind::Date, &[19754.0, 19753.0])),
    ("years of two digits", &["01.02.24", "31.01.24"], PLAIN, Refused(&["two digits", "%d.%m.%y"])),
    ("dates in two formats", &["2024-02-29", "29.02.2024"], PLAIN, Refused(&["dates in different formats: `2024-02-29` (line 2), `29.02.2024` (line 3)"])),
    ("a word among dates", &["2024-02-29", "2024-03-01", "soon"], PLAIN, Refused(&["mostly dates: `soon` (line 4)"])),
    ("a word among declared dates", &["2024-02-29", "soon"], DATE, Refused(&["line 3: column `x` holds `soon`, but the spec declares a date"])),
    ("a day that does not exist", &["2024-02-29", "2023-02-29"], PLAIN, Refused(&["`2023-02-29` (line 3)", "dates"])),
    ("dates in eight digits", &["20240229", "19700101"], PLAIN, Refused(&["`20240229` (line 2)", "may be dates"])),
    ("dates in eight digits, declared", &["20240229", "19700101"], DATE, Numbers(Kind::Date, &[19782.0, 0.0])),
];

#[test]
fn every_odd_column_is_read_as_its_owner_expects_or_refused() {
    for (name, values, features, expected) in COLUMNS {
        let loaded = load(file(values).as_bytes(), features, "");
        match (expected, loaded) {
            (Numbers(kind, first), Ok((found, Values::Numeric(numbers)))) => {
                assert_eq!((found, numbers.len()), (*kind, ROWS), "{name}");
                let same = first.iter().zip(&numbers).all(|(a, b)| a.to_bits() == b.to_bits());
                assert!(same, "{name}: {:?}", &numbers[..first.len()]);
            }
            (Levels(expected), Ok((found, Values::Categorical { codes, levels }))) => {
                assert_eq!((found, &levels[..]), (Kind::Category, &expected.map_texts()[..]), "{name}");
                assert_eq!(codes.len(), ROWS, "{name}");
            }
            (Refused(parts), Err(error)) => {
                assert!(parts.iter().all(|part| error.contains(part)), "{name}: {error}");
                assert!(error.contains("`x`") && error.contains("help: "), "{name}: {error}");
                assert!(error.contains("line ") || error.contains("in any row"), "{name}: {error}");
            }
            (_, loaded) => panic!("{name}: {loaded:?}"),
        }
    }
}

trait Texts {
    fn map_texts(&self) -> Vec<String>;
}

impl Texts for &[&str] {
    fn map_texts(&self) -> Vec<String> {
        self.iter().map(|text| text.to_string()).collect()
    }
}

/// A file of `ROWS` lines of a column `x` that differs in every row.
fn different(value: impl Fn(usize) -> String) -> String {
    let row = |row: usize| format!("{},{},{},{}\n", value(row), 20 + row % 9, row % 2, row / 2 % 2);
    "x,age,y,z\n".to_string() + &(0..ROWS).map(row).collect::<String>()
}

#[test]
fn a_value_of_its_own_in_every_row_is_an_identifier_unless_it_is_a_measurement() {
    for text in [
        different(|row| (row + 1).to_string()),
        different(|row| (7919 * row % 1009).to_string()),
        different(|row| format!("P{row}")),
        different(|row| format!("Anna {row}")),
    ] {
        let error = load(text.as_bytes(), PLAIN, "").unwrap_err();
        assert!(error.contains("all 40 values differ, as identifiers do") && error.contains("(line 2)"), "{error}");
        assert!(error.contains("types: { x: identifier }"), "{error}");
        let (kind, values) = load(text.as_bytes(), "types: { x: identifier }", "").unwrap();
        assert!(kind == Kind::Identifier && values.rows() == 0);
    }
    let measured = different(|row| format!("{}.25", 1000 + row));
    assert_eq!(load(measured.as_bytes(), PLAIN, "").unwrap().0, Kind::Number);
}

#[test]
fn a_name_for_codes_is_not_the_name_of_a_number() {
    for name in ["zip", "PLZ", "customer_id", "customerId", "branch code", "phone"] {
        let text = file(&["10115", "80331"]).replacen("x,", &format!("{name},"), 1);
        let error = load(text.as_bytes(), PLAIN, "").unwrap_err();
        assert!(error.contains("`10115` (line 2)") && error.contains("a name for codes"), "{name}: {error}");
    }
    for name in ["paid", "n_children", "idle", "zipped"] {
        let text = file(&["1", "2"]).replacen("x,", &format!("{name},"), 1);
        assert!(load(text.as_bytes(), PLAIN, "").is_ok(), "{name}");
    }
}

/// Whole files. Bytes of the file, and what the message has; an empty message for a file that is read.
#[test]
fn odd_files_are_read_or_refused_with_their_line() {
    let rows = "1,20,1,1\n2,21,0,0\n3,22,1,0\n4,23,0,1\n";
    let utf_16: Vec<u8> =
        [0xff, 0xfe].into_iter().chain("x,age\n1,2\n".encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let latin_1 = b"x,age,y,z\nK\xf6ln,20,1,1\n".to_vec();
    let text = |text: &str| text.as_bytes().to_vec();
    let files: [(&str, Vec<u8>, &str); 24] = [
        ("a byte order mark", text(&format!("\u{feff}x,age,y,z\n{rows}")), ""),
        ("CRLF", text(&format!("x,age,y,z\n{rows}").replace('\n', "\r\n")), ""),
        ("semicolons", text(&format!("x,age,y,z\n{rows}").replace(',', ";")), ""),
        ("tabs", text(&format!("x,age,y,z\n{rows}").replace(',', "\t")), ""),
        ("blanks around names", text(&format!("x, age , y, z\n{rows}")), ""),
        ("quoted names", text(&format!("\"x\",\"age\",\"y\",\"z\"\n{rows}")), ""),
        ("no line end at the end", text(format!("x,age,y,z\n{rows}").trim_end()), ""),
        ("blank lines at the end", text(&format!("x,age,y,z\n{rows}\n\n")), ""),
        ("semicolons and decimal commas", text("x;age;y;z\n1,5;20;1;1\n2,5;21;0;0\n"), "`1,5` (line 2)"),
        ("CR alone", text("x,age,y,z\r1,20,1,1\r"), "line 1 is the only line"),
        ("a CR within a line", text("x,age,y,z\n1\r2,20,1,1\n"), "line 2 holds a CR without LF"),
        ("duplicate names", text(&format!("x,x,y,z\n{rows}")), "line 1: the header names column `x` twice"),
        ("an empty name", text(&format!("x,,y,z\n{rows}")), "line 1: the header names an empty column, the 2 of 4"),
        ("a long row", text(&format!("x,age,y,z\n{rows}5,6,0,1,9\n")), "line 6 has 5 fields where the header has 4"),
        ("a short row", text(&format!("x,age,y,z\n{rows}5,6\n")), "line 6 has 2 fields where the header has 4"),
        ("a blank line", text("x,age,y,z\n1,20,1,1\n\n2,21,0,0\n"), "line 3 is blank"),
        ("a trailing row of totals", text(&format!("x,age,y,z\n{rows}Total,86,,\n")), "`Total` (line 6)"),
        ("a quotation mark in a field", text("x,age,y,z\n5\" pipe,20,1,1\n"), "line 2 holds a quotation mark"),
        ("text behind quotes", text("x,age,y,z\n\"a\"b,20,1,1\n"), "line 2 holds a quotation mark"),
        ("quotes that never close", text("x,age,y,z\n\"a,20,1,1\n2,21,0,0\n"), "line 2 opens a quotation mark"),
        ("UTF-16", utf_16, "line 1 is UTF-16 text"),
        ("Latin-1", latin_1, "line 2 is not UTF-8 text"),
        ("a spreadsheet", text("PK\u{3}\u{4}xl/workbook.xml"), "is a ZIP archive or a spreadsheet"),
        ("a header alone", text("x,age,y,z\n"), "holds no rows"),
    ];
    for (name, bytes, expected) in files {
        match (load(&bytes, PLAIN, ""), expected) {
            (Ok((kind, Values::Numeric(numbers))), "") => {
                assert_eq!((kind, &numbers[..]), (Kind::Number, &[1.0, 2.0, 3.0, 4.0][..]), "{name}");
            }
            (Err(error), expected) if !expected.is_empty() => {
                assert!(error.contains(expected) && error.contains("help: "), "{name}: {error}");
            }
            (loaded, _) => panic!("{name}: {loaded:?}"),
        }
    }
}

#[test]
fn labels_have_two_values_or_lists_that_say_what_the_others_are() {
    let labels =
        |values: &[&str], rule: &str| load(file(values).replacen("x,age,y,z", "y,x,w,z", 1).as_bytes(), PLAIN, rule);
    let yes = "interest: { column: y, positive: \"yes\" }";
    for (values, rule, expected) in [
        (&["yes", "no"][..], yes, ""),
        (&[" yes", "no ", "yes"], yes, ""),
        (&["1", "0", "1.0"], "interest: { column: y, positive: 1 }", ""),
        (&["true", "false"], "interest: { column: y, positive: true }", ""),
        (&["yes", "no", "maybe"], yes, "`no` (13), `maybe` (13)"),
        (&["yes", "no", "maybe"], "interest: { column: y, positive: \"yes\", negative: [\"no\", maybe] }", ""),
        (&["yes", "no", "maybe"], "interest: { column: y, positive: [\"yes\", maybe] }", ""),
        (
            &["yes", "no", "maybe"],
            "interest: { column: y, positive: \"yes\", negative: [\"no\"] }",
            "line 4: column `y` holds `maybe`, which is neither",
        ),
        (&["yes", "Yes", "no"], yes, "`yes` and `Yes`, which differ only in case"),
        (&["yes", "Yes", "no"], "interest: { column: y, positive: [\"yes\", \"Yes\"], negative: \"no\" }", ""),
        (&["yes", "NA", "no"], yes, "line 3: the label column `y` has no value"),
        (&["yes", "?", "no"], yes, "line 3: the label column `y` has no value"),
        (&["yes", "", "no"], yes, "line 3: the label column `y` has no value"),
        (&["yes"], yes, "every row of column `y` is positive"),
        (&["no", "maybe"], yes, "no row of column `y` holds the positive value `yes`"),
        (&["0", "1", "2"], "interest: { column: y, positive: 1 }", "has 3 values"),
    ] {
        match (labels(values, rule), expected) {
            (Ok(_), "") => {}
            (Err(error), expected) if !expected.is_empty() => {
                assert!(error.contains(expected) && error.contains("help: "), "{values:?}: {error}");
            }
            (loaded, _) => panic!("{values:?} {rule}: {loaded:?}"),
        }
    }
}

#[test]
fn texts_that_a_spec_counts_as_missing_are_missing_in_numbers_and_in_categories() {
    let rule = "missing: [-999, unknown]\n  interest: { column: y, positive: 1 }";
    let numbers = load(file(&["31", "-999.0", "33"]).as_bytes(), FILLED, rule).unwrap();
    let Values::Numeric(numbers) = numbers.1 else { panic!() };
    assert!(numbers[1].is_nan() && numbers[2] == 33.0);
    let (_, Values::Categorical { levels, .. }) = load(file(&["a", "unknown"]).as_bytes(), FILLED, rule).unwrap()
    else {
        panic!()
    };
    assert_eq!(levels, ["a", "(missing)"]);
}

#[test]
fn a_spec_that_names_a_column_which_is_not_there_is_told_so() {
    for features in ["exclude: [w]", "types: { w: number }", "missing: { w: median }"] {
        let error = load(file(&["1", "2"]).as_bytes(), features, "").unwrap_err();
        assert!(error.contains("there is no column `w`") && error.contains("x, age, y, z"), "{error}");
    }
    let error = load(file(&["1", "2"]).as_bytes(), "types: { x: numbr }", "").unwrap_err();
    assert!(error.contains("numbr") && error.contains("did you mean `number`?"), "{error}");
    let error = load(file(&["1", "2"]).as_bytes(), "missing: { x: medain }", "").unwrap_err();
    assert!(error.contains("did you mean `median`?") && error.contains("odd.yaml"), "{error}");
    let error = load(file(&["1", "2"]).as_bytes(), "types: { x: { date: { format: \"%d/%m\" } } }", "").unwrap_err();
    assert!(error.contains("does not name a year, a month and a day"), "{error}");
}

#[test]
fn compressed_files_are_read_by_their_contents() {
    let text = file(&["1", "2"]);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut gzip, text.as_bytes()).unwrap();
    for bytes in [gzip.finish().unwrap(), zstd::encode_all(text.as_bytes(), 3).unwrap()] {
        assert_eq!(load(&bytes, PLAIN, "").unwrap().1.rows(), ROWS);
    }
}
