//! AUC against the factor by which a prior is wrong.

use crate::analysis::Line;
use crate::learn::PriorUse;
use crate::math::metric::Metric;
use crate::report::plot::sweep::{AucBySweep, Curve};
use crate::report::plot::title_of_setting;
use crate::spec::{Experiment, NamedPrior, PriorBase, PriorSource};

/// Which prior is swept.
#[derive(Clone, Copy, PartialEq)]
pub enum Swept {
    Beta,
    Gamma,
}

impl Swept {
    pub fn name(self) -> &'static str {
        match self {
            Swept::Beta => "beta",
            Swept::Gamma => "gamma",
        }
    }

    /// What a method must use at least to depend on this prior.
    fn least_use(self) -> PriorUse {
        match self {
            Swept::Beta => PriorUse::Beta,
            Swept::Gamma => PriorUse::BetaAndGamma,
        }
    }

    /// The factor of a prior that is wrong in no other way that the method would notice, and what it is a factor of.
    fn factor(self, prior: &NamedPrior, used: PriorUse) -> Option<(f64, PriorBase)> {
        let (swept, other) = match self {
            Swept::Beta => (prior.beta, prior.gamma),
            Swept::Gamma => (prior.gamma, prior.beta),
        };
        let PriorSource::Multiple { times, of } = swept else { return None };
        let other_is_right = other == PriorSource::Multiple { times: 1.0, of };
        let other_is_ignored = self == Swept::Beta && used == PriorUse::Beta;
        (other_is_right || other_is_ignored).then_some((times, of))
    }
}

/// `None` unless the prior stands at two factors or more.
pub fn auc_by_prior<'a>(experiment: &Experiment, lines: &'a [Line<'a>], swept: Swept) -> Option<AucBySweep<'a>> {
    let mut curves: Vec<(PriorBase, Curve)> = Vec::new();
    for line in lines.iter().filter(|line| line.prior_use >= swept.least_use()) {
        let factor = line.prior.and_then(|prior| swept.factor(&experiment.priors[prior], line.prior_use));
        let (Some((times, of)), Some(summary)) = (factor, line.summary(Metric::RocAuc)) else { continue };
        match curves.iter_mut().find(|(base, curve)| (curve.method, *base) == (line.method, of)) {
            Some((_, curve)) => curve.points.push((times, summary)),
            None => {
                let points = vec![(times, summary)];
                curves.push((of, Curve { label: line.label, method: line.method, points }));
            }
        }
    }
    curves.retain(|(_, curve)| curve.points.len() > 1);
    let (base, _) = *curves.first()?;
    // Methods that are not told this prior stand at one level, at what else they are told being right.
    let right = PriorSource::Multiple { times: 1.0, of: base };
    let level = |line: &&Line| {
        line.prior_use < swept.least_use() && line.prior.is_none_or(|prior| experiment.priors[prior].beta == right)
    };
    let levels = lines.iter().filter(level).filter_map(|line| Some((line, line.summary(Metric::RocAuc)?)));
    let name = swept.name();
    Some(AucBySweep::new(
        title_of_setting(&format!("ROC-AUC against a wrong {name}"), lines),
        format!("{name} is given as a multiple of what it should be"),
        format!("{name} given, as a multiple of what it should be"),
        curves.into_iter().map(|(_, curve)| curve).collect(),
        levels.collect(),
    ))
}
