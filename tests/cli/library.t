# State of the C library that programs on virtual ranks see: each rank's own, and as new. docs/models/vmpi.md has the list.
# needs: cc

$ nsimcc -O1 -Wall -Wextra -Werror -o library.so mpi/library.c
$ printf 'first\nsecond\n' >in
$ nsim -q -n 4 -o r library.so -v -n 5 input -o name <in 2>&1 | sort
end of an even rank
end of an even rank
end of an odd rank
end of an odd rank
rank 2
state of the library: all checks hold on 4 ranks
$ nsim -q -n 5 -p ranks.globals=map -o r library.so -v -n 5 input -o name <in 2>err
rank 2
rank 4
state of the library: all checks hold on 5 ranks
$ nsim -q -n 5 -p ranks.context=ucontext -p ranks.globals=copy -o r library.so -v -n 5 input -o name <in 2>err
rank 2
rank 4
state of the library: all checks hold on 5 ranks

# Ranks end by return, exit, _exit and _Exit: the first two call what atexit has registered.

$ nsimcc -O1 -Wall -Wextra -Werror -o endings.so mpi/endings.c; nsim -q -n 4 -o r endings.so
rank 0: atexit
rank 1: atexit

# Clocks and sleeps are the rank's; the host's on request.

$ nsimcc -O1 -Wall -Wextra -Werror -o clocks.so mpi/clocks.c; nsim -q -n 4 -p mpi.clock_overhead=10ns --expect 'program.seconds>=2.8' --expect 'program.seconds<=2.81' -o r clocks.so
clocks: all checks hold on 4 ranks

# Threads of ranks take turns, on clocks of their own; a program of C++ has them, too. The values of keys of main's threads
# stay to the end of the program: a sanitizer does not look for them.

$ nsimcc -O1 -Wall -Wextra -Werror -o pthreads.so mpi/pthreads.c
$ for o in '-e linear' '-e packet -p ranks.globals=map' '-e flow' '-j 2' '-p ranks.check=yes'; do LSAN_OPTIONS=detect_leaks=0 nsim -q -n 4 -p topology.dims=4 $o -o r pthreads.so; done
threads: all checks hold on 4 ranks
threads: all checks hold on 4 ranks
threads: all checks hold on 4 ranks
threads: all checks hold on 4 ranks
threads: all checks hold on 4 ranks
$ nsimc++ -O1 -Wall -Wextra -Werror -o pcxx.so mpi/pthreads.cpp; nsim -q -n 2 -o r pcxx.so | sort
rank 0: 5 of 5
rank 1: 5 of 5

# OpenMP has one thread a rank, on request more, which may compute while no rank waits.

$ nsimcc -O1 -Wall -Wextra -Werror -fopenmp -o openmp.so mpi/openmp.c; for n in 1 2 5; do nsim -q -n $n -o r openmp.so; done
OpenMP: all checks hold on 1 ranks
OpenMP: all checks hold on 2 ranks
OpenMP: all checks hold on 5 ranks
$ nsim -q -n 3 -o r openmp.so 3
OpenMP: all checks hold on 3 ranks
$ nsim -q -n 2 -o r openmp.so 2 wait
nsim: rank 0: MPI_Recv at main._omp_fn.0 (openmp.c:61): waits in a parallel region of 2 threads, expected 1 (OMP_NUM_THREADS=1)
[1]

# C++: exceptions and streams of ranks do not meet, and its clocks are the rank's.

$ nsimc++ -O1 -Wall -Wextra -Werror -o cxx.so mpi/cxx.cpp; nsim -q -n 3 -o r cxx.so | sort
rank 0: 3 of 3
rank 1: 3 of 3
rank 2: 3 of 3

# Objects with static storage are destroyed when their rank exits; the file and std::cout are such objects.
# Buffers of std::cout without stdio are never released.

$ nsimc++ -O1 -Wall -Wextra -Werror -o destroyed.so mpi/destroyed.cpp; for a in '-j 1' '-j 2' '-p ranks.globals=map'; do ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 nsim -q $a -n 2 -p topology.dims=2 -o r destroyed.so | sort > said; cat destroyed.0 destroyed.1 >> said; rm destroyed.[01]; [ "$a" = '-j 1' ] && cp said one; cmp said one; done; cat one
rank 0 of 2
rank 1 of 2
atexit
local of rank 0
global of rank 0
atexit
local of rank 1
global of rank 1

# Constructors run in each rank, on its own variables, and destructors when it exits, in the order of the standards (ISO C++ 2017,
# 6.6.4; ELF's tables from the last one on): the rank's lines are the same on any number of processes, however variables are kept.

$ echo 'for a in "-j 1" "-j 2" "-j 3" "-p ranks.globals=copy" "-p ranks.globals=map" "-p ranks.context=ucontext"; do nsim -q $a -n 6 -p topology.dims=6 -o r "$@" 2>&1 | grep -v "support makecontext" | sort > said; [ "$a" = "-j 1" ] && cp said one; cmp said one; done; cat one' > rule; nsimc++ -O1 -Wall -Wextra -Werror -o constructors.so mpi/constructors.cpp; sh rule constructors.so
rank 0: +one +two +thread +function +thread -thread end -thread -function atexit -two -one
rank 1: +one +two +thread +function +thread -thread end -thread -function atexit -two -one
rank 2: +one +two +thread +function +thread -thread end -thread -function atexit -two -one
rank 3: +one +two +thread +function +thread -thread end -thread -function atexit -two -one
rank 4: +one +two +thread +function +thread -thread end -thread -function atexit -two -one
rank 5: +one +two +thread +function +thread -thread end -thread -function atexit -two -one
$ nsimcc -O1 -Wall -Wextra -Werror -o constructors.so mpi/constructors.c; sh rule constructors.so argument
rank 0: first second plain end between atexit on_exit atexit destructor last but one last
rank 1: first second plain + end between atexit on_exit atexit destructor last but one last
rank 2: first second plain + + end between atexit on_exit atexit destructor last but one last
rank 3: first second plain + + + end between atexit on_exit atexit destructor last but one last
rank 4: first second plain + + + + end between atexit on_exit atexit destructor last but one last
rank 5: first second plain + + + + + end between atexit on_exit atexit destructor last but one last

# Ranks that share all variables construct and destroy once.

$ nsim -q -n 3 -p ranks.globals=shared -o r constructors.so argument | sed 's/rank [012]/a rank/'
a rank: first second plain...end end end...destructor last but one last

# quick_exit calls its own functions only.

$ printf '#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\nstatic void a(void) { puts("a"); }\nstatic void b(void) { puts("b"); }\nint main(void) { MPI_Init(0, 0); atexit(a); at_quick_exit(a); at_quick_exit(b); MPI_Finalize(); quick_exit(0); }\n' > quick.c; nsimcc -o quick.so quick.c; nsim -q -n 2 -o r quick.so
b
a
b
a

# The program's main may be in an archive; in a shared library it would have variables that ranks share.

$ for s in p2p skeleton; do nsimcc -O1 -c -o $s.o mpi/$s.c; rm -f lib.a; ar rc lib.a $s.o; nsimcc -o in.so lib.a; nsimcc -o of.so $s.o; for p in in of; do nsim -q -n 4 -p topology.dims=4 -o $p $p.so > $p.out; sed -i /command/d $p; done; cmp in of; cmp in.out of.out; done
$ nsimcc -O1 -c -fvisibility=hidden -o p2p.o mpi/p2p.c; nsimcc -o hidden.so p2p.o; nsim -q -n 4 -o r hidden.so
...all checks hold on 4 ranks
$ echo 'int main(void) { return 0; }' | cc -shared -fPIC -xc -o libmain.so -; nsimcc -o in.so -L. -lmain -Wl,-rpath,$PWD -Wl,--no-as-needed; nsim -q -n 2 in.so
nsim: in.so: no main, MGEN_Main or LMPI_Main, expected a program made by nsimcc, bsimcc or bsimf90
[3]

# Every call that sleeps takes the rank's time, or fails the run.

$ nsimcc -O1 -Wall -Wextra -Werror -I. -o sleeps.so mpi/sleeps.c; for a in '-j 1' '-j 2' '-j 3' '-p ranks.globals=map'; do nsim -q $a -n 3 -p topology.dims=3 -o r sleeps.so; done
sleeps: all checks hold on 3 ranks
sleeps: all checks hold on 3 ranks
sleeps: all checks hold on 3 ranks
sleeps: all checks hold on 3 ranks
$ for name in $(nsim -q -n 1 -o r sleeps.so list); do nsim -q -n 1 -o r sleeps.so $name; done
nsim: rank 0: timerfd_create at use_timerfd_create (sleeps.c:...): its time would be the host's, expected another call that waits
nsim: rank 0: mq_timedreceive at use_mq_timedreceive (sleeps.c:...): its time would be the host's, expected another call that waits
nsim: rank 0: mq_timedsend at use_mq_timedsend (sleeps.c:...): its time would be the host's, expected another call that waits
nsim: rank 0: semtimedop at use_semtimedop (sleeps.c:...): its time would be the host's, expected another call that waits
nsim: rank 0: aio_suspend at use_aio_suspend (sleeps.c:...): its time would be the host's, expected another call that waits
[1]

# A timer's signal without a handler ends the rank, and not the simulator.

$ printf '#include <mpi.h>\n#include <unistd.h>\nint main(void) { MPI_Init(0, 0); alarm(1); sleep(2); return MPI_Finalize(); }\n' > alarm.c; nsimcc -o alarm.so alarm.c; nsim -q -n 1 -o r alarm.so
nsim: rank 0: raise at main (alarm.c:...): SIGALRM ends the rank, expected a handler of it
[1]

# The report says what takes no time, where a program may count it: files without MPI's calls, computation between readings of clocks.

$ printf '#include <mpi.h>\n#include <stdio.h>\nint main(int argc, char **argv) { MPI_Init(0, 0); if (argc > 1) fclose(fopen(argv[1], "w")); if (argc > 2) MPI_Wtime(); if (argc > 3) MPI_Add_time(1); return MPI_Finalize(); }\n' > free.c; nsimcc -o free.so free.c; for a in '' f 'f clock' 'f clock computes'; do for j in 1 2; do nsim -q -j $j -n 2 -p topology.dims=2 free.so $a | sed -n '/^notes/,/^$/p' | grep -v '^$' > notes$j; done; cmp notes1 notes2; echo "arguments: $a"; cat notes1; done; nsim -n 1 -o r free.so f 2>&1 | grep note
arguments: 
arguments: f
notes: what bounds this run, or is not used by it
  about  note
  files  ranks opened 2 files without MPI-IO (POSIX, C, C++, Fortran): their reads and writes take no time
arguments: f clock
notes: what bounds this run, or is not used by it
  about          note
  ranks.measure  ranks read clocks, and their computation takes no time: times and rates that they print are those of
                 calls; ranks.measure = 1 adds the host's time
  files          ranks opened 2 files without MPI-IO (POSIX, C, C++, Fortran): their reads and writes take no time
arguments: f clock computes
notes: what bounds this run, or is not used by it
  about  note
  files  ranks opened 2 files without MPI-IO (POSIX, C, C++, Fortran): their reads and writes take no time
nsim: note: ranks opened 1 files without MPI-IO (POSIX, C, C++, Fortran): their reads and writes take no time

# Descriptors are those of a rank: what it writes to 1 is a part of its line, and 0 is at its end but on rank 0.

$ nsimcc -O1 -Wall -Wextra -Werror -o descriptors.so mpi/descriptors.c; for j in 1 2; do echo input | nsim -q -j $j -n 2 -p topology.dims=2 -o r descriptors.so | sort > said$j; done; cat said1; cmp said1 said2
forked
rank 0: 4 bytes
rank 0: abcdef, streams 012
rank 1: 0 bytes
rank 1: abcdef, streams 012

# A rank that sleeps for ever ends when its clock is full.

$ printf '#include <mpi.h>\n#include <unistd.h>\nint main(int argc, char **argv)\n{\n\tMPI_Init(&argc, &argv);\n\tfor (;;)\n\t\tsleep(1000000);\n}\n' > sleeps.c; nsimcc -o sleeps.so sleeps.c && nsim -q -n 1 sleeps.so
nsim: rank 0: MPI_Init at main (sleeps.c:5): the rank's clock overflows, expected at most 4.6e18 ps
[1]

# Variables select the compilers, and -show prints the command.

$ CC=nsimcc CXX=nsimc++ FC=nsimf90 nsimcc -show -DA='b c' -c x.c | sed 's| -I[^ ]*||'
cc -g -fPIC -fstack-clash-protection '-DA=b c' -c x.c
$ NSIM_CXX='env g++' bsimc++ -show -c x.cpp | sed 's| -I[^ ]*||'
env g++ -g -fPIC -fstack-clash-protection -c x.cpp

# The names that OpenMPI and MPICH have for that, of which build systems use some.

$ for o in --showme -showme -compile_info -link-info; do nsimcc -show x.c > show; nsimcc $o x.c | cmp - show && echo same; done; NSIM_CC='env gcc' nsimcc --showme:compile -O2 | sed 's| -I[^ ]*||'; nsimcc --showme:link | grep -o -- '-shared.*libvmpi_stubs.a -lm' | sed 's|/.*/||'
same
same
same
same
-g -fPIC -fstack-clash-protection -O2
-shared -Wl,-u,main -Wl,-u,MGEN_Main -Wl,-u,LMPI_Main -Wl,-u,vmpi_gate -Wl,-u,vmpi_entries -Wl,-u,vmpi_construct -Wl,-u,vmpi_start -Wl,-e,vmpi_start -Wl,-Bsymbolic -Wl,-z,defs -Wl,-z,now libvmpi_stubs.a -lm

$ NSIM_CC=nothing nsimcc x.c
nsimcc: no nothing: install it, or set NSIM_CC to a compiler
[2]

# Its own getopt against that of the C library: 4000 command lines.

$ cc -O1 -o options mpi/options.c; ./options >real 2>real.err; wc -l <real
4000
$ nsimcc -O1 -o options.so mpi/options.c; nsim -q -n 1 -o r options.so >simulated 2>simulated.err; cmp real simulated && sed 's/^[^:]*: //' real.err >a && sed 's/^[^:]*: //' simulated.err | cmp a -
