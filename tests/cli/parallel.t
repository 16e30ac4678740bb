# One run on several processes: docs/programs/parallel.md. Each report is that of one process but for the command.

$ same() { nsim -q --json --each-rank "$@" > one.json; for j in 2 3 4; do nsim -q --json --each-rank "$@" -j $j > many.json || echo "status $?"; diff one.json many.json | grep -c '^>'; done | tr '\n' ' '; echo; }; same -p topology.dims=4x4x4 --pattern all_to_all:size=4; same -p topology.dims=8x8 --pattern uniform:load=0.5 --check; same -c configs/net/fat-tree.ini --pattern uniform:size=5000,messages=20; same -c configs/net/dragonfly.ini --pattern next_group:messages=3; same -c configs/net/pacing.ini -p topology.dims=8x8 --pattern a2at:size=30000; same -p topology.dims=8x8 -p ranks.per_node=2 --pattern random_ring:size=30000,wait=yes; same -e linear -p topology.dims=4x4 --pattern uniform:size=3000,messages=5 --check; same -c configs/net/tofu.ini -p topology.dims=2x2x2 --pattern uniform:size=5000,messages=9 --check; same -p topology.dims=4x4 -p topology.nics=3 -p nic.receive=any --pattern all_to_all:size=9000 --check
1 1 1 
1 1 1 
1 1 1 
1 1 1 
1 1 1 
1 1 1 
1 1 1 
1 1 1 
1 1 1 

# One process runs what cannot be divided, with its bytes and status, and says why.

$ alone() { nsim -j $@ --pattern ring:size=300 > several 2>&1; echo "status $?" >> several; shift; nsim $@ --pattern ring:size=300 > one 2>&1; echo "status $?" >> one; grep -v '^  command' one > a; grep -v '^  command' several | diff a - | grep '^[<>]'; }; alone 2 -e flow --nonsense; alone 2 -e flow --expect traffic.messages=0; alone 2 -e none; alone 3 -e linear -p linear.latency=0; alone 3 -e linear -p linear.bandwidth=1GB/s -p node.injection=1MB/s; alone 2 -c configs/net/dragonfly.ini -p topology.routing=ugal_global; alone 17 -p topology.dims=4x4
> nsim: note: the engine flow cannot be divided: one process runs it
> nsim: note: the engine none cannot be divided: one process runs it
> nsim: note: messages between nodes may take no time, or NICs are slower than messages: one process runs it
> nsim: note: messages between nodes may take no time, or NICs are slower than messages: one process runs it
> nsim: note: this routing looks at routers elsewhere: one process runs it
> nsim: note: this network of 16 nodes cannot be divided among 17 processes, each with routers of its own: one process runs it

# Mistakes.

$ for j in 0 65 x -1; do nsim -j $j --pattern ring || echo "status $?"; done
nsim: --processes (-j) 0: expected 1 to 64
status 2
nsim: --processes (-j) 65: expected 1 to 64
status 2
nsim: --processes x: not a number, expected digits and perhaps k, M or G
status 2
nsim: --processes -1: not a number, expected digits and perhaps k, M or G
status 2

$ printf 'ranks 2\n' | nsim -j 2 -p topology.dims=4x4 --replay /dev/stdin
nsim: /dev/stdin: expected a file that several processes can open
[2]

$ nsim --parallel-report --pattern ring
nsim: --parallel-report: expected 2 or more --processes (-j)
[2]

# Tasks of srun that no MPI connects are runs of their own: the first one says so.

$ for me in 0 1; do SLURM_STEP_NUM_TASKS=3 SLURM_PROCID=$me nsim -p topology.dims=4x4 --pattern ring -o apart; done
nsim: note: srun has started 3 tasks without --mpi=pmi2 or pmix: each is a run of its own

# Where routers compare credits, windows are as short as the credit of the shortest packet behind a boundary: 18 ns for 4 bytes, more than the 104 ns of
# a head for full packets. Else they have 104 ns.

$ for a in adaptive:4 dimension_order:4 adaptive:2016; do nsim -q -j 2 --parallel-report -p topology.dims=8x8 -p topology.routing=${a%:*} --pattern all_to_all:size=${a#*:} -f csv | awk -F, '/^parallel,windows,/ { all = $4 } /^parallel,narrow_windows,/ { print ($4 == 0 ? "none" : $4 > all / 2 ? "most" : "some") }'; done
most
none
none

# Ranks that wait for ever, a network that gets stuck: the message is that of one process.

$ printf 'ranks 16\nreceive 0 5 1\n' > waits.txt; for j in 1 3; do nsim -q -j $j -p topology.dims=4x4 --pattern-file waits.txt || echo "status $?"; done
nsim: traffic: rank 0 waits for a message from rank 5 in its step 1, and no message is in flight
status 4
nsim: traffic: rank 0 waits for a message from rank 5 in its step 1, and no message is in flight
status 4

$ for j in 1 2 4; do nsim -q -j $j -p topology.dims=8 -p topology.dateline=none -p router.vc_buffer=2KiB -p nic.fifo=2KiB --pattern tornado:size=200000 2> stuck$j || echo "status $?"; done; cut -c1-80 stuck1; cmp stuck1 stuck2 && cmp stuck1 stuck4 && echo same
status 4
status 4
status 4
nsim: the network is deadlocked with ... packets: 8 buffers wait for each other i
same

# A process that dies ends the run.

$ python3 bad/../cli/when_ready.py KILL --child nsim -q -j 3 -p topology.dims=4x4 --pattern uniform:messages=100000000 > said 2> error; echo "status $?"; cat error
status 1
nsim: process ... of 3 was killed by signal 9

# A signal: results up to then, in all processes.

$ python3 bad/../cli/when_ready.py TERM --parent nsim -q -j 3 -p topology.dims=4x4 --pattern uniform:messages=100000000 > said 2> error; echo "status $?"; cat error; grep -c '^  complete  *no' said
status 1
nsim: interrupted by signal 15: the results cover the run up to then
1
