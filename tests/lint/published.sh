#!/bin/sh
# docs/accuracy/published.py refuses what a table of published figures must not have, and takes what it may.
#   published.sh SOURCE-ROOT
set -eu
program=$1/docs/accuracy/published.py
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

table() {
	printf '= key: A paper\n%s\n' "$1" >"$work/table"
}

# refused ROW TEXT: a message of one line that has the place and this text
refused() {
	table "$1"
	if said=$("$program" --check "$work/table" 2>&1); then
		echo "accepted: $1" >&2
		bad=1
	elif [ "$said" != "${said#*:2: *"$2"}" ] && [ "$(echo "$said" | wc -l)" -eq 1 ]; then
		:
	else
		echo "$said: expected a line with the place and '$2'" >&2
		bad=1
	fi
}

accepted() {
	table "$1"
	"$program" --check "$work/table" || bad=1
}

tried='expected a remark on what was tried'
refused 'time | 100 | 115.1 | reading | predicted | command | -' "115.1 for 100, more than 15 % off: $tried"
refused 'time | 100 | 84.9 | reading | calibrated | command | -' "$tried"
refused 'time | 100 | -100 | reading | exact | command | -' "$tried"
refused 'time | 0 | 1 | reading | predicted | command | -' "$tried"
refused 'part | 0 to 4 | 3 to 18 | reading | predicted | command | -' "$tried"
refused 'part | 8 to 13 | 5.5 to 11 | reading | predicted | command | -' "$tried"
refused 'part | less than 3 | 3.5 | reading | predicted | command | -' "$tried"
refused 'part | 2 and more | 1.6 to 3 | reading | predicted | command | -' "$tried"
refused 'order | a < b | b < a | reading | predicted | command | -' "$tried"
refused 'time | 100 | 120 | reading | predicted | command | ' 'an empty column'
refused 'time | 100 | 100 | reading | guessed | command | -' "'guessed', expected one of"
refused 'time | 100 | 100 | reading | predicted | command' '6 columns, expected 7'
accepted 'time | 100 | 115 | reading | predicted | command | -'
accepted 'time | 100 | 85 | reading | predicted | command | -'
accepted 'time | 100 | 120 | reading | predicted | command | three forms: 120 to 140'
accepted 'part | 8 to 13 | 7 to 14 | reading | predicted | command | -'
accepted 'part | less than 3 | 1.2 | reading | predicted | command | -'
accepted 'part | 2 and more | 1.7 to 30 | reading | predicted | command | -'
accepted 'order | a < b | a < b | reading | predicted | command | -'
exit $bad
