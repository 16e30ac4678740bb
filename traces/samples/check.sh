#!/bin/sh
# Are the sample traces those that make.sh makes?
#
#   check.sh PSIM-RECORD PSIM-TRACE
#
# Compares the checksums of contents. Status 77 where the compiler is not there, or
# is another one and makes other programs.
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
	[ -f "$new" ] || { echo "$file: make.sh does not make it"; status=1; continue; }
	if [ "$(field program_crc "$file")" != "$(field program_crc "$new")" ]; then
		echo "skipped: this compiler makes another program for $(basename "$file")"
		exit 77
	fi
	if [ "$(field checksum "$file")" != "$(field checksum "$new")" ]; then
		echo "$file: made again, its content has checksum $(field checksum "$new")," \
			"not $(field checksum "$file")"
		status=1
	fi
done
exit $status
