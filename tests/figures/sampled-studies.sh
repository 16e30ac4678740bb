#!/bin/sh
# Studies by units of the trace beside the same studies simulated whole: do the intervals hold, and what do they leave of the front?
# `ninja sampled-studies`, in six CPU minutes; docs/accuracy/studies.md has the rows. Other parameters than those beside which the
# method was made (tests/bench/explore-speed.sh); rows, dot8 and bfs are programs that no rule was made beside.
#
# 150 draws of the anchors say how often intervals hold (anchor-draws.c).
#
#     sampled-studies.sh ANCHOR-DRAWS [KERNEL...]
here=$(cd "$(dirname "$0")" && pwd)
cc=sparc64-linux-gnu-gcc
. "$here/../need.sh"
need $cc python3
anchor_draws=$(realpath "$1")
shift
wanted=" $* "
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

cat >whole.ini <<END
base = $here/../../configs/sparc64v.ini
[set]
l2.ways = 8
[pair window]
core.rob_entries = 16, 48, 128
decode.gub_entries = 8, 24, 64
decode.fub_entries = 8, 24, 64
[pair width]
decode.width = 1, 4
core.commit_width = 1, 4
core.int_pipes = 1, 2
[sweep]
l1d.size = 16 KiB, 128 KiB
l2.size = 256 KiB, 2 MiB
memory.latency = 60 ns, 200 ns
bpred.entries = 256, 16384
[traces]
kernel = kernel.trace.gz
END
(echo 'sample = auto'; cat whole.ini) >units.ini

study() { # NAME: CPU seconds of the study, its processes included
	(
		psim-explore -q -o "$1.sqlite" --csv "$1.csv" --pareto --json "$1.ini" >"$1.json" || exit 1
		times >times.txt
		awk 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/)
			printf "%.1f\n", 60 * (u[1] + s[1]) + u[2] + s[2] }' times.txt
	)
}

failed=0
while IFS='|' read -r kernel source region arguments; do
	case $wanted in *" $kernel "* | '  ') ;; *) continue ;; esac
	$cc -std=gnu17 -O3 -mcpu=ultrasparc3 -mfmaf -Wa,-Av9d -static "$here/../../traces/kernels/$source.c" -lm -o program || exit 1
	# shellcheck disable=SC2086
	psim-record -q --warm-up 0 --region "$region" -o kernel.trace.gz -- ./program $arguments >/dev/null || exit 1
	rm -f ./*.sqlite
	whole=$(study whole) && units=$(study units) || exit 1
	held=$(python3 "$here/../cli/sampled_study.py" points whole.csv units.csv)
	front=$(python3 "$here/../cli/sampled_study.py" front whole.json units.json)
	printf '%-20s %6s s whole %6s s by units; %s; front: %s\n' "$kernel $arguments" "$whole" "$units" "$held" "$front"
	echo "$held" | awk '{ exit !($1 >= 0.95 * $3) }' || failed=5
	psim-explore -q --merge whole.sqlite units.sqlite -o both.sqlite || exit 1
	printf '%-20s ' && "$anchor_draws" units.ini both.sqlite 150 || failed=5
done <<END
quicksort|quicksort|sort|20000
compress|compress|compress|
spmv|spmv|spmv|30000
stencil|stencil|stencil|60 60 30
panel|panel|panel|700 32
triad|triad|triad|250000
zgemm|zgemm|zgemm|72
fft-radix4|fft_radix4|fft|10 64
rows|rows|rows|900 900
dot8|dot8|dot|500
bfs|bfs|search|20000
END
exit $failed
