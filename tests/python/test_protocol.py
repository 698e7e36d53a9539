"""The worker's side of the protocol, against a harness in Python."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys

import numpy as np
import pytest
from harness import MethodError

ECHO = """
from doublepu import serve

def method(test):
    return test[:, 0]

serve(method)
"""


def arrays(**rows: int) -> dict[str, np.ndarray]:
    """Arrays of three columns with numbers that are nowhere the same."""
    random = np.random.default_rng(0)
    return {name: random.normal(size=(count, 3)) for name, count in rows.items()}


def test_the_hello_has_the_versions_of_imported_packages_in_alphabetical_order(worker):
    started = worker("import scipy\n" + ECHO)
    hello = started.hello()
    import scipy

    versions = {"numpy": np.__version__, "python": platform.python_version(), "scipy": scipy.__version__}
    assert list(hello.items()) == [("doublepu", 1), *versions.items()]
    assert started.end()[0] == 0


def test_a_named_package_is_in_the_hello(worker):
    import pytest as package

    started = worker(ECHO.replace("serve(method)", "serve(method, packages=['pytest'])"))
    assert started.hello()["pytest"] == package.__version__


def test_a_named_package_that_is_not_installed_ends_the_worker(worker):
    started = worker(ECHO.replace("serve(method)", "serve(method, packages=['no-such-package'])"))
    code, log = started.end()
    assert code == 1 and "no-such-package" in log


def test_every_cell_gets_its_own_scores(worker):
    started = worker(ECHO)
    started.hello()
    for rows in [5, 1, 2232]:
        given = arrays(interest=4, test=rows)
        assert np.array_equal(started.ask(given), given["test"][:, 0])
    assert started.end() == (0, "")


def test_a_method_gets_exactly_what_its_signature_names(worker):
    started = worker("""
from doublepu import serve

def method(loyal, test, *, gamma, options, columns, beta=None, interest=None):
    assert (gamma, options, columns) == (0.25, {"depth": 3, "kind": "gini", "fast": True}, ["age", "job=é"])
    assert beta is None and interest is None
    return test.sum(axis=1) + loyal.sum()

serve(method)
""")
    started.hello()
    given = arrays(unlabeled=7, loyal=2, test=4)
    options = {"depth": 3, "kind": "gini", "fast": True}
    scores = started.ask(given, gamma=0.25, options=options, columns=["age", "job=é"])
    assert np.array_equal(scores, given["test"].sum(axis=1) + given["loyal"].sum())


def test_a_method_of_any_arguments_gets_everything(worker):
    started = worker("""
from doublepu import serve

def method(test, **others):
    print(sorted(others))
    return test[:, 0]

serve(method)
""")
    started.hello()
    started.ask(arrays(interest=2, test=3), beta=0.5, gamma=0.1)
    assert "['beta', 'columns', 'gamma', 'interest', 'options', 'seed']" in started.end()[1]


def test_the_bits_of_numbers_survive_both_ways(worker):
    started = worker(ECHO)
    started.hello()
    numbers = np.array([0.0, -0.0, 5e-324, -1.7976931348623157e308, 0.1, 1 / 3])
    scores = started.ask({"test": np.column_stack([numbers, numbers])})
    assert scores.tobytes() == numbers.tobytes()


def test_arrays_are_read_only_views_of_one_buffer(worker):
    started = worker("""
import numpy as np
from doublepu import serve

def method(interest, test):
    for array in (interest, test):
        assert array.dtype == np.float64 and array.dtype.isnative
        assert array.flags.c_contiguous and array.flags.aligned and not array.flags.writeable
    assert interest.base is test.base and not interest.flags.owndata
    interest[0, 0] = 1

serve(method)
""")
    started.hello()
    with pytest.raises(MethodError, match="ValueError: assignment destination is read-only"):
        started.ask(arrays(interest=4, test=3))


def test_an_exception_fails_its_cell_and_no_other(worker):
    started = worker("""
from doublepu import serve

def method(test, seed):
    if seed == 1:
        raise RuntimeError("did not converge:\\n\\"é\\"")
    if seed == 2:
        raise SystemExit("enough")
    return test[:, 0]

serve(method)
""")
    started.hello()
    given = arrays(test=3)
    with pytest.raises(MethodError, match='^RuntimeError: did not converge:\n"é"$'):
        started.ask(given, seed=1)
    with pytest.raises(MethodError, match="^SystemExit: enough$"):
        started.ask(given, seed=2)
    assert np.array_equal(started.ask(given, seed=3), given["test"][:, 0])
    code, log = started.end()
    # The traceback begins in the method.
    assert code == 0 and log.startswith('Traceback (most recent call last):\n  File "')
    assert 'my_method.py", line 6, in method' in log.splitlines()[1]


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        ("None", "^the method returned None; return 4 numbers, one for each row of `test`$"),
        ("test[:, :1]", "shape \\(4, 1\\); return 4 numbers, .*: one column of this array"),
        ("test", "shape \\(4, 3\\)"),
        ("test[1:, 0]", "shape \\(3,\\); return 4 numbers"),
        ("0.5", "shape \\(1,\\); return 4 numbers"),
        ("['a', 'b', 'c', 'd']", "a list that is not numbers \\(could not convert string to float"),
        ("{}", "a dict that is not numbers"),
        ("[[1], [2, 3]]", "a list that is not numbers"),
        ("test[:, 0] / [1, 0, 1, 0]", "2 of 4 scores are not finite; the first is -?inf, in row 1"),
        ("test[:, 0] * float('nan')", "4 of 4 scores are not finite; the first is nan, in row 0"),
    ],
)
def test_wrong_scores_are_an_error_that_says_what_is_wrong(worker, returned, message):
    started = worker(ECHO.replace("test[:, 0]", returned))
    started.hello()
    with pytest.raises(MethodError, match=message):
        started.ask(arrays(test=4))
    code, log = started.end()
    assert code == 0 and "Traceback" not in log


def test_scores_may_be_a_list_or_booleans(worker):
    started = worker(ECHO.replace("test[:, 0]", "[bool(x > 0) for x in test[:, 0]]"))
    started.hello()
    given = arrays(test=9)
    assert np.array_equal(started.ask(given), given["test"][:, 0] > 0)


def test_whatever_is_printed_goes_to_stderr(worker):
    started = worker("""
import os, subprocess, sys
from doublepu import serve

def method(test):
    print("from print, é")
    os.write(1, b"from a library\\n")
    subprocess.run([sys.executable, "-c", "print('from a child')"])
    return test[:, 0]

serve(method)
""")
    started.hello()
    given = arrays(test=3)
    for _ in range(2):
        assert np.array_equal(started.ask(given), given["test"][:, 0])
    code, log = started.end()
    counts = [log.count(f"{text}\n") for text in ("from print, é", "from a library", "from a child")]
    assert (code, counts) == (0, [2, 2, 2])


def test_a_line_that_is_printed_at_once_before_the_hello_is_log(worker):
    started = worker("print('loading', flush=True)\n" + ECHO)
    assert started.hello()["doublepu"] == 1


def test_a_method_that_reads_its_input_finds_nothing_there(worker):
    started = worker(ECHO.replace("test[:, 0]", "input()"))
    started.hello()
    with pytest.raises(MethodError, match="EOFError"):
        started.ask(arrays(test=3))


def test_the_worker_ends_where_the_input_ends(worker):
    started = worker(ECHO)
    started.hello()
    given = arrays(test=100)
    header = {"id": "1", "seed": 1, "options": {}, "columns": [], "arrays": {"test": [100, 3]}}
    started.process.stdin.write(json.dumps(header).encode() + b"\n" + given["test"].tobytes()[:-1])
    assert started.end() == (0, "")


def test_the_worker_ends_quietly_when_the_program_is_gone(worker):
    started = worker(ECHO)
    started.hello()
    started.process.stdout.close()
    started.send(arrays(test=3))
    assert started.process.wait(timeout=30) == 0
    assert started.log() == ""


def test_garbage_ends_the_worker_with_a_message(worker):
    started = worker(ECHO)
    started.hello()
    started.process.stdin.write(b'{"id":"1"}\n')
    code, log = started.end()
    assert code == 1 and """ProtocolError: this is no request: b'{"id":"1"}\\n'""" in log


def test_arrays_may_be_empty(worker):
    started = worker("""
from doublepu import serve

def method(interest, loyal, test):
    assert interest.shape == (4, 0) and loyal.shape == (0, 3), (interest.shape, loyal.shape)
    return test[:, 0]

serve(method)
""")
    started.hello()
    given = {"interest": np.empty((4, 0)), "loyal": np.empty((0, 3)), "test": np.empty((0, 3))}
    assert len(started.ask(given)) == 0
    given["test"] = np.ones((2, 3))
    assert np.array_equal(started.ask(given), [1, 1])


def test_arrays_may_be_huge(worker):
    started = worker("""
from doublepu import serve

def method(unlabeled, test):
    return test @ unlabeled[-1]

serve(method)
""")
    started.hello()
    random = np.random.default_rng(3)
    given = {"unlabeled": random.normal(size=(200_000, 20)), "test": random.normal(size=(100_000, 20))}
    scores = started.ask(given)
    assert scores.shape == (100_000,) and np.allclose(scores, given["test"] @ given["unlabeled"][-1], rtol=1e-12)


def test_what_the_spec_does_not_send_is_an_error_that_names_the_word_to_add(worker):
    started = worker("""
from doublepu import serve

def method(interest, loyal, test, *, beta, gamma):
    return test[:, 0]

serve(method)
""")
    started.hello()
    missing = (
        "the method takes `loyal`, `beta`, `gamma`, which is not sent: add `loyal` and `priors` to `uses` in the spec"
    )
    with pytest.raises(MethodError, match=missing):
        started.ask(arrays(interest=2, test=3))
    assert len(started.ask(arrays(interest=2, loyal=2, test=3), beta=0.5, gamma=0.1)) == 3


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("test, depth", "TypeError: the method has an argument `depth`, which no request has; .*options\\['depth'\\]"),
        ("test, /", "TypeError: the method takes `test` by position only"),
    ],
)
def test_a_signature_that_no_request_can_serve_ends_the_worker(worker, signature, message):
    code, log = worker(ECHO.replace("method(test)", f"method({signature})")).end()
    assert code == 1
    with pytest.raises(TypeError, match=message):
        raise TypeError(log)


def test_other_arguments_with_defaults_are_left_alone(worker):
    started = worker(
        ECHO.replace("method(test)", "method(test, *rest, depth=3)").replace("test[:, 0]", "test[:, 0] * depth")
    )
    started.hello()
    given = arrays(test=3)
    assert np.array_equal(started.ask(given), 3 * given["test"][:, 0])


def test_global_generators_give_the_same_numbers_whichever_cells_came_before(worker):
    started = worker("""
import random
import numpy as np
from doublepu import serve

def method(test):
    return np.random.rand(len(test)) + random.random()

serve(method)
""")
    started.hello()
    given = arrays(test=5)
    first, other, again = (started.ask(given, seed=seed) for seed in (11, 12, 11))
    assert np.array_equal(first, again) and not np.array_equal(first, other)


def test_labels_of_an_oracle_are_one_number_for_each_training_row(worker):
    started = worker("""
from doublepu import serve

def method(train, labels, test):
    assert labels.shape == (5,)
    return test @ train[labels == 1].mean(axis=0)

serve(method)
""")
    started.hello()
    given = {**arrays(train=5), "labels": np.array([[1.0], [0], [0], [1], [0]]), **arrays(test=3)}
    assert np.allclose(started.ask(given), given["test"] @ given["train"][[0, 3]].mean(axis=0), rtol=1e-12)


@pytest.mark.skipif(os.name != "posix", reason="terminals")
def test_a_script_that_is_started_by_hand_says_how_to_try_it(tmp_path):
    import pty

    (tmp_path / "my_method.py").write_text(ECHO)
    terminal, other_end = pty.openpty()
    command = [sys.executable, "my_method.py"]
    ended = subprocess.run(command, cwd=tmp_path, stdin=other_end, capture_output=True, text=True, timeout=60)
    os.close(terminal), os.close(other_end)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "doublepu try-method SPEC NAME" in ended.stderr
