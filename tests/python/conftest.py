from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Callable

import numpy as np
import pytest
from harness import Worker, python

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Callable[..., Worker]]:
    """Starts a worker of a script, or of a command in a folder; it is killed after the test."""
    workers: list[Worker] = []

    def start(script: str | list[str], folder: Path = tmp_path) -> Worker:
        workers.append(python(script, folder) if isinstance(script, str) else Worker(script, folder))
        return workers[-1]

    yield start
    for started in workers:
        started.close()


@pytest.fixture(scope="session")
def smoke(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run with comparisons and with failed cells."""
    import doublepu

    folder = tmp_path_factory.mktemp("runs") / "smoke"
    methods = ["double_pu", "biased_pn", {"naive_pu": {"ridge": 0}}, "oracle_logistic", "random"]
    with pytest.warns(doublepu.CellsFailed, match="unbounded"):
        doublepu.run(ROOT / "experiments/smoke.yaml", folder, methods=methods, compare="double_pu", paper=[])
    return folder


@pytest.fixture
def people() -> dict[str, np.ndarray]:
    """Samples in which interest grows with the first feature and loyalty with the second; the truth is `W`."""
    random = np.random.default_rng(1)
    x = random.normal(size=(4000, 3))
    interest = random.random(4000) < 1 / (1 + np.exp(-2 * x[:, 0]))
    loyal = interest & (random.random(4000) < 1 / (1 + np.exp(-2 * x[:, 1])))
    samples = {
        "interest": x[:1000][interest[:1000]],
        "unlabeled": x[1000:2000],
        "loyal": x[2000:3000][loyal[2000:3000]],
    }
    return {**samples, "test": x[3000:], "W": (interest & ~loyal)[3000:]}
