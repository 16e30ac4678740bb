#!/bin/sh
# The task mapping paper's tables 2, 3 and 4 beside ours: Bruck's allgather on a torus of 16x16x16, the NAS
# benchmarks CG (512 ranks) and SP (484) on 8x8x8, class B, one iteration; then stencils, and other sizes.
# Cost in bytes x links (open mesh, and torus), bytes on the busiest link, the program's time, seconds of search.
#
#   mapping.sh MOPT NSIM NSIMCC SOURCE-ROOT [--full]
#
# --full: the allgather's times too, from the packet engine at 5 GB/s and 120 ns a hop (minutes).
# Status 5 if a figure is missed (see the rows): in order and `none` to the paper's rounding, others at least as good.
set -eu
mopt=$(realpath "$1")
nsim=$(realpath "$2")
root=$(realpath "$4")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for program in bruck_allgather npb_cg npb_sp; do
	"$3" -O2 -o "$work/$program.so" "$root/netlink/programs/examples/$program.c"
done
full=${5:-}
config=$root/configs/net/mapping.ini
cd "$work"
status=0
scotch=yes
"$mopt" -q -t torus:2x2 --method scotch bruck:4:1 -r report.csv 2>/dev/null || scotch=no

# field FILE GROUP NAME
field() { awk -F, -v group="$2" -v name="$3" '$1 == group && $2 == name { print $4 }' "$1"; }

# simulated PROGRAM RANKS [MAPPING]: the program's time
simulated() {
	[ "$time" = yes ] || { echo; return; }
	program=$1 ranks=$2
	shift 2
	"$nsim" -q -c "$config" -p topology.dims=$dims -n "$ranks" ${1:+--mapping "$1"} -f csv "$program" >run.csv
	field run.csv program seconds | awk -v scale="$ms" '{ printf "%.3f", scale * $1 }'
}

# row TITLE PAPER-COST PAPER-LINK PAPER-MS GROUP EXPECTED-COST EXPECTED-LINK OPTION…
row() {
	title=$1 paper=$2 link=$3 was=$4 group=$5 cost_limit=$6 link_limit=$7
	shift 7
	rm -f report.csv
	"$mopt" -q -c "$config" -p topology.dims=$dims "$@" "$matrix" -o mapping.txt -f csv -r report.csv \
		${cost_limit:+--expect "$group.mesh_cost$cost_limit"} \
		${link_limit:+--expect "$group.max_link$link_limit"} || status=5
	[ -s report.csv ] || return 0
	now=$(if [ "$group" = xyz ]; then simulated $program.so $ranks; else simulated $program.so $ranks mapping.txt; fi)
	for name in mesh_cost cost max_link; do
		field report.csv "$group" $name
	done | paste -s -d ' ' | {
		read -r mesh torus most
		printf '%-38s %7s %8.3f %8.3f | %6s %7.3f | %6s %6s | %.2f\n' "$title" "$paper" "$mesh" "$torus" \
			"$link" "$most" "$was" "$now" "$(field report.csv host seconds)"
	}
}

# table TITLE
table() {
	printf '\n%s\n%38s  cost, hop GB              | MB on a link   | %-13s | search\n' "$1" '' "$2"
	printf '%38s   paper     mesh    torus |  paper    here |  paper   here | s\n' ''
}

dims=16x16x16 matrix=bruck:4096:2048 program=bruck_allgather ranks=4096 ms=1000
time=$([ "$full" = --full ] && echo yes || echo no)
table "Bruck's allgather, 4096 ranks on 16x16x16" ms
row 'in order' 223.3 45.10 20.43 xyz '=223.3+-0.05' '=45.1+-0.05' --method none
row 'none' 52.4 8.68 2.99 placed '=52.4+-0.05' '=8.68+-0.01' --method none
row 'mincost' 51.1 8.64 2.99 placed '=51.1+-0.05' '=8.64+-0.01' --method mincost
row 'minlink, 5 orders' 51.3 6.90 2.87 placed '<=51.5' '<=7' --method minlink
row 'balanced, 5 orders' '' '' '' placed '<=51.5' '<=7' --method balanced
row 'balanced, slack 2, 25 orders, open' '' '' '' placed '<=51.1' '<=6.9' \
	--method balanced --slack 2 --orders 25 --open --weight 25
row 'balanced, slack 8, 40 orders' '' '' '' placed '<=51.2' '<=6.75' --method balanced --slack 8 --orders 40
row 'bisect' '' '' '' placed '<=52.5' '' --method bisect
[ $scotch = no ] || row 'Scotch' '' '' '' placed '' '' --method scotch

time=yes dims=8x8x8 matrix=cg.txt program=npb_cg ranks=512
"$nsim" -q -c "$config" -p topology.dims=$dims -n 512 --matrix cg.txt npb_cg.so >report.txt
table 'CG, class B, 512 ranks on 8x8x8' ms
row 'in order' 4.43 3.90 2.75 xyz '=4.43+-0.005' '=3.90+-0.005' --method none
row 'none' 3.64 4.84 2.71 placed '=3.64+-0.005' '' --method none
row 'mincost' 3.36 2.44 1.81 placed '<=3.36' '' --method mincost
row 'mincost, open' 3.36 2.44 1.81 placed '=3.36+-0.005' '' --method mincost --open
row 'minlink' 3.38 2.93 1.85 placed '' '<=2.44' --method minlink
row 'minlink, 1 order' 3.38 2.93 1.85 placed '<=3.38' '<=2.93' --method minlink --orders 1
row 'minlink, 1 order, open' 3.38 2.93 1.85 placed '<=3.38' '<=2.45' --method minlink --orders 1 --open
row 'mincost, annealed, weight 40' '' '' '' placed '<=3.36' '<=2.44' --method mincost --anneal 50 --weight 40
[ $scotch = no ] || row 'Scotch' '' '' '' placed '' '' --method scotch

matrix=sp.txt program=npb_sp ranks=484
"$nsim" -q -c "$config" -p topology.dims=$dims -n 484 --matrix sp.txt npb_sp.so >report.txt
table 'SP, class B, 484 ranks on 8x8x8' ms
row 'in order' 1.504 1.066 0.606 xyz '=1.504+-0.0005' '=1.066+-0.0006' --method none
row 'none' 0.968 1.117 0.519 placed '=0.968+-0.0005' '=1.117+-0.0006' --method none
row 'mincost' 0.726 1.384 0.511 placed '' '<=1.384' --method mincost
row 'mincost, open' 0.726 1.384 0.511 placed '' '<=1.384' --method mincost --open
row 'minlink' 0.886 0.968 0.475 placed '<=0.886' '<=0.968' --method minlink
row 'minlink, 1 order' 0.886 0.968 0.475 placed '' '<=0.968' --method minlink --orders 1
row 'bisect' '' '' '' placed '<=0.726' '' --method bisect
row 'bisect, annealed, weight 40, open' '' '' '' placed '<=0.726' '<=0.968' --method bisect --anneal 50 --weight 40 --open
[ $scotch = no ] || row 'Scotch' '' '' '' placed '' '' --method scotch

# stencil DIMS PATTERN OPTION…: never worse than ranks in order
time=no
stencil() {
	dims=$1 matrix=$2
	rm -f report.csv
	row "$2 on $1, in order" '' '' '' xyz '' '' --method keep
	order=$(field report.csv xyz cost)
	for method in mincost bisect; do
		case $dims in *10*) [ $method = mincost ] && continue;; esac
		row "   $method, annealed" '' '' '' placed '' '' --method $method --anneal 20
		[ -s report.csv ] && awk -v a="$(field report.csv placed cost)" -v b="$order" 'BEGIN { exit !(a <= b) }' ||
			{ echo "worse than in order"; status=5; }
	done
	[ $scotch = no ] || row '   Scotch' '' '' '' placed '' '' --method scotch
}
table 'Stencils of 1 MB a neighbour' ''
stencil 16x16x16 stencil:64x64:1000000
stencil 64x64 stencil:64x64:1000000
stencil 16x16x16 stencil:16x16x16:1000000
stencil 10x10x10 stencil:30x33:1000000
exit $status
