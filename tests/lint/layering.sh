#!/bin/sh
# Dependencies point one way: base <- isa <- traces <- core; energy includes only
# base. Looks at every #include "…" of every room; guest programs are no room.
#   layering.sh SOURCE-ROOT
set -eu
cd "$1"
find psim isa traces energy netlink \( -name '*.[ch]' -o -name '*.def' \) ! -path 'traces/kernels/*' | sort | awk '
	# room: rooms that it may include from, itself aside
	function may(room, others) { rooms[++count] = room; allowed[room] = others }

	# The longest folder of the list that a path lies in.
	function room_of(path,  k, best) {
		best = ""
		for (k = 1; k <= count; k++)
			if (index(path, rooms[k] "/") == 1 && length(rooms[k]) > length(best))
				best = rooms[k]
		return best
	}

	# "a/b/../c" -> "a/c"
	function resolve(path,  n, m, k, part, out) {
		m = split(path, part, "/")
		n = 0
		for (k = 1; k <= m; k++) {
			if (part[k] == "..") n--
			else if (part[k] != ".") part[++n] = part[k]
		}
		out = part[1]
		for (k = 2; k <= n; k++) out = out "/" part[k]
		return out
	}

	function exists(path,  line, found) {
		if (!(path in known)) {
			found = (getline line < path) >= 0
			if (found) close(path)
			known[path] = found
		}
		return known[path]
	}

	BEGIN {
		may("psim/base", "")
		may("isa", "psim/base")
		may("traces", "psim/base isa")
		may("traces/record", "psim/base isa traces")
		may("energy", "psim/base")
		may("psim/core", "psim/base isa traces energy")
		may("netlink", "psim/base")
		may("psim/report", "psim/base")
		may("energy/explore", "psim/base traces energy psim/core")
	}
	{
		file = $0
		room = room_of(file)
		if (room == "") next
		folder = file
		sub("/[^/]*$", "", folder)
		while ((getline line < file) > 0) {
			if (!match(line, /^[ \t]*#[ \t]*include[ \t]*"[^"]*"/)) continue
			target = substr(line, RSTART, RLENGTH - 1)
			sub(/^[^"]*"/, "", target)
			path = resolve(folder "/" target)
			if (!exists(path)) path = target # relative to the top
			if (!exists(path)) continue      # made by the build
			other = room_of(path)
			seen++
			if (other == room || (other != "" && index(" " allowed[room] " ", " " other " "))) continue
			printf "%s: includes %s, which lies in %s; %s may include %s\n", file, target,
				other == "" ? "no room" : other, room, allowed[room] == "" ? "nothing else" : allowed[room] | "cat >&2"
			bad = 1
		}
		close(file)
	}
	END {
		if (seen < 20) {
			print "hardly any includes seen: the check looks in the wrong place" | "cat >&2"
			bad = 1
		}
		exit bad
	}'
