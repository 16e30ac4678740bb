#!/bin/sh
# The scalar column of the paper's Table 2: share of the 8 GFlop/s peak that dgemm,
# zgemm (n = 1024) and eight transforms of 1024 points reach with every access a hit.
#
#   table2.sh [--full|--bounds] PSIM PSIM-RECORD
#
# The products are run at four small n; a n^3 + b n^2 + c n through the
# cycles at the first three must foretell the fourth, and through the first, third and
# fourth it gives n = 1024. --full runs n = 1024 itself (1.7 to 6.2 thousand million
# instructions). --bounds instead shows what bounds the kernels: the share with one
# parameter changed. Every kernel checks its result. Watts: those of the energy model.
# Prints a line for each run; status 5 if no form of a kernel is within 10 % of the
# paper's figure; 77 if the cross compiler is not there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mode=usual
case ${1:-} in
--full | --bounds)
	mode=${1#--}
	shift
	;;
esac
psim=$(realpath "$1")
record=$(realpath "$2")
kernels=$here/../../traces/kernels
config=$here/../../configs/sparc64v-prefetched.ini
cc=sparc64-linux-gnu-gcc fc=sparc64-linux-gnu-gfortran
. "$(dirname "$0")/../need.sh"
need $cc $fc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The gnu dialect of C: only that makes a multiply-add of a multiplication and an addition.
flags="-O3 -mcpu=ultrasparc3 -mfmaf -Wa,-Av9d -static"

compile() { # NAME
	if [ -f "$kernels/$1.c" ]; then
		$cc -std=gnu17 $flags "$kernels/$1.c" -lm -o "$work/$1"
	else
		$cc $flags -c "$kernels/psim_region.c" -o "$work/region.o"
		(cd "$work" && $fc $flags "$kernels/psim_region.f90" "$kernels/$1.f90" region.o -o "$1")
	fi
}

run() { # PSIM'S OPTIONS...: cycles and watts of the region
	"$psim" -q --no-profile -c "$config" -f csv "$@" "$work/x.trace.gz" |
		awk -F, '$1 == "regions" && $2 == "cycles" { c = $4 } $1 == "regions" && $2 == "power" { print c, $4 }'
}

trace() { # NAME REGION ARGUMENTS...
	name=$1 region=$2
	shift 2
	"$record" -q --warm-up 0 --region "$region" -o "$work/x.trace.gz" -- "$work/$name" "$@" >/dev/null
}

simulate() { # NAME REGION ARGUMENTS...: cycles and watts of the region
	trace "$@" && run
}

# line KERNEL SIZE "CYCLES WATTS" FLOPS PAPER NOTE: share of 4 flop a cycle, beside the paper's
line() {
	awk -v k="$1" -v n="$2" -v c="${3% *}" -v w="${3#* }" -v f="$4" -v p="$5" -v note="$6" 'BEGIN {
		share = 100 * f / c / 4
		near = share >= 0.9 * p && share <= 1.1 * p
		printf "%-14s %-9s %14.0f %10.1f %10.1f %7s  %-7s %s\n", k, n, c, share, p, \
			w == "" ? "" : sprintf("%.1f", w), (near ? "near" : share > p ? "above" : "below"), note
	}' | tee -a "$work/result"
}

# product KERNEL REGION FLOPS/N^3 PAPER N1 N2 N3 N4
product() {
	compile "$1"
	if [ $mode = full ]; then
		line "$1" 1024 "$(simulate "$1" "$2" 1024)" "$(($3 * 1073741824))" "$4" simulated
		return
	fi
	for n in $5 $6 $7 $8; do
		c=$(simulate "$1" "$2" "$n")
		echo "$n ${c% *}" >>"$work/$1.points"
		line "$1" "$n" "$c" "$(($3 * n * n * n))" "$4" ''
	done
	# Through three points: divided differences of cycles / n, a polynomial of degree 2.
	awk '
		function through(i, j, k, n,    d1, d2) {
			d1 = (y[j] - y[i]) / (x[j] - x[i])
			d2 = ((y[k] - y[j]) / (x[k] - x[j]) - d1) / (x[k] - x[i])
			return n * (y[i] + d1 * (n - x[i]) + d2 * (n - x[i]) * (n - x[j]))
		}
		{ x[NR] = $1; y[NR] = $2 / $1 }
		END {
			printf "%.0f extrapolated; through the first three, n = %d is foretold to %+.2f %%\n",
				through(1, 3, 4, 1024), x[4], 100 * (through(1, 2, 3, x[4]) / x[4] / y[4] - 1)
		}' "$work/$1.points" >"$work/foretold"
	read -r c note <"$work/foretold"
	line "$1" 1024 "$c " "$(($3 * 1073741824))" "$4" "$note"
}

# transforms KERNEL: 8 x 5 N log2 N flops, as the paper counts
transforms() {
	compile "$1"
	line "$1" '1024 x 8' "$(simulate "$1" fft)" 409600 29.0 simulated
}

# bounds NAME SIZE FLOPS REGION ARGUMENTS...
bounds() {
	name=$1 size=$2 flops=$3
	shift 3
	compile "$name"
	trace "$name" "$@"
	for change in chip.frequency='2 GHz' core.rob_entries=128 decode.fub_entries=40 decode.fub_entries=64 \
		core.rsf_entries=16 latency.fp_fma=6 latency.fp_load_use=3 decode.width=6 core.address_pipes=3; do
		case $change in
		chip.*) label=defaults ;;
		*) label=$change ;;
		esac
		echo "$name $size $label $(run -p "$change")" |
			awk -v f="$flops" '{ printf "%-14s %-9s %-26s %10.1f\n", $1, $2, $3, 100 * f / $4 / 4 }'
	done
}
if [ $mode = bounds ]; then
	printf '%-14s %-9s %-26s %10s\n' kernel n parameter 'of peak %'
	bounds dgemm 96 $((2 * 96 * 96 * 96)) dgemm 96
	bounds dgemm_packed 192 $((2 * 192 * 192 * 192)) dgemm 192
	bounds zgemm 96 $((8 * 96 * 96 * 96)) zgemm 96
	bounds fft_stockham 1024x8 409600 fft
	bounds fft_radix4 1024x8 409600 fft
	exit 0
fi

printf '%-14s %-9s %14s %10s %10s %7s\n' kernel n cycles 'of peak %' 'paper %' watts
product dgemm dgemm 2 72.8 24 48 72 96
product dgemm_packed dgemm 2 72.8 24 48 72 96
product zgemm zgemm 8 96.3 24 48 72 96
transforms fft
transforms fft_stockham
transforms fft_radix4

# Of each kernel the best form at the paper's size, or one that is near.
status=0
for kernel in dgemm zgemm fft; do
	if grep -q "^$kernel.* 1024 .* near " "$work/result"; then
		echo "$kernel: within 10 % of the paper's figure"
	else
		echo "$kernel: NOT within 10 % of the paper's figure"
		status=5
	fi
done
exit $status
