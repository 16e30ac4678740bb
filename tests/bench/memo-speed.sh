#!/bin/sh
# psim --no-memo beside psim, on whole regions, first cycles included: reports must be equal but for the command; CPU time, and
# host instructions (callgrind) for each simulated one, which do not depend on how busy the machine is. A row a kernel.
# Fails where a report differs, or where replay needs more host instructions than the row allows, in percent of --no-memo's.
# The last column is the aim for replay, and whether it is met.
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

printf '%-14s %6s %17s %22s %8s %6s\n' kernel Minsn 'CPU ms  replay' 'host/insn  replay' '%' aim
# kernel|source|region|arguments|percent allowed|cores, which all run it|configuration; simd/: on an array|aim
while IFS='|' read -r kernel source region arguments allowed cores config aim; do
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
	met=met
	[ $((memo / instructions)) -le "$aim" ] || met=missed
	printf '%-14s %6s %9s %7s %12s %9s %8s %6s %s; %s\n' "$kernel" $((instructions / 1000000)) "$detailed_ms" "$memo_ms" \
		$((detailed / instructions)) $((memo / instructions)) $((memo / (detailed / 100))) "$aim" "$met" "$verdict"
done <<END
dgemm|dgemm|dgemm|192|40|1|sparc64v|100
dgemm-packed|dgemm_packed|dgemm|192|40|1|sparc64v|100
zgemm|zgemm|zgemm|96|50|1|sparc64v|100
fft|fft_radix4|fft|10 64|50|1|sparc64v|100
triad|triad|triad|100000|50|1|sparc64v|100
chase|chase|chase|16384 1000000|70|1|sparc64v|400
sorting|quicksort|sort|100000|90|1|sparc64v|281
compression|compress|compress|512|95|1|sparc64v|259
spmv|spmv|spmv|20000|105|1|sparc64v|595
pointersort|pointersort|sort|50000|70|1|sparc64v|698
hashjoin|hashjoin|join|100000|75|1|sparc64v|899
bfs|bfs|search|50000|105|1|sparc64v|699
dgemm-8|dgemm|dgemm|96|40|8|sparc64v|300
zgemm-8|zgemm|zgemm|64|50|8|sparc64v|300
fft-8|fft_radix4|fft|10 16|50|8|sparc64v|300
simd-dgemm|simd/dgemm|dgemm|384|25|1|simd16|200
simd-zgemm|simd/zgemm|zgemm|192|40|1|simd16|200
simd-fft|simd/fft|fft|10 512|60|1|simd16|200
simd-triad|simd/triad|triad|1000000|50|1|simd16|200
simd-dgemm-8|simd/dgemm|dgemm|256|60|8|petascale-chip|300
END
exit $failed
