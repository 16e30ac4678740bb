#!/bin/sh
# psim-table2: the paper's Table 2 beside this processor's figures.
set -eu
installed='@sources@'
configs='@configs@'

usage() {
	cat <<'END'
usage: psim-table2 [OPTION]...
Compiles, records and simulates the kernels of the paper's Table 2, on the scalar core and on the
one with 16 SIMD-PEs, and prints its figures beside the paper's.

The matrix products of n = 1024 come from time and energy models that are fitted to small n and
held against a larger one, whose error is shown; --full-simd simulates those of the array (minutes),
--full all (half an hour).

options:
      --full-simd                   simulate n = 1024 on the array
      --full                        simulate n = 1024 on both
      --only KERNEL                 dgemm, zgemm or fft alone
      --config FILE                 processor with SIMD-PEs instead of simd16-prefetched.ini
      --scalar-config FILE          processor without instead of sparc64v-prefetched.ini
      --sources FOLDER              the kernels' sources
  -o, --output FILE                 write the table to FILE ("-": standard output)
      --keep FOLDER                 keep programs, traces, reports and models there
      --resume                      take from there the reports that an earlier run left
  -q, --quiet                       do not say what is done

common options:
  -h, --help                        show this help
      --man                         print the manual page: pipe it to man -l -
  -V, --version                     show the version

examples:
    psim-table2
    psim-table2 --full --keep table2
    psim-table2 --only fft

exit status: 0 done, 1 run failed, 2 usage or configuration, 3 bad input file,
4 simulated program stuck, 5 an expected figure missed
END
}

fail() { # STATUS TEXT
	echo "psim-table2: $2" >&2
	exit "$1"
}

here=$(dirname "$(realpath "$0")")
case $installed in /*) ;; *) installed=$here/$installed ;; esac
case $configs in /*) ;; *) configs=$here/$configs ;; esac
command -v "$here/psim" >/dev/null && PATH=$here:$PATH
sources=$installed full=no only= simd=$configs/simd16-prefetched.ini scalar=$configs/sparc64v-prefetched.ini
output=- keep= resume=no quiet=no
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
		printf '.TH "psim-table2" 1\n.SH NAME\npsim-table2 \\- the Table 2 of the PSIM paper beside this processor\n'
		printf '.SH DESCRIPTION\n.nf\n'
		usage | sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^[.']/\\\\\&&/"
		printf '.fi\n'
		exit 0
		;;
	-V | --version) psim --version | sed 's/^psim /psim-table2 /'; exit 0 ;;
	--full) full=yes ;;
	--full-simd) full=simd ;;
	--resume) resume=yes ;;
	-q | --quiet) quiet=yes ;;
	-o | --output | --only | --config | --scalar-config | --sources | --keep)
		[ $# -gt 1 ] || fail 2 "$1 needs a value; --help shows the options"
		case $1 in
		--only) only=$2 ;;
		--config) simd=$2 ;;
		--scalar-config) scalar=$2 ;;
		--sources) sources=$2 ;;
		--keep) keep=$2 ;;
		*) output=$2 ;;
		esac
		shift
		;;
	-*) fail 2 "unknown option $1; did you mean --help?" ;;
	*) fail 2 "$1: takes no operands; --help shows the options" ;;
	esac
	shift
done
case $only in '' | dgemm | zgemm | fft) ;; *) fail 2 "--only $only: expected dgemm, zgemm or fft" ;; esac
simd=$(realpath "$simd") && scalar=$(realpath "$scalar") && sources=$(realpath "$sources") || exit 2
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
work=$temporary
if [ -n "$keep" ]; then
	mkdir -p "$keep" || fail 1 "$keep: cannot be made"
	work=$keep
fi
[ $resume = no ] || [ -n "$keep" ] || fail 2 "--resume: --keep FOLDER says from where"
[ "$output" = - ] || exec >"$output" || exit 1
pes=$(psim -c "$simd" --dump-config | awk '/^\[/ { group = $1 } group == "[simd]" && $1 == "pes" { print $3 }')
[ "${pes:-0}" -gt 0 ] || fail 2 "$simd: a processor without SIMD-PEs"
sbm=$(psim -c "$simd" --dump-config | awk '/^\[/ { group = $1 } group == "[simd]" && $1 == "sbm_bytes" { sub(/^[^=]*= */, ""); sub(/ *[;#].*/, ""); print }')


# simulate NAME SIZE ARGUMENT...: "seconds energy" of the region; leaves the report in NAME.csv
simulate() {
	name=$1 size=$2
	shift 2
	if [ $resume = no ] || [ ! -e "$work/$name-$size.csv" ]; then
		[ $quiet = yes ] || echo "psim-table2: $name $*" >&2
		config=$scalar
		case $name in simd-*) config=$simd ;; esac
		psim-kernels --sources "$sources" -q -o "$work" --pes "$pes" ${sbm:+--sbm "$sbm"} "$name" "$@"
		psim -q --no-profile -c "$config" -f csv -o "$work/$name.new" "$work/$name.trace.gz"
		mv "$work/$name.new" "$work/$name-$size.csv"
		[ -n "$keep" ] || rm "$work/$name.trace.gz"
	fi
	cp "$work/$name-$size.csv" "$work/$name.csv"
	awk -F, '$1 == "regions" && $2 == "seconds" { s = $4 } $1 == "regions" && $2 == "energy" { e = $4 }
		END { print s, e }' "$work/$name.csv"
}

# predict FILE: value at n = 1024 and the error in percent at the largest n, which the fit has not seen
predict() {
	largest=$(tail -1 "$1" | cut -d, -f1)
	terms='1, n, n^2, n^3'
	[ "$(wc -l <"$1")" -gt 6 ] || terms='n, n^2, n^3'
	psim-fit -q --terms "$terms" --hold-out "n>=$largest" --predict n=1024 -f csv "$1" | awk -F, '
		$1 == "points" && $2 == "error" { e = $4 }
		$1 == "predictions" && $2 == "model" { v = $4 }
		END { printf "%s %+.2f\n", v, e }'
}

# product NAME SIZE...: "seconds energy how" for n = 1024
product() {
	name=$1
	shift
	case $full-$name in
	yes-* | simd-simd-*)
		echo "$(simulate "$name" 1024 1024) simulated"
		return
		;;
	esac
	echo 'n,seconds' >"$work/$name-seconds.csv"
	echo 'n,joules' >"$work/$name-joules.csv"
	for n; do
		simulate "$name" "$n" "$n" >"$work/$name.values"
		read -r seconds joules <"$work/$name.values"
		echo "$n,$seconds" >>"$work/$name-seconds.csv"
		echo "$n,$joules" >>"$work/$name-joules.csv"
	done
	set -- $(predict "$work/$name-seconds.csv") $(predict "$work/$name-joules.csv")
	echo "$1 $3 model; at n = $n: time $2 %, energy $4 %"
}

# transforms NAME FORM: "seconds energy how" for eight transforms of 1024 points
transforms() {
	case $2 in
	stream) # an eighth of 64
		echo "$(simulate "$1" 1024x64 10 64 | awk '{ print $1 / 8, $2 / 8 }') simulated: 64 transforms, an eighth of it"
		;;
	*) echo "$(simulate "$1" 1024) simulated" ;;
	esac
}

# row KERNEL FORM SCALAR SIMD "SCALAR'S SIZES" "SIMD'S SIZES"
row() {
	[ -z "$only" ] || [ "$only" = "$1" ] || return 0
	for name in "$3" "$4"; do
		sizes=${5:-} result=$temporary/$name.result
		case $name in simd-*) sizes=${6:-} result=$temporary/$name-$2.result ;; esac
		if [ -e "$result" ]; then
			: # a scalar form that stands beside two of the array
		elif [ "$1" = fft ]; then
			case $name in simd-*) transforms "$name" "$2" ;; *) transforms "$name" - ;; esac >"$result"
		else
			# shellcheck disable=SC2086
			product "$name" $sizes >"$result"
		fi
		echo "$1 $2 $name $(cat "$result")" >>"$temporary/results"
		case $name in
		simd-*) area=simd ;;
		*) area=scalar ;;
		esac
		awk -F, -v name=$area '$1 == "area" { print name, $2, $4 }' "$work/$name.csv" >>"$temporary/area"
	done
}

small='32 48 64 80 96 112 128 160 192 256'
blocks='64 128 192 256 320 384 512'
row dgemm plain dgemm simd-dgemm-plain "$small" '128 256 384 512 640'
row dgemm tuned dgemm-packed simd-dgemm "$small" "$blocks"
row zgemm plain zgemm simd-zgemm-plain '12 24 36 48 60 72 96 120 180' '64 128 192 256 320 384'
row zgemm tuned zgemm simd-zgemm '12 24 36 48 60 72 96 120 180' '64 128 192 256 320 384'
row fft plain fft-stockham simd-fft-plain
row fft tuned fft-radix4 simd-fft-copy
row fft transfers fft-stockham simd-fft
row fft stream fft-stockham simd-fft

# What the paper says: time in ms, energy in the unit as printed (mJ; of the products, it cannot be).
awk -v pes="$pes" '
	BEGIN {
		split("368.9 53.12 27.9 13.1", dgemm); split("1114.6 185.82 93.3 34.4", zgemm); split("0.1764 0.0668 7.59 4.13", fft)
		for (k = 1; k <= 4; k++) {
			paper["dgemm", k] = dgemm[k]; paper["zgemm", k] = zgemm[k]; paper["fft", k] = fft[k]
		}
		flops["dgemm"] = 2 * 1024 ^ 3; flops["zgemm"] = 8 * 1024 ^ 3; flops["fft"] = 409600
		printf "%-6s %-10s %-22s %10s %10s %8s  %s\n", "kernel", "form", "figure", "ours", "paper", "off", ""
	}
	function figure(name, ours, theirs, note,    off) {
		off = 100 * (ours / theirs - 1)
		near = off >= -10 && off <= 10
		printf "%-6s %-10s %-22s %10.4g %10.4g %+7.1f%%  %-14s %s\n", kernel, form, name, ours, theirs, off,
			near ? "within 10 %" : "NOT within 10 %", note
		if (name !~ /^(time|speed|energy ratio|area)/)
			return
		if (!(kernel form in asked))
			forms[++count] = kernel form
		asked[kernel form]++
		title[kernel form] = kernel == "-" ? "processor" : kernel ", " form
		if (near)
			met[kernel form]++
		else
			missed[kernel form] = missed[kernel form] (missed[kernel form] == "" ? "" : ", ") name
	}
	function plain(name, ours, theirs, note) {
		printf "%-6s %-10s %-22s %10.4g %10s %8s  %s\n", kernel, form, name, ours, theirs, "", note
	}
	FILENAME ~ /area$/ { area[$1, $2] = $3; next }
	{
		how = $6
		for (k = 7; k <= NF; k++)
			how = how " " $k
		if ($1 != kernel || $2 != form) {
			kernel = $1; form = $2; s = $4; e = $5; first = $3 ": " how
			next
		}
		ps = paper[kernel, 1] / 1e3; pv = paper[kernel, 2] / 1e3; pe = paper[kernel, 3]; pw = paper[kernel, 4]
		figure("time scalar, ms", 1e3 * s, 1e3 * ps, first)
		figure("time SIMD, ms", 1e3 * $4, 1e3 * pv, $3 ": " how)
		figure("speed-up", s / $4, ps / pv)
		figure("energy ratio", $5 / e, pw / pe)
		plain("GFlop/s scalar", flops[kernel] / s / 1e9, sprintf("%.3g", flops[kernel] / ps / 1e9),
			sprintf("%.1f %% of 8, paper %.1f %%", flops[kernel] / s / 8e7, flops[kernel] / ps / 8e7))
		peak = 4 * pes
		plain("GFlop/s SIMD", flops[kernel] / $4 / 1e9, sprintf("%.3g", flops[kernel] / pv / 1e9),
			sprintf("%.1f %% of %d, paper %.1f %%", flops[kernel] / $4 / peak / 1e7, peak, flops[kernel] / pv / peak / 1e7))
		if (kernel == "fft") {
			figure("energy scalar, mJ", 1e3 * e, pe)
			figure("energy SIMD, mJ", 1e3 * $5, pw)
			figure("power scalar, W", e / s, pe / ps / 1e3)
			figure("power SIMD, W", $5 / $4, pw / pv / 1e3)
		} else {
			plain("energy scalar, J", e, sprintf("%.3g", pe), sprintf("H1; H2: %.3g", pe * 0.512))
			plain("energy SIMD, J", $5, sprintf("%.3g", pw), sprintf("H1; H2: %.3g", pw * 0.512))
			plain("power scalar, W", e / s, sprintf("%.3g", pe / ps), sprintf("H1; H2: %.3g", pe * 0.512 / ps))
			plain("power SIMD, W", $5 / $4, sprintf("%.3g", pw / pv), sprintf("H1; H2: %.3g", pw * 0.512 / pv))
		}
		kernel = ""
	}
	END {
		kernel = "-"; form = "-"
		figure("area ratio", area["simd", "core_mm2"] / area["scalar", "core_mm2"], 1.5,
			sprintf("core %.1f and %.1f mm2; with L2 %.2f", area["scalar", "core_mm2"], area["simd", "core_mm2"],
				area["simd", "total_mm2"] / area["scalar", "total_mm2"]))
		print ""
		print "Energies of the products: the paper prints mJ, which cannot be (0.08 W). H1: joules are meant;"
		print "H2: the energy is that of one of the 512 blocks of n = 128. The ratio is the same."
		print ""
		for (k = 1; k <= count; k++) {
			f = forms[k]
			printf "%s: %d of %d within 10 %%%s\n", title[f], met[f], asked[f], missed[f] == "" ? "" : "; not: " missed[f]
			if (missed[f] != "")
				bad = 1
		}
		exit bad ? 5 : 0
	}' "$temporary/area" "$temporary/results"
