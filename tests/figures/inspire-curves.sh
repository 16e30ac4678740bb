#!/bin/sh
# The INSPIRE paper's figure 6 as a picture: latency over throughput of four networks of 1024 PUs and of two with more virtual
# channels; and their saturation in three readings: what is accepted far above saturation; the most that is accepted at any
# load; the throughput at which the latency is three times that without load (the paper: where it rises steeply).
#
#   inspire-curves.sh INSPIRE NDL-FOLDER PICTURE.svg [LOADS]
#
# Status 5 if the order of saturation is not the paper's in one of them.
set -eu
inspire=$(realpath "$1")
ndl=$(realpath "$2")
picture=$(realpath "$3")
loads=${4:-0.02,0.05,0.08,0.1,0.12,0.15,0.2,0.25,0.3,0.35,0.4,0.45,0.5,0.65}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for name in hypercube torus torus-partition hyper-crossbar; do
	"$inspire" "$ndl/$name.ndl" -o "$name"
done

# curve FILE PROGRAM OPERANDS…: 10-byte messages, 2000 clocks after 500 of warm-up
curve() {
	file=$1 program=$2
	shift 2
	"./$program" -q -f csv -o "$file" --load "$loads" -p run.drain=0 "$@"
}
curve hxb.csv hyper-crossbar 8 8 16 1
curve hxbv.csv hyper-crossbar 8 8 16 2
curve tr3.csv torus 8 8 16
curve tr2.csv torus 32 32 1
curve tr2p.csv torus-partition 32x32
curve tr2v.csv torus 32 32 1 16
curve hc.csv hypercube --svg "$picture" --name '10-D hypercube' --beside '8x8x16 crossbars=hxb.csv' \
	--beside 'the same, 2 VCs=hxbv.csv' --beside '8x8x16 torus=tr3.csv' --beside '32x32 torus=tr2.csv' \
	--beside 'the same, 16 VCs=tr2v.csv' 10

# readings FILE: the three
readings() {
	awk -F, '$1 == "points" { v[$3, $2] = $4; if ($3 + 0 > last) last = $3 + 0 }
		END {
			for (i = 0; i <= last; i++) {
				a = v[i, "accepted"]; l = v[i, "latency"]
				if (a > most) most = a
				if (!knee && l > 3 * v[0, "latency"]) {
					before = v[i - 1, "latency"]; from = v[i - 1, "accepted"]
					knee = from + (a - from) * (3 * v[0, "latency"] - before) / (l - before)
				}
			}
			print a, most, knee
		}' "$1"
}
echo "saturation, bytes a clock and PU:  far above  most at any load  latency three times"
for f in hc hxb tr3 tr2 tr2p tr2v hxbv; do
	readings $f.csv >$f
	awk -v name=$f '{ printf "%-33s %11.3f %17.3f %20.3f\n", name, $1, $2, $3 }' $f
done
paste tr2v tr2 hxbv hxb tr2p | awk '
	function gain(text, new, old,  i) {
		printf "%-40s", text
		for (i = 0; i < 3; i++) # a sweep may end before the knee
			printf i ? "%16s" : " %s", $(old + i) && $(new + i) ? sprintf("%+.0f %%", 100 * ($(new + i) / $(old + i) - 1)) : "-"
		print ""
	}
	{
		gain("32x32 torus, 16 VCs for 2 (paper +113 %)", 1, 4)
		gain("  for one VC throughout a dimension", 1, 13)
		gain("crossbars, 2 VCs for 1 (paper +40 %)", 7, 10)
	}'
paste hc hxb tr3 tr2 | awk '{
	for (i = 1; i <= 3; i++)
		bad = bad || !($i > $(i + 3) && $(i + 3) > $(i + 6) && $(i + 6) > $(i + 9))
	print "hypercube > hyper-crossbar > 3-D torus > 2-D torus in all readings: " (bad ? "NO" : "yes") " (paper: yes)"
	exit bad ? 5 : 0 }'
