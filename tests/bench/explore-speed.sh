#!/bin/sh
# A study of 100 machines with psim-explore --no-memo, with replay, and by units (sample = auto). Results with replay must be equal;
# intervals of those by units must contain them, 95 of 100 at least. CPU seconds, paired in one run, and host instructions
# (callgrind) for a simulated one at some of its points, which do not depend on how busy the machine is. A row a kernel.
# Fails where replay, or units, take more than the share allowed, in percent of --no-memo.
#
#     explore-speed.sh PSIM-EXPLORE PSIM PSIM-RECORD [KERNEL...]
# COUNT_POINTS=N in the environment: counts every N-th of the 100 points (default 50; 0: none).
here=$(cd "$(dirname "$0")" && pwd)
explore=$(realpath "$1")
psim=$(realpath "$2")
record=$(realpath "$3")
shift 3
wanted=" $* "
each=${COUNT_POINTS:-50}
cc=sparc64-linux-gnu-gcc
. "$(dirname "$0")/../need.sh"
need $cc valgrind
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

cat >whole.ini <<END
base = $here/../../configs/sparc64v.ini
[pair window]
core.rob_entries = 16, 32, 64, 96, 128
decode.gub_entries = 8, 16, 32, 48, 64
decode.fub_entries = 8, 16, 32, 48, 64
[pair width]
decode.width = 2, 4, 6, 8
core.commit_width = 2, 4, 6, 8
[sweep]
l2.latency = 8, 10, 12, 16, 20
[traces]
kernel = kernel.trace.gz
END
(echo 'sample = auto'; cat whole.ini) >units.ini

seconds() { # STUDY CSV OPTION...: CPU seconds of the study, its processes included
	(
		study=$1 csv=$2
		shift 2
		"$explore" -q -j 1 -o "$csv.sqlite" --csv "$csv" "$@" "$study" >report.txt
		times >times.txt
		awk 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/)
			printf "%.1f\n", 60 * (u[1] + s[1]) + u[2] + s[2] }' times.txt
	)
}

host() { # SETTINGS OPTION...: host instructions of one point
	# shellcheck disable=SC2086
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$psim" -q -c "$here/../../configs/sparc64v.ini" -f csv -o one.csv "$@" \
		kernel.trace.gz 2>&1 | sed -n 's/.*Collected : *//p'
}

printf '%-12s %6s %26s %26s %6s %6s  %s\n' kernel Minsn 'CPU s  replay  units' 'host/insn at points  replay' 'replay%' 'units%' ''
while IFS='|' read -r kernel source region arguments allowed units_allowed; do
	case $wanted in *" $kernel "* | '  ') ;; *) continue ;; esac
	$cc -std=gnu17 -O3 -mcpu=ultrasparc3 -mfmaf -Wa,-Av9d -static "$here/../../traces/kernels/$source.c" -lm -o program || exit 1
	# shellcheck disable=SC2086
	"$record" -q --warm-up 0 --region "$region" -o kernel.trace.gz -- ./program $arguments >/dev/null || exit 1
	rm -f ./*.sqlite
	detailed_s=$(seconds whole.ini detailed.csv --no-memo)
	memo_s=$(seconds whole.ini memo.csv)
	units_s=$(seconds units.ini units.csv)
	held=$(python3 "$here/../cli/sampled_study.py" points memo.csv units.csv)
	points=$("$explore" --list whole.ini | wc -l)
	detailed=0 memo=0 all=0
	if [ "$each" -gt 0 ]; then
		"$explore" --list whole.ini | awk -v each="$each" 'NR % each == 1' >points.txt
		while read -r _ _ _ settings; do
			set -- $(for s in $settings; do echo "-p $s"; done)
			detailed=$((detailed + $(host --no-memo "$@")))
			memo=$((memo + $(host "$@")))
			all=$((all + $(awk -F, '$1 == "core" && $2 == "instructions" { print $4; exit }' one.csv)))
		done <points.txt
	fi
	verdict=ok
	cmp -s detailed.csv memo.csv && [ "$points" = 100 ] || verdict='results DIFFER'
	percent=$(awk "BEGIN { printf \"%.0f\", 100 * $memo_s / $detailed_s }")
	units_percent=$(awk "BEGIN { printf \"%.0f\", 100 * $units_s / $detailed_s }")
	[ "$percent" -le "$allowed" ] || verdict="MISSED: replay at most $allowed"
	[ "$units_percent" -le "$units_allowed" ] || verdict="MISSED: units at most $units_allowed"
	echo "$held" | awk '{ exit !($1 >= 0.95 * $3) }' || verdict="MISSED: 95 % of intervals"
	[ "$verdict" = ok ] || failed=1
	printf '%-12s %6s %12s %7s %6s %16s %9s %6s %6s  %s: %s\n' "$kernel" "$(awk "BEGIN { printf \"%.1f\", ${all:-0} / 1e6 }")" "$detailed_s" \
		"$memo_s" "$units_s" $((all ? detailed / all : 0)) $((all ? memo / all : 0)) "$percent" "$units_percent" "$verdict" "$held"
done <<END
dgemm|dgemm|dgemm|128|40|40
fft|fft_radix4|fft|10 16|40|40
quicksort|quicksort|sort|20000|105|30
END
exit $failed
