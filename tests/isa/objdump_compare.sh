#!/bin/sh
# Our disassembly beside objdump's: words made for every row of the table, and
# the text of the cross compiler's libraries.
#
#     objdump_compare.sh COMPARE [all]
#
# COMPARE is the program built from compare.c. Every word of libc, libm,
# libgfortran, libgcc, and 500 words a row; with `all` every word of all static
# libraries beside them and 5000 words a row. Exit status 0: no difference but
# the known ones (compare.c), 77: no cross tools here.
set -u
compare=$1
extent=${2:-usual}
objdump=$(command -v sparc64-linux-gnu-objdump) || exit 77
as=$(command -v sparc64-linux-gnu-as) || exit 77
gcc=$(command -v sparc64-linux-gnu-gcc || command -v sparc64-linux-gnu-gcc-12) || exit 77

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0

# label, then objdump's arguments
check() {
	label=$1
	shift
	printf '%s: ' "$label"
	"$objdump" -d -z "$@" | "$compare" || failed=1
}

each=500
[ "$extent" = all ] && each=5000
"$compare" --words "$each" >"$folder/words.s" &&
	"$as" -Av9 -o "$folder/words.o" "$folder/words.s" || exit 1
# v9d: V9, VIS 1 and 2, multiply-add, without the later chips' names for state registers
check "$each words a row" -m sparc:v9d "$folder/words.o"

for library in libc libm libgfortran libgcc libgcc_eh; do
	path=$("$gcc" -print-file-name="$library.a")
	if [ "$path" = "$library.a" ]; then
		echo "$library.a: not here"
	else
		check "$library.a" "$path"
	fi
done
[ "$extent" = all ] && for path in "$(dirname "$("$gcc" -print-file-name=libc.a)")"/*.a \
	"$(dirname "$("$gcc" -print-file-name=libgcc.a)")"/*.a; do
	# some are empty, or made for the linker only
	"$objdump" -d "$path" 2>/dev/null | grep -q '^ *[0-9a-f]*:' && check "$path" "$path"
done
exit $failed
