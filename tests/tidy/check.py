"""Reads the tables of runs as a user of pandas does: the means of cells.csv are those of summary.csv, names stay texts, and
cells.parquet has the same values with types.

    python tests/tidy/check.py RUN...
"""

import argparse
import pathlib
import sys

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as parquet

KEYS = ["setting", "label", "prior"]
TEXTS = ["cell", "setting", "label", "method", "options", "prior", "status", "ending", "optimizer", "convex", "bounded",
         "tuned", "reason"]
WHOLES = ["seed", "iterations", "starts", "rows_interest", "rows_unlabeled", "rows_loyal", "rows_train", "rows_test"]
METRICS = ["roc_auc", "roc_auc_given_interest", "roc_auc_of_interest", "average_precision", "accuracy", "f1",
           "cost_weighted_risk", "lift_at_5", "lift_at_10", "lift_at_20", "precision_at_5", "precision_at_10",
           "precision_at_20", "brier_score"]
NUMBERS = METRICS + ["beta", "gamma", "objective", "gradient_norm", "relative_gradient", "lowest_objective",
                     "highest_objective"]


class Wrong(Exception):
    pass


def require(holds, what):
    if not holds:
        raise Wrong(what)


def check_names(name, table, keys):
    """No reader may take a name for a number, a truth value or a missing value."""
    for key in keys:
        values = table[key]
        require(values.notna().all(), f"{name}: `{key}` is missing in a row")
        require(values.map(lambda value: isinstance(value, str)).all(), f"{name}: `{key}` is read as {values.dtype}")
        formulas = values[values.str.contains(r"^[=+@\t\r]|^-.", regex=True)]
        require(formulas.empty, f"{name}: `{key}` has what a spreadsheet takes for a formula: {formulas.tolist()[:3]}")
        hidden = values[~values.map(str.isprintable)]
        require(hidden.empty, f"{name}: `{key}` has hidden characters: {hidden.tolist()[:3]!r}")


def check_means(cells, summary):
    """The line that a user writes, for every metric of the summary."""
    for metric, rows in summary.groupby("metric"):
        means = cells.groupby(KEYS)[metric].mean()
        stated = rows.set_index(KEYS)["mean"]
        require(stated.index.is_unique, "summary.csv names two rows alike")
        require(set(means.index) == set(stated.index), f"{metric}: cells.csv and summary.csv have different rows")
        difference = (means - stated.reindex(means.index)).abs()
        require((difference.dropna() <= 1e-12).all(), f"{metric}: the means differ by {difference.max()}")
        require((means.isna() == stated.reindex(means.index).isna()).all(), f"{metric}: a mean is missing in one file")
        counts = cells.groupby(KEYS)[metric].count()
        seeds = rows.set_index(KEYS)["seeds"].reindex(counts.index)
        require((counts == seeds).all(), f"{metric}: the numbers of seeds differ")


def check_joins(run, cells, summary):
    """Every file has the keys by which it joins to the others, under the same names."""
    wide = summary.pivot(index=KEYS, columns="metric", values="mean").reset_index()
    joined = cells.merge(wide, on=KEYS, suffixes=("", "_mean"), validate="many_to_one")
    require(len(joined) == len(cells), "cells.csv and summary.csv do not join")
    lines = set(map(tuple, summary[KEYS].drop_duplicates().values))
    for path in sorted(run.glob("*.csv")):
        table = pd.read_csv(path)
        if path.name in ("cells.csv", "summary.csv", "scatter.csv"):
            continue
        keys = [key for key in KEYS if key in table]
        check_names(path.name, table, keys)
        if keys == KEYS:
            strange = set(map(tuple, table[KEYS].drop_duplicates().values)) - lines
            require(not strange, f"{path.name} names rows that summary.csv does not have: {sorted(strange)[:3]}")
        if path.name == "comparisons.csv":
            others = table[["setting", "other", "other_prior"]].drop_duplicates().values
            require(set(map(tuple, others)) <= lines, "comparisons.csv names other rows that summary.csv does not have")
        if "cell" in table:
            own = cells.set_index("cell").loc[table["cell"], KEYS + ["seed"]].reset_index(drop=True)
            require(own.equals(table[KEYS + ["seed"]]), f"{path.name} names cells otherwise than cells.csv")


def expected_type(column, cells):
    if column in TEXTS:
        return pa.large_string()
    if column in WHOLES:
        return pa.int64()
    if column in NUMBERS:
        return pa.float64()
    require(column.startswith(("option_", "setting_")), f"cells.csv has an unknown column `{column}`")
    # An option or a key is a number where all of its values are.
    values = cells[column].dropna()
    numeric = pd.to_numeric(values, errors="coerce")
    if values.empty or numeric.isna().any():
        return pa.large_string()
    is_whole = values.map(str).str.fullmatch(r"\d+(\.0)?").all()
    return pa.int64() if is_whole else pa.float64()


def check_parquet(run, cells):
    """The same rows and columns as cells.csv, to the bit, and a type for each column."""
    table = parquet.read_table(run / "cells.parquet")
    require(table.column_names == list(cells.columns), "cells.parquet has other columns than cells.csv")
    require(table.num_rows == len(cells), "cells.parquet has other rows than cells.csv")
    for column in table.column_names:
        field, expected = table.schema.field(column).type, expected_type(column, cells)
        is_text = pa.types.is_string(field) or pa.types.is_large_string(field) or pa.types.is_string_view(field)
        same = is_text if expected == pa.large_string() else field == expected
        require(same, f"cells.parquet: `{column}` is {field}, not {expected}")
        typed = table[column].to_pylist()
        for row, (text, value) in enumerate(zip(cells[column], typed)):
            is_missing = pd.isna(text)
            same = value is None if is_missing else value == (str(text) if is_text else text)
            require(same, f"row {row + 1}: `{column}` is {text!r} in cells.csv and {value!r} in cells.parquet")
    frame = pd.read_parquet(run / "cells.parquet")
    require(all(pd.api.types.is_float_dtype(frame[metric]) for metric in METRICS), "a metric is no number in pandas")


def check(run):
    cells, summary = pd.read_csv(run / "cells.csv", low_memory=False), pd.read_csv(run / "summary.csv")
    check_names("cells.csv", cells, ["cell", "setting", "label", "method", "prior"])
    check_names("summary.csv", summary, KEYS)
    missing = set(TEXTS + WHOLES + NUMBERS) - set(cells.columns)
    require(not missing, f"cells.csv lacks {sorted(missing)}")
    check_means(cells, summary)
    check_joins(run, cells, summary)
    check_parquet(run, cells)
    return len(cells), len(summary)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", type=pathlib.Path, metavar="RUN")
    for run in parser.parse_args().runs:
        try:
            cells, rows = check(run)
        except Wrong as wrong:
            sys.exit(f"{run}: {wrong}")
        print(f"{run}: {cells} cells and {rows} rows of the summary agree in CSV, Parquet and pandas")


if __name__ == "__main__":
    main()
