# Loops of ranks that never end: the first signal ends each, and the report covers the run up to there. mpi/loops.c has
# them in a table: local calls, computation, sleeps, locks.

$ nsimcc -O1 -Wall -Wextra -Werror -o loops.so mpi/loops.c; python3 bad/../cli/loops.py INT first all nsim -n 2 $PWD/loops.so
all loops end

# In all ranks, in a thread, without a call of MPI before.

$ some=Comm_rank,Isend,Irecv,Aint_add,Iprobe,Test,nothing,malloc,pause,usleep,clock_gettime,mutex,sched_yield; python3 bad/../cli/loops.py TERM all $some bsim -n 4 $PWD/loops.so; python3 bad/../cli/loops.py INT thread $some nsim -n 2 $PWD/loops.so; python3 bad/../cli/loops.py TERM alone nothing,malloc,pause,usleep,clock_gettime nsim -n 2 $PWD/loops.so
all loops end
all loops end
all loops end

# On several processes, of which the first gets the signal.

$ some=Comm_rank,Isend,Aint_add,Iprobe,nothing,malloc,pause,usleep; for where in first all thread; do python3 bad/../cli/loops.py TERM $where $some nsim -n 4 -j 3 $PWD/loops.so; done; python3 bad/../cli/loops.py INT alone nothing,malloc,pause,usleep bsim -n 4 -j 2 $PWD/loops.so
all loops end
all loops end
all loops end
all loops end

# In programs that ignore and block signals: the handler of a signal that a rank raises itself is its own.

$ python3 bad/../cli/loops.py TERM ignores Comm_rank,nothing,malloc,pause nsim -n 2 $PWD/loops.so; python3 bad/../cli/loops.py INT ignores Isend,nothing nsim -n 4 -j 2 $PWD/loops.so
all loops end
all loops end

$ printf '#include <mpi.h>\n#include <signal.h>\n#include <stdio.h>\nstatic volatile int got; static void on(int n) { got += n; }\nint main(void) { MPI_Init(0, 0); signal(SIGINT, on); raise(SIGINT); signal(SIGUSR1, on); raise(SIGUSR1); printf("%%d\\n", got == SIGINT + SIGUSR1 && signal(SIGINT, SIG_DFL) == on); return MPI_Finalize(); }\n' > own.c; nsimcc -o own.so own.c; nsim -q -n 2 -o r own.so
1
1

# With a time limit a loop ends by itself if the rank's clock does not move, also one that makes calls.

$ for loop in Comm_rank Aint_add nothing Type_size; do nsim -q -n 2 -p ranks.loop_limit=1s --time-limit 1 -o r loops.so $loop first told; done
nsim: rank 0 computes for 1 s in MPI_Comm_rank at run (loops.c:...), and its clock stands still, expected at most ranks.loop_limit
nsim: rank 0 computes for 1 s in ..., and its clock stands still, expected at most ranks.loop_limit
nsim: rank 0 computes for 1 s in ..., and its clock stands still, expected at most ranks.loop_limit
nsim: rank 0 computes for 1 s in MPI_Type_size at run (loops.c:...), and its clock stands still, expected at most ranks.loop_limit
[4]
