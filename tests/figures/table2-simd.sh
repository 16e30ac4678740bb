#!/bin/sh
# Those figures of the paper's Table 2 with the array that a form comes within 10 % of (docs/accuracy.md, part 4):
# a change that loses one is noticed. The others are misses, told there.
#
#   table2-simd.sh     psim-table2 is found in PATH
#
# Prints psim-table2's table; status 5 if one of these figures is lost, 77 if the cross compilers are not there.
set -eu
. "$(dirname "$0")/../need.sh"
need sparc64-linux-gnu-gcc sparc64-linux-gnu-gfortran
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for kernel in dgemm fft; do
	psim-table2 -q --only $kernel -o "$work/$kernel" || [ $? = 5 ]
	cat "$work/$kernel"
done
status=0
while read -r kernel form figure; do
	grep -q "^$kernel *$form *$figure.* within 10 %" "$work/$kernel" && ! grep -q "^$kernel *$form *$figure.*NOT" "$work/$kernel" || {
		echo "$kernel, $form: $figure is not within 10 % any more"
		status=5
	}
done <<'END'
dgemm plain time scalar
dgemm plain time SIMD
dgemm plain speed-up
fft stream time scalar
fft stream time SIMD
fft stream speed-up
END
exit $status
