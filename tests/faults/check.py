#!/usr/bin/env python3
"""Injects faults into a copy of the sources, and checks that each is caught by what README.md beside this file says.

    python3 tests/faults/check.py [FAULT ...]
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / "target/faults"
SOURCE = WORK / "source"

# This patch is applied first: by it the others learn which fault the environment names.
SWITCH = HERE / "injected.patch"
PATCHES = {patch.stem: patch for patch in sorted(HERE.glob("*.patch")) if patch != SWITCH}
VARIABLE = "DOUBLEPU_FAULT"

SPEC = ROOT / "experiments/ci.yaml"
# A fault that the gate can see at all it sees with a few seeds.
SEEDS = 30
BASELINE = WORK / "baseline.csv"
REGRESSION, SUSPICIOUS = 10, 13
CAUGHT = {REGRESSION, SUSPICIOUS}
VERDICTS = {
    0: "nothing regressed", REGRESSION: "regression", 11: "cannot tell", 12: "no or another baseline", SUSPICIOUS: "suspicious"
}


def listed():
    """Who catches every fault, as README.md says."""
    row = re.compile(r"^\| `(\w+)` \|.*\|(.*)\|$", re.MULTILINE)
    rows = row.findall((HERE / "README.md").read_text())
    return {fault: set(re.findall(r"`(.+?)`", catchers)) for fault, catchers in rows}


def copy_sources():
    """The files that git knows, with all faults. Times are kept: what is as it was is not compiled again."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    for name in run(["git", "ls-files", "-z"], stdout=subprocess.PIPE).stdout.split("\0"):
        if (ROOT / name).is_file():
            (SOURCE / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, SOURCE / name)
    for patch in [SWITCH, *PATCHES.values()]:
        if run(["git", "apply", f"--directory={SOURCE.relative_to(ROOT)}", patch], check=False).returncode:
            sys.exit(f"{patch.relative_to(ROOT)} does not apply any more: mend it")
    # By a name of its own the program does not take the place of the project's, in whose target folder it is built.
    manifest = SOURCE / "Cargo.toml"
    text = manifest.read_text().replace("[package]\n", "[package]\nautobins = false\n", 1)
    manifest.write_text(f'{text}\n[[bin]]\nname = "doublepu-faulty"\npath = "src/main.rs"\n')


def build():
    """The program and the tests in one go: cargo builds the program for `tests/data.rs`.

    What it takes longer to build for release is more than made up for by the gate.
    """
    command = ["cargo", "test", "--release", "--no-run", "--locked", "--lib", "--test", "data"]
    command.append("--message-format=json-render-diagnostics")
    environment = os.environ | {"CARGO_TARGET_DIR": str(ROOT / "target")}
    messages = map(json.loads, run(command, cwd=SOURCE, env=environment, stdout=subprocess.PIPE).stdout.splitlines())
    built = [message for message in messages if message.get("executable")]
    [program] = [message["executable"] for message in built if not message["profile"]["test"]]
    return program, [message["executable"] for message in built if message["profile"]["test"]]


def gate(program, fault):
    """Runs the experiment and has it checked: the exit code. Without a fault it becomes the baseline."""
    out, environment = WORK / "runs" / fault, os.environ | {VARIABLE: fault}
    commands = [[program, "run", SPEC, "--set", f"seeds={SEEDS}", "--out", out, "--fresh"]]
    if fault == "none":
        BASELINE.unlink(missing_ok=True)
        commands.append([program, "accept", out, "--baseline", BASELINE])
    commands.append([program, "check", out, "--baseline", BASELINE])
    with (WORK / f"{fault}.gate.log").open("w") as log:
        for command in commands:
            code = run(command, env=environment, check=False, stdout=log, stderr=log).returncode
    return code


def failing_tests(tests, fault):
    """The names of the tests that fail."""
    environment = os.environ | {VARIABLE: fault}
    log = WORK / f"{fault}.tests.log"
    with log.open("w") as output:
        for executable in tests:
            run([executable], cwd=SOURCE, env=environment, check=False, stdout=output, stderr=output)
    text = log.read_text()
    if len(re.findall(r"^test result: ", text, re.MULTILINE)) < len(tests):
        sys.exit(f"tests broke off: see {log.relative_to(ROOT)}")
    return sorted(re.findall(r"^test (\S+) \.\.\. FAILED$", text, re.MULTILINE))


def run(command, cwd=ROOT, check=True, **options):
    return subprocess.run(command, cwd=cwd, check=check, text=True, **options)


def told(code):
    return f"{code} {VERDICTS.get(code, 'cannot be asked')}"


def main():
    expected = listed()
    if expected.keys() != PATCHES.keys():
        sys.exit(f"README.md and the patches name other faults: {sorted(expected.keys() ^ PATCHES.keys())}")
    chosen = sys.argv[1:] or list(PATCHES)
    if unknown := set(chosen) - PATCHES.keys():
        sys.exit(f"there is no patch for {sorted(unknown)}")
    WORK.mkdir(parents=True, exist_ok=True)
    copy_sources()
    program, tests = build()

    code, failing = gate(program, "none"), failing_tests(tests, "none")
    if code or failing:
        # What is amiss by itself would be taken for what catches a fault.
        sys.exit(f"without a fault the gate says {told(code)}, and these tests fail: {failing}; see target/faults")

    columns = "{:5} {:20} {:25} {:18} {}"
    print(columns.format("", "fault", "what the gate says", "caught by", "tests that fail"))
    passed = 0
    for fault in chosen:
        code, failing = gate(program, fault), failing_tests(tests, fault)
        caught_by = {*failing, *(["gate"] if code in CAUGHT else [])}
        # Other tests may fail as well; what the gate sees is known exactly.
        missing = expected[fault] - caught_by
        fine = caught_by and not missing and ("gate" in caught_by) == ("gate" in expected[fault])
        passed += bool(fine)
        count = f"{len(failing)} test{'s' * (len(failing) > 1)}"
        who = " and ".join(["gate"] * (code in CAUGHT) + [count] * bool(failing)) or "nothing"
        first, *rest = failing or [""]
        print(columns.format("ok" if fine else "FAIL", fault, told(code), who, first))
        for name in rest:
            print(columns.format("", "", "", "", name))
        if not fine:
            print(f"      README.md says that it is caught by {', '.join(sorted(expected[fault])) or 'nothing'}")
        sys.stdout.flush()
    print(f"{passed} passed, {len(chosen) - passed} failed")
    sys.exit(passed < len(chosen))


if __name__ == "__main__":
    main()
