#!/bin/sh
# Every header compiles alone, without warnings.
#   headers.sh SOURCE-ROOT BUILD-ROOT COMPILER…
set -eu
cd "$1"
build=$2
shift 2

bad=0
count=0
for header in $(find psim isa traces energy netlink tests -name '*.h' 2>/dev/null); do
	case $header in traces/kernels/*) continue ;; esac # for guest programs
	count=$((count + 1))
	echo "#include \"$header\"" | "$@" -std=c17 -D_XOPEN_SOURCE=700 -Wall -Wextra -Wpedantic -Werror \
		-fsyntax-only -I. -I"$build" -I"$build/isa" -I"$build/netlink/vmpi/api" -x c - || {
		echo "$header does not compile alone" >&2
		bad=1
	}
done
[ $count -gt 10 ] || { echo "only $count headers found" >&2; exit 1; }
exit $bad
