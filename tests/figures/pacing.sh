#!/bin/sh
# Every figure of the pacing paper beside ours (docs/accuracy-packet.md), in minutes; with --full
# also the alternatives and the curves of 10 x 10 and 11 x 11 nodes and 1024 nodes of experiment 1, in an hour or two.
# Draws the curves into PICTURE.svg. Status 5 if a figure is missed.
#
#     pacing.sh [--full] PACING [PICTURE.svg]
set -u
here=$(cd "$(dirname "$0")" && pwd)
config=$here/../../configs/net/pacing.ini
full=no
[ "${1-}" != --full ] || { full=yes; shift; }
[ $# -ge 1 ] || { echo "usage: pacing.sh [--full] PACING [PICTURE.svg]" >&2; exit 2; }
pacing=$1
picture=${2-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

part() { # TITLE ARGUMENTS...
	echo "== $1"
	shift
	"$pacing" "$config" "$@" || status=5
	echo
}

part "whole runs, 1 MiB, ms; least and most of 5 jitter seeds" whole
if [ $full = yes ]; then
	part "experiment 1: algorithms" algorithms 64 256 1024
	part "choices that the paper leaves open" alternatives
	part "experiments 3 and 4" sequences 0.125
	sizes="8 9 10 11"
else
	part "experiment 1: algorithms" algorithms 64
	part "experiments 3 and 4" sequences 0.25
	sizes="8 9"
fi
# shellcheck disable=SC2086
"$pacing" "$config" curve $sizes >"$work/curve" || status=5
echo "== experiment 2: over the gap bias: n, bias, ms, links used %"
cat "$work/curve"
[ -z "$picture" ] || "$pacing" "$config" picture <"$work/curve" >"$picture" || status=5
exit $status
