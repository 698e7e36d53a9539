#!/usr/bin/env python3
"""Kills the program at random moments and at its file-system calls, makes these calls fail, and resumes each time.

    python3 tests/crash/study.py target/release/doublepu [--kills 500] [--only run more fresh merge report] [--seed 1]

README.md beside this file says what is checked. It needs strace.
"""

import argparse
import collections
import hashlib
import itertools
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

SPEC = """experiment: killed
dataset:
  source: simulation
  groups:
    interested: { count: 60, mean: [-2, 2] }
    loyal: { count: 60, mean: [2, 2] }
    others: { count: 60, mean: [-2, -2] }
sampling: { scheme: censoring }
seeds: 12
methods:
  - double_pu: { costs: { false_positive: 20 } }
  - naive_pu
  - two_stage
  - double_pu: { model: { network: { hidden: 4, epochs: 20 } } }
  - random
"""

# Every call that changes a file or a folder, and those that open one.
CHANGES = "openat write fsync fdatasync ftruncate rename unlink unlinkat mkdir rmdir flock".split()
# A full disk hinders these; a broken one also reading.
FAILING = {"ENOSPC": CHANGES, "EIO": CHANGES + ["read", "statx"]}
DOCUMENTED = {0, 2, 3, 4, 5}
# The calls of the loader, before the program begins, are not the program's.
NOT_LOADED = 127
# strace counts the calls of every thread for itself. On one core, few threads make all of them.
ONE_CORE = {"preexec_fn": lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})}
RESULTS = ["cells.csv", "summary.csv", "summary.md"]


class Scenario:
    """A folder to start from, a command that is disturbed, and the command that goes on afterwards."""

    def __init__(self, name, prepare, command, again=None):
        self.name, self.prepare, self.command, self.again = name, prepare, command, again or command


RUN = ["run", "spec.yaml", "--out", "out"]
SCENARIOS = [
    Scenario("run", [], RUN),
    Scenario("more", [RUN + ["--set", "seeds=6"]], RUN),
    Scenario("fresh", [RUN], RUN + ["--fresh"], RUN),
    Scenario("merge", [RUN[:-1] + [part, "--shard", part.replace("-of-", "/")] for part in ("1-of-2", "2-of-2")],
             ["merge", "1-of-2", "2-of-2", "--out", "out"]),
    Scenario("report", [RUN], ["report", "out"]),
]


class Study:
    def __init__(self, program, work, seed):
        self.program, self.work, self.random = program, work, random.Random(seed)
        self.counts, self.problems = collections.Counter(), []
        self.desk = work / "desk"

    def doublepu(self, arguments, wrap=(), **options):
        command = [*wrap, self.program, *arguments]
        return subprocess.Popen(command, cwd=self.desk, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)

    def ended(self, arguments, wrap=(), **options):
        process = self.doublepu(arguments, wrap, **options)
        said = process.communicate(timeout=300)[0].decode()
        return process.returncode, said

    def set_up(self, scenario):
        """The folder to start from, what the undisturbed command makes of it, and how long that takes."""
        self.scenario, self.start = scenario, self.work / f"start-{scenario.name}"
        shutil.rmtree(self.desk, ignore_errors=True)
        self.desk.mkdir(parents=True)
        (self.desk / "spec.yaml").write_text(SPEC)
        for command in scenario.prepare:
            code, said = self.ended(command)
            assert code == 0, said
        shutil.copytree(self.desk, self.start)
        self.measure()
        self.reference = {name: (self.desk / "out" / name).read_bytes() for name in RESULTS}

    def measure(self):
        began = time.monotonic()
        code, said = self.ended(self.scenario.command)
        assert code == 0, said
        self.whole = time.monotonic() - began

    def fresh_desk(self):
        shutil.rmtree(self.desk)
        shutil.copytree(self.start, self.desk)

    def calls(self):
        """For every call: the first use of it for a file of the desk, and the most uses by one thread."""
        self.fresh_desk()
        trace = self.work / "trace"
        code, said = self.ended(self.scenario.command, ["strace", "-f", "-y", "-o", trace, "-e", "trace=" + ",".join(FAILING["EIO"])], **ONE_CORE)
        assert code == 0, said
        uses, first = collections.Counter(), {}
        for line in trace.read_text(errors="replace").splitlines():
            found = re.match(r"(\d+) +(\w+)\((.*)", line)
            if found:
                thread, call, rest = found.groups()
                rest = rest.replace(f"AT_FDCWD<{self.desk}>", "")
                uses[thread, call] += 1
                if str(self.desk) in rest or '"out' in rest or '"spec' in rest or '-of-2' in rest:
                    first.setdefault(call, {}).setdefault(thread, uses[thread, call])
        return {call: (min(threads.values()), max(uses[thread, call] for thread in threads)) for call, threads in first.items()}

    def disturb_at(self, call, number, what):
        """Runs the command with its calls of this kind disturbed once in every thread: the number-th."""
        wrap = ["strace", "-f", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:{what}:when={number}"]
        return self.ended(self.scenario.command, wrap, **ONE_CORE)

    def kill_at_moment(self):
        process = self.doublepu(self.scenario.command)
        time.sleep(self.random.uniform(0, self.whole))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return process.returncode

    def note(self, problem):
        kept = self.work / f"problem-{len(self.problems) + 1}"
        shutil.copytree(self.desk, kept, symlinks=True)
        self.problems.append(f"{self.scenario.name}: {problem} ({kept})")
        print(self.problems[-1], flush=True)

    def check(self, where):
        """Looks at what a disturbed command left, goes on, and looks at what came out."""
        out = self.desk / "out"
        for name, expected in self.reference.items():
            earlier, now = [contents(folder / name) for folder in (self.start / "out", out)]
            if now not in (earlier, expected):
                self.note(f"{where}: {name} is neither as it was nor as it will be")
        before = durable(out)
        code, said = self.ended(self.scenario.again)
        if code != 0:
            return self.note(f"{where}: going on ends with {code}: {said}")
        for name, expected in self.reference.items():
            if (out / name).read_bytes() != expected:
                self.note(f"{where}: other bytes in {name}")
        lines = (out / "journal.jsonl").read_bytes().split(b"\n")
        if lines[: len(before)] != before:
            self.note(f"{where}: records are lost")
        again = [cell for cell, count in collections.Counter(map(cell_of, lines)).items() if cell and count > 1]
        if again:
            self.note(f"{where}: {len(again)} cells were computed again")
        self.counts[self.scenario.name, "durable cells"] += sum(cell_of(line) is not None for line in before)
        code, said = self.ended(["verify", "out", "--cells", "1"])
        if code != 0:
            self.note(f"{where}: verify ends with {code}: {said}")


def contents(path):
    return path.read_bytes() if path.exists() else None


def cell_of(line):
    """The id of the cell whose complete record this line is."""
    checksum, _, text = line.partition(b" ")
    if hashlib.sha256(text).hexdigest()[:16].encode() != checksum:
        return None
    return json.loads(text).get("outcome", {}).get("id")


def durable(out):
    """The complete lines of the journal that a resumed run continues."""
    for name in ("journal.fresh.jsonl", "journal.jsonl"):
        if (out / name).exists():
            lines = (out / name).read_bytes().split(b"\n")[:-1]
            return [line for line in lines if hashlib.sha256(line[17:]).hexdigest()[:16].encode() == line[:16]]
    return []


def kill_at_moments(study, kills):
    hit = 0
    for attempt in itertools.count():
        if hit == kills:
            break
        # How long a command takes depends on what else the machine does.
        if attempt % 5 == 0:
            study.fresh_desk()
            study.measure()
        study.fresh_desk()
        if study.kill_at_moment() == -signal.SIGKILL:
            hit += 1
            study.check(f"killed at a random moment ({hit})")
    study.counts[study.scenario.name, "kills at random moments"] += hit
    print(f"{study.scenario.name}: {hit} kills at random moments", flush=True)


def disturb_at_calls(study, calls, kinds, what, counted):
    for call in kinds:
        first, last = calls.get(call, (1, 0))
        for number in range(first, last + 1):
            study.fresh_desk()
            code, said = study.disturb_at(call, number, what)
            where = f"{what} at {call} {number}"
            if "SIGKILL" in what:
                # Another run may make fewer calls of a kind: batches depend on time.
                if code not in (-signal.SIGKILL, 128 + signal.SIGKILL):
                    continue
            elif code == NOT_LOADED:
                continue
            elif code not in DOCUMENTED or "panicked" in said:
                study.note(f"{where}: ends with {code}: {said}")
            elif code != 0:
                study.counts[study.scenario.name, "errors reported"] += 1
            study.counts[study.scenario.name, counted] += 1
            study.check(where)
    print(f"{study.scenario.name}: {study.counts[study.scenario.name, counted]} {counted} so far", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--kills", type=int, default=500, help="kills at random moments, over all scenarios")
    parser.add_argument("--only", nargs="+", choices=[scenario.name for scenario in SCENARIOS])
    parser.add_argument("--without", nargs="+", choices=["moments", "calls", "errors"], default=[])
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="crash-", dir=ROOT / "target"))
    study = Study(arguments.program.resolve(), work, arguments.seed)
    scenarios = [scenario for scenario in SCENARIOS if scenario.name in (arguments.only or scenario.name)]
    for scenario in scenarios:
        study.set_up(scenario)
        calls = study.calls()
        print(f"{scenario.name}: {study.whole:.2f} s undisturbed, first and last calls {calls}", flush=True)
        if "moments" not in arguments.without:
            kill_at_moments(study, arguments.kills // len(scenarios))
        if "calls" not in arguments.without:
            disturb_at_calls(study, calls, CHANGES, "signal=SIGKILL", "kills at calls")
        if "errors" not in arguments.without:
            for error, kinds in FAILING.items():
                disturb_at_calls(study, calls, kinds, f"error={error}", "failing calls")
        print({name: count for (of, name), count in study.counts.items() if of == scenario.name}, scenario.name, flush=True)
    total = collections.Counter()
    for (_, name), count in study.counts.items():
        total[name] += count
    print(", ".join(f"{count} {name}" for name, count in total.items()) + f"; {len(study.problems)} problems")
    if not study.problems:
        shutil.rmtree(work)
    sys.exit(bool(study.problems))


if __name__ == "__main__":
    main()
