#!/bin/sh
# Networks beyond saturation, with defaults (docs/accuracy-packet.md): what is accepted of what is offered, in packets of 2 KiB at
# random times. The rule: beyond its peak a network accepts at least 0.9 of it, and the peak is near the bound of its
# links. And the dragonfly of J. Kim, W. Dally, S. Scott, D. Abts, ISCA 2008, figure 8: p = h = 4, a = 8, 33 groups.
#
#     saturation.sh NSIM
set -eu
nsim=$1
status=0
messages=300

accepted() { # PATTERN LOAD PARAMETERS...
	pattern=$1 load=$2
	shift 2
	for p in "$@"; do
		set -- "$@" -p "$p"
		shift
	done
	"$nsim" -q -f csv --check "$@" --pattern "$pattern:size=2016,messages=$messages,load=$load" |
		awk -F, '$2 == "accepted" { print $4 }'
}

# What is accepted at each load; the peak against `bound` x 2016/2048 (headers), and what is left beyond the peak.
curve() { # NAME PATTERN BOUND LEAST-PART-OF-BOUND PARAMETERS...
	name=$1 pattern=$2 bound=$3 least=$4
	shift 4
	for load in 0.3 0.5 0.7 0.9 1.0 1.3; do
		accepted "$pattern" $load "$@"
	done | awk -v name="$name" -v bound="$bound" -v least="$least" '
		{ line = line sprintf(" %.3f", $1); if ($1 > peak) { peak = $1; after = $1 } if ($1 < after) after = $1 }
		END {
			bound *= 2016 / 2048
			verdict = peak > 1.02 * bound ? "above its bound" : peak < least * bound ? "below the aim" : \
				after < 0.9 * peak ? "collapses" : "ok"
			printf "%-26s %s   peak %.3f of %.3f, beyond it %.2f: %s\n", name, line, peak, bound, after / peak, verdict
			exit verdict != "ok"
		}' || status=1
}

echo "accepted at a load of       0.3   0.5   0.7   0.9   1.0   1.3"
# uniform on a k x k torus: 8/k of the injection bandwidth; on a mesh 4/k, times 63/64 as nobody sends to himself
curve "torus 8x8" uniform 1.0159 0.85 topology.dims=8x8
curve "torus 8x8 adaptive" uniform 1.0159 0.85 topology.dims=8x8 topology.routing=adaptive
# tornado: 3 links on in each of both dimensions, in one direction: 3 ways share a link
curve "torus 8x8 tornado" tornado 0.3333 0.9 topology.dims=8x8
curve "mesh 8x8" uniform 0.4922 0.9 topology.kind=mesh topology.dims=8x8
curve "fat tree 4x4x4" uniform 1 0.9 topology.kind=fat_tree topology.dims=4x4x4
curve "fat tree 4x4x4 adaptive" uniform 1 0.9 topology.kind=fat_tree topology.dims=4x4x4 topology.routing=adaptive
curve "crossbar 64" uniform 1 0.9 topology.kind=crossbar topology.dims=64
# all of them between neighbouring groups, over 4 links for 32 nodes; by way of another group in 7 of 9 draws, two links
# each: 9/16 for the 4 links to each other group
nine="topology.kind=dragonfly topology.dims=4x8x4 topology.groups=9"
# shellcheck disable=SC2086
{
curve "dragonfly 9" uniform 1 0.85 $nine
curve "dragonfly 9 worst" next_group 0.125 0.95 $nine
curve "dragonfly 9 Valiant worst" next_group 0.5625 0.9 $nine topology.routing=valiant
curve "dragonfly 9 UGAL worst" next_group 0.5625 0.75 $nine topology.routing=ugal
curve "dragonfly 9 UGAL VC worst" next_group 0.5625 0.85 $nine topology.routing=ugal_vc
curve "dragonfly 9 global worst" next_group 0.5625 0.9 $nine topology.routing=ugal_global
}

# The paper's figure 8, read off: at worst-case traffic minimal ways accept 1/32, Valiant's and UGAL-G's slightly less than
# 0.5, UGAL-L gets there with a longer latency; at uniform traffic Valiant accepts half, the others what minimal ways do.
messages=100
published() { # NAME PATTERN LOAD LEAST MOST ROUTING
	a=$(accepted "$2" "$3" topology.kind=dragonfly topology.dims=4x8x4 "topology.routing=$6")
	awk -v a="$a" -v name="$1" -v least="$4" -v most="$5" 'BEGIN {
		ok = a >= least && a <= most
		printf "%-36s %.3f, expected %s to %s: %s\n", name, a, least, most, ok ? "ok" : "missed"
		exit !ok }' || status=1
}
published "33 groups, worst case, minimal" next_group 0.2 0.027 0.032 minimal
published "33 groups, worst case, Valiant" next_group 0.7 0.45 0.51 valiant
published "33 groups, worst case, UGAL-G" next_group 0.7 0.45 0.51 ugal_global
published "33 groups, worst case, UGAL-L" next_group 0.7 0.40 0.51 ugal
published "33 groups, worst case, UGAL-L VC" next_group 0.7 0.45 0.51 ugal_vc
published "33 groups, uniform, Valiant" uniform 0.8 0.45 0.52 valiant
published "33 groups, uniform, UGAL-L" uniform 0.7 0.68 0.71 ugal
published "33 groups, uniform, UGAL-G" uniform 0.8 0.75 0.81 ugal_global
exit $status
