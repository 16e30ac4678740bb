# The main job on a recorded sample: docs/programs/psim.md, docs/programs/common.md.

$ psim -c configs/sparc64v.ini traces/samples/dgemm.trace.gz
...
trace...
...dgemm...
...

# The program is the recorded one, to its last instruction.

$ psim -c configs/sparc64v.ini -f csv traces/samples/dgemm.trace.gz | grep -E '^(trace,complete|core,instructions),'
trace,complete,,yes,
core,instructions,,199258,...

$ psim-trace -f csv traces/samples/dgemm.trace.gz | grep '^trace,instructions,'
trace,instructions,,199258,...

# A machine whose transitions are not replayed says so with a full report.

$ psim -v -o full.txt -p fetch.wrong_path=loads traces/samples/hello.trace.gz; psim -v -o full.txt traces/samples/hello.trace.gz
psim: note: all cycles are simulated in detail, without replay: fetch.wrong_path

# A key is accepted by its name of the last release, with a note; so is the number that --expect names. The reports differ
# in nothing.

$ psim -q -c sparc64v.ini -p lsu.load_queue=8 --json -o present.json traces/samples/hello.trace.gz; psim -q -c sparc64v.ini -p lsu.fetch_ports=8 --expect 'occupancy.fetch ports.entries=8' --json -o old.json traces/samples/hello.trace.gz; psim-diff --equal present.json old.json > said && echo same
psim: note: -p: lsu.fetch_ports is called lsu.load_queue; the name of the last release is accepted until the next one
same

# A dumped configuration is a file that gives the same dump.

$ psim --dump-config -p core.rob_entries=128 -p l1d.size=64KiB > mine.ini; grep -E '^(rob_entries|size) ' mine.ini
rob_entries = 128 ...
size = 128 KiB ...
size = 64 KiB ...
size = 6 MiB ...
size = 0 ...

$ psim -c mine.ini --dump-config | cmp - mine.ini && echo same
same

$ printf 'inherit = mine.ini\n[core]\nrob_entries = 96\n' > other.ini; psim -c other.ini -f csv traces/samples/hello.trace.gz | grep rob_entries
config.core,rob_entries,,96,

# Configurations that come with the program are found by name.

$ psim --list-configs | awk '$1 == "simd16.ini" { $1 = ""; print }'
 SIMD-extended processor: the scalar core and 16 PEs with 64 KiB of buffer memory each.
$ psim -c simd16.ini --dump-config > one.ini; psim -c configs/simd16.ini --dump-config | cmp - one.ini && echo same
same
$ psim -c simd17.ini --dump-config
psim: simd17.ini: cannot open: No such file or directory, nor in ...configs and its folders
[2]

# Same inputs, same bytes.

$ psim --json traces/samples/quicksort.trace.gz > one; psim --json traces/samples/quicksort.trace.gz > two; cmp one two && echo same
same

# Neither looking at every cycle nor checking nor watching changes a figure.

$ for how in '' --every-cycle --check --no-memo '--memo-memory 1' '--memo-memory 0' '--memo-check 9' '--pipe p --window 100:50'; do psim $how -f csv traces/samples/chase.trace.gz | grep -vE 'skipped|^run,' | cksum; done | sort -u | wc -l
1

# The report is JSON that others can read.

$ python3 -c 'import json; r = json.load(open("one")); print(r["core"]["instructions"], r["units"]["core.instructions"])'
504581 ...

# One run writes a page, CSV and JSON; that it does so changes nothing.

$ psim -q -c simd16.ini --html run.html --csv run.csv --json -o run.json traces/samples/simd-dgemm.trace.gz; psim -q -c simd16.ini --json -o alone.json traces/samples/simd-dgemm.trace.gz; grep -c '</html>' run.html; grep -c '^core,cycles,' run.csv; psim-diff --equal --html diff.html --json run.json alone.json | grep -c '"result": "equal"'
1
1
1

# A trace may come through a pipe.

$ psim -f csv - < traces/samples/dgemm.trace.gz | grep '^core,instructions,'
core,instructions,,199258,...

# Several cores. If they share nothing, each behaves as it does alone, with the same pipeline.

$ psim -q -f csv -p l1d.perfect=yes -p l1i.perfect=yes traces/samples/[dq]*[mt].trace.gz > both.csv; for n in 0 1; do set -- traces/samples/[dq]*[mt].trace.gz; shift $n; psim -q -f csv -p l1d.perfect=yes -p l1i.perfect=yes $1 | grep '^core,cycles,' | sed "s/^/core$n./" | grep -cxFf - both.csv; done
1
1

$ psim -q --pipe one.kanata --window 1000:40 -o report -p l1d.perfect=yes -p l1i.perfect=yes traces/samples/quicksort.trace.gz; psim -q --core 1 --pipe both.kanata --window 1000:40 -o report -p l1d.perfect=yes -p l1i.perfect=yes traces/samples/[dq]*[mt].trace.gz; cmp one.kanata both.kanata && echo same
same

# With a shared L2 that is too small: the same figures however they are simulated.

$ for how in '' --every-cycle --check '--pipe p --window 100:50'; do psim -q $how -f csv -p l2.size=384KiB -p l1d.size=16KiB traces/samples/chase.trace.gz traces/samples/[dq]*[mt].trace.gz | grep -vE 'skipped|^run,' | cksum; done | sort -u | wc -l
1

$ psim -q --json -o a.json traces/samples/dgemm.trace.gz traces/samples/quicksort.trace.gz; psim -q --json --every-cycle -o b.json traces/samples/dgemm.trace.gz traces/samples/quicksort.trace.gz; psim-diff --equal a.json b.json > said && echo same
same

# Programs that share a memory channel: a line of 64 bytes occupies one of a byte a cycle for 64 cycles, so each of three
# programs waits 3 * 64 cycles for each of its 20002 lines.

$ psim -q -c configs/sparc64v.ini -p memory.bandwidth=1B/cycle -p chip.cores=3 -f csv traces/samples/chase.trace.gz | awk -F, '/^core[0-2].core,cycles/ { printf "%.2f\n", $4 / (20002 * 3 * 64) }'
1.00
1.00
1.00

# The paper's chip: eight cores of 16 PEs are 512 GFlop/s, and nothing of it breaks a rule but its area one die's limit.

$ psim -q -c configs/petascale-chip.ini --check -f csv traces/samples/axpy.trace.gz | awk -F, '$1 == "chip" { v[$2] = $4 } END { printf "%d cores, %.0f GFlop/s\n", v["cores"], 100 * v["gflops"] / v["share_of_peak"] }'
psim: warning: area: 1591 mm2 of core and L2: expected at most 858 mm2 (26 mm x 33 mm), the largest die that is exposed at once; 22 % of such dies would have no defect
8 cores, 512 GFlop/s

# Power over time of the chip: watts times the length of the intervals are the chip's energy.

$ psim -q -f csv -p energy.interval=10000 --energy-csv chip.csv traces/samples/[dq]*[mt].trace.gz > both.csv; awk -F, 'FNR == 1 { next } FILENAME == "chip.csv" { j += ($2 - at) * $3; at = $2 } FILENAME == "both.csv" && $1 == "chip" && $2 == "energy_j" { print (j / $4 > 0.9999 && j / $4 < 1.0001) ? "same" : j " " $4 }' chip.csv both.csv
same

# A window of the pipeline, for Konata or as text.

$ psim --pipe p.kanata --window 1000:40 -o report traces/samples/dgemm.trace.gz; head -1 p.kanata; grep -c ^I p.kanata
Kanata	0004
40

$ psim --pipe p.txt --pipe-format text --window 1000:40 -o report traces/samples/dgemm.trace.gz; grep -cE '^  [0-9a-f]{6}  ' p.txt
40

# Power over time.

$ psim --energy-csv power.csv -p energy.interval=10000 -o report traces/samples/dgemm.trace.gz; head -1 power.csv
cycle,seconds,total_w,...

# Structures, stages and their energy over the whole run: N rows of 2^k cycles at the most; every commit slot of a row is used or
# lost; what the rows hold of a structure and of energy adds up to the report's; the same bytes if nothing is skipped.

$ psim -f csv --stages-csv s.csv --stages-svg s.svg --stages-rows 64 -o r.csv traces/samples/quicksort.trace.gz; awk -F, 'FNR == NR { if ($1 == "core") v[$2] = $4; if ($2 == "structure") name[$3] = $4; if ($2 == "average") use[name[$3]] = $4; next } FNR == 1 { for (n = 1; n <= NF; n++) col[$n] = n; next } { c = $1 - at; slots = $col["used"]; for (n in col) if (n ~ /^lost_/) slots += $col[n]; bad += slots < 3.99999 || slots > 4.00001; if (FNR > 2 && c != len) partial++; len = FNR == 2 ? c : len; rob += c * $col["rob"]; j += ($2 - t) * $col["total_w"]; i += c * $col["ipc"]; at = $1; t = $2; rows++ } END { r = rob / v["cycles"] / use["reorder buffer (CSE)"]; e = j / v["energy_j"]; print (rows > 32 && rows <= 64), partial + 0, (at == v["cycles"]), (int(i + 0.5) == v["instructions"]), bad, (r > 0.99999 && r < 1.00001), (e > 0.99999 && e < 1.00001); while (len % 2 == 0) len /= 2; print len }' r.csv s.csv; python3 -c 'import xml.dom.minidom as m; m.parse("s.svg")'
1 1 1 1 0 1 1
1

$ for t in quicksort simd-dgemm; do psim --stages-csv a.csv --stages-svg a.svg -o r $(test $t = quicksort || echo -c configs/simd16.ini) traces/samples/$t.trace.gz; psim --every-cycle --stages-csv b.csv --stages-svg b.svg -o r $(test $t = quicksort || echo -c configs/simd16.ini) traces/samples/$t.trace.gz; cmp a.csv b.csv && cmp a.svg b.svg && echo same; done
same
same

# Nor are they others when known transitions are replayed.

$ for t in quicksort zgemm; do for how in '' --no-memo; do psim $how --stages-csv $t$how.csv --energy-csv $t$how.energy -p energy.interval=700 -v -o r$how.txt traces/samples/$t.trace.gz; done; cmp $t.csv $t--no-memo.csv; cmp $t.energy $t--no-memo.energy; grep -v command r.txt | cksum >r.sum; grep -v command r--no-memo.txt | cksum | cmp - r.sum && echo same; done
same
same

$ psim --stages-csv s.csv --stages-svg s.csv traces/samples/hello.trace.gz
psim: --stages-csv and --stages-svg both write to s.csv, expected different files
[2]

$ psim --stages-csv s.csv --stages-rows 7 traces/samples/hello.trace.gz
psim: --stages-rows: 7 rows, expected an even number from 2 to 65536
[2]

$ psim --stages-rows 8 traces/samples/hello.trace.gz
psim: --stages-rows: expected --stages-csv FILE, --stages-svg FILE or --html FILE too
[2]

# A wider window can only help where instructions wait for it.

$ for rob in 8 64; do psim -f csv -p core.rob_entries=$rob traces/samples/dgemm.trace.gz | sed -n 's/^core,cycles,,\([0-9]*\),.*/\1/p'; done | awk '{ c[NR] = $1 } END { print (c[1] > 1.5 * c[2]) ? "slower" : "not slower" }'
slower

# A product of ragged size: what the result needs beside what all PEs execute. 500 multiply-adds on 16 PEs are 16000 operations.

$ psim -q -c configs/simd16.ini --useful-flops 10000 -f csv traces/samples/axpy.trace.gz | grep -E '^useful,(counted_flops|flops|share_of_counted)'
useful,counted_flops,,16000,flop
useful,flops,,10000,flop
useful,share_of_counted,,62.5,%

$ psim -q -c configs/simd16.ini --useful-flops 20k traces/samples/axpy.trace.gz
psim: --useful-flops 20000: expected at most the 16000 that were executed
[2]

# A machine beyond the laws or the node gives a warning and is simulated.

$ psim -q -o beyond -p energy.node_nm=32 -p energy.voltage=0.6 -p latency.fp_fma=3 traces/samples/hello.trace.gz
psim: warning: energy: node 32 nm: the laws hold for 45 to 180 nm
psim: warning: energy: supply 0.6 V: the laws hold for 0.70 to 1.30 V at 32 nm

# A note on each unit that the configuration has and the run did not use, in text and JSON.

$ for a in "-c simd16.ini traces/samples/quicksort.trace.gz" "-c simd16.ini traces/samples/axpy.trace.gz" "-c simd16.ini --sample traces/samples/dgemm-packed.trace.gz" "-p prefetch.enabled=yes --max-cycles 9 traces/samples/hello.trace.gz" "-p prefetch.enabled=yes traces/samples/chase.trace.gz" "-p chip.cores=2 traces/samples/hello.trace.gz" "-p chip.cores=2 -p chip.sharing=all traces/samples/hello.trace.gz" "-p chip.sharing=threads traces/samples/hello.trace.gz traces/samples/quicksort.trace.gz" "traces/samples/hello.trace.gz traces/samples/quicksort.trace.gz"; do psim -q $a > report; psim -q --json $a > json; echo "$(sed -n '/^notes/,/^$/p' report | sed -n '3,$p' | awk 'NF { printf " %s", $1 }') =" $(sed -n '/^ "notes"/,/^ ]/p' json | grep -o '"unit": "[a-z]*' | cut -d'"' -f4); done
 array = array
 =
 array = array
 prefetcher = prefetcher
 =
 cores = cores
 =
 coherence = coherence
 =

$ psim -q -c simd16.ini traces/samples/quicksort.trace.gz | sed -n '/^notes/,/^$/p'
notes: what the configuration has and the run did not use
  unit   note
  array  not used, but in peak, area, leakage: record code of psim-cc or intrinsics (docs/guide/simd-loop.md)

$ psim -q -c simd16.ini -p chip.cores=2 -p prefetch.enabled=yes --max-cycles 9 traces/samples/hello.trace.gz | sed -n '/^notes/,/^$/p' | awk 'length($0) > 120'

# Half an interval of more than 25 % of the estimate is a warning, and a note of the report, whose interval has the cycles of the whole run.

$ psim -q -c sparc64v.ini --sample=100/5000 -f csv -o sampled traces/samples/dgemm.trace.gz; grep '^estimate,note' sampled | cut -d, -f4; psim -q -c sparc64v.ini -f csv -o whole traces/samples/dgemm.trace.gz; awk -F, '$2 ~ /^cycles/ { v[$1 "." $2] = $4 } END { print (v["estimate.cycles_low"] < v["core.cycles"] && v["core.cycles"] < v["estimate.cycles_high"]) }' sampled whole
psim: warning: --sample=100/5000: half the interval is ... % of the estimate, above 25 %: simulate the trace whole, or a larger part of it with --sample=U/W
the units say little of the whole: simulate it whole
1

# One interval of each phase: the interval has the cycles of the whole run, and the same bytes come however it is
# simulated.

$ for o in '' --no-memo --every-cycle; do psim -q -c sparc64v.ini --simpoints=5000 $o -f csv traces/samples/quicksort.trace.gz | grep -vE 'skipped|^run,' > phases$o; cksum < phases$o; done | sort -u | wc -l; psim -q -c sparc64v.ini -f csv -o whole traces/samples/quicksort.trace.gz; awk -F, '$2 ~ /^cycles/ { v[$1 "." $2] = $4 } END { print (v["estimate.cycles_low"] < v["core.cycles"] && v["core.cycles"] < v["estimate.cycles_high"]) }' phases whole
1
1

# PEs without work have no supply: all of a scalar program, and each return takes wake_cycles; the last sleep has none.

$ for o in '' --every-cycle --check; do psim -q $o -c configs/simd16.ini -p simd.power=gated -f csv traces/samples/hello.trace.gz > scalar.csv; psim -q $o -c configs/simd16.ini -p simd.power=gated -p simd.wake_cycles=30 -f csv traces/samples/simd-fft.trace.gz > fft.csv; awk -F, '($1 == "core" && $2 == "cycles") || $2 ~ /^simd_(asleep|sleeps|stall_wake)$/ { v[FILENAME $2] = $4 } END { print (v["scalar.csvsimd_asleep"] == v["scalar.csvcycles"]), v["scalar.csvsimd_sleeps"], (v["fft.csvsimd_sleeps"] > 1), (v["fft.csvsimd_stall_wake"] == 30 * (v["fft.csvsimd_sleeps"] - 1)) }' scalar.csv fft.csv; done
1 1 1 1
1 1 1 1
1 1 1 1

# A scalar program on a machine with an array may have each kind of disambiguation; it is as fast as without the array.

$ for p in 0 4; do psim -q -c sparc64v.ini -p simd.pes=$p -p lsu.disambiguation=store_sets --expect core.cycles=113034 -o r.txt traces/samples/dgemm.trace.gz && echo same; done
same
same
