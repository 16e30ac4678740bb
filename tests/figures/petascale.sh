#!/bin/sh
# The petascale machine of the PSI-SIM paper (section 4, Tables 8 and 9), from the sources of kernels to seconds of
# the whole system: kernels are compiled, recorded, simulated on the node's eight cores and fitted (node-models.py);
# the models drive the skeletons of HPL and PHASE on 4096 ranks (configs/machines/petascale.ini).
#
#   petascale.sh [-j JOBS] [--quick] [--models FOLDER] [--programs BUILD] [--keep FOLDER]
#
# bsim, bsimcc, bsimf90, bsim-table, psim-kernels, psim-record, psim and psim-fit are found in PATH, or in the build
# folder BUILD. JOBS runs at a time. --models takes models that are there already (configs/models/node, by
# node-models.py). --keep: what is done stays in FOLDER, and a later call goes on from there; a run is done again when a
# program, a skeleton, a model or the machine has changed. --quick: no runs of 4096 nodes, only of 64 with the same
# share of a node. `ninja -C build petascale` is all of it, kept in the build folder: an hour of a core.
# Status 5 if a model is off at sizes held out, or HPL on 4096 nodes is further than 10 % from the paper's seconds.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
jobs=1 quick=no models= work= missed=0
while [ $# -gt 0 ]; do
	case $1 in
	-j) jobs=$2 && shift ;;
	--quick) quick=yes ;;
	--models) models=$(realpath "$2") && shift ;;
	--programs)
		build=$(realpath "$2") && shift
		PATH=$build/bin:$PATH
		;;
	--keep) mkdir -p "$2" && work=$(realpath "$2") && shift ;;
	*) echo "petascale.sh: unknown option $1" >&2 && exit 2 ;;
	esac
	shift
done
if [ -z "$work" ]; then
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
fi
if [ -z "$models" ]; then
	models=$work/models
	"$top/tests/figures/node-models.py" -j "$jobs" -k "$work/simulated" "$models" || missed=$?
	case $missed in 0 | 5) echo ;; *) exit "$missed" ;; esac
fi
bsimcc -O2 -o "$work/hpl.so" "$top/netlink/programs/skeletons/hpl.c"
fortran=no
command -v gfortran >/dev/null && fortran=yes && (cd "$work" && bsimf90 -O2 -o phase.so "$top/netlink/programs/skeletons/phase.f90")

# The runs: TITLE|ENGINE|RANKS|PEAK in GFlop/s|PAPER's seconds|MODEL...|OPTION...|PROGRAM ARGUMENT...
hpl='dgemm=dgemm panel=panel rows=rows'
ffts='fft=fft fft_lines=fft-lines panel=panel'
phase="zgemm=zgemm $ffts"
small='-p topology.dims=4x4x4 -p topology.cabinet=none -p linear.hop=105ns'
by_table="$small -p table.file=packet.times"
peak=2097152
one_cabinet() {
	echo "= 64 nodes, 4 x 4 x 4, HPL with N = 40 960, NB = 128: the share of a node is that of N = 327 680 on 4096"
	for engine in none linear flow; do
		echo "$engine|$engine|64|32768||$hpl|$small|hpl.so 40960 128 8 8 swap=binary"
	done
	echo "table|table|64|32768||$hpl|$by_table|hpl.so 40960 128 8 8 swap=binary"
	[ $quick = yes ] || echo "packet|packet|64|32768||$hpl|$small|hpl.so 40960 128 8 8 swap=binary"
	echo "= 64 nodes, HPL with N = 10 240, NB = 64"
	for engine in none linear flow packet; do
		echo "$engine|$engine|64|32768||$hpl|$small|hpl.so 10240 64 8 8 swap=binary"
	done
	[ $fortran = yes ] || return 0
	echo "= 64 nodes, PHASE with 8192 bands, 345 000 waves, 512 projectors, 140^3: the share of a node is that below"
	for engine in none linear flow; do
		echo "$engine|$engine|64|32768||$phase|$small|phase.so 8192 345000 512 140 8 8 block layouts=three"
	done
	echo "table|table|64|32768||$phase|$by_table -p mpi.collectives=table|phase.so 8192 345000 512 140 8 8 block layouts=three"
	[ $quick = yes ] || echo "packet|packet|64|32768||$phase|$small|phase.so 8192 345000 512 140 8 8 block layouts=three"
}

all_nodes() {
	echo "= 4096 nodes, HPL with N = 1 310 720"
	for nb in 120 180 256; do
		echo "NB = $nb, no network delay|none|4096|$peak|1397|$hpl||hpl.so 1310720 $nb 64 64 swap=long"
		echo "NB = $nb, linear|linear|4096|$peak|1477|$hpl||hpl.so 1310720 $nb 64 64 swap=binary"
	done
	echo "NB = 256, flow|flow|4096|$peak|1477|$hpl||hpl.so 1310720 256 64 64 swap=binary"
	echo "= the same, other forms of dgemm"
	for form in tuned caches; do
		echo "NB = 256, dgemm-$form, no network delay|none|4096|$peak||dgemm=dgemm-$form panel=panel rows=rows||hpl.so 1310720 \
256 64 64 swap=long"
	done
	[ $fortran = yes ] || return 0
	echo "= 4096 nodes, PHASE with 65 536 bands of 2 760 000 waves, 4096 projectors, a grid of 280^3"
	for form in zgemm zgemm-tuned; do
		for deal in cyclic block; do
			echo "$form, bands $deal, no network delay|none|4096|$peak|165|zgemm=$form $ffts||phase.so 65536 2760000 4096 \
280 64 64 $deal"
		done
	done
	echo "zgemm, bands block, linear|linear|4096|$peak||$phase||phase.so 65536 2760000 4096 280 64 64 block layouts=three"
}

# Times of messages and collective operations on 64 nodes, each alone, simulated by packets; sizes as PHASE has them.
table_of_times() {
	key=$(cat "$(command -v bsim-table)" "$top/configs/machines/petascale.ini" | sha256sum | cut -c 1-16)
	# shellcheck disable=SC2086
	[ -f "$work/$key.times" ] || bsim-table -q -e packet -c "$top/configs/machines/petascale.ini" $small --ranks 8 \
		--tables p2p,bcast,allreduce,alltoall --sizes 0,4KiB,256KiB,4MiB,64MiB,128MiB -o "$work/$key.times"
	cp "$work/$key.times" "$work/packet.times"
}

table_of_times
one_cabinet >"$work/rows"
[ $quick = yes ] || all_nodes >>"$work/rows"
sum() { sha256sum | cut -c 1-32; }
inputs=$(cat "$(command -v bsim)" "$top/configs/machines/petascale.ini" "$work/packet.times" | sum)
key_of() { # MODEL... PROGRAM ROW: what a run rests on
	list=$1 source=${2%%.so*}
	{
		for model in $list; do
			cat "$models/${model#*=}.model"
		done
		cat "$top/netlink/programs/skeletons/$source".[cf]*
		echo "$inputs $3"
	} | sum
}
rm -f "$work/keyed"
while read -r row; do
	key=title
	case $row in
	"= "*) ;;
	*) key=$(key_of "$(echo "$row" | cut -d '|' -f 6)" "${row##*|}" "$row") ;;
	esac
	echo "$key|$row" >>"$work/keyed"
done <"$work/rows"
while IFS='|' read -r key row; do
	case $row in "= "*) continue ;; esac
	[ -f "$work/$key" ] || echo "$key|$row"
done <"$work/keyed" | PETASCALE=$work MODELS=$models TOP=$top xargs -r -P "$jobs" -d '\n' -n 1 \
	"$top/tests/figures/petascale-row.sh" || : # told below, by its log

while IFS='|' read -r key title engine ranks peak paper rest; do
	case $title in "= "*) echo "${title#= }" && continue ;; esac
	[ -f "$work/$key" ] || { cat "$work/$key.log" >&2 && exit 1; }
	awk -v name="$title" -v peak="$peak" -v paper="$paper" '{
		off = paper ? 100 * ($1 / paper - 1) : 0
		printf "  %-44s %9.4g s %9.4g TFlop/s %5.1f %%  host %5.0f s%s\n", name, $1, $2 / 1e3, 100 * $2 / peak, $3,
			paper ? sprintf("   paper %d s: %+.1f %%", paper, off) : ""
		exit paper > 1000 && (off > 10 || off < -10) ? 5 : 0 }' "$work/$key" || missed=5
done <"$work/keyed"
exit $missed
