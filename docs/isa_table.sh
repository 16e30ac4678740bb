#!/bin/sh
# Compares the instruction table of the documents with what the code says now,
# or writes it.
#   isa_table.sh [--write] PROGRAM FILE
set -eu
if [ "$1" = --write ]; then
	exec "$2" >"$3"
fi
"$1" | cmp - "$2" || { echo "$2 is old: run ninja isa-docs" >&2; exit 1; }
