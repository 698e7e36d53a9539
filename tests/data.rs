//! The built-in data is what its card says.

use doublepu::data::{BUILT_IN, Features, KAGGLE, LabelRule, TELCO, Table, UCI, Values, sha256};

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
fn the_telco_file_has_the_counts_and_gaps_of_its_card() {
    let spec = include_str!("../experiments/telco.yaml");
    let experiment = doublepu::spec::parse("telco.yaml", spec, std::path::Path::new("."), &[]).unwrap();
    let setting = &experiment.settings[0];
    let doublepu::spec::Dataset::Table { interest, loyalty, .. } = &setting.dataset else { panic!() };
    let table = Table::new(&TELCO.frame().unwrap(), interest, loyalty, &setting.features).unwrap();
    let count = |y: bool, z: bool| {
        (0..table.rows()).filter(|row| (table.interest[*row], table.loyalty[*row]) == (y, z)).count()
    };
    assert_eq!(table.rows(), 7043);
    assert_eq!(
        (count(true, true), count(true, false), count(false, true), count(false, false)),
        (1409, 1298, 1759, 2577)
    );
    assert_eq!(table.features.len(), 20 - 2 - 4);

    let bytes = TELCO.bytes().unwrap();
    assert_eq!(bytes.len(), 822_087);
    let rows: Vec<std::collections::BTreeMap<String, String>> =
        csv::Reader::from_reader(&*bytes).deserialize().map(Result::unwrap).collect();
    let gaps: Vec<_> = rows.iter().filter(|row| row.values().any(String::is_empty)).collect();
    assert_eq!(gaps.len(), 11);
    assert!(gaps.iter().all(|row| row["total_charges"].is_empty() && row["tenure"] == "0"));
    for number in ["1,409", "1,298", "1,759", "2,577", "0.38435", "0.20006", "822,087"] {
        assert!(TELCO.card.contains(number), "the card has {number}");
    }
}

#[test]
fn the_uci_file_has_the_counts_of_its_card() {
    let table = Table::new(&UCI.frame().unwrap(), &yes("y"), &yes("default"), &Features::default()).unwrap();
    let interested = table.interest.iter().filter(|y| **y).count();
    assert_eq!((interested, table.rows() - interested), (5289, 39_922));
}
