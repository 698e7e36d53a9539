//! Every mistake has its exit code, says where it stands and what to do, and leaves earlier results alone.

use crate::{Desk, SPEC};

/// What to replace in the small spec, by what; the exit code; and what the message must say.
const MISTAKES: &[(&str, &str, i32, &[&str])] = &[
    // keys and types
    ("ridge: 0.01", "rigde: 0.01", 2, &["spec.yaml:11:34", "unknown key `rigde`", "did you mean `ridge`?", "`costs`"]),
    ("seeds: 3", "sedes: 3", 2, &["spec.yaml:9:1", "unknown key `sedes`", "did you mean `seeds`?"]),
    ("seeds: 3\n", "", 2, &["the key `seeds` is missing", "add `seeds: ...`"]),
    ("seeds: 3", "seeds: three", 2, &["spec.yaml:9:8", "found the string `three`"]),
    ("seeds: 3", "seeds: 2.5", 2, &["spec.yaml:9:8", "found the number 2.5"]),
    ("- naive_pu", "- naive_up", 2, &["spec.yaml:12:5", "unknown value `naive_up`", "did you mean `naive_pu`?"]),
    ("- random", "- random: { trees: 3 }", 2, &["spec.yaml:13:15", "unknown key `trees`"]),
    ("loss: logistic", "loss: [logistic, hinged]", 2, &["spec.yaml:11:35", "unknown value `hinged`", "`squared`"]),
    ("loss: logistic", "loss: []", 2, &["spec.yaml:11:24", "the list is empty"]),
    ("scheme: pools", "scheme: pool", 2, &["did you mean `pools`?"]),
    ("seeds: 3", "seeds: 3\nseeds: 4", 2, &["spec.yaml:10:1", "duplicate"]),
    ("seeds: 3", "seeds: [3", 2, &["spec.yaml:10:8"]),
    ("seeds: 3", "seeds: 3: 4", 2, &["spec.yaml:9:9", "9 | seeds: 3: 4"]),
    ("seeds: 3", "seeds: !foo 3", 2, &["unsupported tag"]),
    // values
    ("seeds: 3", "seeds: 0", 2, &["spec.yaml:9:8", "`seeds` is 0", "whole number from 1 to"]),
    ("seeds: 3", "seeds: 1000000000", 2, &["`seeds` is 1000000000", "whole number from 1 to"]),
    ("ridge: 0.01", "ridge: 1e308", 2, &["`ridge` is 1e308", "from 1e-12 to 1e12"]),
    ("ridge: 0.01", "ridge: .inf", 2, &["spec.yaml:11:41", "`ridge` is inf"]),
    ("ridge: 0.01", "costs: 100", 2, &["spec.yaml:11:41", "expected a map", "`false_negative`, `false_positive`"]),
    ("seeds: 3", "seeds: -1", 2, &["`seeds` is -1"]),
    ("beta: 0.4738", "beta: 1.2", 2, &["spec.yaml:8:20", "beta = 1.2 is not between 0 and 1", "0 <= gamma < beta < 1"]),
    ("gamma: 0.0046", "gamma: 0.6", 2, &["spec.yaml:8:35", "gamma = 0.6 is not below beta = 0.4738"]),
    ("gamma: 0.0046", "gamma: -0.1", 2, &["spec.yaml:8:35", "gamma = -0.1"]),
    ("gamma: 0.0046", "gamma: { times: -1 }", 2, &["spec.yaml:8:44", "is -1", "give 0, or a number"]),
    ("gamma: 0.0046", "gamma: { time: 1 }", 2, &["unknown key `time`", "did you mean `times`?"]),
    ("ridge: 0.01", "ridge: -1", 2, &["spec.yaml:11:41", "`ridge` is -1"]),
    ("ridge: 0.01", "costs: { false_positive: 0 }", 2, &["the costs are 1.0 and 0.0", "above 0"]),
    ("test: 0.2", "test: 1.5", 2, &["spec.yaml:6:34", "`test` is 1.5"]),
    ("loyal: 0.8", "loyal: 0.9", 2, &["the pools take 1.1", "must add up to at most 1"]),
    ("loyal: 0.8", "hide_loyalty: 0.5", 2, &["`hide_loyalty` does not belong to the scheme pools"]),
    ("unlabeled: 0.1", "unlabeled: all", 2, &["in the scheme pools, `unlabeled` must be a share"]),
    ("experiment: small", "experiment: ../../etc", 2, &["spec.yaml:1:13", "cannot be the name of an experiment"]),
    ("- random", "- naive_pu: { ridge: 0.01 }", 2, &["`naive_pu` is listed twice with the same options"]),
    ("column: default", "column: deposit", 2, &["interest and loyalty both name the column `deposit`"]),
    ("source: bank-marketing", "source: bank-marketin", 2, &["did you mean `bank-marketing`?"]),
    ("source: bank-marketing", "source: simulation", 2, &["a simulation has no columns"]),
    (
        "seeds: 3",
        "seeds: 3\ncompare: double",
        2,
        &["spec.yaml:10:10", "no method here is called `double`", "naive_pu; random"],
    ),
    ("seeds: 3", "seeds: 3\ngate: { margin: 0 }", 2, &["spec.yaml:10:17", "`margin` is 0", "above 0"]),
    ("seeds: 3", "seeds: 3\ngate: { margins: 1 }", 2, &["unknown key `margins`", "did you mean `margin`?"]),
    ("seeds: 3", "seeds: 3\ngate: { metrics: { f1: 0.1 } }", 2, &["spec.yaml:10:24", "`f1` is not among the metrics"]),
    ("seeds: 3", "seeds: 3\ngate: { metrics: { f2: 0.1 } }", 2, &["spec.yaml:10:20", "unknown value `f2`"]),
    ("seeds: 3", "seeds: 3\nmetrics: [f1]\ngate: { metrics: { f1: -1 } }", 2, &["the margin in f1 is -1.0"]),
    (
        "seeds: 3",
        "seeds: 3\ngate: { metrics: { roc_auc: 1 } }",
        2,
        &["the margin in roc_auc does not belong under `metrics`", "give it as `margin`"],
    ),
    ("seeds: 3", "seeds: 3\ngate: { methods: { two: { margin: 1 } } }", 2, &["`margin` is 1", "above 0 and below 1"]),
    ("seeds: 3", "seeds: 3\ngate: { methods: { two: { at_least: 1 } } }", 2, &["no method here is called `two`"]),
    ("seeds: 3", "seeds: 3\ngate: { methods: { random: { at_least: 2 } } }", 2, &["`at_least` is 2", "from 0 to 1"]),
    ("seeds: 3", "seeds: 3\ngate: { methods: { random: {} } }", 2, &["there is no demand on `random`", "`at_most`"]),
    (
        "seeds: 3",
        "seeds: 3\ngate: { methods: { random: { at_least: 0.6, at_most: 0.6 } } }",
        2,
        &["`at_least` is 0.6 and `at_most` is 0.6 for random", "give an `at_most` above `at_least`"],
    ),
    ("seeds: 3", "seeds: 3\ngate: { rise: 0 }", 2, &["`rise` is 0.0", "give a share above 0 and below 1"]),
    (
        "seeds: 3",
        "seeds: 3\ngate: { order: [random] }",
        2,
        &["spec.yaml:10:17", "`random` is not an order of two methods"],
    ),
    ("seeds: 3", "seeds: 3\ngate: { order: [random >= rand] }", 2, &["no method here is called `rand`"]),
    ("seeds: 3", "seeds: 3\ngate: { order: [random >= random] }", 2, &["both sides of the order are the same"]),
    ("seeds: 3", "seeds: 3\ngate: { order: [random >= naive_pu - x] }", 2, &["`x` is not an allowance in ROC-AUC"]),
    (
        "seeds: 3",
        "seeds: 3\npaper: [{ method: random, metric: roc_auc, value: 7 }]",
        2,
        &["spec.yaml:10:", "7.0 is not a possible ROC-AUC", "the number that the paper prints"],
    ),
    (
        "seeds: 3",
        "seeds: 3\npaper: [{ method: random, metric: roc_auc, value: 0.6013, printed_digits: 2 }]",
        2,
        &["spec.yaml:10:", "0.6013 has more digits than `printed_digits`, which is 2"],
    ),
    (
        "seeds: 3",
        "seeds: 3\npaper: [{ method: random, metric: roc_auc, value: 0.6, printed_digits: 16 }]",
        2,
        &["`printed_digits` is 16", "a whole number from 0 to 15"],
    ),
    ("seeds: 3", "seeds: 3\ndifference: 0", 2, &["spec.yaml:10:13", "`difference` is 0", "above 0 and below 1"]),
    ("seeds: 3", "seeds: 3\ncompare: 7", 2, &["spec.yaml:10:10", "found the number 7"]),
    (
        "- random",
        "- double_pu: { ridge: 1 }\ncompare: double_pu",
        2,
        &[
            "spec.yaml:14:10",
            "2 methods here are called `double_pu`",
            "give one of: double_pu ridge=0.01; double_pu ridge=1",
        ],
    ),
    // methods
    (
        "- naive_pu",
        "- naive_pu: { ridge: { tune: [0.1] } }",
        2,
        &["spec.yaml:12:32", "`tune` needs several values to choose"],
    ),
    (
        "- naive_pu",
        "- naive_pu: { ridge: { tune: 0.1 } }",
        2,
        &["spec.yaml:12:32", "give a list of two or more values"],
    ),
    ("- random", "- oracle_logistic: { ridge: { tune: [1, 2] } }", 2, &["`oracle_logistic` cannot be tuned"]),
    ("- random", "- bagging_pu: { bags: { tune: [1, 2] } }", 2, &["`bagging_pu` cannot be tuned", "give a value"]),
    (
        "- naive_pu",
        "- naive_pu: { costs: { tune: [{ false_positive: 1 }, { false_positive: 2 }] } }",
        2,
        &["spec.yaml:12:33", "costs cannot be tuned"],
    ),
    ("- random", "- bagging_pu: { bags: 0 }", 2, &["spec.yaml:13:25", "`bags` is 0"]),
    ("- naive_pu", "- naive_pu: { correction: paper }", 2, &["this method has no correction", "use `naive_nnpu`"]),
    ("- naive_pu", "- naive_nnpu: { correction: none }", 2, &["`naive_nnpu` without correction is `naive_pu`"]),
    (
        "- naive_pu",
        "- naive_pu: { ridge: { tune: [1, 1] } }",
        2,
        &["spec.yaml:12:5", "`tune` lists the same value twice"],
    ),
    ("test: 0.2", "test: { tune: [0.1, 0.2] }", 2, &["spec.yaml:6:34", "only options of methods can be tuned"]),
    (
        "- random",
        "- elkan_noto",
        2,
        &["spec.yaml:13:5", "`elkan_noto` cannot learn from samples drawn like this", "scheme: censoring"],
    ),
    ("- random", "- set_difference_pu", 2, &["cannot learn from samples drawn like this", "loyal: within_interest"]),
    ("ridge: 0.01", "optimizer: closed_form", 2, &["`closed_form` cannot minimise anything but the squared loss"]),
    ("ridge: 0.01", "optimizer: newton, correction: paper", 2, &["`newton` cannot minimise a corrected risk"]),
    (
        "ridge: 0.01",
        "optimizer: lbfgs, correction: kiryo",
        2,
        &["`lbfgs` cannot minimise a risk with the correction `kiryo`", "`first_order`"],
    ),
    ("ridge: 0.01", "optimizer: newton, model: network", 2, &["cannot minimise the risk of a network"]),
    ("ridge: 0.01", "model: { network: { hidden: 0 } }", 2, &["spec.yaml:11:62", "`hidden` is 0", "from 1 to 10000"]),
    ("ridge: 0.01", "model: { network: { rate: .nan } }", 2, &["`rate` is NaN"]),
    ("ridge: 0.01", "model: { rbf: { width: wide } }", 2, &["expected a number, or `median`", "`wide`"]),
    ("ridge: 0.01", "model: { rbf: { width: -1 } }", 2, &["`width` is -1.0", "give `median`"]),
    ("ridge: 0.01", "model: tree", 2, &["spec.yaml:11:41", "unknown value `tree`", "`linear`, `rbf`, `network`"]),
    ("loyal: 0.8", "loyal: within", 2, &["a share, or `within_interest`", "`within`"]),
    // hostile YAML
    ("seeds: 3", "seeds: &a [*a]", 2, &["spec.yaml:9:12", "an alias refers to a node that contains it"]),
    ("seeds: 3", "seeds: 3\0", 2, &["spec.yaml:9:9", "unexpected character"]),
    ("experiment: small", "experiment: \"a\\0b\"", 2, &["spec.yaml:1:13", "holds a control character"]),
    ("positive: \"yes\"", "positive: \"\\e[31m\"", 2, &["spec.yaml:4:42", "holds a control character"]),
    ("experiment: small", "experiment: /tmp/elsewhere", 2, &["spec.yaml:1:13", "cannot be the name of an experiment"]),
    ("experiment: small", "experiment: ..", 2, &["spec.yaml:1:13", "cannot be the name of an experiment"]),
    ("seeds: 3", "---\nseeds: 3", 2, &["multiple YAML documents"]),
    // data
    ("source: bank-marketing", "source: ./missing.csv", 3, &["missing.csv", "cannot be read", "help:"]),
    (
        "source: bank-marketing",
        "source: ./no-label.csv",
        3,
        &["there is no column `deposit`", "the columns are: age, default"],
    ),
    (
        "source: bank-marketing",
        "source: ./ragged.csv",
        3,
        &["ragged.csv", "line 3 has 4 fields where the header has 3"],
    ),
    ("source: bank-marketing", "source: ./short.csv", 3, &["short.csv", "line 3 has 2 fields where the header has 3"]),
    ("source: bank-marketing", "source: ./broken.parquet", 3, &["broken.parquet", "help:"]),
    ("source: bank-marketing", "source: ./empty.csv", 3, &["empty.csv", "help:"]),
    ("source: bank-marketing", "source: ./", 3, &["is not a file"]),
    ("source: bank-marketing", "source: ./header.csv", 3, &["header.csv: holds no rows"]),
    ("source: bank-marketing", "source: ./twice.csv", 3, &["line 1: the header names column `age` twice"]),
    ("source: bank-marketing", "source: ./nameless.csv", 3, &["line 1: the header names an empty column"]),
    (
        "source: bank-marketing",
        "source: ./words.csv",
        3,
        &[
            "words.csv: column `age` is doubtful: texts among values that are mostly numbers: `seven` (line 9)",
            "exclude",
        ],
    ),
    ("source: bank-marketing", "source: ./infinite.csv", 3, &["`-inf` (line 9)", "not finite"]),
    (
        "source: bank-marketing",
        "source: ./not-a-number.csv",
        3,
        &["line 9: column `age` has no value", "{ age: median }"],
    ),
    ("source: bank-marketing", "source: ./nul.csv", 3, &["nul.csv: line 9 holds a NUL byte"]),
    ("source: bank-marketing", "source: ./latin-1.csv", 3, &["latin-1.csv: line 9 is not UTF-8 text", "as UTF-8"]),
    ("source: bank-marketing", "source: ./binary.csv", 3, &["binary.csv: line 2 is not UTF-8 text"]),
    (
        "source: bank-marketing",
        "source: ./quote.csv",
        3,
        &["quote.csv: line 9 opens a quotation mark that is never closed"],
    ),
    (
        "source: bank-marketing",
        "source: ./names.csv",
        3,
        &["column `name` is doubtful: all 6000 values differ", "`n0` (line 2)", "{ name: identifier }"],
    ),
    (
        "dataset:\n  source: bank-marketing",
        "features: { types: { name: category } }\ndataset:\n  source: ./names.csv",
        3,
        &["column `name` alone has 6000, one for each category", "add `name` to `features.exclude`"],
    ),
    (
        "source: bank-marketing",
        "source: ./wide.csv",
        3,
        &["have 6001 columns, but at most 5000 are allowed", "too many numeric columns"],
    ),
    ("source: bank-marketing", "source: ./huge.csv", 3, &["has 5000000000 bytes, but a data file may have at most"]),
    ("source: bank-marketing", "source: ./escape.csv", 3, &["`\\u001b[31mred` (line 9)"]),
    (
        "positive: \"yes\" }\n  loyalty",
        "positive: \"Yes\" }\n  loyalty",
        3,
        &["holds the positive value `Yes`", "one of its values: `no` (5873), `yes` (5289)"],
    ),
    ("column: default", "column: defualt", 3, &["there is no column `defualt`", "did you mean `default`?"]),
    ("dataset:\n", "features: { exclude: [agee] }\ndataset:\n", 3, &["no column `agee`", "did you mean `age`?"]),
    (
        "source: bank-marketing\n",
        "source: ./no-label.csv\n  sha256: \"0000000000000000000000000000000000000000000000000000000000000000\"\n",
        3,
        &["no-label.csv", "has the sha256", "the spec requires 0000"],
    ),
];

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("no-label.csv", "age,default\n30,yes\n40,no\n");
    desk.write("ragged.csv", "age,default,deposit\n30,yes,no\n40,no,yes,1\n");
    desk.write("short.csv", "age,default,deposit\n30,yes,no\n40,no\n");
    desk.write("broken.parquet", "PAR1 is how a Parquet file begins, but not how it goes on PAR1");
    desk.write("empty.csv", "");
    desk.write("header.csv", "age,default,deposit\n");
    desk.write("twice.csv", "age,age,deposit\n1,2,3\n");
    desk.write("nameless.csv", "age,,deposit\n1,2,3\n");
    let people = |seventh: &str| {
        let line = |row: usize| match row {
            7 => format!("{seventh},yes,no\n"),
            _ => format!("{},{},{}\n", row % 90, ["yes", "no"][row % 2], ["yes", "no"][row % 3 / 2]),
        };
        "age,default,deposit\n".to_string() + &(0..200).map(line).collect::<String>()
    };
    desk.write("words.csv", &people("seven"));
    desk.write("infinite.csv", &people("-inf"));
    desk.write("not-a-number.csv", &people("NaN"));
    desk.write("nul.csv", &people("7\0"));
    desk.write("quote.csv", &people("\"7"));
    desk.write("escape.csv", &people("\u{1b}[31mred"));
    let bytes = |name: &str, bytes: Vec<u8>| std::fs::write(desk.path(name), bytes).unwrap();
    bytes("latin-1.csv", people("caf@").into_bytes().into_iter().map(|c| if c == b'@' { 0xe9 } else { c }).collect());
    bytes("binary.csv", (0..=255).collect::<Vec<u8>>().repeat(9));
    let names: String = (0..6000)
        .map(|row| format!("n{row},{}", &people("7").lines().nth(row % 200 + 1).unwrap()))
        .map(|line| line + "\n")
        .collect();
    desk.write("names.csv", &format!("name,age,default,deposit\n{names}"));
    let wide = |first: &str, rest: &str| {
        first.to_string() + &(0..6000).map(|n| rest.replace('n', &n.to_string())).collect::<String>() + "\n"
    };
    let rows: String = people("7").lines().skip(1).map(|line| wide(line, ",1")).collect();
    desk.write("wide.csv", &(wide("age,default,deposit", ",cn") + &rows));
    // A sparse file takes no space on the disk.
    std::fs::File::create(desk.path("huge.csv")).unwrap().set_len(5_000_000_000).unwrap();
    desk
}

#[test]
fn every_mistake_has_its_exit_code_and_says_what_to_do() {
    let desk = desk();
    for (right, wrong, code, fragments) in MISTAKES {
        assert!(SPEC.contains(right), "{right:?} is not in the spec");
        desk.write("spec.yaml", &SPEC.replacen(right, wrong, 1));
        let ended = desk.doublepu(&["run", "spec.yaml"]);
        assert_eq!(ended.code, *code, "{wrong:?}: {}", ended.stderr);
        assert_eq!(ended.stdout, "", "{wrong:?}");
        for fragment in *fragments {
            assert!(ended.stderr.contains(fragment), "{wrong:?} should say {fragment:?}:\n{}", ended.stderr);
        }
        assert!(!desk.path("results").exists(), "{wrong:?} left something behind");
    }
}

#[test]
fn a_mistake_is_shown_as_a_compiler_would() {
    let desk = Desk::new();
    desk.write("spec.yaml", &SPEC.replace("ridge: 0.01", "rigde: 0.01"));
    assert_eq!(
        desk.doublepu(&["validate", "spec.yaml"]).stderr,
        "error: unknown key `rigde`
  --> spec.yaml:11:34
   |
11 |   - double_pu: { loss: logistic, rigde: 0.01 }
   |                                  ^^^^^
   |
   = help: did you mean `ridge`? the keys allowed here are: `loss`, `correction`, `costs`, `ridge`, `model`, `optimizer`
"
    );
}

#[test]
fn earlier_results_stay_as_they_were() {
    let desk = desk();
    desk.write("spec.yaml", SPEC);
    assert_eq!(desk.doublepu(&["run", "spec.yaml"]).code, 0);
    let journal = desk.path("results/runs/small/journal.jsonl").display().to_string();
    let mut before = desk.snapshot("results");
    for (right, wrong, code, _) in MISTAKES {
        desk.write("spec.yaml", &SPEC.replacen(right, wrong, 1));
        assert_eq!(desk.doublepu(&["run", "spec.yaml", "--fresh"]).code, *code);
    }
    let mut after = desk.snapshot("results");
    // The journal also records commands that failed.
    let [stored, grown] = [before.remove(&journal).unwrap(), after.remove(&journal).unwrap()];
    let records = String::from_utf8(grown.strip_prefix(&*stored).unwrap().to_vec()).unwrap();
    assert!(records.lines().all(|line| !line.contains("{\"outcome\"")), "{records}");
    assert!(after == before);
}

#[test]
fn a_mistake_on_the_command_line_is_shown_there() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    let ended = desk.doublepu(&["run", "spec.yaml", "--set", "seeds=0"]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("--> --set:1:7") && ended.stderr.contains("1 | seeds=0"), "{}", ended.stderr);
    for (arguments, fragment) in [
        (&["run", "spec.yaml", "--set", "seeds"][..], "there is no `=`"),
        (&["run", "spec.yaml", "--set", "methods.9.x=1"], "not an index in a list of 3"),
        (&["run", "nowhere.yaml"], "nowhere.yaml: cannot be read"),
        (&["run", "."], "is not a file"),
        (&["run", "spec.yaml", "--jobs", "0"], "--jobs"),
        (&["run", "spec.yaml", "--jobs", "99999"], "--jobs"),
        (&["runn"], "run"),
    ] {
        let ended = desk.doublepu(arguments);
        assert_eq!(ended.code, 2, "{arguments:?}");
        assert!(ended.stderr.contains(fragment), "{arguments:?}: {}", ended.stderr);
    }
}

#[test]
fn lists_that_unfold_without_end_are_refused_at_once() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    let numbers: Vec<String> = (1..=3000).map(|number| format!("{number}e-4")).collect();
    let numbers = numbers.join(", ");
    for set in [
        format!("methods.0.double_pu.ridge=[{numbers}]"),
        format!("sampling={{ scheme: censoring, hide_interest: [{numbers}], hide_loyalty: [{numbers}] }}"),
        format!("priors=[{{ a: {{ beta: {{ times: [{numbers}] }}, gamma: {{ times: [{numbers}] }} }} }}]"),
    ] {
        let ended = desk.doublepu(&["plan", "spec.yaml", "--set", &set]);
        assert_eq!(ended.code, 2);
        assert!(ended.stderr.contains("these lists expand to more than 1000"), "{}", &ended.stderr[..200]);
    }
}

#[test]
fn specs_that_are_no_text_or_no_end_are_refused() {
    let desk = Desk::new();
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_string();
    for level in 1..12 {
        bomb += &format!("a{level}: &a{level} [{}]\n", format!("*a{}, ", level - 1).repeat(10));
    }
    let nested: String = (0..2000).map(|depth| " ".repeat(depth % 500) + "a:\n").collect();
    let cases: [(&str, Vec<u8>, &[&str]); 9] = [
        ("empty", b"".to_vec(), &["found nothing", "the keys allowed here are"]),
        ("large", vec![b'#'; (1 << 20) + 1], &["has 1048577 bytes, but a spec may have at most 1048576"]),
        ("latin-1", b"experiment: a\nseeds: \xe9\n".to_vec(), &["line 2 is not UTF-8 text"]),
        ("utf-16", "experiment: a".encode_utf16().flat_map(u16::to_be_bytes).collect(), &["unexpected character"]),
        ("brackets", b"a: ".iter().copied().chain(vec![b'['; 500_000]).collect(), &["nested too deeply"]),
        ("braces", format!("a: {}", "{a: ".repeat(100_000)).into_bytes(), &["nested too deeply"]),
        ("indents", nested.into_bytes(), &["error: "]),
        ("bomb", bomb.into_bytes(), &["this expands to too much data"]),
        ("word", vec![b'a'; 1 << 20], &["found the string `aaaa", " ... "]),
    ];
    for (name, bytes, fragments) in cases {
        std::fs::write(desk.path("spec.yaml"), bytes).unwrap();
        let ended = desk.doublepu(&["run", "spec.yaml"]);
        assert_eq!(ended.code, 2, "{name}: {}", ended.stderr);
        assert!(fragments.iter().all(|fragment| ended.stderr.contains(fragment)), "{name}: {}", ended.stderr);
        assert!(ended.stderr.len() < 5000, "{name} says too much");
        assert!(!desk.path("results").exists());
    }
}

#[cfg(unix)]
#[test]
fn pipes_are_not_waited_for_and_what_may_not_be_read_or_written_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    assert_eq!(desk.doublepu(&["run", "spec.yaml", "--out", "done"]).code, 0);
    assert!(desk.in_folder("mkfifo").arg("pipe.csv").status().unwrap().success());
    desk.write("pipe.yaml", &SPEC.replace("source: bank-marketing", "source: ./pipe.csv"));
    for name in [".lock", "journal.jsonl", "manifest.json"] {
        std::fs::create_dir(desk.path(&format!("with-{name}"))).unwrap();
        desk.write(&format!("with-{name}/.doublepu-run"), "");
        assert!(desk.in_folder("mkfifo").arg(format!("with-{name}/{name}")).status().unwrap().success());
    }
    desk.write("secret.csv", "age,default,deposit\n1,yes,no\n");
    desk.write("secret.yaml", &SPEC.replace("source: bank-marketing", "source: ./secret.csv"));
    desk.write("closed.yaml", SPEC);
    std::fs::create_dir(desk.path("read-only")).unwrap();
    for (name, mode) in
        [("secret.csv", 0o000), ("closed.yaml", 0o000), ("read-only", 0o555), ("done/journal.jsonl", 0o000)]
    {
        std::fs::set_permissions(desk.path(name), std::fs::Permissions::from_mode(mode)).unwrap();
    }
    for (arguments, code, fragment) in [
        (&["run", "pipe.csv"][..], 2, "pipe.csv: is not a file"),
        (&["run", "pipe.yaml"], 3, "pipe.csv: is not a file"),
        (&["run", "spec.yaml", "--out", "with-.lock"], 5, "with-.lock/.lock: is not a file"),
        (&["run", "spec.yaml", "--out", "with-journal.jsonl"], 5, "with-journal.jsonl/journal.jsonl: is not a file"),
        (&["verify", "with-manifest.json"], 5, "with-manifest.json/manifest.json: is not a file"),
        (&["merge", "with-manifest.json", "--out", "out"], 5, "with-manifest.json/manifest.json: is not a file"),
        (&["run", "closed.yaml"], 2, "closed.yaml: cannot be read: Permission denied"),
        (&["run", "secret.yaml"], 3, "secret.csv: cannot be read: Permission denied"),
        (&["run", "spec.yaml", "--out", "read-only"], 5, "read-only/.doublepu-run: Permission denied"),
        (&["run", "spec.yaml", "--out", "read-only/new"], 5, "read-only/new: Permission denied"),
        (&["run", "spec.yaml", "--out", "done"], 5, "done/journal.jsonl: Permission denied"),
        (&["verify", "done"], 5, "done/journal.jsonl: Permission denied"),
        (&["merge", "done", "--out", "out"], 5, "done/journal.jsonl: Permission denied"),
    ] {
        let ended = desk.ended(&mut desk.without_privileges(arguments));
        assert_eq!(ended.code, code, "{arguments:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(fragment) && ended.stderr.contains("help: "), "{arguments:?}: {}", ended.stderr);
        assert!(!desk.path("out").exists() && !desk.path("results").exists(), "{arguments:?}");
    }
}

#[cfg(unix)]
impl Desk {
    /// The program without an administrator's right to read and write everything.
    fn without_privileges(&self, arguments: &[&str]) -> std::process::Command {
        use std::os::unix::fs::MetadataExt;
        let is_administrator = std::fs::metadata(self.path("")).unwrap().uid() == 0;
        let mut command = if is_administrator { self.in_folder("setpriv") } else { self.command() };
        if is_administrator {
            let rights = "-dac_override,-dac_read_search";
            command.args([&format!("--bounding-set={rights}"), &format!("--inh-caps={rights}")]);
            command.arg(env!("CARGO_BIN_EXE_doublepu"));
        }
        command.args(arguments);
        command
    }
}

#[cfg(unix)]
#[test]
fn links_in_the_output_folder_do_not_lead_out_of_it() {
    use std::os::unix::fs::symlink;
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    let link = |target: &str, name: &str| {
        let path = desk.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(desk.path(target), path).unwrap();
    };
    desk.write("precious", "mine");
    std::fs::create_dir(desk.path("elsewhere")).unwrap();
    desk.write("elsewhere/mine.svg", "mine");
    // A link in the place of a table of the last report is replaced by the table; one that would be followed is refused.
    desk.well(&["run", "spec.yaml", "--out", "out"]);
    std::fs::remove_file(desk.path("out/cells.csv")).unwrap();
    link("precious", "out/cells.csv");
    link("precious", "out/.manifest.json.new");
    link("elsewhere", "out/.doublepu-new");
    desk.well(&["run", "spec.yaml", "--out", "out", "--set", "seeds=2"]);
    assert!(desk.read("out/cells.csv").starts_with("cell,"));
    // Nothing lists this one.
    std::fs::remove_file(desk.path("out/manifest.json")).unwrap();
    link("precious", "out/manifest.json");
    let ended = desk.doublepu(&["run", "spec.yaml", "--out", "out"]);
    assert!(ended.code == 5 && ended.stderr.contains("would be replaced"), "{}", ended.stderr);
    for name in ["journal.jsonl", "journal.fresh.jsonl", ".lock", "plots"] {
        let out = format!("with-{name}");
        link(if name == "plots" { "elsewhere" } else { "precious" }, &format!("{out}/{name}"));
        desk.write(&format!("{out}/.doublepu-run"), "");
        let ended = desk.doublepu(&["run", "spec.yaml", "--out", &out]);
        assert_eq!(ended.code, 5, "{name}: {}", ended.stderr);
        let what = if name == "plots" { "is not a folder" } else { "is not a file" };
        assert!(ended.stderr.contains(&format!("{out}/{name}: {what}")), "{}", ended.stderr);
    }
    assert_eq!(desk.read("precious"), "mine");
    assert_eq!(desk.snapshot("elsewhere").len(), 1);
}

#[test]
fn a_damaged_journal_and_a_folder_that_cannot_be_written_end_with_5() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    assert_eq!(desk.doublepu(&["run", "spec.yaml", "--out", "out"]).code, 0);
    let journal = desk.read("out/journal.jsonl");
    desk.write("out/journal.jsonl", &journal.replacen('{', "<", 1));
    let ended = desk.doublepu(&["run", "spec.yaml", "--out", "out"]);
    assert_eq!(ended.code, 5);
    assert!(
        ended
            .stderr
            .contains("out/journal.jsonl: line 1, which starts at byte 0, is damaged: its checksum does not match"),
        "{}",
        ended.stderr
    );

    desk.write("file", "");
    let ended = desk.doublepu(&["run", "spec.yaml", "--out", "file/out"]);
    assert_eq!(ended.code, 5, "{}", ended.stderr);
}
