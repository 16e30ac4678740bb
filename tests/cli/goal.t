# GOAL schedules. The same communication as a trace of calls gives the same time of each rank, engine by engine.

$ same() { for f in t.txt t.goal; do nsim -q --check --each-rank -f csv "$@" --replay $f -o $f.csv; grep -E '^(ranks,(time|compute|messages|bytes|received)|program,(seconds|messages|bytes)),' $f.csv > $f.cut; done; [ $(wc -l < t.txt.cut) -gt 10 ] && cmp t.txt.cut t.goal.cut && echo same; }; for k in 'pingpong 2' 'ring 4' 'ring 16' 'allreduce 16'; do python3 "$PSIM/tests/cli/goal_calls.py" $k; echo "$k:" $(for e in linear flow packet; do for x in mpi.eager=64KiB mpi.eager=1000 mpi.send_done=copied mpi.overhead=0; do same -e $e -p $x -p topology.dims=4x4; done; done); done
pingpong 2: same same same same same same same same same same same same
ring 4: same same same same same same same same same same same same
ring 16: same same same same same same same same same same same same
allreduce 16: same same same same same same same same same same same same

# On a crossbar of 1 GB/s without latency a byte takes a nanosecond. All-reduce of 8 ranks is 3 rounds of 1000 bytes and 250 ns.
# The ping-pong is 2 x (4 + 64 + 1024 + 16384 + 262144) bytes and 100 + 101 + 102 + 103 + 104 + 5 x 50 ns.

$ simple="-e linear -p topology.kind=crossbar -p topology.dims=8 -p link.bandwidth=1GB/s -p linear.latency=0 -p linear.hop=0 -p mpi.overhead=0"; seconds() { nsim -q -f csv $simple "$@" | awk -F, '$1 == "program" && $2 == "seconds" { printf "%.9f\n", $4 }'; }; for k in 'allreduce 8' 'pingpong 2'; do python3 "$PSIM/tests/cli/goal_calls.py" $k; seconds -p mpi.eager=1MiB --replay t.goal; done; echo $(( 2 * (4 + 64 + 1024 + 16384 + 262144) + 510 + 250 ))
0.000003750
0.000560000
560000

# Computation of CPU 1 goes on beside the message, 1000 ns, and behind the one of CPU 0: 2500 ns on a machine at full speed, 5000 ns at half.

$ printf '/* two\n ranks */ num_ranks 2\nrank 0 {\na: recv 1000b from -1 tag -1\nb: calc 1500\nc: calc 500 cpu 1\nc irequires a\nd: calc 1000 cpu 1 // behind b\nd requires b\n}\nrank 1 {\nsend 1000b to 0 tag 4000000000 nic 0\n}\n' > two.goal; for s in 1 2; do nsim -q -f csv -e linear -p topology.kind=crossbar -p topology.dims=2 -p link.bandwidth=1GB/s -p linear.latency=0 -p linear.hop=0 -p mpi.overhead=0 -p machine.slowdown=$s --replay two.goal | awk -F, '$1 == "program" && $2 == "seconds" { printf "%.9f\n", $4 }'; done
0.000002500
0.000005000

# A cycle, and a message that nobody sends, never end.

$ printf 'num_ranks 2\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\n}\nrank 1 {\n}\n' > cycle.goal; nsim -q -p topology.dims=2 --replay cycle.goal
nsim: cycle.goal:3: rank 0: never begins, with 1 more: what they require is a cycle, expected none
[4]

$ printf 'num_ranks 2\nrank 0 {\na: recv 8b from 1 tag 3\n}\nrank 1 {\nsend 8b to 0 tag 4\n}\n' > lost.goal; nsim -q -p topology.dims=2 --replay lost.goal
nsim: the program is deadlocked: 1 of 2 ranks waits forever
  rank 0 in MPI_Waitany at lost.goal:3: receive from rank 1 (which has ended), tag 3
[4]

$ printf 'num_ranks 2\nrank 0 {\na: recv 8b from 1\n}\nrank 1 {\nsend 9b to 0\n}\n' > short.goal; nsim -q -p topology.dims=2 --replay short.goal
nsim: rank 0: receive at short.goal:3: message of 9 bytes from rank 1, tag 0, expected at most 8 bytes
[1]
