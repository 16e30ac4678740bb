# The cost of a chain of loads from memory follows from the parameters: docs/models/memory.md.
# The sample makes 20000 loads, each of which needs the result of the one before, none of
# which finds its line in L1 or L2: load_use 4 + fill 2 + L2 12 + memory 120 = 138 cycles
# each, + 4 for each page that only the main TLB has, + 64 for each that neither has.

$ psim -f csv traces/samples/chase.trace.gz > base.csv; grep -E '^memory.(l1d,load|l2,data|dtlb).*(misses|walks)' base.csv
memory.l1d,load_misses,,20000,accesses
memory.l2,data_misses,,20000,lines
memory.dtlb,misses,,19362,accesses
memory.dtlb,walks,,1024,accesses

# 20000 * 138 + 19362 * 4 + 1024 * 60 = 2898888; filling and emptying the pipeline, the
# first fetch from memory: a few hundred more.

$ awk -F, '/^core,cycles,/ { print ($4 >= 2898888 && $4 < 2898888 + 400) ? "as derived" : $4 }' base.csv
as derived

# Each parameter makes the run longer by what it adds to each load (and to the first
# fetch, which also comes from memory and translates: 20001, 19363, 1025).

$ more() { psim -f csv -p "$1" traces/samples/chase.trace.gz | cat base.csv - | awk -F, '/^core,cycles,/ { n = $4 - n } END { print n }'; }; for p in memory.latency=240cycles l2.latency=24 l1d.fill_latency=6 latency.load_use=5 tlb.main_latency=8 tlb.walk_latency=120; do echo "$p $(more $p)"; done
memory.latency=240cycles 2400120
l2.latency=24 240012
l1d.fill_latency=6 80000
latency.load_use=5 20000
tlb.main_latency=8 77452
tlb.walk_latency=120 61500

# A memory channel that is slower than the chain decides alone: 20000 * 200.

$ psim -f csv -p memory.bandwidth=0.32B/cycle traces/samples/chase.trace.gz | awk -F, '/^core,cycles,/ { print ($4 > 4000000 && $4 < 4004000) ? "as derived" : $4 }'
as derived

# One that is faster does not matter, nor do more buffers.

$ for p in memory.bandwidth=64B/cycle l1d.miss_buffers=64 l2.bandwidth=64B/cycle; do psim -f csv -p $p traces/samples/chase.trace.gz | grep -c "^core,cycles,,$(awk -F, '/^core,cycles,/ { print $4 }' base.csv),"; done
1
1
1

# L2 gets the requests that L1D sends, and L1D has missed every line that L2 misses, those
# requested ahead of their store included.

$ psim --check -f csv -p l1d.size=4KiB -p l1d.ways=1 traces/samples/quicksort.trace.gz > sort.csv; awk -F, '$1 ~ /^memory/ { v[$1 "," $2] = $4 } END { l = "memory.l1d,"; print (v[l "load_misses"] + v[l "store_misses"] + v[l "stores_ahead"] + v["memory.prefetch,prefetches_issued"] == v["memory.l2,data_accesses"]) ? "balanced" : "not"; print (v["memory,l1d_mpki"] >= v["memory,l2_mpki"]) ? "L1D asks for more" : "less"; print (v[l "stores_ahead"] > 0) ? "stores asked ahead" : "none" }' sort.csv
balanced
L1D asks for more
stores asked ahead

# Coherence does not search victim caches: cores that share memory have none.

$ psim -p l1d.victim_lines=4 -p chip.sharing=all traces/samples/hello.trace.gz traces/samples/hello.trace.gz
psim: l1d.victim_lines = 4: cores 0 and 1 share memory, expected 0, or chip.sharing = none
[2]
$ psim -f csv -p l1d.victim_lines=4 -p l1d.size=1KiB traces/samples/hello.trace.gz traces/samples/hello.trace.gz > two.csv; psim -f csv -p l1d.victim_lines=4 -p l1d.size=1KiB traces/samples/hello.trace.gz | grep '^memory.victim' | sed 's/^/core0./' | grep -cf - two.csv
2

# 64 maps of ampm have 64 lines of 64 bytes each, as many as an L2 of 256 KiB.

$ for size in 256KiB 128KiB; do psim -q -p l2.size=$size -p l2.ways=16 -p prefetch.enabled=yes -p prefetch.kind=ampm traces/samples/chase.trace.gz | grep -c 'has maps of more lines than L2'; done
0
1
