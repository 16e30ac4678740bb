# The columns of a report's tables imply one another: tables.rules says how, tables.py recomputes each table from its own columns.
# A table that the rules do not know is an error.

$ printf 'python3 "$PSIM/tests/cli/tables.py" "$PSIM/tests/cli/tables.rules" "$@"\n' > recompute

# psim: a core, each gating and longer paths of logic, an array, several cores, a region, places, pages.

$ psim -q -c sparc64v.ini --json -o core.json --what-if traces/samples/quicksort.trace.gz; psim -q -c simd16.ini --json -o array.json --useful-flops 1000 traces/samples/simd-fft.trace.gz; psim -q -c simd16.ini -p energy.gating=partial -p decode.stages=4 -p latency.fp_fma=6 -p simd.c_cycles=3 --json -o partial.json traces/samples/simd-dgemm.trace.gz; psim -q -c sparc64v.ini -p energy.gating=none -p core.operand_stages=2 --json -o none.json traces/samples/zgemm.trace.gz; psim -q -c sparc64v.ini -p energy.gating=none --json -o chip.json traces/samples/dgemm.trace.gz traces/samples/quicksort.trace.gz; psim -q -c petascale-chip.ini -p chip.cores=2 --json -o chip-array.json traces/samples/simd-dgemm.trace.gz; psim -q -c sparc64v.ini --region sort --json -o region.json traces/samples/quicksort.trace.gz; psim -q -c sparc64v.ini --annotate main --misses --json -o annotate.json --html page.html traces/samples/quicksort.trace.gz; psim -q -c sparc64v.ini --sample=1000/20000 --json -o sample.json traces/samples/dgemm-packed.trace.gz; psim -q -c sparc64v.ini --simpoints=20000/6 --json -o phases.json traces/samples/dgemm-packed.trace.gz
$ sh recompute core.json array.json partial.json none.json chip.json chip-array.json region.json annotate.json page.html sample.json phases.json
core.json: 22 tables, ... relations hold, 0 do not
array.json: 21 tables, ... relations hold, 0 do not
partial.json: 21 tables, ... relations hold, 0 do not
none.json: 21 tables, ... relations hold, 0 do not
chip.json: 32 tables, ... relations hold, 0 do not
chip-array.json: ... tables, ... relations hold, 0 do not
region.json: ... tables, ... relations hold, 0 do not
annotate.json: ... tables, ... relations hold, 0 do not
page.html: ... tables, ... relations hold, 0 do not
sample.json: 2 tables, ... relations hold, 0 do not
phases.json: 3 tables, ... relations hold, 0 do not

# PEs that sleep, and constants of a file.

$ printf 'energy-constants 1\nenergy.latch_pj 0.1 0.2 0.3 ours\n' > own; psim -q -c simd16.ini -p simd.power=gated -p technology.file=own --json -o asleep.json traces/samples/simd-fft.trace.gz; sh recompute asleep.json
asleep.json: 22 tables, ... relations hold, 0 do not

# Energy over time: the watts of the units add up to the total, but for the rounding of both to six digits.

$ psim -q -c simd16.ini -p energy.interval=20000 --energy-csv power.csv -o r traces/samples/simd-dgemm.trace.gz; awk -F, 'NR > 1 { sum = 0; for (n = 4; n <= NF; n++) sum += $n; rows++; wrong += ((sum - $3) ^ 2 > (1e-5 * $3) ^ 2) } END { print (rows > 10), wrong + 0 }' power.csv
1 0

# psim-diff, psim-trace.

$ psim-diff --json -o diff.json core.json array.json; psim-diff --short --json -o short.json core.json array.json; psim-diff --json -o three.json core.json array.json chip.json; psim-diff --html diff.html core.json chip.json; psim-trace --mix --functions --working-set --phases --json -o trace.json traces/samples/quicksort.trace.gz
$ sh recompute diff.json short.json three.json diff.html trace.json
diff.json: 3 tables, ... relations hold, 0 do not
short.json: 1 tables, ... relations hold, 0 do not
three.json: 3 tables, ... relations hold, 0 do not
diff.html: 4 tables, ... relations hold, 0 do not
trace.json: 7 tables, ... relations hold, 0 do not

# nsim with each engine, bsim with phases, psim-explore.

$ nsimcc -O2 -o ring.so examples/ring.c; nsimcc -O2 -o skeleton.so examples/skeleton.c; nsim -q --json --each-rank --series -p topology.dims=4x2 -n 8 --critical-path -o packet.json ring.so 50 >/dev/null; nsim -q --json --each-rank --series -p topology.dims=4x4 --pattern all_to_all:size=20000 -o pattern.json; nsim -q -e flow --json --each-rank --series -p topology.dims=4x4 --pattern all_to_all:size=20000 -o flow.json; nsim -q -e linear --json --each-rank -p topology.dims=4x4 --pattern all_to_all:size=20000 -o linear.json; nsim -q --json --each-rank --series -p topology.dims=8 -n 8 -o other.json ring.so 50 >/dev/null; psim-diff --json -o ranks.json packet.json other.json; bsim -q -n 16 --json --each-rank --critical-path -o bsim.json skeleton.so >/dev/null; printf 'title = Small\nbase = configs/sparc64v.ini\n[sweep]\ncore.rob_entries = 16, 32\ndecode.fub_entries = 16, 32\n[traces]\na = traces/samples/hello.trace.gz\nb = traces/samples/dgemm.trace.gz\n' > small.ini; psim-explore -q --json --pareto --sensitivity small.ini > explore.json; psim-explore -q --no-run --json --pareto --over trace small.ini > trace-by-trace.json
$ sh recompute packet.json pattern.json flow.json linear.json ranks.json bsim.json explore.json trace-by-trace.json
packet.json: ... tables, ... relations hold, 0 do not
pattern.json: ... tables, ... relations hold, 0 do not
flow.json: ... tables, ... relations hold, 0 do not
linear.json: ... tables, ... relations hold, 0 do not
ranks.json: 3 tables, ... relations hold, 0 do not
bsim.json: ... tables, ... relations hold, 0 do not
explore.json: 5 tables, ... relations hold, 0 do not
trace-by-trace.json: ... tables, ... relations hold, 0 do not

# Links that are down, and fail.

$ printf 'ranks 2\nsend 0 1 0 1024\nreceive 1 0 0\n' > one; nsim -q --json -p topology.dims=4x4 -p topology.routing=minimal -p topology.down=5-6,node:5,router:10 --topology-report --fail 20us:2-3 --repair 40us:2-3 --pattern all_to_all:size=20KiB -o fails.json; nsim -q -e flow --json -p topology.dims=4x4 -p topology.routing=minimal --fail 20us:2-3 --pattern all_to_all:size=20KiB -o flow-fails.json;  nsim -q -e flow --json -p topology.dims=6 -p topology.routing=minimal -p topology.down=5-0,2-3,router:4 --topology-report -n 2 --pattern-file one -o parts.json; sh recompute fails.json flow-fails.json parts.json
fails.json: 8 tables, ... relations hold, 0 do not
flow-fails.json: 4 tables, ... relations hold, 0 do not
parts.json: 5 tables, ... relations hold, 0 do not

# A wrong figure, and a table without a rule, are found.

$ sed '0,/"slots": /s//"slots": 1/' core.json > wrong.json; sed 's/"area": {/"strange": [{"a": 1}], "area": {/' core.json > strange.json; sh recompute wrong.json strange.json | grep -c 'cycle_parts row 0: share ==\|strange: not in the rules'; sh recompute wrong.json >/dev/null
2
[1]
