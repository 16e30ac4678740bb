#!/bin/sh
# Time models of the kernels on the scalar core, fitted to small sizes and held
# against larger ones that were simulated too.
#
#   time-models.sh [--full] PSIM PSIM-RECORD PSIM-FIT [FOLDER]
#
# Records, simulates (configs/sparc64v-prefetched.ini) and fits; --full adds the
# largest sizes (dgemm of n = 1024 alone takes minutes). Where FOLDER is given, the
# models and pictures go there: configs/models is made by
# `time-models.sh --full … configs/models`. Prints the error at the sizes held out;
# status 5 if it is above 3 %, 77 if the cross compiler is not there.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
full=no
if [ "$1" = --full ]; then
	full=yes
	shift
fi
psim=$(realpath "$1") record=$(realpath "$2")
PATH=$(dirname "$(realpath "$3")"):$PATH # so that a model's origin names no folder
folder=$(realpath "${4:-/nonexistent}" 2>/dev/null || true)
cc=sparc64-linux-gnu-gcc
command -v $cc >/dev/null || {
	echo "skipped: $cc is not installed"
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
status=0

# simulate PROGRAM REGION SIZE ARGUMENTS...: NAME-SIZE.json
simulate() {
	program=$1 region=$2 size=$3
	shift 3
	"$record" -q --region "$region" -o x.trace.gz -- "./$program" "$@" >/dev/null
	"$psim" -q --no-profile -c "$top/configs/sparc64v-prefetched.ini" --json -o "$program-$size.json" x.trace.gz
}

# model PROGRAM REGION TERMS FIRST-HELD-OUT SIZES...
model() {
	program=$1 region=$2 terms=$3 bound=$4
	shift 4
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

for program in dgemm zgemm fft; do
	$cc -std=gnu17 -O3 -mcpu=ultrasparc3 -mfmaf -Wa,-Av9d -static "$top/traces/kernels/$program.c" -lm -o $program
done

# dgemm: 4 x 4 results at a time, n^2/16 times n steps; multiples of 16
sizes='32 48 64 80 96 112 128 160 192 256'
[ $full = no ] || sizes="$sizes 384 512 1024"
for n in $sizes; do
	simulate dgemm dgemm $n $n
done
model dgemm dgemm '1, n, n^2, n^3' 200 $sizes

# zgemm: 4 x 3 results at a time and copies of A and B; multiples of 12
sizes='12 24 36 48 60 72 96 120'
[ $full = no ] || sizes="$sizes 240 384 516"
for n in $sizes; do
	simulate zgemm zgemm $n $n
done
model zgemm zgemm '1, n, n^2, n^3' 100 $sizes

# fft: n points 8 times, log2(n) passes
sizes= points='6 7 8 9 10 11 12'
[ $full = no ] || points="$points 13 14 16"
for log2n in $points; do
	simulate fft fft $((1 << log2n)) $log2n 8
	sizes="$sizes $((1 << log2n))"
done
model fft fft '1, log2(n), n, n*log2(n)' 2000 $sizes
exit $status
