#!/bin/sh
# How fast psim-record runs and records: million guest instructions a second of
# this machine, and host instructions for each guest instruction, which do not
# depend on the machine's mood (callgrind; 2 N less N, so that start-up costs nothing).
# Fails below the asked 20 million a second recording, or above the limits in the table.
#
#     record-speed.sh PSIM-RECORD
here=$(cd "$(dirname "$0")" && pwd)
record=$(realpath "$1")
cc=sparc64-linux-gnu-gcc
for tool in $cc valgrind; do
	command -v $tool >/dev/null || { echo "$tool not found: nothing measured"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

rate() { # OPTIONS -- PROGRAM ARGUMENTS: best of three, in tenths of a million a second
	for _ in 1 2 3; do
		"$record" -v "$@" 2>&1 >/dev/null | sed -n 's/.* s, \([0-9]*\)\.\([0-9]\) million.*/\1\2/p'
	done | sort -n | tail -1
}

host() { # OPTIONS -- PROGRAM ARGUMENTS: "host guest" instructions
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$record" -v "$@" 2>&1 >/dev/null |
		sed -n -e 's/^psim-record: \([0-9]*\) instructions run.*/guest=\1/p' \
			-e 's/.*Collected : *\([0-9]*\)/host=\1/p' | tr '\n' ' '
}

# per LIMIT PROGRAM SMALL LARGE OPTIONS...: host instructions per guest one, in hundredths
per() {
	limit=$1 program=$2 small=$3 large=$4
	shift 4
	eval "$(host "$@" -- ./$program $small)"
	host1=$host guest1=$guest
	eval "$(host "$@" -- ./$program $large)"
	hundredths=$(((host - host1) * 100 / (guest - guest1)))
	verdict=ok
	[ $hundredths -le $((limit * 100)) ] || { verdict="above the limit"; failed=1; }
	printf '%d.%02d host instructions (limit %d): %s' $((hundredths / 100)) \
		$((hundredths % 100)) "$limit" "$verdict"
}

while read -r program big small large limit_run limit_record; do
	$cc -std=gnu17 -O3 -mcpu=ultrasparc3 -mfmaf -Wa,-Av9d -static \
		"$here/../../traces/kernels/$program.c" -o $program || exit 1
	run=$(rate --no-trace -- ./$program $big)
	rec=$(rate -o x.trace.gz -- ./$program $big)
	printf '%-10s running   %6.1f M insn/s, ' $program "$(echo "$run" | sed 's/.$/.&/')"
	per "$limit_run" $program $small $large --no-trace
	printf '\n%-10s recording %6.1f M insn/s, ' $program "$(echo "$rec" | sed 's/.$/.&/')"
	per "$limit_record" $program $small $large -o x.trace.gz
	echo
	[ "$rec" -ge 200 ] || { echo "$program: recording below 20 million a second"; failed=1; }
done <<END
dgemm 256 48 72 80 100
quicksort 1000000 20000 40000 80 150
chase 8192 1024 2048 80 150
END
exit $failed
