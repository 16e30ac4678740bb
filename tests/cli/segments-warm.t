# One trace with parts that only warm up, on several processes: the whole report of one process, but for the command.
# needs: sparc64-linux-gnu-gcc

# From `sort` on: the begin of main, and all before it, only warms up. In the other program a part warms up before each
# of 200 entries of a region, and the rest of main is not recorded.

$ sparc64-linux-gnu-gcc -g -O2 -static -o quicksort traces/kernels/quicksort.c; psim-record -q -o sort.trace.gz --from sort -- quicksort 5000 > said
$ printf '#include "psim_region.h"\nint main(void) { volatile long s = 0; for (long t = 0; t < 200; t++) { for (long i = 0; i < 300; i++) s += i * t; psim_region_begin("r"); for (long i = 0; i < 1500; i++) s ^= i; psim_region_end("r"); } return 0; }\n' > parts.c; sparc64-linux-gnu-gcc -g -O2 -static -I traces/kernels -o parts parts.c; psim-record -q -o parts.trace.gz --region r -- parts

$ for t in sort parts; do psim -q --json -o one.json $t.trace.gz; grep -v '"command":' one.json > one; grep -c '"warmed_up"' one; for j in 2 3 9; do psim -q -j $j --json -o many.json $t.trace.gz; grep -v '"command":' many.json | cmp - one; done; done
1
1

# A function begins at its first instruction that counts: main behind the call of sort, which has passed once.

$ psim -q -j 2 -f csv sort.trace.gz > two; psim -q -f csv sort.trace.gz > one; for f in one two; do awk -F, -v row=none '$1 == "functions" && $2 == "place" && $4 == "main" { row = $3 } $1 == "functions" && $2 == "passes" && $3 == row { print $4 }' $f; done
1
1
