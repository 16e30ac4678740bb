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
		if grep -q "c->$name\b" "$file"; then uses=yes; fi
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

part wheel core_state.h events.c idle.h core_key.c core_restore.c usual_events.h
part front memo_record.c array_state.h core.c core_requests.c core_requests.h core_state.h cycle_stack.c decode.c \
	feed.c fetch.c occupancy.h regions.c squash.c wrong_path.c array.c array_transfer.c core_key.c \
	core_restore.c memo.c memo_fetch.c memo_fetch.h memo_in_flight.c memo_learn.c memo_learn_array.c \
	memo_loop_period.c memo_replay.c memo_worth.c segment_state.c segments.c pipe_trace_feed.c cycle_stack.h idle.h \
	usual_decode.h usual_fetch.h usual_select.h
part ls check.c core.c core_requests.h core_state.h cycle_stack.c lsu.c lsu_past.c lsu_retry.c occupancy.h squash.c \
	lsu_ports.c lsu_ports.h array_memory.c array_requests.c array_transfer.c core_key.c core_restore.c memo.c \
	memo_array.c memo_counts.c memo_in_flight.c idle.h usual_events.h usual_lsu.h
part pipe_trace core.c core_state.h decode.c pipe_trace_feed.c usual_decode.h
part win array_state.h check.c commit.c core.c core_requests.c core_requests.h core_state.h counters.c \
	cycle_stack.c decode.c events.c lsu.c lsu_past.c lsu_retry.c occupancy.h select.c squash.c wrong_path.c \
	array.c array_memory.c array_transfer.c array_key.c core_key.c core_restore.c memo.c memo_array.c \
	memo_counts.c memo_in_flight.c memo_record.c memo_worth.c segment_state.c segments.c pipe_trace_feed.c \
	cycle_stack.h idle.h occupancy.c usual_commit.h usual_decode.h usual_events.h usual_lsu.h usual_select.h
part counters activity.c array_state.h check.c commit.c core.c core_state.h counters.c cycle_stack.c decode.c \
	feed.c fetch.c lsu.c lsu_past.c lsu_ports.h lsu_retry.c occupancy.c occupancy.h regions.c select.c squash.c \
	wrong_path.c array.c array_memory.c array_transfer.c core_key.c core_restore.c memo.c memo_counts.c \
	memo_fetch.c memo_fetch.h memo_loop_period.c memo_worth.c segments.c pipe_trace_feed.c cycle_stack.h \
	usual_commit.h usual_decode.h usual_lsu.h usual_select.h
part stack core.c cycle_stack.c decode.c array.c array_transfer.c core_key.c core_restore.c memo_counts.c \
	memo_loop_period.c memo_replay.c cycle_stack.h usual_commit.h
part occupancy core.c occupancy.c occupancy.h
part regions commit.c regions.c memo.c memo_learn.c memo_replay.c segments.c pipe_trace_feed.c core.c
part segment core.c segments.c
part wrong commit.c core.c core_state.h feed.c fetch.c idle.h squash.c wrong_path.c wrong_path.h segment_state.c
exit $bad
