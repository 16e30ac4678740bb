#!/bin/sh
# Time models of the kernels on the scalar core and on the one with 16 PEs, fitted to small
# sizes and held against larger ones that were simulated too.
#
#   time-models.sh [--full] [--only scalar|simd] PSIM PSIM-RECORD PSIM-FIT [FOLDER]
#
# Records, simulates (configs/sparc64v-prefetched.ini, simd16-prefetched.ini) and fits; --full adds
# the largest sizes (dgemm of n = 1024 alone takes minutes). Where FOLDER is given, the
# models and pictures go there: configs/models is made by
# `time-models.sh --full … configs/models`. Prints the error at the sizes held out;
# status 5 if it is above 3 %, 77 if the cross compiler is not there.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
full=no only=
while :; do
	case $1 in
	--full) full=yes ;;
	--only)
		only=$2
		shift
		;;
	*) break ;;
	esac
	shift
done
psim=$(realpath "$1") record=$(realpath "$2")
PATH=$(dirname "$record"):$(dirname "$(realpath "$3")"):$PATH # so that a model's origin names no folder
folder=$(realpath "${4:-/nonexistent}" 2>/dev/null || true)
. "$(dirname "$0")/../need.sh"
need sparc64-linux-gnu-gcc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
status=0

# simulate KERNEL SIZE ARGUMENTS...: KERNEL-SIZE.json
simulate() {
	kernel=$1 size=$2
	shift 2
	config=sparc64v-prefetched.ini
	case $kernel in simd-*) config=simd16-prefetched.ini ;; esac
	"$top/traces/kernels/psim-kernels.sh" --sources "$top/traces/kernels" -q "$kernel" "$@"
	"$psim" -q --no-profile -c "$top/configs/$config" --json -o "$kernel-$size.json" "$kernel.trace.gz"
}

# model KERNEL TERMS FIRST-HELD-OUT SIZES...; the region has the kernel's name, without simd-
model() {
	program=$1 region=${1#simd-} terms=$2 bound=$3
	shift 3
	points=
	for n in "$@"; do
		points="$points n=$n:$program-$n.json"
	done
	psim-fit --region "$region" --terms "$terms" --hold-out "n>=$bound" --model "$program.model" \
		--picture "$program.svg" --expect 'model.held_out_error<=3' -f csv -o "$program.csv" $points || status=$?
	awk -F, -v name="$program" '
		$2 == "formula" { formula = $4 }
		$1 == "points" && $2 == "point" { point = $4 }
		$1 == "points" && $2 == "use" { use = $4 }
		$1 == "points" && $2 == "value" { value = $4 }
		$1 == "points" && $2 == "error" && use == "held out" {
			text = text sprintf("  held out %-8s %10.3f us simulated, model %+8.4f %%\n", point, value * 1e6, $4)
		}
		END { printf "%s: %s\n%s", name, formula, text }' "$program.csv"
	[ ! -d "$folder" ] || cp "$program.model" "$program.svg" "$folder/"
}

# products KERNEL FIRST-HELD-OUT SIZES...
products() {
	kernel=$1 bound=$2
	shift 2
	for n in "$@"; do
		simulate "$kernel" "$n" "$n"
	done
	model "$kernel" '1, n, n^2, n^3' "$bound" "$@"
}

# transforms KERNEL FIRST-HELD-OUT LOG2...: n points 8 times, log2(n) passes
transforms() {
	kernel=$1 bound=$2 sizes=
	shift 2
	for log2n in "$@"; do
		simulate "$kernel" $((1 << log2n)) "$log2n" 8
		sizes="$sizes $((1 << log2n))"
	done
	# shellcheck disable=SC2086
	model "$kernel" '1, log2(n), n, n*log2(n)' "$bound" $sizes
}

large() { # SIZES...: those of --full
	[ $full = no ] || echo "$@"
}

# shellcheck disable=SC2046
if [ "$only" != simd ]; then
	# 4 x 4 results at a time: multiples of 16. 4 x 3 and copies of A and B: multiples of 12.
	products dgemm 200 32 48 64 80 96 112 128 160 192 256 $(large 384 512 1024)
	products zgemm 100 12 24 36 48 60 72 96 120 $(large 240 384 516)
	transforms fft 2000 6 7 8 9 10 11 12 $(large 13 14 16)
fi
# shellcheck disable=SC2046
if [ "$only" != scalar ]; then
	# 4 rows in each of 16 PEs: multiples of 64. 4 columns in each of 8 pairs: multiples of 32.
	products simd-dgemm 400 64 128 192 256 320 384 512 $(large 1024)
	products simd-zgemm 300 32 64 96 128 160 192 256 320 $(large 512 1024)
	transforms simd-fft 400 4 5 6 7 8 9 10 11
fi
exit $status
