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

# Mistakes: no program, none of MPI, a call that a trace cannot have (the program itself goes on), a folder that is not there.

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

$ printf '#include <mpi.h>\nint main(int argc, char **argv) { MPI_Comm c; MPI_Request q; MPI_Init(&argc, &argv); MPI_Comm_idup(MPI_COMM_WORLD, &c, &q); MPI_Wait(&q, MPI_STATUS_IGNORE); MPI_Finalize(); return 0; }\n' > idup.c; mpicc.$MPI_KIND -o idup idup.c && mpirun.$MPI_KIND -n 2 nsim-record -o idup.trace ./idup 2>&1 | sed "s|$PWD/||" | grep record; ls idup.trace*
nsim-record: rank 0: MPI_Comm_idup: a trace cannot have this call; idup.trace is not written
ls: cannot access 'idup.trace*': No such file or directory
[2]

# A receive that is cancelled has not been; it is waited for, or freed.

$ printf '#include <mpi.h>\nint main(int argc, char **argv) { int a, b; MPI_Request q; MPI_Init(&argc, &argv); for (int n = 0; n < 2; n++) { MPI_Irecv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &q); MPI_Cancel(&q); if (n) MPI_Request_free(&q); else MPI_Wait(&q, MPI_STATUS_IGNORE); MPI_Barrier(MPI_COMM_WORLD); } MPI_Irecv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_SELF, &q); MPI_Send(&argc, 1, MPI_INT, 0, 3, MPI_COMM_SELF); MPI_Wait(&q, MPI_STATUS_IGNORE); MPI_Finalize(); return 0; }\n' > cancel.c; mpicc.$MPI_KIND -o cancel cancel.c && mpirun.$MPI_KIND -n 2 nsim-record -o cancel.trace ./cancel; grep '^0' cancel.trace | grep -v compute; nsim -q --replay cancel.trace | grep complete
0 barrier
0 barrier
0 recv any 3 1x4 comm=self req=0
0 send 0 3 1x4 comm=self
0 wait 0
  complete              yes ...

# A run without its trace has failed, and an older trace stays. A pipe is no file to replace.

$ echo older > idup.trace; mpirun.$MPI_KIND -n 2 nsim-record -o idup.trace ./idup > said 2>&1 || echo failed; cat idup.trace; mkfifo pipe; cat pipe > piped & mpirun.$MPI_KIND -n 2 nsim-record -o pipe ./two > said 2>&1; wait; test -p pipe && head -1 piped; ls pipe*
failed
older
ranks 2
pipe
piped

$ mpirun.$MPI_KIND -n 2 nsim-record -o nosuch/x ./two 2>&1 | sed "s|$PWD/||" | grep record
nsim-record: rank 0: No such file or directory; nosuch/x is not written
