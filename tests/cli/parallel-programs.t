# Programs on several processes: docs/programs/parallel.md. Output, errors, status and report are those of one process but for the command.

$ for p in ring jacobi sample_sort; do nsimcc -O1 -o $p.so examples/$p.c -lm || echo $p; done; for p in p2p collectives comms groups nonblocking lines; do nsimcc -w -O1 -o $p.so mpi/$p.c -lm || echo $p; done; for p in deadlock truncation crash status thread_wait; do nsimcc -w -o $p.so bad/mpi/$p.c; done

$ same() { nsim -q --json --each-rank "$@" > one.json 2> one.err; one=$?; for j in 2 3; do nsim -q --json --each-rank -j $j "$@" > many.json 2> many.err; many=$?; diff one.json many.json | grep -c '^>'; cmp one.err many.err; [ $one = $many ] || echo "status $one, $many"; done | tr '\n' ' '; echo; }; for p in ring jacobi sample_sort lines; do same -p topology.dims=4x2 ./$p.so; done; for p in p2p collectives comms groups; do same -p topology.dims=4x2 --check ./$p.so; same -p topology.dims=4x2 -p ranks.per_node=2 -p mpi.eager=100 ./$p.so; done
1 1 
1 1 
1 1 
1 1 
1 1 
1 1 
1 1 
1 1 
1 1 
1 1 
1 1 
1 1 

# Runs on several processes, and repetitions on one: there are no windows in its report. What a program allocated in a run that is
# repeated is lost, as that of a program that fails: sanitizers are not to report it.

$ export ASAN_OPTIONS=detect_leaks=0; for p in ring jacobi p2p collectives comms groups nonblocking; do nsim -q -j 2 -p topology.dims=4x2 --parallel-report ./$p.so | grep -c '^parallel:'; done | tr '\n' ' '
1 1 1 1 1 1 1 

# Programs that fail or are stuck, once; threads that wait are those of all processes.

$ for p in deadlock truncation crash status thread_wait; do for j in 1 2; do LSAN_OPTIONS=detect_leaks=0 nsim -q -j $j -p topology.dims=4 ./$p.so > said$j 2> error$j; echo $? > status$j; done; cmp said1 said2; cmp error1 error2; [ -s error1 ] || echo silent; cmp status1 status2; ! grep -qx 0 status1 || echo done; done

# One-sided communication: each operation is a message to the target's process, each result one back. Traces have their calls.

$ for p in windows traced_windows; do nsimcc -w -O1 -o $p.so mpi/$p.c -lm; done; ways() { for j in 1 2 3; do rm -f w.trace; nsim -q --json --each-rank --check -j $j "$@" > json$j 2> err$j || echo "status $?"; sed -i /command/d json$j; [ ! -f w.trace ] || mv w.trace trace$j; done; for j in 2 3; do cmp json1 json$j; cmp err1 err$j; [ ! -f trace1 ] || cmp trace1 trace$j; done; grep -c hold err1 || true; }; ways -p topology.dims=4x2 -p mpi.agent=300ns ./windows.so; ways -p topology.dims=3x2 -e linear -p ranks.per_node=2 ./windows.so; ways -p topology.dims=4x2 --write-trace w.trace ./traced_windows.so; cp trace2 windows.trace; rm trace?; ways -p topology.dims=4x2 --replay windows.trace
1
1
1
0

$ nsim -q -p topology.dims=4x2 -j 4 --parallel-report ./windows.so | grep -c '^parallel:'
1

# Operations by a table and by the tree: no time is shorter than the window. One process runs operations that may take no time. A
# part that is too long is a mistake.

$ for op in barrier bcast gather scatter reduce allreduce allgather alltoall reduce_scatter scan; do printf 'table %s\nbytes 0 1KiB 1MiB\n2 0.3us 3us 110us\n3 0.4us 3us 110us\n24 3us 4us 120us\n32 5us 6us 130us\n' $op; done | sed '1i message-times 1' > times; nsimcc -Wall -Wextra -O1 -o by_table.so mpi/by_table.c; many() { for j in 1 2 3 4; do nsim -q --check --each-rank --critical-path --timeline line$j -j $j -f csv "$@" > out$j 2> err$j || echo "status $?"; sed -i '/^run,command/d; s/ -j [1-4]//' out$j; done; for j in 2 3 4; do cmp out1 out$j; cmp err1 err$j; cmp line1 line$j; done; cat out1 err1 | grep -c '^[0-3]: rank'; grep -v '^[0-3]: rank\|^end' err1 || true; }; many -p topology.dims=8x3 -p mpi.collectives=table -p table.file=times ./by_table.so; many -e linear -p topology.dims=4x4 -p ranks.per_node=2 -p mpi.collectives=table -p table.file=times ./by_table.so; many -p topology.dims=8x3 -p tree.operations=all ./by_table.so
384
512
384
$ for j in 1 4; do LSAN_OPTIONS=detect_leaks=0 nsim -q -j $j -p topology.dims=8x3 -p mpi.collectives=table -p table.file=times ./by_table.so long 2>&1 > out; done || true
nsim: rank 0: MPI_Alltoall at too_long (by_table.c:...): 8 bytes from rank 23 of the communicator, expected at most 4
nsim: rank 0: MPI_Alltoall at too_long (by_table.c:...): 8 bytes from rank 23 of the communicator, expected at most 4
$ sed '0,/^2 0.3us/s//2 0us/' times > at-once; echo 'for j in 1 4; do nsim -j $j "$@" 2>&1 | grep -v "^ *command" > f$j; done; diff f1 f4 | grep "^[<>]"' > alone; sh alone -p topology.dims=8x3 -p mpi.collectives=table -p table.file=at-once ./by_table.so
> nsim: note: collective operations that take no time ([table] or [tree]): one process runs it

# A time limit: the ranks wait as at the moment when one of them exceeds it. What the ended program has allocated is no leak.

$ for t in 20 51 200; do for j in 1 2 4; do LSAN_OPTIONS=detect_leaks=0 nsim -q -j $j -p topology.dims=4x2 --time-limit ${t}us ./jacobi.so > said$j 2> error$j; echo $? >> said$j; done; for j in 2 4; do cmp said1 said$j; cmp error1 error$j; done; grep -c exceeds error1; done; sed -n 1p error4
1
1
1
nsim: rank ... exceeds the time limit of 0.0002 s, in MPI_...

# A repetition on one process says why.

$ nsimcc -O0 -w -o wrong.so mpi/wrong.c; for j in 1 2; do nsim -j $j -p topology.dims=2 -p ranks.check=yes wrong.so 1 2>&1 | grep -v '^ *command\|^$' > f$j; done; diff f1 f2 | grep '^[<>]'
> nsim: note: the run fails with ranks.check: one process repeats the run

# ranks.check: sums compare collective operations of all ranks, which may differ where one of them has bytes. One process repeats a run
# with a finding, and describes it.

$ for p in p2p comms types; do [ -f $p.so ] || nsimcc -w -o $p.so mpi/$p.c; bad/../cli/same_report.py nsim -p topology.dims=4x2 -p ranks.check=yes ./$p.so; done; nsimcc -O0 -o wrong.so mpi/wrong.c; for i in 1 2 4 5 8 9 15; do for j in 1 2; do nsim -j $j -p topology.dims=2 -p ranks.check=yes wrong.so $i > said$j 2> error$j || echo "status $?" >> said$j; sed -i /command/d said$j; grep -c 'one process repeats' error$j; sed -i /note:/d error$j; done; cmp said1 said2; cmp error1 error2; done | sort | uniq -c
windows windows 
windows windows 
windows windows 
      7 0
      7 1

# A message of which the receiver knows at once leaves no time for a window.

$ sh alone -p topology.dims=4x2 -p mpi.send_start=received ./ring.so
> nsim: note: messages of which the receiver knows at once (mpi.send_start): one process runs it

# One process runs a program of shared variables, since others have variables of their own.

$ nsimcc -o globals.so mpi/globals.c; sh alone -p topology.dims=4x2 -p ranks.globals=shared ./globals.so; grep -c 'checks failed' f4
> nsim: note: variables that all ranks share (ranks.globals): one process runs it
1

# Random paths: all ranks predict the same times of a collective operation, and so choose the same algorithm.

$ nsimcc -O1 -o chance.so mpi/chance.c; for j in 1 2 3; do nsim -q -j $j -p topology.kind=dragonfly -p topology.dims=2x4x2 -p topology.routing=valiant -p ranks.placement=cyclic -n 51 --time-limit 1ms chance.so 194 2>&1 | grep -v '^ *command' > chance$j; done; grep -c ^rank chance1; cmp chance1 chance2; cmp chance1 chance3
51

# A token round a ring is one event at a time: a long run says that one process is faster.

$ for n in 100 400; do nsim -j 2 -p topology.dims=8x8 -o r ring.so $n 2>&1 > /dev/null | sed -n 's/[0-9.]* events/N events/p'; done
nsim: note: N events a window and process: with less than about 50, one process is faster
