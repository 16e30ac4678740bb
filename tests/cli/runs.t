# psim --runs: repetitions with short pauses, and whether differences are within their spread.
# needs: sparc64-linux-gnu-gcc jq

# A histogram, of which loads wait for the addresses of older stores: it has more than one steady state.

$ printf '%s\n' '#include <stdint.h>' '#include <stdio.h>' '#include "psim_region.h"' 'static int tab[256]; static uint8_t c[32768];' 'int main(void)' '{' 'uint64_t x = 88172645463325252u;' 'for (int i = 0; i < 32768; i++) { x ^= x << 13; x ^= x >> 7; x ^= x << 17; c[i] = (uint8_t)x; }' 'psim_region_begin("h");' 'for (int k = 0; k < 8; k++) for (int i = 0; i < 32768; i++) tab[c[i]]++;' 'psim_region_end("h");' 'printf("%d\n", tab[0]); }' > histogram.c; sparc64-linux-gnu-gcc -O2 -mcpu=ultrasparc3 -static -I traces/kernels -o histogram histogram.c; psim-record -q --warm-up 0 --region h -o h.gz -- histogram >out
$ printf '[l1d]\nperfect = yes\n' >perfect.ini; for o in 'h.json --runs 6' 'oracle.json --runs 6 -p lsu.disambiguation=oracle' one.json; do psim -q -c sparc64v.ini -c perfect.ini --json -o $o h.gz; done

# All groups but the new one are those of the unperturbed run alone.

$ for f in h one; do jq -S 'del(.run, .spread, .units)' $f.json >$f.all; done; cmp h.all one.all && echo same
same

# Six runs, of which the figures of the group are what they say. A pause takes at most 64 cycles, and begins each 100 000.

$ jq -c '.spread | .runs, (.cycles | .least <= .mean and .mean <= .most and .low < .mean and .mean < .high), .pauses > 0, .pauses < 0.2' h.json
6
true
true
true

# Beside the pauses the spread is large, but not where loads know what older stores overlap them.

$ jq '.spread.deviation > 4 * .spread.pauses' h.json; jq '.spread.deviation < .spread.pauses' oracle.json
true
true

# A perturbed run is the same with replay, without, and cycle by cycle; with --check no invariant breaks in any.

$ for o in --no-memo --every-cycle '--memo-check 5'; do psim -q -c sparc64v.ini --json -o o.json $o --runs 3 traces/samples/quicksort.trace.gz; jq -c .spread o.json; done | uniq | wc -l
1

# Each load of a chain waits for the one before: pauses make the run longer, but not by more than they take.

$ psim -q -c sparc64v.ini --json -o c.json --runs 5 traces/samples/chase.trace.gz; jq '(.spread.cycles.least == .core.cycles), (.spread.cycles.most <= .core.cycles * (1 + 2 * .spread.pauses / 100))' c.json
true
true

# Two machines: halving the memory's latency changes nothing where all hits L1D, but the price of loads that wait is beyond.

$ psim-diff --short h.json oracle.json | sed -n '/^spread/,$p' | awk '$2 == "cycles" { print $1, $2, $7 }'
oracle.json cycles yes
$ psim -q -c sparc64v.ini -c perfect.ini --json -o latency.json --runs 6 -p memory.latency=45ns h.gz; psim-diff --only core h.json latency.json | awk '$2 == "seconds" { print $1, $2, $7 }'
latency.json seconds no
$ psim-diff --short h.json one.json | grep -c '^spread'
0
[1]

# The same in --what-if: the order of loads and stores is worth more than the spread, a larger L2 is not.

$ psim -q -c sparc64v.ini -c perfect.ini -f csv --runs 3 --what-if h.gz >w.csv; for change in oracle_order l2_size; do row=$(grep "^what_if,change,.*,$change," w.csv | cut -d, -f 3); grep "^what_if,beyond_spread,$row," w.csv | cut -d, -f 4; done
yes
no

# Several cores pause on their own.

$ psim -q -c sparc64v.ini --check --json -o 2.json --runs 3 traces/samples/quicksort.trace.gz traces/samples/dgemm.trace.gz; jq -c '.spread | .runs, .pauses > 0' 2.json
3
true

# A study of several runs: figures are their means, whose errors have columns. A window of half the size costs more time than
# the runs of a histogram differ. The same points of one run each are others.

$ printf '%s\n' 'base = configs/sparc64v.ini' 'runs = 3' '[sweep]' 'core.rob_entries = 16, 64' '[traces]' 'h = h.gz' >three.ini; psim-explore -q three.ini -o s.sqlite -f csv --pareto --csv points.csv >s.csv; grep -cE '^pareto_spread,beyond_spread,0,(time|both)' s.csv; grep -c '^pareto_spread,beyond' s.csv; awk -F, 'NR == 1 { for (i = 1; $i != "runs"; i++) {} runs = i } { print $1 "," $2 "," $runs }' points.csv; awk -F, 'NR == 1 { for (i = 1; $i != "runs"; i++) {} runs = i } NR > 1 { print ($(runs + 1) > 0 && $(runs + 2) > 0) }' points.csv
1
1
trace,core.rob_entries,runs
h,16,3
h,64,3
1
1
$ sed '/^runs/d' three.ini >one.ini; psim-explore -q one.ini -o s.sqlite --no-run -f csv | grep '^study,known'
psim-explore: warning: 2 of 2 points have no results in s.sqlite
study,known,,0,
