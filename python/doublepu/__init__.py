"""doublepu in Python: serve a method of your own, run experiments, read their results.

- `serve(method)` turns a script into an external method;
- `run(spec)` starts the program and returns the run;
- `read_run(folder)` opens a run folder as data frames.
"""

from doublepu.folder import NotARun, Run, read_run
from doublepu.program import (
    CellsFailed,
    DataError,
    InternalError,
    Interrupted,
    ProgramError,
    ResourceError,
    ResultsError,
    SpecError,
    run,
)
from doublepu.worker import serve

__version__ = "0.1.0"

__all__ = [
    "CellsFailed",
    "DataError",
    "InternalError",
    "Interrupted",
    "NotARun",
    "ProgramError",
    "ResourceError",
    "ResultsError",
    "Run",
    "SpecError",
    "__version__",
    "read_run",
    "run",
    "serve",
]
