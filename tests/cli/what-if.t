# psim --what-if: runs on changed machines, the most useful change first.

# Dependent loads from memory, 20000 of them, each 60 cycles (30 ns at 2 GHz) faster with memory in half the latency: 1.2 million
# cycles, but for some hundred at its start. With a perfect L1D a load takes 4 cycles and not 138.

$ psim -q -c sparc64v.ini -p tlb.perfect=yes -f csv --what-if traces/samples/chase.trace.gz >chase.csv; for change in memory_latency perfect_l1d; do row=$(grep "^what_if,change,.*,$change," chase.csv | cut -d, -f 3); grep "^what_if,saved,$row," chase.csv; done | awk -F, 'NR == 1 { print ($4 > 1200000 - 1000), ($4 < 1200000 + 1000) } NR == 2 { print ($4 > 134 * 20000 - 1000), ($4 < 134 * 20000 + 1000) }'
1 1
1 1

# The cycles are those of a run of its own with this change, and the rows are sorted.

$ psim -q -c sparc64v.ini -p tlb.perfect=yes -f csv -p l1d.perfect=yes traces/samples/chase.trace.gz | awk -F, '$1 == "core" && $2 == "cycles" { print $4 }' >alone; grep '^what_if,cycles,0,' chase.csv | cut -d, -f 4 | cmp - alone && echo same
same
$ grep '^what_if,cycles,' chase.csv | cut -d, -f 4 | sort -nc && echo sorted
sorted

# Changes that change nothing are no rows: translation is perfect already, and the core has no array. With an array there are.

$ grep -cE '^what_if,change,.*,(perfect_tlb|simd_|sbm_|transfers)' chase.csv
0
[1]
$ psim -q -c simd16.ini -f csv --what-if traces/samples/axpy.trace.gz | grep -cE '^what_if,change,.*,(simd_pipes|simd_load_pipes|simd_window|simd_latency|simd_distance|sbm_ports|transfers),'
7

# SIGINT when the first change begins: the report has the run itself. Leaks are not looked for below strace.

$ if command -v strace >/dev/null; then ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 strace -qq -o /dev/null -e inject=clone,clone3,fork,vfork:signal=SIGINT:when=1 psim -q --what-if -o cut.txt traces/samples/hello.trace.gz; else psim -q -o cut.txt traces/samples/hello.trace.gz; echo 'psim: traces/samples/hello.trace.gz: interrupted in --what-if, whose table is not complete'; fi; grep -c '^  cycles ' cut.txt
psim: traces/samples/hello.trace.gz: interrupted in --what-if, whose table is not complete
1
