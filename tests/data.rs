//! The built-in data is what its card says.

use doublepu::data::{BUILT_IN, Features, KAGGLE, LabelRule, Table, UCI, Values, sha256};

#[test]
fn the_files_have_the_stated_checksums() {
    for data in BUILT_IN {
        assert_eq!(sha256(&data.bytes().unwrap()), data.sha256, "{}", data.name);
        assert!(data.card.contains(data.sha256), "the card of {} states its sha256", data.name);
    }
}

#[test]
fn the_kaggle_file_is_rebuilt_from_the_uci_file_and_the_row_list() {
    let uci = UCI.bytes().unwrap();
    let mut uci = csv::ReaderBuilder::new().delimiter(b';').from_reader(&*uci);
    let header: Vec<String> =
        uci.headers().unwrap().iter().map(|name| if name == "y" { "deposit" } else { name }.to_string()).collect();
    let rows: Vec<csv::StringRecord> = uci.records().map(Result::unwrap).collect();

    let mut rebuilt = header.join(",") + "\n";
    for number in include_str!("../datasets/bank-marketing/kaggle-rows.txt").lines() {
        let row: Vec<&str> = rows[number.parse::<usize>().unwrap()].iter().collect();
        rebuilt += &(row.join(",") + "\n");
    }
    assert_eq!(sha256(rebuilt.as_bytes()), KAGGLE.sha256);
}

fn yes(column: &str) -> LabelRule {
    LabelRule::new(column, "yes")
}

#[test]
fn the_kaggle_file_has_the_counts_and_features_of_its_card() {
    let table = Table::new(&KAGGLE.frame().unwrap(), &yes("deposit"), &yes("default"), &Features::default()).unwrap();
    let count = |y: bool, z: bool| {
        (0..table.rows()).filter(|row| (table.interest[*row], table.loyalty[*row]) == (y, z)).count()
    };
    assert_eq!(table.rows(), 11_162);
    assert_eq!((count(true, false), count(true, true), count(false, true), count(false, false)), (5237, 52, 116, 5757));

    let names = |numeric: bool| {
        let kind = |values: &Values| matches!(values, Values::Numeric(_)) == numeric;
        table
            .features
            .iter()
            .filter(|column| kind(&column.values))
            .map(|column| column.name.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(true), ["age", "balance", "day", "duration", "campaign", "pdays", "previous"]);
    assert_eq!(names(false), ["job", "marital", "education", "housing", "loan", "contact", "month", "poutcome"]);
}

#[test]
fn the_uci_file_has_the_counts_of_its_card() {
    let table = Table::new(&UCI.frame().unwrap(), &yes("y"), &yes("default"), &Features::default()).unwrap();
    let interested = table.interest.iter().filter(|y| **y).count();
    assert_eq!((interested, table.rows() - interested), (5289, 39_922));
}
