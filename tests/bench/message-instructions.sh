#!/bin/sh
# Host instructions of a message of virtual ranks with the linear engine: those of a run of 2 N rounds less those of N
# rounds (so that beginning and end cost nothing), counted by callgrind, which does not depend on the machine's
# mood. Fails if one is above its limit.
#
#     message-instructions.sh PATH/TO/message-speed
bench=$1
command -v valgrind >/dev/null || { echo "valgrind not found: nothing counted"; exit 77; }

count() { # CASE RANKS ROUNDS: instructions, messages
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" "$@" 2>&1 |
		sed -n 's/.*Collected : *//p; s/.* ranks *\([0-9]*\) messages.*/\1/p' | sort -n | tr '\n' ' '
}

failed=0
while read -r name ranks rounds limit; do
	# shellcheck disable=SC2046
	set -- $(count "$name" "$ranks" "$rounds") $(count "$name" "$ranks" $((2 * rounds)))
	each=$((($4 - $2) / ($3 - $1)))
	verdict=ok
	[ $each -le "$limit" ] || { verdict="above the limit"; failed=1; }
	printf '%-10s %5d ranks: %5d host instructions a message (limit %d): %s\n' "$name" "$ranks" $each "$limit" "$verdict"
done <<END
exchange 64 100 3350
exchange 4096 4 3305
empty 64 100 3185
posted 512 20 3200
alltoall 128 1 3335
END
exit $failed
