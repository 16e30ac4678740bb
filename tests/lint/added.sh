#!/bin/sh
# Parts of an addition (docs/develop/to-add.md) that neither a compiler nor a linker misses: a pattern without a line in
# its page or a test, a network without tests, a kernel without a row, a row without a source that is installed, a sample
# trace that nothing makes or describes, a header for programs without a page, a prefetcher that may be idle without a
# note, a structure whose use no row reports.
#   added.sh SOURCE-ROOT
set -eu
cd "$1"
bad=0
seen=0

complain() {
	echo "$*" >&2
	bad=1
}

# has PATTERN FILE WHAT: the file has a line that matches
has() {
	seen=$((seen + 1))
	grep -qE -e "$1" "$2" || complain "$2: no $3, expected one"
}

for name in $(sed -n 's/^PATTERN(\([a-z_0-9]*\),.*/\1/p' netlink/traffic/pattern.def); do
	has "\`$name\`" docs/formats/traffic.md "line for the pattern $name"
	has "\<$name\>" tests/unit/545-traffic.c "test of the pattern $name"
done

for name in $(sed -n 's/^	C(topology_[a-z_0-9]*, "\(.*\)").*/\1/p' netlink/topology/topology_config.h); do
	has "\<$name\>" tests/unit/512-deadlock.c "proof of freedom from deadlock of the network $name"
	seen=$((seen + 1))
	grep -qw "$name" tests/unit/5[01][013-9]-*.c || complain "tests/unit: no closed forms of the network $name, expected a test"
done

kernels=traces/kernels
for source in $(sed -n 's/^[a-z][^|]*| *\([^ ]*\) *|.*/\1/p' $kernels/kernels.table); do
	[ -e "$kernels/$source" ] || complain "$kernels/kernels.table: $source: no such file, expected a source"
	has "'$source'" $kernels/meson.build "'$source' to install"
done
# axpy is a sample with a check of its own; psim_region has the calls themselves
for source in $(cd $kernels && grep -lE 'psim_region_begin' ./*.c ./*.f90 simd/*.c simd/*.f90 | sed 's|^\./||' |
	grep -vE '^(psim_region\.(c|f90)|simd/axpy\.c)$'); do
	has "\| *$source " $kernels/kernels.table "row for $source, which has a region"
done
for header in "$kernels"/psim_*.h; do
	has "\"${header##*/}\": \(" docs/api.py "page for ${header##*/}"
done

for trace in traces/samples/*.trace.gz; do
	name=$(basename "$trace" .trace.gz)
	has "^(sample|kernel) $name " traces/samples/make.sh "line for $name"
	has "\`$name\`" traces/samples/README.md "row for $name"
	size=$(wc -c <"$trace")
	[ "$size" -le 512000 ] || complain "$trace: $size bytes, expected at most 500 KB"
done

idle=$(find psim -name idle.def)
for kind in $(grep -rhoE '\<C\(PREFETCHER_[A-Z_]+' psim --include=core_config.h | sed 's/C(//'); do
	has "\<$kind\>" "$idle" "row for $kind"
done
report=$(find psim -name counter_report.c)
for level in $(sed -n 's/^L(\([a-z0-9_]*\),.*/\1/p' "$(find psim -name level.def)"); do
	has "\<LEVEL_${level%[0-9]}[0-9]?\>" "$report" "row for the structure $level"
done
[ $seen -gt 110 ] || complain "added.sh: $seen parts seen: the check looks in the wrong place"
exit $bad
