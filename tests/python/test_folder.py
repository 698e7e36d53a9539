"""Run folders as data frames, against Python's own CSV reader."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import doublepu
import numpy as np
import pandas
import polars
import pytest


def texts(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("frames", ["pandas", "polars"])
@pytest.mark.parametrize("table", ["cells", "summary", "comparisons"])
def test_every_number_has_the_bits_of_the_file(smoke, table, frames):
    frame = getattr(doublepu.read_run(smoke, frames), table)
    rows = texts(smoke / f"{table}.csv")
    assert list(frame.columns) == list(rows[0]) and len(frame) == len(rows)
    count = 0
    for name in frame.columns:
        for value, row in zip(frame[name].to_list(), rows):
            text = row[name]
            if isinstance(value, float) and not math.isnan(value):
                assert value.hex() == float(text.replace("never", "inf")).hex(), name
                count += 1
            elif isinstance(value, bool):
                assert value == (text == "yes")
            elif isinstance(value, int):
                assert str(value) == text
            elif isinstance(value, str):
                assert value == text
            else:
                assert text == "", f"{name} is {value!r}, not {text!r}"
    assert count > 50


def test_columns_of_pandas_have_the_types_of_what_they_mean(smoke):
    run = doublepu.read_run(smoke)
    types = {name: str(kind) for name, kind in run.cells.dtypes.items()}
    expected = {"cell": "string", "setting": "string", "seed": "Int64", "roc_auc": "float64", "beta": "float64"}
    expected |= {"iterations": "Int64", "convex": "boolean", "rows_test": "Int64", "reason": "string"}
    assert {name: types[name] for name in expected} == expected
    assert str(run.comparisons.dtypes["seeds_to_see"]) == "float64"
    failed = run.cells[run.cells.status != "ok"]
    assert len(failed) == 6 and failed.roc_auc.isna().all() and failed.reason.notna().all()


def test_columns_of_polars_have_the_types_of_what_they_mean(smoke):
    schema = doublepu.read_run(smoke, "polars").cells.schema
    types = [schema[name] for name in ("cell", "seed", "roc_auc", "convex", "reason")]
    assert types == [polars.String, polars.Int64, polars.Float64, polars.Boolean, polars.String]


def test_keys_are_never_missing_so_that_groups_lose_no_row(smoke):
    cells = doublepu.read_run(smoke).cells
    keys = ["setting", "method", "options", "prior"]
    assert not cells[keys].isna().any(axis=None)
    assert cells.groupby(keys).size().sum() == len(cells)


def test_means_of_the_cells_are_those_of_the_summary(smoke):
    run = doublepu.read_run(smoke)
    means = run.cells.groupby(["label", "prior"]).roc_auc.mean()
    summary = run.summary[run.summary.metric == "roc_auc"].set_index(["label", "prior"])["mean"]
    assert np.allclose(means.sort_index(), summary.sort_index(), rtol=1e-14, equal_nan=True)


TABLE = """\
ridge,roc_auc,cell,label,fast,depth,convex,seed,level,kind,setting
0.1,0.8591000000000001,1234567890123456,NA,true,3,yes,1,low,null,
tune(0.1 1),0.30000000000000004,12e4567890123456,nan,false,,no,2,0.5,,
,,0000000000000001,x y,,5,,3,,10,
"""


@pytest.mark.parametrize("frames", ["pandas", "polars"])
def test_columns_of_options_and_any_order_are_read(tmp_path, frames):
    (tmp_path / "cells.csv").write_text(TABLE)
    (tmp_path / "summary.csv").touch()
    run = doublepu.read_run(tmp_path, frames)
    columns = {name: run.cells[name].to_list() for name in run.cells.columns}
    known = {name: [None if pandas.isna(value) else value for value in values] for name, values in columns.items()}
    assert known == {
        "ridge": ["0.1", "tune(0.1 1)", None],
        "roc_auc": [0.8591000000000001, 0.30000000000000004, None],
        "cell": ["1234567890123456", "12e4567890123456", "0000000000000001"],
        "label": ["NA", "nan", "x y"],
        "fast": [True, False, None],
        "depth": [3.0, None, 5.0],
        "convex": [True, False, None],
        "seed": [1, 2, 3],
        # An option with the name of a column of another table.
        "level": ["low", "0.5", None],
        "kind": ["null", None, "10"],
        "setting": ["", "", ""],
    }
    assert run.comparisons is None


def test_a_folder_without_tables_is_refused_with_the_reason(tmp_path):
    with pytest.raises(doublepu.NotARun, match="there is no such folder"):
        doublepu.read_run(tmp_path / "nothing")
    with pytest.raises(doublepu.NotARun, match="has no cells.csv and no summary.csv: it is not a run folder"):
        doublepu.read_run(tmp_path)
    (tmp_path / "journal.jsonl").touch()
    with pytest.raises(doublepu.NotARun, match="not complete, or it is a shard"):
        doublepu.read_run(tmp_path)
    with pytest.raises(ValueError, match="give 'pandas' or 'polars'"):
        doublepu.read_run(tmp_path, "arrow")


def test_the_failures_of_summary_json_are_the_failed_cells(smoke):
    failures = json.loads((smoke / "summary.json").read_text())["failures"]
    cells = doublepu.read_run(smoke).cells
    assert sum(len(failure["seeds"]) for failure in failures) == (cells.status != "ok").sum() > 0
