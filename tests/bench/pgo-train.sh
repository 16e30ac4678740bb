#!/bin/sh
# Runs the programs of a build with -Db_pgo=generate on what they are used for, so that -Db_pgo=use knows the paths: psim on
# the samples, psim-trace, nsim on its engines. What they do not run, as psim-record, is compiled as without a profile.
#
#     pgo-train.sh BUILD-FOLDER
set -e
here=$(cd "$(dirname "$0")/../.." && pwd)
PATH=$1/psim/bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for trace in hello dgemm quicksort chase dgemm-packed zgemm fft-radix4; do
	for how in '' --no-memo; do
		# shellcheck disable=SC2086
		psim -q -c "$here/configs/sparc64v.ini" $how -o "$work/report" "$here/traces/samples/$trace.trace.gz"
	done
done
for trace in axpy simd-dgemm simd-zgemm simd-fft; do
	psim -q -c "$here/configs/simd16.ini" -o "$work/report" "$here/traces/samples/$trace.trace.gz"
done
psim -q -c "$here/configs/sparc64v.ini" -p chip.cores=2 -o "$work/report" "$here/traces/samples/quicksort.trace.gz"
psim -q -c "$here/configs/sparc64v.ini" --sample -o "$work/report" "$here/traces/samples/dgemm-packed.trace.gz"
psim-trace "$here/traces/samples/quicksort.trace.gz" >"$work/report"
for engine in packet flow linear; do
	nsim -q -e $engine -p topology.dims=8x8 --pattern all_to_all:size=20000 -o "$work/report"
done
