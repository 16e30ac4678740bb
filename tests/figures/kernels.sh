#!/bin/sh
# The kernels of the SIMD array compute what the scalar ones do, for several numbers of PEs, sizes of
# their memories, and sizes that are no multiple of any block: they check themselves, and what they
# print is what the scalar kernel prints (kernels.table says which).
#
#   kernels.sh SOURCES     psim-kernels and psim-record are found in PATH
#
# Prints a line for each difference; status 77 if the cross compilers are not there.
set -eu
sources=$1
. "$(dirname "$0")/../need.sh"
need sparc64-linux-gnu-gcc sparc64-linux-gnu-gfortran
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0 runs=0

# run NAME PES SBM ARGUMENT...: what it prints, and its status where it is not 0
run() {
	name=$1 pes=$2 sbm=$3
	shift 3
	psim-record -q --no-trace --pes "$pes" --sbm "$sbm" -- "$work/$name.sparc" "$@" 2>&1 || echo "status $?"
}

# least NAME: the smallest memory with which it runs at these sizes; with less it refuses
least() {
	case $1 in
	*-update-plain*) echo 8192 ;; # all of K has to have room: 4608 bytes and more here
	*) echo 4096 ;;
	esac
}

# sizes NAME: argument lists, with ; between them
sizes() {
	case $1 in
	*update*) echo '1 1 1;7 5 3;32 32 32;140 67 40;150 20 10' ;;
	*dgemm*) echo '1;7;32;67' ;;
	*zgemm*) echo '1;6;32;45' ;;
	*fft*) echo '1 1;2 3;5 2;8 7;7 17' ;;
	*triad*) echo '1;15;1000;20011 2' ;;
	*stencil*) echo '3 3 3;9 5 4;17 40 6 3;30 13 5' ;;
	*spmv*) echo '1 1;33 3;500 7' ;;
	*dot*) echo '1;15;1000;20011' ;;
	esac
}

sed -e '/^#/d' -e 's/ *| */|/g' "$sources/kernels.table" >"$work/rows"
while IFS='|' read -r name _ _ _ same takes _; do
	[ "$takes" != - ] || continue
	psim-kernels -q --sources "$sources" -o "$work" --build "$name" </dev/null
	[ "$same" = - ] || psim-kernels -q --sources "$sources" -o "$work" --build "$same" </dev/null
	# The memory of 4 KiB is what makes several blocks of small problems.
	for array in 1,4096 2,65536 2,4096 3,4096 6,8192 16,65536 16,4096 32,65536; do
		pes=${array%,*} sbm=${array#*,}
		[ "$sbm" -ge "$(least "$name")" ] || sbm=$(least "$name")
		[ "$takes" != even ] || [ $((pes % 2)) = 0 ] || continue
		sizes "$name" | tr ';' '\n' >"$work/sizes"
		while read -r arguments; do
			# shellcheck disable=SC2086
			got=$(run "$name" "$pes" "$sbm" $arguments </dev/null) runs=$((runs + 1))
			if [ "$same" = - ]; then
				case $got in *right*) continue ;; esac
				expected='... right'
			else
				# shellcheck disable=SC2086
				expected=$(run "$same" "$pes" "$sbm" $arguments </dev/null | sed "s/^$same /$name /")
				case $expected in
				*status*) ;; # a scalar kernel does not fail
				*) [ "${got#*[ :]}" != "${expected#*[ :]}" ] || continue ;;
				esac
			fi
			echo "$name $arguments with $pes PEs of $sbm bytes: $got; expected: $expected"
			bad=$((bad + 1))
		done <"$work/sizes"
	done
done <"$work/rows"
echo "$runs runs, $bad wrong"
[ $bad = 0 ] && [ $runs -gt 0 ]
