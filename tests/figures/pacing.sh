#!/bin/sh
# Every figure of the pacing paper beside ours (docs/accuracy-packet.md): a choice of runs in less than five minutes;
# with --full all of them, in hours, of which 1024 nodes in experiment 1 are the longest.
# Results are kept in FILE (pacing.results): what was ended goes on where it was, and a change of the tables costs
# nothing. Delete it when the engine has changed. Draws the curves into PICTURE.svg. Status 5 if a figure is missed.
#
#     pacing.sh [--full] [-k FILE] PACING [PICTURE.svg]
set -u
here=$(cd "$(dirname "$0")" && pwd)
config=$here/../../configs/net/pacing.ini
full=no
kept=pacing.results
[ "${1-}" != --full ] || { full=yes; shift; }
[ "${1-}" != -k ] || { kept=${2-}; shift 2; }
[ $# -ge 1 ] || { echo "usage: pacing.sh [--full] [-k FILE] PACING [PICTURE.svg]" >&2; exit 2; }
pacing=$1
picture=${2-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
seeds=2
[ $full = no ] || seeds=5
[ ! -s "$kept" ] || echo "$kept: $(wc -l <"$kept") results are kept"

part() { # TITLE ARGUMENTS...
	echo "== $1"
	shift
	"$pacing" -k "$kept" -s $seeds "$config" "$@" || status=5
	echo
}

part "whole runs, 1 MiB, ms; least and most of $seeds jitter seeds" whole
if [ $full = yes ]; then
	part "experiments 3 and 4" sequences 0.125
	part "choices that the paper leaves open" alternatives
	part "the knee, where nodes begin apart" knees
	sizes="8 9 10 11"
else
	part "experiments 3 and 4, coarse" sequences 1
	part "experiment 1: algorithms" algorithms 64
	sizes="8 9"
fi
# shellcheck disable=SC2086
"$pacing" -k "$kept" "$config" curve $sizes >"$work/curve" || status=5
echo "== experiment 2: over the gap bias: n, bias, ms, links used %"
cat "$work/curve"
[ -z "$picture" ] || "$pacing" "$config" picture <"$work/curve" >"$picture" || status=5
[ $full = no ] || part "experiment 1: algorithms" algorithms 64 256 1024
exit $status
