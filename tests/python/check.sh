#!/usr/bin/env bash
# Builds the wheel from the release build of cargo, installs it into a fresh environment, and checks that its program is
# the same, that it computes the same bytes, and that the tests of the Python package pass. R is part of it where it can be
# installed.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=target/ci/wheel
program=target/release/doublepu

install_r() {
  command -v Rscript > /dev/null && return
  as_root=$([ "$(id -u)" = 0 ] || echo sudo)
  $as_root apt-get update -qq
  $as_root apt-get install -y -qq --no-install-recommends r-base-core
}

rm -rf "$work"
mkdir -p "$work"
install_r > "$work/r.log" 2>&1 &
r_installed=$!
python3 -m venv "$work/venv"
PATH="$PWD/$work/venv/bin:$PATH"
pip install --quiet --requirement tests/python/requirements.txt --requirement experiments/external/requirements.txt

# With the features, flags and target folder of cargo, nothing is compiled a second time.
cargo build --locked --release
maturin build --locked --release --compatibility linux --out "$work" > "$work/maturin.log" 2>&1 ||
  { cat "$work/maturin.log" >&2; exit 1; }
if grep --quiet Compiling "$work/maturin.log"; then
  echo "maturin has built again what cargo had built: features or flags differ" >&2
  exit 1
fi
pip install --quiet "$work"/doublepu-*.whl
cmp "$work/venv/bin/doublepu" "$program"

for each in "$work/venv/bin/doublepu" "$program"; do
  out=$work/smoke-$(dirname "$each" | tr / -)
  "$each" run experiments/smoke.yaml --out "$out" > /dev/null
done
cmp "$work"/smoke-*/cells.csv

wait "$r_installed" || echo "R cannot be installed, so the example in R is left out: see $work/r.log" >&2
python -m pytest --quiet tests/python
doublepu run experiments/external/check.yaml --fresh --out "$work/check"
if command -v Rscript > /dev/null; then
  doublepu run experiments/external/check_r.yaml --fresh --out "$work/check-r"
fi
