"""The examples in experiments/external, against the harness in Python."""

from __future__ import annotations

import shutil
import sys

import numpy as np
import pytest
from conftest import ROOT

FOLDER = ROOT / "experiments/external"
MISSING_R = pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")


def roc_auc(scores: np.ndarray, truth: np.ndarray) -> float:
    """The share of pairs in the right order; a tie counts half."""
    difference = scores[truth][:, None] - scores[~truth][None, :]
    return float((difference > 0).mean() + (difference == 0).mean() / 2)


def copied(folder, *names: str):
    for name in names:
        shutil.copy(FOLDER / name, folder)
    return folder


def ask(started, people, **header) -> np.ndarray:
    samples = {name: people[name] for name in ("interest", "unlabeled", "loyal", "test")}
    return started.ask(samples, **{"beta": 0.5, "gamma": 0.25, **header})


PYTHON = {
    "naive_pu.py": "scipy",
    "biased_pn.py": "numpy",
    "nnpu.py": "numpy",
    "bagging_trees.py": "sklearn",
    "elkan_noto.py": "pulearn",
}


@pytest.mark.parametrize("script", PYTHON)
def test_an_example_learns_interest_and_repeats_itself(worker, tmp_path, people, script):
    pytest.importorskip(PYTHON[script])
    started = worker([sys.executable, script], copied(tmp_path, script))
    assert started.hello()["doublepu"] == 1
    first, again = ask(started, people), ask(started, people)
    # The truth is W, and the probability of W itself has 0.852. Ignoring loyalty costs the difference.
    assert 0.65 < roc_auc(first, people["W"]) < 0.75
    assert np.array_equal(first, again)
    assert started.end()[0] == 0


def test_the_example_of_naive_pu_finds_the_minimum_of_its_risk(worker, tmp_path, people):
    pytest.importorskip("scipy")
    started = worker([sys.executable, "naive_pu.py"], copied(tmp_path, "naive_pu.py"))
    started.hello()
    x = np.vstack([np.zeros(3), np.eye(3)])
    samples = {"interest": people["interest"], "unlabeled": people["unlabeled"], "test": x}
    scores = started.ask(samples, beta=0.5, options={"ridge": 0.1})
    intercept, w = scores[0], scores[1:] - scores[0]

    def risk(w: np.ndarray, intercept: float) -> float:
        def loss(z: np.ndarray) -> np.ndarray:
            return np.logaddexp(0, -z)

        y, u = people["interest"] @ w + intercept, people["unlabeled"] @ w + intercept
        return float(0.5 * loss(y).mean() + loss(-u).mean() - 0.5 * loss(-y).mean() + 0.1 * w @ w)

    h = 1e-5
    slopes = [(risk(w + h * e, intercept) - risk(w - h * e, intercept)) / (2 * h) for e in np.eye(3)]
    slopes.append((risk(w, intercept + h) - risk(w, intercept - h)) / (2 * h))
    assert np.abs(slopes).max() < 1e-9 < np.abs(w).min()


@MISSING_R
def test_the_example_in_r_learns_potential_customers(worker, tmp_path, people):
    started = worker(["Rscript", "discriminant.R"], copied(tmp_path, "discriminant.R", "doublepu.R"))
    assert set(started.hello()) == {"doublepu", "R"}
    first, again = ask(started, people), ask(started, people)
    # It uses D_L, so it does better than methods that ignore loyalty.
    assert 0.79 < roc_auc(first, people["W"])
    assert np.array_equal(first, again)
    # The same formula in numpy.
    y, u, loyal, x = (people[name] for name in ("interest", "unlabeled", "loyal", "test"))
    customers = (0.5 * y.mean(axis=0) - 0.25 * loyal.mean(axis=0)) / 0.25
    others = (u.mean(axis=0) - 0.25 * customers) / 0.75
    w = np.linalg.solve(np.cov(u.T) + 0.1 * np.eye(3), customers - others)
    assert np.allclose(first, (x - (customers + others) / 2) @ w + np.log(1 / 3), rtol=1e-9)
    assert started.end() == (0, "")


R_METHOD = """
source("doublepu.R")
method <- function(test, seed, options, columns) {
  print(columns)
  cat("printed\\n")
  if (seed == 1) stop('no "minimum" é')
  if (seed == 2) return(test[-1, 1])
  if (seed == 3) return(rep(NaN, nrow(test)))
  if (isTRUE(options$random)) return(runif(nrow(test)))
  test[, 1] * ifelse(is.null(options$factor), 1, options$factor)
}
serve(method, packages = "stats")
"""


@pytest.fixture
def in_r(worker, tmp_path):
    (tmp_path / "my_method.R").write_text(R_METHOD, encoding="utf-8")
    return worker(["Rscript", "my_method.R"], copied(tmp_path, "doublepu.R"))


@MISSING_R
def test_the_client_in_r_keeps_the_protocol(in_r):
    from harness import MethodError

    assert list(in_r.hello()) == ["doublepu", "R", "stats"]
    numbers = np.array([0.0, -0.0, 5e-324, -1.7976931348623157e308, 0.1, 1 / 3])
    given = {"test": np.column_stack([numbers, -numbers])}
    columns = ["age", "job=é", 'a "b" \\ c', "[x]", "{", "}", ",:"]
    assert in_r.ask(given, columns=columns, seed=5).tobytes() == numbers.tobytes()
    for seed, message in [(1, 'no "minimum"'), (2, "one finite score for each row"), (3, "one finite score")]:
        with pytest.raises(MethodError, match=message):
            in_r.ask(given, seed=seed)
    options = {"factor": 1e-2, "kind": "gini", "on": True, "off": False}
    assert np.array_equal(in_r.ask({"test": np.ones((3, 2))}, options=options), [0.01] * 3)
    assert len(in_r.ask({"test": np.ones((0, 2))})) == 0
    first, other, again = (in_r.ask(given, options={"random": True}, seed=seed) for seed in (8, 9, 8))
    assert np.array_equal(first, again) and not np.array_equal(first, other)
    code, log = in_r.end()
    assert code == 0 and log.count("printed") == 9 and '"a \\"b\\" \\\\ c"' in log


@MISSING_R
def test_large_arrays_reach_r(in_r):
    in_r.hello()
    given = {"test": np.random.default_rng(1).normal(size=(100_000, 20))}
    assert np.array_equal(in_r.ask(given), given["test"][:, 0])
