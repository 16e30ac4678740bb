#!/bin/sh
# psim-kernels: compiles and records the kernels of traces/kernels (kernels.table).
set -eu
installed='@sources@'

usage() {
	cat <<'END'
usage: psim-kernels [OPTION]... [NAME [ARGUMENT]...]
Compiles kernels for SPARC-V9 and records what they do in their region of interest, without what warms up caches
before it: kernels begin cold.

Without NAME it does so with all of them, at their usual sizes.

options:
  -l, --list                        list the kernels
  -o, --output FOLDER               where programs (NAME.sparc) and traces (NAME.trace.gz) go (".")
      --pes N                       PEs of the SIMD array (16)
      --sbm SIZE                    memory of each PE ("64 KiB")
      --no-trace                    only run the programs
      --build                       only compile them
      --sources FOLDER              the kernels' sources
      --flags 'FLAG...'             compiler's flags instead of the usual ones
  -q, --quiet                       do not say what is done; programs' own output is dropped

common options:
  -h, --help                        show this help
      --man                         print the manual page: pipe it to man -l -
  -V, --version                     show the version

examples:
    psim-kernels -o traces
    psim-kernels --pes 8 simd-dgemm 256
    psim -c configs/simd16.ini simd-dgemm.trace.gz

exit status: 0 done, 1 run failed, 2 usage or configuration, 3 bad input file,
4 simulated program stuck, 5 an expected figure missed
END
}

fail() { # STATUS TEXT
	echo "psim-kernels: $2" >&2
	exit "$1"
}

here=$(dirname "$(realpath "$0")")
case $installed in /*) ;; *) installed=$here/$installed ;; esac
command -v "$here/psim-record" >/dev/null && PATH=$here:$PATH
sources=$installed folder=. pes= sbm= trace=yes build=no quiet= list=no
flags='-O3 -mcpu=ultrasparc3 -mfmaf -Wa,-Av9d -static'
while [ $# -gt 0 ]; do
	case $1 in
	--*=*)
		option=${1%%=*}
		value=${1#*=}
		shift
		set -- "$option" "$value" "$@"
		continue
		;;
	-h | --help) usage; exit 0 ;;
	--man)
		printf '.TH "psim-kernels" 1\n.SH NAME\npsim-kernels \\- compile and record the kernels of psim\n'
		printf '.SH DESCRIPTION\n.nf\n'
		usage | sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^[.']/\\\\\&&/"
		printf '.fi\n'
		exit 0
		;;
	-V | --version) psim-record --version | sed 's/^psim-record /psim-kernels /'; exit 0 ;;
	-l | --list) list=yes ;;
	--no-trace) trace=no ;;
	--build) build=yes ;;
	-q | --quiet) quiet=-q ;;
	-o | --output | --pes | --sbm | --sources | --flags)
		[ $# -gt 1 ] || fail 2 "$1 needs a value; --help shows the options"
		case $1 in
		--pes) pes=$2 ;;
		--sbm) sbm=$2 ;;
		--sources) sources=$2 ;;
		--flags) flags=$2 ;;
		*) folder=$2 ;;
		esac
		shift
		;;
	--) shift; break ;;
	-*) fail 2 "unknown option $1; did you mean --help?" ;;
	*) break ;;
	esac
	shift
done
table=$sources/kernels.table
[ -r "$table" ] || fail 1 "$table: not found; --sources FOLDER says where the kernels are"

rows() { # NAME-PATTERN: the table's rows, "name|source|region|arguments|same as|PEs|what"
	sed -e '/^#/d' -e 's/ *| */|/g' "$table" | grep -E "^($1)[|]"
}
if [ $list = yes ]; then
	rows '[^|]*' | awk -F'|' '{ printf "%-16s %-19s %-12s %s\n", $1, $2, $4, $7 }'
	exit 0
fi
mkdir -p "$folder" || fail 1 "$folder: cannot be made"

compile() { # NAME SOURCE
	case $2 in
	*.c) set -- "$1" gcc -std=gnu17 "$sources/$2" -lm ;;
	*)
		modules=$folder/$1.modules
		mkdir -p "$modules"
		case $2 in simd/*) array="-fno-tree-loop-distribute-patterns $sources/psim_simd.f90 $sources/psim_simd.c" ;; *) array= ;; esac
		# shellcheck disable=SC2086
		set -- "$1" gfortran -J "$modules" "$sources/psim_region.f90" "$sources/psim_region.c" \
			$array "$sources/$2"
		;;
	esac
	program=$folder/$1.sparc compiler=sparc64-linux-gnu-$2
	shift 2
	command -v "$compiler" >/dev/null || fail 1 "$compiler: not found; Debian's package is ${compiler#sparc64-linux-gnu-}-sparc64-linux-gnu"
	# shellcheck disable=SC2086
	"$compiler" $flags "$@" -o "$program" || fail 1 "$program: $compiler failed"
	[ -z "${modules:-}" ] || rm -rf "$modules"
	modules=
}

# kernel ROW [ARGUMENT...]
kernel() {
	name=$(echo "$1" | cut -d'|' -f1) region=$(echo "$1" | cut -d'|' -f3)
	source=$(echo "$1" | cut -d'|' -f2)
	# shellcheck disable=SC2046
	[ $# -gt 1 ] || set -- "$1" $(echo "$1" | cut -d'|' -f4)
	shift
	[ -n "$quiet" ] || echo "$name${*:+ $*}"
	compile "$name" "$source"
	[ $build = no ] || return 0
	to=--no-trace
	# caches begin empty, as in all that was published of these kernels
	[ $trace = no ] || to="-o$folder/$name.trace.gz --warm-up 0 --region $region"
	# a name of its own: the path lies on the stack, and the time shall not depend on the folder
	# shellcheck disable=SC2086
	set -- -q $to --name "/kernels/$name.sparc" ${pes:+--pes "$pes"} ${sbm:+--sbm "$sbm"} -- "$folder/$name.sparc" "$@"
	if [ -n "$quiet" ]; then
		psim-record "$@" >/dev/null
	else
		psim-record "$@"
	fi
}

if [ $# -gt 0 ]; then
	row=$(rows "$1") || fail 2 "$1: no such kernel; --list shows them"
	shift
	kernel "$row" "$@"
	exit 0
fi
rows '[^|]*' >"$folder/kernels.list"
while read -r row; do
	kernel "$row" </dev/null
done <"$folder/kernels.list"
rm "$folder/kernels.list"
