"""Run folders as data frames. docs/run-folder.md describes every column."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

if TYPE_CHECKING:
    import pandas
    import polars

Frame = TypeVar("Frame")
Frames = Literal["pandas", "polars"]

# Every column has one type, whatever is in it. Those that are not listed are metrics or options: truth values if all
# values are `true` or `false`, otherwise numbers if all values are, otherwise texts.
KEYS = {
    "cells.csv": {"cell", "setting", "method", "label", "options", "prior"},
    "summary.csv": {"setting", "method", "prior", "metric"},
    "comparisons.csv": {"setting", "method", "prior", "other", "other_prior", "metric"},
}
TEXTS = {
    "cells.csv": {"status", "ending", "optimizer", "bounded", "tuned", "reason"},
    "summary.csv": set[str](),
    "comparisons.csv": set[str](),
}
COUNTS = {
    "cells.csv": {"seed", "iterations", "starts"}
    | {f"rows_{sample}" for sample in ("interest", "unlabeled", "loyal", "train", "test")},
    "summary.csv": {"seeds", "failed"},
    "comparisons.csv": {"ahead", "level", "behind", "pairs"},
}
# `yes` or `no`.
ANSWERS = "convex"
# A number of seeds, or `never`, which becomes infinity.
NEVER = "seeds_to_see"


class NotARun(Exception):
    """A folder has no tables of a run."""


@dataclass(frozen=True)
class Run(Generic[Frame]):
    """A run folder. Tables are read when they are first asked for."""

    folder: Path
    frames: Frames = "pandas"

    @cached_property
    def cells(self) -> Frame:
        """One row for each cell."""
        return self._table("cells.csv")  # type: ignore[no-any-return]

    @cached_property
    def summary(self) -> Frame:
        """One row for each result row and metric: means over the seeds, with intervals."""
        return self._table("summary.csv")  # type: ignore[no-any-return]

    @cached_property
    def comparisons(self) -> Frame | None:
        """One row for each compared pair and metric; `None` if the spec has no `compare`."""
        return self._table("comparisons.csv") if (self.folder / "comparisons.csv").exists() else None

    def _table(self, name: str) -> Any:
        return (to_pandas if self.frames == "pandas" else to_polars)(self.folder / name)


@overload
def read_run(folder: str | os.PathLike[str], frames: Literal["pandas"] = "pandas") -> Run[pandas.DataFrame]: ...
@overload
def read_run(folder: str | os.PathLike[str], frames: Literal["polars"]) -> Run[polars.DataFrame]: ...
def read_run(folder: str | os.PathLike[str], frames: Frames = "pandas") -> Run[Any]:
    """Opens a run folder, whose tables are then `cells`, `summary` and `comparisons`.

    Numbers have the same bits as in the program, an empty field is a missing value, and keys such as `setting` are never
    missing: where a run has only one setting without a name, it is an empty text.

    :param frames: the package of the data frames, `pandas` or `polars`
    :raises NotARun: the folder is no run folder, or has no tables because it is a shard or the run is not complete
    """
    if frames not in ("pandas", "polars"):
        raise ValueError(f"frames is {frames!r}; give 'pandas' or 'polars'")
    path = Path(folder)
    missing = [name for name in ("cells.csv", "summary.csv") if not (path / name).is_file()]
    if missing:
        raise NotARun(f"{path} has no {' and no '.join(missing)}: {reason(path)}")
    return Run(path, frames)


def reason(path: Path) -> str:
    if not path.is_dir():
        return "there is no such folder"
    if not (path / "journal.jsonl").exists():
        return "it is not a run folder"
    return "the run is not complete, or it is a shard; `doublepu run` continues it, and `doublepu merge` joins shards"


def to_pandas(path: Path) -> pandas.DataFrame:
    try:
        import pandas
    except ImportError as error:
        raise ImportError("this needs pandas: pip install 'doublepu[pandas]'") from error
    # Read as texts, so that no number loses a bit and a text such as `NA` is not a missing value.
    frame = pandas.read_csv(path, dtype="string", keep_default_na=False, na_values=[""])

    def converted(name: str) -> pandas.Series:
        column = frame[name]
        if name in KEYS[path.name]:
            return column.fillna("")
        if name in TEXTS[path.name]:
            return column
        if name in COUNTS[path.name]:
            return column.astype("Int64")
        if name == ANSWERS:
            return (column == "yes").astype("boolean")
        if name == NEVER:
            return column.replace("never", "inf").astype("float64")
        if column.notna().any() and column.dropna().isin(["true", "false"]).all():
            return (column == "true").astype("boolean")
        try:
            return column.astype("float64")
        except ValueError:
            return column

    return pandas.DataFrame({name: converted(name) for name in frame.columns})


def to_polars(path: Path) -> polars.DataFrame:
    try:
        import polars
    except ImportError as error:
        raise ImportError("this needs polars: pip install 'doublepu[polars]'") from error
    as_text = polars.read_csv(path, infer_schema=False)

    def converted(name: str) -> polars.Expr:
        column = polars.col(name)
        if name in KEYS[path.name]:
            return column.fill_null("")
        if name in TEXTS[path.name]:
            return column
        if name in COUNTS[path.name]:
            return column.cast(polars.Int64)
        if name == ANSWERS:
            return column == "yes"
        if name == NEVER:
            return column.replace("never", "inf").cast(polars.Float64)
        values = as_text[name].drop_nulls()
        if len(values) and values.is_in(["true", "false"]).all():
            return column == "true"
        numbers = column.cast(polars.Float64, strict=False)
        is_number = as_text.select((column.is_null() == numbers.is_null()).all()).item()
        return numbers if is_number else column

    return as_text.select(converted(name) for name in as_text.columns)
