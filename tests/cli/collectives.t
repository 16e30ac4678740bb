# Every algorithm of every collective operation, on numbers of ranks that are powers of two, squares and neither:
# the program checks each result. docs/collectives.md lists them.
# needs: cc

$ nsimcc -O1 -o coll.so mpi/collectives.c

$ run() { for n in 1 3 8 9 13; do nsim -q --check -p topology.dims=4x4 -p topology.nics=4 -n $n -p mpi.collective_$1 coll.so | head -1; done | grep -c 'all checks hold'; }; for a in barrier=tree bcast=scatter_allgather bcast=pipeline gather=binomial scatter=binomial scan=linear; do run $a; done
5
5
5
5
5
5

$ run() { for n in 1 3 8 9 13; do nsim -q --check -p topology.dims=4x4 -p topology.nics=4 -n $n -p mpi.collective_$1 coll.so | head -1; done | grep -c 'all checks hold'; }; for a in allgather=ring allgather=bruck allgather=recursive_doubling alltoall=bruck alltoall=spread alltoall=a2at alltoallv=spread; do run $a; done
5
5
5
5
5
5
5

$ run() { for n in 1 3 8 9 13; do nsim -q --check -p topology.dims=4x4 -p topology.nics=4 -n $n -p mpi.collective_$1 coll.so | head -1; done | grep -c 'all checks hold'; }; for a in allreduce=rabenseifner allreduce=ring allreduce=reduce_bcast reduce_scatter=reduce_scatterv reduce_scatter=pairwise reduce=ordered; do run $a; done
5
5
5
5
5
5

# A name that is none.

$ nsim -q -p mpi.collective_alltoall=brick -n 2 coll.so
nsim: -p: mpi.collective_alltoall: there is no 'brick', expected auto, bruck, pairwise, spread, a2at, table
[2]
