#!/bin/bash
# Compares the instructions that psim-record executes with those of qemu-sparc64,
# from main on: every pc, in order.
#
#   stream_compare.sh PSIM-RECORD [PROGRAM...]
#
# Without programs: those of tests/guest and traces/kernels at each of $LEVELS (at
# first "O0 O2 O3").
# Both run with an empty environment, the same path of the program, an empty stdin, and an hour at most.
# Prints a line for each program that differs and `N programs, N equal`; status 1
# if any differs, 77 without the compilers or qemu.
#
# Left out: what depends on the clock or on random names (clock, files), what the recorder keeps from a
# guest (doors, fence), what meets
# traps that qemu 7.2 does not raise (traps), and what is interrupted by signals: the
# plugin also lists an instruction that traps and so is not executed (signals), and
# what takes turns (threads).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
record=$(realpath "$1")
shift
. "$(dirname "$0")/../need.sh"
need sparc64-linux-gnu-gcc sparc64-linux-gnu-gfortran qemu-sparc64 gcc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/one" "$work/other" # what programs write must not meet
gcc -shared -fPIC -O2 "$here/insn_stream_plugin.c" -o "$work/plugin.so"
count=0 equal=0

compare() { # PROGRAM, LEVEL
	name=$(basename "$1")
	main=$(sparc64-linux-gnu-nm "$1" | awk '$3 == "main" { print $1 }')
	cp "$1" "$work/one/"
	cp "$1" "$work/other/"
	mkfifo "$work/qemu" "$work/psim"
	(cd "$work/one" && timeout 3600 env -i "$(command -v qemu-sparc64)" \
		-plugin "$work/plugin.so,start=0x$main,out=$work/qemu" \
		"$work/one/$name" </dev/null >/dev/null 2>&1 || true) &
	(cd "$work/other" && timeout 3600 env -i "$record" --no-trace -q --from "0x$main" \
		--log-insns "$work/psim" --name "$work/one/$name" -- "./$name" </dev/null >/dev/null 2>&1 || true) &
	count=$((count + 1))
	if cmp "$work/qemu" "$work/psim" >"$work/said" 2>&1; then
		equal=$((equal + 1))
	else
		echo "$name ${2:-}: $(cat "$work/said")"
	fi
	wait
	rm "$work/qemu" "$work/psim" "$work/one/$name" "$work/other/$name"
}

if [ $# -gt 0 ]; then
	for program; do
		compare "$program"
	done
else
	cd "$work"
	for level in ${LEVELS:-O0 O2 O3}; do
		for source in "$root"/tests/guest/*.c "$root"/traces/kernels/*.c; do
			name=$(basename "$source" .c)
			# what the host decides, what qemu does not know, no program
			case $name in clock | doors | fence | files | signals | threads | traps | simd_* | psim_*) continue ;; esac
			sparc64-linux-gnu-gcc -std=c17 -D_DEFAULT_SOURCE -frounding-math -w -$level \
				-mcpu=ultrasparc3 -static "$source" -lm -o "$name"
			compare "$name" -$level
		done
		for source in "$root"/tests/guest/*.f90; do
			name=$(basename "$source" .f90)
			sparc64-linux-gnu-gfortran -w -$level -mcpu=ultrasparc3 -static \
				"$root"/traces/kernels/psim_region.{f90,c} "$source" -o "$name"
			compare "$name" -$level
		done
	done
fi
echo "$count programs, $equal equal"
[ $count = $equal ]
