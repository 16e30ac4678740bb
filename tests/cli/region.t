# A region inside a longer trace, and recorded alone with a warm-up part: the same time.
# needs: sparc64-linux-gnu-gcc

$ for k in stencil quicksort; do sparc64-linux-gnu-gcc -O2 -static -o $k traces/kernels/$k.c -lm; psim-record -q -o $k.whole.gz -- $k; for w in 0 1000 10000000; do psim-record -q --region $(echo $k | sed s/quick//) --warm-up $w -o $k.$w.gz -- $k; done; done > said

# Time of the region: in a run of the whole trace, alone inside it, recorded with enough to warm up. A region alone begins
# and ends with an empty pipeline, and its window of instructions cannot reach into what is around it: hundreds of cycles
# at most, of 300 thousand and more. Recorded alone it is cold: the grid of the stencil and the numbers come from memory.

$ seconds() { psim -q --check -f csv "$@" | awk -F, -v r=$region '$1 == "regions" && $2 == "name" && $4 == r { row = $3 } $1 == "regions" && $2 == "seconds" && $3 == row { print $4 }'; }; for k in stencil quicksort; do region=${k#quick}; whole=$(seconds $k.whole.gz); for a in "--region $region $k.whole.gz" $k.10000000.gz $k.0.gz; do echo $whole $(seconds $a); done; done | awk '{ d = $2 / $1 - 1; print (d > -0.002 && d < 0.002 ? "the same" : d > 0.02 ? "longer" : $0) }'
the same
the same
longer
the same
the same
longer

# The same instructions, and all others warm up; figures of the region alone are those of the run.

$ for a in "--region stencil stencil.whole.gz" stencil.10000000.gz; do psim -q -f csv $a > r.csv; psim-trace -f csv ${a##* } | grep '^trace,instructions,' | cat - r.csv | awk -F, '$2 == "instructions" && ($1 == "trace" || $1 == "core") || $2 == "warmed_up" { n[$1 $2] = $4 } END { print n["traceinstructions"] == n["coreinstructions"] + n["tracewarmed_up"] }'; done
1
1

# Every table of a region alone sums up: commit slots, energy of units and stages, functions (shares of cycles).

$ psim -q --json -o r.json --region stencil stencil.whole.gz; python3 -c 'import json; r = json.load(open("r.json")); s = lambda t, k: sum(x[k] for x in t); print(round(s(r["cycle_stack"], "slots") / r["core"]["cycles"], 9), round(s(r["energy"]["units"], "energy") / r["core"]["energy_j"], 9), round(s(r["functions"], "share"), 2), r["regions"][0]["instructions"] == r["core"]["instructions"], round(r["regions"][0]["seconds"] / r["core"]["seconds"], 3))'
4.0 1.0 100.0 True 1.0

# A shorter warm-up gives a result between the two. Views skip warm-up parts.

$ region=stencil; seconds() { psim -q -f csv "$@" | awk -F, '$1 == "regions" && $2 == "seconds" { print $4 }'; }; echo $(seconds stencil.0.gz) $(seconds stencil.1000.gz) $(seconds stencil.10000000.gz) | awk '{ print ($1 >= $2 && $2 > $3) }'
1

$ for f in stencil.0.gz stencil.1000.gz; do psim-trace --mix -f csv $f | grep '^class' | cksum; done | uniq | wc -l; psim-trace stencil.1000.gz | grep -c 'warm_up .*warm-up instructions'; psim-trace --insns stencil.1000.gz | grep '^#'
1
1
# warm-up begins
# warm-up ends
# region stencil begins
# region stencil ends

# On a chip each core warms up with its trace.

$ psim -q --check -f csv stencil.10000000.gz stencil.10000000.gz | grep -E '^core[01].trace,warmed_up' | cut -d, -f4 | uniq | wc -l
1

# A region that the program never enters, beside one that it does.

$ psim-record --region stencil --region nosuch -o two.gz -- stencil | wc -l; psim-trace two.gz | grep -c stencil
psim-record: warning: --region nosuch: the program entered no region of that name
...

$ psim-record --region stensil -o none.gz -- stencil >said
psim-record: stencil: ended after ... instructions and recording never began (no region of that name, the first is 'stencil'): nothing was written
[1]

# A region without an end.

$ printf '#include "psim_region.h"\nint main(void) { psim_region_begin("scan"); return 0; }\n' > open.c; sparc64-linux-gnu-gcc -static -I traces/kernels -o open open.c; psim-record --region scan -o open.gz -- open
psim-record: open: region 'scan' has no end: it extends to the end of the program
...

# Names.

$ psim --region stencill stencil.whole.gz
psim: unknown region 'stencill', did you mean 'stencil'?
[2]

$ psim --region other -p chip.cores=2 stencil.whole.gz
psim: core 0: unknown region 'other', expected one that psim-trace shows
[2]
