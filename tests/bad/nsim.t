# Errors of programs and in the options of nsim: one clear message, and the right status.
# needs: cc

# Ranks that wait for ever.

$ for p in deadlock long_sends wrong_tag half_barrier truncation wrong_rank arguments crash endless status thread large_sum; do nsimcc -w -o $p.so bad/mpi/$p.c; done

$ nsim -q -n 3 deadlock.so
nsim: the program is deadlocked: 3 of 3 ranks wait forever
3 ranks wait for each other:
  rank 0 in MPI_Recv at main (deadlock.c:11): receive from rank 1, tag 0
  rank 1 in MPI_Recv at main (deadlock.c:11): receive from rank 2, tag 0
  rank 2 in MPI_Recv at main (deadlock.c:11): receive from rank 0, tag 0
[4]

# Selections do not hide it.

$ nsim -q --interval -n 1 deadlock.so
nsim: the program is deadlocked: 1 of 1 rank waits forever
rank 0 waits for itself:
  rank 0 in MPI_Recv at main (deadlock.c:11): receive from rank 0, tag 0
[4]

$ nsim -q -n 64 deadlock.so 2>&1 | wc -l
11

$ nsim -q -n 1 deadlock.so
nsim: the program is deadlocked: 1 of 1 rank waits forever
rank 0 waits for itself:
  rank 0 in MPI_Recv at main (deadlock.c:11): receive from rank 0, tag 0
[4]

$ nsim -q -n 2 long_sends.so
nsim: the program is deadlocked: 2 of 2 ranks wait forever
2 ranks wait for each other:
  rank 0 in MPI_Send at main (long_sends.c:12): unreceived send to rank 1, tag 0
  rank 1 in MPI_Send at main (long_sends.c:12): unreceived send to rank 0, tag 0
[4]

# The same where sends of that length are eager.

$ nsim -q -n 2 -p mpi.eager=1MiB -o r.txt long_sends.so

$ nsim -q -n 4 wrong_tag.so
nsim: the program is deadlocked: 1 of 4 ranks waits forever
  rank 0 in MPI_Recv at get (wrong_tag.c:8): receive from rank 1 (which has ended), tag 8
[4]

$ nsim -q -n 3 half_barrier.so
nsim: the program is deadlocked: 2 of 3 ranks wait forever
  ranks 1 to 2, the first in MPI_Barrier at main (half_barrier.c:11): receive from rank 0 (which has ended)
[4]

# Ranks that do not end.

$ nsim -q -n 1 --time-limit 1ms endless.so
nsim: rank 0 exceeds the time limit of 0.001 s, in MPI_Test at main (endless.c:12)
[4]

# Wrong messages and arguments.

$ nsim -q -n 2 truncation.so
nsim: rank 1: receive at main (truncation.c:13): message of 12 bytes from rank 0, tag 0, expected at most 8 bytes
[1]

$ nsim -q -n 2 large_sum.so
nsim: rank 0: MPI_Allreduce at main (large_sum.c:7): number 3000000000: expected -2147483648 to 2147483647 in this call
[1]

$ nsim -q -n 2 wrong_rank.so
nsim: rank 0: MPI_Send at main (wrong_rank.c:10): destination 2: expected 0 to 1
[1]

$ for i in 0 1 2 3 4 5 6 7 8 9 10 11 12; do nsim -q -n 2 arguments.so $i; done 2>&1 | sed 's/ (arguments.c:[0-9]*)//'
nsim: rank 0: MPI_Barrier at main: called before MPI_Init
nsim: rank 0: MPI_Send at main: count -1: expected 0 or more
nsim: rank 0: MPI_Send at main: unknown datatype 999
nsim: rank 0: MPI_Send at main: datatype ... is not committed
nsim: rank 0: MPI_Send at main: tag -5: expected 0 to 1073741823
nsim: rank 0: MPI_Send at main: unknown communicator 0
nsim: rank 0: MPI_Bcast at main: root 77: expected 0 to 1
nsim: rank 0: MPI_Wait at main: unknown or freed request 4711
nsim: rank 0: MPI_Allreduce at main: operation 6 is not defined for datatype 26
nsim: rank 0: MPI_Allreduce at main: unknown operation 99
nsim: rank 0: MPI_Barrier at main: called after MPI_Finalize
nsim: rank 0: MPI_Init at main: called twice
nsim: rank 0: MPI_Abort with code 3 at main

# Crashes.

$ for i in 0 1 2 3 4; do nsim -q -n 4 -p ranks.stack=64KiB crash.so $i; echo $?; done 2>&1
nsim: rank 2: segmentation fault at address 0x10 in main (crash.c:24)
1
nsim: rank 2: arithmetic exception in main (crash.c:25)
1
nsim: rank 2: abort in the library, after MPI_Comm_rank at main (crash.c:21)
1
nsim: rank 2: stack overflow in deep (crash.c:...): expected at most 65536 bytes ([ranks] stack)
1
nsim: rank 2: segmentation fault at address 0x10 in the library, after MPI_Send at main (crash.c:28)
1

# Threads of a rank: where MPI_Init_thread has provided little, calls are main's. The rows of threads, which the program
# allocates, are lost with a failed run: a sanitizer does not look for them.

$ LSAN_OPTIONS=detect_leaks=0 nsim -q -n 1 thread.so
provided: 1
main thread: 0
nsim: rank 0: MPI_Send at work (thread.c:13): called by another thread than that of MPI_Init_thread, which provided less than MPI_THREAD_SERIALIZED
[1]
$ nsimcc -O0 -o thread_wait.so bad/mpi/thread_wait.c
$ LSAN_OPTIONS=detect_leaks=0 nsim -q -n 1 thread_wait.so 1
nsim: the program is deadlocked: 1 of 1 rank waits forever
  rank 0 in pthread_join at main (thread_wait.c:56)
  rank 0, a thread: in pthread_mutex_lock at lock_both (thread_wait.c:20)
  rank 0, a thread: in pthread_mutex_lock at lock_both (thread_wait.c:20)
[4]
$ LSAN_OPTIONS=detect_leaks=0 nsim -q -n 1 thread_wait.so 2
nsim: the program is deadlocked: 1 of 1 rank waits forever
  rank 0 in pthread_join at main (thread_wait.c:56)
  rank 0, a thread: in MPI_Recv at receive (thread_wait.c:26): receive from rank 0, tag 5
  rank 0, a thread: in MPI_Recv at receive (thread_wait.c:26): receive from rank 0, tag 5
[4]
$ LSAN_OPTIONS=detect_leaks=0 nsim -q -n 1 thread_wait.so 3
nsim: rank 0: pthread_kill at main (thread_wait.c:54): expected no signals between threads
[1]
$ LSAN_OPTIONS=detect_leaks=0 nsim -q -n 1 -p ranks.stack=64KiB thread_wait.so 4
nsim: rank 0: stack overflow in deep (thread_wait.c:31): expected at most 65536 bytes ([ranks] stack, or the thread's attribute)
[1]
$ LSAN_OPTIONS=detect_leaks=0 nsim -q -n 1 thread_wait.so 5
nsim: rank 0: segmentation fault at address 0x10 in crash (thread_wait.c:40)
[1]
$ LSAN_OPTIONS=detect_leaks=0 nsim -q -n 1 --write-trace t.trace thread_wait.so 1
nsim: rank 0: pthread_create at main (thread_wait.c:52): a trace (--write-trace, --write-otf2) cannot have this call
[1]

$ nsim -q -n 3 status.so
nsim: rank 1 ended with status 7
[7]

# Calls that are not there are named when the program is made.

$ nsimcc -o u.so bad/mpi/unknown_call.c 2>&1 | grep -o "undefined reference to .MPI_Comm_disconnect"
undefined reference to `MPI_Comm_disconnect

$ printf '#include <mpi.h>\nint main(void) { MPI_Comm_spawn(0); return 0; }\n' > w.c; nsimcc w.c -o w.so 2>&1 | grep -o "warning: implicit declaration of function .MPI_Comm_spawn"
warning: implicit declaration of function ...MPI_Comm_spawn

# A file in another language.

$ nsimcc -O2 solver.f90 -o solver.so
nsimcc: solver.f90: a Fortran file, expected one in C: nsimf90 compiles it
[2]

# The status of the program is that of nsim; Abort with a code whose low 8 bits are 0 gives 1.

$ nsimcc -o statuses.so bad/mpi/statuses.c; for w in 'return 7' 'exit 3' 'abort 42' 'abort 256'; do nsim -q -n 2 statuses.so $w; echo $?; done
nsim: rank 1 ended with status 7
7
nsim: rank 1 ended with status 3
3
nsim: rank 1: MPI_Abort with code 42 at main (statuses.c:15)
42
nsim: rank 1: MPI_Abort with code 256 at main (statuses.c:15)
1

# A rank that makes no calls: the time limit ends it, and so does one signal.

$ nsim -q -n 2 -p ranks.loop_limit=1s --time-limit 1 statuses.so loop
nsim: rank 0 computes for 1 s in ..., and its clock stands still, expected at most ranks.loop_limit
[4]

$ nsim -q -n 2 -p ranks.stack=4KiB statuses.so
nsim: -p: ranks.stack: expected 0, or 16 KiB or more
[2]

# Files that are no program.

$ nsim missing.so
nsim: missing.so: cannot open: No such file or directory
[3]

$ nsim bad/nsim.t
nsim: bad/nsim.t: ..., expected a program made by nsimcc, bsimcc or bsimf90
[3]

$ printf 'int main(void) { return 0; }\n' > plain.c; cc -shared -fPIC plain.c -o plain.so; nsim plain.so
nsim: plain.so: not linked by nsimcc, expected a program made by nsimcc, bsimcc or bsimf90
[3]

$ printf 'int other(void) { return 0; }\n' > none.c; nsimcc none.c -o none.so; nsim none.so
nsim: none.so: no main, MGEN_Main or LMPI_Main, expected a program made by nsimcc, bsimcc or bsimf90
[3]

# Options of nsim.

$ nsim
nsim: no program, expected PROGRAM.so [ARGUMENTS]: see nsim --help
[2]

$ nsim -n 1000 status.so
nsim: 1000 ranks, 1 per node, do not fit 64 nodes: expected at most 64 ranks, or a larger topology.dims, --network-args or ranks.per_node
[2]

$ nsim --time-limit never status.so
nsim: --time-limit never: expected a virtual time, above 0 to 1e6 s
[2]

$ nsim -p mpi.collective_barrier=fast status.so
nsim: -p: mpi.collective_barrier: unknown algorithm 'fast', expected auto, ...
[2]

$ nsim -e best status.so
nsim: ...best...
[2]

# Windows.

$ nsim -q -n 2 --window 5:3 --timeline x.json status.so
nsim: --window '5:3': expected FROM:TO, two times in ascending order
[2]

$ nsim -q -n 2 --window 5 --timeline x.json status.so
nsim: --window '5': expected FROM:TO, two times in ascending order
[2]

$ nsim -q -n 2 --window 0:1lightyear --timeline x.json status.so
nsim: --window '0:1lightyear': expected FROM:TO, two times in ascending order
[2]

$ nsim -q -n 2 --window-ranks 1-2 --timeline x.json status.so
nsim: --window-ranks '1-2': expected A-B, ranks from 0 to 1
[2]

$ nsim -q -n 2 --window-ranks 1- --timeline x.json status.so
nsim: --window-ranks '1-': expected A-B, ranks from 0 to 1
[2]

$ nsim -q --critical-path --pattern all_to_all
nsim: --critical-path: expected a program, not traffic
[2]

# Pictures.

$ nsim -q -n 2 --picture x.svg --timeline x.svg status.so
nsim: --timeline and --picture both write to x.svg, expected different files
[2]

$ nsim -q --picture x.svg --pattern all_to_all
nsim: --picture: expected a program, not traffic
[2]

# A program that is cut, at any byte: the loader would end the process by a signal.

$ echo 'int main(void) { return 0; }' >p.c; nsimcc -o p.so p.c; s=$(stat -c %s p.so); for n in 0 40 100 $((s / 8)) $((s / 4)) $((s / 2)) $((s - 1)); do head -c $n p.so >cut.so; nsim -q -n 2 cut.so 2>err; echo $? $(grep -c '^nsim: cut.so: ' err); done
3 1
3 1
3 1
3 1
3 1
3 1
3 1

# Files that never end.

$ for x in '-e table -p table.file=/dev/zero p.so' '--network /dev/zero p.so' '--mapping /dev/zero p.so' '--pattern-file /dev/zero' '-c /dev/zero p.so' /dev/zero; do nsim -q -n 2 -o r $x || echo $?; done
nsim: /dev/zero:1: a zero byte, expected text
3
nsim: /dev/zero: too large, expected at most 16777216 bytes
3
nsim: /dev/zero:1: a zero byte, expected text
3
nsim: /dev/zero:1: a zero byte, expected text
3
nsim: /dev/zero:1: control character 0x00, expected text
2
nsim: /dev/zero: not a regular file, expected a program made by nsimcc, bsimcc or bsimf90
3

# More ranks on a node than the machine's nodes have: as mopt --per-node.

$ printf 'ranks 3\n0 0\n1 0\n2 1\n' > two.map; nsim -q --mapping two.map -p topology.dims=2x2 --pattern all_to_all -o /dev/null
nsim: two.map: rank 1 exceeds the ranks of node 0, expected at most ranks.per_node = 1
[3]

$ nsim -q --mapping two.map -p topology.dims=2x2 -p ranks.per_node=2 --pattern all_to_all -o /dev/null && rm two.map

# A bandwidth that is next to nothing.

$ nsim -q -e linear -p node.injection=1e-300B/s --pattern all_to_all
nsim: -p: node.injection = 1e-300 B/s: expected 0 or at least 1 B/s
[2]

# Noise that takes more than there is.

$ nsim -q -p ranks.noise_interval=5us --pattern all_to_all
nsim: default: ranks.noise_length: expected less than ranks.noise_interval
[2]

# A wrapper in place of the compiler that it runs.

$ NSIM_CC=nsimcc nsimcc bad/mpi/status.c -o w.so; NSIM_CXX='bsimc++ -O2' nsimc++ x.cpp; NSIM_FC=nsimf90 nsimf90 x.f90
nsimcc: NSIM_CC=nsimcc: expected a compiler, not a wrapper of one
nsimc++: NSIM_CXX=bsimc++ -O2: expected a compiler, not a wrapper of one
nsimf90: NSIM_FC=nsimf90: expected a compiler, not a wrapper of one
[2]

# A message of 1000 s every time, 200 of them: packets have 30 hours, others more. The last one would end after 55 hours.

$ nsim -q -p topology.dims=2 -p link.bandwidth=1kB/s -p nic.mtu=64KiB -p router.vc_buffer=512KiB -p nic.fifo=512KiB -p nic.receive_fifo=512KiB --pattern ring:size=1000000,repeat=200 -o r
nsim: packet engine: traffic at ... s, expected at most 108086 s: flow and linear have later times
[1]

$ nsim -q -e flow -p topology.dims=2 -p link.bandwidth=1kB/s --pattern ring:size=1000000,repeat=200 --expect 'traffic.time>=200000' -o r

# A list of counts with a negative one, in each call that has a list: refused, as one count is.

$ nsimcc -o negative_counts.so bad/mpi/negative_counts.c; for i in 0 1 2 3 4 5 6 7 8; do nsim -q -n 2 negative_counts.so $i; done 2>&1 | sed 's/ (negative_counts.c:[0-9]*)//'
nsim: rank 0: MPI_Gatherv at call: count -2: expected 0 or more
nsim: rank 0: MPI_Scatterv at call: count -2: expected 0 or more
nsim: rank 0: MPI_Allgatherv at call: count -2: expected 0 or more
nsim: rank 0: MPI_Alltoallv at call: count -2: expected 0 or more
nsim: rank 0: MPI_Alltoallv at call: count -2: expected 0 or more
nsim: rank 0: MPI_Alltoallv at call: count -2: expected 0 or more
nsim: rank 0: MPI_Alltoallw at call: count -2: expected 0 or more
nsim: rank 0: MPI_Alltoallw at call: count -2: expected 0 or more
nsim: rank 0: MPI_Reduce_scatter at call: count -2: expected 0 or more

# Figures of --describe, and what it has not.

$ nsim --describe nodes
nsim: --describe nodes: expected KEY=VALUE, with commas between, of nodes, cores, peak, memory, link, latency, topology and dims
[2]

$ nsim --describe racks=2
nsim: --describe racks: expected KEY=VALUE, with commas between, of nodes, cores, peak, memory, link, latency, topology and dims
[2]

$ nsim --describe nodes=0
nsim: --describe nodes=0: 0 is out of range, expected 1 to 16777216
[2]

$ nsim --describe nodes=8,nodes=8
nsim: --describe: nodes twice, expected once
[2]

$ nsim --describe nodes=8,link=1GB/s
nsim: --describe: no latency, expected nodes, link and latency at least
[2]

$ nsim --describe nodes=8,link=1GB/s,latency=1
nsim: --describe latency=1: "1" has no unit, expected one of s, ms, us, ns, ps
[2]

$ nsim --describe nodes=9,link=1GB/s,latency=1us,topology=torus,dims=2x4
nsim: --describe nodes=9: torus 2x4 has 8, expected as many
[2]

$ nsim --describe nodes=8,link=1GB/s,latency=1us,topology=donut 2>&1 | cut -c1-54
nsim: --describe: topology.kind: unknown value "donut"

$ nsim --describe nodes=8,link=1GB/s,latency=1us,topology=dragonfly
nsim: --describe topology=dragonfly: no dims; they follow from nodes for crossbar, fat_tree, torus and mesh alone
[2]

$ nsim --describe nodes=8,link=1GB/s,latency=1us,topology=rails
nsim: --describe topology=rails: expected a kind that nodes or dims describe
[2]

$ nsim --describe nodes=8,link=1GB/s,latency=1us -o none/machine.ini
nsim: none/machine.ini: cannot open for writing: No such file or directory
[1]

$ nsim --describe nodes=8 -p mpi.overhead=0
nsim: --describe and -p, expected one of them
[2]

$ nsim --describe nodes=8 prog.so
nsim: --describe and prog.so, expected one of them
[2]

$ nsim --describe nodes=8 --matrix m.txt
nsim: --describe and --matrix, expected one of them
[2]

# Marks that nobody obeys, a window without room, links that fail beside windows.

$ nsim -q -p router.mark=1KiB --pattern ring; nsim -q -p nic.window=1KiB --pattern ring; nsim -q -p topology.dims=4x4 -p topology.routing=minimal -p nic.window=8KiB --fail 1us:0-1 --pattern ring
nsim: -p: router.mark = 1024 without nic.window: no sender obeys marks, expected a window
nsim: -p: nic.window = 1024 cannot hold a packet: expected at least nic.mtu in whole flits, 2048
nsim: links that fail during a run: expected router.queues = per_output, router.input_port = unlimited, router.classes = 1 and nic.window = 0
[2]

$ for o in --seed=2 --ranks=4 --set=a=1 --load=0.5 --time-limit=1s --each-rank --interval --check --strict; do nsim --describe nodes=8 $o; done
nsim: --describe and --seed, expected one of them
nsim: --describe and --ranks, expected one of them
nsim: --describe and --set, expected one of them
nsim: --describe and --load, expected one of them
nsim: --describe and --time-limit, expected one of them
nsim: --describe and --each-rank, expected one of them
nsim: --describe and --interval, expected one of them
nsim: --describe and --check, expected one of them
nsim: --describe and --strict, expected one of them
[2]

# Selections of algorithms need operations of a program, by messages.

$ nsim --paraver run.txt --replay x.txt; nsim --paraver run.prv --pattern all_to_all; nsim --paraver run.prv --matrix run.pcf --replay x.txt; nsim --paraver run.prv --job 'n=2 prog.so'
nsim: --paraver run.txt: expected a name that ends in .prv
nsim: --paraver: expected a program, not traffic
nsim: --paraver writes run.pcf too, and so does --matrix, expected two files
nsim: --paraver: expected a program, not traffic
[2]

# One run is kept as a whole: on one process, without jobs and archives. A file of parts is none of it.

$ for o in '-j 2 --pattern all_to_all' "--job pattern=all_to_all" '--write-otf2 x prog.so'; do nsim --checkpoint a.ck $o; done; bsim --checkpoint a.ck -j 2 prog.so; nsim --checkpoint-minutes 1 --pattern all_to_all; nsim --checkpoint nosuch/a.ck --pattern all_to_all --load 0.1
nsim: --checkpoint and --processes (-j): expected one of the two, or --load or --interval
nsim: --checkpoint and --job: expected one of the two, or --load or --interval
nsim: --checkpoint and --write-otf2: expected one of the two, or --load or --interval
bsim: --checkpoint and --processes (-j): expected one of the two, or --interval
nsim: --checkpoint-minutes: it has no effect without --checkpoint
nsim: nosuch/a.ck: cannot open for writing: No such file or directory
[1]

$ nsim --interval --pattern all_to_all:size=100
nsim: --interval: expected a program or --replay, whose collective operations have algorithms
[2]

$ nsim --interval --job 'n=2 prog.so'
nsim: --interval: expected a program or --replay, whose collective operations have algorithms
[2]

$ nsim --interval -p mpi.collectives=table prog.so
nsim: --interval: mpi.collectives = table selects one way each, expected mpich, openmpi or auto
[2]
