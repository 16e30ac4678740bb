# Programs on several processes: docs/programs/parallel.md. Output, errors, status and report are those of one process but for the command.

$ for p in ring jacobi sample_sort; do nsimcc -O1 -o $p.so examples/$p.c -lm || echo $p; done; for p in p2p collectives comms groups nonblocking lines; do nsimcc -w -O1 -o $p.so mpi/$p.c -lm || echo $p; done; for p in deadlock truncation crash status; do nsimcc -w -o $p.so bad/mpi/$p.c; done

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

# Programs that fail or are stuck, once.

$ for p in deadlock truncation crash status; do for j in 1 2; do nsim -q -j $j -p topology.dims=4 ./$p.so > said$j 2> error$j; echo $? > status$j; done; cmp said1 said2; cmp error1 error2; [ -s error1 ] || echo silent; cmp status1 status2; ! grep -qx 0 status1 || echo done; done

# One-sided communication: each operation is a message to the target's process, each result one back. Traces have their calls.

$ for p in windows traced_windows; do nsimcc -w -O1 -o $p.so mpi/$p.c -lm; done; ways() { for j in 1 2 3; do rm -f w.trace; nsim -q --json --each-rank --check -j $j "$@" > json$j 2> err$j || echo "status $?"; sed -i /command/d json$j; [ ! -f w.trace ] || mv w.trace trace$j; done; for j in 2 3; do cmp json1 json$j; cmp err1 err$j; [ ! -f trace1 ] || cmp trace1 trace$j; done; grep -c hold err1 || true; }; ways -p topology.dims=4x2 -p mpi.agent=300ns ./windows.so; ways -p topology.dims=3x2 -e linear -p ranks.per_node=2 ./windows.so; ways -p topology.dims=4x2 --write-trace w.trace ./traced_windows.so; cp trace2 windows.trace; rm trace?; ways -p topology.dims=4x2 --replay windows.trace
1
1
1
0

$ nsim -q -p topology.dims=4x2 -j 4 --parallel-report ./windows.so | grep -c '^parallel:'
1

# A time limit: the ranks wait as at the moment when one of them exceeds it. What the ended program has allocated is no leak.

$ for t in 20 51 200; do for j in 1 2 4; do LSAN_OPTIONS=detect_leaks=0 nsim -q -j $j -p topology.dims=4x2 --time-limit ${t}us ./jacobi.so > said$j 2> error$j; echo $? >> said$j; done; for j in 2 4; do cmp said1 said$j; cmp error1 error$j; done; grep -c exceeds error1; done; sed -n 1p error4
1
1
1
nsim: rank ... exceeds the time limit of 0.0002 s, in MPI_...

# A repetition on one process says why.

$ nsimcc -w -O1 -o files.so mpi/files.c; for j in 1 2; do nsim -j $j -p topology.dims=4x2 ./files.so 2>&1 | grep -v '^ *command\|^$' > f$j; done; diff f1 f2 | grep '^[<>]'
> nsim: note: a file runs on one process: one process repeats the run

$ nsim -q -j 2 -p topology.dims=4 -p ranks.globals=shared ./ring.so
nsim: several processes: a program with variables that all ranks share (ranks.globals) runs on one process
[2]
