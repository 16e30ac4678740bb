# Signals: good order on the first one, and never half a file under the final name.
# needs: sparc64-linux-gnu-gcc

$ printf 'int main(void) { for (;;) ; }\n' > loop.c; sparc64-linux-gnu-gcc -O2 -static -o loop loop.c

$ psim-record -q -n 100M -o loop.trace.gz -- loop

# SIGINT: the report covers the simulated part, and says so.

$ python3 bad/../cli/when_ready.py INT psim -q -f csv -o part.csv loop.trace.gz
psim: loop.trace.gz: interrupted after ... cycles; the report covers these
[1]

$ grep '^trace,complete' part.csv
trace,complete,,no,

# On several processes too.

$ python3 bad/../cli/when_ready.py INT psim -q -j 3 -f csv -o parts.csv loop.trace.gz; grep '^trace,complete' parts.csv
psim: loop.trace.gz: interrupted after ... cycles; the report covers these
trace,complete,,no,

# A checkpoint is written on a signal, and is there after SIGKILL too: the same command continues to the same bytes.

$ psim-record -q -n 3M -o short.trace.gz -- loop; go='psim -q -f csv --checkpoint x.ck --checkpoint-minutes 0 -o whole.csv'; $go short.trace.gz; mv whole.csv once.csv; for s in INT KILL; do python3 bad/../cli/when_ready.py $s --said x.ck $go short.trace.gz >said 2>&1; $go short.trace.gz; cmp whole.csv once.csv && echo same; done
same
same

# SIGTERM: the trace is whole up to there.

$ python3 bad/../cli/when_ready.py TERM psim-record -q -o term.trace.gz -- loop
psim-record: stopped by a signal: ...
[143]

$ psim-trace --verify term.trace.gz
term.trace.gz: good: ...

# SIGKILL: nothing, and an older file stays.

$ python3 bad/../cli/when_ready.py KILL --written psim-record -q -o killed.trace.gz -- loop > said 2>&1; echo $?; ls -A | grep killed
137
[1]

$ echo old > old.csv; python3 bad/../cli/when_ready.py KILL psim -q -f csv -o old.csv loop.trace.gz > said 2>&1; echo $?; cat old.csv
137
old

# The cells of a table are kept; the same command continues.

$ python3 bad/../cli/when_ready.py INT bsim-table -q -p topology.dims=8x8 --tables alltoall --sizes 256KiB --ranks 32,64 -o cells.times; ls cells*
bsim-table: interrupted by signal 2: ... of 2 cells are kept in cells.times.part
cells.times.part

# A reader that has enough ends a view of a trace, long before a damaged part.

$ printf 'int main(void) { unsigned s = 1, h = 0; for (;;) { s = s * 1664525 + 1013904223; if (s & 0x10000) h += s; else h ^= s >> 3; if (s >> 20 == h >> 20) h++; __asm__ volatile("" : "+r"(h)); } }\n' > many.c; sparc64-linux-gnu-gcc -O2 -static -o many many.c; psim-record -q -n 20M -o many.trace.gz -- many; printf damaged | dd of=many.trace.gz bs=1 seek=$(($(wc -c < many.trace.gz) * 9 / 10)) conv=notrunc 2>/dev/null
$ psim-trace --verify many.trace.gz 2>&1 | grep -c damaged; mkfifo closed; exec 3<>closed 4>closed 3<&-; psim-trace --insns many.trace.gz >&4; echo status $?
1
status 0

# SIGUSR1: prints a line, and the run continues. A trace has an end: the line has the share of its bytes that ranks have taken,
# also where the lines of one rank precede all of the other's, and the time left.

$ awk 'BEGIN { print "ranks 2"; for (r = 0; r < 2; r++) for (i = 0; i < 100000; i++) print r " barrier" }' > long.txt; python3 bad/../cli/when_ready.py USR1 nsim -q -e linear -p topology.dims=2 --replay long.txt -o r 2>&1 | grep -c '^nsim: *[0-9]* %, [0-9.e-]* Mbytes, .* left'
1

$ python3 bad/../cli/when_ready.py USR1 psim-record -q -n 200M -o line.trace.gz -- loop 2>&1 | sed 's/[0-9.]\{1,\}/N/g'
psim-record: N Minsn, N Minsn/s

# A load curve: the points that are complete, and no process is left.

$ python3 bad/../cli/when_ready.py INT nsim -q -j 2 -p topology.dims=16x16 --pattern uniform:messages=1000000 --load 0.1:0.9:0.1 -f csv -o load.csv; grep -c ^points load.csv; cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n' | grep 'messages=100000[0]'
nsim: interrupted by signal 2: the results cover the run up to then
0
[1]

# A search, a simulator of networks, in its check or in its run: partial results, marked as incomplete.

$ python3 bad/../cli/when_ready.py INT mopt -q -t torus:8x8x8 --method minlink --orders 100000 --report r.txt -o map.txt bruck:512:2048; grep -o "complete *no" r.txt; grep -cE "^[0-9]+ [0-9]+$" map.txt
mopt: interrupted by signal 2: the placement is the best so far
complete              no
512
$ inspire configs/ndl/torus.ndl -o torus; python3 bad/../cli/when_ready.py INT ./torus -q -p run.clocks=4G -o r.txt 8 8 2>said; grep -o interrupted said; grep -o 'complete  *no' r.txt
interrupted
complete              no

# Ranks of a program: none gets a turn after the signal.

$ printf '#include <mpi.h>\n#include <signal.h>\n#include <stdio.h>\nint main(void) { int rank; MPI_Init(0, 0); MPI_Comm_rank(MPI_COMM_WORLD, &rank); printf("rank %%d\\n", rank); if (rank == 0) raise(SIGINT); MPI_Barrier(MPI_COMM_WORLD); return MPI_Finalize(); }\n' > raises.c; nsimcc -o raises.so raises.c
$ nsim -q -o r.txt -p topology.dims=4x4 raises.so; grep -o "complete *no" r.txt
rank 0
nsim: interrupted by signal 2: the results cover the run up to then
complete              no

# psim-record says why a guest died, also with --quiet.

$ printf 'int main(void) { __builtin_trap(); }\n' > dies.c; sparc64-linux-gnu-gcc -O2 -static -o dies dies.c; psim-record -q --no-trace -- dies
psim-record: dies: ...killed by SIGILL
[132]
