# Programs with threads: a trace for each.
# needs: sparc64-linux-gnu-gcc

$ sparc64-linux-gnu-gcc -O2 -static -o threads bad/../guest/threads.c

# Eight threads add 0 to 7 a thousand times each: 28000; the squares of 0 to 7 add up to 140.

$ psim-record -o threads.trace.gz -- threads
thread 0 of 28000
thread 1 of 28000
thread 2 of 28000
thread 3 of 28000
thread 4 of 28000
thread 5 of 28000
thread 6 of 28000
thread 7 of 28000
squares 140
slept: 1
timed out: 1
signalled: 42

# Those that begin later take the places, and go on with the traces, of those that have ended.

$ ls threads*.gz
threads.1.trace.gz
threads.2.trace.gz
threads.3.trace.gz
threads.4.trace.gz
threads.5.trace.gz
threads.6.trace.gz
threads.7.trace.gz
threads.trace.gz

$ for t in threads*.gz; do psim-trace --verify $t; done | grep -c good
8

# The same in every run.

$ for n in 1 2; do psim-record -q -o threads.trace.gz -- threads >said; cksum threads*.gz >sum$n; done; cmp sum1 sum2

# Each of four threads runs 1000 turns of a loop of 5 instructions. The first marks the region; all traces have it.

$ printf '#include <pthread.h>\n#include "traces/kernels/psim_region.h"\nstatic pthread_barrier_t b;\nstatic void *work(void *p) { pthread_barrier_wait(&b); __asm__ volatile("set 1000, %%%%g1\\n1: nop; nop; subcc %%%%g1, 1, %%%%g1; bne 1b; nop" ::: "g1", "cc"); pthread_barrier_wait(&b); return p; }\nint main(void) { pthread_t t[3]; pthread_barrier_init(&b, 0, 4); for (int n = 0; n < 3; n++) pthread_create(&t[n], 0, work, 0); psim_region_begin("quarter"); work(0); for (int n = 0; n < 3; n++) pthread_join(t[n], 0); psim_region_end("quarter"); return 0; }\n' >quarter.c; sparc64-linux-gnu-gcc -O2 -static -I. -o quarter quarter.c && psim-record --region quarter --warm-up 0 -o quarter.trace.gz -- quarter

$ for t in quarter.trace.gz quarter.[123].trace.gz; do psim-trace $t | awk '/^  quarter / { print $1, $2, $3 >= 5000 && $3 < 6500 ? "5000 and those of the library" : $3 }'; done
quarter 1 5000 and those of the library
quarter 1 5000 and those of the library
quarter 1 5000 and those of the library
quarter 1 5000 and those of the library

# Each on a core of a chip.

$ psim -q -c sparc64v.ini quarter.trace.gz quarter.[123].trace.gz | awk '/^cores:/ { on = 1 } on && $1 ~ /^[0-3]$/ { print "core", $1 }'
core 0
core 1
core 2
core 3

# A triad of four threads at the rate of the memory channel: 131072 elements of 32 bytes at 4 bytes a cycle take 1048576 cycles, less
# 16 cycles for each line, of at most 12288, that the L2 of 768 KiB still holds at the end: at least 851968.

$ printf '#include <pthread.h>\n#include <stdlib.h>\n#include "traces/kernels/psim_region.h"\nenum { PART = 32768 };\nstatic pthread_barrier_t all;\nstatic double *a, *b, *c;\nstatic void *triad(void *p) { long first = (long)p * PART; pthread_barrier_wait(&all); for (long n = first; n < first + PART; n++) a[n] = b[n] + 3.0 * c[n]; pthread_barrier_wait(&all); return p; }\nint main(void) { pthread_t t[4]; a = calloc(4 * PART, 8); b = calloc(4 * PART, 8); c = calloc(4 * PART, 8); pthread_barrier_init(&all, 0, 4); for (long n = 1; n < 4; n++) pthread_create(&t[n], 0, triad, (void *)n); psim_region_begin("triad"); triad(0); for (long n = 1; n < 4; n++) pthread_join(t[n], 0); psim_region_end("triad"); return 0; }\n' >triad.c; sparc64-linux-gnu-gcc -O2 -static -I. -o triad triad.c && psim-record -q --region triad --warm-up 0 -o triad.trace.gz -- triad

$ psim -q -c sparc64v.ini -p l2.size=768KiB -f csv triad.trace.gz triad.[123].trace.gz | awk -F, '/^chip,cycles/ { print ($4 >= 851968 && $4 <= 1048576 ? "the channel bounds it" : $4) } /^chip,memory_channel/ { print ($4 > 95 && $4 <= 100 ? "and is full" : $4) }'
the channel bounds it
and is full

# OpenMP has a thread for each processor that the program sees.

$ printf '#include <stdio.h>\n#include <omp.h>\nint main(void) { long s = 0;\n#pragma omp parallel for reduction(+:s)\nfor (int i = 1; i <= 1000; i++) s += i;\nprintf("%%d threads, %%ld\\n", omp_get_max_threads(), s); return 0; }\n' >sum.c; sparc64-linux-gnu-gcc -O2 -static -fopenmp -o sum sum.c 2>/dev/null; for n in 1 6 64; do psim-record -q --no-trace --cpus $n -- sum; done
1 threads, 500500
6 threads, 500500
64 threads, 500500

# Mistakes.

$ psim-record --cpus 0 --no-trace -- sum
psim-record: --cpus 0: expected 1 to 64
[2]

$ psim-record --cpus 65 --no-trace -- sum
psim-record: --cpus 65: expected 1 to 64
[2]

$ psim-record --cpus 2 -o - -- sum >part.gz
psim-record: --output: standard output takes the trace of one thread, expected a file's name
[2]

# Two threads that wait for each other.

$ printf '#include <pthread.h>\nstatic pthread_mutex_t a, b;\nstatic pthread_barrier_t both;\nstatic void *other(void *p) { pthread_mutex_lock(&b); pthread_barrier_wait(&both); pthread_mutex_lock(&a); return p; }\nint main(void) { pthread_t t; pthread_barrier_init(&both, 0, 2); pthread_create(&t, 0, other, 0); pthread_mutex_lock(&a); pthread_barrier_wait(&both); pthread_mutex_lock(&b); return 0; }\n' >stuck.c; sparc64-linux-gnu-gcc -O2 -static -o stuck stuck.c && psim-record --no-trace -- stuck
psim-record: stuck: deadlock: each of 2 threads waits for another (the last one for futex 0x...)
[4]

# More threads at a time than a chip has cores: the call says so.

$ printf '#include <errno.h>\n#include <pthread.h>\n#include <stdio.h>\n#include <unistd.h>\nstatic void *rest(void *p) { sleep(1); return p; }\nint main(void) { pthread_t t; int n = 0, r; while ((r = pthread_create(&t, 0, rest, 0)) == 0) n++; printf("%%d more, %%d\\n", n, r == EAGAIN); return 0; }\n' >many.c; sparc64-linux-gnu-gcc -O2 -static -o many many.c && psim-record --no-trace -- many
psim-record: many: more than 64 threads at a time: no more can begin
63 more, 1

# Another process cannot begin.

$ printf '#include <stdio.h>\n#include <unistd.h>\nint main(void) { printf("%%d\\n", fork()); return 0; }\n' >process.c; sparc64-linux-gnu-gcc -O2 -static -o process process.c && psim-record --no-trace -- process
psim-record: process: unknown system call 217 at pc ... (fork, vfork, clone: other processes are not supported): returns ENOSYS
-1
