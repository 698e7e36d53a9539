//! Random damage to everything that is read: specs, journals, baselines and tables. Nothing panics, and nothing wrong passes.
//!
//! `cargo test` tries a few hundred of each. To go on for longer, with other damage every time:
//! `PROPTEST_CASES=100000 cargo test --release --test hostile`.

use doublepu::data::{
    ColumnType, Features, Filling, Fillings, LabelRule, Reading, Table, Values, read_as, read_bytes, sha256,
};
use doublepu::gate::{Baseline, Checked, LineLabel, Snapshot, SnapshotCell, SnapshotLine};
use doublepu::learn::{Failure, FailureKind};
use doublepu::math::metric::Metric;
use doublepu::run::{Contents, Outcome, Start, Store, environment};
use doublepu::spec;
use proptest::prelude::*;
use std::path::Path;
use std::sync::LazyLock;

/// One change to some bytes. Places are shares of the length, so that they fit whatever is left.
#[derive(Clone, Debug)]
enum Edit {
    Flip { place: f64, bit: u8 },
    Remove { place: f64, count: usize },
    Insert { place: f64, what: Vec<u8> },
    Repeat { place: f64, count: usize, times: usize },
    Cut { place: f64 },
}

/// Words that mean something to some reader.
const WORDS: [&str; 40] = [
    ",",
    "\n",
    "\r\n",
    ";",
    "\t",
    "\"",
    "''",
    ":",
    ": ",
    "- ",
    "  ",
    "[",
    "]",
    "{",
    "}",
    "&a ",
    "*a",
    "!!str ",
    "# ",
    "---\n",
    "null",
    "true",
    "yes",
    "1e999",
    "-1",
    ".nan",
    "0x10",
    "9999999999999999999999",
    "\u{feff}",
    "\0",
    "é",
    "|\n",
    ">\n",
    "? ",
    "<<: ",
    "tune",
    "seeds",
    "methods",
    "ridge",
    "PAR1",
];

fn edit() -> impl Strategy<Value = Edit> {
    let place = 0.0..1.0;
    let word = prop_oneof![
        3 => prop::sample::select(&WORDS[..]).prop_map(|word| word.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 1..20),
    ];
    prop_oneof![
        3 => (place.clone(), 0..8u8).prop_map(|(place, bit)| Edit::Flip { place, bit }),
        2 => (place.clone(), 1..60usize).prop_map(|(place, count)| Edit::Remove { place, count }),
        4 => (place.clone(), word).prop_map(|(place, what)| Edit::Insert { place, what }),
        1 => (place.clone(), 1..40usize, 1..50usize).prop_map(|(place, count, times)| Edit::Repeat { place, count, times }),
        1 => place.prop_map(|place| Edit::Cut { place }),
    ]
}

fn edited(bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for edit in edits {
        let at = |place: f64| (place * bytes.len() as f64) as usize;
        match edit {
            Edit::Flip { place, bit } => {
                let place = at(*place);
                if let Some(byte) = bytes.get_mut(place) {
                    *byte ^= 1 << bit;
                }
            }
            Edit::Remove { place, count } => {
                let place = at(*place);
                bytes.drain(place..(place + count).min(bytes.len()));
            }
            Edit::Insert { place, what } => {
                let place = at(*place);
                bytes.splice(place..place, what.iter().copied());
            }
            Edit::Repeat { place, count, times } => {
                let place = at(*place);
                let part = bytes[place..(place + count).min(bytes.len())].repeat(*times);
                bytes.splice(place..place, part);
            }
            Edit::Cut { place } => {
                let place = at(*place);
                bytes.truncate(place);
            }
        }
    }
    bytes
}

const SPECS: [&str; 5] = [
    include_str!("../experiments/ci.yaml"),
    include_str!("../experiments/smoke.yaml"),
    include_str!("../experiments/simulation.yaml"),
    include_str!("../experiments/corrections.yaml"),
    include_str!("audit/audit.yaml"),
];

/// Of which CSV files are made.
const CSV_PARTS: [&str; 14] =
    ["x", "yz", "1", " ", "\"", "\"\"", ",", ",", "\n", "\n", "\r\n", "\r", "\"a,b\"", "\"c\"\"\nd\",e\n"];

const TABLE: &str = "age,\"job, now\",bought,member\n31,clerk,yes,1\n62,\"re\ntired\",no,0\n,a,yes,0\n1e3,clerk,no,1\n";

fn outcome(id: &str) -> Outcome {
    let failure = Failure { kind: FailureKind::EmptySample, reason: "D_L has no row, \"é\" neither".into() };
    Outcome { id: id.to_string(), sizes: None, prior: None, result: Err(failure), seconds: 0.1 }
}

/// A journal of twelve records, and what it says.
static JOURNAL: LazyLock<(Vec<u8>, Vec<Outcome>)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let outcomes: Vec<Outcome> = (0..12).map(|cell| outcome(&format!("cell {cell}"))).collect();
    let boxed = outcomes.iter().cloned().map(Box::new).collect();
    Store::open(folder.path(), Start::Resume).unwrap().append(&environment(), boxed).unwrap();
    (std::fs::read(folder.path().join("journal.jsonl")).unwrap(), outcomes)
});

/// A baseline of two lines with three seeds each.
static BASELINE: LazyLock<Baseline> = LazyLock::new(|| {
    let line = |method: &str| SnapshotLine {
        label: LineLabel { setting: "Z=\"a, b\"".into(), method: method.into(), prior: "true".into() },
        key: format!("key of {method}"),
        cells: (1..=3)
            .map(|seed| SnapshotCell { seed, status: "ok".into(), values: vec![Some(1.0 / f64::from(seed)), None] })
            .collect(),
    };
    let snapshot = Snapshot {
        experiment: "tiny".into(),
        metrics: vec![Metric::RocAuc, Metric::BrierScore],
        lines: vec![line("double_pu"), line("naive_pu")],
        ..Snapshot::default()
    };
    Baseline { snapshot, reasons: vec!["because".into()], ..Baseline::default() }
});

/// A baseline whose checksum fits, whatever was done to the rest.
fn signed(text: &str) -> Option<String> {
    let (header, rest) = text.split_once("\n# sha256: ")?;
    let (_, rows) = rest.split_once('\n')?;
    Some(format!("{header}\n# sha256: {}\n{rows}", sha256(format!("{header}\n{rows}").as_bytes())))
}

proptest! {
    #[test]
    fn a_spec_is_understood_or_refused_with_a_message(
        which in 0..SPECS.len(),
        edits in prop::collection::vec(edit(), 1..6),
    ) {
        let bytes = edited(SPECS[which].as_bytes(), &edits);
        let text = String::from_utf8_lossy(&bytes);
        match spec::parse("spec.yaml", &text, Path::new(""), &[]) {
            Ok(experiment) => prop_assert!(!experiment.methods.is_empty() && experiment.seeds > 0),
            Err(mistake) => prop_assert!(mistake.render(false).starts_with("error: ")),
        }
    }

    #[test]
    fn an_assignment_is_understood_or_refused_with_a_message(edits in prop::collection::vec(edit(), 1..4)) {
        let assignment = edited(b"methods.0.double_pu={ridge: [0.1, 1], loss: squared}", &edits);
        let assignment = String::from_utf8_lossy(&assignment).into_owned();
        if let Err(mistake) = spec::parse("spec.yaml", SPECS[1], Path::new(""), &[assignment]) {
            prop_assert!(mistake.render(false).starts_with("error: "));
        }
    }

    #[test]
    fn a_journal_gives_what_was_written_or_is_refused(edits in prop::collection::vec(edit(), 1..4)) {
        let (journal, outcomes) = &*JOURNAL;
        let bytes = edited(journal, &edits);
        match Contents::parse(&bytes) {
            Ok(contents) => {
                for kept in contents.kept.values() {
                    prop_assert!(outcomes.contains(&kept.outcome), "{:?} was never written", kept.outcome);
                }
                // What was lost without a word was cut off or removed whole, never changed.
                prop_assert!(contents.torn.is_some() || bytes.is_empty() || bytes.ends_with(b"\n"));
            }
            Err(damage) => {
                let line = bytes[..damage.byte as usize].iter().filter(|byte| **byte == b'\n').count() + 1;
                prop_assert_eq!(damage.line, line);
            }
        }
    }

    #[test]
    fn a_baseline_is_what_was_written_or_is_refused(edits in prop::collection::vec(edit(), 1..4)) {
        let text = BASELINE.text().unwrap();
        match Baseline::parse(&edited(text.as_bytes(), &edits)) {
            Ok(baseline) => prop_assert_eq!(&baseline, &*BASELINE),
            Err(error) => prop_assert!(error.to_string().contains("help: ")),
        }
    }

    #[test]
    fn a_baseline_whose_checksum_fits_is_read_and_judged_or_refused(edits in prop::collection::vec(edit(), 1..4)) {
        let bytes = edited(BASELINE.text().unwrap().as_bytes(), &edits);
        let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
        if let Some(Ok(baseline)) = signed(&text).map(|text| Baseline::parse(text.as_bytes())) {
            prop_assert_eq!(&Baseline::parse(baseline.text().unwrap().as_bytes()).unwrap(), &baseline);
            let experiment = spec::parse("spec.yaml", SPECS[0], Path::new(""), &[]).unwrap();
            for (before, after) in [(&baseline, &*BASELINE), (&*BASELINE, &baseline)] {
                let checked = Checked::of(&experiment, &before.snapshot, &after.snapshot);
                prop_assert!(checked.same <= checked.cells);
            }
        }
    }

    /// Quotation marks, separators and line ends in any order: what is read is what the csv crate reads, cell by cell.
    #[test]
    fn a_csv_file_is_read_as_another_reader_reads_it_or_refused_with_its_line(
        parts in prop::collection::vec(prop::sample::select(&CSV_PARTS[..]), 1..30),
    ) {
        let text = format!("a,b\n{}", parts.concat());
        let types = ["a", "b"].map(|name| (name.to_string(), ColumnType::Category)).into();
        match read_as("people.csv", text.as_bytes(), &Reading { types, ..Reading::default() }) {
            Ok(frame) => {
                let mut reader = csv::Reader::from_reader(text.as_bytes());
                let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
                prop_assert_eq!(frame.rows, rows.len());
                for (index, column) in frame.columns.iter().enumerate() {
                    let Ok(Values::Categorical { codes, levels }) = column.values.as_deref() else { panic!() };
                    for (row, code) in rows.iter().zip(codes) {
                        let expected = if row[index].trim().is_empty() { "(missing)" } else { row[index].trim() };
                        prop_assert_eq!(&levels[*code as usize], expected);
                    }
                }
            }
            Err(error) => prop_assert!(error.problem.contains("line ") || error.problem.contains("no rows"), "{}", error),
        }
    }

    #[test]
    fn a_table_is_read_or_refused_with_a_message(edits in prop::collection::vec(edit(), 1..6)) {
        let bytes = edited(TABLE.as_bytes(), &edits);
        let (interest, loyalty) = (LabelRule::new("bought", "yes"), LabelRule::new("member", "1"));
        let features = Features { missing: Fillings::All(Filling::Indicator), ..Features::default() };
        let table = read_bytes("people.csv", &bytes)
            .and_then(|frame| Table::new(&frame, &interest, &loyalty, &features));
        match table {
            Ok(table) => {
                let rows = table.rows();
                prop_assert!(rows > 0 && table.loyalty.len() == rows);
                prop_assert!(table.features.iter().all(|column| column.values.rows() == rows));
            }
            Err(error) => prop_assert!(!error.problem.is_empty() && !error.remedy.is_empty()),
        }
    }
}
