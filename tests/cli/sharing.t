# Cycles of threads that share lines and locks: the table of docs/programs/psim-threads.md. OpenMP's are in openmp.t.
# needs: sparc64-linux-gnu-gcc

$ sparc64-linux-gnu-gcc -O2 -static -I traces/kernels -o threads traces/kernels/threads/threads.c; printf 'turns=$1; shift; rm -f work.*trace.gz; psim-record -q --warm-up 0 --region work -o work.trace.gz -- threads "$@" && psim -q -c sparc64v.ini -f csv work.trace.gz $(ls work.?.trace.gz 2>/dev/null) >work.csv; awk -F, -v turns=$turns '"'"'/^core([0-9].core)?,cycles/ { line = line sprintf(" %%.1f", $4 / turns) } END { print line }'"'"' work.csv\n' >cores.sh

# Two threads write one word, two words of a line, two words of two lines: a line takes 26 cycles to the other core, and 26 back.
# N cores: N * 26.

$ for apart in 0 8 64; do sh cores.sh 20000 share 20000 $apart 2; done; for cores in 4 8; do sh cores.sh 20000 share 20000 8 $cores; done
 53.0 53.1
 53.0 53.1
 6.0 6.1
 105.2 105.2 105.2 105.3
 209.7 209.7 209.7 209.7 209.7 209.7 209.7 209.8

# Separate programs have the line for themselves.

$ sh cores.sh 20000 share 20000 8 2; grep '^core1.memory.coherence,transfers' work.csv; psim -q -c sparc64v.ini -p chip.sharing=none -f csv work.trace.gz work.1.trace.gz | awk -F, '/^core1.core,cycles/ { printf "%.1f\n", $4 / 20000 }'
 53.0 53.1
core1.memory.coherence,transfers,,20011,lines
5.4

# Empty sections under a lock; the first of four cores waits most of its time.

$ for cores in 1 2 4; do sh cores.sh 2000 lock 2000 0 0 $cores; done; awk -F, -v row=- '/^core0.cycle_stack,(cause|share),/ { if ($4 == "thread") row = $3; if ($2 == "share" && $3 == row) printf "%.1f %%\n", $4 }' work.csv
 45.5
 357.5 358.8
 595.6 595.8 595.7 597.2
69.1 %

# A turn of the loop takes 3 cycles. Sections have 250 turns and 50 outside, then the other way round.

$ for loops in "250 50" "50 250"; do for cores in 1 2 4; do sh cores.sh 400 lock 400 $loops $cores; done; done
 961.7
 1821.1 1827.5
 3574.0 3586.7 3591.3 3598.2
 961.7
 1199.2 1205.6
 1297.2 1296.3 1300.1 1307.0

# The first thread joins the second before it runs its own loop of 3 cycles a turn, so it takes twice the time.

$ sh cores.sh 1000000 join 1000000
 6.0 3.0

# The second thread divides for 370 000 cycles, and the first one's loop takes 120 000. They meet, or the first broadcasts.

$ for how in barrier count event; do sh cores.sh 1000 $how 10000; done
 388.3 388.1
 389.9 389.6
 139.0 389.6
