//! A method in a program of its own, in any language. Its options come from the spec.

use crate::external::{Answer, Array, Program, Request, SourceFile, Trouble, ask, ask_alone};
use crate::learn::{
    Card, Failure, FailureKind, Fit, Labelled, Link, Observed, Options, Oracle, Prior, PriorUse, SampleNeed, Scorer,
    Scores, SignedMethod, Training,
};
use crate::math::matrix::Design;
use crate::math::risk::{EmptySample, Term};
use crate::methods::DoublePu;
use crate::text::interned;
use rand::Rng;
use rand::seq::SliceRandom;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

/// What a program is sent, besides the rows that it scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Permitted {
    /// D_Y
    Interest,
    /// D_U
    Unlabeled,
    /// D_L
    Loyal,
    /// beta and gamma
    Priors,
    /// The training set with the true W of each row. This makes the method an oracle.
    Labels,
}

/// What scores are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum ScoreKind {
    /// They rank people; above 0, a person is predicted to be a potential customer.
    #[default]
    Rank,
    /// They are `p(w = +1 | x)`.
    Probability,
}

/// Scores and the answer that they came in, or why there is none.
pub type Asked = Result<(Scores, Answer), Trouble>;

/// A method in another program: everything that decides its results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct External {
    pub name: String,
    pub command: Vec<String>,
    pub files: Vec<SourceFile>,
    pub uses: BTreeSet<Permitted>,
    pub scores: ScoreKind,
    pub options: BTreeMap<String, Value>,
    #[serde(skip)]
    pub setup: Setup,
}

/// How an external method is run, which does not decide its results.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// The folder of the spec.
    pub folder: PathBuf,
    pub timeout: Duration,
    /// In a sandbox, the files that it must not read.
    pub sandbox: Option<Vec<PathBuf>>,
}

impl Default for Setup {
    fn default() -> Self {
        Setup { folder: PathBuf::new(), timeout: Duration::from_secs(60), sandbox: None }
    }
}

impl Options for External {
    fn card(&self) -> Card {
        Card {
            name: interned(&self.name),
            what: "a method of the spec, in a program of its own",
            samples: if self.is_oracle() { "the training set with true labels" } else { "what the spec permits" },
            prior: if self.uses.contains(&Permitted::Priors) { PriorUse::BetaAndGamma } else { PriorUse::None },
            needs: SampleNeed::Any,
            source: "the spec",
        }
    }

    fn texts(&self) -> Vec<(&'static str, String)> {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), String::from);
        self.options.iter().map(|(key, value)| (interned(key), text(value))).collect()
    }
}

impl Scorer for External {
    fn fit_and_score(&self, training: &Training, rows: &[&Design]) -> Result<Scores, Failure> {
        self.scores(training, None, rows)
    }

    /// The risk of double PU learning, for a method that is given all that it is made of.
    fn terms_for_tuning<'a>(&self, seen: &'a Observed, prior: Option<Prior>) -> Option<Result<Vec<Term<'a>>, Failure>> {
        use Permitted::{Interest, Loyal, Priors, Unlabeled};
        let is_judged = [Interest, Unlabeled, Loyal, Priors].iter().all(|permitted| self.uses.contains(permitted));
        is_judged.then(|| DoublePu::default().terms(seen, prior))
    }
}

impl External {
    /// Whether it sees true labels of training rows.
    pub fn is_oracle(&self) -> bool {
        self.uses.contains(&Permitted::Labels)
    }

    /// What methods of one name share.
    pub fn without_options(&self) -> External {
        External { options: BTreeMap::new(), ..self.clone() }
    }

    /// The program that is started.
    pub fn program(&self) -> Program {
        let Setup { folder, timeout, sandbox } = self.setup.clone();
        let (name, command, files) = (self.name.clone(), self.command.clone(), self.files.clone());
        Program { name, command, files, folder, timeout, sandbox }
    }

    pub fn fit_and_score_with_labels(
        &self,
        training: &Training,
        oracle: &Oracle,
        rows: &[&Design],
    ) -> Result<Scores, Failure> {
        self.scores(training, Some(&oracle.train), rows)
    }

    /// The same by a worker of its own, with its whole log.
    pub fn ask_alone(
        &self,
        training: &Training,
        labelled: Option<&Labelled>,
        rows: &[&Design],
    ) -> Result<(Request, Asked), Failure> {
        self.ask(ask_alone, training, labelled, rows)
    }

    /// Sends the samples and the rows. Returns what was sent, and the scores with the answer that they came in.
    fn ask(
        &self,
        ask: fn(&Program, &Request) -> Result<Answer, Trouble>,
        training: &Training,
        labelled: Option<&Labelled>,
        rows: &[&Design],
    ) -> Result<(Request, Asked), Failure> {
        let width = training.observed.unlabeled.rows.width();
        let Shuffled { array, positions } = Shuffled::new("test", rows, width, training);
        let request = self.request(training, labelled, array)?;
        let asked = ask(&self.program(), &request).and_then(|answer| {
            self.refuse_impossible(&answer)?;
            let scores = Scores {
                scores: put_back(&answer.scores, &positions, rows),
                threshold: if self.scores == ScoreKind::Probability { 0.5 } else { 0.0 },
                link: (self.scores == ScoreKind::Probability).then_some(Link::Probability),
                fit: Fit { versions: answer.versions.clone(), ..Fit::default() },
                trained: None,
            };
            Ok((scores, answer))
        });
        Ok((request, asked))
    }

    fn scores(&self, training: &Training, labelled: Option<&Labelled>, rows: &[&Design]) -> Result<Scores, Failure> {
        let (_, asked) = self.ask(ask, training, labelled, rows)?;
        asked.map(|(scores, _)| scores).map_err(|trouble| {
            let Trouble { problem, .. } = &trouble;
            let log = trouble.last_lines();
            let log = if log.is_empty() { log } else { format!("\nits last lines: {log}") };
            let reason =
                format!("`{}`: {problem}; `doublepu try-method` shows everything that it wrote{log}", self.name);
            Failure { kind: FailureKind::ExternalMethod, reason }
        })
    }

    fn request(&self, training: &Training, labelled: Option<&Labelled>, test: Array) -> Result<Request, Failure> {
        let Observed { interest, unlabeled, loyal } = training.observed;
        let mut arrays = Vec::new();
        for (permitted, name, symbol, sample) in [
            (Permitted::Interest, "interest", "D_Y", interest),
            (Permitted::Unlabeled, "unlabeled", "D_U", unlabeled),
            (Permitted::Loyal, "loyal", "D_L", loyal),
        ] {
            if self.uses.contains(&permitted) {
                if sample.rows.rows() == 0 {
                    return Err(EmptySample { sample: symbol }.into());
                }
                arrays.push(Shuffled::new(name, &[&sample.rows], sample.rows.width(), training).array);
            }
        }
        if let Some(Labelled { rows, truth }) = labelled {
            arrays.push(Shuffled::new("train", &[rows], rows.width(), training).array);
            let mut bytes = vec![0; SIZE * truth.len()];
            for (is, position) in truth.iter().zip(shuffled("train", truth.len(), training)) {
                bytes[SIZE * position..SIZE * (position + 1)].copy_from_slice(&f64::from(u8::from(*is)).to_le_bytes());
            }
            arrays.push(Array { name: "labels", rows: truth.len(), columns: 1, bytes });
        }
        arrays.push(test);
        let prior = match self.uses.contains(&Permitted::Priors) {
            true => Some(training.needed_prior()?).map(|prior| [prior.beta(), prior.gamma()]),
            false => None,
        };
        Ok(Request {
            seed: training.stream(&self.name).next_u32() % 0x7fff_ffff,
            prior,
            options: Map::from_iter(self.options.clone()),
            columns: unlabeled.rows.names().to_vec(),
            arrays,
        })
    }

    /// Scores that cannot be ranked, or that are not what the spec says.
    fn refuse_impossible(&self, answer: &Answer) -> Result<(), Trouble> {
        let trouble = |problem: String| Err(Trouble { problem, log: answer.log.clone() });
        let (scores, count) = (&answer.scores, answer.scores.len());
        if let Some(score) = scores.iter().find(|score| !score.is_finite()) {
            let not_finite = scores.iter().filter(|score| !score.is_finite()).count();
            return trouble(format!("{not_finite} of {count} scores are {score} or the like"));
        }
        match scores.iter().find(|score| !(0.0..=1.0).contains(*score)) {
            Some(score) if self.scores == ScoreKind::Probability => {
                trouble(format!("a score is {score}, but `scores: probability` promises numbers from 0 to 1"))
            }
            _ => Ok(()),
        }
    }
}

/// Rows in a random order, because the order of a split, a simulation or a censored sample gives labels away.
struct Shuffled {
    array: Array,
    /// The position of each row.
    positions: Vec<usize>,
}

impl Shuffled {
    /// The rows of all designs, which have so many columns.
    fn new(name: &'static str, designs: &[&Design], columns: usize, training: &Training) -> Self {
        let rows = designs.iter().map(|design| design.rows()).sum();
        let (mut bytes, positions) = (vec![0; SIZE * rows * columns], shuffled(name, rows, training));
        let mut targets = positions.iter();
        for design in designs {
            for (row, position) in (0..design.rows()).zip(targets.by_ref()) {
                let target = &mut bytes[SIZE * columns * position..SIZE * columns * (position + 1)];
                // All others are zeros.
                for (column, value) in design.entries(row) {
                    target[SIZE * column..SIZE * (column + 1)].copy_from_slice(&value.to_le_bytes());
                }
            }
        }
        Shuffled { array: Array { name, rows, columns, bytes }, positions }
    }
}

/// The number of bytes of a value.
const SIZE: usize = size_of::<f64>();

/// A position for each row. Arrays of the same name and length have the same order.
fn shuffled(name: &str, rows: usize, training: &Training) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..rows).collect();
    positions.shuffle(&mut training.stream(&format!("order of {name}")));
    positions
}

/// The scores in the order of the designs.
fn put_back(scores: &[f64], positions: &[usize], designs: &[&Design]) -> Vec<Vec<f64>> {
    let mut rest = positions.iter();
    designs.iter().map(|design| rest.by_ref().take(design.rows()).map(|position| scores[*position]).collect()).collect()
}
