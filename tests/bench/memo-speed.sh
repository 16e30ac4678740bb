#!/bin/sh
# psim --no-memo beside psim, on whole regions, first cycles included: reports must be equal but for the command; CPU time, and
# host instructions (callgrind) for each simulated one, which do not depend on how busy the machine is. A row a kernel.
# Fails where a report differs, or where replay needs more host instructions than the row allows, in percent of --no-memo's.
#
#     memo-speed.sh PSIM PSIM-RECORD [KERNEL...]
here=$(cd "$(dirname "$0")" && pwd)
psim=$(realpath "$1")
record=$(realpath "$2")
shift 2
wanted=" $* "
configs=$here/../../configs
cc=sparc64-linux-gnu-gcc
. "$(dirname "$0")/../need.sh"
need $cc valgrind
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

milliseconds() { # OPTION...: CPU time of one run, whose report is out.csv
	(
		"$psim" -q -c "$configs/$config.ini" -p chip.cores="$cores" -f csv -o out.csv "$@" kernel.trace.gz
		times >times.txt # not in a pipeline: that would be another shell's
		awk 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/)
			printf "%d\n", 1000 * (60 * (u[1] + s[1]) + u[2] + s[2]) }' times.txt
	)
}

host() { # OPTION...: host instructions
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$psim" -q -c "$configs/$config.ini" -p chip.cores="$cores" -o ignored.txt "$@" kernel.trace.gz 2>&1 |
		sed -n 's/.*Collected : *//p'
}

printf '%-14s %6s %17s %22s %8s\n' kernel Minsn 'CPU ms  replay' 'host/insn  replay' '%'
# kernel|source|region|arguments|percent allowed|cores, which all run it|configuration; simd/: on an array
while IFS='|' read -r kernel source region arguments allowed cores config; do
	case $wanted in *" $kernel "* | '  ') ;; *) continue ;; esac
	$cc -std=gnu17 -O3 -mcpu=ultrasparc3 -mfmaf -Wa,-Av9d -static "$here/../../traces/kernels/$source.c" -lm -o program || exit 1
	array=
	case $source in simd/*) array='--pes 16 --sbm 64KiB' ;; esac
	# shellcheck disable=SC2086
	"$record" -q $array --warm-up 0 --region "$region" -o kernel.trace.gz -- ./program $arguments >/dev/null || exit 1
	detailed_ms=$(milliseconds --no-memo) && grep -v '^run,command' out.csv >detailed.csv
	memo_ms=$(milliseconds) && grep -v '^run,command' out.csv >memo.csv
	instructions=$(awk -F, '$2 == "instructions" && ($1 == "chip" || $1 == "core") { print $4; exit }' detailed.csv)
	detailed=$(host --no-memo) memo=$(host) verdict=ok
	cmp -s detailed.csv memo.csv || verdict='reports DIFFER'
	[ $((memo / (detailed / 100))) -le "$allowed" ] || verdict="MISSED: at most $allowed"
	[ "$verdict" = ok ] || failed=1
	printf '%-14s %6s %9s %7s %12s %9s %8s %s\n' "$kernel" $((instructions / 1000000)) "$detailed_ms" "$memo_ms" \
		$((detailed / instructions)) $((memo / instructions)) $((memo / (detailed / 100))) "$verdict"
done <<END
dgemm|dgemm|dgemm|192|40|1|sparc64v
dgemm-packed|dgemm_packed|dgemm|192|40|1|sparc64v
zgemm|zgemm|zgemm|96|50|1|sparc64v
fft|fft_radix4|fft|10 64|50|1|sparc64v
triad|triad|triad|100000|50|1|sparc64v
chase|chase|chase|16384 1000000|70|1|sparc64v
sorting|quicksort|sort|100000|90|1|sparc64v
compression|compress|compress|512|95|1|sparc64v
spmv|spmv|spmv|20000|105|1|sparc64v
pointersort|pointersort|sort|50000|70|1|sparc64v
hashjoin|hashjoin|join|100000|105|1|sparc64v
bfs|bfs|search|50000|105|1|sparc64v
dgemm-8|dgemm|dgemm|96|40|8|sparc64v
zgemm-8|zgemm|zgemm|64|50|8|sparc64v
fft-8|fft_radix4|fft|10 16|50|8|sparc64v
simd-dgemm|simd/dgemm|dgemm|384|25|1|simd16
simd-zgemm|simd/zgemm|zgemm|192|40|1|simd16
simd-fft|simd/fft|fft|10 512|60|1|simd16
simd-triad|simd/triad|triad|1000000|50|1|simd16
simd-dgemm-8|simd/dgemm|dgemm|256|60|8|petascale-chip
END
exit $failed
