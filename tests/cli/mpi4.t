# Calls of MPI 4, cancelled sends, and one message by several datatypes: the program checks each result, on engines where
# messages take their time and on one where they take none, and with each algorithm that cuts a broadcast.
# needs: cc

$ nsimcc -O1 -o persistent.so mpi/persistent.c

$ for e in none linear packet; do for n in 3 8; do nsim -q --check -e $e -p topology.dims=4x4 -n $n persistent.so | sed -n 1p; done; done
persistent: all checks hold on 3 ranks
persistent: all checks hold on 8 ranks
persistent: all checks hold on 3 ranks
persistent: all checks hold on 8 ranks
persistent: all checks hold on 3 ranks
persistent: all checks hold on 8 ranks

$ for a in scatter_allgather scatter_doubling chain pipeline split_binary binomial; do nsim -q --check -p topology.dims=4x2 -n 8 -p mpi.collective_bcast=$a persistent.so | sed -n 1p; done | sort | uniq -c | sed 's/^ *//'
6 persistent: all checks hold on 8 ranks
