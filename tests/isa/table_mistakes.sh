#!/bin/sh
# The generator of the instruction table names the mistake in a bad row.
#   table_mistakes.sh ISA-GEN
set -u
gen=$1
bad=0

# what it says, then pattern, reads, writes
says() {
	expected=$1
	shift
	got=$("$gen" --check "$@" 2>&1)
	[ "$got" = "$expected" ] && return
	echo "for $*" >&2
	echo "  expected: $expected" >&2
	echo "  got:      $got" >&2
	bad=1
}

free='10 ddddd 011101 sssss i ooooooooooooo' # op3 0x1d is nobody's

# fixed: 31:30 = 10, 24:19 = 011101
says 'mask 0xc1f80000, match 0x80e80000' "$free" 'rs1 op2' 'rd'
says 'sparc_v9.def: NEW: overlaps with "ADD"' \
	'10 ddddd 000000 sssss 1 ooooooooooooo' 'rs1' 'rd'
says 'sparc_v9.def: NEW: unknown letter in the pattern "z"' \
	'10 ddddd 011101 zzzzz i ooooooooooooo' '' ''
says 'sparc_v9.def: NEW: expected a pattern of 32 bits, not "10 ddddd 011101"' \
	'10 ddddd 011101' '' ''
says 'sparc_v9.def: NEW: expected a pattern of 32 bits, not "10 ddddd 011101 sssss i oooooooooooooo"' \
	'10 ddddd 011101 sssss i oooooooooooooo' '' ''
says 'sparc_v9.def: NEW: unknown operand "r1"' "$free" 'r1 op2' 'rd'
says 'sparc_v9.def: NEW: the pattern has no field for "d3"' "$free" 'd1 d3' 'dd'
says 'sparc_v9.def: NEW: too many operands at "gsr"' "$free" 'rs1' 'rd ccr y gsr'
exit $bad
