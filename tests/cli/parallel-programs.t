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

$ nsim -q -j 2 -p topology.dims=4 -p ranks.globals=shared ./ring.so
nsim: several processes: a program with variables that all ranks share (ranks.globals) runs on one process
[2]
