"""Plays the program: starts a worker, sends requests, and reads its answers to the byte."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

# A worker that says nothing for so long is killed, and the test fails.
PATIENCE = 60


class MethodError(Exception):
    """The worker answered with an error."""


class Worker:
    """A running worker."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self.log_file = (folder / "stderr").open("w+b")
        self.process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log_file
        )
        self.watchdog = threading.Timer(PATIENCE, self.process.kill)
        self.watchdog.start()
        self.asked = 0

    def hello(self) -> dict[str, Any]:
        """The first line that is a hello. Lines before it are log."""
        for line in self.process.stdout:
            if line.startswith(b'{"doublepu"'):
                return json.loads(line)
        raise AssertionError(f"no hello; stderr:\n{self.end()[1]}")

    def send(self, arrays: Mapping[str, np.ndarray], **header: Any) -> str:
        """Sends a request, and returns its id."""
        self.asked += 1
        id = f"{self.asked:016x}"
        shapes = {name: list(array.shape) for name, array in arrays.items()}
        content = {"id": id, "seed": 7, "options": {}, "columns": [], **header, "arrays": shapes}
        self.process.stdin.write(json.dumps(content, ensure_ascii=False).encode() + b"\n")
        for array in arrays.values():
            self.process.stdin.write(np.ascontiguousarray(array, dtype="<f8"))
        self.process.stdin.flush()
        return id

    def answer(self, id: str) -> np.ndarray:
        line = self.process.stdout.readline()
        assert line.endswith(b"\n"), f"no answer; stderr:\n{self.log()}"
        answer = json.loads(line)
        assert answer.pop("id") == id
        if "error" in answer:
            assert list(answer) == ["error"]
            raise MethodError(answer["error"])
        assert list(answer) == ["scores"]
        numbers = self.process.stdout.read(8 * answer["scores"])
        return np.frombuffer(numbers, dtype="<f8", count=answer["scores"])

    def ask(self, arrays: Mapping[str, np.ndarray], **header: Any) -> np.ndarray:
        return self.answer(self.send(arrays, **header))

    def log(self) -> str:
        self.log_file.flush()
        return Path(self.log_file.name).read_text(encoding="utf-8", errors="replace")

    def end(self) -> tuple[int, str]:
        """Closes the input; exit code and stderr. Nothing may be left on stdout."""
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        assert self.process.stdout.read() == b""
        code = self.process.wait()
        self.close()
        return code, self.log()

    def close(self) -> None:
        self.watchdog.cancel()
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


def python(script: str, folder: Path) -> Worker:
    """A worker of a script of Python."""
    (folder / "my_method.py").write_text(script, encoding="utf-8")
    return Worker([sys.executable, "my_method.py"], folder)
