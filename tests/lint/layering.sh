#!/bin/sh
# Dependencies point one way: base <- isa <- traces <- core; energy includes only
# base. Looks at every #include "…" of every room.
#   layering.sh SOURCE-ROOT
set -eu
cd "$1"

# folder: folders it may include from, itself aside
rooms='
psim/base:
isa: psim/base
traces: psim/base isa
traces/record: psim/base isa traces
energy: psim/base
psim/core: psim/base isa traces energy
netlink: psim/base
psim/report: psim/base
energy/explore: psim/base traces energy psim/core
'

# The room of a path: the longest folder of the list above that it lies in.
room_of() {
	echo "$rooms" | awk -F: -v path="$1" '
		$1 != "" && index(path, $1 "/") == 1 && length($1) > length(best) { best = $1 }
		END { print best }'
}

# "a/b/../c" -> "a/c"
resolve() {
	echo "$1" | awk -F/ '{
		n = 0
		for (i = 1; i <= NF; i++) {
			if ($i == "..") n--
			else if ($i != ".") part[++n] = $i
		}
		out = part[1]
		for (i = 2; i <= n; i++) out = out "/" part[i]
		print out
	}'
}

bad=0
seen=0
for file in $(find psim isa traces energy netlink \( -name '*.[ch]' -o -name '*.def' \) 2>/dev/null); do
	room=$(room_of "$file")
	case $file in traces/kernels/*) continue ;; esac # guest programs
	[ -n "$room" ] || continue
	for target in $(sed -n 's/^[ \t]*#[ \t]*include[ \t]*"\([^"]*\)".*/\1/p' "$file"); do
		path=$(resolve "$(dirname "$file")/$target")
		[ -e "$path" ] || path=$target # relative to the top
		[ -e "$path" ] || continue     # made by the build
		other=$(room_of "$path")
		seen=$((seen + 1))
		[ "$other" != "$room" ] || continue
		allowed=$(echo "$rooms" | sed -n "s,^$room: *,,p")
		case " $allowed " in
		*" $other "*) ;;
		*)
			echo "$file: includes $target, which lies in ${other:-no room}; $room may include ${allowed:-nothing else}" >&2
			bad=1
			;;
		esac
	done
done
[ $seen -gt 20 ] || { echo "only $seen includes found" >&2; exit 1; }
exit $bad
