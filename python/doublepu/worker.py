"""A worker: answers the requests of the program with the scores of a method."""

from __future__ import annotations

import importlib.metadata
import inspect
import os
import platform
import random
import sys
import traceback
from collections.abc import Iterable
from typing import Any, BinaryIO, Callable

import numpy as np

from doublepu import wire

# What a method can ask for, and the word below `uses` in a spec without which it is not sent.
USES = {
    "interest": "interest",
    "unlabeled": "unlabeled",
    "loyal": "loyal",
    "train": "labels",
    "labels": "labels",
    "beta": "priors",
    "gamma": "priors",
}
ALWAYS = ("test", "seed", "options", "columns")

# Packages that decide results, by the names of their modules. Their versions are reported if they are imported. Data frames
# are not among them: other packages import them if they are there.
KNOWN = {
    "catboost": "catboost",
    "jax": "jax",
    "lightgbm": "lightgbm",
    "numba": "numba",
    "pulearn": "pulearn",
    "scipy": "scipy",
    "sklearn": "scikit-learn",
    "statsmodels": "statsmodels",
    "tensorflow": "tensorflow",
    "torch": "torch",
    "xgboost": "xgboost",
}

LONGEST_ERROR = 2000


def serve(method: Callable[..., Any], *, packages: Iterable[str] = ()) -> None:
    """Answers requests of doublepu with the scores of `method`, until the program closes the input.

    Call it at the end of the script that the spec names:

        def my_method(interest, unlabeled, loyal, test, *, beta, gamma, seed, options, columns):
            ...
            return scores          # one number for each row of test, higher = more likely a potential customer

        serve(my_method)

    The method is called once for each cell, with those of these arguments that its signature names:

    - `interest`, `unlabeled`, `loyal`, `test`: the samples D_Y, D_U and D_L and the test set, as read-only arrays of
      64-bit floats with one row for each person, in random order. Copy one to change it;
    - `beta`, `gamma`: the class priors p(y = +1) and p(y = +1, z = +1);
    - `seed`: an integer of the cell. The global generators of `random`, numpy and torch are seeded with it as well;
    - `options`: a dict with the options that the spec gives to this cell;
    - `columns`: the names of the features;
    - `train`, `labels`: with `uses: [.., labels]`, all training rows, and for each 1.0 if W = +1 and 0.0 otherwise.

    An exception fails the cell: the program gets its message and stderr the traceback. The next cell is then served as
    usual. What the method prints goes to stderr, which `doublepu try-method` shows.

    Versions of Python, numpy and well-known imported packages are reported to the program. Name others in `packages`, as
    `pip install` knows them.

    :raises TypeError: the signature has an argument that no request can have
    :raises importlib.metadata.PackageNotFoundError: one of `packages` is not installed
    """
    names = arguments(method)
    hello = wire.hello(versions(packages))
    if sys.stdin is not None and sys.stdin.isatty():
        sys.exit("This script is started by doublepu. To try it on one cell: doublepu try-method SPEC NAME")
    requests, answers = take_over_streams()
    try:
        send(answers, hello)
        while (request := wire.read_request(requests)) is not None:
            send(answers, answer(method, names, request))
    except BrokenPipeError:
        # The program has ended, and nobody waits for the answer.
        pass


def arguments(method: Callable[..., Any]) -> dict[str, bool]:
    """The arguments that a method names, and whether it needs them."""
    known = [*USES, *ALWAYS]
    names = {}
    for name, parameter in inspect.signature(method).parameters.items():
        is_needed = parameter.default is parameter.empty
        if parameter.kind is parameter.VAR_KEYWORD:
            names.update({other: False for other in known if other not in names})
        elif parameter.kind is parameter.VAR_POSITIONAL or (name not in known and not is_needed):
            continue
        elif name not in known:
            raise TypeError(
                f"the method has an argument `{name}`, which no request has; the allowed names are {', '.join(known)}. "
                f"An option of the spec is in the dict `options`: options[{name!r}]"
            )
        elif parameter.kind is parameter.POSITIONAL_ONLY:
            raise TypeError(f"the method takes `{name}` by position only; arguments are passed by name: remove the `/`")
        else:
            names[name] = is_needed
    return names


def versions(packages: Iterable[str]) -> dict[str, str]:
    """The versions that are reported, by package, in alphabetical order."""
    found = {"python": platform.python_version(), "numpy": np.__version__}
    for module, package in KNOWN.items():
        if module in sys.modules:
            try:
                found[package] = importlib.metadata.version(package)
            except importlib.metadata.PackageNotFoundError:
                # A module that was not installed as a package.
                found[package] = str(getattr(sys.modules[module], "__version__", "unknown"))
    found.update({package: importlib.metadata.version(package) for package in packages})
    return dict(sorted(found.items()))


def take_over_streams() -> tuple[BinaryIO, BinaryIO]:
    """The streams of the protocol. From here on, what is printed goes to stderr, and `input()` finds nothing."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")
    return requests, answers


def send(answers: BinaryIO, message: bytes) -> None:
    left = memoryview(message)
    while left:
        left = left[answers.write(left) :]


class Refused(Exception):
    """A request or its scores are not what the method or the program needs; the message says all."""


def answer(method: Callable[..., Any], names: dict[str, bool], request: wire.Request) -> bytes:
    try:
        given = selected(names, request)
        set_seeds(request.given["seed"])
        return wire.scores(request.id, checked(method(**given), request.rows))
    except Refused as refused:
        return wire.error(request.id, str(refused))
    except (Exception, SystemExit) as error:
        # The first frame is this function.
        frames = error.__traceback__ and error.__traceback__.tb_next
        traceback.print_exception(type(error), error, frames)
        return wire.error(request.id, f"{type(error).__name__}: {error}"[:LONGEST_ERROR])


def selected(names: dict[str, bool], request: wire.Request) -> dict[str, Any]:
    """What the method asks for."""
    missing = [name for name, is_needed in names.items() if is_needed and name not in request.given]
    if missing:
        words = sorted({USES[name] for name in missing if name in USES})
        remedy = f"add {' and '.join(f'`{word}`' for word in words)} to `uses` in the spec"
        listed = ", ".join(f"`{name}`" for name in missing)
        raise Refused(f"the method takes {listed}, which is not sent: {remedy}")
    return {name: request.given[name] for name in names if name in request.given}


def set_seeds(seed: int) -> None:
    """A method that draws from global generators gives the same scores again, whichever cells came before."""
    random.seed(seed)
    np.random.seed(seed)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(seed)


def checked(scores: Any, rows: int) -> np.ndarray:
    """The scores as floats, if there is one finite number for each row."""
    remedy = f"return {rows} numbers, one for each row of `test`"
    if scores is None:
        raise Refused(f"the method returned None; {remedy}")
    try:
        found = np.array(scores, dtype=np.float64, ndmin=1)
    except (TypeError, ValueError) as error:
        raise Refused(
            f"the method returned a {type(scores).__name__} that is not numbers ({error}); {remedy}"
        ) from None
    if found.shape != (rows,):
        if found.ndim == 2 and len(found) == rows:
            remedy += ": one column of this array, for instance `[:, 1]` after predict_proba"
        raise Refused(f"the method returned an array of shape {found.shape}; {remedy}")
    bad = np.flatnonzero(~np.isfinite(found))
    if len(bad):
        raise Refused(f"{len(bad)} of {rows} scores are not finite; the first is {found[bad[0]]}, in row {bad[0]}")
    return found
