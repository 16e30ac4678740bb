#!/bin/sh
# What virtual channels gain in the INSPIRE paper (a 32x32 torus with 16 for 2: +113 %, an 8x8x16 hyper-crossbar with 2 for 1:
# +40 %), in every reading of what its text leaves open: when a channel that a tail has left can be taken again, whether a flit may
# move into a place that is left in the same clock, what swt_phys_free asks, how the torus uses two channels. Three figures each: saturation far above the knee; the
# most that is accepted at any load; the throughput at which the latency is three times that without load.
#
#   inspire-readings.sh INSPIRE NDL-FOLDER
#
# Status 5 if the order of saturation of the crossbars or of the tori turns round in one of them.
set -eu
inspire=$(realpath "$1")
ndl=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for name in torus torus-partition hyper-crossbar; do
	"$inspire" "$ndl/$name.ndl" -o "$name"
done

# saturation FILE LOADS PROGRAM OPERANDS…: the three figures of the network in the reading of $options
saturation() {
	file=$1 loads=$2 program=$3
	shift 3
	# shellcheck disable=SC2086
	"./$program" -q -f csv -o "$file.csv" --load "$loads" -p run.drain=0 $options "$@"
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
			print a, most, knee + 0
		}' "$file.csv" >"$file"
}

echo "                                        torus        16 channels for 2 (+113 %)      crossbars    2 channels for 1 (+40 %)"
echo "reading                                 2      16    far above   most   knee         1      2     far above   most   knee"
# gains TEXT TWO: of 16 channels for the torus TWO, and of the crossbars
gains() {
	paste -d ' ' $2 tr2v hxb hxbv | awk -v text="$1" '
		function gain(to, from) { return from && to ? sprintf("%+.0f %%", 100 * (to / from - 1)) : "-" }
		{
			printf "%-36s %.3f  %.3f %10s %8s %7s", text, $1, $4, gain($4, $1), gain($5, $2), gain($6, $3)
			printf "      %.3f  %.3f %9s %8s %7s\n", $7, $10, gain($10, $7), gain($11, $8), gain($12, $9)
			exit !($4 > $1 && $10 > $7)
		}' || bad=5
}

# reading TEXT OPTIONS…
reading() {
	text=$1
	shift
	options=$*
	saturation tr2 0.01,0.02,0.03,0.04,0.05,0.06,0.07,0.09,0.12,0.65 torus 32 32 1
	saturation tr2p 0.01,0.02,0.03,0.04,0.05,0.06,0.07,0.09,0.12,0.65 torus-partition 32x32
	saturation tr2v 0.01,0.04,0.07,0.1,0.13,0.16,0.2,0.65 torus 32 32 1 16
	saturation hxb 0.01,0.1,0.15,0.2,0.25,0.3,0.35,0.45,0.65 hyper-crossbar 8 8 16 1
	saturation hxbv 0.01,0.1,0.2,0.25,0.3,0.35,0.4,0.5,0.65 hyper-crossbar 8 8 16 2
	gains "$text" tr2
	gains "    torus: one a dimension" tr2p
}
bad=0
empty='-p wormhole.credit_clocks=1' later='-p wormhole.release_clocks=1' idle='-p wormhole.phys_free=idle_link'
reading "as the defaults"
reading "an idle link is free" $idle
reading "a channel is free a clock later" $later
reading "  and an idle link is free" $later $idle
reading "a flit needs an empty place" $empty
reading "  and a channel is free a clock later" $empty $later
reading "  and an idle link is free" $empty $later $idle
exit $bad
