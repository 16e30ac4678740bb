#!/bin/sh
# The INSPIRE paper's figures beside ours: mean distances of four networks of 1024 PUs, saturation
# throughput, what virtual channels gain. 10-byte messages, 1 byte a clock, 2000 clocks, uniform.
#
#   inspire.sh INSPIRE NDL-FOLDER
#
# Status 5 if a distance differs by more than rounding, or the order of saturation is another.
set -eu
inspire=$(realpath "$1")
ndl=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

for name in hypercube torus hyper-crossbar; do
	"$inspire" "$ndl/$name.ndl" -o "$name"
done

# field REPORT NAME: a number of the report
field() { awk -F, -v name="$2" '$2 == name { print $4 }' "$1"; }

# network NAME PROGRAM OPERANDS…: distance and saturation (what is accepted of a load of 0.65)
network() {
	name=$1 program=$2
	shift 2
	"./$program" -q -f csv --check-only "$@" >check.csv
	"./$program" -q -f csv --load 0.65 -p run.drain=0 $options "$@" >run.csv
	awk -F, '$2 == "accepted" { print $4 }' run.csv >"$name.sat"
	field check.csv mean_links >"$name.dist"
}
options=
network hc hypercube 10
network tr2 torus 32 32 1
network tr3 torus 8 8 16
network hxb hyper-crossbar 8 8 16 1
network tr2v torus 32 32 1 16
network hxbv hyper-crossbar 8 8 16 2
options='-p wormhole.phys_free=idle_link'
network hxbi hyper-crossbar 8 8 16 2

awk '
	function get(name,  v) { getline v < name; return v + 0 }
	function row(text, name, paper) {
		d = get(name ".dist"); s[name] = get(name ".sat")
		ok = paper == "" || (d > paper - 0.02 && d < paper + 0.02)
		if (!ok) bad = 1
		printf "%-34s %8.3f  %6s %9.3f%s\n", text, d, paper, s[name], ok ? "" : "  DIFFERENT"
	}
	function gain(text, new, old, paper) {
		printf "%-58s %+6.0f %%   paper +%d %%\n", text, 100 * (s[new] / s[old] - 1), paper
	}
	BEGIN {
		print "network of 1024 PUs                distance   paper  saturation"
		print "                                      links           bytes/clock/PU"
		row("10-D hypercube", "hc", 7)
		row("8x8x16 hyper-crossbar", "hxb", 7.38)
		row("8x8x16 torus, 2 VCs", "tr3", 10)
		row("32x32 torus, 2 VCs", "tr2", 18)
		row("32x32 torus, 16 VCs (one a step)", "tr2v", "")
		row("8x8x16 hyper-crossbar, 2 VCs", "hxbv", "")
		row("  the same, only an idle link free", "hxbi", "")
		print ""
		gain("32x32 torus: 16 virtual channels for 2", "tr2v", "tr2", 113)
		gain("hyper-crossbar: 2 virtual channels for 1", "hxbv", "hxb", 40)
		gain("  the same, only an idle link free", "hxbi", "hxb", 40)
		order = s["hc"] > s["hxb"] && s["hxb"] > s["tr3"] && s["tr3"] > s["tr2"]
		above = s["hxbv"] > s["hc"]
		print ""
		printf "hypercube > hyper-crossbar > 3-D torus > 2-D torus: %s (paper: yes)\n", order ? "yes" : "NO"
		printf "hyper-crossbar with 2 VCs above the hypercube: %s (paper: yes)\n", above ? "yes" : "NO"
		exit bad || !order || !above ? 5 : 0
	}'
