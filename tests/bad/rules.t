# Mistakes in rules of collective operations: one file each under tests/bad/rules.
# needs: cc

$ printf '#include "mpi.h"\nint main(int argc, char **argv) { MPI_Init(&argc, &argv); return MPI_Finalize(); }\n' > sum.c; nsimcc -o sum.so sum.c

$ nsim -q -n 2 -p topology.dims=2 -p mpi.rules=bad/rules/algorithm.txt sum.so
nsim: bad/rules/algorithm.txt:2: bruck: expected auto or an algorithm of allreduce (--list-collectives)
[3]

$ nsim -q -n 2 -p topology.dims=2 -p mpi.rules=bad/rules/empty.txt sum.so
nsim: bad/rules/empty.txt:1: empty, expected "collective-rules 1" or a file of Open MPI
[3]

$ nsim -q -n 2 -p topology.dims=2 -p mpi.rules=bad/rules/openmpi-algorithm.txt sum.so
nsim: bad/rules/openmpi-algorithm.txt:6: algorithm 2 of bcast has no counterpart here, expected another or 0
[3]

$ nsim -q -n 2 -p topology.dims=2 -p mpi.rules=bad/rules/openmpi-cut.txt sum.so
nsim: bad/rules/openmpi-cut.txt:6: the file ends, expected a message size
[3]

$ nsim -q -n 2 -p topology.dims=2 -p mpi.rules=bad/rules/openmpi-operation.txt sum.so
nsim: bad/rules/openmpi-operation.txt:2: collective 5: no rules for it here
[3]

$ nsim -q -n 2 -p topology.dims=2 -p mpi.rules=bad/rules/openmpi-word.txt sum.so
nsim: bad/rules/openmpi-word.txt:6: "three": expected an algorithm, a whole number
[3]

$ nsim -q -n 2 -p topology.dims=2 -p mpi.rules=bad/rules/operation.txt sum.so
nsim: bad/rules/operation.txt:2: allsum: expected an operation of --list-collectives
[3]

$ nsim -q -n 2 -p topology.dims=2 -p mpi.rules=bad/rules/short.txt sum.so
nsim: bad/rules/short.txt:2: expected a rule: OPERATION RANKS BYTES ALGORITHM [SEGMENT]
[3]

$ nsim -q -n 2 -p topology.dims=2 -p mpi.rules=bad/rules/twice.txt sum.so
nsim: bad/rules/twice.txt:3: a second rule of allreduce from 0 ranks and 0 bytes on
[3]

$ nsim -q -n 2 -p topology.dims=2 -p mpi.rules=bad/rules/unit.txt sum.so
nsim: bad/rules/unit.txt:2: "1kB" has the unknown unit "kB", expected one of TiB, GiB, MiB, KiB, bytes, B
[3]

$ nsim -q -n 2 -p topology.dims=2 -p mpi.rules=bad/rules/version.txt sum.so
nsim: bad/rules/version.txt:1: "collective-rules": expected "collective-rules 1", or the number of collectives of a file of Open MPI, a whole number
[3]
