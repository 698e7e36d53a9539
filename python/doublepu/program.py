"""Starts the program. Its exit codes become exceptions with its message."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from doublepu.folder import Run, read_run

if TYPE_CHECKING:
    import pandas


class ProgramError(Exception):
    """The program ended with an error. `code` is its exit code, negative for a signal."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message or f"doublepu ended with exit code {code} and without a message")
        self.code = code


class SpecError(ProgramError):
    """Exit code 2: a bad spec, or a bad value of a key."""


class DataError(ProgramError):
    """Exit code 3: data is missing, malformed, or has a wrong checksum."""


class ResultsError(ProgramError):
    """Exit code 5: results are incomplete, different, damaged, or not readable or writable."""


class InternalError(ProgramError):
    """Exit code 70: a bug in doublepu."""


class ResourceError(ProgramError):
    """Exit code 71: too little memory, or too few threads, on this system."""


class Interrupted(ProgramError):
    """Exit code 130: the program was told to stop. Finished cells are kept; run again to continue."""


class CellsFailed(UserWarning):
    """Exit code 4: some cells failed; the others are stored."""


SOME_CELLS_FAILED = 4
ERRORS: dict[int, type[ProgramError]] = {
    2: SpecError,
    3: DataError,
    5: ResultsError,
    70: InternalError,
    71: ResourceError,
    130: Interrupted,
}


def run(
    spec: str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    fresh: bool = False,
    jobs: int | None = None,
    **set: Any,
) -> Run[pandas.DataFrame]:
    """Runs an experiment, or continues it, and returns the run.

        run = doublepu.run("my-shop.yaml", seeds=20)
        run.summary

    :param spec: the YAML file of the experiment
    :param out: the run folder; `results/runs/<experiment>` in the working folder if not given
    :param fresh: run every cell again
    :param jobs: the number of cells to run at a time; all cores if not given
    :param set: keys of the spec to change, with values of Python. One below another is given by its path:
        `**{"methods.0.double_pu.ridge": 0.1}`
    :raises ProgramError: the program ended with an error; the subclasses are its exit codes. If some cells failed, this
        is the warning `CellsFailed`, and the run is returned
    """
    arguments = ["run", os.fspath(spec)]
    arguments += ["--fresh"] if fresh else []
    arguments += [] if out is None else ["--out", os.fspath(out)]
    arguments += [] if jobs is None else ["--jobs", str(jobs)]
    arguments += [part for key, value in set.items() for part in ("--set", f"{key}={written(key, value)}")]
    code, printed, message = execute(arguments)
    if code not in (0, SOME_CELLS_FAILED):
        raise ERRORS.get(code, ProgramError)(code, message)
    if code == SOME_CELLS_FAILED:
        warnings.warn(message, CellsFailed, stacklevel=2)
    return read_run(folder_in(printed) if out is None else out)


def written(key: str, value: Any) -> str:
    """A value of Python as YAML, of which JSON is a part. Numbers of numpy count as numbers."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, default=lambda number: number.item())
    except (TypeError, ValueError, AttributeError) as error:
        raise SpecError(2, f"the value of `{key}` is {value!r}, which a spec cannot hold: {error}") from error


def execute(arguments: list[str]) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of the program."""
    command = [find_program(), *arguments]
    # In a session of its own, Ctrl-C reaches only Python, which then stops the program once.
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    try:
        printed, message = process.communicate()
    except BaseException:
        # The program finishes the cells that are running; if this is interrupted as well, it stops at once.
        process.terminate()
        try:
            process.communicate()
        except BaseException:
            process.terminate()
            process.wait()
        raise
    return process.returncode, printed, message.strip()


def find_program() -> str:
    """The program of this Python's environment; otherwise the one on PATH."""
    name = "doublepu.exe" if sys.platform == "win32" else "doublepu"
    folders = [Path(sysconfig.get_path("scripts")), Path(__file__).resolve().parents[1] / "bin"]
    if f"{os.name}_user" in sysconfig.get_scheme_names():
        folders.insert(1, Path(sysconfig.get_path("scripts", f"{os.name}_user")))
    found = (str(folder / name) for folder in folders if os.access(folder / name, os.X_OK))
    program = next(found, None) or shutil.which("doublepu")
    if program is None:
        raise FileNotFoundError("the program `doublepu` is neither installed with this Python nor on PATH")
    return program


def folder_in(printed: str) -> Path:
    """The run folder, from the last sentence that `doublepu run` prints."""
    found = re.findall(r"^(.+)[/\\]report\.html\b", printed, re.MULTILINE)
    if not found:
        raise ProgramError(0, f"the program did not print where the results are: give `out`. It printed:\n{printed}")
    return Path(found[-1])
