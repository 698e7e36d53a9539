"""External methods in runs of the program."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from pathlib import Path

import doublepu
import pytest
from conftest import ROOT

FOLDER = ROOT / "experiments/external"

# An area is a share of pairs of test rows: one pair that rounding puts in the other order changes it by about 1e-6.
ALLOWED = 1e-6


@pytest.fixture(autouse=True)
def this_python(monkeypatch):
    """`python3` in a spec is the Python that runs the tests."""
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))


@pytest.fixture
def spec(tmp_path):
    """Writes a spec with one external method, whose script is given, beside `random`."""

    def write(script: str, external: str = "", rest: str = "") -> Path:
        (tmp_path / "method.py").write_text(script)
        path = tmp_path / "spec.yaml"
        path.write_text(f"""
experiment: trial
dataset:
  source: bank-marketing
  interest: {{ column: deposit, positive: "yes" }}
  loyalty: {{ column: housing, positive: "yes" }}
sampling: {{ scheme: pools }}
seeds: 3
methods:
  - random
  - external: {{ name: mine, command: [python3, method.py], files: [method.py], {external} }}
{rest}""")
        return path

    return write


def apart(run: doublepu.Run, external: str, built_in: str) -> float:
    """The largest difference in ROC-AUC over all cells; values of an option are paired by their order."""
    keys = ["setting", "seed", "options"]

    def areas(name: str):
        cells = run.cells[run.cells.method == name].sort_values(keys)
        assert len(cells) > 0
        return cells.roc_auc.to_numpy()

    return float(abs(areas(external) - areas(built_in)).max())


def run_without_failures(spec: Path, out: Path, **options) -> doublepu.Run:
    with warnings.catch_warnings():
        warnings.simplefilter("error", doublepu.CellsFailed)
        return doublepu.run(spec, out, **options)


def test_methods_written_again_in_numpy_and_scipy_agree_in_every_cell_of_50_seeds(tmp_path):
    pytest.importorskip("scipy")
    run = run_without_failures(FOLDER / "agreement.yaml", tmp_path)
    assert run.cells.seed.max() == 50 and len(run.cells) == 400
    for external, built_in in [("naive_pu_scipy", "naive_pu"), ("biased_pn_numpy", "biased_pn")]:
        difference = apart(run, external, built_in)
        print(f"{external} and {built_in}: largest difference in ROC-AUC {difference:.1e}")
        assert difference <= ALLOWED


def test_the_spec_for_pipelines_gives_the_same_bytes_for_any_number_of_jobs(tmp_path):
    runs = [run_without_failures(FOLDER / "check.yaml", tmp_path / str(jobs), jobs=jobs) for jobs in (1, 2)]
    one, two = ((run.folder / "cells.csv").read_bytes() for run in runs)
    assert one == two
    assert apart(runs[0], "biased_pn_numpy", "biased_pn") <= ALLOWED


def test_an_exception_fails_the_cells_of_its_method_and_no_other(spec, tmp_path):
    path = spec("""
from doublepu import serve

def method(interest, test):
    print("so far so good")
    raise RuntimeError("did not converge")

serve(method)
""")
    with pytest.warns(doublepu.CellsFailed, match="RuntimeError: did not converge"):
        run = doublepu.run(path, tmp_path / "out")
    is_ok = run.cells.status == "ok"
    assert set(run.cells.method[is_ok]) == {"random"} and set(run.cells.method[~is_ok]) == {"mine"}


def test_what_is_not_used_is_not_sent(spec, tmp_path):
    path = spec(
        """
from doublepu import serve

def method(test, **given):
    assert sorted(given) == ["columns", "options", "seed", "unlabeled"], sorted(given)
    assert not any("housing" in name or "deposit" in name for name in given["columns"])
    return test[:, 0]

serve(method)
""",
        "uses: [unlabeled]",
    )
    run_without_failures(path, tmp_path / "out")


def test_options_are_swept_and_reach_the_method(spec, tmp_path):
    path = spec(
        """
from doublepu import serve

def method(test, *, options):
    return test[:, options["column"]] * (1 if options["up"] else -1)

serve(method)
""",
        "options: { column: [0, 1], up: [true, false] }",
    )
    run = run_without_failures(path, tmp_path / "out")
    mine = run.cells[run.cells.method == "mine"]
    assert len(mine) == 4 * 3
    # Turned round, a ranking has the area above its curve.
    areas = mine.sort_values(["seed", "options"]).roc_auc.to_numpy().reshape(3, 2, 2)
    assert abs(areas.sum(axis=2) - 1).max() < 1e-12


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
def test_the_example_in_r_runs(tmp_path):
    run = run_without_failures(FOLDER / "check_r.yaml", tmp_path)
    means = run.cells.groupby("method").roc_auc.mean()
    assert means["discriminant"] > means["random"] + 0.1


SIMULATION = """
experiment: positions
dataset:
  source: simulation
  groups:
    interested: { count: 300, mean: [-2, 2] }
    loyal: { count: 300, mean: [2, 2] }
    others: { count: 300, mean: [-2, -2] }
sampling: { scheme: censoring, hide_interest: 0.3 }
seeds: 20
methods: [external: { name: mine, command: [python3, method.py], files: [method.py] }]
"""


def test_positions_of_rows_say_nothing(spec, tmp_path):
    spec("from doublepu import serve\nserve(lambda test: range(len(test)))")
    (tmp_path / "simulation.yaml").write_text(SIMULATION)
    stratified = {"sampling": {"scheme": "pools", "stratify": True}, "seeds": 20}
    censored = {"sampling": {"scheme": "censoring", "test": 0.5}, "seeds": 20}
    for name, changes in [("spec", stratified), ("spec", censored), ("simulation", {})]:
        run = run_without_failures(tmp_path / f"{name}.yaml", tmp_path / "out", **changes)
        mine = run.cells[run.cells.method == "mine"].roc_auc
        assert len(mine) == 20 and abs(mine.mean() - 0.5) < 0.02, (name, changes, mine.mean())
        shutil.rmtree(tmp_path / "out")
