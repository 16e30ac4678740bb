#!/bin/sh
# Sensitivity: each parameter moved from its default shows its effect.
#
#   sensitivity.sh PSIM PSIM-RECORD [PARAMETER...]    all rows of sensitivity.table, or those named
#
# Prints the metric at both values; status 5 if it does not move in the direction that
# it must, or if a parameter has no row; 77 if the cross compiler is not there.
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
. "$here/micro_lib.sh"

# trace_of WORKLOAD: the path of its trace, made at first use
trace_of() {
	case $1 in
	micro:*)
		name=${1#micro:}
		if [ ! -f "$work/$name.trace.gz" ]; then
			grep "^$name |" "$here/micro.table" | {
				IFS='|' read -r _ kind setup body _ _
				build "$(trim "$kind")" "$(trim "$setup")" "$(trim "$body")" </dev/null
			}
			mv "$work/x.trace.gz" "$work/$name.trace.gz"
		fi
		echo "$work/$name.trace.gz"
		;;
	*) echo "$here/../../traces/samples/$1.trace.gz" ;;
	esac
}

# metric GROUP.NAME TRACE OVERRIDE CONTEXT: its value
metric() {
	set -- "${1%.*}" "${1##*.}" "$2" "$3" "$4"
	options=
	for o in $5; do
		options="$options -p $o"
	done
	"$psim" -q -f csv --no-profile $options -p "$4" -o "$work/out.csv" "$3"
	awk -F, -v g="$1" -v n="$2" '$1 == g && $2 == n && $3 == "" { print $4; exit }' "$work/out.csv"
}

compare() {
	awk -v a="$1" -v b="$2" -v d="$3" 'BEGIN {
		ok = d == "up" ? b > a : d == "down" ? b < a : b == a
		print a != "" && b != "" && ok ? "as it must" : "NOT SO"
	}'
}

wanted=" $* "
printf '%-24s %14s %14s  %-20s %-26s %14s %14s\n' parameter from to workload metric before after
grep -v '^#' "$here/sensitivity.table" | while IFS='|' read -r parameter from to workload what direction context; do
	parameter=$(trim "$parameter") from=$(trim "$from") to=$(trim "$to") workload=$(trim "$workload")
	what=$(trim "$what") direction=$(trim "$direction") context=$(trim "$context")
	case "$wanted" in "  " | *" $parameter "*) ;; *) continue ;; esac
	# Straight code that runs once would show little but instruction misses.
	case $workload in micro:*) context="l1i.perfect=yes tlb.perfect=yes $context" ;; esac
	trace=$(trace_of "$workload")
	a=$(metric "$what" "$trace" "$parameter=$from" "$context")
	b=$(metric "$what" "$trace" "$parameter=$to" "$context")
	printf '%-24s %14s %14s  %-20s %-26s %14s %14s  %-4s %s\n' "$parameter" "$from" "$to" "$workload" "$what" \
		"$a" "$b" "$direction" "$(compare "$a" "$b" "$direction")" | tee -a "$work/result"
done
# Every parameter has a row.
"$psim" --dump-config | awk '/^\[/ { s = substr($0, 2, length($0) - 2) } s != "" && /^[a-z]/ { print s "." $1 }' >"$work/all"
missing=$(while read -r p; do grep -q "^$p |" "$here/sensitivity.table" || printf ' %s' "$p"; done <"$work/all")
[ -z "$missing" ] || echo "NOT SO: no row for$missing" | tee -a "$work/result"
good=$(grep -c 'as it must' "$work/result" || true)
bad=$(grep -c 'NOT SO' "$work/result" || true)
echo "sensitivity: $good as they must, $bad not"
[ "$bad" -eq 0 ] || exit 5
