//! A customer table as a shop has it, from the file to the results.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const SPEC: &str = "experiment: customers
dataset: { source: ./customers.csv, interest: { column: gekauft, positive: ja }, loyalty: { column: Stammkunde, positive: ja } }
features:
  types: { Kundennummer: identifier, Name: identifier, PLZ: category, Kunde seit: date }
  missing: { Einkommen in €: median }
sampling: { scheme: pools }
seeds: 3
methods: [double_pu, naive_pu, oracle_logistic]
compare: double_pu
metrics: [average_precision]
";

/// 5,000 customers with umlauts and blanks in names, 8% missing incomes, a date, an identifier and a zip code.
fn customers() -> String {
    let mut state = 1u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut text =
        "Kundennummer,Name,Alter,Einkommen in €,Größe der Wohnung,Ort,PLZ,Kunde seit,gekauft,Stammkunde\n".to_string();
    let people = ["Jörg Müller", "Zoë Groß", "José Núñez", "Anna van Dijk"];
    let places = [("Köln", "50667"), ("Bad Homburg", "61348"), ("Dresden", "01067"), ("München", "80331")];
    for number in 1..=5000 {
        let (age, (place, zip)) = (18 + random(60), places[random(4) as usize]);
        let income = if random(100) < 8 { String::new() } else { format!("{}.50", 1500 + random(4000)) };
        let (day, month, year) = (1 + random(28), 1 + random(12), 2015 + random(9));
        let bought = if random(100) < 20 + (78 - age) { "ja" } else { "nein" };
        let loyal = if random(100) < (2024 - year) * 8 { "ja" } else { "nein" };
        let name = people[random(4) as usize];
        let size = 20 + random(100);
        writeln!(
            text,
            "K{number:05},{name} {number},{age},{income},{size},{place},{zip},{day:02}.{month:02}.{year},{bought},{loyal}"
        )
        .unwrap();
    }
    text
}

fn doublepu(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let ended = Command::new(env!("CARGO_BIN_EXE_doublepu")).args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (ended.status.code(), text(&ended.stdout), text(&ended.stderr))
}

const SCHEMA: &str =
    " column             kind                  values                    levels  missing  feature columns
 Kundennummer       identifier, declared                                 -        -                0
 Name               identifier, declared                                 -        -                0
 Alter              number                18 to 77                       -        0                1
 Einkommen in €     number                1500.5 to 5498.5               -      401                1
 Größe der Wohnung  number                20 to 119                      -        0                1
 Ort                category              München, Köln, Dresden         4        0                4
 PLZ                category, declared    80331, 50667, 01067            4        0                4
 Kunde seit         date, declared        2015-01-01 to 2023-12-26       -        0                1
 gekauft            label                 ja, nein                       2        0                0
 Stammkunde         label                 nein, ja                       2        0                0
12 feature columns, if every category occurs in training";

#[test]
fn a_customer_table_runs_from_a_spec_of_ten_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("customers.csv"), customers()).unwrap();
    std::fs::write(path.join("customers.yaml"), SPEC).unwrap();
    assert_eq!(SPEC.lines().count(), 10);

    let (code, printed, problem) = doublepu(path, &["validate", "--data", "customers.yaml"]);
    assert_eq!(code, Some(0), "{problem}");
    assert!(printed.contains(SCHEMA), "{printed}");
    assert!(doublepu(path, &["plan", "customers.yaml"]).1.contains(SCHEMA));

    let (code, _, problem) = doublepu(path, &["run", "customers.yaml", "--out", "out"]);
    assert_eq!(code, Some(0), "{problem}");
    let page = std::fs::read_to_string(path.join("out/report.html")).unwrap();
    assert!(page.contains("identifier, declared") && page.contains("2015-01-01 to 2023-12-26"));
    let manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(path.join("out/manifest.json")).unwrap()).unwrap();
    let columns = &manifest["data"][0]["schema"][0]["columns"];
    assert_eq!((&columns[3]["kind"], &columns[3]["missing"]), (&"number".into(), &401.into()));
    assert_eq!(doublepu(path, &["verify", "out"]).0, Some(0));
}

#[test]
fn without_declarations_the_table_is_refused_one_doubt_after_the_other_and_shown_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("customers.csv"), customers()).unwrap();
    let bare: Vec<&str> =
        SPEC.lines().filter(|line| !line.starts_with("features") && !line.starts_with("  ")).collect();
    std::fs::write(path.join("bare.yaml"), bare.join("\n")).unwrap();
    let (code, _, problem) = doublepu(path, &["run", "bare.yaml", "--out", "out"]);
    assert_eq!(code, Some(3));
    assert!(
        problem.contains(
            "all 5000 values differ, as identifiers do: `K00001` (line 2), `K00002` (line 3), `K00003` (line 4)"
        ),
        "{problem}"
    );
    assert!(problem.contains("2 other columns are in doubt"), "{problem}");
    assert!(!path.join("out").exists(), "nothing is left behind");

    let (code, shown, _) = doublepu(path, &["data", "show", "customers.csv"]);
    assert_eq!(code, Some(0));
    for part in
        ["types: { Kundennummer: identifier }", "types: { Name: identifier }", "types: { PLZ: category }", "401"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

/// The identifiers of cells and their results are those of the stored reference results.
#[test]
fn the_built_in_data_gives_the_same_ids_and_the_same_bits_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let spec = root.join("experiments/bank_marketing.yaml");
    let arguments = ["run", spec.to_str().unwrap(), "--set", "seeds=2", "--out", "out"];
    let (code, _, problem) = doublepu(folder.path(), &arguments);
    assert_eq!(code, Some(0), "{problem}");
    let columns =
        ["cell", "seed", "roc_auc", "average_precision", "lift_at_10", "brier_score", "iterations", "objective"];
    let read = |path: &Path| -> Vec<Vec<String>> {
        let mut reader = csv::Reader::from_path(path).unwrap();
        let header = reader.headers().unwrap().clone();
        let place = |name: &&str| header.iter().position(|other| other == *name).unwrap();
        let places: Vec<usize> = columns.iter().map(place).collect();
        reader
            .records()
            .map(|row| places.iter().map(|place| row.as_ref().unwrap()[*place].to_string()).collect())
            .collect()
    };
    let reference = read(&root.join("results/reference/bank-marketing/cells.csv"));
    let cells = read(&folder.path().join("out/cells.csv"));
    assert_eq!(cells.len(), 18);
    for cell in cells {
        assert!(reference.contains(&cell), "{cell:?}");
    }
}
