# Micro-benchmark programs from the rows of micro.table; read by micro.sh and
# sensitivity.sh, which set work (a folder), record (psim-record) and cc.

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
	printf '#include "simd.inc"\n\t.register %%g2,#scratch\n\t.register %%g3,#scratch\n'
	printf '\t.data\nname_warm: .asciz "warm"\nname_short: .asciz "short"\nname_long: .asciz "long"\n'
	printf '\t.bss\n\t.align 64\ncell: .space 4096\nfar: .space 800000\n\t.align 64\nring: .space %d\n' $((lines * stride + 64))
	printf '\t.text\n\t.globl _start\n_start:\n'
	ring "$lines" "$stride"
	printf '\t.globl measured\n\t.type measured,#function\nmeasured:\n'
	case $kind in chase | stream) walk "$lines" ;; esac
	case $2 in
	*CHAIN*) ;;
	*) printf '\t%s\n' "$2" ;;
	esac
	region warm "$kind" 200 "$body"
	region short "$kind" 1000 "$body"
	region long "$kind" 2000 "$body"
	printf '\tmov 1,%%g1\n\tclr %%o0\n\tta 0x6d\n'
}

# build KIND SETUP BODY: records the program; the trace is $work/x.trace.gz
build() {
	case $1 in
	file*) cp "$here/micro/${1#file }.S" "$work/x.S" ;;
	*) program "$1" "$2" "$3" >"$work/x.S" ;;
	esac
	$cc -mcpu=ultrasparc3 -Wa,-Av9d -I"$here/micro" -fno-pic -no-pie -nostdlib -static -o "$work/x" "$work/x.S"
	"$record" -q --warm-up 0 --from measured -o "$work/x.trace.gz" -- "$work/x" >/dev/null
}

trim() {
	echo "$1" | sed 's/^ *//; s/ *$//'
}
