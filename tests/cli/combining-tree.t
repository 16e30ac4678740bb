# A combining tree beside the network: 64 nodes, two below each switch, so 6 levels; 150 ns a level, up and down: 1.8 us. The last
# rank comes at 1 us, each call costs 0.2 and so does each Wtime 0.01 us. Barrier: 1 + 0.2 + 1.8 + 0.01 = 3.01. 8000 bytes at
# 350 MB/s are 22.857143 us: allreduce and reduce 25.867143. Root comes at 1/64 us and broadcasts: 1/64 + 0.2 + 24.657143 is when
# all others, who are there, leave; the barrier after it adds 0.2 + 1.8, Wtime 0.01: 26.882768. Ranks that are not all use messages.

$ nsimcc -O1 -Wall -Wextra -Werror -o tree.so mpi/tree.c
$ for e in flow packet linear; do nsim -q -e $e -p topology.dims=8x8 -p tree.operations=all -o r.txt tree.so; done
barrier 3.010000 us
allreduce 25.867143 us
reduce 25.867143 us
bcast and barrier 26.882768 us
half by messages
barrier 3.010000 us
allreduce 25.867143 us
reduce 25.867143 us
bcast and barrier 26.882768 us
half by messages
barrier 3.010000 us
allreduce 25.867143 us
reduce 25.867143 us
bcast and barrier 26.882768 us
half by messages

# Eight below each switch: 2 levels, 0.6 us up and down. A depth of its own: 10 levels, 3 us. Five barriers, and that of Comm_split.

$ nsim -q -p topology.dims=8x8 -p tree.operations=barrier -p tree.arity=8 -o r.txt tree.so | sed -n 1p; nsim -q -p topology.dims=8x8 -p tree.operations=barrier,bcast -p tree.depth=10 -f csv -o r.csv tree.so | sed -n 1p; grep '^combining_tree,' r.csv
barrier 1.810000 us
barrier 4.210000 us
combining_tree,operation,0,barrier,
combining_tree,calls,0,6,
combining_tree,bytes,0,0,bytes
combining_tree,operation,1,bcast,
combining_tree,calls,1,1,
combining_tree,bytes,1,8000,bytes

$ nsim -q -p tree.operations= tree.so
nsim: -p: tree.operations: unknown operation '', expected none, all, or barrier, bcast, reduce, allreduce with commas
[2]
$ nsim -q -p tree.operations=barier tree.so
nsim: -p: tree.operations: unknown operation 'barier', expected none, all, or barrier, bcast, reduce, allreduce with commas; did you mean barrier
[2]
