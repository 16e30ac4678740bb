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
command -v $cc >/dev/null || {
	echo "skipped: $cc is not installed"
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
perfect='-p l1i.perfect=yes -p l1d.perfect=yes -p tlb.perfect=yes'

# repeat TIMES TEXT
repeat() {
	awk -v n="$1" -v t="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s%s", i ? "; " : "", t }'
}

loads32() {
	awk 'BEGIN { for (i = 0; i < 32; i++) printf "%sldx [%%g1+%d],%%g%d", i ? "; " : "", 32 * i, 2 + i % 2 }'
}

# The words in capitals that a body may use.
expand() {
	case $1 in
	*LOADS32*) loads32 ;;
	*NOPS71*) printf '%s%s' "${1%NOPS71}" "$(repeat 71 nop)" ;;
	SAVES8) printf '%s; %s' "$(repeat 8 'save %sp,-176,%sp')" "$(repeat 8 restore)" ;;
	STREAM) printf 'ldx [%%g1],%%g2; add %%g1,64,%%g1' ;;
	*) printf '%s' "$1" ;;
	esac
}

# ring LINES STRIDE: code that makes cells point to the next one, the last to the first
ring() {
	cat <<-END
		set ring,%g1
		set $(($1 - 2)),%g5
		set $2,%g4
	3:	add %g1,%g4,%g2
		stx %g2,[%g1]
		mov %g2,%g1
		brgz,pt %g5,3b
		 dec %g5
		set ring,%g2
		stx %g2,[%g1]
		mov %g2,%g1
	END
}

# walk LINES: follows the ring once, so that what fits into the caches is there
walk() {
	cat <<-END
		set $1,%g5
	4:	ldx [%g1],%g1
		brgz,pt %g5,4b
		 dec %g5
		set ring,%g1
	END
}

# counted KIND TIMES BODY: the body so often
counted() {
	if [ "$1" = loop ]; then
		printf '\tset %d,%%g5\n\tba,pt %%xcc,5f\n\tnop\n\t.align 32\n5:\t%s\n\tsubcc %%g5,1,%%g5\n\tbne,pt %%icc,5b\n\tnop\n' "$2" "$3"
	else
		printf '\t.rept %d\n\t%s\n\t.endr\n' "$2" "$3"
	fi
}

# region NAME KIND TIMES BODY: between marks (traces/kernels/psim_region.h)
region() {
	printf '\tset name_%s,%%o0\n\tsethi 0x2b5053,%%g0\n' "$1"
	counted "$2" "$3" "$4"
	printf '\tset name_%s,%%o0\n\tsethi 0x2e5053,%%g0\n' "$1"
}

# program KIND SETUP BODY: assembly on stdout
program() {
	kind=${1%% *} lines=2 stride=64 body=$(expand "$3")
	case $1 in
	chase*) lines=${1#* } stride=${lines#* } lines=${lines% *} ;;
	stream*) lines=${1#* } ;;
	esac
	case $2 in *CHAIN*) lines=4096 ;; esac
	printf '\t.register %%g2,#scratch\n\t.register %%g3,#scratch\n'
	printf '\t.data\nname_warm: .asciz "warm"\nname_short: .asciz "short"\nname_long: .asciz "long"\n'
	printf '\t.bss\n\t.align 64\ncell: .space 4096\nfar: .space 400000\n\t.align 64\nring: .space %d\n' $((lines * stride + 64))
	printf '\t.text\n\t.globl _start\n_start:\n'
	ring "$lines" "$stride"
	printf '\t.globl measured\n\t.type measured,#function\nmeasured:\n'
	case $kind in chase | stream) walk "$lines" ;; esac
	case $2 in
	*CHAIN*) ;;
	*) printf '\t%s\n' "$2" ;;
	esac
	region warm "$kind" 100 "$body"
	region short "$kind" 1000 "$body"
	region long "$kind" 2000 "$body"
	printf '\tmov 1,%%g1\n\tclr %%o0\n\tta 0x6d\n'
}

# run OVERRIDES: difference of the regions, and the configuration as shell variables in $work/vars
run() {
	options=$perfect
	for o in $1; do
		options="$options -p $o"
	done
	"$psim" -q --check -f csv --no-profile $options -o "$work/out.csv" "$work/x.trace.gz"
	awk -F, '
		$1 ~ /^config\./ && $4 ~ /^(yes|no|[0-9]+)$/ {
			sub(/config\./, "", $1)
			print $1 "_" $2 "=" ($4 == "yes" ? 1 : $4 == "no" ? 0 : $4)
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
	program "$2" "$3" "$4" >"$work/x.S"
	$cc -mcpu=ultrasparc3 -Wa,-Av9d -fno-pic -no-pie -nostdlib -static -o "$work/x" "$work/x.S"
	from='--from measured'
	"$record" -q $from -o "$work/x.trace.gz" -- "$work/x" >/dev/null
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

trim() {
	echo "$1" | sed 's/^ *//; s/ *$//'
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
