import numpy as np
from doublepu import serve
from sklearn.ensemble import RandomForestClassifier


def ratio(above, below, test, leaf, seed):
    """How many times as frequent the rows of `test` are where `above` comes from, as where `below` does."""
    forest = RandomForestClassifier(100, min_samples_leaf=leaf, class_weight="balanced", random_state=seed)
    forest.fit(np.vstack([above, below]), np.repeat([1, 0], [len(above), len(below)]))
    p = forest.predict_proba(test)[:, 1].clip(0.01, 0.99)
    return p / (1 - p)


def two_forests(interest, unlabeled, loyal, test, *, beta, gamma, seed, options):
    interested = beta * ratio(interest, unlabeled, test, options["leaf"], seed)
    loyal_if_interested = gamma / beta * ratio(loyal, interest, test, options["leaf"], seed)
    return interested * (1 - loyal_if_interested.clip(0, 1)) - 0.5


serve(two_forests)
