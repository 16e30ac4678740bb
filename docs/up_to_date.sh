#!/bin/sh
# Compares a table of the documents with what the code says now, or writes it.
#   up_to_date.sh [--write] PROGRAM FILE [TARGET]
# TARGET: the ninja target that writes it, for the message.
set -eu
if [ "$1" = --write ]; then
	exec "$2" >"$3"
fi
"$1" | cmp - "$2" || { echo "$2 is old: run ninja $3" >&2; exit 1; }
