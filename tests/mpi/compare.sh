#!/bin/sh
# A program's output under a real MPI and under nsim: the same lines, on 6 ranks and on 8.
#   compare.sh MPICC MPIRUN NSIMCC NSIM FILE.c [ARGUMENT...]   (or mpif90, bsimf90, FILE.f90)
# Lines with times (" us") are nsim's own.
set -eu
mpicc=$1 mpirun=$2 nsimcc=$3 nsim=$4 file=$5
shift 5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
include=$(dirname "$(dirname "$file")")/mpi
"$mpicc" -w -O1 -I"$include" "$file" -o "$work/real" -lm
"$nsimcc" -w -O1 "$file" -o "$work/simulated.so" -lm
# root may start it (containers), on fewer processors than ranks
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
for n in 6 8; do
	"$mpirun" -n $n "$work/real" "$@" >"$work/real.out" || { cat "$work/real.out" >&2; exit 1; }
	"$nsim" -q -n $n -o "$work/report" "$work/simulated.so" "$@" | grep -v ' us' >"$work/simulated.out"
	[ -s "$work/simulated.out" ] || { echo "no output of $file" >&2; exit 1; }
	sort "$work/real.out" >"$work/a"
	sort "$work/simulated.out" >"$work/b"
	diff -u "$work/a" "$work/b" >&2
done
