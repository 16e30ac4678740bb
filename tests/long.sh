#!/bin/sh
# Everything that the tests sample, whole: hours. `ninja more-long` calls it.
#
#   long.sh BUILD        prints a line a part; what it printed is in BUILD/long
#
# A part that has passed on this commit is not run again, so that a run that was ended continues.
set -u
build=$1
into=$build/long
mkdir -p "$into"
commit=$(git -C "$(dirname "$0")" describe --always --dirty --abbrev=40 2>/dev/null || echo unknown)
failed=0

part() {
	name=$1
	shift
	case $commit in
	*dirty | unknown) ;;
	*) if [ "$(cat "$into/$name.passed" 2>/dev/null)" = "$commit" ]; then
		echo "$name: passed before"
		return
	fi ;;
	esac
	if "$@" >"$into/$name.log" 2>&1 </dev/null; then
		echo "$commit" >"$into/$name.passed"
		echo "$name: passed"
	else
		failed=$((failed + 1))
		echo "$name: failed, see $into/$name.log"
	fi
}

part tests meson test -C "$build" -t 200 --print-errorlogs
for target in more-steps sampling simdcc-bars simdcc-nests qemu-compare-all faults petascale; do
	part "$target" ninja -C "$build" "$target"
done
echo "$failed failed"
[ $failed = 0 ]
