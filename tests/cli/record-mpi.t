# nsim-record under the mpirun of $MPI_KIND, mpich or openmpi: docs/programs/nsim-record.md. The real MPI runs the program of
# tests/mpi/traced.c, and nsim runs it on virtual ranks: both traces have the same calls. Words
# of lines are one code; each has facts of its own MPI.
# needs: cc

$ printf '#define MPI_Add_time(seconds) ((void)(seconds))\n' > add.h; mpicc.$MPI_KIND -w -include ./add.h -O1 -o traced mpi/traced.c -lm; nsimcc -O1 -o traced.so mpi/traced.c; for n in 2 3; do mpirun.$MPI_KIND -n $n nsim-record -o real.trace ./traced > said 2>&1 || cat said; nsim -q -n $n -p topology.dims=4 --write-trace virtual.trace traced.so > said; python3 "$PSIM/tests/cli/same_calls.py" real.trace virtual.trace; ls real.trace*; done
2 ranks, ... events, the same
real.trace
3 ranks, ... events, the same
real.trace

$ for e in linear flow packet; do nsim -q -e $e --check -p topology.dims=4 --replay real.trace | grep -E '^  (complete|ranks) '; done
  complete              yes ...
  ranks                            3 ...
  complete              yes ...
  ranks                            3 ...
  complete              yes ...
  ranks                            3 ...

# The same for windows.

$ printf '#define MPI_Add_time(seconds) ((void)(seconds))\n' > add.h; mpicc.$MPI_KIND -w -include ./add.h -O1 -o windows mpi/traced_windows.c -lm; nsimcc -O1 -o windows.so mpi/traced_windows.c; for n in 2 3; do mpirun.$MPI_KIND -n $n nsim-record -o onesided.trace ./windows > said 2>&1 || cat said; nsim -q -n $n -p topology.dims=4 --write-trace virtual.trace windows.so > said; python3 "$PSIM/tests/cli/same_calls.py" onesided.trace virtual.trace; ls onesided.trace*; done
2 ranks, ... events, the same
onesided.trace
3 ranks, ... events, the same
onesided.trace

# Two ranks: 1000 doubles, a broadcast of a vector of 10 x 2 doubles by elements, a reduction by an operation of the program's own.

$ printf '#include <mpi.h>\nstatic void own(void *a, void *b, int *n, MPI_Datatype *t) { (void)a; (void)b; (void)n; (void)t; }\nint main(int argc, char **argv) { static double a[1000]; int r; MPI_Datatype v; MPI_Op op; MPI_Request q; MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &r); if (r) MPI_Recv(a, 1000, MPI_DOUBLE, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); else { MPI_Isend(a, 1000, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD, &q); MPI_Wait(&q, MPI_STATUS_IGNORE); } MPI_Type_vector(10, 2, 4, MPI_DOUBLE, &v); MPI_Type_commit(&v); MPI_Bcast(a, 3, v, 1, MPI_COMM_WORLD); MPI_Op_create(own, 0, &op); MPI_Allreduce(MPI_IN_PLACE, a, 10, MPI_DOUBLE, op, MPI_COMM_WORLD); MPI_Type_free(&v); MPI_Op_free(&op); MPI_Finalize(); return 0; }\n' > two.c; mpicc.$MPI_KIND -o two two.c && mpirun.$MPI_KIND -n 2 nsim-record ./two; grep -v compute nsim.trace | sort -s -n -k 1,1
ranks 2
0 send 1 7 1000x8 req=0
0 wait 0
0 bcast 60x8 root=1
0 allreduce 10x8 op=ordered
1 recv any 7 1000x8
1 bcast 60x8 root=1
1 allreduce 10x8 op=ordered

# Mistakes: no program, none of MPI, a folder that is not there.

$ nsim-record
nsim-record: no program, expected PROGRAM [ARGUMENTS]: see nsim-record --help
[2]

# A rank of OpenMPI without mpirun would start a daemon, which cannot load the module.
$ test $MPI_KIND = mpich || nsim-record ./two 2>&1 | sed '/^nsim-record: .\/two: not under mpirun, expected mpirun -n N nsim-record .\/two$/d'

$ nsim-record -x ./two
nsim-record: unknown option -x, expected one of --help
[2]

$ nsim-record ./nosuch
nsim-record: ./nosuch: no such program, expected one that runs under mpirun
[2]

$ nsim-record true
nsim-record: true: it has no shared library of MPICH or OpenMPI, expected one
[2]

# Matched probes, duplicates that a request makes and communicators of a group have events; what a trace cannot have is counted:
# 3 ranks call MPI_Alltoallw and MPI_Intercomm_create once, neighbour operations twice and once, and 8 calls go between groups.

$ mpicc.$MPI_KIND -o unrecorded mpi/unrecorded.c && mpirun.$MPI_KIND -n 3 nsim-record -o u.trace ./unrecorded 2>&1 | sed "s|$PWD/||;s/[0-9]* calls are/N calls are/"; grep ^lacks u.trace | grep -v Bcast_c | sort; sed -n 's/^1 //p' u.trace | grep -v -e compute -e 8.1000 -e allreduce -e 'wait 0 1' -e 'wait 1'
nsim-record: note: N calls are computation in u.trace: calls on communicators of such calls (8), MPI_Neighbor_allgather (6), MPI_...
lacks 3 MPI_Alltoallw
lacks 3 MPI_Ineighbor_allgather
lacks 3 MPI_Intercomm_create
lacks 6 MPI_Neighbor_allgather
lacks 8 calls on communicators of such calls
probe any 6
recv 0 6 1000
recv 0 5 1000 req=0
wait 0
probe none 1
recv none any 0
dup new=1 req=0
wait 0
barrier comm=1
split 1 0 new=2
group 0,2,1 new=3
barrier comm=3
split 0 1 new=4
barrier

$ nsim -p topology.dims=4 --replay u.trace 2>&1 | grep -E '^nsim|^  (complete|ranks) '
nsim: note: ... calls of the recorded run are computation in the trace: calls on communicators of such calls (8), MPI_Neighbor_allgather (6), MPI_Alltoallw (3), other kinds: ...
  complete              yes ...
  ranks                            3 ...

# With MPI 4.0 persistent operations and a request of two messages have events, too: rank 1 sends to 2 and receives from 0.

$ test $MPI_KIND = openmpi || sed -n 's/^1 //p' u.trace | grep -A1 -e 8.1000 -e allreduce | grep -v -e -- -e compute -e barrier | sed '/^send 2 8 1000 req=0$/d;/^recv 0 8 1000 req=1$/d;/^wait 0 1$/d;/^allreduce 1x4 req=[01]$/d;/^wait [01]$/d'

# Each call of this MPI that has to do with other ranks is recorded, counted or one of a few that return facts.

$ nm -D --defined-only "$(dirname "$(command -v nsim-record)")/nsim_trace_$MPI_KIND.so" | sed -n 's/.* T MPI_//p' | sort > traced; for c in Mprobe Improbe Mrecv Imrecv Comm_idup Comm_create_group Intercomm_create Intercomm_merge Comm_spawn Comm_spawn_multiple Comm_accept Neighbor_alltoallv Ineighbor_alltoallw Alltoallw Dist_graph_create File_open Grequest_start Start Cancel; do grep -qx $c traced || echo $c; done

# Sessions without MPI_Init have no ranks that know each other.

$ printf '#include <mpi.h>\nint main(void) {\n#if MPI_VERSION >= 4\nMPI_Session s; MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &s); MPI_Session_finalize(&s);\n#endif\nreturn 0; }\n' > sessions.c; mpicc.$MPI_KIND -o sessions sessions.c && test $MPI_KIND = openmpi || mpirun.$MPI_KIND -n 2 nsim-record ./sessions 2>&1 | sed '/^nsim-record: MPI_Session_init without MPI_Init, whose ranks a trace has; no trace is written$/d'

# A receive that is cancelled has not been; it is waited for, or freed.

$ printf '#include <mpi.h>\nint main(int argc, char **argv) { int a, b; MPI_Request q; MPI_Init(&argc, &argv); for (int n = 0; n < 2; n++) { MPI_Irecv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &q); MPI_Cancel(&q); if (n) MPI_Request_free(&q); else MPI_Wait(&q, MPI_STATUS_IGNORE); MPI_Barrier(MPI_COMM_WORLD); } MPI_Irecv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_SELF, &q); MPI_Send(&argc, 1, MPI_INT, 0, 3, MPI_COMM_SELF); MPI_Wait(&q, MPI_STATUS_IGNORE); MPI_Finalize(); return 0; }\n' > cancel.c; mpicc.$MPI_KIND -o cancel cancel.c && mpirun.$MPI_KIND -n 2 nsim-record -o cancel.trace ./cancel; grep '^0' cancel.trace | grep -v compute; nsim -q --replay cancel.trace | grep complete
0 barrier
0 barrier
0 recv any 3 1x4 comm=self req=0
0 send 0 3 1x4 comm=self
0 wait 0
  complete              yes ...

# A run without its trace has failed, and an older trace stays: calls of two threads have no order. A pipe is no file to replace.

$ printf '#include <mpi.h>\n#include <pthread.h>\nstatic void *second(void *own) { MPI_Barrier(MPI_COMM_SELF); return own; }\nint main(int argc, char **argv) { int level; pthread_t t; MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level); pthread_create(&t, NULL, second, NULL); pthread_join(t, NULL); MPI_Finalize(); return 0; }\n' > two_threads.c; mpicc.$MPI_KIND -pthread -o two_threads two_threads.c; echo older > threads.trace; mpirun.$MPI_KIND -n 2 nsim-record -o threads.trace ./two_threads > said 2>&1 || echo failed; cat threads.trace; mkfifo pipe; cat pipe > piped & mpirun.$MPI_KIND -n 2 nsim-record -o pipe ./two > said 2>&1; wait; test -p pipe && head -1 piped; ls pipe*
failed
older
ranks 2
pipe
piped

$ mpirun.$MPI_KIND -n 2 nsim-record -o nosuch/x ./two 2>&1 | sed "s|$PWD/||" | grep record
nsim-record: rank 0: No such file or directory; nosuch/x is not written
