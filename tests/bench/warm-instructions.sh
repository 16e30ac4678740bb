#!/bin/sh
# Host instructions of functional warming for each instruction of a trace, counted by callgrind, which does not depend
# on how busy the machine is: reading alone, and with caches, TLBs and branch prediction. Of two sizes of a kernel the
# difference, so that start and cold tables cost nothing. Fails if one is above its limit.
#
#     warm-instructions.sh WARM-SPEED PSIM-RECORD
here=$(cd "$(dirname "$0")" && pwd)
bench=$(realpath "$1")
record=$(realpath "$2")
cc=sparc64-linux-gnu-gcc
. "$here/../need.sh"
need $cc valgrind
config=$here/../../configs/sparc64v.ini
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# trace FILE PROGRAM REGION ARGUMENTS...
trace() {
	file=$1 program=$2 region=$3
	shift 3
	"$record" -q --warm-up 0 --region "$region" -o "$file" -- "./$program" "$@" >/dev/null || exit 1
}

host() { # FILE [read]: host instructions
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" "$config" "$@" 2>&1 >/dev/null |
		sed -n 's/.*Collected : *//p'
}

insns() { # FILE
	"$bench" "$config" "$1" read | cut -d' ' -f1
}

failed=0
# name|program|region|arguments of the small one|of the large one|limit
while IFS='|' read -r name program region one two limit; do
	$cc -std=gnu17 -O3 -mcpu=ultrasparc3 -mfmaf -Wa,-Av9d -static "$here/../../traces/kernels/$program.c" -lm \
		-o "$program" || exit 1
	# shellcheck disable=SC2086
	trace one.trace.gz "$program" "$region" $one
	# shellcheck disable=SC2086
	trace two.trace.gz "$program" "$region" $two
	more=$(($(insns two.trace.gz) - $(insns one.trace.gz)))
	read=$((($(host two.trace.gz read) - $(host one.trace.gz read)) * 10 / more))
	all=$((($(host two.trace.gz) - $(host one.trace.gz)) * 10 / more))
	verdict=ok
	[ $all -le $((limit * 10)) ] || { verdict="above the limit"; failed=1; }
	printf '%-14s host instructions: %3d.%d each, %d.%d of them to read the trace (limit %d): %s\n' \
		"$name" $((all / 10)) $((all % 10)) $((read / 10)) $((read % 10)) "$limit" "$verdict"
done <<END
dgemm|dgemm|dgemm|48|96|40
dgemm_packed|dgemm_packed|dgemm|48|96|42
zgemm|zgemm|zgemm|32|64|30
fft|fft_radix4|fft|10 8|10 24|44
stencil|stencil|stencil|34 34 18|34 34 34|54
triad|triad|triad|10000|40000|250
sorting|quicksort|sort|10000|50000|100
compression|compress|compress|32|96|110
spmv|spmv|spmv|2000|8000|100
chase|chase|chase|16384 50000|16384 150000|440
END
exit $failed
