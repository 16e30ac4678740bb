#!/bin/sh
# HPL and PHASE on the PRIMEQUEST 580: the six rows of the PSI-SIM paper's Table 6 and the three of Table 5, by the skeletons
# (netlink/programs/skeletons) on configs/machines/primequest-580.ini, beside what the paper predicted and measured.
#
#   primequest.sh [HPL-OPTION...]     bsim and bsimcc are found in PATH
#
# Computation was calibrated on one row of each, HPL's first and PHASE's last; docs/accuracy-systems.md says how.
# HPL-OPTIONs instead of swap=binary. Status 5 if a computation is further from the measured one than 7 %, or a total of HPL
# from the measured one than the paper's own were: -8 to +6 %, in whole percent; or one of PHASE than the paper's of the
# same row.
set -eu
status=0
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- swap=binary
bsimcc -O2 -o "$work/hpl.so" "$top/netlink/programs/skeletons/hpl.c"

run() { # ENGINE N NB P Q OPTION...: seconds
	engine=$1 ranks=$(($4 * $5))
	shift
	bsim -q -e "$engine" -c "$top/configs/machines/primequest-580.ini" -n "$ranks" -o /dev/null "$work/hpl.so" "$@" |
		sed -n 's/^hpl .*: \(.*\) s,.*/\1/p'
}

echo "                            computation, s                      total, s"
echo "     N ranks  NB    ours paper's measured    off    ours paper's measured    off  host, s"
while read -r n p q nb paper_all measured_all paper_compute measured_compute; do
	begin=$(date +%s)
	compute=$(run none "$n" "$nb" "$p" "$q" "$@")
	all=$(run linear "$n" "$nb" "$p" "$q" "$@")
	echo "$n $((p * q)) $nb $compute $paper_compute $measured_compute $all $paper_all $measured_all \
		$(($(date +%s) - begin))"
done <<'END' >"$work/rows"
160000 32 32 120 707 770 468 481
240000 32 32 120 2047 2155 1548 1580
320000 32 32 120 4484 4348 3630 3624
160000 16 16 120 2168 2043 1814 1780
160000 16 32 120 1156 1119 915 905
320000 32 32 180 4543 4562 3684 3764
END
awk '{
	a = 100 * ($4 / $6 - 1); b = 100 * ($7 / $9 - 1); bad += b >= 6.5 || b <= -8.5 || a > 7 || a < -7
	printf "%6d %5d %3d %7.0f %7d %8d %+5.1f%% %7.0f %7d %8d %+5.1f%% %8d\n", $1, $2, $3, $4, $5, $6, a, $7, $8, $9, b, $10
} END { exit bad ? 5 : 0 }' "$work/rows" || status=5
command -v gfortran >/dev/null || exit $status
(cd "$work" && bsimf90 -O2 -o phase.so "$top/netlink/programs/skeletons/phase.f90")

phase() { # BANDS: computation of a rank, mean, and the total, seconds; 377 500 waves, 256 projectors, a grid of 145^3
	bsim -q -e linear -c "$top/configs/machines/primequest-580.ini" -n 1024 -o "$work/report" "$work/phase.so" \
		"$1" 377500 256 145 32 32 block layouts=three | sed -n 's/^phase .*: *\(.*\) s,.*/\1/p' >"$work/total"
	echo "$(sed -n 's/^  compute  *\([0-9.e+]*\) s .*a rank, mean/\1/p' "$work/report") $(cat "$work/total")"
}

echo " bands ranks        ours paper's measured    off    ours paper's measured    off  host, s"
while read -r n paper_all measured_all paper_compute measured_compute; do
	begin=$(date +%s)
	ours=$(phase "$n")
	echo "$n ${ours% *} $paper_compute $measured_compute ${ours#* } $paper_all $measured_all $(($(date +%s) - begin))"
done <<'END' >"$work/rows"
4096 23.5 28.8 11.6 12.3
8192 84.0 97.8 39.8 39.2
16384 301 336 146 148
END
awk '{
	a = 100 * ($2 / $4 - 1); b = 100 * ($5 / $7 - 1); theirs = 100 * ($6 / $7 - 1)
	bad += a > 7 || a < -7 || b * b > theirs * theirs
	printf "%6d  1024     %7.1f %7s %8s %+5.1f%% %7.1f %7s %8s %+5.1f%% %8d\n", $1, $2, $3, $4, a, $5, $6, $7, b, $8
} END { exit bad ? 5 : 0 }' "$work/rows" || status=5
exit $status
