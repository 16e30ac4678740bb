#!/bin/sh
# The task mapping paper's table 2 beside ours: Bruck's allgather, 2048 bytes in the first step, on a torus of
# 16x16x16. Cost in hop GB (open mesh and torus), MB on the busiest link, seconds of the search.
#
#   mapping.sh MOPT [--full NSIM NSIMCC SOURCE-ROOT]
#
# --full: the program's time too, from the packet engine at 5 GB/s and 120 ns a hop (minutes).
# Status 5 if a figure is missed: XYZ and none and mincost to the paper's rounding, minlink <= 51.5 and <= 7.0.
set -eu
mopt=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "${2:-}" = --full ]; then
	nsim=$(realpath "$3")
	root=$(realpath "$5")
	"$4" -o "$work/bruck.so" "$root/netlink/examples/bruck_allgather.c"
fi
cd "$work"
status=0

# field FILE GROUP NAME
field() { awk -F, -v group="$2" -v name="$3" '$1 == group && $2 == name { print $4 }' "$1"; }

# simulated [MAPPING]: milliseconds of the program
simulated() {
	[ -n "${nsim:-}" ] || { echo; return; }
	"$nsim" -q -c "$root/configs/net/mapping.ini" -n 4096 ${1:+--mapping "$1"} -f csv bruck.so >run.csv
	field run.csv program seconds | awk '{ printf "%.2f", 1000 * $1 }'
}

# row TITLE PAPER-COST PAPER-LINK PAPER-MS GROUP EXPECTED-COST EXPECTED-LINK OPTION…
row() {
	title=$1 paper=$2 link=$3 ms=$4 group=$5 cost_limit=$6 link_limit=$7
	shift 7
	"$mopt" -t torus:16x16x16 "$@" bruck:4096:2048 -o mapping.txt -f csv -r report.csv \
		--expect "$group.mesh_cost$cost_limit" --expect "$group.max_link$link_limit" || status=5
	[ -s report.csv ] || return
	time=$(if [ "$group" = xyz ]; then simulated; else simulated mapping.txt; fi)
	printf '%-34s %7s %8.2f %8.2f | %6s %7.2f | %6s %6s\n' "$title" "$paper" \
		"$(field report.csv $group mesh_cost)" "$(field report.csv $group cost)" \
		"$link" "$(field report.csv $group max_link)" "$ms" "$time"
}

echo '                                   cost, hop GB              | MB on a link   | ms'
echo '                                    paper     mesh    torus |  paper    here |  paper   here'
row 'in order' 223.3 45.10 20.43 xyz '=223.3+-0.05' '=45.1+-0.05' --method none
row 'none' 52.4 8.68 2.99 placed '=52.4+-0.05' '=8.68+-0.01' --method none
row 'mincost' 51.1 8.64 2.99 placed '=51.1+-0.05' '=8.64+-0.01' --method mincost
row 'minlink, 5 orders' 51.3 6.90 2.87 placed '<=51.5' '<=7' --method minlink --orders 5
row 'balanced, 5 orders' '' '' '' placed '<=51.5' '<=7' --method balanced --orders 5
row 'balanced, slack 8, 40 orders' '' '' '' placed '<=51.2' '<=6.75' --method balanced --slack 8 --orders 40
exit $status
