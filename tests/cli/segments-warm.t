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

# A region alone: entered 200 times, each in a moment; and once behind most of the trace.

$ psim-record -q --warm-up 0 --from main -o main.trace.gz -- parts; printf '#include "psim_region.h"\nint main(void) { volatile long s = 0; for (long i = 0; i < 600000; i++) s += i; psim_region_begin("r"); for (long i = 0; i < 300000; i++) s ^= i; psim_region_end("r"); for (long i = 0; i < 90000; i++) s += i; return 0; }\n' > late.c; sparc64-linux-gnu-gcc -O2 -static -I traces/kernels -o late late.c; psim-record -q --warm-up 0 --from main -o late.trace.gz -- late
$ for t in main late; do for o in '' --no-memo; do psim -q $o --region r --json -o one.json --counters-csv one.csv -p energy.interval=5000 $t.trace.gz; grep -v '"command":' one.json > one; for j in 2 3 9; do psim -q $o --region r -j $j --json -o many.json --counters-csv many.csv -p energy.interval=5000 $t.trace.gz; grep -v '"command":' many.json | cmp - one && cmp one.csv many.csv; done; done; done; psim -q -j 2 --region s late.trace.gz
psim: unknown region 's'...
[2]

# A program of the array: transfers are in flight where the trace is divided; and its run continues from a checkpoint.

$ sparc64-linux-gnu-gcc -O3 -mcpu=ultrasparc3 -mfmaf -Wa,-Av9d -static -o update traces/kernels/simd/dgemm_update_plain.c -lm; psim-record -q --pes 16 --sbm 64KiB --warm-up 0 --region dgemm -o update.trace.gz -- update 256 128 128 > said; psim -q -c simd16.ini --json -o one.json update.trace.gz; grep -v '"command":' one.json > one; for o in '-j 2' '-j 3' '-j 3 --no-memo' '--checkpoint x.ck'; do psim -q -c simd16.ini $o --json -o many.json update.trace.gz; grep -v '"command":' many.json | cmp - one && echo same; done
same
same
same
same

# States that are mirror images of each other where segments begin, and differ in what an instruction of a late segment
# takes: stand-ins of the processes simulate from there.

$ psim-record -q -o long.trace.gz -- quicksort 40000 > said; for o in '' --no-memo; do psim -q $o --json -o one.json long.trace.gz; grep -v '"command":' one.json > one; for j in 2 3 5; do psim -q $o -j $j --json -o many.json long.trace.gz; grep -v '"command":' many.json | cmp - one && echo same; done; done
same
same
same
same
same
same
