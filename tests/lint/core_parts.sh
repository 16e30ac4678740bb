#!/bin/sh
# Who sees which part of struct core (psim/core/core_state.h): a row a part, with the files
# that may use it. A file that uses another part, or a listed one that it does not use, is an error.
#   core_parts.sh SOURCE-ROOT
set -eu
cd "$1/psim/core"

everybody=$(echo *.c *.h)
bad=0

# part PART FILE…
part() {
	name=$1
	shift
	for file in $everybody; do
		uses=no
		if grep -q "c->$name\." "$file"; then uses=yes; fi
		listed=no
		for one in "$@"; do
			if [ "$one" = "$file" ]; then listed=yes; fi
		done
		[ $uses = $listed ] && continue
		bad=1
		if [ $uses = yes ]; then
			echo "psim/core/$file: uses c->$name, expected one of the files that core_parts.sh lists: $*" >&2
		else
			echo "psim/core/$file: does not use c->$name, expected no entry in core_parts.sh" >&2
		fi
	done
}

part wheel core_state.h core_key.c events.c
part front array_state.h core_state.h account.c array.c array_transfer.c core.c core_key.c decode.c feed.c \
	fetch.c regions.c view_feed.c
part ls core_state.h account.c array_memory.c array_transfer.c check.c core.c core_key.c lsu.c lsu_ask.c
part view commit.c core.c decode.c view_feed.c
part win array_state.h core_state.h account.c array.c array_memory.c array_transfer.c check.c commit.c \
	core.c core_key.c decode.c events.c lsu.c lsu_ask.c select.c view_feed.c
part acct array_state.h account.c activity.c activity_simd.c array.c array_memory.c array_transfer.c check.c \
	commit.c core.c core_key.c decode.c feed.c fetch.c lsu.c lsu_ask.c regions.c select.c view_feed.c
exit $bad
