#!/bin/sh
# No writable data with the life of the program: looks for such symbols in the
# libraries' objects. The exceptions are named here, with the reason.
#   globals.sh LIBRARY.a…
set -eu

# progress.c: what signal handlers leave behind (sig_atomic_t)
# crash.c: the run that its signal handler ends
# guard.c: the same, of parts of network descriptions that are written in C
allowed='end_requested end_requested_at end_passed_on status_requested watched guarded'

found=$(for library in "$@"; do
	nm -f sysv "$library" | awk -F'|' -v allowed=" $allowed " '
		NF == 7 {
			gsub(/ /, "", $1); gsub(/ /, "", $3); gsub(/ /, "", $7)
			# constants with addresses in them (.data.rel.ro) are written by the loader only
			if ($3 ~ /^[bBdDcCgGsS]$/ && $7 !~ /^\.data\.rel\.ro/) {
				name = $1
				sub(/\.[0-9]+$/, "", name)
				if (index(allowed, " " name " ") == 0) print name " in " $7
			}
		}' | sed "s,^,$(basename "$library"): ,"
done)
if [ -n "$found" ]; then
	echo "writable global data:" >&2
	echo "$found" >&2
	exit 1
fi
