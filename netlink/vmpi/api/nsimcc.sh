#!/bin/sh
# nsimcc, nsimc++, nsimf90 and bsimcc, bsimc++, bsimf90: compile and link a program for nsim or bsim: docs/programs/nsim.md,
# docs/programs/bsim.md.
set -eu

name=$(basename "$0")
runner=${name%%sim*}sim
case $name in
*f90)
	language=fortran
	file=FILE.f90
	what='a program in Fortran (modules mpi and mpi_f08, or mpif.h)'
	compiler='$NSIM_FC, or gfortran'
	;;
*++)
	language=c++
	file=FILE.cpp
	what='an MPI program in C++ (mpi.h and main)'
	compiler='$NSIM_CXX, or c++'
	;;
*)
	language=c
	file=FILE.c
	what='an MPI program (mpi.h and main, mgen.h and MGEN_Main, lmpi.h and LMPI_Main)'
	compiler='$NSIM_CC, or cc'
	;;
esac
case $name in
bsimf90)
	what='a skeleton in Fortran (modules bsim, lmpi, mpi and mpi_f08, or mpif.h)'
	example='bsimf90 -O2 skeleton.f90 -o skeleton.so && bsim -c petascale.ini -n 4096 skeleton.so'
	;;
bsim*)
	what='a skeleton (bsim.h, with lmpi.h and LMPI_Main, or mpi.h and main)'
	example="$name -O2 skeleton.${file#FILE.} -o skeleton.so && bsim -c petascale.ini -n 4096 skeleton.so"
	;;
*)
	example="$name -O2 ring.${file#FILE.} -o ring.so && nsim -p topology.dims=8x8 -n 64 ring.so"
	;;
esac

usage() {
	cat <<-END
	usage: $name [COMPILER OPTIONS] $file... -o PROGRAM.so
	       $name [COMPILER OPTIONS] -c $file
	       $name -show [COMPILER OPTIONS]

	Compiles $what for $runner.
	All options are those of the compiler, which is $compiler; -show prints
	its command instead of running it. Calls that $runner does not have are errors of the
	linker, which names them.

	examples:
	  $example
	END
}

here=$(dirname "$(readlink -f "$0")")
made=$here/../../netlink/vmpi/api
if [ -f "$made/mpi.h" ]; then # of the build
	include=$made
	stubs=$made/libvmpi_stubs.a
else
	include=$here/../include/psim
	stubs=$(ls "$here"/../lib*/psim/libvmpi_stubs.a "$here"/../lib/*/psim/libvmpi_stubs.a 2>/dev/null | head -n 1)
fi

link=yes
show=
[ $# -gt 0 ] || { echo "$name: no file: see $name --help" >&2; exit 2; }
for argument in "$@"; do
	shift
	case $argument in
	-h | --help) usage; exit 0 ;;
	--man)
		printf '.TH "%s" 1\n.SH NAME\n%s \\- compile programs for %s\n.SH DESCRIPTION\n.nf\n' "$name" "$name" "$runner"
		usage | sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^[.']/\\\\\&&/"
		printf '.fi\n'
		exit 0
		;;
	-V | --version) "$here/$runner" --version | sed "s/^$runner /$name /"; exit 0 ;;
	# names of MPICH and of OpenMPI
	-show | -showme | --showme | -compile[-_]info | -link[-_]info) show=all; continue ;;
	-showme:compile | --showme:compile) show=compile; link=no; continue ;;
	-showme:link | --showme:link) show=link; continue ;;
	-c | -E | -S | -M | -MM | -fsyntax-only) link=no ;;
	-*) ;;
	*.[fF] | *.[fF]90 | *.[fF]95 | *.[fF]03 | *.[fF]08 | *.for | *.FOR | *.ftn)
		[ $language = fortran ] || {
			echo "$name: $argument: a Fortran file, expected one in C: ${runner}f90 compiles it" >&2
			exit 2
		}
		;;
	esac
	set -- "$@" "$argument"
done

# Prints the command, quoted where a shell needs it, or runs it. The compiler may be several words.
run() {
	[ "$show" ] || { "$@"; return; }
	case $show in
	compile) shift "$words" ;;
	link) set -- $(linking) "$stubs" -lm ;;
	esac
	line=
	for word in "$@"; do
		case $word in
		*[!A-Za-z0-9_./=,:+-]*) word="'$(printf %s "$word" | sed "s/'/'\\\\''/g")'" ;;
		esac
		line="$line${line:+ }$word"
	done
	printf '%s\n' "$line"
}

# Prints the linker's options: it makes a shared object whose calls lead to the stubs and nowhere else. Programs of nsim
# have an entry for those who start them without it. The program's main may be in an archive.
linking() {
	[ $link = no ] && return
	entry=
	case $runner-$(uname -m) in
	nsim-x86_64 | nsim-aarch64) entry=' -Wl,-u,vmpi_start -Wl,-e,vmpi_start' ;;
	esac
	echo "-shared -Wl,-u,main -Wl,-u,MGEN_Main -Wl,-u,LMPI_Main -Wl,-u,vmpi_gate -Wl,-u,vmpi_entries -Wl,-u,vmpi_construct$entry -Wl,-Bsymbolic -Wl,-z,defs -Wl,-z,now"
}

# A wrapper as the compiler of a wrapper would call itself for ever. Sets `words`: those of the compiler.
is_compiler() {
	case $(basename "${1%% *}") in
	nsimcc | nsimc++ | nsimf90 | bsimcc | bsimc++ | bsimf90)
		echo "$name: $2=$1: expected a compiler, not a wrapper of one" >&2
		exit 2
		;;
	esac
	words=$(set -- $1; echo $#)
}

# Ends unless the compiler is there; that of Fortran has a message of its own.
is_there() {
	command -v "${1%% *}" >/dev/null && return
	echo "$name: no ${1%% *}: install it, or set $2 to a compiler" >&2
	exit 2
}

# -g: messages name lines. Frames larger than the guard page below a rank's stack must not step over it.
common="-g -fPIC -fstack-clash-protection"
case $language in
fortran)
	fortran=${NSIM_FC:-gfortran}
	is_compiler "$fortran" NSIM_FC
	command -v "$fortran" >/dev/null || { echo "$name: no $fortran: install gfortran, or set NSIM_FC" >&2; exit 2; }
	modules=
	if [ ! "$show" ]; then
		# modules are of the compiler that is there
		modules=$(mktemp -d)
		trap 'rm -rf "$modules"' EXIT
		"$fortran" -fsyntax-only -J"$modules" "$include/mpi.f90" "$include/mpi_f08.f90" "$include/lmpi.f90" "$include/bsim.f90"
	fi
	# large local arrays are the rank's variables, which take less memory than its stack; calls without a module may
	# differ; crashes are reported by the simulator, not by a handler of gfortran's library that ends the process
	set -- $common -fno-backtrace -fmax-stack-var-size=1024 -fallow-argument-mismatch ${modules:+-I"$modules"} -I"$include" "$@" $(linking)
	[ $link = no ] || set -- "$@" -Wl,-u,vmpi_gfortran_imports "$stubs" -lm
	run "$fortran" "$@"
	;;
c++)
	is_compiler "${NSIM_CXX:-c++}" NSIM_CXX
	is_there "${NSIM_CXX:-c++}" NSIM_CXX
	# the library of C++ keeps state, which is each rank's own where it is part of the program; its threads are the rank's
	threads=
	for function in pthread_create pthread_mutex_lock pthread_cond_wait pthread_once pthread_getspecific sem_wait syscall; do
		threads="$threads -Wl,-u,$function"
	done
	set -- $common -I"$include" "$@" $(linking)
	[ $link = no ] || set -- "$@" -static-libstdc++ -Wl,-u,clock_gettime -Wl,-u,__cxa_atexit -Wl,-u,__cxa_thread_atexit -Wl,-u,write -Wl,-u,fopen64 $threads "$stubs" -lm
	run ${NSIM_CXX:-c++} "$@"
	;;
*)
	is_compiler "${NSIM_CC:-cc}" NSIM_CC
	is_there "${NSIM_CC:-cc}" NSIM_CC
	set -- $common -I"$include" "$@" $(linking)
	[ $link = no ] || set -- "$@" "$stubs" -lm
	run ${NSIM_CC:-cc} "$@"
	;;
esac
