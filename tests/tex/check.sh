#!/usr/bin/env bash
# Compiles every LaTeX table of a run in a minimal document: tests/tex/check.sh RUN [OUT.pdf]
# Needs pdflatex with booktabs, in Debian: apt-get install texlive-latex-base texlive-latex-recommended
set -euo pipefail

run=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
  printf '\\documentclass{article}\n\\usepackage{booktabs}\n\\pagestyle{empty}\n'
  # Only the paper is made large enough for the largest table; the tables are as they stand.
  printf '\\usepackage[paperwidth=60cm,paperheight=150cm,margin=1cm]{geometry}\n\\begin{document}\n'
  for table in "$run"/*.tex; do
    printf '\\noindent\\input{%s}\n\\newpage\n' "$table"
  done
  printf '\\end{document}\n'
} > "$work/tables.tex"
if ! pdflatex -halt-on-error -interaction=nonstopmode -output-directory "$work" "$work/tables.tex" > "$work/output"; then
  cat "$work/output"
  exit 1
fi
if grep -q 'Overfull\|LaTeX Warning' "$work/tables.log"; then
  grep -A2 'Overfull\|LaTeX Warning' "$work/tables.log"
  exit 1
fi
echo "$(ls "$run"/*.tex | wc -l) tables of $1 compile"
if [ $# -gt 1 ]; then cp "$work/tables.pdf" "$2"; fi
