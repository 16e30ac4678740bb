# Reports of psim, their guarantees, and their comparison: docs/programs/psim.md.

# The short report: the run, where its cycles went, where in the program, energy and area by part.

$ psim -c configs/sparc64v.ini traces/samples/dgemm.trace.gz | sed -n 's/^\([a-z_.]*\): .*/\1/p'
run
trace
core
cycle_parts
cycle_stack
top_down
regions
region_parts
region_misses
functions
loops
energy.units
energy.stages
area.units

# All of it, in text and in CSV, has the same groups; no line of the short one is wider than a terminal.

$ psim -v traces/samples/dgemm.trace.gz | sed -n 's/^\([a-z0-9_.]*\)\(: .*\)\{0,1\}$/\1/p' | grep . | sort -u > text; psim -f csv traces/samples/dgemm.trace.gz | cut -d, -f1 | sort -u | grep -v '^group$' > csv; cmp text csv && echo same
same

$ psim traces/samples/dgemm.trace.gz | grep -v command | awk 'length($0) > 120'

# The same for the long report of each machine, with 8 cores, an array, memory of banks and an L3 too.

$ for c in configs/*.ini configs/memory/*.ini; do case $c in *simd*) t=simd-dgemm ;; *) t=fft-radix4 ;; esac; psim -q -v -c $c traces/samples/$t.trace.gz 2>/dev/null >long; awk -v of="$c $t" '!/^  command / && length($0) > 120 { print of ": " $0 } END { print (NR > 300) }' long; done | sort | uniq -c | xargs
11 1
$ psim -q -v -c sparc64v.ini -p l3.size=8MiB -p l3.inclusion=exclusive -p l1d.victim_lines=8 -p fetch.wrong_path=loads -p prefetch.enabled=yes -p prefetch.kind=best_offset traces/samples/quicksort.trace.gz | awk '!/^  command / && length($0) > 120'
$ psim -v traces/samples/dgemm.trace.gz | grep -A1 '^  load_blocks  '
  load_blocks                      0 attempts      # attempts of loads at Ps that an older store held; a load tries
                                                   # again after each store's address, data or write

# The summary's figures belong together: IPC is instructions by cycles, power is energy by time.

$ psim -f csv -o r.csv traces/samples/dgemm.trace.gz; awk -F, '$1 == "core" { v[$2] = $4 } END { print v["ipc"] - v["instructions"] / v["cycles"] < 1e-12, v["power_w"] / (v["energy_j"] / v["seconds"]), v["nj_per_instruction"] / (1e9 * v["energy_j"] / v["instructions"]), v["energy_delay_js"] / (v["energy_j"] * v["seconds"]) }' r.csv
1 1 1 1

# The cycle stack and its parts add up to every slot of every cycle.

$ awk -F, '$1 ~ /^cycle_/ && $2 == "slots" { s[$1] += $4 } /^core,cycles/ { c = $4 } END { print s["cycle_stack"] - 4 * c, s["cycle_parts"] - 4 * c }' r.csv
0 0

$ psim -f csv traces/samples/quicksort.trace.gz | awk -F, '$1 == "region_parts" && $5 == "%" { s += $4 } END { print (s > 100 - 1e-9 && s < 100 + 1e-9) }'
1

# Functions share out the cycles; what trap handlers take, and the end, is a row of its own where all are listed.

$ psim -f csv traces/samples/hello.trace.gz >all; awk -F, '$1 == "functions" && $2 == "share" { s += $4 } END { print (s > 100 - 1e-9 && s < 100 + 1e-9) }' all; grep -c '^functions,place,.*(traps and end)' all; psim -f csv --top 1000 traces/samples/hello.trace.gz | grep -c '^functions,place,.*(traps and end)'
1
1
0
[1]

# Neither checking, nor every cycle, nor a view, nor power over time changes a figure: only how it was run differs.

$ psim --json -o plain.json traces/samples/quicksort.trace.gz; psim --json -o other.json --check --every-cycle --pipe x.kanata.gz --energy-csv x.csv.gz -p energy.interval=1000 traces/samples/quicksort.trace.gz; psim-diff plain.json other.json | tail -n +5
  values ...   # values of a
  differences                      1   # values that differ or that not all reports have

differences: values that differ
  name                    a  b     ratio  change  unit
                                               %
  config.energy.interval  0  1000      -       -

# A page is a report too: it has the same values, with twelve digits, and more tables.

$ psim --html plain.html traces/samples/quicksort.trace.gz; psim-diff --within 1e-8 --only core plain.json plain.html | sed -n 's/^ *result *//p'; psim-diff --short plain.json plain.html | sed -n '$p' | awk '{ print $NF }'
equal
1

# Compressed where the name says so.

$ gzip -dc x.kanata.gz | sed -n 1p; gzip -dc x.csv.gz | cut -c1-5 | sed -n 1p
Kanata	0004
cycle

# Power over time: rows end at multiples of the interval, the last at the end of the run, and add up to the energy.

$ psim -f csv --energy-csv power.csv -p energy.interval=7000 -o r.csv traces/samples/quicksort.trace.gz; awk -F, 'FNR == NR { if ($2 == "energy_j") e = $4; if ($1 == "core" && $2 == "cycles") c = $4; next } FNR > 1 { if ($1 % 7000) partial++; sum += $3 * ($2 - t); units = 0; for (n = 4; n <= NF; n++) units += $n; if (units / $3 > 1.0001 || units / $3 < 0.9999) bad++; t = $2; last = $1; rows++ } END { print rows == int(c / 7000) + 1, partial, last == c, (sum / e > 0.9999 && sum / e < 1.0001), bad + 0 }' r.csv power.csv
1 1 1 1 0

# One interval longer than the run: one row, the whole of it.

$ psim --energy-csv power.csv -p energy.interval=4000000000 -o report traces/samples/hello.trace.gz; wc -l < power.csv
2

# Windows of the pipeline: by number, function, address, region.

$ psim -f csv -o hello.csv traces/samples/hello.trace.gz; place=$(awk -F, '$1 == "functions" && $2 == "from" { print $4; exit }' hello.csv); for w in 500:3 @main:3 @main+0x4:3 @$place:3; do psim -o report --pipe - --pipe-format text --window $w traces/samples/hello.trace.gz | grep -c '^ *[0-9a-f]*  .*|'; done
3
3
3
3

$ psim -o report --pipe p.kanata --window @region:dgemm:3 traces/samples/dgemm.trace.gz; grep -c ^I p.kanata
3

# Expected figures: met, missed (all are reported), unknown.

$ psim -o report --expect 'core.instructions=8488' --expect 'core.ipc<=4' --expect 'core.energy_j>=1e-9' traces/samples/hello.trace.gz

$ psim -o report --expect 'core.instructions=8489' --expect 'core.ipc>=5' traces/samples/hello.trace.gz; echo $?; head -1 report
psim: core.instructions is 8488, expected 8489
psim: core.ipc is ..., expected at least 5
5
run: identification of the run

# The last format counts.

$ psim --json -f csv traces/samples/hello.trace.gz | grep ^core,ipc; psim -f csv --json traces/samples/hello.trace.gz | sed -n 1p
core,ipc,...
{

# Two runs side by side: a smaller window costs time, and changes the configuration.

$ psim --json -o small.json -p core.rob_entries=8 traces/samples/quicksort.trace.gz; psim-diff --only core plain.json small.json | awk '/core.cycles/ { print ($4 > 0) } /core.instructions/'
1

$ psim-diff --only config plain.json small.json | tail -1
  config.core.rob_entries  64  8      -       -

$ psim-diff --equal plain.json plain.json | tail -1; psim-diff --equal -w 0.5 plain.json small.json > report
  differences                      0   # values that differ or that not all reports have
psim-diff: plain.json and small.json differ in ... values, expected none
[5]

$ psim-diff --json plain.json small.json | python3 -c 'import json, sys; r = json.load(sys.stdin); print([d["b"] for d in r["differences"] if d["name"] == "config.core.rob_entries"])'
['8']

# More than 24 changed values of numbered rows are summed up by column, without -v: 5 rows of 5 values.

$ for x in 0 1; do awk -v x=$x 'BEGIN { printf "{\"ranks\": ["; for (n = 0; n < 5; n++) printf "%s{\"a\": %d, \"b\": %d, \"c\": %d, \"d\": %d, \"e\": %d}", n ? ", " : "", n + x, x, 2 * x, 3 * x, n * n - x; print "]}" }' >rows$x.json; done; psim-diff rows0.json rows1.json | sed -n '/^rows/,/^$/p' | awk 'NF { print $1, $2, $3 }'; psim-diff -v rows0.json rows1.json | grep -c '^  ranks'
rows: tables with
column rows changed
ranks.a 5 5
ranks.b 5 5
ranks.c 5 5
ranks.d 5 5
ranks.e 5 5
25

# In short: a line each. The processors are the same, so that the window of 8 is the slower one.

$ psim-diff --short --json plain.json small.json | python3 -c 'import json, sys; a, b = json.load(sys.stdin)["runs"]; print(a["speed_up"], b["speed_up"] < 1, b["speed_up"] == a["seconds"] / b["seconds"], sorted(a) == sorted(b))'
1.0 True True True

$ echo '{"program": {"seconds": 1}}' > other.json; echo '{}' > none.json; psim-diff --short plain.json none.json; psim-diff --short plain.json other.json
psim-diff: none.json: has neither core.seconds nor program.seconds, expected a report of psim, nsim or bsim
psim-diff: --short: runs of processors and of systems, expected reports of one kind
[3]

# A run that is stopped early says so.

$ psim --max-cycles 1000 -f csv traces/samples/hello.trace.gz | grep -E '^(core,cycles|trace,complete)'
trace,complete,,no,
core,cycles,,1000,cycles

# Every cause of a lost slot belongs to a part of the machine.

$ for t in hello dgemm quicksort chase; do psim -f csv traces/samples/$t.trace.gz; done | grep -c '^cycle_[a-z]*,part,[0-9]*,other,'
0
[1]

# Outputs whose names end in .gz are compressed, and read again. Names of other compressed files are refused.

$ psim -q --json -o hello.json.gz traces/samples/hello.trace.gz; zcat hello.json.gz | sed -n 1p; psim-diff hello.json.gz hello.json.gz | sed -n 2p
{
  a                     hello.json.gz
$ psim -q -f csv -o hello.csv.xz traces/samples/hello.trace.gz
psim: hello.csv.xz: cannot write .xz, expected .gz or a plain file's name
[2]
$ psim-trace -q --champsim hello.champsim.xz -o r traces/samples/hello.trace.gz
psim-trace: hello.champsim.xz: cannot write .xz, expected .gz or a plain file's name
[2]
