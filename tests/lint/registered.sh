#!/bin/sh
# Things that are complete only with a row elsewhere: a kind, an engine or an algorithm that its table does not list,
# an operation without a call or an algorithm, an algorithm or a routing that its page does not describe, a program that
# the manual's index, tests/bad or tests/faults does not name, an output file without an option or that nothing writes, a
# group that reports show and nothing makes, or that no report has, a simulated program that no session or test runs, a call that no such program
# makes, a datatype that none sends, a target of ninja that does not find the system's programs.
#   registered.sh SOURCE-ROOT
set -eu
cd "$1"
bad=0
seen=0

complain() {
	echo "$*" >&2
	bad=1
}

# listed STRUCT FOLDER TABLE: the table names each constant of this type that a file of the folder defines
listed() {
	for name in $(find "$2" -name '*.c' -exec sed -n "s/^const struct $1 \([a-z0-9_]*\) = {.*/\1/p" {} +); do
		seen=$((seen + 1))
		grep -qw "$name" "$3" || complain "$3: no row for $name, a struct $1; expected one"
	done
}

listed collective_algorithm netlink/vmpi/collectives netlink/vmpi/collective_ops.def
listed topology_kind netlink/topology netlink/topology/topology_config.h
listed net_engine_kind netlink/engine netlink/engines/engine_kinds.c
[ $seen -gt 50 ] || complain "registered.sh: $seen definitions seen: the check looks in the wrong place"

# The page's rows as operation_algorithm; an operation's first row names it.
described=$(awk -F'|' '
	/^\| operation \|/ { inside = 1; next }
	inside && NF < 4 { inside = 0 }
	inside {
		if ($2 ~ /[a-z]/) count = split($2, of, /[ ,]+/)
		many = split($3, names, /[ ,`]+/)
		for (i = 1; i <= count; i++)
			for (k = 1; k <= many; k++) print of[i] "_" names[k]
	}' docs/models/collectives.md)
for name in $(sed -n 's/^ALGORITHM(\(.*\))$/\1/p' netlink/vmpi/collective_ops.def); do
	echo "$described" | grep -qx "$name" || complain "docs/models/collectives.md: no row for $name, expected operation and algorithm"
done

for name in $(sed -n 's/^COLLECTIVE([A-Z_]*, \([a-z_]*\),.*/\1/p' netlink/vmpi/collective_ops.def); do
	grep -q "^ALGORITHM(${name}_" netlink/vmpi/collective_ops.def || complain "collective_ops.def: no algorithm for $name, expected one"
	constant=COLLECTIVE_$(echo "$name" | tr a-z A-Z)
	grep -qw "$constant" netlink/vmpi/calls/calls_coll.c || complain "calls_coll.c: no call for $constant, expected one"
done

for name in $(sed -n 's/.*\.name = "\([a-z_0-9]*\)".*/\1/p' netlink/topology/*.c netlink/topology/*.h); do
	grep -q "\`$name\`" docs/models/topologies.md || complain "docs/models/topologies.md: no word on routing $name, expected one"
done
for name in $(sed -n 's/^	C(topology_[a-z_0-9]*, "\(.*\)").*/\1/p' netlink/topology/topology_config.h | tr _ .); do
	grep -qi "^## .*\<$name\>" docs/models/topologies.md || complain "docs/models/topologies.md: no section for $name, expected one"
done

for program in $(find . -name 'build*' -prune -o -name meson.build -exec sed -nE "s/^(  |mains \+= \{)'([a-z0-9-]*)': \{'sources'.*/\2/p" {} +); do
	grep -qw -e "$program" docs/README.md || complain "docs/README.md: no page for program $program, expected one"
	grep -qE "^(~ )?$program " tests/faults/commands.table || complain "tests/faults/commands.table: no row for program $program, expected one"
	grep -qw -e "$program" tests/bad/*.t || complain "tests/bad: no session for program $program, expected one"
done

run=netlink/apps/run
outputs=$(sed -nE 's/^	O\("--([a-z-]*)", ([a-z_]*)\).*/\1 \2/p' $run/run_inputs.h)
[ "$(echo "$outputs" | wc -l)" -gt 4 ] || complain "registered.sh: output files not found in $run/run_inputs.h"
for option in $(echo "$outputs" | cut -d' ' -f1); do
	grep -q "{\"$option\"" $run/run_inputs.c || complain "$run/run_inputs.c: no option --$option, expected one"
done
for name in $(echo "$outputs" | cut -d' ' -f2); do
	grep -qE "file[.]$name\>" $run/*.c || complain "$run: nothing writes the file of the setting $name, expected a writer"
done
for file in $run/run_report.c psim/app/psim_report.c; do
	for group in $(sed -nE 's/^	\{\{?"([a-z_.]+)", (NULL|"[a-z_ ]*")\}.*/\1/p' $file); do
		grep -rqF "\"${group##*.}\"" netlink energy psim traces --include='*.c' --exclude="${file##*/}" ||
			complain "$file: nothing makes the group $group, expected something"
	done
done

# Each group that nsim's rooms make is in its table, which says whether the short report has it. Tables within a group follow it.
rooms="netlink/analysis netlink/apps/run netlink/engine netlink/log netlink/parallel netlink/topology netlink/traffic netlink/vmpi"
groups=$(find $rooms -name '*.c' -exec cat {} + | tr '\n\t' '  ' |
	grep -oE '\<report_(group|table)\( *r, *"[^"]*"' | sed 's/.*"\(.*\)"/\1/' | sort -u)
[ "$(echo "$groups" | wc -w)" -gt 25 ] || complain "registered.sh: $(echo "$groups" | wc -w) groups seen: the check looks in the wrong place"
for name in $groups; do
	case $name in latency | link_classes | links | nodes | part_sizes | rank) continue ;; esac
	grep -qF "{{\"$name\"," $run/run_report.c || complain "$run/run_report.c: no row for the group $name, expected one"
done

# A function that adds groups to a report has a declaration, a definition, and a caller.
seen=0
for name in $(find psim energy netlink traces -name '*.h' -exec sed -nE 's/^[a-z].*[ *]([a-z_0-9]+)\(.*struct report \*r[,)].*/\1/p' {} +); do
	seen=$((seen + 1))
	count=$(grep -rhE --include='*.[ch]' -e "\<$name[(,;]" psim energy netlink traces | wc -l)
	[ "$count" -gt 2 ] || complain "$name: its groups are in no report, expected a call"
done
[ $seen -gt 20 ] || complain "registered.sh: $seen functions of reports seen: the check looks in the wrong place"

runs=$(grep -rhE '(skeletons|examples)/' --include='*.t' --include='*.md' --include='*.py' --include='*.sh' --include=meson.build tests docs)
for path in netlink/programs/*/*.c netlink/programs/*/*.f90; do
	name=${path##*/}
	grep -qF "\`$name\`" "${path%/*}/README.md" || complain "${path%/*}/README.md: no row for $name, expected one"
	echo "$runs" | grep -qwF -e "${name%.*}" || complain "$path: no session or test runs it, expected one"
done
for path in tests/mpi/*.c tests/mpi/*.f90; do
	name=${path##*/}
	grep -qw -e "${name%.*}" tests/cli/*.t tests/*/meson.build || complain "$path: no session or test runs it, expected one"
done

# Each predefined datatype is sent and reduced. LB and UB mark ends of others.
for name in $(sed -n 's/^TYPE(\([A-Z0-9_]*\),.*/\1/p' netlink/vmpi/api/constants.def | grep -vxE 'LB|UB'); do
	grep -qF "($name, " tests/mpi/predefined.c || complain "tests/mpi/predefined.c: no row for MPI_$name, expected one"
done

# Each event of a trace is in its page.
api=netlink/vmpi/api
events=$(sed -nE 's/^.*"[^"]*", [a-z_]+, ([a-z_]+), [A-Z_]+, [A-Z_]+, [A-Z_]+\)$/\1/p' $api/collective_calls.def
	sed -nE 's/^SEND\(.*", ([a-z]+), [A-Z]+\)$/\1/p' $api/send_calls.def
	sed -nE 's/^(WINDOW_)?EVENT\(([a-z_]+), .*/\2/p' netlink/vmpi/replay/events.def)
[ "$(echo "$events" | wc -l)" -gt 40 ] || complain "registered.sh: $(echo "$events" | wc -l) events seen: the check looks in the wrong place"
for name in $events; do
	grep -qF "\`$name" docs/formats/replay-format.md || complain "docs/formats/replay-format.md: no word on event $name, expected one"
done
written=$(sed -nE 's/^(EVENT|BEGUN|SYNC|SYNC_BEGUN)\(.*", "([a-z_]+)( all)?",.*/\2/p; s/^	"([a-z_]+)", true, ACCESS.*/\1/p' $api/calls.def $api/calls_*.def)
[ "$(echo "$written" | wc -l)" -gt 20 ] || complain "registered.sh: $(echo "$written" | wc -l) events of calls seen: the check looks in the wrong place"
for name in $written; do
	grep -qE "^(WINDOW_)?EVENT\($name, " netlink/vmpi/replay/events.def || complain "netlink/vmpi/replay/events.def: no row for event $name of a call, expected one"
done
for name in $(sed -nE 's/^CALL\(int, ([A-Za-z_]+),.*, RECORDED\)$/\1/p' $api/calls.def $api/calls_*.def); do
	grep -q "^int MPI_$name(" netlink/tracer/traced_*.c || complain "netlink/tracer: no function MPI_$name, expected one as nsim records the call"
done

# Programs without comments: each call of the tables is in one of them.
called=$(cat tests/mpi/*.[ch] tests/mpi/*.f90 tests/bad/mpi/* tests/bad/bsim/* netlink/programs/*/*.c netlink/programs/*/*.f90 |
	sed 's|/\*.*\*/||; s|//.*||; /^ *!/d; /^ \* /d; /^\/\*/d' | grep -oE '\<[A-Za-z_0-9]+\>' | sort -u)
api=netlink/vmpi/api
calls=$(sed -nE "s/^CALL\([^,]*, ([A-Za-z_]+),.*/MPI_\1/p; s/^BSIM\([^,]*, ([A-Za-z_]+),.*/BSIM_\1/p
	s/^LIBRARY\([^,]*, ([A-Za-z_]+),.*/\1/p; s/^SYSTEM\(([A-Za-z_]+),.*/\1/p" $api/calls.def $api/calls_*.def
	sed -nE 's/^LARGE\(([A-Za-z_]+),.*/MPI_\1_c/p' $api/calls_large.def
	sed -nE 's/^(EVENT|BEGUN|PREPARED|SYNC|SYNC_BEGUN|WAIT|WAIT_SOME|TEST|SPLIT|WINDOW|REFUSED)\(([A-Za-z_]+),.*/MPI_\2/p' $api/calls.def $api/calls_*.def
	sed -nE 's/^SEND\(([A-Za-z_]+), ([A-Za-z_]+), ([A-Za-z_]+),.*/MPI_\1 MPI_\2 MPI_\3/p' $api/send_calls.def
	sed -nE 's/^(COLLECTIVE|TRACED)\(([A-Za-z_]+), ([A-Za-z_]+),.*/MPI_\2 MPI_\3/p' $api/collective_calls.def)
# the library's clocks and sleeps call these two
calls=$(echo "$calls" | sed 's/\<virtual_clock\>/clock_gettime/; s/\<virtual_sleep\>/nanosleep/; /^keyval_fortran$/d; /^attribute_fortran$/d; /^fortran_/d; /^large_count_/d')
# the library's threads call these
calls=$(echo "$calls" | sed 's/^thread_start$/pthread_create/; s/^thread_end$/pthread_exit/; s/^thread_own$/pthread_self/
	s/^thread_turn$/sched_yield/; s/^thread_park$/pthread_cond_wait/; s/^thread_handle$/sem_wait/; s/^thread_wake$/sem_post/
	s/^thread_refuse$/pthread_kill/; s/^timer_at$/setitimer/; s/^file_opened$/fopen/')
[ "$(echo "$calls" | wc -w)" -gt 160 ] || complain "registered.sh: $(echo "$calls" | wc -w) calls seen: the check looks in the wrong place"
for name in $calls; do
	echo "$called" | grep -qxE "$name|(MGEN|LMPI)_${name#MPI_}" || complain "$api: no program of tests/mpi calls $name, expected one"
done

# meson 1.0 gives a run_target's env no PATH but what is prepended: with_programs (psim/bin) is in front of the command.
targets=$(find . -name 'build*' -prune -o -name meson.build -exec awk '
	/run_target\(/ { inside = 1; depth = 0; text = FILENAME ":" FNR ":" }
	inside { text = text $0; depth += gsub(/\(/, "(") - gsub(/\)/, ")"); if (!depth) { print text; inside = 0 } }' {} +)
[ "$(echo "$targets" | wc -l)" -gt 8 ] || complain "registered.sh: targets not found in meson.build files"
for place in $(echo "$targets" | sed -nE 's/: *run_target.*[ (]env: .*//p'); do
	complain "$place: a run_target with env, expected with_programs in front of its command"
done
exit $bad
