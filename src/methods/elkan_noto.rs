//! Learning where some labels of one sample are hidden (Elkan and Noto, 2008).

use crate::learn::{
    Card, Failure, FailureKind, Form, Learner, LinearModel, Link, Model, Optimizer, PriorUse, Probabilities, SampleNeed, Trained,
    Training, solve, supervised_terms,
};
use crate::math::bounds::Ridge;
use crate::math::matrix::Design;
use crate::math::risk::{Correction, Costs, Linear, Loss, Rows, SignedRisk, sigmoid};
use rand::seq::SliceRandom;
use std::collections::BTreeSet;

crate::options! {
    /// The score is
    ///
    /// ```text
    /// s(g(x)) / c      s(g) = 1 / (1 + exp(-g)), an estimate of p(labelled | x)
    ///                  c    = mean of s(g(x)) over held-out rows of D_Y
    /// ```
    ///
    /// It estimates `p(y = +1 | x)` where the hiding of a label does not depend on x. `g` is a logistic regression of D_Y
    /// against the rows of D_U that are not in D_Y, fitted to four fifths of both; the held-out rows are the last fifth of
    /// D_Y. `c` only changes the scale: it does not change the ranking.
    pub struct ElkanNoto {
        /// The factor of |w|^2.
        ridge: Ridge = Ridge::DEFAULT,
    }
    card: Card {
        name: "elkan_noto",
        what: "p(labelled | x) / c, only for the scheme censoring",
        samples: "D_Y, D_U without D_Y",
        prior: PriorUse::None,
        needs: SampleNeed::Censoring,
        source: "Elkan and Noto (2008)",
    }
}

impl Learner for ElkanNoto {
    fn fit(&self, training: &Training) -> Result<Trained, Failure> {
        let (interest, crowd) = (&training.observed.interest, &training.observed.unlabeled);
        let labelled: BTreeSet<usize> = interest.people.iter().copied().collect();
        let without_label = crowd.people.iter().enumerate().filter(|(_, person)| !labelled.contains(person));
        let mut without_label: Vec<usize> = without_label.map(|(row, _)| row).collect();
        let mut rows: Vec<usize> = (0..interest.rows.rows()).collect();
        let mut random = training.stream("elkan_noto");
        let mut keep_out_a_fifth = |rows: &mut Vec<usize>| {
            rows.shuffle(&mut random);
            rows.split_off(rows.len() - rows.len() / 5)
        };
        let kept_out = keep_out_a_fifth(&mut rows);
        // The other rows lose a fifth, too. Otherwise labels would seem rarer than they are.
        keep_out_a_fifth(&mut without_label);
        if kept_out.is_empty() {
            let reason = "D_Y has fewer than 5 rows, so none can be kept out to estimate c".to_string();
            return Err(Failure { kind: FailureKind::EmptySample, reason });
        }
        let positives = vec![Rows::some("D_Y", &interest.rows, rows)];
        let negatives = vec![Rows::some("D_U", &crowd.rows, without_label)];
        let terms = supervised_terms(positives, negatives, Costs::UNIT);
        let linear = Linear { width: crowd.rows.width() };
        let risk = SignedRisk::new(linear, Loss::Logistic, Correction::None, self.ridge.value(), terms)?;
        let solved = solve(&risk, Optimizer::Auto, Form::Linear, training)?;
        let labelled = LinearModel { weights: solved.weights.clone() }.predict(&interest.rows.select(&kept_out));
        let c = labelled.iter().map(|g| sigmoid(*g)).sum::<f64>() / labelled.len() as f64;
        Ok(solved.trained(Some(Link::Probability), |weights| {
            let margin = LinearModel { weights };
            Box::new(Probabilities(move |rows: &Design| margin.predict(rows).iter().map(|g| sigmoid(*g) / c).collect()))
        }))
    }
}
