#!/bin/sh
# nsimcc, bsimcc, bsimf90: compile and link a program for nsim or bsim: docs/nsim.md, docs/bsim.md.
set -eu

name=$(basename "$0")
case $name in
bsimf90)
	runner=bsim
	file=FILE.f90
	what='a skeleton in Fortran (modules bsim, lmpi and mpi, or mpif.h) for bsim'
	compiler='$FC, or gfortran'
	example='bsimf90 -O2 skeleton.f90 -o skeleton.so && bsim -c petascale.ini -n 4096 skeleton.so'
	;;
bsimcc)
	runner=bsim
	file=FILE.c
	what='a skeleton (bsim.h, with lmpi.h and LMPI_Main, or mpi.h and main) for bsim'
	compiler='$CC, or cc'
	example='bsimcc -O2 skeleton.c -o skeleton.so && bsim -c petascale.ini -n 4096 skeleton.so'
	;;
*)
	runner=nsim
	file=FILE.c
	what='an MPI program (mpi.h and main, mgen.h and MGEN_Main, lmpi.h and LMPI_Main) for nsim'
	compiler='$CC, or cc'
	example='nsimcc -O2 ring.c -o ring.so && nsim -c torus.ini -n 64 ring.so'
	;;
esac

usage() {
	cat <<-END
	usage: $name [COMPILER OPTIONS] $file... -o PROGRAM.so
	       $name [COMPILER OPTIONS] -c $file

	Compiles $what.
	All options are those of the compiler, which is $compiler. Calls that $runner does not
	have are errors of the compiler or the linker, which name them.

	examples:
	  $example
	END
}

here=$(cd "$(dirname "$0")" && pwd -P)
made=$here/../../netlink/vmpi/api
if [ -f "$made/mpi.h" ]; then # of the build
	include=$made
	stubs=$made/libvmpi_stubs.a
else
	include=$here/../include/psim
	stubs=$(ls "$here"/../lib/psim/libvmpi_stubs.a "$here"/../lib/*/psim/libvmpi_stubs.a 2>/dev/null | head -n 1)
fi

link=yes
[ $# -gt 0 ] || { echo "$name: no file: see $name --help" >&2; exit 2; }
for argument in "$@"; do
	case $argument in
	-h | --help) usage; exit 0 ;;
	--man)
		printf '.TH "%s" 1\n.SH NAME\n%s \\- compile programs for %s\n.SH DESCRIPTION\n.nf\n' "$name" "$name" "$runner"
		usage | sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^[.']/\\\\\&&/"
		printf '.fi\n'
		exit 0
		;;
	-V | --version) "$here/$runner" --version | sed "s/^$runner /$name /"; exit 0 ;;
	-c | -E | -S | -M | -MM | -fsyntax-only) link=no ;;
	esac
done

# What the linker makes of it: a shared object whose calls lead to the stubs and nowhere else.
linking() {
	[ $link = no ] || echo "-shared -Wl,-u,vmpi_gate -Wl,-Bsymbolic -Wl,-z,defs -Wl,-z,now"
}

# -g: messages name lines. Frames larger than the guard page below a rank's small stack must not step over it.
common="-g -fPIC -fstack-clash-protection"
case $name in
*f90)
	fortran=${FC:-gfortran}
	command -v "$fortran" >/dev/null || { echo "$name: no $fortran: install gfortran, or set FC" >&2; exit 2; }
	# modules are of the compiler that is there
	modules=$(mktemp -d)
	trap 'rm -rf "$modules"' EXIT
	"$fortran" -fsyntax-only -J"$modules" "$include/mpi.f90" "$include/lmpi.f90" "$include/bsim.f90"
	# large local arrays do not fit on a rank's stack: they are its variables; calls without a module may differ;
	# crashes are told by the simulator, not by a handler of gfortran's library that ends the process
	set -- $common -fno-backtrace -fmax-stack-var-size=1024 -fallow-argument-mismatch -I"$modules" -I"$include" "$@" $(linking)
	[ $link = no ] || set -- "$@" "$stubs" -lm
	"$fortran" "$@"
	;;
*)
	set -- $common -Werror=implicit-function-declaration -I"$include" "$@" $(linking)
	[ $link = no ] || set -- "$@" "$stubs" -lm
	exec ${CC:-cc} "$@"
	;;
esac
