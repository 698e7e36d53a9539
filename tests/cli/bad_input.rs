//! Every mistake has its exit code, says where it stands and what to do, and leaves earlier results alone.

use crate::{Desk, SPEC};

/// What to replace in the small spec, by what; the exit code; and what the message must say.
const MISTAKES: &[(&str, &str, i32, &[&str])] = &[
    // keys and types
    ("ridge: 0.01", "rigde: 0.01", 2, &["spec.yaml:11:34", "unknown key `rigde`", "did you mean `ridge`?", "`costs`"]),
    ("seeds: 3", "sedes: 3", 2, &["spec.yaml:9:1", "unknown key `sedes`", "did you mean `seeds`?"]),
    ("seeds: 3\n", "", 2, &["the key `seeds` is missing", "add `seeds: ...`"]),
    ("seeds: 3", "seeds: three", 2, &["spec.yaml:9:8", "found the text `three`"]),
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
    ("loyal: 0.8", "loyal: 0.9", 2, &["the pools take 1.1", "add up to 1"]),
    ("loyal: 0.8", "hide_loyalty: 0.5", 2, &["`hide_loyalty` does not belong to the scheme pools"]),
    ("unlabeled: 0.1", "unlabeled: all", 2, &["for pools, `unlabeled` is a share"]),
    ("experiment: small", "experiment: ../../etc", 2, &["spec.yaml:1:13", "cannot name an experiment"]),
    ("- random", "- naive_pu: { ridge: 0.01 }", 2, &["`naive_pu` stands here twice with the same options"]),
    ("column: default", "column: deposit", 2, &["interest and loyalty are both the column `deposit`"]),
    ("source: bank-marketing", "source: bank-marketin", 2, &["did you mean `bank-marketing`?"]),
    ("source: bank-marketing", "source: simulation", 2, &["a simulation has no columns"]),
    (
        "seeds: 3",
        "seeds: 3\ncompare: double",
        2,
        &["spec.yaml:10:10", "no method here is called `double`", "naive_pu; random"],
    ),
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
        &["spec.yaml:12:32", "`tune` needs something to choose"],
    ),
    ("- naive_pu", "- naive_pu: { ridge: { tune: 0.1 } }", 2, &["spec.yaml:12:32", "give a list of two values"]),
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
    ("ridge: 0.01", "optimizer: lbfgs, correction: kiryo", 2, &["what `kiryo` follows", "`first_order`"]),
    ("ridge: 0.01", "optimizer: newton, model: network", 2, &["cannot minimise the risk of a network"]),
    ("ridge: 0.01", "model: { network: { hidden: 0 } }", 2, &["spec.yaml:11:62", "`hidden` is 0", "from 1 to 10000"]),
    ("ridge: 0.01", "model: { network: { rate: .nan } }", 2, &["`rate` is NaN"]),
    ("ridge: 0.01", "model: { rbf: { width: wide } }", 2, &["expected a number, or `median`", "`wide`"]),
    ("ridge: 0.01", "model: { rbf: { width: -1 } }", 2, &["`width` is -1.0", "give `median`"]),
    ("ridge: 0.01", "model: tree", 2, &["spec.yaml:11:41", "unknown value `tree`", "`linear`, `rbf`, `network`"]),
    ("loyal: 0.8", "loyal: within", 2, &["a share, or `within_interest`", "`within`"]),
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
    (
        "positive: \"yes\" }\n  loyalty",
        "positive: \"Yes\" }\n  loyalty",
        3,
        &["holds `Yes`", "one of its values: no, yes"],
    ),
    ("column: default", "column: defualt", 3, &["there is no column `defualt`", "did you mean `default`?"]),
    ("dataset:\n", "features: { exclude: [agee] }\ndataset:\n", 3, &["no column `agee`", "did you mean `age`?"]),
    (
        "source: bank-marketing\n",
        "source: ./no-label.csv\n  sha256: \"0000000000000000000000000000000000000000000000000000000000000000\"\n",
        3,
        &["no-label.csv", "has the sha256", "the spec demands 0000"],
    ),
];

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("no-label.csv", "age,default\n30,yes\n40,no\n");
    desk.write("ragged.csv", "age,default,deposit\n30,yes,no\n40,no,yes,1\n");
    desk.write("short.csv", "age,default,deposit\n30,yes,no\n40,no\n");
    desk.write("broken.parquet", "PAR1 is how a Parquet file begins, but not how it goes on PAR1");
    desk.write("empty.csv", "");
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
    let before = desk.snapshot("results");
    for (right, wrong, code, _) in MISTAKES {
        desk.write("spec.yaml", &SPEC.replacen(right, wrong, 1));
        assert_eq!(desk.doublepu(&["run", "spec.yaml", "--fresh"]).code, *code);
    }
    assert_eq!(desk.snapshot("results"), before);
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
        (&["run", "spec.yaml", "--set", "methods.9.x=1"], "not a place in a list of 3"),
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
        assert!(ended.stderr.contains("these lists make more than 1000"), "{}", &ended.stderr[..200]);
    }
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
    assert!(ended.stderr.contains("journal.jsonl: line 1 is damaged"), "{}", ended.stderr);

    desk.write("file", "");
    let ended = desk.doublepu(&["run", "spec.yaml", "--out", "file/out"]);
    assert_eq!(ended.code, 5, "{}", ended.stderr);
}
