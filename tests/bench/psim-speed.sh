#!/bin/sh
# How fast psim simulates in detail, with --no-memo (memo-speed.sh has replay too): million instructions for a CPU second
# of this machine, and host instructions for each simulated one and for each cycle of a core, which do not depend on the machine's mood
# (callgrind; of two sizes the difference, so that start and cold tables cost nothing).
# Every counter, the profile and energy are on. Fails below the required rates: 10
# million where the pipes are busy, 5 million on code that mispredicts or misses; and above the aims, which are
# 400 host instructions on dgemm, 550 on quicksort, 900 on chase.
#
#     psim-speed.sh PSIM PSIM-RECORD
#
# With COUNT_ONLY=yes nothing but host instructions is measured.
here=$(cd "$(dirname "$0")" && pwd)
psim=$(realpath "$1")
record=$(realpath "$2")
cc=sparc64-linux-gnu-gcc
. "$(dirname "$0")/../need.sh"
need $cc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# trace FILE PROGRAM REGION ARGUMENTS...
trace() {
	file=$1 program=$2 region=$3
	shift 3
	"$record" -q --warm-up 0 --region "$region" -o "$file" -- "./$program" "$@" >/dev/null || exit 1
}

simulate() { # FILE: "instructions core-cycles mispredicts", of a chip those of all cores
	"$psim" --no-memo -q -c "$config" -f csv "$1" | awk -F, '
		($1 == "core" || $1 == "cores") && ($2 == "instructions" || $2 == "cycles") { v[$2] += $4 }
		$2 == "mispredicts" { v[$2] += $4 }
		END { print v["instructions"], v["cycles"], v["mispredicts"] }'
}

seconds() { # FILE: least CPU time of three runs, in milliseconds
	for _ in 1 2 3; do
		(
			"$psim" --no-memo -q -c "$config" -o report.txt "$1"
			times >times.txt # not in a pipeline: that would be another shell's
			awk 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/)
				printf "%d\n", 1000 * (60 * (u[1] + s[1]) + u[2] + s[2]) }' times.txt
		)
	done | sort -n | head -1
}

host() { # FILE: host instructions
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$psim" --no-memo -q -c "$config" -o report.txt "$1" 2>&1 |
		sed -n 's/.*Collected : *//p'
}

# name|program|configuration|region|arguments|small, and larger ones for counting|million a second|host instructions or -
while IFS='|' read -r name program config region large one two floor limit; do
	source=$here/../../traces/kernels/$program.c
	config=$here/../../configs/$config.ini
	program=$(basename "$program")
	$cc -std=gnu17 -O3 -mcpu=ultrasparc3 -mfmaf -Wa,-Av9d -static "$source" -lm -o "$program" || exit 1
	[ "${COUNT_ONLY:-no}" = no ] || large=$one floor=0
	# shellcheck disable=SC2086
	trace large.trace.gz "$program" "$region" $large
	set -- $(simulate large.trace.gz)
	insns=$1 cycles=$2 mispredicts=$3
	ms=0
	[ "${COUNT_ONLY:-no}" != no ] || ms=$(seconds large.trace.gz)
	per='not counted: no valgrind' cycle='not counted' high=0
	if command -v valgrind >/dev/null; then
		# shellcheck disable=SC2086
		trace one.trace.gz "$program" "$region" $one
		# shellcheck disable=SC2086
		trace two.trace.gz "$program" "$region" $two
		set -- $(simulate one.trace.gz) $(simulate two.trace.gz)
		more=$(($(host two.trace.gz) - $(host one.trace.gz)))
		per=$((more / ($4 - $1))) cycle=$((more / ($5 - $2)))
		[ "$limit" = - ] || [ "$per" -le "$limit" ] || high=1
	fi
	awk -v name="$name" -v insns="$insns" -v cycles="$cycles" -v miss="$mispredicts" -v ms="$ms" \
		-v per="$per" -v cycle="$cycle" -v floor="$floor" -v limit="$limit" -v high=$high 'BEGIN {
		rate = ms ? insns / ms / 1000 : 0
		bad = high || rate < floor
		printf "%-20s %6.1f M insn, IPC %.2f, %4.1f mispredicts in 1000: ", \
			name, insns / 1e6, insns / cycles, 1000 * miss / insns
		if (ms)
			printf "%5.1f M insn/s (at least %d), ", rate, floor
		printf "host instructions: %s each%s, %s a core-cycle: %s\n", \
			per, limit == "-" ? "" : " (at most " limit ")", cycle, bad ? "MISSED" : "ok"
		exit bad
	}' || failed=1
done <<END
dgemm|dgemm|sparc64v|dgemm|192|48|60|10|400
dgemm_packed|dgemm_packed|sparc64v|dgemm|192|48|60|10|-
fft|fft_radix4|sparc64v|fft|10 64|10 4|10 8|10|-
sorting|quicksort|sparc64v|sort|200000|5000|10000|5|550
compression|compress|sparc64v|compress|1024|32|64|5|-
SIMD dgemm|simd/dgemm|simd16|dgemm|512|128|192|3|-
SIMD update, 8 cores|simd/dgemm_update_plain|petascale-chip-prefetched|dgemm|256 256 128|128 64 64|256 64 64|3|-
chase through memory|chase|sparc64v|chase|16384 1000000|16384 50000|16384 100000|5|900
END
exit $failed
