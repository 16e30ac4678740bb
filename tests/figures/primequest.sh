#!/bin/sh
# HPL on the PRIMEQUEST 580: the six rows of the PSI-SIM paper's Table 6, by the skeleton (netlink/skeletons/hpl.c) on
# configs/machines/primequest-580.ini, beside what the paper predicted and measured.
#
#   primequest.sh [HPL-OPTION...]     bsim and bsimcc are found in PATH
#
# Computation was calibrated on the first row; docs/accuracy-systems.md says how. HPL-OPTIONs instead of swap=binary.
# Status 5 if a row is further from the measured total than 10 %.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- swap=binary
bsimcc -O2 -o "$work/hpl.so" "$top/netlink/skeletons/hpl.c"

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
	a = 100 * ($4 / $6 - 1); b = 100 * ($7 / $9 - 1); bad += b > 10 || b < -10
	printf "%6d %5d %3d %7.0f %7d %8d %+5.1f%% %7.0f %7d %8d %+5.1f%% %8d\n", $1, $2, $3, $4, $5, $6, a, $7, $8, $9, b, $10
} END { exit bad ? 5 : 0 }' "$work/rows"
