#!/bin/sh
# More is never slower: no capacity and no width of the processor model, doubled, costs a
# kernel more than 0.5 % (more.c; exceptions: more.table).
#
#   more.sh MORE [--long]    psim-kernels and psim-record are found in PATH
#
# --long: each parameter from a quarter of its value to eight times it, step by step, of
# which none may cost more than 5 %. Status 5 if something costs more, 77 if the cross
# compiler is not there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
more=$(realpath "$1")
long=${2:-}
cc=sparc64-linux-gnu-gcc
. "$here/../need.sh"
need $cc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# kernel NAME ARGUMENT...: of traces/kernels; for the array also with twice the PEs and twice the memory
kernel() {
	psim-kernels -q -o "$work" "$@"
	case $1 in simd-*) ;; *) return 0 ;; esac
	mkdir -p "$work/twice"
	psim-kernels -q -o "$work/twice" --pes 32 "$@"
	mv "$work/twice/$1.trace.gz" "$work/$1.pes2.trace.gz"
	psim-kernels -q -o "$work/twice" --sbm 128KiB "$@"
	mv "$work/twice/$1.trace.gz" "$work/$1.sbm_bytes2.trace.gz"
}

$cc -std=gnu17 -O2 -fno-tree-loop-distribute-patterns -mcpu=ultrasparc3 -Wa,-Av9d -static \
	-o "$work/streams" "$here/micro/streams.c"
for stream in loads stores fill copy gather scatter; do
	psim-record -q --warm-up 0 --region stream -o "$work/$stream.trace.gz" -- "$work/streams" $stream
done
cp "$here/../../traces/samples/hello.trace.gz" "$work"
kernel triad 4000
kernel dgemm 20
kernel zgemm 12
kernel fft 8 2
kernel fft-radix4 8 2
kernel stencil 10 10 10
kernel spmv 400
kernel dot8 8
kernel quicksort 400
kernel panel 24 8
kernel rows 32 32
kernel chase 1024 2000
kernel simd-dgemm 64
kernel simd-dgemm-plain 48
kernel simd-zgemm 32
kernel simd-fft 6 64
kernel simd-fft-copy 5 32
kernel simd-triad 6000
kernel simd-stencil 34 34 6
kernel simd-spmv 400

steps=
[ "$long" != --long ] || steps=--steps
# shellcheck disable=SC2046,SC2086
"$more" $steps --machine 'prefetch.enabled=yes' --machine 'l1i.perfect=yes l1d.perfect=yes tlb.perfect=yes' \
	"$here/more.table" $(ls "$work"/*.trace.gz | grep -v '2[.]trace[.]gz$')
