#!/bin/sh
# Records the sample traces of this directory from the programs in ../kernels.
#
#   make.sh PSIM-RECORD [FOLDER]      FOLDER: output directory, default this one
#
# Requires gcc-sparc64-linux-gnu; status 77 if it is not installed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
record=$(realpath "$1")
folder=$(realpath "${2:-$here}")
cc=sparc64-linux-gnu-gcc
command -v $cc >/dev/null || {
	echo "skipped: $cc is not installed"
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# SPARC64 V: JPS1 with FMADD. Only the gnu dialects of C contract a multiplication and an addition.
flags="-std=gnu17 -O3 -mcpu=ultrasparc3 -mfmaf -Wa,-Av9d -static"

# sample NAME PROGRAM "RECORDER OPTIONS" ARGUMENTS...
sample() {
	name=$1 program=$2 options=$3
	shift 3
	$cc $flags "$here/../kernels/$program.c" -lm -o "$work/$name"
	(cd "$work" && "$record" $options -o "$folder/$name.trace.gz" -- "./$name" "$@" >/dev/null)
	echo "$name.trace.gz: $(wc -c <"$folder/$name.trace.gz") bytes"
}

sample hello hello ''
sample dgemm dgemm '--warm-up 0 --region dgemm' 48
sample quicksort quicksort '--warm-up 0 --from main' 3000
sample chase chase '--warm-up 0 --region chase' 8192 20000
sample axpy simd/axpy '--warm-up 0 --region axpy' 500

# kernel NAME ARGUMENTS...: a kernel of kernels.table, recorded by psim-kernels: its region, with a fixed path
kernel() {
	PATH=$(dirname "$record"):$PATH python3 "$here/../kernels/psim-kernels.py" -q -o "$work" --sources "$here/../kernels" "$@"
	mv "$work/$1.trace.gz" "$folder"
	echo "$1.trace.gz: $(wc -c <"$folder/$1.trace.gz") bytes"
}

kernel dgemm-packed 128
kernel simd-dgemm 128
kernel zgemm 48
kernel simd-zgemm 48
kernel fft-radix4 10 8
kernel simd-fft 10 8
