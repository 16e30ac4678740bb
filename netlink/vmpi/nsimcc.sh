#!/bin/sh
# nsimcc: compiles and links a program for nsim: docs/nsim.md.
set -eu

usage() {
	cat <<-'END'
	usage: nsimcc [COMPILER OPTIONS] FILE.c... -o PROGRAM.so
	       nsimcc [COMPILER OPTIONS] -c FILE.c

	Compiles an MPI program (mpi.h and main, mgen.h and MGEN_Main, lmpi.h and LMPI_Main) for
	nsim. All options are those of the C compiler, which is $CC, or cc. Calls that nsim does not
	have are errors of the compiler or the linker, which name them.

	examples:
	  nsimcc -O2 ring.c -o ring.so && nsim -c torus.ini -n 64 ring.so
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
[ $# -gt 0 ] || { echo "nsimcc: no file: nsimcc --help tells more" >&2; exit 2; }
for argument in "$@"; do
	case $argument in
	-h | --help) usage; exit 0 ;;
	--man)
		printf '.TH "nsimcc" 1\n.SH NAME\nnsimcc \\- compile programs for nsim\n.SH DESCRIPTION\n.nf\n'
		usage | sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^[.']/\\\\\&&/"
		printf '.fi\n'
		exit 0
		;;
	-V | --version) "$here/nsim" --version | sed 's/^nsim /nsimcc /'; exit 0 ;;
	-c | -E | -S | -M | -MM | -fsyntax-only) link=no ;;
	esac
done

# -g: messages name lines. Without frames to guard: ranks have stacks of their own.
set -- -g -fPIC -fno-stack-clash-protection -Werror=implicit-function-declaration -I"$include" "$@"
[ $link = no ] || set -- "$@" -shared -Wl,-u,vmpi_gate -Wl,-Bsymbolic -Wl,-z,defs -Wl,-z,now "$stubs" -lm
exec ${CC:-cc} "$@"
