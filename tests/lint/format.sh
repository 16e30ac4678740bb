#!/bin/sh
# Every C file is formatted as .clang-format says.
#   format.sh SOURCE-ROOT [--write]
# --write formats the files instead. Other versions of clang-format break lines elsewhere, so only version 14,
# Debian 12's, counts. Status 77 if it is not installed.
set -eu
cd "$1"
command -v clang-format-14 >/dev/null || {
	echo "clang-format-14 is not installed" >&2
	exit 77
}
action='--dry-run -Werror'
[ "${2:-}" != --write ] || action=-i
# Inputs of fuzz targets and mistakes made on purpose are data.
# shellcheck disable=SC2086
find psim isa traces energy netlink tests docs \( -name '*.[ch]' -o -name '*.cc' -o -name '*.hh' \) ! -path 'tests/fuzz/corpus/*' ! -path 'tests/bad/*' \
	-print0 | xargs -0 clang-format-14 $action
