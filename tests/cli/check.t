# Calls that do not fit each other, which ranks.check=yes names with rank, call, file and line.
# needs: cc

$ nsimcc -O0 -o wrong.so mpi/wrong.c; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do nsim -q -n 2 -p topology.dims=2 -p ranks.check=yes wrong.so $i; echo $?; done
nsim: rank 1: MPI_Bcast at main (wrong.c:72): root 1, expected 0 as in MPI_Bcast of rank 0 at main (wrong.c:72)
1
nsim: rank 1: MPI_Allreduce at main (wrong.c:73): expected the same operation as in MPI_Allreduce of rank 0 at main (wrong.c:73)
1
nsim: rank 1: MPI_Allreduce at main (wrong.c:74): 8 bytes, expected 4 as in MPI_Allreduce of rank 0 at main (wrong.c:74)
1
nsim: rank 1: MPI_Barrier at main (wrong.c:77): expected the same collective operation as in MPI_Bcast of rank 0 at main (wrong.c:79)
1
nsim: rank 1: MPI_Bcast at main (wrong.c:81): elements of MPI_FLOAT, expected MPI_INT as in MPI_Bcast of rank 0 at main (wrong.c:81)
1
nsim: rank 1: receive at main (wrong.c:84): elements of MPI_INT, expected MPI_DOUBLE, which rank 0 sends at main (wrong.c:86)
1
nsim: rank 1 never receives a message of 4 bytes, tag 3, that rank 0 sends at main (wrong.c:90)
1
nsim: rank 1 neither waits for nor frees the request of a receive at main (wrong.c:94)
1
nsim: 2 of 2 ranks, first rank 0, do not free what MPI_Comm_dup makes at main (wrong.c:98)
1
nsim: the first of 2 findings: rank 0 ends without MPI_Finalize, after MPI_Comm_rank at main (wrong.c:70)
1
nsim: rank 0: MPI_Allreduce at overlaps (wrong.c:32): its two buffers overlap, expected separate ones, or MPI_IN_PLACE
1
nsim: rank 1: MPI_Gather at overlaps (wrong.c:33): its two buffers overlap, expected separate ones, or MPI_IN_PLACE
1
nsim: rank 0: MPI_Sendrecv at overlaps (wrong.c:35): the buffer of the send overlaps that of a receive at overlaps (wrong.c:35), expected separate ones
1
nsim: rank 0: MPI_Send at overlaps (wrong.c:40): the buffer of the send overlaps that of a receive at overlaps (wrong.c:39), expected separate ones
1
nsim: 1 of 1 ranks, first rank 1, do not free what MPI_Comm_dup makes at overlaps (wrong.c:45)
1
nsim: rank 1 does not free the datatype that MPI_Type_contiguous makes at pair_of_pairs (wrong.c:56)
1

# A program without such a mistake, and those with which nothing is wrong.

$ nsim -q -n 2 -p topology.dims=2 -p ranks.check=yes -o report wrong.so

$ for p in p2p collectives nonblocking persistent comms windows groups types; do nsimcc -O1 -o $p.so mpi/$p.c; nsim -q -n 8 -p topology.dims=4x2 -p ranks.check=yes $p.so 2>&1 | sed -n 1p; done
point to point: all checks hold on 8 ranks
collectives: all checks hold on 8 ranks
nonblocking: all checks hold on 8 ranks
persistent: all checks hold on 8 ranks
communicators: all checks hold on 8 ranks
windows: all checks hold on 8 ranks
groups: all checks hold on 8 ranks
datatypes: all checks hold on 8 ranks

# Without the checks, what MPI leaves open goes on.

$ nsim -q -n 2 -p topology.dims=2 -o report wrong.so 9
