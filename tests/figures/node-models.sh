#!/bin/sh
# Time models of the petascale machine's node, from the kernels' sources: compiled, recorded, simulated on eight
# cores (configs/petascale-chip*.ini) at small sizes, fitted, and held against sizes that the fit has not seen.
#
#   node-models.sh [-j JOBS] [-k KEPT] FOLDER [NAME...]
#
# psim-kernels, psim-record, psim and psim-fit are found in PATH. What was simulated is kept in the folder KEPT, and
# not simulated again while programs, kernels and configurations are the same. FOLDER gets NAME.model of
#   dgemm         C += A B, m x n, k deep, each core: simd-update-plain, as Table 2's dgemm the form nearest to the paper
#   dgemm-tuned   the same, simd-update
#   dgemm-caches  simd-update-plain without the assumption that everything is prefetched
#   panel         LU of a tall panel, m x w, each core
#   rows          k rows of n columns copied out of a matrix, each core; with caches, as memory is all there is to it
#   zgemm         complex C += A B, m x n, k deep, each core: simd-zupdate-plain; n a multiple of 64, the columns that the
#                 array takes at once
#   zgemm-tuned   the same, simd-zupdate
#   fft           transforms of n points, 16 at a time, each core: simd-fft
#   fft-lines     the same, side by side as in two of a cube's three directions: simd-fft-lines
# Each core of a node works on a part of its own, so the sizes are those of a core. Status 5 if a model is off by more
# than 5 % at a size held out, 77 without the cross compiler.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
jobs=1 kept=
while getopts j:k: option; do
	case $option in
	j) jobs=$OPTARG ;;
	k) mkdir -p "$OPTARG" && kept=$(realpath "$OPTARG") ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { echo "usage: node-models.sh [-j JOBS] [-k KEPT] FOLDER [NAME...]" >&2 && exit 2; }
folder=$1
shift
names=" ${*:-dgemm dgemm-tuned dgemm-caches panel rows zgemm zgemm-tuned fft fft-lines} "
command -v sparc64-linux-gnu-gcc >/dev/null || {
	echo "skipped: sparc64-linux-gnu-gcc is not installed"
	exit 77
}
mkdir -p "$folder"
folder=$(realpath "$folder")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Several models at a time: each by a run of its own, told in their order.
if [ "$jobs" -gt 1 ]; then
	# shellcheck disable=SC2086
	printf '%s\n' $names | NODE_MODELS_OUT=$work xargs -P "$jobs" -I NAME sh -c \
		'"$0" ${1:+-k "$1"} "$2" NAME >"$NODE_MODELS_OUT/NAME" || echo $? >"$NODE_MODELS_OUT/status"' \
		"$0" "$kept" "$folder"
	for name in $names; do
		cat "$work/$name"
	done
	[ ! -f "$work/status" ] || exit "$(cat "$work/status")"
	exit 0
fi
cd "$work"
status=0
# All that a simulation's result rests on, but its own words.
inputs=$(cat "$(command -v psim)" "$(command -v psim-record)" "$(command -v psim-kernels)" "$top"/configs/*.ini \
	$(find "$top/traces/kernels" -type f | LC_ALL=C sort) | sha256sum)

# simulate NAME KERNEL CONFIG ARGUMENT...: NAME-ARGUMENT-….json
simulate() {
	name=$1 kernel=$2 config=$3
	shift 3
	result=$name-$(echo "$*" | tr ' ' '-').json
	key=$(echo "$inputs $kernel $config $*" | sha256sum | cut -c 1-32)
	if [ -n "$kept" ] && [ -f "$kept/$key.json" ]; then
		cp "$kept/$key.json" "$result"
		return
	fi
	psim-kernels --sources "$top/traces/kernels" -q "$kernel" "$@"
	psim -q --no-profile -c "$top/configs/$config.ini" --json -o "$result" "$kernel.trace.gz"
	[ -z "$kept" ] || { cp "$result" "$kept/$key.new" && mv "$kept/$key.new" "$kept/$key.json"; }
	echo "node-models.sh: done: $kernel $*" >&2
}

# fit NAME TERMS HELD-OUT [TERMS], to $points; with other TERMS the larger of the two sums
fit() {
	name=$1 terms=$2 held=$3
	psim-fit --value chip.seconds --terms "$terms" ${4:+--terms "$4"} --hold-out "$held" --model "$name.model" \
		--picture "$name.svg" --expect "model.held_out_error<=5" -f csv -o "$name.csv" $points || status=$?
	awk -F, -v name="$name" '
		$1 == "model" && $2 == "formula" { formula = $0; gsub(/^[^,]*,[^,]*,[^,]*,|,$|"/, "", formula) }
		$2 == "max_error" { most = $4 }
		$2 == "held_out_error" { held = $4 }
		END { printf "%-14s %s\n%-14s fitted points %.2f %%, held out %.2f %%\n", name, formula, "", most, held }
	' "$name.csv"
	cp "$name.model" "$folder/"
}

sizes='128,32,32 128,128,32 256,64,32 128,32,64 128,128,64 256,64,64 128,32,128 128,128,128 256,64,128 128,256,128
	128,32,256 128,128,256 256,64,256 256,256,256 384,320,128 512,128,192'

products() { # NAME KERNEL CONFIG SIZES TERMS [TERMS]
	points=
	for size in $4; do
		# shellcheck disable=SC2046
		simulate "$1" "$2" "$3" $(echo $size | tr ',' ' ')
		points="$points $(echo $size | sed 's/\(.*\),\(.*\),\(.*\)/m=\1,n=\2,k=\3/'):$1-$(echo $size | tr ',' '-').json"
	done
	fit "$1" "$5" 'm>256' "${6:-}"
}

# Small shapes and deep ones, as Gram-Schmidt has them; held out are such as need several blocks of rows.
complex_products() { # NAME KERNEL
	points=
	for size in 64,64,64 256,64,64 512,64,64 64,128,64 64,64,128 128,64,128 256,64,128 256,128,128 512,64,128 \
		64,64,256 128,64,256 256,64,256 128,128,256 64,64,512 128,64,512 128,192,512 256,64,512 512,64,512 \
		128,128,1024 512,128,1024 1024,64,128 768,64,384 1024,128,256 896,128,768; do
		# shellcheck disable=SC2046
		simulate "$1" "$2" petascale-chip-prefetched $(echo $size | tr ',' ' ')
		points="$points $(echo $size | sed 's/\(.*\),\(.*\),\(.*\)/m=\1,n=\2,k=\3/'):$1-$(echo $size | tr ',' '-').json"
	done
	fit "$1" 'm*n, n*k, m*n*k' 'm>512'
}

panels() {
	points=
	for size in 64,4 128,4 512,4 64,8 128,8 512,8 128,16 256,16 512,16 128,32 256,32 512,32 256,64 512,64 1024,16 \
		1024,32; do
		# shellcheck disable=SC2046
		simulate panel panel petascale-chip-prefetched $(echo $size | tr ',' ' ')
		points="$points $(echo $size | sed 's/\(.*\),\(.*\)/m=\1,w=\2/'):panel-$(echo $size | tr ',' '-').json"
	done
	fit panel 'w, m*w, w^2, w^3, m*w^2' 'm>512'
}

copies() {
	points=
	for size in 64,64 64,128 96,64 96,128 128,64 128,128 192,64 192,128 256,64 256,128 256,256 128,256; do
		# shellcheck disable=SC2046
		simulate rows rows petascale-chip $(echo $size | tr ',' ' ')
		points="$points $(echo $size | sed 's/\(.*\),\(.*\)/k=\1,n=\2/'):rows-$(echo $size | tr ',' '-').json"
	done
	fit rows 'n, k*n' 'n>128'
}

transforms() { # NAME KERNEL
	points=
	for log2n in 4 5 6 7 8 9; do
		simulate "$1" "$2" petascale-chip-prefetched $log2n 16
		points="$points n=$((1 << log2n)):$1-$log2n-16.json"
	done
	fit "$1" '1, log2(n), n, n*log2(n)' 'n>256'
}

wanted() { # NAME
	case $names in *" $1 "*) ;; *) return 1 ;; esac
}

wanted dgemm && products dgemm simd-update-plain petascale-chip-prefetched "$sizes" 'm, m*n, m*k, m*n*k'
# For each block of rows the array works (m, m n, m n k) while the next block of A and C comes (m n, m k), then C goes
# (m n). Where the array takes longer, the first A and C (n, k) come before; where memory does, the last work (n, n k)
# follows. A block is 64 rows, all alike, so the sum of the larger times is the larger of two sums. Sizes on both sides.
wanted dgemm-tuned && products dgemm-tuned simd-update petascale-chip-prefetched "$sizes 192,32,64 256,32,32
	192,64,32 256,32,128 256,128,32 192,64,128 192,128,64 256,128,128 192,96,96 384,64,32 512,32,128" \
	'n, k, m, m*n, m*n*k' 'n, m, n*k, m*n, m*k'
# As dgemm, and B comes from memory once (n k). Rows of B are an odd number of lines long, as programs pad them for
# caches: else the elements of a column, with which the array works, fall on few sets of L1 and each broadcast goes to L2.
wanted dgemm-caches && products dgemm-caches simd-update-plain petascale-chip "128,40,32 128,136,32 256,72,32 128,40,64
	128,136,64 256,72,64 128,40,128 128,136,128 256,72,128 128,264,128 128,40,256 128,136,256 256,72,256 256,264,256
	384,328,128 512,136,192" 'm, m*n, m*k, n*k, m*n*k'
wanted panel && panels
wanted rows && copies
wanted zgemm && complex_products zgemm simd-zupdate-plain
wanted zgemm-tuned && complex_products zgemm-tuned simd-zupdate
wanted fft && transforms fft simd-fft
wanted fft-lines && transforms fft-lines simd-fft-lines
exit $status
