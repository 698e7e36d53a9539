//! The rows of `cells.csv` and `cells.parquet`: every value of a cell that is the same from run to run, at full precision.

use crate::learn::{Failure, Fit};
use crate::math::metric::Metric;
use crate::run::{Outcome, SampleSizes, Scored};
use crate::spec::{Cell, Experiment, SweptKey};
use crate::text::exact;
use std::fmt;

/// What the fields of a column are, unless they are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    Whole,
    Number,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CellColumn {
    pub name: String,
    pub kind: Kind,
}

/// A value in a row; its text is empty if it is missing.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    Missing,
    Text(String),
    Whole(u64),
    Number(f64),
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Field::Missing => Ok(()),
            Field::Text(text) => f.write_str(text),
            Field::Whole(number) => write!(f, "{number}"),
            Field::Number(number) => write!(f, "{number}"),
        }
    }
}

impl Field {
    fn text(text: Option<impl ToString>) -> Self {
        Some(exact(text)).filter(|text| !text.is_empty()).map_or(Field::Missing, Field::Text)
    }

    fn whole(number: Option<impl TryInto<u64>>) -> Self {
        number.and_then(|number| number.try_into().ok()).map_or(Field::Missing, Field::Whole)
    }

    fn number(number: Option<f64>) -> Self {
        number.map_or(Field::Missing, Field::Number)
    }

    /// A text, as a number if its column has numbers.
    fn of_kind(kind: Kind, text: Option<&String>) -> Self {
        match kind {
            Kind::Text => Field::text(text),
            Kind::Whole => Field::whole(text.and_then(|text| text.parse::<u64>().ok())),
            Kind::Number => Field::number(text.and_then(|text| text.parse().ok())),
        }
    }
}

/// The columns of an experiment's cells, and what is needed to fill them in.
pub struct CellTable<'a> {
    experiment: &'a Experiment,
    swept: Vec<(SweptKey, Kind)>,
    /// The names of all options of all methods.
    options: Vec<(&'static str, Kind)>,
}

impl<'a> CellTable<'a> {
    pub fn of(experiment: &'a Experiment) -> Self {
        let kind_of_key = |key: SweptKey| {
            let kind = kind(key.values.iter().flatten());
            (key, kind)
        };
        let methods: Vec<_> = experiment.methods.iter().map(|method| method.method.options()).collect();
        let mut options: Vec<&'static str> = Vec::new();
        for (name, _) in methods.iter().flatten() {
            if !options.contains(name) {
                options.push(name);
            }
        }
        let kind_of_option = |name: &'static str| {
            let values = methods.iter().flatten().filter(|(other, _)| *other == name).map(|(_, text)| text);
            (name, kind(values))
        };
        let swept = experiment.swept_keys().into_iter().map(kind_of_key).collect();
        CellTable { experiment, swept, options: options.into_iter().map(kind_of_option).collect() }
    }

    pub fn columns(&self) -> Vec<CellColumn> {
        let column = |name: &str, kind: Kind| CellColumn { name: name.to_string(), kind };
        let texts = |names: &[&str]| names.iter().map(|name| column(name, Kind::Text)).collect::<Vec<_>>();
        let wholes = |names: &[&str]| names.iter().map(|name| column(name, Kind::Whole)).collect::<Vec<_>>();
        let numbers = |names: &[&str]| names.iter().map(|name| column(name, Kind::Number)).collect::<Vec<_>>();
        let mut columns = texts(&["cell", "setting"]);
        columns.extend(self.swept.iter().map(|(swept, kind)| column(&format!("setting_{}", swept.key), *kind)));
        columns.extend(texts(&["label", "method", "options"]));
        columns.extend(self.options.iter().map(|(name, kind)| column(&format!("option_{name}"), *kind)));
        columns.extend(texts(&["prior"]));
        columns.extend(numbers(&["beta", "gamma"]));
        columns.extend(wholes(&["seed"]));
        columns.extend(texts(&["status"]));
        columns.extend(numbers(&Metric::ALL.map(Metric::name)));
        columns.extend(texts(&["ending", "optimizer"]));
        columns.extend(wholes(&["iterations"]));
        columns.extend(numbers(&["objective", "gradient_norm", "relative_gradient"]));
        columns.extend(wholes(&["starts"]));
        columns.extend(numbers(&["lowest_objective", "highest_objective"]));
        columns.extend(texts(&["convex", "bounded", "tuned"]));
        columns.extend(wholes(&["rows_interest", "rows_unlabeled", "rows_loyal", "rows_train", "rows_test"]));
        columns.extend(texts(&["reason"]));
        columns
    }

    /// A field for each column.
    pub fn row(&self, cell: &Cell, outcome: &Outcome) -> Vec<Field> {
        let (scored, failure) = (outcome.result.as_ref().ok(), outcome.result.as_ref().err());
        let mut row = self.identity(cell);
        row.extend([
            Field::number(outcome.prior.map(|prior| prior.beta())),
            Field::number(outcome.prior.map(|prior| prior.gamma())),
            Field::whole(Some(cell.seed)),
            Field::text(Some(failure.map_or("ok", |failure| failure.kind.name()))),
        ]);
        row.extend(Metric::ALL.map(|metric| Field::number(scored.and_then(|scored| scored.metric(metric)))));
        row.extend(of_fit(scored, failure));
        let sizes = |SampleSizes { interest, unlabeled, loyal, train, test }| [interest, unlabeled, loyal, train, test];
        row.extend(
            outcome
                .sizes
                .map_or([const { Field::Missing }; 5], |rows| sizes(rows).map(|size| Field::whole(Some(size)))),
        );
        row.push(Field::text(failure.map(Failure::summary)));
        row
    }

    /// What the cell is, up to the name of its prior.
    fn identity(&self, cell: &Cell) -> Vec<Field> {
        let method = &self.experiment.methods[cell.method].method;
        let options = method.options();
        let option = |name: &str| options.iter().find(|(other, _)| *other == name).map(|(_, text)| text);
        let written: Vec<String> = options.iter().map(|(name, text)| format!("{name}={text}")).collect();
        let [setting, label, prior] = self.experiment.csv_line(cell.line());
        let mut row = vec![Field::text(Some(&cell.id)), Field::text(Some(setting))];
        row.extend(self.swept.iter().map(|(swept, kind)| Field::of_kind(*kind, swept.values[cell.setting].as_ref())));
        row.extend([Field::text(Some(label)), Field::text(Some(method.name())), Field::text(Some(written.join(" ")))]);
        row.extend(self.options.iter().map(|(name, kind)| Field::of_kind(*kind, option(name))));
        row.push(Field::text(Some(prior)));
        row
    }
}

/// How the fit ended.
fn of_fit(scored: Option<&Scored>, failure: Option<&Failure>) -> [Field; 12] {
    let fit: Option<&Fit> = scored.map(|scored| &scored.fit);
    let starts = fit.and_then(|fit| fit.starts);
    let without_minimum = failure.filter(|failure| failure.kind.has_no_minimum()).map(|_| "no");
    [
        Field::text(fit.map(|fit| fit.ending.word())),
        Field::text(fit.and_then(|fit| fit.optimizer).map(|optimizer| optimizer.name())),
        Field::whole(fit.and_then(|fit| fit.iterations)),
        Field::number(fit.and_then(|fit| fit.objective)),
        Field::number(fit.and_then(|fit| fit.gradient_norm)),
        Field::number(fit.and_then(|fit| fit.relative_gradient)),
        Field::whole(starts.map(|starts| starts.count)),
        Field::number(starts.map(|starts| starts.lowest)),
        Field::number(starts.map(|starts| starts.highest)),
        Field::text(fit.and_then(|fit| fit.convex).map(|convex| if convex { "yes" } else { "no" })),
        Field::text(fit.and_then(|fit| fit.bounded.as_ref()).map(|bounded| bounded.word()).or(without_minimum)),
        Field::text(fit.and_then(|fit| fit.tuned.as_ref())),
    ]
}

/// The narrowest kind that all of some texts have.
fn kind<'a>(texts: impl Iterator<Item = &'a String> + Clone) -> Kind {
    if texts.clone().all(|text| text.parse::<u64>().is_ok()) {
        return Kind::Whole;
    }
    let is_number = |text: &String| text.parse().is_ok_and(f64::is_finite);
    if texts.clone().all(is_number) { Kind::Number } else { Kind::Text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_numbers_only_if_all_of_its_texts_are_numbers() {
        let kind_of = |texts: &[&str]| kind(texts.iter().map(|text| text.to_string()).collect::<Vec<_>>().iter());
        assert_eq!(kind_of(&["30", "5"]), Kind::Whole);
        assert_eq!(kind_of(&["30", "0.01", "1e-12"]), Kind::Number);
        for texts in [&["0.01", "tune(0.01, 1)"][..], &["inf", "1"], &["1:1"], &["-"]] {
            assert_eq!(kind_of(texts), Kind::Text, "{texts:?}");
        }
        assert_eq!(Field::of_kind(Kind::Number, Some(&"0.01".to_string())).to_string(), "0.01");
        assert_eq!(Field::of_kind(Kind::Whole, None), Field::Missing);
    }
}
