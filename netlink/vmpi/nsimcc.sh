#!/bin/sh
# nsimcc and bsimcc: compile and link a program for nsim, a skeleton for bsim: docs/nsim.md, docs/bsim.md.
set -eu

name=$(basename "$0")
runner=${name%cc}
case $runner in
bsim)
	what='a skeleton (bsim.h with lmpi.h and LMPI_Main, or mpi.h and main)'
	example='bsimcc -O2 skeleton.c -o skeleton.so && bsim -c petascale.ini -n 4096 skeleton.so'
	;;
*)
	what='an MPI program (mpi.h and main, mgen.h and MGEN_Main, lmpi.h and LMPI_Main)'
	example='nsimcc -O2 ring.c -o ring.so && nsim -c torus.ini -n 64 ring.so'
	;;
esac

usage() {
	cat <<-END
	usage: $name [COMPILER OPTIONS] FILE.c... -o PROGRAM.so
	       $name [COMPILER OPTIONS] -c FILE.c

	Compiles $what for
	$runner. All options are those of the C compiler, which is \$CC, or cc. Calls that $runner does
	not have are errors of the compiler or the linker, which name them.

	examples:
	  $example
	END
}

here=$(cd "$(dirname "$0")" && pwd)
if [ -f "$here/mpi.h" ]; then # the folder of the build
	include=$here
	stubs=$here/libvmpi_stubs.a
else
	include=$here/../include/psim
	stubs=$(ls "$here"/../lib/psim/libvmpi_stubs.a "$here"/../lib/*/psim/libvmpi_stubs.a 2>/dev/null | head -n 1)
fi

link=yes
[ $# -gt 0 ] || { echo "$name: no file: $name --help tells more" >&2; exit 2; }
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

# -g: messages name lines. Without frames to guard: ranks have stacks of their own.
set -- -g -fPIC -fno-stack-clash-protection -Werror=implicit-function-declaration -I"$include" "$@"
[ $link = no ] || set -- "$@" -shared -Wl,-u,vmpi_gate -Wl,-Bsymbolic -Wl,-z,defs -Wl,-z,now "$stubs" -lm
exec ${CC:-cc} "$@"
