#!/bin/sh
# Every figure of the pacing paper beside ours (docs/accuracy-packet.md): a choice of runs in less than five minutes;
# with --full all of them, in hours, of which 1024 nodes in experiment 1 are the longest.
# Results are kept in FILE (pacing.results): what was ended goes on where it was, and a change of the tables costs
# nothing. Delete it when the engine has changed. Draws the curves into PICTURE.svg. Status 5 if a figure is missed.
#
#     pacing.sh [--full] [-k FILE] PACING [PICTURE.svg]
#     pacing.sh --pictures FOLDER [-k FILE] PACING        figures 7 to 19 of the paper from our runs, as SVG
set -u
here=$(cd "$(dirname "$0")" && pwd)
config=$here/../../configs/net/pacing.ini
full=no
pictures=
kept=pacing.results
[ "${1-}" != --pictures ] || { pictures=${2-}; shift 2; }
[ "${1-}" != --full ] || { full=yes; shift; }
[ "${1-}" != -k ] || { kept=${2-}; shift 2; }
[ $# -ge 1 ] || { echo "usage: pacing.sh [--full | --pictures FOLDER] [-k FILE] PACING [PICTURE.svg]" >&2; exit 2; }
pacing=$1
picture=${2-}

# Figures 7 to 19. A figure's name is its number in the paper. STEP of the biases: 0.25; the paper's is 0.125.
draw_pictures() { # FOLDER
	set -e
	mkdir -p "$1"
	"$pacing" "$config" draw "$1/figure-07-08.svg" 8 none
	"$pacing" "$config" draw "$1/figure-09.svg" 9 none
	"$pacing" "$config" draw "$1/figure-13.svg" 8 1.25
	"$pacing" "$config" draw "$1/figure-14.svg" 9 1.25
	"$pacing" -k "$kept" "$config" curve 8 9 10 11 >"$1/curve.txt"
	"$pacing" "$config" picture time <"$1/curve.txt" >"$1/figure-10-11.svg"
	"$pacing" "$config" picture use <"$1/curve.txt" >"$1/figure-12.svg"
	"$pacing" "$config" picture bars <"$1/curve.txt" >"$1/figure-15.svg"
	"$pacing" -k "$kept" "$config" phases "${STEP-0.25}" >"$1/phases.txt"
	"$pacing" "$config" picture phases <"$1/phases.txt" >"$1/figure-16.svg"
	"$pacing" -k "$kept" "$config" draw-tuned "$1" "${STEP-0.25}" | tail -n 3
}
if [ -n "$pictures" ]; then
	(draw_pictures "$pictures")
	exit
fi
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
	sizes="8 9 10 11 12 13 14 15 16"
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
