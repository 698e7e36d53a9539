//! The baseline file: a snapshot as text that people can read and git can compare.

use crate::data::sha256;
use crate::gate::pin::PinnedGate;
use crate::gate::snapshot::{DataHash, LineLabel, Snapshot, SnapshotCell, SnapshotLine, one_line};
use crate::gate::{CheckError, Obstacle};
use crate::math::metric::Metric;
use crate::run::{RunError, read_bounded};
use crate::spec::Demands;
use crate::text::{csv_bytes, formula_free, name_of_formula_free, presentable};
use std::collections::BTreeSet;
use std::path::Path;

/// Incremented when older programs can no longer read the file.
const FORMAT: u32 = 2;
/// Files of this format pin no gate.
const OLDEST_FORMAT: u32 = 1;
const MAX_BYTES: u64 = 256 << 20;
const FIRST_LINE: &str = "# doublepu baseline, format ";
const CHECKSUM: &str = "# sha256: ";
const COLUMNS: [&str; 6] = ["line", "setting", "method", "prior", "seed", "status"];

/// An accepted run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Baseline {
    pub snapshot: Snapshot,
    /// The gate that it was accepted with; `None` in files of earlier versions.
    pub gate: Option<PinnedGate>,
    /// Why worse or suspicious results were accepted, the oldest first.
    pub reasons: Vec<String>,
}

fn foreign() -> CheckError {
    CheckError::new(Obstacle::ForeignBaseline, "this is not a baseline", "give a file that `doublepu accept` wrote")
}

fn future(problem: String) -> CheckError {
    let remedy = "use the version of doublepu that wrote it, or a newer one";
    CheckError::new(Obstacle::FutureBaseline, format!("this baseline has {problem}"), remedy)
}

fn damaged(reason: impl Into<String>) -> CheckError {
    let problem = format!("this baseline is damaged: {}", presentable(&reason.into()));
    CheckError::new(
        Obstacle::DamagedBaseline,
        problem,
        "restore the file; or remove it and accept a run that you trust",
    )
}

impl Baseline {
    /// `None` if there is no such file.
    pub fn read(path: &Path) -> Result<Option<Self>, CheckError> {
        if std::fs::symlink_metadata(path).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
            return Ok(None);
        }
        let baseline = match read_bounded(path, MAX_BYTES) {
            Ok(bytes) => Baseline::parse(&bytes),
            Err(RunError::Io { reason, .. }) => {
                Err(CheckError::new(Obstacle::UnreadableBaseline, reason, "give a baseline that can be read"))
            }
            Err(_) => Err(foreign()),
        };
        baseline.map(Some).map_err(|error| error.at(path))
    }

    pub fn text(&self) -> csv::Result<String> {
        let Snapshot { experiment, spec_sha256, data, computed_by, metrics, lines } = &self.snapshot;
        let mut header = vec![
            format!("{FIRST_LINE}{FORMAT}; written by `doublepu accept`, not to be edited"),
            format!("# experiment: {experiment}"),
            format!("# spec: {spec_sha256}"),
        ];
        header.extend(data.iter().map(|DataHash { name, sha256 }| format!("# data: {sha256} {}", one_line(name))));
        header.extend(computed_by.iter().map(|by| format!("# computed by: {}", one_line(by))));
        for pinned in self.gate.iter().flat_map(|PinnedGate(methods)| methods) {
            let json = serde_json::to_string(&pinned).map_err(std::io::Error::from)?;
            header.push(format!("# gate: {json}"));
        }
        header.extend(self.reasons.iter().map(|reason| format!("# accepted because: {}", one_line(reason))));
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(COLUMNS.into_iter().chain(metrics.iter().map(|metric| metric.name())))?;
        for SnapshotLine { label: LineLabel { setting, method, prior }, key, cells } in lines {
            for SnapshotCell { seed, status, values } in cells {
                let names = [key.clone(), setting.clone(), method.clone(), formula_free("prior", prior)];
                let values = values.iter().map(|value| crate::text::exact(*value));
                writer.write_record(names.into_iter().chain([seed.to_string(), status.clone()]).chain(values))?;
            }
        }
        let rows = String::from_utf8_lossy(&csv_bytes(writer)?).into_owned();
        let header = header.join("\n");
        let checksum = checksum(&header, &rows);
        Ok(format!("{header}\n{CHECKSUM}{checksum}\n{rows}"))
    }

    pub fn parse(bytes: &[u8]) -> Result<Self, CheckError> {
        let text = std::str::from_utf8(bytes).map_err(|_| foreign())?;
        // Git may change the line endings of a text file.
        let text = text.replace("\r\n", "\n");
        if text.contains(FIRST_LINE) && text.lines().any(|line| line.starts_with("<<<<<<< ")) {
            return Err(damaged("it contains a merge conflict"));
        }
        let format = text.strip_prefix(FIRST_LINE).ok_or_else(foreign)?;
        let digits: String = format.chars().take_while(char::is_ascii_digit).collect();
        match digits.parse::<u32>() {
            Ok(OLDEST_FORMAT..=FORMAT) => {}
            Ok(format) if format > FORMAT => {
                return Err(future(format!("format {format}, and this program reads format {FORMAT}")));
            }
            _ => return Err(foreign()),
        }
        let (header, rest) =
            text.split_once(&format!("\n{CHECKSUM}")).ok_or_else(|| damaged("it ends before its checksum"))?;
        let (found, rows) = rest.split_once('\n').unwrap_or((rest, ""));
        if found != checksum(header, rows) {
            return Err(damaged("its checksum does not match: it was cut off or edited"));
        }
        let mut baseline = Baseline::default();
        header.lines().skip(1).try_for_each(|line| baseline.add_header(line))?;
        baseline.snapshot.add_rows(rows)?;
        Ok(baseline)
    }

    fn add_header(&mut self, line: &str) -> Result<(), CheckError> {
        let unknown = || damaged(format!("it has an unknown header line: {line}"));
        let (key, value) = line.strip_prefix("# ").and_then(|line| line.split_once(": ")).ok_or_else(unknown)?;
        let value = one_line(value);
        let snapshot = &mut self.snapshot;
        match key {
            "experiment" => snapshot.experiment = value,
            "spec" => snapshot.spec_sha256 = value,
            "data" => {
                let (sha256, name) = value.split_once(' ').ok_or_else(unknown)?;
                snapshot.data.push(DataHash { name: name.to_string(), sha256: sha256.to_string() });
            }
            "computed by" => snapshot.computed_by.push(value),
            "gate" => {
                let gate: serde_json::Result<(String, Demands<String>)> = serde_json::from_str(&value);
                let (method, demands) = gate.map_err(|error| match error.classify() {
                    serde_json::error::Category::Data => future(format!("a gate with other demands: {error}")),
                    _ => damaged(format!("its gate cannot be read: {error}")),
                })?;
                self.gate.get_or_insert_default().0.insert(method, demands);
            }
            "accepted because" | "accepted though worse" => self.reasons.push(value),
            _ => return Err(unknown()),
        }
        Ok(())
    }
}

impl Snapshot {
    fn add_rows(&mut self, rows: &str) -> Result<(), CheckError> {
        let unreadable = |error: csv::Error| damaged(error.to_string());
        let mut reader = csv::Reader::from_reader(rows.as_bytes());
        let columns = reader.headers().map_err(unreadable)?.clone();
        let metric = |name: &str| {
            let metric = Metric::ALL.into_iter().find(|metric| metric.name() == name);
            metric.ok_or_else(|| future(format!("a metric `{name}` that this program does not know")))
        };
        if !columns.iter().take(COLUMNS.len()).eq(COLUMNS) {
            return Err(damaged("its first columns are not the usual ones"));
        }
        self.metrics = columns.iter().skip(COLUMNS.len()).map(metric).collect::<Result<_, _>>()?;
        let mut labels = BTreeSet::new();
        for record in reader.records() {
            self.add_row(&record.map_err(unreadable)?, &mut labels)?;
        }
        if self.metrics.first() != Some(&Metric::RocAuc) || self.lines.is_empty() {
            return Err(damaged("it contains no ROC-AUC of any cell"));
        }
        Ok(())
    }

    /// The rows of a line are consecutive, in the order of their seeds.
    fn add_row(&mut self, record: &csv::StringRecord, labels: &mut BTreeSet<LineLabel>) -> Result<(), CheckError> {
        let wrong = |what: &str| damaged(format!("{what} in the row {}", record.iter().collect::<Vec<_>>().join(",")));
        let value = |text: &str| match text.parse() {
            _ if text.is_empty() => Ok(None),
            Ok(number) if f64::is_finite(number) => Ok(Some(number)),
            _ => Err(wrong("a value that is not a number")),
        };
        // The reader checks that every row has as many fields as the header.
        let field = |index: usize| one_line(record.get(index).unwrap_or_default());
        let key = field(0);
        let label = LineLabel { setting: field(1), method: field(2), prior: name_of_formula_free("prior", &field(3)) };
        let seed = field(4).parse().map_err(|_| wrong("a seed that is not a whole number"))?;
        let values = record.iter().skip(COLUMNS.len()).map(value).collect::<Result<_, _>>()?;
        let cell = SnapshotCell { seed, status: field(5), values };
        match self.lines.last_mut() {
            Some(line) if line.key == key && line.label == label => {
                if line.cells.last().is_some_and(|last| last.seed >= seed) {
                    return Err(wrong("a seed out of order"));
                }
                line.cells.push(cell);
            }
            _ if labels.insert(label.clone()) => self.lines.push(SnapshotLine { label, key, cells: vec![cell] }),
            _ => return Err(wrong("a line that occurs twice")),
        }
        Ok(())
    }
}

/// Of everything except its own line.
fn checksum(header: &str, rows: &str) -> String {
    sha256(format!("{header}\n{rows}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn baseline() -> Baseline {
        let cell = |seed: u32, values: [Option<f64>; 2]| SnapshotCell {
            seed,
            status: if values[0].is_some() { "ok" } else { "unbounded" }.to_string(),
            values: values.to_vec(),
        };
        let line = |method: &str, cells: Vec<SnapshotCell>| SnapshotLine {
            label: LineLabel { setting: "Z=a, \"b\"".into(), method: method.into(), prior: "true".into() },
            key: format!("{method} key"),
            cells,
        };
        let snapshot = Snapshot {
            experiment: "tiny".into(),
            spec_sha256: "abc".into(),
            data: vec![DataHash { name: "my people.csv".into(), sha256: "def".into() }],
            computed_by: vec!["doublepu 1, somewhere".into()],
            metrics: vec![Metric::RocAuc, Metric::BrierScore],
            lines: vec![
                line("double_pu", vec![cell(1, [Some(0.1 + 0.2), Some(-0.0)]), cell(2, [None, None])]),
                line("naive_pu", vec![cell(1, [Some(5e-324), None]), cell(7, [Some(1.0), Some(1e300)])]),
            ],
        };
        let demands = Demands {
            margins: vec![(Metric::RocAuc, 0.005)],
            rise: 0.03,
            at_least: Some(0.5),
            at_most: None,
            reach: vec![("naive_pu".into(), -0.02)],
        };
        let gate = Some(PinnedGate(BTreeMap::from([("double_pu".into(), demands)])));
        Baseline { snapshot, gate, reasons: vec!["the solver is faster".into(), "again".into()] }
    }

    fn damage(text: &str) -> String {
        Baseline::parse(text.as_bytes()).unwrap_err().to_string()
    }

    /// With a checksum that matches the changed text.
    fn signed(text: &str) -> String {
        let (header, rest) = text.split_once("\n# sha256: ").unwrap();
        let (_, rows) = rest.split_once('\n').unwrap();
        format!("{header}\n# sha256: {}\n{rows}", checksum(header, rows))
    }

    #[test]
    fn what_is_written_comes_back_bit_for_bit() {
        let text = baseline().text().unwrap();
        let back = Baseline::parse(text.as_bytes()).unwrap();
        assert_eq!(back, baseline());
        assert!(back.snapshot.says_the_same(&baseline().snapshot));
        assert_eq!(back.text().unwrap(), text);
        assert_eq!(signed(&text), text);
        // As git may check it out elsewhere.
        assert_eq!(Baseline::parse(text.replace('\n', "\r\n").as_bytes()).unwrap(), baseline());
        assert!(text.contains("double_pu,true,1,ok,0.30000000000000004,-0\n"), "{text}");
    }

    #[test]
    fn a_file_that_is_cut_off_anywhere_is_refused() {
        let text = baseline().text().unwrap();
        for end in 0..text.len() {
            assert!(Baseline::parse(&text.as_bytes()[..end]).is_err(), "{end}");
        }
    }

    #[test]
    fn every_kind_of_wrong_file_has_its_message() {
        let text = baseline().text().unwrap();
        assert_eq!(Baseline::parse(b"a,b\n1,2\n"), Err(foreign()));
        assert_eq!(Baseline::parse(b""), Err(foreign()));
        assert_eq!(Baseline::parse(&[0xff, 0xfe]), Err(foreign()));
        let future = text.replace("format 2", "format 3");
        let error = Baseline::parse(future.as_bytes()).unwrap_err();
        assert_eq!(error.obstacle, Obstacle::FutureBaseline);
        assert!(error.to_string().contains("has format 3,"), "{error}");
        assert!(damage(&text.replace("0.3000", "0.9000")).contains("cut off or edited"));
        assert!(damage(&text.replace("again", "and again")).contains("cut off or edited"));
        let conflict = text.replace("# doublepu", "<<<<<<< ours\n# doublepu");
        assert!(damage(&conflict).contains("merge conflict"));
        let unknown = signed(&text.replace("brier_score", "brier_scores"));
        assert!(damage(&unknown).contains("a metric `brier_scores` that this program does not know"));
        for (from, to, message) in [
            ("0.30000000000000004", "NaN", "a value that is not a number"),
            ("true,7,", "true,1,", "a seed out of order"),
            ("true,7,", "true,x,", "a seed that is not a whole number"),
            (",naive_pu,", ",double_pu,", "a line that occurs twice"),
            ("roc_auc", "f1", "no ROC-AUC"),
            ("setting,", "settings,", "its first columns"),
            ("true,7,", "true,7,7,", "found record with"),
            ("# spec: ", "# species: ", "unknown header line: # species: abc"),
        ] {
            let message_found = damage(&signed(&text.replace(from, to)));
            assert!(message_found.contains(message), "{message}: {message_found}");
        }
    }

    #[test]
    fn a_file_of_the_first_format_pins_no_gate_and_is_read() {
        let gate = |text: &str| text.lines().find(|line| line.starts_with("# gate: ")).unwrap().to_string();
        let text = baseline().text().unwrap();
        let expected = r#"# gate: ["double_pu",{"margins":[["roc_auc",0.005]],"rise":0.03,"at_least":0.5,"#;
        assert!(gate(&text).starts_with(expected), "{text}");
        let old = text.replace(&format!("{}\n", gate(&text)), "").replace("format 2;", "format 1;");
        let old = signed(&old.replace("# accepted because: ", "# accepted though worse: "));
        let expected = Baseline { gate: None, ..baseline() };
        assert_eq!(Baseline::parse(old.as_bytes()), Ok(expected));
        let unknown = signed(&text.replace("\"at_least\"", "\"at_night\""));
        assert_eq!(Baseline::parse(unknown.as_bytes()).unwrap_err().obstacle, Obstacle::FutureBaseline);
    }

    #[test]
    fn a_name_that_would_break_a_line_of_the_header_does_not() {
        let mut strange = baseline();
        strange.reasons = vec!["a\nb".into()];
        let back = Baseline::parse(strange.text().unwrap().as_bytes()).unwrap();
        assert_eq!(back.reasons, ["a\\u000ab"]);
    }
}
