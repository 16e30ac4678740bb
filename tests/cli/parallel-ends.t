# How runs on several processes end: as on one.

# Files of ranks that they have left open, also after a failure; a process that a rank has forked is no rank.

$ nsimcc -O1 -o left_open.so mpi/left_open.c; for how in '' abort fork; do for j in 1 2 3; do rm -f own.*; timeout 60 nsim -q -j $j -o report -p topology.dims=4x4 left_open.so $how 2> error$j; echo $? >> error$j; cat own.* | sort > own$j; done; for j in 2 3; do cmp own1 own$j; cmp error1 error$j; done; cut -d ' ' -f 3- own1 | sort | uniq -c; cat error1; done
     16 begins
     16 ends
0
     16 begins
nsim: rank 15: MPI_Abort with code 7 at main (left_open.c:...)
7
     16 begins
      1 ended with 5
     16 ends
0

# Output of ranks that cannot be written.

$ nsimcc -O1 -o steps.so mpi/lines.c; for j in 1 2; do nsim -q -j $j -o report -p topology.dims=4x2 steps.so > /dev/full || echo "status $?"; done
nsim: output of the ranks: cannot write: No space left on device
status 1
nsim: output of the ranks: cannot write: No space left on device
status 1

# A process that dies where its end is not reported: SIGCHLD is ignored, as some daemons do.

$ python3 bad/../cli/when_ready.py KILL --child env --ignore-signal=CHLD nsim -q -j 3 -p topology.dims=4x4 --pattern uniform:messages=100000000 > said 2> error; echo "status $?"; cat error
status 1
nsim: process ... of 3 ended

# Messages that are injected at one instant, one of them by a rank that waited for a local one without length: by sender, on any number
# of processes.

$ nsimcc -O1 -o at_once.so mpi/at_once.c; for j in 1 2 3 4; do nsim -q -e linear -j $j -o report -p topology.dims=8 -p ranks.per_node=2 -p linear.latency=1us -p linear.local_latency=0 -p linear.local_bandwidth=1GB/s -p mpi.overhead=0 -p mpi.clock_overhead=0 at_once.so; done
from 2 after 2.25 us
from 9 after 2.5 us
from 2 after 2.25 us
from 9 after 2.5 us
from 2 after 2.25 us
from 9 after 2.5 us
from 2 after 2.25 us
from 9 after 2.5 us

# A line of progress counts the messages of all processes: ranks 8 to 15, in the second one, send 2000, and rank 0 requests a line.

$ printf '#include <mpi.h>\n#include <signal.h>\nint main(int argc, char **argv)\n{\n\tint rank, token = 0;\n\n\tMPI_Init(&argc, &argv);\n\tMPI_Comm_rank(MPI_COMM_WORLD, &rank);\n\tfor (int i = 0; rank >= 8 && i < 250; i++)\n\t\tMPI_Sendrecv_replace(&token, 1, MPI_INT, 8 + (rank - 7) %% 8, 0, 8 + (rank - 1) %% 8, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\tMPI_Barrier(MPI_COMM_WORLD);\n\tif (rank == 0)\n\t\traise(SIGUSR1);\n\tMPI_Barrier(MPI_COMM_WORLD);\n\treturn MPI_Finalize();\n}\n' > asks.c; nsimcc -o asks.so asks.c; nsim -q -j 2 -o report -p topology.dims=4x4 asks.so 2>&1 | awk '{ print ($2 >= 0.002 && $3 == "Mmessages,") }'
1
