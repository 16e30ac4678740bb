#!/bin/bash
# How fast psim-record runs and records: million guest instructions for each second
# of processor time here, and host instructions for each guest instruction, which do not
# depend on the machine's mood (callgrind; 2 N less N, so that start-up costs nothing).
# Fails below the million a second recording in the table's last column (20 is the
# requirement; chase waits for the host's memory at every step), or above the other limits.
#
#     record-speed.sh PSIM-RECORD
here=$(cd "$(dirname "$0")" && pwd)
record=$(realpath "$1")
cc=sparc64-linux-gnu-gcc
. "$(dirname "$0")/../need.sh"
need $cc valgrind
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

rate() { # OPTIONS -- PROGRAM ARGUMENTS: best of three, in tenths of a million a second
	for _ in 1 2 3; do
		{ TIMEFORMAT='%3U %3S'; time "$record" -v "$@" >/dev/null 2>said; } 2>taken
		insns=$(sed -n 's/^psim-record: \([0-9]*\) instructions run.*/\1/p' said)
		awk -v n="$insns" '{ printf "%d\n", n / ($1 + $2) / 1e5 }' taken
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

while read -r program big small large limit_run limit_record floor; do
	$cc -std=gnu17 -O3 -mcpu=ultrasparc3 -mfmaf -Wa,-Av9d -static \
		"$here/../../traces/kernels/$program.c" -o $program || exit 1
	run=$(rate --no-trace -- ./$program ${big/./ })
	rec=$(rate -o x.trace.gz -- ./$program ${big/./ })
	printf '%-10s running   %6.1f M insn/s, ' $program "$(echo "$run" | sed 's/.$/.&/')"
	per "$limit_run" $program $small $large --no-trace
	printf '\n%-10s recording %6.1f M insn/s, ' $program "$(echo "$rec" | sed 's/.$/.&/')"
	per "$limit_record" $program $small $large -o x.trace.gz
	echo
	[ "$rec" -ge $((10 * floor)) ] || {
		echo "$program: recording below $floor million a second"
		failed=1
	}
done <<END
dgemm 256 48 72 80 100 20
quicksort 1000000 20000 40000 80 150 20
chase 8192.3000000 1024 2048 80 150 10
END
exit $failed
