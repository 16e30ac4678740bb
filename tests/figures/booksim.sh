#!/bin/sh
# The wormhole kernel beside BookSim 2 (N. Jiang et al., ISPASS 2013): 8x8 torus, dimension order, uniform traffic (the sender
# itself among the destinations), 2 virtual channels. BookSim's figures were measured with its default router.
#
#   booksim.sh INSPIRE NDL-FOLDER
#
# Status 5 if a latency below the knee differs by more than 2 %, or what is accepted far above it by more than 3 %.
set -eu
inspire=$(realpath "$1")
ndl=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$inspire" "$ndl/torus-partition.ndl" -o torus
# Its router, read from its source (docs/ndl.md): from a flit's winning the switch to its standing in the next router 4
# clocks, route 1, VC allocation 1; 3 clocks later the place that it left is known to be free.
router='-p wormhole.route_clocks=1 -p wormhole.grant_clocks=1 -p wormhole.output_clocks=3 -p wormhole.credit_clocks=3
	-p wormhole.one_per_input=yes -p wormhole.allocation=islip -p run.warmup=3000 -p run.clocks=20000'

# compare TITLE BUFFER FLITS LOADS BOOKSIM KNEE: latencies of tails, three seeds; those below KNEE have to agree
compare() {
	echo "$1"
	echo "  flits/node/clock  BookSim 2      ours  of seeds        off"
	for seed in 1 2 3; do
		./torus -q -f csv --load "$4" $router -p run.seed=$seed -p wormhole.buffer_flits=$2 8x8 $3 self |
			awk -F, -v seed=$seed '$2 == "load" { l[$3] = $4 } $2 == "tail_latency" { print seed, $3, l[$3], $4 }'
	done | awk -v theirs="$5" -v knee="$6" '
		BEGIN { split(theirs, b, ",") }
		{ load[$2] = $3; sum[$2] += $4; if (!($2 in least) || $4 < least[$2]) least[$2] = $4
		  if ($4 > most[$2]) most[$2] = $4; if ($2 > last) last = $2; if (first == "" || $2 < first) first = $2 }
		END { for (k = first; k <= last; k++) { m = sum[k] / 3; x = b[k - first + 1]; off = 100 * (m / x - 1)
			if (load[k] < knee && (off > 2 || off < -2)) bad = 1
			printf "  %16.2f %10.2f %9.2f  %.1f-%.1f %+7.1f %%\n", load[k], x, m, least[k], most[k], off }
			exit bad ? 5 : 0 }' || missed=5
}
missed=0
compare "8-flit buffers, messages of 1 flit" 8 1 0.02,0.05,0.10,0.15,0.20,0.25 31.00,31.44,32.20,33.38,35.92,51.26 0.22
compare "1-flit buffers, messages of 10 flits" 1 10 0.01,0.02,0.04 102.8,113.6,204.5 0.03
./torus -q -f csv --load 0.6 $router -p wormhole.buffer_flits=8 -p run.drain=0 8x8 1 self |
	awk -F, '$2 == "accepted" && $1 == "result" { off = 100 * ($4 / 0.212 - 1)
		printf "accepted far above the knee: BookSim 2 0.212, ours %.3f (%+.1f %%)\n", $4, off
		exit off > 3 || off < -3 ? 5 : 0 }' || missed=5
exit $missed
