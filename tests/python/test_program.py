"""`run` starts the program, and its exit codes become exceptions."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import doublepu
import numpy as np
import pytest
from conftest import ROOT

SMOKE = ROOT / "experiments/smoke.yaml"
QUICK = {"methods": ["random"], "paper": []}


def test_the_version_is_that_of_cargo():
    assert f'\nversion = "{doublepu.__version__}"\n' in (ROOT / "Cargo.toml").read_text()


def test_smoke_runs_to_the_default_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = doublepu.run(SMOKE)
    assert run.folder == Path("results/runs/smoke")
    assert len(run.cells) == 42 and (run.cells.status == "ok").all()


def test_values_of_python_become_values_of_the_spec(tmp_path):
    changes = {
        "seeds": np.int64(4),
        "methods": [{"double_pu": {"ridge": [0.5, 0.25]}}, "random"],
        "methods.0.double_pu.loss": "squared",
        "priors": [{"guess": {"beta": np.float64(0.4), "gamma": 0.1}}],
        "compare": "double_pu ridge=0.5",
        "paper": (),
    }
    run = doublepu.run(SMOKE, tmp_path / "a run", jobs=1, **changes)
    assert len(run.cells) == 12 and run.cells.seed.max() == 4
    assert set(run.cells.options) >= {"loss=squared correction=none costs=1:1 ridge=0.5 model=linear optimizer=auto"}
    assert set(run.comparisons.other) == {"double_pu ridge=0.25", "random"}


def test_a_value_that_no_spec_can_hold_is_refused_before_anything_runs(tmp_path):
    for value in (float("nan"), object(), np.arange(3)):
        with pytest.raises(doublepu.SpecError, match="the value of `seeds` is"):
            doublepu.run(SMOKE, tmp_path / "out", seeds=value)
    assert not (tmp_path / "out").exists()


def test_failed_cells_are_a_warning_with_their_reasons(tmp_path):
    with pytest.warns(doublepu.CellsFailed, match="failed: double_pu, prior paper, seed 1: unbounded") as caught:
        run = doublepu.run(SMOKE, tmp_path, methods=[{"double_pu": {"ridge": 0}}, "random"], paper=[])
    assert [Path(warning.filename) for warning in caught] == [Path(__file__)]
    assert set(run.cells.status) == {"ok", "unbounded"}


def test_a_bad_spec_is_an_exception_with_the_message_of_the_program(tmp_path):
    with pytest.raises(doublepu.SpecError, match="unknown value `doble_pu`") as caught:
        doublepu.run(SMOKE, tmp_path, methods=["doble_pu"], paper=[])
    assert caught.value.code == 2 and "double_pu" in str(caught.value)
    with pytest.raises(doublepu.SpecError, match="nothing.yaml: cannot be read"):
        doublepu.run(tmp_path / "nothing.yaml")


def test_missing_data_is_an_exception(tmp_path):
    with pytest.raises(doublepu.DataError, match="nobody.csv") as caught:
        doublepu.run(SMOKE, tmp_path, **{"dataset.source": "./nobody.csv"}, **QUICK)
    assert caught.value.code == 3


def test_a_folder_of_something_else_is_an_exception_and_stays_as_it_is(tmp_path):
    (tmp_path / "thesis.txt").write_text("text")
    with pytest.raises(doublepu.ResultsError) as caught:
        doublepu.run(SMOKE, tmp_path, **QUICK)
    assert caught.value.code == 5 and os.listdir(tmp_path) == ["thesis.txt"]


def test_a_run_is_continued_and_fresh_runs_it_again(tmp_path):
    def computed() -> int:
        return (tmp_path / "journal.jsonl").read_text().count('"outcome"')

    doublepu.run(SMOKE, tmp_path, **QUICK)
    before = computed()
    doublepu.run(SMOKE, tmp_path, **QUICK)
    assert computed() == before
    times = (tmp_path / "timings.csv").read_text()
    doublepu.run(SMOKE, tmp_path, fresh=True, **QUICK)
    assert (tmp_path / "timings.csv").read_text() != times


def test_every_exit_code_of_a_run_has_an_exception():
    """Those of the documentation, but for success, failed cells, and the verbs `check` and `accept`."""
    from doublepu import program

    page = (ROOT / "docs/first-steps.md").read_text().split("| code | meaning |")[1]
    codes = {int(code) for code in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)}
    assert codes - {0, 4, 10, 11, 12, 13} == set(program.ERRORS)


def test_a_program_that_is_killed_is_an_exception(tmp_path, monkeypatch):
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\necho half a sentence >&2\nkill -9 $$\n")
    program.chmod(0o755)
    monkeypatch.setattr("doublepu.program.find_program", lambda: str(program))
    with pytest.raises(doublepu.ProgramError, match="half a sentence") as caught:
        doublepu.run(SMOKE)
    assert (type(caught.value), caught.value.code) == (doublepu.ProgramError, -signal.SIGKILL)


def test_a_program_that_is_nowhere_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr("sysconfig.get_path", lambda *_: str(tmp_path))
    monkeypatch.setattr("doublepu.program.__file__", str(tmp_path / "a/b/program.py"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="the program `doublepu` is neither installed"):
        doublepu.run(SMOKE)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupt_stops_the_program_and_keeps_what_is_done(tmp_path):
    script = f"import doublepu; doublepu.run({str(SMOKE)!r}, 'out', seeds=20000, jobs=1)"
    process = subprocess.Popen([sys.executable, "-c", script], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    journal = tmp_path / "out/journal.jsonl"
    watchdog = threading.Timer(60, process.kill)
    watchdog.start()
    while not (journal.exists() and '"outcome"' in journal.read_text()) and process.poll() is None:
        pass
    process.send_signal(signal.SIGINT)
    _, message = process.communicate()
    watchdog.cancel()
    assert "KeyboardInterrupt" in message and "error:" not in message
    assert (tmp_path / "out/.lock").read_text() == "", "the program has ended"
    assert '"outcome"' in journal.read_text()
