#!/bin/sh
# Counts what `psim -j 2` gains on two idle cores, in host instructions (callgrind), which do not depend on the machine's
# mood: those of one process by those of the critical path. That is the longer of two chains, and behind it the stand-ins:
#
#     head, first copy       the head of the trace, then the copy that goes on from there
#     head, warming, second copy    the first process up to the begin of the second copy, then that copy
#
# The whole first process counts for the second chain, although it reads the rest of the trace beside the copies. Fails
# below the gain that is required; the aim is 1.7.
#
#     jobs-speed.sh PSIM PSIM-RECORD END_SOFTLY.so
here=$(cd "$(dirname "$0")" && pwd)
psim=$(realpath "$1")
record=$(realpath "$2")
softly=$(realpath "$3")
. "$(dirname "$0")/../need.sh"
need sparc64-linux-gnu-gcc valgrind
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# counts FOLDER PSIM-OPTIONS...: host instructions of each process, to FOLDER/out.PID
counts() {
	folder=$1
	shift
	mkdir "$folder"
	LD_PRELOAD=$softly valgrind --tool=callgrind --callgrind-out-file="$folder/out.%p" \
		--zero-before=segment_copy_run --zero-before=run_stand_in \
		"$psim" -q -c "$here/../../configs/sparc64v.ini" -f csv -o "$folder.csv" "$@" 2>/dev/null &
	first=$!
	wait $first
}

total() { # FILE...: their sum
	sed -n 's/^summary: *//p' "$@" /dev/null | awk '{ s += $1 } END { printf "%.0f\n", s }'
}

for kernel in quicksort fft_radix4 dgemm_packed; do
	sparc64-linux-gnu-gcc -O2 -static -o $kernel "$here/../../traces/kernels/$kernel.c" -lm || exit 1
done
while IFS='|' read -r name program arguments mode least; do
	# shellcheck disable=SC2086
	"$record" -q -o trace.gz -- ./$program $arguments >/dev/null || exit 1
	rm -rf one two
	# shellcheck disable=SC2086
	counts one $mode trace.gz
	# shellcheck disable=SC2086
	counts two -j 2 $mode trace.gz
	grep -v ,command, one.csv >a
	grep -v ,command, two.csv | cmp -s - a || { echo "$name: other results"; failed=1; }
	stand_ins=$(grep -l run_stand_in two/out.*)
	copies=$(grep -L run_stand_in two/out.* | grep -v "out.$first\$")
	# shellcheck disable=SC2086
	second=$(grep -l core_segment_enter $copies)
	# shellcheck disable=SC2086
	copies=$(grep -L core_segment_enter $copies)
	# shellcheck disable=SC2086
	awk -v name="$name" -v one="$(total one/out.*)" -v p="$(total two/out.$first)" -v c="$(total $copies)" \
		-v d="$(total "$second")" -v s="$(total $stand_ins)" -v least="$least" 'BEGIN {
		head = one / 129
		longest = (head + c > p + d ? head + c : p + d) + s
		gain = one / longest
		bad = gain < least
		printf "%-24s %6.0f M host instructions alone; first process %5.0f M, copies %5.0f and %5.0f M, stand-ins %4.0f M: ", \
			name, one / 1e6, p / 1e6, c / 1e6, d / 1e6, s / 1e6
		printf "%.2f on the critical path (at least %.2f, aim 1.70%s), %.2f if both cores were always busy: %s\n", \
			gain, least, gain < 1.7 ? ", missed" : "", 2 * one / (p + c + d + s), bad ? "MISSED" : "ok"
		exit bad }' || failed=1
done <<END
quicksort, detailed|quicksort|40000|--no-memo|1.4
fft, detailed|fft_radix4|10 5|--no-memo|1
dgemm_packed, detailed|dgemm_packed|96|--no-memo|1
quicksort, replay|quicksort|40000||0.8
fft, replay|fft_radix4|10 5||0.8
END
exit $failed
