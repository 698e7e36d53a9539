"""docs/your-own-method.md, step by step as a reader follows it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT
from doublepu import wire
from doublepu.program import find_program

PAGE = (ROOT / "docs/your-own-method.md").read_text()
EXTERNAL = ROOT / "experiments/external"


def block(language: str, part: str) -> str:
    """The code block that has this in it."""
    return next(
        text for text in re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL) if part in text
    )


@pytest.fixture
def doublepu(tmp_path, monkeypatch):
    """Runs a verb in a folder; returns exit code and all that is printed. `python3` is the Python that runs the tests."""
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))

    def run(*arguments: str) -> tuple[int, str]:
        command = [find_program(), *arguments]
        ended = subprocess.run(
            command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
        )
        return ended.returncode, ended.stdout

    return run


def test_the_example_in_python_gives_what_the_page_shows(doublepu, tmp_path):
    pytest.importorskip("sklearn")
    (tmp_path / "my_method.py").write_text(block("python", "two_forests"))
    (tmp_path / "my-methods.yaml").write_text(block("yaml", "experiment: my-methods"))
    code, printed = doublepu("try-method", "my-methods.yaml", "two_forests")
    assert code == 0, printed
    # Versions, times and last digits differ from machine to machine.
    shown = [
        line for line in block("text", "It is sent").splitlines() if not re.match("It (runs on|started in|gave) ", line)
    ]
    assert [line for line in shown if line not in printed.splitlines()] == []
    code, printed = doublepu("run", "my-methods.yaml")
    assert code == 0, printed
    assert [line for line in block("text", "mean ROC-AUC").splitlines() if line not in printed.splitlines()] == []


def test_the_scripts_of_the_page_are_those_in_the_folder_of_examples():
    assert block("python", "two_forests") == (EXTERNAL / "two_forests.py").read_text()
    assert block("r", "discriminant") == (EXTERNAL / "discriminant.R").read_text()
    linked = set(re.findall(r"^\| `(\w+\.(?:py|R))` \|", PAGE, re.MULTILINE))
    assert linked == {path.name for path in EXTERNAL.iterdir() if path.suffix in (".py", ".R")} - {"doublepu.R"}


def test_the_table_of_arguments_is_what_serve_passes():
    from doublepu import worker

    table = PAGE.split("| argument | what it is |")[1].split("\n\n")[0]
    named = set(re.findall(r"`(\w+)`", "\n".join(row.split("|")[1] for row in table.splitlines()[2:])))
    # Those of oracles are in the reference of the protocol.
    assert named == {*worker.USES, *worker.ALWAYS} - {"train", "labels"}


def test_the_messages_of_the_protocol_are_those_of_the_client(tmp_path):
    request = block("text", '"arrays"')
    shapes = json.loads(request)["arrays"]
    (tmp_path / "request").write_bytes(
        request.replace("\n", "").encode() + b"\n" + bytes(8 * sum(rows * columns for rows, columns in shapes.values()))
    )
    with (tmp_path / "request").open("rb") as stream:
        read = wire.read_request(stream)
        assert read is not None and read.rows == 2232 and read.id == "1" and wire.read_request(stream) is None
    import numpy

    scores = wire.scores(read.id, numpy.zeros(read.rows))
    assert scores == block("text", '"scores"').encode() + bytes(8 * 2232)
    assert wire.error(read.id, "the matrix is singular").decode() == block("text", '"error"')
    assert wire.hello({"julia": "1.11.2"}).decode() == block("text", '"julia"')


SERVE = "from doublepu import serve\n"

# The script, and what the spec has besides its defaults, for every situation that the page lists.
MISTAKES = {
    "the method raises an exception": (SERVE + "def f(test): raise ValueError('no rows of D_L')\nserve(f)", ""),
    "it asks for what the spec does not send": (SERVE + "serve(lambda loyal, test: test[:, 0])", "uses: [interest]"),
    "it returns both columns of `predict_proba`": (SERVE + "serve(lambda test: test[:, :2])", ""),
    "a score is not a number": (SERVE + "serve(lambda test: test[:, 0] * float('nan'))", ""),
    "a probability is outside of [0, 1]": (SERVE + "serve(lambda test: test[:, 0])", "scores: probability"),
    "it takes too long": (SERVE + "import time\nserve(lambda test: time.sleep(100))", "timeout: 500ms"),
    "the process dies": (SERVE + "import os\nserve(lambda test: os.kill(os.getpid(), 11))", ""),
    "a client of your own prints to stdout": (
        "import sys\nprint('{\"doublepu\":1}', flush=True)\nsys.stdin.buffer.readline()\nprint('Epoch 1', flush=True)\n"
        "sys.stdin.buffer.read()",
        "",
    ),
    "the command is misspelt, or not on PATH": ("", "command: [pythn3, method.py]"),
    "a package is missing": ("import nosuchpackage", ""),
    "the script does not call `serve`": (SERVE, ""),
    "loading takes too long": ("import time\ntime.sleep(100)", "timeout: 1s"),
    "the signature names something unknown": (SERVE + "serve(lambda test, depth: test[:, 0])", ""),
    "the script is not below `files`": ("", "files: [other.py]"),
    "a package was updated during a run": (
        "import os, numpy\nnumpy.__version__ = os.environ['VERSION']\n" + SERVE + "serve(lambda test: test[:, 0])",
        "",
    ),
}

ROWS = re.findall(r"^\| ([^|`].*?) \| `` (.*?) `` \| .* \|$", PAGE, re.MULTILINE)


def test_every_situation_of_the_page_is_tested():
    assert [what for what, _ in ROWS] == list(MISTAKES)


@pytest.mark.parametrize(("what", "message"), ROWS)
def test_a_mistake_leads_to_the_message_that_the_page_shows(doublepu, tmp_path, monkeypatch, what, message):
    script, rest = MISTAKES[what]
    (tmp_path / "method.py").write_text(script)
    (tmp_path / "other.py").touch()
    keys = {"command": "command: [python3, method.py]", "files": "files: [method.py]"}
    if rest:
        keys[rest.split(":")[0]] = rest
    (tmp_path / "spec.yaml").write_text(f"""
experiment: trial
dataset:
  source: bank-marketing
  interest: {{ column: deposit, positive: "yes" }}
  loyalty: {{ column: housing, positive: "yes" }}
sampling: {{ scheme: pools }}
seeds: 1
methods:
  - random
  - external: {{ name: mine, {", ".join(keys.values())} }}
""")
    monkeypatch.setenv("VERSION", "1.0")
    code, printed = doublepu("run", "spec.yaml")
    if "was updated" in what:
        assert code == 0
        monkeypatch.setenv("VERSION", "2.0")
        code, printed = doublepu("run", "spec.yaml", "--set", "seeds=2")
    is_of_a_cell = PAGE.index(f"| {what} |") < PAGE.index("And these end `doublepu run`")
    assert code == 4 if is_of_a_cell else code in (2, 5), printed
    assert message in printed
