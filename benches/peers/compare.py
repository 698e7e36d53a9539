#!/usr/bin/env python3
"""Compares doublepu with what a researcher would write in Python, on the same splits and to the same gradient.

    python3 benches/peers/compare.py [--rounds N]

Installs the packages of requirements.txt into target/peers, builds doublepu, exports the splits, and runs both sides in
alternation. Prints a table of medians and ratios, with the AUCs of both sides, as Markdown.
"""

import argparse
import csv
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "target" / "peers"
PYTHON = WORK / "python" / "bin" / "python"
DOUBLEPU = ROOT / "target" / "release" / "doublepu"
CORES = os.cpu_count()
# Rounds of single fits, which are short; both sides alternate.
FITS_ROUNDS = 7
# Rounds of the sweep with one job, with all cores, and with one run on each core at the same time.
JOBS_ROUNDS = 11
# Seeds of the two runs whose difference gives the cost of a cell without the cost of a start.
BENCHOPT_CELLS, OUR_CELLS = (20, 120), (1_000, 21_000)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    about = "rounds of the sweep and of the harness overhead; both sides alternate (default: 3)"
    parser.add_argument("--rounds", type=int, default=3, help=about)
    rounds = parser.parse_args().rounds
    if not PYTHON.exists():
        note("installing Python packages")
        run(sys.executable, "-m", "venv", WORK / "python")
        run(PYTHON, "-m", "pip", "install", "--quiet", "--requirement", HERE / "requirements.txt")
    # The virtual environment has numpy; this script may start without it.
    if Path(sys.prefix) != WORK / "python":
        os.execv(PYTHON, [str(PYTHON), *sys.argv])
    note("building doublepu")
    run("cargo", "build", "--release", "--quiet", cwd=ROOT)
    fits = bench_executable("peers")
    note("exporting the splits")
    split, splits = export_fits(), export_sweep()

    print("| what | doublepu | peer | ratio | AUC, doublepu | AUC, peer |")
    print("|---|---:|---:|---:|---:|---:|")
    compare_fits(fits, split)
    compare_sweeps(splits, rounds)
    compare_overhead(rounds)


def compare_fits(executable, split):
    targets = WORK / "targets.json"
    for cores in sorted({1, CORES}):
        ours, theirs = [], []
        for _ in range(FITS_ROUNDS):
            ours.append(json.loads(run(executable, env=threads(cores))))
            targets.write_text(json.dumps({name: fit["gradient"] for name, fit in ours[-1].items()}))
            theirs.append(json.loads(run(PYTHON, HERE / "researcher.py", "fits", split, targets, env=threads(cores))))
        for name, titles in [
            ("double_pu", "a fit of double PU learning"),
            ("oracle_logistic", "a supervised fit, 8,930 rows"),
            ("bagging_pu", "a fit of bagging PU learning"),
        ]:
            our_seconds, our_auc = median(fit[name]["seconds"] for fit in ours), ours[0][name]["auc"]
            for place, (peer, _, _, auc) in enumerate(theirs[0][name]):
                seconds = median(fit[name][place][1] for fit in theirs)
                row(f"{titles}; {peer}, {on(cores)}", our_seconds, seconds, our_auc, auc)


def run_sweep(jobs, out=WORK / "sweep"):
    # The script starts without stored results, so doublepu does too.
    shutil.rmtree(out, ignore_errors=True)
    return out, seconds_of(DOUBLEPU, "run", HERE / "sweep.yaml", "--out", out, "--jobs", jobs)[0]


def run_side_by_side():
    """One run with one job on each core at the same time: shows what the machine itself gains from its cores."""
    with ThreadPoolExecutor(CORES) as pool:
        start = time.perf_counter()
        list(pool.map(lambda core: run_sweep(1, WORK / f"sweep{core}"), range(CORES)))
        return time.perf_counter() - start


def compare_sweeps(splits, rounds):
    for cores in sorted({1, CORES}):
        ours, theirs = [], []
        for _ in range(rounds):
            out, seconds = run_sweep(cores)
            ours.append(seconds)
            command = [PYTHON, HERE / "researcher.py", "sweep", splits, "--jobs", cores]
            seconds, printed = seconds_of(*command, env=threads(1))
            theirs.append(seconds)
        our_aucs, their_aucs = aucs_of_run(out), {(m, s, beta): auc for m, s, beta, auc in json.loads(printed)}
        mean = lambda aucs: statistics.fmean(aucs.values())
        title = f"100 seeds x 6 methods x 9 priors, {on(cores)}"
        row(title, median(ours), median(theirs), mean(our_aucs), mean(their_aucs))
    apart = {}
    for (method, seed, beta), auc in their_aucs.items():
        ours = min(((abs(b - beta), value) for (m, s, b), value in our_aucs.items() if (m, s) == (method, seed)))[1]
        apart[method] = max(apart.get(method, 0), abs(ours - auc))
    by_jobs = [(run_sweep(1)[1], run_sweep(CORES)[1], run_side_by_side()) for _ in range(JOBS_ROUNDS)]
    alone, together, side_by_side = (median(seconds) for seconds in zip(*by_jobs))
    note(f"doublepu with {CORES} jobs: {alone / together:.2f} times as fast as with 1, by the medians of {JOBS_ROUNDS} runs")
    note(f"{CORES} runs side by side, with 1 job each: {CORES * alone / side_by_side:.2f} times as fast as one after the other")
    for method, largest in apart.items():
        note(f"largest difference in AUC between both sides, {method}: {largest:.1e}")


def compare_overhead(rounds):
    def ours(seeds):
        out = WORK / "overhead"
        return seconds_of(
            DOUBLEPU, "run", HERE / "overhead.yaml", "--fresh", "--out", out, "--jobs", 1, "--set", f"seeds={seeds}"
        )[0]

    def theirs(seeds):
        people = f"people[seed={list(range(seeds))}]"
        # benchopt does not run again what is in its cache.
        options = ["--no-plot", "--no-html", "--no-cache", "-d", people]
        return seconds_of(WORK / "python" / "bin" / "benchopt", "run", HERE / "overhead", *options, cwd=WORK)[0]

    slope = lambda time, cells: median((time(cells[1]) - time(cells[0])) / (cells[1] - cells[0]) for _ in range(rounds))
    row("harness overhead a cell; benchopt", slope(ours, OUR_CELLS), slope(theirs, BENCHOPT_CELLS), None, None)


def export_fits():
    """The split of seed 1 with the whole training set, from the cells of fits.yaml."""
    path = WORK / "fits.npz"
    run_folder = WORK / "fits"
    run(DOUBLEPU, "run", HERE / "fits.yaml", "--fresh", "--out", run_folder)
    cells = list(csv.DictReader(open(run_folder / "cells.csv")))
    oracle = export(run_folder, next(cell for cell in cells if cell["method"] == "oracle_logistic"))
    prior = next(cell for cell in cells if cell["method"] == "double_pu")
    save(path, oracle, beta=float(prior["beta"]), gamma=float(prior["gamma"]), seed=1)
    return path


def export_sweep():
    """One file for each seed, from any cell of that seed."""
    folder, run_folder = WORK / "splits", WORK / "sweep"
    if len(list(folder.glob("*.npz"))) == 100:
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    run(DOUBLEPU, "run", HERE / "sweep.yaml", "--fresh", "--out", run_folder)
    by_seed = {}
    for cell in csv.DictReader(open(run_folder / "cells.csv")):
        by_seed.setdefault(int(cell["seed"]), []).append(cell)
    for seed, cells in by_seed.items():
        betas = sorted({float(cell["beta"]) for cell in cells if cell["method"] == "naive_pu"})
        gamma = float(next(cell["gamma"] for cell in cells if cell["gamma"]))
        save(folder / f"{seed:03}.npz", export(run_folder, cells[0]), betas=betas, gamma=gamma, seed=seed)
    return folder


def export(run_folder, cell):
    folder = WORK / "export" / cell["cell"]
    if not folder.exists():
        run(DOUBLEPU, "export", run_folder, cell["cell"], "--out", folder)
    return folder


def save(path, exported, **known):
    """Saves the samples with a column of ones, in a format that numpy reads fast."""
    import numpy as np
    import pandas as pd

    def rows(name):
        features = pd.read_csv(exported / f"{name}.csv").to_numpy(float)
        return np.hstack([features, np.ones((len(features), 1))])

    truth = lambda name: pd.read_csv(exported / f"{name}_rows.csv")["w"].to_numpy() > 0
    samples = {"Y": rows("D_Y"), "U": rows("D_U"), "L": rows("D_L"), "test": rows("test"), "w": truth("test")}
    if (exported / "train.csv").exists():
        samples |= {"train": rows("train"), "train_w": truth("train")}
    np.savez(path, **samples, **known)


def aucs_of_run(folder):
    def method(cell):
        loss = [option for option in cell["options"].split() if option.startswith("loss=")]
        return " ".join([cell["method"], *loss]) if cell["method"] == "double_pu" else cell["method"]

    cells = csv.DictReader(open(folder / "cells.csv"))
    return {(method(cell), int(cell["seed"]), float(cell["beta"])): float(cell["roc_auc"]) for cell in cells}


def bench_executable(name):
    messages = run("cargo", "bench", "--bench", name, "--no-run", "--message-format=json", "--quiet", cwd=ROOT)
    built = [json.loads(line) for line in messages.splitlines()]
    return next(m["executable"] for m in built if m.get("executable") and m["target"]["name"] == name)


def threads(count):
    limits = dict.fromkeys(["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"], str(count))
    return os.environ | limits


def seconds_of(*command, **options):
    start = time.perf_counter()
    printed = run(*command, **options)
    return time.perf_counter() - start, printed


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(part) for part in command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def row(what, ours, theirs, our_auc, their_auc):
    auc = lambda value: "" if value is None else f"{value:.6f}"
    cells = [what, duration(ours), duration(theirs), f"{theirs / ours:.1f}x", auc(our_auc), auc(their_auc)]
    print("| " + " | ".join(cells) + " |", flush=True)


def duration(seconds):
    for unit, size in [("s", 1), ("ms", 1e-3), ("us", 1e-6)]:
        if seconds >= size or unit == "us":
            return f"{seconds / size:.3g} {unit}"


def on(cores):
    return "1 core" if cores == 1 else f"{cores} cores"


def median(values):
    return statistics.median(list(values))


def note(text):
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
