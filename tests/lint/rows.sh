#!/bin/sh
# Rows of the core's tables that nothing uses: a counter that nothing counts, a cause that nothing
# charges, a level that nothing sums, energy that nothing counts, a stage that docs/develop/design.md does not list.
#   rows.sh SOURCE-ROOT
set -eu
cd "$1/psim"

users=$(ls memory/*.[ch] bpred/*.[ch] core/*.[ch] core/exec_class.def core/load_note.def array/*.[ch] replay/*.[ch] segments/*.[ch] pipe_trace/*.[ch] app/*.[ch] |
	grep -v '_report\.')
bad=0

# rows MACRO FIELD FILE: that argument of each row
rows() {
	sed -n "s/^$1(\(.*\)/\1/p" "$3" | awk -F', *' -v field="$2" '{ print $field }'
}

# check FILE WHAT MACRO FIELD PATTERN: a file matches the pattern, with the row's name for @
check() {
	count=0
	for name in $(rows "$3" "$4" "$1"); do
		count=$((count + 1))
		# shellcheck disable=SC2086
		if grep -qE -e "$(echo "$5" | sed "s/@/$name/g")" $users; then continue; fi
		echo "psim/$1: $name: $2, expected a line that does" >&2
		bad=1
	done
	if [ $count -eq 0 ]; then
		echo "psim/$1: no rows seen: the check looks in the wrong place" >&2
		bad=1
	fi
}

member='([.>]|_stats, )@\>'
check core/stats.def "nothing counts it" S 2 "$member"
check memory/memsys_stats.def "nothing counts it" S 2 "$member"
check bpred/bpred_stats.def "nothing counts it" S 2 "$member"
check core/stall.def "no slot is charged to it" T 3 '\<STALL_@\>|^X\(.*, @, \w+\)$|^N\(\w+, @,'
check core/load_note.def "no load gets it" N 1 '\<LOAD_@\>'
check core/level.def "nothing sums it" L 1 '\<LEVEL_@\>'
for kind in STAGE:STAGE ARRAY:ARRAY OP:EOP; do
	count=0
	for name in $(sed -n "s/^${kind%:*}(\([a-z0-9_]*\),.*/\1/p" ../energy/activity.def); do
		count=$((count + 1))
		if ! grep -qE -e "\<${kind#*:}_$name\>" -e "^X\\(.*, $name\\)$" core/activity*.c core/exec_class.def; then
			echo "energy/activity.def: $name: nothing counts it, expected psim/core/activity*.c or exec_class.def to" >&2
			bad=1
		fi
	done
	if [ $count -eq 0 ]; then
		echo "energy/activity.def: no rows of ${kind%:*} seen: the check looks in the wrong place" >&2
		bad=1
	fi
done
for name in $(rows STAGE 1 core/stages.def); do
	if ! grep -q "^| \`stage_$name\` |" ../docs/develop/design.md; then
		echo "docs/develop/design.md: no row for stage_$name of psim/core/stages.def, expected one" >&2
		bad=1
	fi
done
exit $bad
