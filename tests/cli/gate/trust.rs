//! What `check` and `accept` do not trust: cells of other builds, unfinished runs, laxer gates, results that are too good,
//! methods that always fail, and baselines that change in between.

use super::{SPEC, small};
use crate::Desk;
use doublepu::data::sha256;
use doublepu::gate::Baseline;
use doublepu::math::metric::Metric;
use serde_json::Value;

impl Desk {
    fn run_with(&self, set: &str) {
        self.well(&["run", "spec.yaml", "--out", "run", "--set", set]);
    }

    fn accept(&self, more: &[&str]) -> crate::Ended {
        self.doublepu(&[&["accept", "run", "--baseline", "base.csv"], more].concat())
    }

    /// What `check` says in every format if it judges nothing.
    fn refuses(&self, outcome: &str, fragments: &[&str]) {
        let ended = self.check(&["--junit", "junit.xml", "--markdown", "summary.md"]);
        assert_eq!(ended.code, 5, "{}{}", ended.stdout, ended.stderr);
        for fragment in fragments {
            assert!(ended.stderr.contains(fragment), "{fragment}: {}", ended.stderr);
        }
        assert_eq!(self.checked(5)["outcome"], outcome);
        assert!(self.read("junit.xml").contains(&format!("type=\"{outcome}\"")));
        assert!(self.read("summary.md").starts_with("## doublepu check: nothing was judged"));
        let mut command = self.command();
        let on_github = command.args(["check", "run", "--baseline", "base.csv"]).env("GITHUB_ACTIONS", "true");
        assert!(self.ended(on_github).stderr.contains("::error title=doublepu check%3A nothing was judged::"));
        let base = self.read("base.csv");
        let accepted = self.accept(&["--allow-worse", "--because", "we want it"]);
        assert_eq!(accepted.code, 5, "{}", accepted.stderr);
        assert!(self.read("base.csv") == base);
    }

    fn checked_in(&self, code: i32, pointer: &str) -> Value {
        self.checked(code).pointer(pointer).unwrap_or_else(|| panic!("{pointer}")).clone()
    }
}

#[test]
fn cells_of_another_build_are_judged_only_on_request() {
    let desk = Desk::with_baseline(SPEC);
    let sources = |json: &str| {
        let start = json.find("\"sources\":\"").map(|start| start + "\"sources\":\"".len());
        start.map_or(json.to_string(), |start| format!("{}ffffffffffff{}", &json[..start], &json[start + 12..]))
    };
    desk.forge("run/journal.jsonl", sources);
    let problem = "another build of doublepu computed cells of this run: doublepu ";
    desk.refuses("other_build", &[problem, "run it again with --fresh", "--allow-other-build"]);
    for verb in ["check", "accept"] {
        desk.well(&[verb, "run", "--baseline", "base.csv", "--allow-other-build"]);
    }
    // A plain `run` keeps these cells and says so; `--fresh` replaces them.
    let reused = desk.well(&["run", "spec.yaml", "--out", "run"]);
    assert!(reused.stderr.contains("another build"), "{}", reused.stderr);
    assert_eq!(desk.check(&[]).code, 5);
    desk.well(&["run", "spec.yaml", "--out", "run", "--fresh"]);
    assert_eq!(desk.check(&[]).code, 0);
}

#[test]
fn cells_whose_build_is_not_recorded_are_those_of_another_build() {
    let desk = Desk::with_baseline(SPEC);
    desk.forge("run/journal.jsonl", |json| json.replacen("\"sources\":", "\"other\":", 1));
    desk.refuses("other_build", &["another build of doublepu computed cells"]);
}

#[test]
fn earlier_results_do_not_pass_for_those_of_a_command_that_failed() {
    let desk = Desk::with_baseline(SPEC);
    for (set, code) in [
        ("seeds=none", 2),
        ("dataset={source: ./nowhere.csv, interest: {column: a, positive: 1}, loyalty: {column: b, positive: 1}}", 3),
    ] {
        let failed = desk.doublepu(&["run", "spec.yaml", "--out", "run", "--set", set]);
        assert_eq!(failed.code, code, "{}", failed.stderr);
        let problem =
            "its results are not final: the last command failed, was killed, or is still running: doublepu run";
        desk.refuses("unfinished_run", &[problem, "help: complete it: doublepu run spec.yaml --out run"]);
        desk.well(&["run", "spec.yaml", "--out", "run"]);
        assert_eq!(desk.check(&[]).code, 0);
    }
}

#[cfg(unix)]
#[test]
fn earlier_results_do_not_pass_for_those_of_a_run_that_was_killed_or_interrupted() {
    let length = |desk: &Desk| std::fs::metadata(desk.path("run/journal.jsonl")).unwrap().len();
    for (signal, problem) in
        [("-KILL", "was killed, or is still running"), ("-INT", "the last command was interrupted")]
    {
        let desk = Desk::with_baseline(SPEC);
        let before = length(&desk);
        let mut run = desk.start(&["run", "spec.yaml", "--out", "run", "--set", "seeds=20000"]);
        while length(&desk) < before + 2000 {
            assert!(run.try_wait().unwrap().is_none(), "it ended by itself");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        desk.refuses("unfinished_run", &["its results are not final"]);
        desk.signal(&run, signal);
        run.wait().unwrap();
        desk.refuses("unfinished_run", &[problem]);
        desk.well(&["run", "spec.yaml", "--out", "run"]);
        assert_eq!(desk.checked(0)["same_bits"], true);
    }
}

#[test]
fn a_laxer_gate_than_that_of_the_baseline_fails_until_it_is_accepted() {
    let desk = Desk::with_baseline(SPEC);
    desk.shift("double_pu", Metric::RocAuc, |seed| 0.05 + small(seed));
    assert_eq!(desk.check(&[]).code, 10);
    desk.run_with("gate={margin: 0.4}");
    let ended = desk.check(&["--junit", "junit.xml", "--markdown", "summary.md"]);
    assert_eq!(ended.code, 10);
    let sentence = "double_pu: the margin in ROC-AUC is 0.4; the baseline was accepted with 0.005.";
    let headline =
        "tiny: regressed. Of 3 demands: 3 passed; the gate is laxer than that of the baseline; 20 of 30 cells";
    assert!(ended.stdout.contains(&format!("laxer gate: {sentence}")), "{}", ended.stdout);
    assert!(ended.stdout.contains(headline), "{}", ended.stdout);
    assert!(ended.stderr.contains("help: restore the gate of the spec; or accept"), "{}", ended.stderr);
    assert_eq!(desk.read("junit.xml").matches("type=\"laxer_gate\"").count(), 3);
    assert!(desk.read("summary.md").contains("- laxer gate: "));
    let laxer = desk.checked_in(10, "/gate/laxer/0");
    let expected =
        serde_json::json!({ "method": "double_pu", "demand": "margin", "of": "roc_auc", "pinned": 0.005, "now": 0.4 });
    assert_eq!(laxer, expected);
    let mut command = desk.command();
    let on_github = command.args(["check", "run", "--baseline", "base.csv"]).env("GITHUB_ACTIONS", "true");
    assert!(desk.ended(on_github).stderr.contains("::error title=doublepu check%3A laxer gate::double_pu: "));

    let base = desk.read("base.csv");
    for more in [&[][..], &["--allow-suspicious", "--because", "too good"]] {
        let refused = desk.accept(more);
        assert_eq!(refused.code, 10);
        assert!(
            refused.stderr.contains(sentence) && refused.stderr.contains("--allow-worse --because"),
            "{}",
            refused.stderr
        );
        assert!(desk.read("base.csv") == base);
    }
    assert_eq!(desk.accept(&["--allow-worse", "--because", "a rough check is enough"]).code, 0);
    let reasons = Baseline::parse(desk.read("base.csv").as_bytes()).unwrap().reasons;
    assert!(reasons[0].starts_with(&format!("a rough check is enough [{sentence}")), "{reasons:?}");
    assert_eq!(desk.check(&[]).code, 0);
    // A stricter gate passes, and the next baseline has it.
    desk.run_with("gate={margin: 0.01, methods: {random: {at_least: 0.4}}}");
    assert_eq!(desk.checked_in(0, "/gate"), serde_json::json!({ "pinned": true, "laxer": [] }));
    let updated = desk.accept(&[]);
    assert!(updated.stdout.contains("Updated base.csv: 30 of 30 cells have the same values."), "{}", updated.stdout);
    desk.run_with("gate={margin: 0.01, methods: {random: {at_least: 0.3}}}");
    assert_eq!(desk.checked_in(10, "/gate/laxer/0/demand"), "at_least");
    desk.run_with("gate={margin: 0.01}");
    assert!(desk.check(&[]).stdout.contains("random: `at_least` is gone; the baseline was accepted with 0.4."));
}

#[test]
fn a_pinned_demand_follows_a_method_that_is_called_otherwise() {
    let gate =
        "gate:\n  order: [double_pu >= naive_pu + 0.01]\n  methods: { double_pu: { at_most: 0.999, rise: 0.02 } }\n";
    let desk = Desk::with_baseline(&format!("{SPEC}{gate}"));
    // With another `double_pu` beside it, the label tells which one it is.
    let methods = "methods=[double_pu: { ridge: [0.01, 0.5] }, naive_pu, random]";
    let order = "gate.order=[double_pu ridge=0.01 >= naive_pu]";
    let ended = desk.doublepu(&["run", "spec.yaml", "--out", "run", "--set", methods, "--set", order]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let refused = desk.accept(&[]);
    assert_eq!(refused.code, 10);
    let sentence =
        "laxer gate: double_pu ridge=0.01: the allowance against naive_pu is 0; the baseline was accepted with -0.01.";
    assert!(refused.stderr.contains(sentence), "{}", refused.stderr);
    assert_eq!(refused.stderr.matches("laxer gate: ").count(), 1, "{}", refused.stderr);
}

#[test]
fn a_baseline_of_an_earlier_version_still_works_and_says_that_it_pins_no_gate() {
    let desk = Desk::with_baseline(SPEC);
    let text = desk.read("base.csv").replace("format 2;", "format 1;");
    let lines = text.lines().filter(|line| !line.starts_with("# gate: ")).map(|line| format!("{line}\n"));
    let (header, rest) =
        lines.collect::<String>().split_once("# sha256: ").map(|(a, b)| (a.to_string(), b.to_string())).unwrap();
    let rows = rest.split_once('\n').unwrap().1;
    let checksum = sha256(format!("{header}{rows}").as_bytes());
    desk.write("base.csv", &format!("{header}# sha256: {checksum}\n{rows}"));
    let ended = desk.check(&[]);
    assert_eq!(ended.code, 0);
    assert_eq!(ended.stdout, "tiny: passed. Of 3 demands: 3 passed; all 30 cells are the same, to the bit.\n");
    assert!(ended.stderr.contains("pins no gate") && ended.stderr.contains("doublepu accept RUN --baseline FILE"));
    assert_eq!(desk.checked_in(0, "/gate/pinned"), false);
    assert!(desk.accept(&[]).stdout.contains("Updated base.csv: 30 of 30 cells have the same values."));
    assert_eq!((desk.checked_in(0, "/gate/pinned"), desk.check(&[]).stderr), (true.into(), String::new()));
}

#[test]
fn an_unexplained_rise_is_suspicious_until_it_is_accepted() {
    let desk = Desk::with_baseline(SPEC);
    desk.shift("naive_pu", Metric::RocAuc, |seed| -0.05 - small(seed));
    let ended = desk.check(&["--junit", "junit.xml", "--markdown", "summary.md"]);
    assert_eq!(ended.code, 13, "{}", ended.stdout);
    assert!(ended.stdout.contains("tiny: suspicious. Of 3 demands: 1 suspicious, 2 passed;"), "{}", ended.stdout);
    assert!(ended.stdout.contains("; a rise above 0.03 is suspicious until it is accepted."), "{}", ended.stdout);
    assert!(ended.stderr.contains("help: look for labels that leak"), "{}", ended.stderr);
    assert!(desk.read("junit.xml").contains("type=\"suspicious\""));
    assert!(desk.read("summary.md").starts_with("## doublepu check: suspicious\n"));
    let json = desk.checked(13);
    let finding = &json["findings"][1];
    assert_eq!((&json["outcome"], &finding["verdict"]), (&"suspicious".into(), &"suspicious".into()));
    assert!(finding["p_suspicious_holm"].as_f64().unwrap() < 0.05);
    assert_eq!(finding["demand"], serde_json::json!({ "not_worse": { "margin": 0.005, "rise": 0.03 } }));

    let base = desk.read("base.csv");
    for more in [&[][..], &["--allow-worse", "--because", "it may be worse"]] {
        let refused = desk.accept(more);
        assert_eq!(refused.code, 13);
        assert!(refused.stderr.contains("accept it with --allow-suspicious --because"), "{}", refused.stderr);
        assert!(desk.read("base.csv") == base);
    }
    assert_eq!(desk.accept(&["--allow-suspicious"]).code, 2);
    assert_eq!(desk.accept(&["--allow-suspicious", "--because", "the solver converges now"]).code, 0);
    let reasons = Baseline::parse(desk.read("base.csv").as_bytes()).unwrap().reasons;
    assert!(
        reasons[0].starts_with("the solver converges now [naive_pu, prior true: mean ROC-AUC went from "),
        "{reasons:?}"
    );
    assert_eq!(desk.check(&[]).code, 0);

    // A ceiling is one whatever the baseline.
    desk.run_with("gate={methods: {random: {at_most: 0.4}}}");
    let ended = desk.check(&[]);
    assert_eq!(ended.code, 13);
    assert!(ended.stdout.contains("ROC-AUC at most 0.4  suspicious"), "{}", ended.stdout);
    let accepted = desk.accept(&[]);
    assert!(accepted.stderr.contains("note: `check` does not pass with any baseline: random"), "{}", accepted.stderr);
}

#[test]
fn a_method_whose_cells_all_fail_cannot_be_judged_and_accept_says_so() {
    let desk = Desk::new();
    // Nobody is in D_L, so that double_pu has nothing to learn from.
    let spec = SPEC.replace("count: 100, mean: [1, 1]", "count: 1, mean: [1, 1]");
    desk.write("spec.yaml", &spec.replace("{ scheme: censoring }", "{ scheme: censoring, hide_loyalty: 1 }"));
    assert_eq!(desk.doublepu(&["run", "spec.yaml", "--out", "run"]).code, 4);
    let note = "note: `check` cannot tell with this baseline: every cell of double_pu, prior true failed";
    let accepted = desk.accept(&[]);
    assert!(accepted.code == 0 && accepted.stderr.contains(note), "{}", accepted.stderr);
    let ended = desk.check(&[]);
    assert_eq!(ended.code, 11);
    let remark = "cannot tell: double_pu, prior true: no seed has a ROC-AUC, and none had one in the baseline; cells.csv has \
                  the reasons.";
    assert!(ended.stdout.contains(remark), "{}", ended.stdout);
    assert!(ended.stderr.contains("help: repair the method whose cells all fail"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("set more seeds"), "{}", ended.stderr);
    assert_eq!(desk.checked_in(11, "/findings/0/verdict"), "cannot_tell");
    // Nothing changed, so there is nothing to refuse.
    let again = desk.accept(&[]);
    assert!(
        again.code == 0 && again.stderr.contains(note) && again.stdout.contains("is not changed"),
        "{}",
        again.stderr
    );
}

#[cfg(unix)]
#[test]
fn an_accept_waits_for_another_one_and_keeps_its_reason() {
    let desk = Desk::with_baseline(SPEC);
    desk.shift("double_pu", Metric::RocAuc, |seed| 0.02 + small(seed));
    // Another process has begun to replace the baseline.
    let other = doublepu::run::Replacement::begin(&desk.path("base.csv")).unwrap();
    let mut accept =
        desk.start(&["accept", "run", "--baseline", "base.csv", "--allow-worse", "--because", "the second reason"]);
    std::thread::sleep(std::time::Duration::from_millis(500));
    let mut baseline = Baseline::parse(desk.read("base.csv").as_bytes()).unwrap();
    baseline.reasons.push("the first reason".to_string());
    other.finish(baseline.text().unwrap().as_bytes()).unwrap();
    assert!(accept.wait().unwrap().success());
    let reasons = Baseline::parse(desk.read("base.csv").as_bytes()).unwrap().reasons;
    assert!(reasons.len() == 2 && reasons[1].starts_with("the second reason ["), "{reasons:?}");
}

#[cfg(unix)]
#[test]
fn killed_accepts_leave_nothing_behind_once_one_has_ended() {
    use rand::RngExt;
    let desk = Desk::with_baseline(SPEC);
    let start = std::time::Instant::now();
    desk.well(&["accept", "run", "--baseline", "base.csv"]);
    let whole = start.elapsed();
    let mut random = doublepu::sample::stream(&["moments of accept"]);
    for _ in 0..50 {
        std::fs::remove_file(desk.path("base.csv")).ok();
        let mut accept = desk.start(&["accept", "run", "--baseline", "base.csv"]);
        std::thread::sleep(whole.mul_f64(random.random_range(0.3..1.0)));
        desk.signal(&accept, "-KILL");
        accept.wait().unwrap();
        let whole_or_missing = std::fs::read(desk.path("base.csv")).map_or(true, |text| Baseline::parse(&text).is_ok());
        assert!(whole_or_missing);
    }
    desk.well(&["accept", "run", "--baseline", "base.csv"]);
    std::fs::remove_file(desk.path("base.csv")).unwrap();
    desk.well(&["accept", "run", "--baseline", "base.csv"]);
    let entries = std::fs::read_dir(desk.path("")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = entries.map(|name| name.to_str().unwrap().to_string()).collect();
    names.sort();
    assert_eq!(names, ["base.csv", "run", "spec.yaml"]);
}

#[test]
fn a_stored_value_that_no_cell_can_have_is_refused_with_its_cell() {
    let desk = Desk::with_baseline(SPEC);
    let journal = desk.read("run/journal.jsonl");
    for (key, value, problem) in
        [("\"expected\":", "-1e308", "a calibration bin has "), ("\"roc_auc\":", "1e308", "its ROC-AUC is 1e308")]
    {
        let edit = |json: &str| {
            let Some(at) = json.find(key).map(|at| at + key.len()).filter(|_| json.contains("\"expected\"")) else {
                return json.to_string();
            };
            let end = at + json[at..].find([',', '}']).unwrap();
            format!("{}{value}{}", &json[..at], &json[end..])
        };
        desk.write("run/journal.jsonl", &journal);
        desk.forge("run/journal.jsonl", edit);
        for command in
            [&["report", "run"][..], &["check", "run", "--baseline", "base.csv"], &["run", "spec.yaml", "--out", "run"]]
        {
            let start = std::time::Instant::now();
            let ended = desk.doublepu(command);
            assert_eq!(ended.code, 5, "{command:?}: {}", ended.stderr);
            assert!(
                ended.stderr.contains("cannot be what a program computed") && ended.stderr.contains(problem),
                "{}",
                ended.stderr
            );
            let cells = desk.read("run/cells.csv");
            let id = ended.stderr.split("damaged: cell ").nth(1).unwrap().split(' ').next().unwrap();
            assert!(cells.lines().any(|line| line.starts_with(&format!("{id},")) && line.contains("_pu")), "{id}");
            assert!(start.elapsed().as_secs() < 20);
        }
    }
}
