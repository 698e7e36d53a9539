"""The classifier of Elkan and Noto (2008) in the package pulearn, over a logistic regression of scikit-learn.

Its p(y = +1 | x) can be above 1. Cut off at 1, people would get equal scores and the ROC-AUC would change, so the spec says
`scores: rank`, and the score is p - 1/2.
"""

import numpy as np
from doublepu import serve
from pulearn import ElkanotoPuClassifier
from sklearn.linear_model import LogisticRegression


def elkan_noto(interest, unlabeled, test, *, seed):
    rows = np.vstack([interest, unlabeled])
    labelled = np.repeat([1, 0], [len(interest), len(unlabeled)])
    classifier = ElkanotoPuClassifier(LogisticRegression(C=0.1, max_iter=1000), hold_out_ratio=0.1, random_state=seed)
    return classifier.fit(rows, labelled).predict_proba(test)[:, 1] - 0.5


serve(elkan_noto)
