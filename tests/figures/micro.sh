#!/bin/sh
# Micro-benchmarks: cycles measured against cycles derived from the parameters.
#
#   micro.sh PSIM PSIM-RECORD [NAME...]    all rows of micro.table, or those named
#
# Each row becomes an assembly program with three regions: warm-up, 1000 and 2000
# repetitions; the difference of the last two is free of start and end. Prints a line
# for each row and set of parameters; status 5 if a measured figure differs from the
# derived one by more than 0.2 %, 77 if the cross compiler is not there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
psim=$(realpath "$1")
record=$(realpath "$2")
shift 2
cc=sparc64-linux-gnu-gcc
. "$(dirname "$0")/../need.sh"
need $cc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
machine= # what a row's program needs
perfect='-p l1i.perfect=yes -p l1d.perfect=yes -p tlb.perfect=yes -p memory.latency=120cycles -p memory.bandwidth=4B/cycle'

. "$here/micro_lib.sh"

# run OVERRIDES: difference of the regions, and the configuration as shell variables in $work/vars
run() {
	options="$perfect $machine"
	for o in $1; do
		options="$options -p $o"
	done
	"$psim" -q --check -f csv --no-profile $options -o "$work/out.csv" "$work/x.trace.gz"
	awk -F, '
		$1 ~ /^config\./ && $4 ~ /^(yes|no|[0-9]+|[0-9]+ cycles|[0-9.]+ B\/cycle)$/ {
			sub(/config\./, "", $1)
			if ($4 ~ /B\/cycle/) # a line of 64 bytes
				print $1 "_interval=" int(64 / $4 + 0.5)
			else
				print $1 "_" $2 "=" ($4 == "yes" ? 1 : $4 == "no" ? 0 : $4 + 0)
		}
		$1 == "regions" && $2 == "name" { name[$3] = $4 }
		$1 == "regions" && $2 == "cycles" { cycles[name[$3]] = $4 }
		END { print "measured=" cycles["long"] - cycles["short"] }' "$work/out.csv" >"$work/vars"
}

# compare NAME OVERRIDES FORMULA BASE
compare() {
	run "$2"
	. "$work/vars"
	o=$core_operand_stages s=$core_commit_stages
	derived=$(($3))
	measured=$((measured - $4))
	verdict=equal
	off=$((measured - derived))
	[ $((off < 0 ? -off : off)) -le $(((derived < 0 ? -derived : derived) / 500 + 2)) ] || verdict=DIFFERENT
	printf '%-18s %-62s %9d %9d  %s\n' "$1" "${2:-defaults}" "$derived" "$measured" "$verdict" | tee -a "$work/result"
}

row() {
	machine=
	case $1 in simd-*) machine='-p simd.pes=16' ;; esac
	build "$2" "$3" "$4"
	base=0 sets=$6
	case $2 in
	delta)
		run ''
		. "$work/vars"
		base=$measured
		;;
	*)
		case $sets in
		=*) sets=${sets#=} ;;
		*) compare "$1" '' "$5" 0 ;;
		esac
		;;
	esac
	echo "$sets" | tr ';' '\n' >"$work/sets"
	while read -r set <&3; do
		compare "$1" "$set" "$5" "$base"
	done 3<"$work/sets"
}

wanted=" $* "
printf '%-18s %-62s %9s %9s\n' benchmark parameters derived measured
grep -v '^#' "$here/micro.table" | while IFS='|' read -r name kind setup body formula sets; do
	name=$(trim "$name")
	case "$wanted" in "  " | *" $name "*) ;; *) continue ;; esac
	row "$name" "$(trim "$kind")" "$(trim "$setup")" "$(trim "$body")" "$(trim "$formula")" "$(trim "$sets")" </dev/null
done
equal=$(grep -c ' equal$' "$work/result" || true)
different=$(grep -c DIFFERENT "$work/result" || true)
echo "micro-benchmarks: $equal equal, $different different"
[ "$different" -eq 0 ] || exit 5
