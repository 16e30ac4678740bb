#!/bin/sh
# Each part of struct core (psim/core/core_state.h) is used by the files of its row.
# A file that uses another part, or a listed one that it does not use, is an error.
#   core_parts.sh SOURCE-ROOT
set -eu
cd "$1/psim"

everybody=$(echo machine/*.[ch] memory/*.[ch] bpred/*.[ch] core/*.[ch] array/*.[ch] replay/*.[ch] segments/*.[ch] pipe_trace/*.[ch] app/*.[ch])
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
			if [ "$one" = "${file##*/}" ]; then listed=yes; fi
		done
		[ $uses = $listed ] && continue
		bad=1
		if [ $uses = yes ]; then
			echo "psim/$file: uses c->$name, expected one of the files that core_parts.sh lists: $*" >&2
		else
			echo "psim/$file: does not use c->$name, expected no entry in core_parts.sh" >&2
		fi
	done
}

part wheel core_state.h core_key.c core_restore.c events.c
part front array_state.h core_state.h account.c segment_state.c segments.c array.c array_transfer.c core.c core_key.c core_restore.c decode.c \
	feed.c fetch.c memo.c memo_fetch.c memo_fetch.h memo_in_flight.c memo_loop_period.c memo_learn.c memo_replay.c core_requests.c \
	core_requests.h regions.c squash.c pipe_trace_feed.c
part ls core_state.h account.c array_memory.c array_requests.c array_transfer.c check.c core.c core_key.c core_restore.c lsu.c \
	lsu_past.c lsu_retry.c memo.c memo_array.c memo_counts.c memo_in_flight.c core_requests.h squash.c
part pipe_trace core_state.h commit.c core.c decode.c pipe_trace_feed.c
part win array_state.h core_state.h account.c segment_state.c segments.c array.c array_key.c array_memory.c array_transfer.c check.c commit.c \
	core.c core_key.c core_restore.c decode.c events.c lsu.c lsu_past.c lsu_retry.c \
	memo.c memo_array.c memo_counts.c memo_in_flight.c memo_record.c core_requests.c core_requests.h select.c squash.c pipe_trace_feed.c
part acct array_state.h core_state.h account.c activity.c array.c array_memory.c array_transfer.c check.c \
	segments.c commit.c core.c core_key.c core_restore.c decode.c feed.c fetch.c lsu.c lsu_past.c lsu_retry.c memo.c memo_counts.c memo_fetch.c \
	memo_fetch.h memo_loop_period.c memo_learn.c memo_replay.c regions.c select.c squash.c pipe_trace_feed.c
exit $bad
