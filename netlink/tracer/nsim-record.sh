#!/bin/sh
# nsim-record: a rank of an MPI program, which writes a trace for nsim --replay: docs/programs/nsim-record.md.
set -eu

usage() {
	cat <<-END
	usage: mpirun -n N nsim-record [OPTIONS] PROGRAM [ARGUMENTS]

	Runs an MPI program under MPICH or OpenMPI, and writes a trace of its calls for nsim --replay.

	options:
	  -o, --output FILE  the trace (nsim.trace); FILE.0, FILE.1, … of the ranks while the program runs
	  -h, --help         this text
	      --man          this text as a manual page
	  -V, --version      version

	examples:
	  mpirun -n 4 nsim-record -o cg.trace ./cg.S.x && nsim --replay cg.trace
	END
}

fail() {
	echo "nsim-record: $*" >&2
	exit 2
}

here=$(dirname "$(readlink -f "$0")")
file=nsim.trace
while [ $# -gt 0 ]; do
	case $1 in
	-o | --output)
		[ $# -gt 1 ] || fail "$1: no file, expected its name"
		file=$2
		shift
		;;
	--output=*) file=${1#*=} ;;
	-h | --help) usage; exit 0 ;;
	--man)
		printf '.TH "nsim-record" 1\n.SH NAME\nnsim-record \\- trace an MPI program for nsim\n.SH DESCRIPTION\n.nf\n'
		usage | sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^[.']/\\\\\&&/"
		printf '.fi\n'
		exit 0
		;;
	--list-options)
		usage | sed -nE 's/^ +((-.), )?(--[a-z]+)( ([A-Z]+))?  +(.*)/\3\t\2\t\5\t\6/;T;s/\t\t/\t-\t/g;s/\t\t/\t-\t/g;p'
		exit 0
		;;
	-V | --version) "$here/nsim" --version | sed 's/^nsim /nsim-record /'; exit 0 ;;
	--) shift; break ;;
	-*) fail "unknown option $1, expected one of --help" ;;
	*) break ;;
	esac
	shift
done
[ $# -gt 0 ] || fail 'no program, expected PROGRAM [ARGUMENTS]: see nsim-record --help'

program=$(command -v -- "$1") || fail "$1: no such program, expected one that runs under mpirun"
uses=$(ldd "$program" 2>/dev/null) || uses=
case $uses in
*libmpi_mpifh.so*) fail "$1: a Fortran program with OpenMPI, whose calls cannot be seen, expected C, C++ or MPICH" ;;
*libmpich.so* | *libmpi.so.12*) kind=mpich ;;
*libmpi.so*) kind=openmpi ;;
*) fail "$1: it has no shared library of MPICH or OpenMPI, expected one" ;;
esac
# OpenMPI's daemon, which a rank without mpirun starts, cannot load the module.
[ $kind = mpich ] || [ -n "${OMPI_COMM_WORLD_SIZE-}${PMIX_RANK-}${PMI_RANK-}" ] ||
	fail "$1: not under mpirun, expected mpirun -n N nsim-record $1"
for module in "$here/nsim_trace_$kind.so" "$here"/../lib*/psim/nsim_trace_$kind.so "$here"/../lib/*/psim/nsim_trace_$kind.so; do
	[ -f "$module" ] || continue
	export NSIM_TRACE="$file" LD_PRELOAD="$module${LD_PRELOAD:+:$LD_PRELOAD}"
	exec "$@"
done
fail "$1: it uses $kind, and nsim was built without it, expected its development package and meson option mpi"
