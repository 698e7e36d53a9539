"""Bagging for PU learning (Mordelet and Vert, 2014) with gradient boosted trees of scikit-learn.

Every bag is as many rows of D_U as D_Y has, and counts as negative. The score is the mean of the bags' log-odds.
"""

import numpy as np
from doublepu import serve
from sklearn.ensemble import GradientBoostingClassifier


def bagging_trees(interest, unlabeled, test, *, seed, options):
    random = np.random.default_rng(seed)
    y = np.repeat([1, 0], len(interest))
    bags = options.get("bags", 10)
    scores = np.zeros(len(test))
    for bag in range(bags):
        negatives = unlabeled[random.integers(len(unlabeled), size=len(interest))]
        trees = GradientBoostingClassifier(
            n_estimators=50, max_depth=options.get("depth", 3), subsample=0.5, random_state=seed + bag
        )
        scores += trees.fit(np.vstack([interest, negatives]), y).decision_function(test) / bags
    return scores


serve(bagging_trees)
