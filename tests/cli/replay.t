# Traces of calls: what a program writes gives, in place of the program, the same time of each rank.
# needs: cc

$ nsimcc -O1 -o traced.so mpi/traced.c; nsimcc -O1 -o traced_windows.so mpi/traced_windows.c; nsimcc -O1 -o windows.so mpi/windows.c

# The figures of the report that are times of ranks, or counts of messages.

$ same() { nsim -q --check --each-rank -f csv "$@" --write-trace t.txt -o a.csv traced.so > out; n=$(sed -n 's/^ranks //p' t.txt); nsim -q --check --each-rank -f csv "$@" --replay t.txt -o b.csv; for f in a b; do grep -E '^(ranks,(time|messages|bytes|received)|program,(seconds|messages|bytes)),' $f.csv > $f.cut; done; [ $(wc -l < a.cut) -gt $n ] && diff a.cut b.cut && echo "$n ranks, the same times"; }; for e in linear flow packet; do for n in 3 8; do same -e $e -p topology.dims=4x4 -n $n; done; done
3 ranks, the same times
8 ranks, the same times
3 ranks, the same times
8 ranks, the same times
3 ranks, the same times
8 ranks, the same times

# The same for windows, with agents at the targets that need time.

$ same() { nsim -q --check --each-rank -f csv "$@" --write-trace t.txt -o a.csv $program.so > out; n=$(sed -n 's/^ranks //p' t.txt); nsim -q --check --each-rank -f csv "$@" --replay t.txt -o b.csv; for f in a b; do grep -E '^(ranks,(time|messages|bytes|received)|program,(seconds|messages|bytes)),' $f.csv > $f.cut; done; [ $(wc -l < a.cut) -gt $n ] && diff a.cut b.cut && echo "$n ranks, the same times"; }; for program in windows traced_windows; do for e in linear flow packet; do for n in 3 8; do same -e $e -p topology.dims=4x4 -n $n; done; done; done; same -e packet -p topology.dims=4x4 -n 8 -p mpi.agent=300ns -p mpi.overhead=70ns -p mpi.control_bytes=32
3 ranks, the same times
8 ranks, the same times
3 ranks, the same times
8 ranks, the same times
3 ranks, the same times
8 ranks, the same times
3 ranks, the same times
8 ranks, the same times
3 ranks, the same times
8 ranks, the same times
3 ranks, the same times
8 ranks, the same times
8 ranks, the same times

# 1000 bytes at 1 GB/s between nodes of a crossbar without latency: the receive ends 1 us after the send, which begins when
# rank 0 has computed for 2 us. With half the speed of the processors it is 5 us.

$ printf '# two ranks\nranks 2\n\n1 recv 0 7 125x8 req=3\n0 compute 0.000002\n1 wait 3\n0 send 1 7 1000\n' > t.txt; for s in 1 2; do nsim -q --each-rank -f csv -e linear -p topology.kind=crossbar -p topology.dims=2 -p link.bandwidth=1GB/s -p linear.latency=0 -p linear.hop=0 -p mpi.overhead=0 -p machine.slowdown=$s --replay t.txt | awk -F, '/^ranks,time,1/ { printf "%.9f\n", $4 }'; done
0.000003000
0.000005000

# A put of 8000 bytes, 8 us at 1 GB/s; requests for the lock, its grant and the answer have no bytes and take no time. Rank 1
# computes for 10 us, and the window needs it only to be freed: until then rank 0 waits.

$ printf 'ranks 2\n0 window 0 new=4\n1 window 8000 new=4\n0 lock 1 exclusive win=4\n0 put 1 0 1000x8 win=4\n0 unlock 1 win=4\n0 send 1 1 0\n1 recv 0 1 0\n1 compute 10e-6\n0 window_free win=4\n1 window_free win=4\n' > t.txt; nsim -q --each-rank -f csv -e linear -p topology.kind=crossbar -p topology.dims=2 -p link.bandwidth=1GB/s -p linear.latency=0 -p linear.hop=0 -p mpi.overhead=0 --replay t.txt | awk -F, '/^ranks,time/ { printf "%.9f\n", $4 }'
0.000018000
0.000018000

# SimGrid's traces: rank 0 computes 2e6 flop at 1e12 flop/s, 2 us, then sends 1000 bytes, 1 us. Then rank 1 waits for two
# receives in the order of their sends: 1000 doubles, 8 us, behind 500 integers, 2 us; it has computed 3 us of them.

$ printf '0 init 1\n1 init 1\n0 compute 2e6\n0 send 1 0 1e3 6\n1 recv 0 0 1e3 6\n0 isend 1 1 500 1\n0 isend 1 1 1000\n0 waitall\n1 irecv 0 1 500 1\n1 irecv 0 1 1000\n1 compute 3e6\n1 wait 0 1 1\n1 wait 0 1 1\n0 finalize\n1 finalize\n' > ti.txt; nsim -q --each-rank -f csv -e linear -p topology.kind=crossbar -p topology.dims=2 -p link.bandwidth=1GB/s -p linear.latency=0 -p linear.hop=0 -p mpi.overhead=0 -p machine.peak=1e12 --replay ti.txt | awk -F, '/^ranks,time/ { printf "%.9f\n", $4 }'
0.000013000
0.000013000

# A call that a trace cannot have.

$ printf '#include "mpi.h"\nint main(int argc, char **argv) { MPI_File f; MPI_Init(&argc, &argv); MPI_File_open(MPI_COMM_WORLD, "f", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f); return MPI_Finalize(); }\n' > file.c; nsimcc -o file.so file.c && nsim -q -n 2 -p topology.dims=2 --write-trace w.txt file.so; ls w.txt
nsim: rank 0: MPI_File_open at main (file.c:2): a trace (--write-trace, --write-otf2) cannot have this call
ls: cannot access 'w.txt': No such file or directory
[2]

# Compressed traces, also those that are read twice, and standard input.

$ nsimcc -o steps.so mpi/steps.c; nsim -q -p topology.dims=4x2 -f csv -o a.csv --write-trace s.gz steps.so; gzip -dc s.gz > s.txt; for how in '--replay s.txt' '--replay s.gz' '-j 2 --replay s.gz' '--replay - < s.txt' '--replay - < s.gz'; do eval "nsim -q -p topology.dims=4x2 -f csv -o b.csv $how"; grep ^program,seconds a.csv b.csv | cut -d, -f4 | uniq | wc -l; done
1
1
1
1
1

$ for r in 0 1; do printf "$r init\n$r barrier\n$r bcast 1e6 0\n$r finalize\n"; done > tit; gzip -k tit; for f in tit tit.gz; do nsim -q -p topology.dims=2 -f csv --replay $f | grep ^program,seconds; done | uniq | wc -l
1

# A call that communicates has events, or a trace cannot have it: the replay of a program sends the same messages, or the
# program ends in the call.

$ for p in by_table collectives comms files groups halves large neighbours nonblocking objects p2p persistent put_get rendezvous statuses trees types; do rm -f t.txt; nsimcc -w -O1 -o $p.so mpi/$p.c -lm; nsim -q -f csv -n 8 -p topology.dims=8 --write-trace t.txt -o a.csv $p.so > out 2>&1; if [ -s t.txt ]; then nsim -q -f csv -p topology.dims=8 --replay t.txt -o b.csv; for f in a b; do grep -E '^program,(messages|bytes),' $f.csv > $f.cut; done; cmp a.cut b.cut && echo "$p: the same messages"; else sed -n "s/.*: \(MPI_[A-Za-z_]*\) at .*: a trace .* cannot have this call/$p: not \1/p" out; fi; done
by_table: not MPI_Comm_create_group
collectives: the same messages
comms: the same messages
files: not MPI_File_open
groups: not MPI_Intercomm_create
halves: the same messages
large: not MPI_Bcast_init
neighbours: not MPI_Neighbor_allgather
nonblocking: the same messages
objects: not MPI_Grequest_start
p2p: not MPI_Cancel
persistent: not MPI_Gather_init
put_get: the same messages
rendezvous: the same messages
statuses: the same messages
trees: the same messages
types: the same messages

# A start of what is no request has no line, and the lines behind it are whole.

$ printf '#include <mpi.h>\nint main(int argc, char **argv) { MPI_Request q = MPI_REQUEST_NULL; MPI_Init(&argc, &argv); MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); MPI_Start(&q); MPI_Barrier(MPI_COMM_WORLD); return MPI_Finalize(); }\n' > start.c; nsimcc -o start.so start.c && nsim -q -n 2 -p topology.dims=2 --write-trace start.txt start.so > out && grep -v compute start.txt
ranks 2
0 barrier
1 barrier

# A receive whose message was sent by a call that the trace lacks waits for ever: the message names such calls, and none if there are none.

$ printf '0 compute 0.1\n1 recv 0 7 8\n' > end; (printf 'ranks 2\nlacks 1 MPI_Send_c\n'; cat end) > lacks.txt; (printf 'ranks 2\n'; cat end) > none.txt; for f in lacks none; do nsim -q -p topology.dims=2 --replay $f.txt; done; nsim -q -j 2 -p topology.dims=2 --replay lacks.txt
nsim: the program is deadlocked: 1 of 2 ranks waits forever
  rank 1 in MPI_Recv at lacks.txt:4: receive from rank 0 (which has ended), tag 7
  a likely cause: the trace lacks 1 call of the recorded run: MPI_Send_c (1)
nsim: the program is deadlocked: 1 of 2 ranks waits forever
  rank 1 in MPI_Recv at none.txt:3: receive from rank 0 (which has ended), tag 7
nsim: the program is deadlocked: 1 of 2 ranks waits forever
  rank 1 in MPI_Recv at lacks.txt:4: receive from rank 0 (which has ended), tag 7
  a likely cause: the trace lacks 1 call of the recorded run: MPI_Send_c (1)
[4]
