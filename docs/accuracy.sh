#!/bin/sh
# Writes docs/accuracy.md on standard output: runs tests/figures/{micro.sh,sensitivity.sh,table2.py}.
#
#   accuracy.sh PSIM PSIM-RECORD [MFS-FIGURES FLOW-PACKET]
#
# table2-full.txt and table2-simd.txt are what `table2.py --full` and `psim-table2 --full-simd` printed when they were
# last run: they take half an hour.
# Status 5 if a figure is missed: it is in the document then, marked.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
figures=$here/../tests/figures
psim=$1 record=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
"$figures/micro.sh" "$psim" "$record" >"$work/micro" || status=5
"$figures/sensitivity.sh" "$psim" "$record" >"$work/sensitivity" || status=5
"$figures/table2.py" >"$work/table2" || status=5
"$figures/table2.py" --bounds >"$work/bounds" || status=5

cat <<'END'
# Accuracy

`ninja -C build accuracy-docs` writes this page; each part is also a test of the suite
`figures`. Nobody has measured cycles of the machine that the paper describes, so the model is
held to three things: it does what its own parameters say, to the cycle (part 1); every
parameter has the effect that it must have (part 2); and tuned programs come out as the paper
says (part 3; part 4 with the SIMD array). Elsewhere: what programs do and compute (`accuracy-isa.md`), energy and area
(`energy.md`), caches and prediction (`memory.md`), packets in networks (`accuracy-packet.md`).

## 1. Micro-benchmarks

Each is a small assembly program whose cycles follow on paper from the parameters, by the rules of
`psim.md`: the formula stands beside it. 1000 and 2000 repetitions are run in regions of their
own; the difference is 1000 repetitions without start and end. Derived and measured count as
equal to 0.2 % and 2 cycles (that is what the start of a region can make). In the formulas, `o`
is `core.operand_stages` and `s` `core.commit_stages`; all caches and TLBs are perfect where
nothing else is said. `micro/NAME.S` are programs of their own, each with its derivation at its
head.

END
tail -1 "$work/micro" | sed 's/^micro-benchmarks: \(.*\)/Figures: \1 (`tests\/figures\/micro.sh build\/psim\/core\/psim build\/traces\/record\/psim-record`)./'
awk -v results="$work/micro" '
	function trim(s) { gsub(/^ +| +$/, "", s); return s }
	BEGIN {
		while ((getline line < results) > 0) {
			if (line !~ / (equal|DIFFERENT)$/)
				continue
			n = split(line, w, / +/)
			parameters = ""
			for (k = 2; k <= n - 3; k++)
				parameters = parameters (k > 2 ? " " : "") w[k]
			run = parameters ": " w[n - 2] ", " w[n - 1] (w[n] == "equal" ? "" : " **different**")
			runs[w[1]] = runs[w[1]] == "" ? run : runs[w[1]] "<br>" run
		}
	}
	/^# ---- / {
		sub(/^# ---- [0-9]+\. /, "")
		printf "\n### %s%s\n\n| benchmark | repeated | cycles of 1000 repetitions | parameters: derived, measured |\n|---|---|---|---|\n",
			toupper(substr($0, 1, 1)), substr($0, 2)
		next
	}
	/^#/ { next }
	{
		split($0, f, "|")
		name = trim(f[1]); kind = trim(f[2]); body = trim(f[4])
		if (kind ~ /^file/)
			body = "micro/" substr(kind, 6) ".S"
		printf "| %s | `%s` | `%s` | %s |\n", name, body, trim(f[5]), runs[name]
	}' "$figures/micro.table"

cat <<'END'

## 2. Sensitivity

Every parameter, moved from its default, changes the figure named in the direction that it must
(`up`, `down`), or must not change it (`none`). Workloads are the sample traces, and
micro-benchmarks where no sample shows the parameter.

END
tail -1 "$work/sensitivity" | sed 's/^sensitivity: \(.*\)/Figures: \1 (`tests\/figures\/sensitivity.sh`, same arguments)./'
printf '\n| parameter | from | to | workload | figure | before | after | must go | |\n|---|---|---|---|---|---:|---:|---|---|\n'
awk '/ (as it must|NOT SO)$/ {
	gsub(/([0-9]) (KiB|MiB|GHz)/, "&"); line = $0
	verdict = line ~ /NOT SO$/ ? "**not so**" : "yes"
	sub(/ +(as it must|NOT SO)$/, "", line)
	# values with a unit are two words: make them one
	while (match(line, /[0-9] (KiB|MiB|GHz)/))
		line = substr(line, 1, RSTART) "\001" substr(line, RSTART + 2)
	n = split(line, w, / +/)
	printf "|"
	for (k = 1; k <= n; k++) {
		gsub(/\001/, " ", w[k])
		printf " %s |", w[k]
	}
	printf " %s |\n", verdict
}' "$work/sensitivity"

cat <<'END'

### More is never slower

No capacity and no width (entries, ways, bytes, ports, pipes, instructions a cycle …: the list is
`params.def`), doubled, costs any of 27 small kernels more than 0.5 %: streams of loads, of stores, `memset`,
copies, gathers and scatters, triad, products, transforms, stencil, sparse product, sorting, pointers, kernels of the
SIMD array; on the default machine, with the stream prefetcher, and with perfect caches (test `more`;
`ninja -C build more-long` goes in steps from a quarter to eight times each). The exceptions, each with
what makes a machine do the same:

END
printf '| parameter | kernel | doubled with it | may cost | |\n|---|---|---|---|---|\n'
sed -e '/^#/d' -e 's/ *| */ | /g' -e 's/^/| /' -e 's/$/ |/' -e 's/| \* |/| all |/' "$figures/more.table"
cat <<'END'

## 3. The scalar column of the paper's Table 2

The paper gives times of the scalar core for dgemm and zgemm, n = 1024, and eight transforms of
1024 points, all data prefetched in time; with a peak of 8 GFlop/s (two multiply-add pipes,
2 GHz) they are shares of 72.8, 96.3 and 29.0 %. Its programs and compiler are not known. Here:
`configs/sparc64v-prefetched.ini`, and the kernels of `traces/kernels`, in C and Fortran, compiled
by gcc 12 with `-O3 -mcpu=ultrasparc3 -mfmaf`; no assembly.

| kernel | what it is |
|---|---|
| `dgemm` | plain: blocks of 4 x 4 sums, operands where the matrices have them |
| `dgemm_packed` | tuned: the same block, operands copied into its order, loaded again after their last use |
| `zgemm` | tuned: blocks of 4 x 3 complex sums, as `dgemm_packed` |
| `fft` | radix 2, in place, bit reversal: as textbooks have it |
| `fft_stockham` | Fortran: radix 2, self-sorting, long inner loops, as for vector machines |
| `fft_radix4` | tuned: radix 4, self-sorting |

The paper's algorithms are not known, so part 3 is weaker evidence than parts 1 and 2. The three
forms of the fft lie between half and one and a half times the paper's figure, and `fft_stockham`
is the one of them that comes near; dgemm has two forms, both near. That a form comes near shows
that the paper's figure can be reached on this core, not that the model foretells it. The power of
`fft_stockham` is 16 % above the paper's 43 W; the form that draws 43.6 W takes almost twice its time.

n = 1024 comes from smaller n: cycles are a n^3 + b n^2 + c n (blocks, their edges and copies, the
loops around them); three n must foretell a fourth. (The packed kernels add a block's sums to C
once for each 512 steps of k, which small n do not show: half a per cent.) Shares count the paper's operations: 2 n^3,
8 n^3, 8 x 5 N log2 N.

```
END
sed 's/ *$//' "$work/table2"
echo '```'
printf '\nThe products with n = 1024 simulated in full (%s):\n\n```\n' \
	"$(sed -n 's/^# tests.figures.table2.py --full, /`tests\/figures\/table2.py --full`, /p' "$here/table2-full.txt")"
grep -v -e '^#' -e '^fft' -e '^[a-z]*: ' "$here/table2-full.txt"
echo '```'
cat <<'END'

What bounds them, by one parameter changed (`tests/figures/table2.py --bounds`):

```
END
cat "$work/bounds"
cat <<'END'
```

The FP rename buffer (FUB) does, for every kernel that keeps the pipes busy: an entry is held from
D to W, 13 cycles for a multiply-add of 8, so 32 entries serve at most 32 / 13 = 2.46 loads and
multiply-adds a cycle. With 8 loads for 16 multiply-adds that is at most 82 % of the peak, with 14
for 48 at most 95 %; and since decode takes four instructions together, a part is lost. That would
explain why dgemm and zgemm differ in the paper too. The latency of 8 is the one of a
multiplication and an addition in series (SPARC64 V does not fuse them); later
processors of the line are faster.
END
cat <<'END'

## 4. Table 2 with the array

`psim-table2` compiles, records and simulates the kernels on both processors and puts every figure beside
the paper's. What its programs were is not known, so there are forms again ([kernels.md](kernels.md)): `plain`, as a compiler for
a vector machine would do it, and `tuned`. A form stands beside the scalar form of its kind.
Nothing in the array's model was adjusted to these figures: its sizes are the paper's Table 1, its latencies those of the
scalar core's pipes, memory's 8 GB/s those of the scalar model.

END
printf 'The products with n = 1024 are simulated on the array, and come from models on the scalar core (%s):\n\n```\n' \
	"$(sed -n 's/^# psim-table2 --full-simd, /`psim-table2 --full-simd`, /p' "$here/table2-simd.txt")"
grep -v '^#' "$here/table2-simd.txt" | sed 's/ *$//'
cat <<'END'
```

**dgemm.** Both times of the plain form are the paper's to 2 %, the speed-up too. Eight sums and nine loads for eight multiply-adds leave
the array at 64 % of its peak (paper: 63 %). It is not the array that bounds it there: with 4 x 4 sums and transfers that run ahead it reaches 99 %.

**zgemm.** Neither form is as slow as the paper's 72 % of the peak: 91 % with eight complex sums, whose
two multiply-adds for each product hide the latency better than dgemm's one, 99 % when tuned. With four complex sums of a pair
a product would wait for the one before, and it would be below 50 %. So the paper's program
lies between; what it lost, its text does not say. As the scalar core is slower than the paper's here too (88 %, paper 96 %), the speed-up of
8.2 misses 6.0 from both sides.

**fft.** Eight transforms alone take 16 % longer than the paper says if transfers bring the data, and half of its time if the scalar core copies
it. A row of transforms, each eight coming in while the eight before are worked on, takes the paper's time to 1 %: two times
128 KiB, in single doubles 16 bytes apart, so that each line is moved twice, at 4 bytes a cycle are 131 072 cycles, and the paper's
time is 133 600. It is an inference that the paper measured that; but it says why the array is at 10 % of its peak there.

**Energy.** The array's ratios are below the paper's: 0.41 for 0.47 with dgemm's plain form, for which times agree, and 0.42 for 0.54 with the row of
transforms. The scalar core's power is 50 W for 43 W at the fft (and for 38.7 W at dgemm in reading H2), and with the array 146 W for 126 W (H2): each some 15 to 30 % above,
the scalar one more, which is what lowers the ratio. `energy.md` says what the figures rest on.

**Area.** 3.9 times the core, 2.0 with the L2, for 1.5: missed. `energy.md` says which assumption decides it, and what it would be without.
END
[ $# -lt 4 ] || "$here/accuracy-flow.sh" "$3" "$4" || status=5

cat <<'END'

## 6. Networks, elsewhere

| figures | page | command |
|---|---|---|
| packet engine: derived times, the pacing paper's experiments, BlueGene/L | [accuracy-packet.md](accuracy-packet.md) | `tests/figures/pacing.sh` (minutes; `--full`: hours), `meson test bluegene` |
| the task mapping paper's three tables, as far as they are remade | [mapping.md](mapping.md) | `tests/figures/mapping.sh build/bin/mopt` |
| INSPIRE: mean distances, saturation, virtual channels; the wormhole kernel beside BookSim 2 | [ndl.md](ndl.md#beside-the-paper) | `tests/figures/inspire.sh build/bin/inspire configs/ndl`, `tests/figures/booksim.sh` likewise |
| whole machines: the petascale system, PRIMEQUEST 580, two-electron integrals | [accuracy-systems.md](accuracy-systems.md) | `ninja -C build petascale`, `tests/figures/primequest.py` |
| virtual ranks: the same programs on a real MPI, results equal | [vmpi.md](vmpi.md) | `meson test --suite mpi`, where mpich is installed |
END
exit $status
