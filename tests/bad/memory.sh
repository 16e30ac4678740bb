#!/bin/sh
# Short of memory: with less and less address space, a run is done, or it ends with status 1 and
# one line; it never crashes, and leaves no file that is not whole.
#   memory.sh NAME PROGRAM ARGUMENT…      (OUT in an argument is the output file)
set -u
name=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=$work/out

# Kibibytes that the loader and an empty run need: below, the program does not even start.
least=2000
until (ulimit -v $least; "$1" --version) >/dev/null 2>&1; do
	least=$((least + 100))
	[ $least -lt 100000 ] || { echo "$name: does not start at all" >&2; exit 1; }
done

program=$1
shift
set -- $(echo "$*" | sed "s,OUT,$out,")
short=0
good=0
limit=$least
while [ $good -lt 3 ]; do
	[ $limit -lt 4000000 ] || { echo "$name: needs 4 GB" >&2; exit 1; }
	rm -f "$out"
	(ulimit -v $limit; exec "$program" "$@") >"$work/stdout" 2>"$work/stderr" </dev/null
	status=$?
	if [ $status = 0 ]; then
		good=$((good + 1))
	else
		short=$((short + 1))
		if [ $status != 1 ] || [ -e "$out" ] || [ "$(wc -l <"$work/stderr")" != 1 ] ||
			! grep -q "^$name: " "$work/stderr"; then
			echo "$name with $limit KiB: status $status, expected 0, or 1, one line and no file:" >&2
			cat "$work/stderr" >&2
			exit 1
		fi
		tail -n 1 "$work/stderr"
	fi
	limit=$((limit + limit / 20))
done
echo "$name: $short runs were short of memory; $limit KiB are enough"
[ $short -gt 0 ] # otherwise nothing was tested
