#!/bin/sh
# Speed of the wormhole simulators: host instructions for each flit-hop within the kernel (callgrind; of two lengths the
# difference), of the general kernel and of one written by hand for the same network (torus-kernel.c), which has to give the
# same report; flit-hops for a CPU second; what clocks cost in which nothing happens. Fails where generality costs 40 % (the
# INSPIRE paper's simulators lost that) or a network of 64 runs below 1 million flit-hops a second.
#
#     wormhole-speed.sh INSPIRE NDL-FOLDER
here=$(cd "$(dirname "$0")" && pwd)
inspire=$(realpath "$1")
ndl=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
"$inspire" "$ndl/torus.ndl" -o general && "$inspire" "$ndl/torus.ndl" -o by-hand "--flag=$here/torus-kernel.c" &&
	"$inspire" "$ndl/hypercube.ndl" -o cube || exit 1

field() { awk -F, -v name="$2" '$1 == "result" && $2 == name { print $4 }' "$1"; }

for program in general by-hand; do
	"./$program" -q -f csv --channels --load 0.1,0.3 8 8 1 | sed /command/d >$program.csv
done
cmp general.csv by-hand.csv || failed=1

# instructions PROGRAM LOAD: "instructions flit-hops" within kernel_step, of 1000 clocks
instructions() {
	for clocks in 500 1500; do
		valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=kernel_step "./$1" -q -f csv -o r.csv \
			--load "$2" -p run.warmup=0 -p run.clocks=$clocks -p run.drain=0 8 8 1 2>&1 |
			sed -n 's/.*Collected : *//p'
		field r.csv flit_hops
	done | tr '\n' ' ' | awk '{ print $3 - $1, $4 - $2 }'
}
if command -v valgrind >/dev/null; then
	for load in 0.1 0.3; do
		echo "$(instructions general $load) $(instructions by-hand $load)" | awk -v at=$load '{
			printf "8x8 torus, load %s: %.0f host instructions a flit-hop, by hand %.0f: %.2f times\n",
				at, $1 / $2, $3 / $4, $1 / $2 / ($3 / $4)
			exit $1 / $2 / ($3 / $4) > 1.4 }' || failed=1
	done
fi

# speed NAME PROGRAM FLOOR OPTIONS: million flit-hops and clocks for a CPU second
speed() {
	name=$1 program=$2 floor=$3
	shift 3
	(
		"./$program" -q -f csv -o r.csv -p run.warmup=0 -p run.drain=0 "$@"
		times >times.txt
	)
	awk 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/); print 60 * (u[1] + s[1]) + u[2] + s[2] }' times.txt |
		awk -v name="$name" -v hops="$(field r.csv flit_hops)" -v clocks="$(field r.csv clocks)" -v floor="$floor" '{
			printf "%s: %.1f M flit-hops, %.0f clocks a second\n", name, hops / $1 / 1e6, clocks / $1
			exit hops / $1 / 1e6 < floor }' || failed=1
}
speed '8x8 torus, 1-flit buffers, load 0.2' general 1 --load 0.2 -p run.clocks=40000 8 8 1
speed '10-D hypercube, load 0.3' cube 0.5 --load 0.3 -p run.clocks=2000 10
speed '8x8 torus, a message in 200 000 clocks a PU' general 0 --load 0.00005 -p run.clocks=20000000 8 8 1
exit $failed
