#!/bin/sh
# The petascale machine of the PSI-SIM paper (section 4, Tables 8 and 9), from the sources of kernels to seconds of
# the whole system: kernels are compiled, recorded, simulated on the node's eight cores and fitted (node-models.sh);
# the models drive the skeletons of HPL and PHASE on 4096 ranks (configs/machines/petascale.ini).
#
#   petascale.sh [--quick] [--models FOLDER] [--nb 'NB...']
#
# bsim, bsimcc, bsimf90, psim-kernels, psim-record, psim and psim-fit are found in PATH. --models takes models that are
# there already (configs/models/node, by node-models.sh). --quick: no runs of 4096 nodes, only of 64
# with the same share of a node, by all engines. `ninja -C build petascale` is this without options: an hour of a core.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
quick=no models= blocks='120 180 256'
while [ $# -gt 0 ]; do
	case $1 in
	--quick) quick=yes ;;
	--models) models=$(realpath "$2") && shift ;;
	--nb) blocks=$2 && shift ;;
	*) echo "petascale.sh: unknown option $1" >&2 && exit 2 ;;
	esac
	shift
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "$models" ]; then
	models=$work/models
	"$top/tests/figures/node-models.sh" "$models"
	echo
fi
bsimcc -O2 -o "$work/hpl.so" "$top/netlink/skeletons/hpl.c"
fortran=no
command -v gfortran >/dev/null && fortran=yes && bsimf90 -O2 -o "$work/phase.so" "$top/netlink/skeletons/phase.f90"

# system ENGINE RANKS DGEMM ZGEMM OPTION... PROGRAM ARGUMENT...: its line
system() {
	engine=$1 ranks=$2 dgemm=$3 zgemm=$4
	shift 4
	bsim -q -e "$engine" -c "$top/configs/machines/petascale.ini" -n "$ranks" -o /dev/null \
		--model "dgemm=$models/$dgemm.model" --model "panel=$models/panel.model" \
		--model "rows=$models/rows.model" --model "zgemm=$models/$zgemm.model" \
		--model "fft=$models/fft.model" "$@" >"$work/line" 2>"$work/log" || { cat "$work/log" >&2 && exit 1; }
}

row() { # NAME PEAK-GFLOP/S PAPER-SECONDS: of the line
	sed -n 's/.*: *\([^ ]*\) s, *\([^ ]*\) GFlop.*/\1 \2/p' "$work/line" | awk -v name="$1" -v peak="$2" -v paper="$3" '{
		printf "%-44s %10.4g s %9.4g TFlop/s %5.1f %%", name, $1, $2 / 1e3, 100 * $2 / peak
		if (paper > 0)
			printf "   paper %d s: %+.1f %%", paper, 100 * ($1 / paper - 1)
		print "" }'
}

# One cabinet.
small='-p topology.dims=4x4x4 -p topology.cabinet=none -p linear.hop=105ns'
echo "64 nodes, 4 x 4 x 4, HPL with N = 40 960, NB = 128: the share of a node is that of N = 327 680 on 4096"
for engine in none linear flow packet; do
	[ $engine != packet ] || continue
	system $engine 64 dgemm zgemm $small "$work/hpl.so" 40960 128 8 8 swap=binary
	row "  engine $engine" 32768 0
done
echo "64 nodes, HPL with N = 10 240, NB = 64"
for engine in none linear flow packet; do
	system $engine 64 dgemm zgemm $small "$work/hpl.so" 10240 64 8 8 swap=binary
	row "  engine $engine" 32768 0
done
[ $quick = no ] || exit 0

peak=2097152
echo "4096 nodes, HPL with N = 1 310 720"
for nb in $blocks; do
	system none 4096 dgemm zgemm "$work/hpl.so" 1310720 $nb 64 64 swap=long
	row "  NB = $nb, no network delay" $peak 1397
	system linear 4096 dgemm zgemm "$work/hpl.so" 1310720 $nb 64 64 swap=binary
	row "  NB = $nb, linear" $peak 1477
done
system none 4096 dgemm-tuned zgemm "$work/hpl.so" 1310720 256 64 64 swap=long
row "  NB = 256, no delay, tuned dgemm" $peak 1397
system none 4096 dgemm-caches zgemm "$work/hpl.so" 1310720 256 64 64 swap=long
row "  NB = 256, no delay, with caches" $peak 1397
[ $fortran = yes ] || exit 0
echo "4096 nodes, PHASE with 65 536 bands of 2 760 000 waves, 4096 projectors, a grid of 280^3"
for form in zgemm zgemm-tuned; do
	for deal in cyclic block; do
		system none 4096 dgemm $form "$work/phase.so" 65536 2760000 4096 280 64 64 $deal
			row "  $form, bands $deal, no network delay" $peak 165
	done
done
system linear 4096 dgemm zgemm "$work/phase.so" 65536 2760000 4096 280 64 64 cyclic
row "  zgemm, bands cyclic, linear" $peak 0
