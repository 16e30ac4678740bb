#!/bin/sh
# The manual's spelling: words that codespell knows as misspelt, and US forms of UK words (spelling.dict). spelling.words has
# the words of the field that codespell takes for mistakes. Skipped without codespell.
#   spelling.sh SOURCE-ROOT
set -eu
. "$1/tests/need.sh"
need codespell
cd "$1"
check() {
	codespell -D - -D tests/lint/spelling.dict -I tests/lint/spelling.words "$@"
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 'Teh color of an inout.' >"$work/page"
[ "$(check "$work/page" | wc -l)" -eq 2 ] || { echo "spelling.sh: two mistakes, expected that both are found" >&2; exit 1; }
# Mnemonics are no words, nor are names of MPI.
check README.md $(ls docs/*.md docs/*/*.md | grep -v -e "^docs/formats/isa-table.md$" -e "^docs/api/lmpi.md$")
