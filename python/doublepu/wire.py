"""The protocol between the program and a worker, version 1: lines of JSON, and arrays of 64-bit floats."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np

VERSION = 1

# Numbers on the wire are little-endian. On most machines this is the native order, and nothing is converted.
FLOAT = np.dtype("<f8")


class ProtocolError(Exception):
    """What the program sent is no request of this version of the protocol."""


@dataclass(frozen=True)
class Request:
    """One cell."""

    id: str
    given: dict[str, Any]
    """Everything that a method can ask for, by name."""

    @property
    def rows(self) -> int:
        """The number of scores to return."""
        return len(self.given["test"])


def read_request(stream: BinaryIO) -> Request | None:
    """Reads the next request; `None` at the end of input, also if it ends within a request."""
    line = stream.readline()
    if not line.endswith(b"\n"):
        return None
    try:
        header = json.loads(line)
        id, shapes = header.pop("id"), header.pop("arrays")
        shapes = {name: (int(rows), int(columns)) for name, (rows, columns) in shapes.items()}
        shapes["test"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ProtocolError(f"this is no request: {line[:200]!r}") from error
    arrays = read_arrays(stream, shapes)
    return None if arrays is None else Request(id, {**header, **arrays})


def read_arrays(stream: BinaryIO, shapes: Mapping[str, tuple[int, int]]) -> dict[str, np.ndarray] | None:
    """Read-only views of one buffer, which is filled without a copy; `None` if the input ends before."""
    numbers = np.empty(sum(rows * columns for rows, columns in shapes.values()), dtype=FLOAT)
    # A view of no bytes cannot be cast.
    left = numbers.data.cast("B") if numbers.size else memoryview(b"")
    while left:
        count = stream.readinto(left)  # type: ignore[attr-defined]
        if not count:
            return None
        left = left[count:]
    numbers = numbers.astype(np.float64, copy=False)
    numbers.flags.writeable = False
    arrays: dict[str, np.ndarray] = {}
    start = 0
    for name, (rows, columns) in shapes.items():
        arrays[name] = numbers[start : start + rows * columns].reshape(rows, columns)
        start += rows * columns
    if "labels" in arrays:
        arrays["labels"] = arrays["labels"].reshape(-1)
    return arrays


def line(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode() + b"\n"


def hello(versions: Mapping[str, str]) -> bytes:
    return line({"doublepu": VERSION, **versions})


def scores(id: str, scores: np.ndarray) -> bytes:
    return line({"id": id, "scores": len(scores)}) + scores.astype(FLOAT, copy=False).tobytes()


def error(id: str, text: str) -> bytes:
    return line({"id": id, "error": text})
