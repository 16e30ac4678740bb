#!/bin/sh
# Compiles programs for psim-record; loops with a simd directive go to the SIMD array (docs/programs/psim-cc.md).
name=$(basename "$0")
here=$(dirname "$(readlink -f "$0")")
compiler=sparc64-linux-gnu-@compiler@@suffix@
plugin=@plugin@
nest=@nest@
guest=@guest@
case $plugin in /*) ;; *) plugin=$here/$plugin nest=$here/$nest guest=$here/$guest ;; esac

usage() {
	cat <<END
usage: $name [OPTION]... FILE...
Compiles and links a program for psim-record. A loop with OpenMP's simd directive runs on the SIMD array.

All options of $compiler can be given; -O3 and the flags of the simulated processor come first.

options:
      --help                        show this help
      --man                         print the manual page: pipe it to man -l -
      --version                     show the version
      -fno-psim                     compile as $compiler does, for the scalar core
      -fpsim-auto                   also run loops without a directive on the array, where it is faster
      -fpsim-auto=all               also where it may be slower
      -fpsim-explain                also report its loops, arrays and kernels
      -fpsim-regroup                compute x + (a b - c d) as (x + a b) - c d on the array
      -fpsim-report                 report each loop that runs on the array
      -fpsim-units=NAME,…           use what PEs can do beside the paper's operations: divide, select, integer,
                                    single, gather

examples:
    $name -o triad triad.$([ @compiler@ = gcc ] && echo c || echo f90)
    psim-record -o triad.trace.gz -- triad
END
}

link=yes plain=no
for argument; do
	[ "$argument" != -fno-psim ] || plain=yes plugin=
done
for argument; do
	shift
	case $plain$argument in
	yes-fpsim-report | yes-fpsim-explain) echo "$name: $argument: no loop runs on the array with -fno-psim" >&2 ;;
	esac
	case $argument in
	--help) usage; exit ;;
	--man)
		printf '.TH "%s" 1\n.SH NAME\n%s \\- compile programs for psim-record\n.SH DESCRIPTION\n.nf\n' "$name" "$name" &&
			usage | sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^[.']/\\\\\&&/" &&
			printf '.fi\n'
		exit
		;;
	--list-options) usage | sed -nE 's/^ +(-{1,2}[a-z-]+)  +(.*)/\1\t-\t-\t\2/p'; exit ;;
	--version) echo "$name @version@"; exit ;;
	-fpsim-auto=all) [ -e "$plugin" ] && set -- "$@" -fplugin-arg-psim_simd-auto -fplugin-arg-psim_simd-slow ;;
	-fpsim-auto) [ -e "$plugin" ] && set -- "$@" -fplugin-arg-psim_simd-auto ;;
	-fpsim-explain) [ -e "$plugin" ] && set -- "$@" -fplugin-arg-psim_simd-report -fplugin-arg-psim_simd-explain ;;
	-fpsim-regroup) [ -e "$plugin" ] && set -- "$@" -fplugin-arg-psim_simd-regroup ;;
	-fpsim-units=*) [ -e "$plugin" ] && set -- "$@" "-fplugin-arg-psim_simd-units=${argument#-fpsim-units=}" ;;
	-fno-psim) ;;
	-fpsim-report) [ -e "$plugin" ] && set -- "$@" -fplugin-arg-psim_simd-report ;;
	-c | -S | -E | -M | -MM | -fsyntax-only) link=no; set -- "$@" "$argument" ;;
	*) set -- "$@" "$argument" ;;
	esac
done
[ $# -gt 0 ] || { echo "$name: no input files, expected FILE" >&2; exit 2; }
command -v "$compiler" >/dev/null ||
	{ echo "$name: $compiler: not found, expected Debian's package @compiler@@suffix@-sparc64-linux-gnu" >&2; exit 1; }

flags="-O3 -mcpu=ultrasparc3 -mfmaf -Wa,-Av9d -static -fopenmp-simd -fno-tree-loop-vectorize"
[ @compiler@ != gcc ] || flags="-std=gnu17 $flags -fcx-limited-range"
if [ -e "$plugin" ]; then
	set -- "-fplugin=$plugin" "$@"
elif [ $plain = no ]; then
	echo "$name: the plugin is not built, so loops stay scalar; it needs gcc-12-plugin-dev-sparc64-linux-gnu and g++" >&2
fi
if [ $link = no ] || [ ! -e "$plugin" ]; then
	# shellcheck disable=SC2086
	exec "$compiler" $flags -I"$guest" "$@"
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
for source in "$nest"/psim_nest*.c; do
	sparc64-linux-gnu-gcc@suffix@ -std=gnu17 -O2 -fno-tree-loop-distribute-patterns -mcpu=ultrasparc3 -Wa,-Av9d -I"$guest" -I"$nest" -c -o "$work/$(basename "$source" .c).o" "$source" || exit 1
done
# Names are psim_nest.NAME, so that a program may have the same, and profiles show which are not its own.
sparc64-linux-gnu-ld -r -o "$work/plain.o" "$work"/*.o && sparc64-linux-gnu-nm "$work/plain.o" |
	awk '$2 ~ /^[tTDB]$/ && $3 !~ /^psim_/ { print $3, "psim_nest." $3 }' >"$work/names" || exit 1
# An archive of one object: a program without loops for the array does without it, and so runs on the scalar core.
sparc64-linux-gnu-objcopy --redefine-syms="$work/names" "$work/plain.o" "$work/nest.o" &&
	sparc64-linux-gnu-ar rcs "$work/libpsim_nest.a" "$work/nest.o" || exit 1
# shellcheck disable=SC2086
"$compiler" $flags -I"$guest" "$@" "$work/libpsim_nest.a"
