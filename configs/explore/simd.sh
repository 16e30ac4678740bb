#!/bin/sh
# simd.sh: records the kernels of simd.ini for each number of PEs and size of SBM, and explores.
#   simd.sh FOLDER [PSIM-EXPLORE-OPTION...]
# Into FOLDER: traces, results (simd.sqlite), table (simd.csv), report (simd.txt) and pictures (simd*.svg).
# Existing results are kept. psim-kernels, psim-record and psim-explore are found by PATH;
# DGEMM and FFT (environment) are the kernels' arguments.
set -eu
[ $# -gt 0 ] || { echo "usage: simd.sh FOLDER [PSIM-EXPLORE-OPTION...]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
shift
dgemm=${DGEMM:-256} fft=${FFT:-10 32}
mkdir -p "$folder/traces"

# record TRACE KERNEL PES SBM ARGUMENT...: a trace that is not there yet
record() {
	to=$folder/traces/$1.trace.gz kernel=$2 array=$3 room=$4 work=$folder/record.$$
	shift 4
	[ ! -e "$to" ] || return 0
	echo "recording $to" >&2
	if [ "$array" = 0 ]; then
		psim-kernels -q -o "$work" "$kernel" "$@"
	else
		psim-kernels -q -o "$work" --pes "$array" --sbm "$room" "$kernel" "$@"
	fi
	mv "$work/$kernel.trace.gz" "$to"
	rm -r "$work"
}

# shellcheck disable=SC2086
for pes in 0 2 4 8 16 32; do
	for sbm in '16 KiB' '64 KiB' '256 KiB'; do
		if [ $pes -gt 0 ]; then
			record "dgemm-$pes-$sbm" simd-dgemm "$pes" "$sbm" $dgemm
			record "fft-$pes-$sbm" simd-fft "$pes" "$sbm" $fft
		elif [ "$sbm" = '16 KiB' ]; then
			record "dgemm-0-$sbm" dgemm-packed 0 - $dgemm
			record "fft-0-$sbm" fft-radix4 0 - $fft
		fi
	done
done
sed "s|^base = \.\./|base = $here/../|" "$here/simd.ini" >"$folder/simd.ini"
psim-explore "$folder/simd.ini" -o "$folder/simd.sqlite" --csv "$folder/simd.csv" --svg "$folder/simd.svg" \
	--pareto "$@" >"$folder/simd.txt"
psim-explore -q "$folder/simd.ini" -o "$folder/simd.sqlite" --no-run --svg "$folder/simd-sbm.svg" \
	--over trace --colour simd.sbm_bytes "$@" >"$folder/simd-each.txt"
