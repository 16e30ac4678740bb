#!/bin/sh
# Host instructions inside the memory system or branch prediction for each call
# of memsys-bench: those of 2 N calls less those of N (so that cold tables cost
# nothing), counted by callgrind, which does not depend on the machine's mood.
# Fails if one is above its limit.
#
#     host-instructions.sh PATH/TO/memsys-bench [N]
bench=$1
n=${2:-200000}
. "$(dirname "$0")/../need.sh"
need valgrind

count() { # FUNCTION CASE N
	valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect="$1" \
		"$bench" "$2" "$3" 2>&1 | sed -n 's/.*Collected : *//p'
}

failed=0
while read -r name function limit; do
	one=$(count "$function" "$name" "$n")
	two=$(count "$function" "$name" $((2 * n)))
	tenths=$(((two - one) * 10 / n))
	verdict=ok
	[ $tenths -le $((limit * 10)) ] || { verdict="above the limit"; failed=1; }
	printf '%-24s %5d.%d host instructions a call of %s (limit %d): %s\n' \
		"$name" $((tenths / 10)) $((tenths % 10)) "$function" "$limit" "$verdict"
done <<END
load-l1-stride memsys_load 60
load-l1-pages memsys_load 60
load-l1-random memsys_load 60
load-l1-ways memsys_load 120
load-perfect memsys_load 60
store-l1-stride memsys_store 70
fetch-l1-stride memsys_fetch 50
load-l2-random memsys_load 1300
load-memory-stride memsys_load 1250
load-memory-random memsys_load 1700
prefetch-memory-stride memsys_prefetch 110
load-stream-prefetch memsys_load 1750
branch-loop bpred_branch 80
branch-many bpred_branch 150
branch-gshare bpred_branch 190
call-return bpred_branch 130
END
exit $failed
