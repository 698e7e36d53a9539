#!/usr/bin/env python3
"""Computes cells of a doublepu run again, with numpy, scipy and scikit-learn alone, and compares.

The formulas are those of the README.md that `doublepu export` writes beside a cell, of what `doublepu methods` and
`doublepu schema` print, and, for the scores of two_stage and elkan_noto, of the library's documentation. The solvers
are others than the program's.
"""

from __future__ import annotations

import argparse
import copy
import csv
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.spatial.distance import cdist, pdist
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, average_precision_score, brier_score_loss, f1_score, roc_auc_score
from threadpoolctl import threadpool_limits

BANK = Path(__file__).resolve().parent / "../../datasets/bank-marketing/bank.csv"
SAMPLES = ("D_Y", "D_U", "D_L", "train")
# The options of a method that its risks show.
RISK_OPTIONS = {"loss", "correction", "ridge"}

# Both programs add the same numbers in another order, so that only rounding may differ: some 1e-16 of what is added.
# 1e-12 of it leaves room for sums over thousands of rows and for another exponential, and shows any other formula.
ROUNDING = 1e-12
# At a minimum the gradient's terms cancel, and what is left is rounding of the terms: the allowance is one of them.
# Elsewhere the norm is a number like any other and must agree in its digits.
GRADIENT_DIGITS = 1e-9
# Newton's method and L-BFGS stop at a gradient 1e-8 of the first. Divided by the least curvature, which is about
# twice the ridge, this is how far apart two right answers may lie.
WEIGHTS = 1e-6
# The same for stationary points of risks that are not convex, where weights cannot be compared.
STATIONARY = 1e-7
# The area under the curve is a ratio of two integers; scikit-learn adds up trapezoids instead.
AREA = 1e-12
# What the check of the audit itself adds to one weight.
NUDGE = 1e-4

Weights = np.ndarray


# ---------------------------------------------------------------------------------------------------------------------
# Findings


@dataclass
class Findings:
    """What was compared in one cell, and what did not agree."""

    names: list[str] = field(default_factory=list)
    largest: tuple[float, float, str] = (0.0, 0.0, "")
    disagreements: list[str] = field(default_factory=list)

    def within(self, what: str, deviation: float, allowed: float, detail: str) -> None:
        """Notes a deviation; the largest is the one that is nearest to what is allowed or furthest beyond."""
        deviation = float(deviation)
        if what not in self.names:
            self.names.append(what)
        if allowed > 0 and (not self.largest[2] or deviation / allowed > self.largest[0] / self.largest[1]):
            self.largest = (deviation, allowed, what)
        # Written so that a NaN disagrees.
        if not deviation <= allowed:
            self.disagreements.append(f"{what}: {detail}; off by {deviation:.3g}, allowed {allowed:.3g}")

    def number(self, what: str, computed: float, stored: float, allowed: float) -> None:
        self.within(what, abs(computed - stored), allowed, f"computed {float(computed)!r}, stored {float(stored)!r}")

    def holds(self, what: str, truth: bool, detail: str) -> None:
        self.within(what, 0.0 if truth else 1.0, 0.0, detail)

    def failed(self, what: str) -> bool:
        return any(line.startswith(f"{what}: ") for line in self.disagreements)

    def summary(self) -> str:
        deviation, allowed, what = self.largest
        return f"checked {', '.join(self.names)}; largest deviation {deviation:.1e} of {allowed:.1e} ({what})"


# ---------------------------------------------------------------------------------------------------------------------
# Losses


def ramp(p: np.ndarray, h: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """max(0, p) with its kink rounded off between -h and h: value, slope and curvature."""
    p = np.asarray(p, dtype=float)
    bend = np.abs(p) < h
    value = np.where(bend, (p + h) ** 2 / (4 * h), np.maximum(0, p))
    slope = np.where(bend, (p + h) / (2 * h), (p > 0).astype(float))
    return value, slope, np.where(bend, 1 / (2 * h), 0.0)


def logistic(z: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.logaddexp(0, -z), -expit(-z), expit(z) * expit(-z)


def squared(z: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return (z - 1) ** 2, 2 * (z - 1), np.full_like(z, 2.0)


def sigmoid(z: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    value = expit(-z)
    slope = -expit(z) * value
    return value, slope, slope * (2 * value - 1)


def hinge(z: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    value, slope, curvature = ramp(1 - z, 0.1)
    return value, -slope, curvature


def double_hinge(z: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Half a hinge at 1 and half a hinge at -1."""
    parts = zip(ramp(1 - z, 0.1), ramp(-1 - z, 0.1), strict=True)
    value, slope, curvature = ((right + left) / 2 for right, left in parts)
    return value, -slope, curvature


LOSSES: dict[str, Callable[[np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]] = {
    "logistic": logistic,
    "log": logistic,
    "squared": squared,
    "sigmoid": sigmoid,
    "hinge": hinge,
    "double_hinge": double_hinge,
}


# ---------------------------------------------------------------------------------------------------------------------
# Functions g


class Basis:
    """g linear in columns made from the features, the intercept last."""

    def __init__(self, centers: np.ndarray | None = None, width: float | None = None) -> None:
        self.centers = centers
        self.width = width

    def inputs(self, x: np.ndarray) -> np.ndarray:
        if self.centers is not None and self.width is not None:
            x = np.exp(-cdist(x, self.centers, "sqeuclidean") / (2 * self.width**2))
        return np.column_stack([x, np.ones(len(x))])

    def outputs(self, weights: Weights, inputs: np.ndarray) -> np.ndarray:
        return inputs @ weights

    def pull_back(self, weights: Weights, inputs: np.ndarray, slopes: np.ndarray) -> np.ndarray:
        """The gradient by the weights of a function with these slopes by the outputs."""
        return inputs.T @ slopes

    def under_ridge(self, weights: Weights) -> np.ndarray:
        return np.arange(len(weights)) < len(weights) - 1


class Network:
    """g with one hidden layer."""

    def __init__(self, hidden: int) -> None:
        self.hidden = hidden

    def inputs(self, x: np.ndarray) -> np.ndarray:
        return x

    def unpack(self, weights: Weights) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
        into = weights[: -2 * self.hidden - 1].reshape(-1, self.hidden)
        shift = weights[-2 * self.hidden - 1 : -self.hidden - 1]
        return into, shift, weights[-self.hidden - 1 : -1], weights[-1]

    def outputs(self, weights: Weights, inputs: np.ndarray) -> np.ndarray:
        into, shift, out, intercept = self.unpack(weights)
        return np.maximum(0, inputs @ into + shift) @ out + intercept

    def pull_back(self, weights: Weights, inputs: np.ndarray, slopes: np.ndarray) -> np.ndarray:
        into, shift, out, _ = self.unpack(weights)
        before = inputs @ into + shift
        by_unit = slopes[:, None] * out * (before > 0)
        by_out = np.maximum(0, before).T @ slopes
        return np.concatenate([(inputs.T @ by_unit).ravel(), by_unit.sum(axis=0), by_out, [slopes.sum()]])

    def under_ridge(self, weights: Weights) -> np.ndarray:
        """The shifts are the intercepts of the hidden units."""
        place = np.arange(len(weights)) - len(weights)
        return (place < -2 * self.hidden - 1) | ((place >= -self.hidden - 1) & (place < -1))


# ---------------------------------------------------------------------------------------------------------------------
# Risks


@dataclass
class Term:
    sample: str
    positive: float
    negative: float
    in_crowd: bool
    positions: np.ndarray
    inputs: np.ndarray


@dataclass
class Risk:
    """One minimised risk with the weights that were found for it."""

    loss: str
    correction: str
    ridge: float
    form: Basis | Network
    terms: list[Term]
    weights: Weights
    objective: float
    gradient_norm: float
    is_the_minimum: bool

    def scores(self, x: np.ndarray) -> np.ndarray:
        return self.form.outputs(self.weights, self.form.inputs(x))

    def losses(self, weights: Weights) -> Iterator[tuple[Term, tuple, tuple]]:
        """For every term, the loss of g and of -g with slope and curvature."""
        for term in self.terms:
            g = self.form.outputs(weights, term.inputs)
            yield term, LOSSES[self.loss](g), LOSSES[self.loss](-g)

    def clamp(self, part: str, value: float) -> tuple[float, float]:
        """A part of the risk under the correction, and its slope by the part."""
        clamped = {"none": (), "paper": ("crowd",), "two_part": ("missed", "crowd"), "kiryo": ("missed", "crowd")}
        if part not in clamped[self.correction]:
            return value, 1.0
        if part == "missed":
            coefficients = [term.positive for term in self.terms]
        else:
            coefficients = [term.negative for term in self.terms if term.in_crowd]
        kept, slope, _ = ramp(np.array(value), 0.01 * float(np.abs(coefficients).sum()))
        return float(kept), float(slope)

    def parts(self, weights: Weights) -> dict[str, float]:
        parts = {"missed": 0.0, "crowd": 0.0, "loyal": 0.0}
        for term, (plus, _, _), (minus, _, _) in self.losses(weights):
            parts["missed"] += term.positive * plus.mean()
            parts["crowd" if term.in_crowd else "loyal"] += term.negative * minus.mean()
        return parts

    def value(self, weights: Weights) -> float:
        penalty = self.ridge * (weights[self.form.under_ridge(weights)] ** 2).sum()
        return sum(self.clamp(part, value)[0] for part, value in self.parts(weights).items()) + penalty

    def mass(self, weights: Weights) -> float:
        """What the objective would be if nothing in it cancelled."""
        total = self.ridge * (weights**2).sum()
        for term, (plus, _, _), (minus, _, _) in self.losses(weights):
            total += abs(term.positive) * np.abs(plus).mean() + abs(term.negative) * np.abs(minus).mean()
        return float(total)

    def gradient(self, weights: Weights) -> np.ndarray:
        along = {part: self.clamp(part, value)[1] for part, value in self.parts(weights).items()}
        gradient = 2 * self.ridge * weights * self.form.under_ridge(weights)
        for term, (_, plus, _), (_, minus, _) in self.losses(weights):
            by_negative = along["crowd" if term.in_crowd else "loyal"] * term.negative
            slopes = (along["missed"] * term.positive * plus - by_negative * minus) / len(term.inputs)
            gradient = gradient + self.form.pull_back(weights, term.inputs, slopes)
        return gradient

    def gradient_mass(self, weights: Weights) -> float:
        """How large the numbers are that are added up to the gradient."""
        largest = max(np.abs(term.inputs).max() for term in self.terms) * max(1.0, np.abs(weights).max())
        slope = 2 * self.ridge * np.abs(weights).max()
        for term, (_, plus, _), (_, minus, _) in self.losses(weights):
            slope += abs(term.positive) * np.abs(plus).mean() + abs(term.negative) * np.abs(minus).mean()
        return float(slope * max(1.0, largest))

    def hessian(self, weights: Weights) -> np.ndarray:
        """Without a correction, and of what is linear in the weights."""
        assert self.correction == "none" and isinstance(self.form, Basis)
        hessian = np.diag(2 * self.ridge * self.form.under_ridge(weights))
        for term, (_, _, plus), (_, _, minus) in self.losses(weights):
            curvature = (term.positive * plus + term.negative * minus) / len(term.inputs)
            hessian = hessian + term.inputs.T @ (curvature[:, None] * term.inputs)
        return hessian

    def minimum(self) -> Weights:
        """From zero, by a trust region, with Newton steps for the last digits."""
        start = np.zeros_like(self.weights)
        options = {"gtol": 1e-9, "maxiter": 1000}
        found = minimize(self.value, start, jac=self.gradient, hess=self.hessian, method="trust-exact", options=options)
        best, size = found.x, np.abs(self.gradient(found.x)).max()
        for _ in range(20):
            step = best - np.linalg.lstsq(self.hessian(best), self.gradient(best))[0]
            if not (smaller := np.abs(self.gradient(step)).max()) < size:
                break
            best, size = step, smaller
        return best

    def normal_equations(self) -> Weights:
        """Of the squared loss: its Hessian is the same everywhere."""
        start = np.zeros_like(self.weights)
        return np.linalg.solve(self.hessian(start), -self.gradient(start))

    def is_supervised_logistic(self) -> bool:
        one_sided = all(min(t.positive, t.negative) == 0 < max(t.positive, t.negative) for t in self.terms)
        return self.loss in ("logistic", "log") and self.correction == "none" and one_sided

    def by_scikit_learn(self) -> Weights:
        x = np.vstack([term.inputs[:, :-1] for term in self.terms])
        y = np.concatenate([np.full(len(term.inputs), term.positive > 0) for term in self.terms])
        coefficients = [(term.positive + term.negative) / len(term.inputs) for term in self.terms]
        rows = np.concatenate([np.full(len(t.inputs), c) for t, c in zip(self.terms, coefficients, strict=True)])
        # Where all rows weigh the same, 1/n of a mean, this C is 1 / (2 ridge n).
        model = LogisticRegression(C=rows.mean() / (2 * self.ridge), solver="newton-cholesky", tol=1e-10, max_iter=500)
        model.fit(x, y, sample_weight=None if np.ptp(rows) <= 1e-12 * rows.mean() else rows / rows.mean())
        return np.append(model.coef_[0], model.intercept_[0])


# ---------------------------------------------------------------------------------------------------------------------
# An exported cell


def numbers(path: Path) -> tuple[list[str], np.ndarray]:
    with path.open(newline="") as file:
        header = next(csv.reader(file))
        return header, np.loadtxt(file, delimiter=",", ndmin=2)


@dataclass
class ExportedCell:
    """The folder that `doublepu export` writes, and the cell's row of cells.csv."""

    folder: Path
    row: dict[str, str]

    @cached_property
    def document(self) -> dict:
        return json.loads((self.folder / "cell.json").read_text())

    @cached_property
    def candidates(self) -> list[dict]:
        """The options of the spec; where they are tuned, all that may have been chosen."""
        tuned = self.document["method"].get("tuned")
        methods = tuned["candidates"] if tuned else [self.document["method"]]
        return [method[self.method] for method in methods]

    @cached_property
    def method(self) -> str:
        return self.row["method"]

    @cached_property
    def options(self) -> dict:
        """The options of the spec; where they are tuned, those that the risk has."""
        if len(self.candidates) == 1:
            return self.candidates[0]
        risk = self.document["risks"][0]
        fitting = [one for one in self.candidates if all(one[key] == risk[key] for key in one.keys() & RISK_OPTIONS)]
        return fitting[0] if len(fitting) == 1 else {}

    @cached_property
    def costs(self) -> dict[str, float]:
        """Of wrong decisions; they cannot be tuned, so all candidates have the same."""
        return self.candidates[0].get("costs", {"false_negative": 1, "false_positive": 1})

    @cached_property
    def tables(self) -> dict[str, tuple[list[str], np.ndarray]]:
        names = [name for name in (*SAMPLES, "test") if (self.folder / f"{name}.csv").exists()]
        return {name: numbers(self.folder / f"{name}.csv") for name in names}

    @cached_property
    def row_columns(self) -> dict[str, dict[str, np.ndarray]]:
        columns = {}
        for name in self.tables:
            header, values = numbers(self.folder / f"{name}_rows.csv")
            columns[name] = dict(zip(header, values.T, strict=True))
        return columns

    def features(self, sample: str) -> np.ndarray:
        return self.tables[sample][1]

    def rows(self, sample: str) -> np.ndarray:
        return self.row_columns[sample]["row"].astype(int)

    @cached_property
    def truth(self) -> np.ndarray:
        return self.row_columns["test"]["w"] > 0

    @cached_property
    def scores(self) -> np.ndarray:
        return self.row_columns["test"]["score"]

    @cached_property
    def risks(self) -> list[Risk]:
        return [self.risk(number, entry) for number, entry in enumerate(self.document["risks"], start=1)]

    def risk(self, number: int, entry: dict) -> Risk:
        with (self.folder / f"weights_{number}.csv").open(newline="") as file:
            weights = np.array([float(line["value"]) for line in csv.DictReader(file)])
        form = self.form(entry["form"])
        kept = ("loss", "correction", "ridge", "objective", "gradient_norm", "is_the_minimum")
        terms = [self.term(term, form) for term in entry["terms"]]
        return Risk(form=form, terms=terms, weights=weights, **{key: entry[key] for key in kept})

    def form(self, entry: str | dict) -> Basis | Network:
        if entry == "linear":
            return Basis()
        if "network" in entry:
            return Network(entry["network"]["hidden"])
        rbf = entry["rbf"]
        return Basis(np.array([self.features(sample)[row] for sample, row in rbf["centers"]]), rbf["width"])

    def term(self, entry: dict, form: Basis | Network) -> Term:
        x = self.features(entry["sample"])
        positions = np.arange(len(x)) if entry["positions"] is None else np.array(entry["positions"])
        coefficients = {key: entry[key] for key in ("sample", "positive", "negative", "in_crowd")}
        return Term(positions=positions, inputs=form.inputs(x[positions]), **coefficients)

    @property
    def is_of_bank_file(self) -> bool:
        table = self.document["setting"]["dataset"].get("table", {})
        return table.get("source") == {"built_in": "bank-marketing"}

    @property
    def title(self) -> str:
        named = [f"{key}={self.row[key]}" for key in ("prior", "seed") if self.row[key]]
        return " ".join([*filter(None, (self.row[key] for key in ("setting", "method", "options"))), *named])


@dataclass
class Source:
    """The file behind the built-in data set."""

    columns: dict[str, np.ndarray]

    @staticmethod
    def read(path: Path) -> Source:
        with path.open(newline="") as file:
            header, *lines = csv.reader(file)
        return Source({name: np.array(column) for name, column in zip(header, zip(*lines, strict=True), strict=True)})

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def positive(self, rule: dict) -> np.ndarray:
        return self.columns[rule["column"]] == rule["positive"]


# ---------------------------------------------------------------------------------------------------------------------
# Checks of the fits


def check_objectives(cell: ExportedCell, findings: Findings) -> None:
    for risk in cell.risks:
        allowed = ROUNDING * risk.mass(risk.weights)
        findings.number("objective", risk.value(risk.weights), risk.objective, allowed)


def check_gradients(cell: ExportedCell, findings: Findings) -> None:
    for risk in cell.risks:
        allowed = ROUNDING * risk.gradient_mass(risk.weights) + GRADIENT_DIGITS * risk.gradient_norm
        norm = float(np.abs(risk.gradient(risk.weights)).max())
        findings.number("gradient", norm, risk.gradient_norm, allowed)


def check_minima(cell: ExportedCell, findings: Findings) -> None:
    converged = cell.document["fit"]["ending"] == "converged"
    for risk in cell.risks:
        if risk.is_the_minimum and risk.ridge > 0:
            compare_weights("minimum", risk, risk.minimum(), findings)
            if risk.is_supervised_logistic():
                compare_weights("scikit-learn", risk, risk.by_scikit_learn(), findings)
        elif risk.is_the_minimum:
            # Without a ridge, indicator columns that add up to one leave the weights open, but not the objective.
            lowest = risk.value(risk.minimum())
            findings.number("lowest objective", lowest, risk.objective, ROUNDING * risk.mass(risk.weights))
        if risk.loss == "squared" and risk.correction == "none" and risk.ridge > 0 and converged:
            # Convex or not: with curvature in every direction there is one stationary point, and it is the minimum.
            compare_weights("normal equations", risk, risk.normal_equations(), findings)
            least = float(np.linalg.eigvalsh(risk.hessian(risk.weights))[0])
            findings.holds("normal equations", least > 0, f"the least curvature is {least!r}")


def compare_weights(what: str, risk: Risk, expected: Weights, findings: Findings) -> None:
    place = int(np.abs(risk.weights - expected).argmax())
    scale = np.abs(expected).max()
    computed, stored = float(expected[place]), float(risk.weights[place])
    detail = f"weight {place} computed {computed!r}, stored {stored!r}, largest weight {scale:.3g}"
    findings.within(what, np.abs(risk.weights - expected).max() / scale, WEIGHTS, detail)


def check_stationary(cell: ExportedCell, findings: Findings) -> None:
    """Where the search says that it converged, whether or not to the minimum."""
    if cell.document["fit"]["ending"] != "converged":
        return
    for risk in cell.risks:
        now = np.abs(risk.gradient(risk.weights)).max()
        first = np.abs(risk.gradient(np.zeros_like(risk.weights))).max()
        detail = f"the gradient is {now:.3g}, and {first:.3g} at zero"
        findings.within("stationary", now / first, STATIONARY, detail)


def check_widths(cell: ExportedCell, findings: Findings) -> None:
    for risk in cell.risks:
        if isinstance(risk.form, Basis) and risk.form.width is not None and risk.form.centers is not None:
            rbf = cell.options["model"]["rbf"]
            width = float(np.median(pdist(risk.form.centers))) if rbf["width"] is None else rbf["width"]
            findings.number("rbf", width, risk.form.width, ROUNDING * width)
            findings.holds("rbf", len(risk.form.centers) == rbf["centers"], f"{len(risk.form.centers)} centres")


# ---------------------------------------------------------------------------------------------------------------------
# Checks of what a method is


def expected_terms(cell: ExportedCell) -> list[dict[str, tuple[float, float]]]:
    """For each risk, the coefficients of l(g) and of l(-g) in each sample, by the method's definition."""
    costs = cell.options.get("costs") or {"false_negative": 1.0, "false_positive": 1.0}
    missed, taken = costs["false_negative"], costs["false_positive"]
    prior = cell.document["prior"] or {}
    beta, gamma = prior.get("beta", 0.0), prior.get("gamma", 0.0)
    alpha = beta - gamma
    signed = {"D_U": (0.0, taken)}
    match cell.method:
        case "double_pu":
            loyal = {"D_L": (-missed * gamma, taken * gamma)}
            return [signed | {"D_Y": (missed * beta, -taken * beta)} | loyal]
        case "naive_pu" | "naive_nnpu":
            return [signed | {"D_Y": (missed * beta, -taken * beta)}]
        case "alpha_pu" | "set_difference_pu":
            return [signed | {"D_Y": (missed * alpha, -taken * alpha)}]
        case "two_stage":
            return [{"D_Y": (0.5, 0.0), "D_U": (0.0, 0.5)}, {"D_L": (0.5, 0.0), "D_Y": (0.0, 0.5)}]
        case "bagging_pu":
            return [{"D_Y": (0.5, 0.0), "D_U": (0.0, 0.5)}] * cell.options["bags"]
        case "random" | "oracle_forest":
            return []
    # What is left is supervised: every row weighs the same but for the costs.
    count: dict[str, float] = defaultdict(float)
    for term in cell.risks[0].terms:
        count[term.sample] += len(term.positions)
    share = {sample: rows / sum(count.values()) for sample, rows in count.items()}
    if cell.method.startswith("oracle"):
        (sample,) = count
        potential = float((cell.row_columns[sample]["w"] > 0).mean())
        return [{sample: (potential, 1 - potential)}]
    negative = {sample: (0.0, taken * share[sample]) for sample in share if sample != "D_Y"}
    return [{"D_Y": (missed * share["D_Y"], 0.0)} | negative]


def check_terms(cell: ExportedCell, findings: Findings) -> None:
    expected = expected_terms(cell)
    findings.holds("terms", len(cell.risks) == len(expected), f"{len(cell.risks)} risks, not {len(expected)}")
    for risk, coefficients in zip(cell.risks, expected, strict=False):
        stored: dict[str, np.ndarray] = defaultdict(lambda: np.zeros(2))
        for term in risk.terms:
            stored[term.sample] += (term.positive, term.negative)
            in_crowd = cell.method != "double_pu" or term.sample != "D_L"
            findings.holds("terms", term.in_crowd == in_crowd, f"in_crowd of {term.sample}")
        findings.holds("terms", stored.keys() == coefficients.keys(), f"the samples are {sorted(stored)}")
        for sample in stored.keys() & coefficients.keys():
            for computed, number in zip(coefficients[sample], stored[sample], strict=True):
                findings.number("terms", computed, float(number), ROUNDING * max(1.0, abs(computed)))
        for key in cell.options.keys() & RISK_OPTIONS:
            findings.holds("terms", cell.options[key] == getattr(risk, key), f"{key} of the risk")
    if len(cell.candidates) > 1:
        said = cell.document["fit"]["tuned"]
        right = bool(cell.options) and f"ridge={cell.options['ridge']:g} " in f"{said} "
        findings.holds("terms", right, f"the risk has no or other options than {said!r}")


def check_positions(cell: ExportedCell, findings: Findings) -> None:
    """Which rows of their samples the terms take, where a method says so."""
    members = {name: set(cell.rows(name).tolist()) for name in cell.tables}

    def taken(number: int, term: int) -> list[int]:
        entry = cell.risks[number].terms[term]
        return cell.rows(entry.sample)[entry.positions].tolist()

    if cell.method == "set_difference_pu":
        right = sorted(taken(0, 0)) == sorted(members["D_Y"] - members["D_L"])
        findings.holds("positions", right, "D_Y without D_L")
    elif cell.method == "elkan_noto":
        others = members["D_U"] - members["D_Y"]
        right = set(taken(0, 1)) <= others and abs(len(others) - len(taken(0, 1)) - len(others) / 5) <= 1
        findings.holds("positions", right, "four fifths of D_U without D_Y")
        held_out = len(members["D_Y"]) - len(set(taken(0, 0)))
        findings.holds("positions", abs(held_out - len(members["D_Y"]) / 5) <= 1, f"{held_out} of D_Y held out")
    elif cell.method == "bagging_pu":
        right = all(len(taken(bag, 1)) == len(members["D_Y"]) for bag in range(len(cell.risks)))
        findings.holds("positions", right, "a bag as large as D_Y")
    elif cell.method.startswith("oracle_logistic"):
        positive, negative = cell.risks[0].terms
        potential = cell.row_columns[positive.sample]["w"] > 0
        right = np.array_equal(np.sort(positive.positions), np.flatnonzero(potential))
        right &= np.array_equal(np.sort(negative.positions), np.flatnonzero(~potential))
        findings.holds("positions", right, "the rows with w = 1 against the others")


def expected_scores(cell: ExportedCell) -> np.ndarray | None:
    """The scores of the test part by the weights; None for a method that has none."""
    test = cell.features("test")
    match cell.method:
        case "random" | "oracle_forest":
            return None
        case "two_stage":
            prior = cell.document["prior"]
            first, second = (np.exp(risk.scores(test)) for risk in cell.risks)
            loyal = prior["gamma"] / prior["beta"] * second
            return np.clip(prior["beta"] * first, 0, 1) * np.clip(1 - loyal, 0, 1)
        case "bagging_pu":
            return np.mean([risk.scores(test) for risk in cell.risks], axis=0)
        case "elkan_noto":
            (risk,) = cell.risks
            held_out = np.setdiff1d(np.arange(len(cell.rows("D_Y"))), risk.terms[0].positions)
            return expit(risk.scores(test)) / expit(risk.scores(cell.features("D_Y")[held_out])).mean()
    (risk,) = cell.risks
    return risk.scores(test)


def check_scores(cell: ExportedCell, findings: Findings) -> None:
    expected = expected_scores(cell)
    if expected is None:
        return
    # Against the largest score: a score near zero is a sum that cancels.
    allowed = ROUNDING * np.abs(expected).max()
    place = int(np.abs(expected - cell.scores).argmax())
    computed, stored = float(expected[place]), float(cell.scores[place])
    detail = f"row {place} of the test part computed {computed!r}, stored {stored!r}"
    findings.within("scores", np.abs(expected - cell.scores).max(), allowed, detail)


# ---------------------------------------------------------------------------------------------------------------------
# Checks of the metrics


def exact_area(truth: np.ndarray, scores: np.ndarray) -> float:
    """The area under the ROC curve by counting pairs in whole numbers, with a single division at the end."""
    _, group = np.unique(scores, return_inverse=True)
    positives = np.bincount(group[truth], minlength=group.max() + 1).tolist()
    negatives = np.bincount(group[~truth], minlength=group.max() + 1).tolist()
    twice, below = 0, 0
    for positive, negative in zip(positives, negatives, strict=True):
        twice += 2 * positive * below + positive * negative
        below += negative
    return twice / (2 * sum(positives) * sum(negatives))


def lift(truth: np.ndarray, scores: np.ndarray, share: float) -> float:
    """How many times the share of the positives the best-ranked share of people holds.

    The people at its edge count in part: the last one where the share is no whole number, and all of one score alike.
    """
    _, group, size = np.unique(-scores, return_inverse=True, return_counts=True)
    before = np.cumsum(size) - size
    part = np.clip((share * len(scores) - before) / size, 0, 1)
    return float(part[group[truth]].sum() / (share * truth.sum()))


def expected_probabilities(cell: ExportedCell) -> np.ndarray | None:
    """p(w = +1 | x) as the method understands its scores; None for a method whose scores only rank people."""
    match cell.method:
        case "bagging_pu" | "random":
            return None
        case "two_stage" | "elkan_noto" | "oracle_forest":
            return np.clip(cell.scores, 0, 1)
    match cell.risks[0].loss:
        case "logistic" | "log":
            share = expit(cell.scores)
        case "squared":
            share = np.clip((1 + cell.scores) / 2, 0, 1)
        case _:
            return None
    costs = cell.costs
    return share * costs["false_positive"] / (share * costs["false_positive"] + (1 - share) * costs["false_negative"])


def check_probabilities(cell: ExportedCell, findings: Findings) -> None:
    expected, stored = expected_probabilities(cell), cell.row_columns["test"].get("probability")
    findings.holds("probabilities", (expected is None) == (stored is None), "are there and should not be, or the reverse")
    if expected is not None and stored is not None:
        findings.within("probabilities", np.abs(expected - stored).max(), ROUNDING, "the largest difference")
    expected = 0.5 if cell.method in ("two_stage", "elkan_noto", "oracle_forest", "random") else 0.0
    findings.number("threshold", expected, cell.document["threshold"], 0.0)


def expected_metrics(cell: ExportedCell) -> dict[str, float | None]:
    """Every metric by scikit-learn, or by counting where it has none."""
    truth, scores, interested = cell.truth, cell.scores, cell.row_columns["test"]["y"] > 0
    decided = scores > cell.document["threshold"]
    probabilities = cell.row_columns["test"].get("probability")
    missed, false_alarms = np.mean(truth & ~decided), np.mean(~truth & decided)

    def area(of: np.ndarray, by: np.ndarray) -> float | None:
        return float(roc_auc_score(of, by)) if 0 < of.sum() < len(of) else None

    metrics = {
        "roc_auc": area(truth, scores),
        "roc_auc_given_interest": area(truth[interested], scores[interested]),
        "roc_auc_of_interest": area(interested, scores),
        "average_precision": float(average_precision_score(truth, scores)),
        "accuracy": float(accuracy_score(truth, decided)),
        "f1": float(f1_score(truth, decided)),
        "cost_weighted_risk": cell.costs["false_negative"] * missed + cell.costs["false_positive"] * false_alarms,
        "brier_score": None if probabilities is None else float(brier_score_loss(truth, probabilities)),
    }
    for percent in (5, 10, 20):
        metrics[f"lift_at_{percent}"] = lift(truth, scores, percent / 100)
        metrics[f"precision_at_{percent}"] = lift(truth, scores, percent / 100) * truth.mean()
    return metrics


def check_metrics(cell: ExportedCell, findings: Findings) -> None:
    metrics = cell.document["metrics"]
    exact = exact_area(cell.truth, cell.scores)
    findings.number("roc_auc", exact, metrics["roc_auc"], 0.0)
    findings.number("roc_auc", exact, float(cell.row["roc_auc"]), 0.0)
    expected = expected_metrics(cell)
    for name, value in metrics.items():
        computed = expected[name]
        findings.holds(name, (computed is None) == (value is None), f"computed {computed}, stored {value}")
        in_table = float(cell.row[name]) if cell.row[name] else None
        findings.holds(name, in_table == value, f"{in_table} in cells.csv, {value} in cell.json")
        if computed is not None and value is not None:
            findings.number(name, computed, value, AREA * max(1.0, abs(computed)) * 10)


# ---------------------------------------------------------------------------------------------------------------------
# Checks of the split


def check_split(cell: ExportedCell, findings: Findings, source: Source) -> None:
    """The rows of every sample against the source file."""
    table = cell.document["setting"]["dataset"]["table"]
    interest, loyal = source.positive(table["interest"]), source.positive(table["loyalty"])
    everybody = set(range(1, len(source) + 1))
    rows = {name: set(cell.rows(name).tolist()) for name in cell.tables}
    train = everybody - rows["test"]
    for name, members in rows.items():
        findings.holds("split", len(members) == len(cell.rows(name)), f"a row of {name} occurs twice")
        findings.holds("split", members <= everybody, f"a row of {name} that the file does not have")
        findings.holds("split", name == "test" or members <= train, f"a row of {name} is in the test part")
    if "train" in rows:
        findings.holds("split", rows["train"] == train, "train is not all but the test part")

    def all_of(name: str, condition: np.ndarray) -> bool:
        return bool(condition[cell.rows(name) - 1].all())

    findings.holds("split", all_of("D_Y", interest), "D_Y has a row that is not interested")
    findings.holds("split", all_of("D_L", interest & loyal), "D_L has a row that is not interested and loyal")
    for name, columns in cell.row_columns.items():
        if "w" in columns:
            truth = (interest & ~loyal)[cell.rows(name) - 1]
            findings.holds("split", np.array_equal(columns["w"], np.where(truth, 1, -1)), f"w in {name}")
        if "y" in columns:
            interested = interest[cell.rows(name) - 1]
            findings.holds("split", np.array_equal(columns["y"], np.where(interested, 1, -1)), f"y in {name}")
    check_scheme(cell, findings, rows, train, interest, loyal)


def check_scheme(
    cell: ExportedCell, findings: Findings, rows: dict, train: set, interest: np.ndarray, loyal: np.ndarray
) -> None:
    """What the sampling scheme says of the samples."""
    ((scheme, options),) = cell.document["setting"]["sampling"].items()
    ours = np.array(sorted(train)) - 1

    def size(name: str, expected: float) -> None:
        findings.holds("split", abs(len(rows[name]) - expected) <= 1, f"{name} has {len(rows[name])} rows")

    size("test", options["test"] * len(interest))
    if scheme == "pools":
        size("D_U", options["unlabeled"] * len(train))
        findings.holds("split", not rows["D_Y"] & rows["D_U"], "the pools of D_Y and D_U overlap")
        if options["loyal"] == "within_interest":
            right = rows["D_L"] == {row for row in rows["D_Y"] if loyal[row - 1]}
            findings.holds("split", right, "D_L is not the loyal part of D_Y")
        else:
            findings.holds("split", not rows["D_L"] & (rows["D_Y"] | rows["D_U"]), "the pool of D_L overlaps another")
    else:
        size("D_Y", (1 - options["hide_interest"]) * interest[ours].sum())
        crowd = train if options["unlabeled"] == "all" else train - rows["D_Y"]
        findings.holds("split", rows["D_U"] == crowd, f"D_U is not `{options['unlabeled']}`")
        findings.holds("split", rows["D_L"] <= rows["D_Y"], "D_L is not within D_Y")
        if options["hide_loyalty_among"] == "kept":
            kept = sum(bool(loyal[row - 1]) for row in rows["D_Y"])
            size("D_L", (1 - options["hide_loyalty"]) * kept)


def check_features(cell: ExportedCell, findings: Findings, source: Source) -> None:
    """Every feature from the source file: standardised over the training rows, or one column for a category."""
    setting = cell.document["setting"]
    table, ways = setting["dataset"]["table"], setting["features"]
    if (ways["numeric"], ways["categorical"]) != ("standardize", "one_hot"):
        return
    left_out = {table["interest"]["column"], table["loyalty"]["column"], *ways["exclude"]}
    training = np.setdiff1d(np.arange(len(source)), cell.rows("test") - 1)
    expected: dict[str, np.ndarray] = {}
    for name, column in source.columns.items():
        if name in left_out:
            continue
        try:
            values = column.astype(float)
        except ValueError:
            expected |= {f"{name}={value}": column == value for value in np.unique(column[training])}
        else:
            expected[name] = (values - values[training].mean()) / values[training].std()
    for sample, (header, values) in cell.tables.items():
        if sorted(header) != sorted(expected):
            findings.holds("features", False, f"{sample} has other columns: {set(header) ^ set(expected)}")
            continue
        ours = np.column_stack([expected[name][cell.rows(sample) - 1] for name in header]).astype(float)
        place = np.unravel_index(np.abs(ours - values).argmax(), ours.shape)
        computed, stored = float(ours[place]), float(values[place])
        detail = f"{header[place[1]]} in row {place[0]} of {sample} computed {computed!r}, stored {stored!r}"
        findings.within("features", np.abs(ours - values).max(), ROUNDING * np.abs(ours).max(), detail)
    if "train" in cell.tables:
        header, values = cell.tables["train"]
        scaled = values[:, ["=" not in name for name in header]]
        findings.within("features", np.abs(scaled.mean(axis=0)).max(), ROUNDING, "the mean of a column of train")
        findings.within("features", np.abs(scaled.std(axis=0) - 1).max(), ROUNDING, "the sd of a column of train")


def check_prior(cell: ExportedCell, findings: Findings, source: Source) -> None:
    """`true` is the frequency over all rows of the file."""
    prior = cell.document["prior"]
    if prior is None or cell.row["prior"] != "true":
        return
    table = cell.document["setting"]["dataset"]["table"]
    interest, loyal = source.positive(table["interest"]), source.positive(table["loyalty"])
    findings.number("prior", int(interest.sum()) / len(source), prior["beta"], 0.0)
    # Methods that are not told gamma have a 0 in its place.
    gamma = 0.0 if cell.method in ("naive_pu", "naive_nnpu") else int((interest & loyal).sum()) / len(source)
    findings.number("prior", gamma, prior["gamma"], 0.0)


# ---------------------------------------------------------------------------------------------------------------------
# The audit


def audited(cell: ExportedCell, source: Source) -> Findings:
    findings = Findings()
    fits = (check_objectives, check_gradients, check_minima, check_stationary, check_widths)
    for check in (*fits, check_terms, check_positions, check_scores, check_probabilities, check_metrics):
        check(cell, findings)
    if cell.is_of_bank_file:
        for check in (check_split, check_features, check_prior):
            check(cell, findings, source)
    return findings


def has_linear_minimum(cell: ExportedCell) -> bool:
    linear = cell.document["risks"][:1] and cell.document["risks"][0]["form"] == "linear"
    return bool(linear) and cell.risks[0].is_the_minimum and cell.risks[0].ridge > 0 and len(cell.risks) == 1


def missed_faults(cell: ExportedCell, source: Source) -> list[str]:
    """Puts small faults into a cell that agrees and returns those that no check reports."""
    missed = []

    def expect(fault: str, broken: ExportedCell, *reports: str) -> None:
        findings = audited(broken, source)
        silent = [what for what in reports if not findings.failed(what)]
        missed.extend(f"{fault} is not reported by the check of {what}" for what in silent)

    # At a minimum the objective changes by the square of the nudge only, and must show it all the same.
    broken = copy.deepcopy(cell)
    broken.risks[0].weights[0] += NUDGE
    expect(f"a weight off by {NUDGE:g}", broken, "objective", "gradient", "minimum", "stationary", "scores")
    broken = copy.deepcopy(cell)
    broken.truth[int(cell.truth.argmax())] = False
    expect("one false label in the test part", broken, "roc_auc")
    if "probability" in cell.row_columns["test"]:
        broken = copy.deepcopy(cell)
        broken.row_columns["test"]["probability"][0] += NUDGE
        expect(f"a probability off by {NUDGE:g}", broken, "probabilities")
    broken = copy.deepcopy(cell)
    broken.risks[0].terms[0].positive += NUDGE
    expect(f"a coefficient off by {NUDGE:g}", broken, "terms")
    if cell.is_of_bank_file:
        broken = copy.deepcopy(cell)
        broken.row_columns["D_Y"]["row"][0] = cell.rows("test")[0]
        expect("a test row among D_Y", broken, "split", "features")
    return missed


def chosen(run: Path, per_line: int) -> list[dict[str, str]]:
    """The rows of cells.csv to audit: of every line of the tables, the last seeds that have a result."""
    with (run / "cells.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    lines: dict[tuple, list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        lines[row["setting"], row["method"], row["options"], row["prior"]].append(row)
    kept = []
    for line, members in lines.items():
        results = sorted((row for row in members if row["status"] == "ok"), key=lambda row: int(row["seed"]))
        if not results:
            print(f"no result to audit: {' | '.join(line)}")
        kept += results[-per_line:]
    return kept


def export(binary: Path, run: Path, row: dict[str, str], out: Path) -> ExportedCell:
    command = [str(binary), "export", str(run), row["cell"], "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"error: `{' '.join(command)}` ended with {done.returncode}:\n{done.stderr}")
    return ExportedCell(out, row)


def audit(binary: Path, run: Path, per_line: int) -> int:
    """Prints a line for every cell; the number of cells that disagree."""
    source = Source.read(BANK)
    rows = chosen(run, per_line)
    if not rows:
        sys.exit(f"error: {run} has no cell with a result")
    wrong, tried = 0, False
    with tempfile.TemporaryDirectory() as folder:
        for row in rows:
            cell = export(binary, run, row, Path(folder) / row["cell"])
            findings = audited(cell, source)
            if not findings.disagreements and not tried and has_linear_minimum(cell):
                tried = True
                findings.disagreements += missed_faults(cell, source)
                if not findings.disagreements:
                    print("the audit itself: reports every small fault that was put into a cell")
            wrong += bool(findings.disagreements)
            verdict = "DISAGREES" if findings.disagreements else "agrees"
            print(f"{verdict}: {cell.title}: {findings.summary()}", *findings.disagreements, sep="\n    ", flush=True)
    if not tried:
        print("the audit itself: not tried, for want of a cell with one convex linear risk that agrees")
    print(f"{len(rows)} cells audited, {f'{wrong} disagree' if wrong else 'all agree'}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", metavar="BINARY", type=Path, help="the program, for instance target/release/doublepu")
    parser.add_argument("run", metavar="RUN", type=Path, help="the folder of a run")
    parser.add_argument("--cells", metavar="N", type=int, default=1, help="how many seeds of every line (default: 1)")
    arguments = parser.parse_args()
    if arguments.cells < 1:
        parser.error("--cells must be at least 1")
    if not (arguments.run / "cells.csv").is_file():
        parser.error(f"{arguments.run} has no cells.csv: is it the folder of a run?")
    # Matrices are small: threads would only wait for one another.
    with threadpool_limits(1):
        return 1 if audit(arguments.binary.resolve(), arguments.run, arguments.cells) else 0


if __name__ == "__main__":
    sys.exit(main())
