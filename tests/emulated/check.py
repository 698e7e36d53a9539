#!/usr/bin/env python3
"""Compares the results of emulated processors with those of this one, byte for byte.

    python3 tests/emulated/check.py target/release/doublepu

The program chooses the width of its vectors at run time, and so does the C library. Nehalem has 128 bits (SSE 4.2) and no
fused multiplication, Haswell 256 bits (AVX2) and fused multiplication. The experiments are those of the audit, which has
every method, loss, correction, model and optimizer, and the simulation, with one seed each. It needs qemu-x86_64 (Debian:
qemu-user), 7.2 or newer for AVX2, and an x86-64 machine.
"""

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "target/emulated"

# These hold times or the name of the processor.
DIFFERENT = {"journal.jsonl", "manifest.json", "timings.csv", ".lock"}
PROCESSORS = ["Nehalem", "Haswell"]
SPECS = {
    "audit": ["tests/audit/audit.yaml", "--set", "seeds=1"],
    "simulation": ["experiments/simulation.yaml", "--set", "seeds=2"],
}


def run(program, spec, out, emulator=()):
    """The files of a run, and the seconds that it took."""
    began = time.monotonic()
    command = [*emulator, program, "run", *SPECS[spec], "--fresh", "--out", out]
    ended = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ended.returncode:
        sys.exit(f"{spec}, {out.name}: exit code {ended.returncode}\n{ended.stdout}")
    return files_of(out), time.monotonic() - began


def files_of(out):
    """The contents of the files that are to be the same."""
    files = [path for path in out.rglob("*") if path.is_file() and path.name not in DIFFERENT]
    return {str(path.relative_to(out)): path.read_bytes() for path in files}


def first_difference(expected, found):
    pairs = zip(expected.splitlines(), found.splitlines())
    return next((f"\n  {here!r}\n  {there!r}" for here, there in pairs if here != there), " the length")


def main():
    program = Path(sys.argv[1]).resolve()
    shutil.rmtree(WORK, ignore_errors=True)
    flags = set(re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)[1].split())
    print("this processor has", ", ".join(sorted(flags & {"avx", "avx2", "avx512f", "fma"})) or "no AVX")
    wrong = 0
    for spec in SPECS:
        expected, seconds = run(program, spec, WORK / f"{spec}-native")
        cells = expected["cells.csv"].count(b"\n") - 1
        print(f"{spec}, native: {cells} cells, {len(expected)} files, {seconds:.1f} s")
        for processor in PROCESSORS:
            emulator = ["qemu-x86_64", "-cpu", processor]
            found, seconds = run(program, spec, WORK / f"{spec}-{processor}", emulator)
            differ = [name for name in expected if found.get(name) != expected[name]]
            print(f"{spec}, {processor}: {seconds:.1f} s, {len(differ)} files differ")
            for name in differ:
                print(f"{name}:{first_difference(expected[name], found.get(name, b''))}"[:2000])
            wrong += len(differ) + len(found.keys() ^ expected.keys())
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
