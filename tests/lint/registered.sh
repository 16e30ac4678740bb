#!/bin/sh
# Things that are complete only with a row elsewhere: a kind, an engine or an algorithm that its table does not list,
# an algorithm or a routing that its page does not describe, a program that the manual's index does not name, a
# simulated program that no session or test runs.
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

listed collective_algorithm netlink/vmpi/collectives netlink/vmpi/collectives/algorithms.def
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
	}' docs/collectives.md)
for name in $(sed -n 's/^ALGORITHM(\(.*\))$/\1/p' netlink/vmpi/collectives/algorithms.def); do
	echo "$described" | grep -qx "$name" || complain "docs/collectives.md: no row for $name, expected operation and algorithm"
done

for name in $(sed -n 's/.*{\.name = "\([a-z_0-9]*\)".*/\1/p' netlink/topology/*.c netlink/topology/*.h); do
	grep -q "\`$name\`" docs/topologies.md || complain "docs/topologies.md: no word on routing $name, expected one"
done
for name in $(sed -n 's/^	C(topology_[a-z_0-9]*, "\(.*\)").*/\1/p' netlink/topology/topology_config.h | tr _ .); do
	grep -qi "^## .*\<$name\>" docs/topologies.md || complain "docs/topologies.md: no section for $name, expected one"
done

for program in $(find . -name 'build*' -prune -o -name meson.build -exec sed -nE "s/^(  |mains \+= \{)'([a-z0-9-]*)': \{'sources'.*/\2/p" {} +); do
	grep -qw -e "$program" docs/README.md || complain "docs/README.md: no page for program $program, expected one"
done

runs=$(grep -rhE '(skeletons|examples)/' --include='*.t' --include='*.md' --include='*.py' --include='*.sh' --include=meson.build tests docs)
for path in netlink/programs/*/*.c netlink/programs/*/*.f90; do
	name=${path##*/}
	grep -qF "\`$name\`" "${path%/*}/README.md" || complain "${path%/*}/README.md: no row for $name, expected one"
	echo "$runs" | grep -qwF -e "${name%.*}" || complain "$path: no session or test runs it, expected one"
done
exit $bad
