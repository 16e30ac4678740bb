# psim --misses, top_down, prefetchers, --counters-csv: their figures add up to the counters of the run.

# The branches' mispredictions are those of the run; their shares add up to 100 %.

$ psim -q -c sparc64v.ini --misses --json traces/samples/quicksort.trace.gz >run.json
$ jq -r '([.branches[].mispredicted] | add) == .commit.mispredicts, (([.branches[].share] | add) - 100 | fabs < 1e-6)' run.json
true
true

# So are the loads' misses, but for those that had not committed: in a chase each of 20000 loads comes from memory, one at
# a time. A read takes memory.latency, 120 cycles at 2 GHz.

$ psim -q -c sparc64v.ini -p tlb.perfect=yes --misses --top 1 --json traces/samples/chase.trace.gz >chase.json
$ jq -r '.load_misses[0] | .loads, .l1_misses, .l2_misses' chase.json
20000
20000
20000
$ jq -r '.region_misses[0].parallelism, ([.region_counters[] | {(.counter): .value}] | add | .["chase.memory.channel.reads"] * 120 - .["chase.memory.channel.read_cycles"])' chase.json
1
0

# The four categories of the first level are all slots, and so are a category's parts its own, in each sample too.

$ for o in '' --sample; do psim -q -c sparc64v.ini $o --json traces/samples/dgemm-packed.trace.gz | jq -c '[(.top_down | map(select(.category == "")) | map(.slots) | add) == (.cycle_parts | map(.slots) | add)] + [.top_down as $t | $t[] | select(.category == "" and .part != "retiring") | .part as $p | .slots == ($t | map(select(.category == $p)) | map(.slots) | add)]'; done
[true,true,true,true]
[true,true,true,true]

# A prefetcher that runs ahead of a stream: the lines used are a part of those requested, the late ones a part of those.

$ psim -q -c sparc64v.ini -p prefetch.enabled=yes --json traces/samples/dgemm.trace.gz | jq -c '.prefetchers[] | [.used <= .lines, .late <= .used, (.accuracy - 100 * .used / .lines | fabs) < 1e-9, (.coverage - 100 * .used / (.used + .misses) | fabs) < 1e-9]' | sort -u
[true,true,true,true]

# The rows of --counters-csv add up to the counters of the report, each of them.

$ psim -q -c sparc64v.ini --counters-csv rows.csv -p energy.interval=50000 --json traces/samples/quicksort.trace.gz >run.json
$ python3 "$PSIM/tests/cli/counter_sums.py" rows.csv run.json
11 []

# The same with replay and without, and with several cores for the one of --core.

$ psim -q -c sparc64v.ini --no-memo --counters-csv detailed.csv -p energy.interval=50000 -o report.txt traces/samples/quicksort.trace.gz
$ cmp rows.csv detailed.csv
$ psim -q -c sparc64v.ini -p chip.cores=2 --core 1 --counters-csv second.csv -p energy.interval=50000 --json traces/samples/quicksort.trace.gz | jq '.core1.commit.mispredicts' >report; cut -d, -f"$(head -1 second.csv | tr , '\n' | grep -n '^commit.mispredicts$' | cut -d: -f1)" second.csv | tail -n +2 | jq -s add | cmp - report

# Mistakes

$ psim -q -c sparc64v.ini --misses --no-profile traces/samples/quicksort.trace.gz
psim: --misses and --no-profile: a report without a profile, expected one of the two
[2]
$ psim -q -c sparc64v.ini --misses --sample traces/samples/dgemm-packed.trace.gz
psim: --misses and --sample: a report without a profile, expected one of the two
[2]
$ psim -q -c sparc64v.ini --counters-csv rows.csv traces/samples/quicksort.trace.gz
psim: --counters-csv: expected an interval too, for instance -p energy.interval=10000
[2]

# Rows of a sample cover the trace in its order: units, the head among them, and what was not measured, whose cells are
# empty. A measured row counts its own instructions, and cycles are those measured so far. One row for each unit.

$ printf '%s\n' '$1 == "first" { for (n = 1; n <= NF; n++) at[$n] = n; next }' '$1 != end { print "row " NR " begins at " $1 }' '{ end = $2 }' '$3 == "not_measured" { for (n = 4; n <= NF; n++) if ($n != "") print "row " NR ": " $n; next }' '{ rows++; cycles += $at["core.cycles"]; if ($at["core.instructions"] != $2 - $1 || $4 != cycles) print "row " NR ": counts" }' 'END { print end, rows }' > sampled.awk; for o in --sample=1000/20000 --simpoints; do psim -q -c sparc64v.ini $o --counters-csv rows.csv -f csv traces/samples/dgemm-packed.trace.gz > r.csv; awk -F, -f sampled.awk rows.csv; awk -F, '$2 == "length" && $1 == "trace" || $2 == "units" { print $4 }' r.csv; done
3773656 188
3773656
187
3773656 27
3773656
27

$ psim -q -c sparc64v.ini --sample --energy-csv rows.csv -p energy.interval=10000 traces/samples/dgemm-packed.trace.gz
psim: --sample and --energy-csv: a sample has parts of the trace, expected one of the two
[2]
