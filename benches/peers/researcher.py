"""Double PU learning as a researcher would write it in Python: numpy, scipy, scikit-learn, pulearn.

    researcher.py fits SPLIT.npz TARGETS.json   times single fits, prints JSON
    researcher.py sweep FOLDER --jobs N         fits every method and prior of every split, prints JSON
"""

import json
import statistics
import sys
import time
from multiprocessing import Pool
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

RIDGE = 0.01
ROUNDING = 0.1


def logistic(z):
    return np.logaddexp(0, -z), -expit(-z)


def double_hinge(z):
    """Kinks are rounded off over intervals of half width ROUNDING."""
    rounded = lambda z: np.maximum(ROUNDING - np.abs(z), 0) ** 2 / (4 * ROUNDING)
    step = lambda z: np.clip((z + ROUNDING) / (2 * ROUNDING), 0, 1)
    value = np.maximum(-z, np.maximum((1 - z) / 2, 0)) + 0.5 * (rounded(z - 1) + rounded(z + 1))
    return value, 0.5 * (step(z - 1) + step(z + 1)) - 1


def risk(loss, terms):
    """The signed risk with its gradient: terms are (rows, factor of l(g), factor of l(-g))."""

    def value_and_gradient(w):
        value, gradient = RIDGE * (w[:-1] @ w[:-1]), 2 * RIDGE * w
        gradient[-1] = 0
        for rows, positive, negative in terms:
            margins = rows @ w
            slopes = 0
            if positive:
                losses, slope = loss(margins)
                value += positive * losses.mean()
                slopes = slopes + positive * slope
            if negative:
                losses, slope = loss(-margins)
                value += negative * losses.mean()
                slopes = slopes - negative * slope
            gradient += rows.T @ slopes / len(rows)
        return value, gradient

    return value_and_gradient


def minimised(loss, terms, target=None):
    """By L-BFGS-B, until no entry of the gradient is above the target; the default is 1e-8 of the largest entry at zero."""
    objective = risk(loss, terms)
    zero = np.zeros(terms[0][0].shape[1])
    target = target or 1e-8 * np.abs(objective(zero)[1]).max()
    options = {"gtol": target, "ftol": 0, "maxiter": 10_000, "maxfun": 100_000}
    found = minimize(objective, zero, jac=True, method="L-BFGS-B", options=options)
    return found.x, np.abs(found.jac).max()


def double_pu_terms(split, beta, gamma):
    Y, U, L = split["Y"], split["U"], split["L"]
    terms = [(Y, beta, -beta), (U, 0, 1)]
    return terms + [(L, -gamma, gamma)] if gamma else terms


def double_pu(split, beta, gamma, loss=logistic):
    w, _ = minimised(loss, double_pu_terms(split, beta, gamma))
    return split["test"] @ w


def double_pu_squared(split, beta, gamma):
    U = split["U"]
    m = beta * split["Y"].mean(0) - gamma * split["L"].mean(0)
    ridge = RIDGE * np.eye(U.shape[1])
    ridge[-1, -1] = 0
    w = np.linalg.solve(U.T @ U / len(U) + ridge, 2 * m - U.mean(0))
    return split["test"] @ w


def log_ratio(above, below):
    rows = np.vstack([above, below])[:, :-1]
    labels = np.r_[np.ones(len(above)), np.zeros(len(below))]
    weights = np.r_[np.full(len(above), 0.5 / len(above)), np.full(len(below), 0.5 / len(below))]
    model = LogisticRegression(C=1 / (2 * RIDGE), solver="newton-cholesky", tol=1e-9, max_iter=1000)
    return model.fit(rows, labels, sample_weight=weights)


def two_stage(split, beta, gamma):
    first, second = log_ratio(split["Y"], split["U"]), log_ratio(split["L"], split["Y"])
    people = split["test"][:, :-1]
    interested = np.clip(beta * np.exp(first.decision_function(people)), 0, 1)
    return interested * np.clip(1 - gamma / beta * np.exp(second.decision_function(people)), 0, 1)


METHODS = {
    "double_pu loss=logistic": double_pu,
    "double_pu loss=squared": double_pu_squared,
    "double_pu loss=double_hinge": lambda split, beta, gamma: double_pu(split, beta, gamma, double_hinge),
    "naive_pu": lambda split, beta, gamma: double_pu(split, beta, 0),
    "alpha_pu": lambda split, beta, gamma: double_pu(split, beta - gamma, 0),
    "two_stage": two_stage,
}


def of_seed(path):
    split = dict(np.load(path))
    aucs = []
    for name, method in METHODS.items():
        for beta in split["betas"]:
            scores = method(split, beta, split["gamma"])
            aucs.append((name, int(split["seed"]), float(beta), roc_auc_score(split["w"], scores)))
    return aucs


def sweep(folder, jobs):
    paths = sorted(Path(folder).glob("*.npz"))
    if jobs == 1:
        seeds = [of_seed(path) for path in paths]
    else:
        with Pool(jobs) as pool:
            seeds = pool.map(of_seed, paths, chunksize=1)
    json.dump([auc for aucs in seeds for auc in aucs], sys.stdout)


def timed(fit, repeats):
    fit()
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = fit()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds), result


def fits(path, targets):
    from pulearn import BaggingPuClassifier

    split = dict(np.load(path))
    auc = lambda scores: roc_auc_score(split["w"], scores)
    report = {}

    terms = double_pu_terms(split, float(split["beta"]), float(split["gamma"]))
    seconds, (w, gradient) = timed(lambda: minimised(logistic, terms, targets["double_pu"]), 15)
    report["double_pu"] = [("scipy L-BFGS-B", seconds, gradient, auc(split["test"] @ w))]

    rows, labels = split["train"][:, :-1], split["train_w"]
    report["oracle_logistic"] = []
    for solver in ["lbfgs", "newton-cholesky", "newton-cg", "liblinear"]:
        # `tol` means something else in each solver: use the loosest value that reaches the target.
        for tol in [targets["oracle_logistic"] * 10.0**-power for power in range(-4, 4)]:
            model = LogisticRegression(C=1 / (2 * RIDGE * len(rows)), solver=solver, tol=tol, max_iter=10_000)
            seconds, _ = timed(lambda: model.fit(rows, labels), 1)
            w = np.r_[model.coef_[0], model.intercept_]
            gradient = split["train"].T @ (expit(split["train"] @ w) - labels) / len(rows) + 2 * RIDGE * w
            gradient[-1] -= 2 * RIDGE * w[-1]
            if np.abs(gradient).max() <= targets["oracle_logistic"]:
                seconds, _ = timed(lambda: model.fit(rows, labels), 9)
                measured = (f"scikit-learn {solver}", seconds, np.abs(gradient).max(), auc(split["test"] @ w))
                report["oracle_logistic"].append(measured)
                break

    people = np.vstack([split["Y"], split["U"]])[:, :-1]
    labels = np.r_[np.ones(len(split["Y"])), np.zeros(len(split["U"]))]
    rows = 2 * len(split["Y"])
    base = LogisticRegression(C=1 / (2 * RIDGE * rows), solver="newton-cholesky", tol=targets["bagging_pu"])
    # pulearn draws bags of the unlabelled sample with as many rows as there are positives, as Mordelet and Vert do.
    model = BaggingPuClassifier(base, n_estimators=30, max_samples=len(split["Y"]), oob_score=False, random_state=1)
    seconds, _ = timed(lambda: model.fit(people, labels), 3)
    scores = model.predict_proba(split["test"][:, :-1])[:, 1]
    report["bagging_pu"] = [("pulearn", seconds, None, auc(scores))]
    json.dump(report, sys.stdout)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["fits", path, targets]:
            fits(path, json.loads(Path(targets).read_text()))
        case ["sweep", folder, "--jobs", jobs]:
            sweep(folder, int(jobs))
        case _:
            sys.exit(__doc__)
