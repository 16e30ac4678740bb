# One run on processes that the mpirun of $MPI_KIND, mpich or openmpi, starts: docs/programs/parallel.md. Each report is that of one process, command included.

$ same() { nsim -q --json --each-rank "$@" > one.json; for n in 1 2 4; do mpirun.$MPI_KIND -n $n nsim -q --json --each-rank "$@" > many.json || echo "status $?"; cmp one.json many.json && printf 'same '; done; echo; }; same -p topology.dims=4x4x4 --pattern all_to_all:size=4; same -p topology.dims=4x4 --pattern uniform:size=2000,messages=5 --check; same -c configs/net/fat-tree.ini --pattern uniform:size=5000,messages=3
same same same 
same same same 
same same same 

# All ranks send each other 10 kB at one time.

$ nsimcc -O1 -o sample_sort.so examples/sample_sort.c -lm; nsim -q -p topology.dims=4x4 sample_sort.so 20000 > one; for n in 2 4; do mpirun.$MPI_KIND -n $n nsim -q -p topology.dims=4x4 sample_sort.so 20000 > many; cmp one many && printf 'same '; done; grep -c sorted one
same same 1

# Only the first process writes the report.

$ mpirun.$MPI_KIND -n 3 nsim -q --json -p topology.dims=4x4 --pattern ring -o many.json; nsim -q --json -p topology.dims=4x4 --pattern ring -o one.json; diff one.json many.json | sed -n 's/-o .*//p'
<   "command": "nsim -q --json -p topology.dims=4x4 --pattern ring 
>   "command": "nsim -q --json -p topology.dims=4x4 --pattern ring 

$ mpirun.$MPI_KIND -n 3 nsim -q -p topology.dims=4x4 --pattern ring --parallel-report | grep -E '^parallel|^  processes'
parallel: steps of virtual time of several processes
  processes                        3 ...
parallel_estimate: ...
  processes  events_a_window ...

# Each mistake is reported once, with its status.

$ for a in --nonsense "--pattern nope" "-j 2 --pattern ring" "-c nofile --pattern ring" "--write-pattern f --pattern ring" "--pattern ring --mapping nofile"; do mpirun.$MPI_KIND -n 3 nsim -q $a > said 2> error; echo "status $?"; cat said; grep ^nsim error; done
status 2
nsim: unknown option --nonsense, expected one of --help
status 2
nsim: pattern: unknown pattern 'nope', expected one of ...
status 2
nsim: --processes (-j) 2: mpirun has started 3, expected the same
status 2
nsim: nofile: cannot open: No such file or directory...
status 2
nsim: --write-pattern: expected a program, not traffic
status 3
nsim: nofile: cannot open: No such file or directory

# The first process runs what cannot be divided, and says why; the others end with status 0.

$ for a in '-p topology.dims=2' '-e flow' '-e flow --expect traffic.messages=0'; do nsim --pattern ring:size=300 $a > one 2> one.err; echo "status $?" >> one; mpirun.$MPI_KIND -n 3 sh -c 'nsim --pattern ring:size=300 "$@"; s=$?; if [ ${PMI_RANK:-$OMPI_COMM_WORLD_RANK} = 0 ]; then for i in $(seq 200); do [ -e status.1 ] && [ -e status.2 ] && break; sleep 0.1; done; else echo $s > status.${PMI_RANK:-$OMPI_COMM_WORLD_RANK}; fi; exit $s' - $a > several 2> several.err; echo "status $?" >> several; cmp one several; diff one.err several.err | grep '^[<>] nsim'; cat status.1 status.2; rm status.?; done
> nsim: note: this network of 2 nodes cannot be divided among 3 processes, each with routers of its own: one process runs it
0
0
> nsim: note: the engine flow cannot be divided: one process runs it
0
0
> nsim: note: the engine flow cannot be divided: one process runs it
0
0

$ printf 'ranks 16\nreceive 0 5 1\n' > waits.txt; mpirun.$MPI_KIND -n 3 nsim -q -p topology.dims=4x4 --pattern-file waits.txt 2> error; echo "status $?"; grep ^nsim error
status 4
nsim: traffic: rank 0 waits for a message from rank 5 in its step 1, and no message is in flight

$ mpirun.$MPI_KIND -n 3 nsim -q -p topology.dims=4x4 --pattern ring --expect 'traffic.messages=0' > said 2> error; echo "status $?"; grep ^nsim error
status 5
nsim: ...

# A mistake that only another process finds, such as a file that its host does not have, ends all, with one message.

$ mkdir here there; printf '[topology]\ndims = 4x4\n' > here/torus.ini; mpirun.$MPI_KIND -n 2 sh -c 'case ${PMI_RANK:-$OMPI_COMM_WORLD_RANK} in 0) cd here;; *) cd there;; esac; exec nsim -q -c torus.ini --pattern ring' > said 2> error; echo "status $?"; cat said; grep nsim: error
status 2
nsim: torus.ini: cannot open: No such file or directory...

$ mpirun.$MPI_KIND -n 3 nsim --list-patterns | sed -n 1p; mpirun.$MPI_KIND -n 3 nsim --version | wc -l
all_to_all ...
1

# Files of MPI: their contents, too.

$ nsimcc -O1 -o order.so mpi/files_order.c; for n in 1 2 3 4; do rm -f *.bin; mpirun.$MPI_KIND -n $n nsim -q --each-rank -p topology.dims=4x2 order.so > out$n 2> err$n; sed -i '/^ *command/d' out$n; od -An -tx4 all.bin some.bin others.bin >> out$n; cmp out1 out$n; done; grep -c '^rank . reads' out4
8

# A signal to one of them, which catches it: results up to then, and the first one says so.

$ mpirun.$MPI_KIND -n 2 sh -c 'echo $$ > pid.${PMI_RANK:-$OMPI_COMM_WORLD_RANK}; exec nsim -q -p topology.dims=4x4 --pattern uniform:messages=100000000' > said 2> error & p=$!; until [ -s pid.1 ] && grep -qx nsim /proc/$(cat pid.1)/comm && grep -q '^SigCgt:.*[2367abef]$' /proc/$(cat pid.1)/status; do sleep 0.1; done; kill -INT $(cat pid.1); wait $p; echo "status $?"; grep -c '^  complete  *no' said; grep -c '^traffic' said; grep '^nsim' error
status 1
1
1
nsim: interrupted by a signal to another process: the results cover the run up to then
