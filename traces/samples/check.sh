#!/bin/sh
# Checks that make.sh records the sample traces.
#
#   check.sh PSIM-RECORD PSIM-TRACE
#
# Compares the checksums of contents. Status 77 if the compiler is not installed, or
# compiles different programs.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/make.sh" "$1" "$work" || exit $?
trace=$2

field() { # NAME FILE
	"$trace" "$2" | awk -v name="$1" '$1 == name { print $2 }'
}

status=0
for file in "$here"/*.trace.gz; do
	new=$work/$(basename "$file")
	[ -f "$new" ] || { echo "$file: make.sh does not record it"; status=1; continue; }
	if [ "$(field program_crc "$file")" != "$(field program_crc "$new")" ]; then
		echo "skipped: this compiler makes a different program of $(basename "$file")"
		exit 77
	fi
	if [ "$(field checksum "$file")" != "$(field checksum "$new")" ]; then
		echo "$file: recorded checksum $(field checksum "$new")," \
			"expected $(field checksum "$file")"
		status=1
	fi
done
exit $status
