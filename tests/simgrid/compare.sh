#!/bin/sh
# Our max-min shares against SimGrid's (reference.cpp), on tori: the last end and the sum of all ranks' ends.
#   compare.sh NET-CASE SIMGRID-REFERENCE
# Where the ends of two flows coincide but for rounding, what follows may go one way or the
# other: sizes are random, or the traffic short, so that digits can be compared.
set -eu
net_case=$1 reference=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# spread RANKS STEPS: simple spread of 20 000 bytes
spread() {
	awk -v n="$1" -v steps="$2" 'BEGIN {
		print "ranks " n
		for (r = 0; r < n; r++) for (p = 1; p <= steps; p++) print "send", r, (r + p) % n, p, 20000
	}'
}

# random RANKS MESSAGES OUTSTANDING SEED: 1000 to 40 000 bytes to anybody else
random() {
	awk -v n="$1" -v messages="$2" -v outstanding="$3" -v seed="$4" 'BEGIN {
		srand(seed)
		print "ranks " n "\noutstanding " outstanding
		for (r = 0; r < n; r++) for (p = 1; p <= messages; p++)
			print "send", r, (r + 1 + int(rand() * (n - 1))) % n, p, 1000 + int(rand() * 39001)
	}'
}

status=0
printf '%-34s %-8s %15s %15s %10s %10s\n' traffic torus 'SimGrid s' 'ours s' 'time' 'sum of ends'
compare() { # LABEL DIMS [BOUND]: bound of the difference, 1e-8; more where rounding adds up
	ours=$("$net_case" flow "@$work/x.pattern" 0 topology.dims="$2" link.bandwidth=1GB/s link.cable=1us \
		link.nic_bandwidth=1e14 router.route=0 router.vc_allocation=0 router.switch_allocation=0 \
		router.flit_transfer=0 router.switch_delay=0 flow.share=latency flow.latency=before)
	theirs=$("$reference" "$(echo "$2" | tr x ,)" "$work/x.pattern" 2>/dev/null)
	echo "$ours" | awk -v label="$1" -v dims="$2" -v theirs="$theirs" -v bound="${3:-1e-8}" '
		{ value[$1] = $2 }
		function off(a, b) { return (a > b ? a - b : b - a) / b }
		END {
			split(theirs, t, " ")
			a = off(value["time_s"], t[1]); b = off(value["end_sum_s"], t[2])
			printf "%-34s %-8s %15.12f %15.12f %10.1e %10.1e\n", label, dims, t[1], value["time_s"], a, b
			exit !(t[1] > 0 && a < bound && b < bound)
		}' || status=1
}

spread 25 12 >"$work/x.pattern"; compare 'spread, 12 steps' 5x5
spread 49 12 >"$work/x.pattern"; compare 'spread, 12 steps' 7x7
spread 15 14 >"$work/x.pattern"; compare 'spread, all' 15
random 25 1 1 1 >"$work/x.pattern"; compare 'random, 1 each' 5x5
random 25 40 1 2 >"$work/x.pattern"; compare 'random, 40 each, blocking' 5x5 1e-5
random 49 8 8 3 >"$work/x.pattern"; compare 'random, 8 each at once' 7x7
random 49 40 4 4 >"$work/x.pattern"; compare 'random, 40 each, 4 at once' 7x7 1e-6
random 105 20 2 5 >"$work/x.pattern"; compare 'random, 20 each, 2 at once' 3x5x7 1e-6
random 225 10 10 6 >"$work/x.pattern"; compare 'random, 10 each at once' 15x15
exit $status
