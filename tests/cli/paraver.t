# Traces for Paraver, of a ping-pong worked out by hand. Rank 0 computes 2 us and sends 1000 bytes: 1 us and 1 ns a byte. Rank 1 has
# them at 4 us, computes 3 us, and sends 500 bytes, which rank 0 has at 8.5 us. A send takes no time.

$ printf 'ranks 2\n0 compute 0.000002\n0 send 1 7 1000\n0 recv 1 9 500\n1 recv 0 7 1000\n1 compute 0.000003\n1 send 0 9 500\n' > pp.txt; nsim -q -e linear -p topology.kind=crossbar -p topology.dims=2 -p linear.latency=1us -p linear.hop=0 -p linear.bandwidth=1GB/s -p linear.sends=at_once -p mpi.overhead=0 -p mpi.clock_overhead=0 --replay pp.txt --paraver pp.prv -o r.txt; cat pp.prv; grep -A4 '^EVENT_TYPE' pp.pcf | grep '^[0-9]'; cat pp.row
#Paraver (01/01/1970 at 00:00):8500_ns:2(1,1):1:2(1:1,1:2)
1:1:1:1:1:0:2000:1
2:1:1:1:1:0:90000002:1
1:2:1:2:1:0:4000:3
2:2:1:2:1:0:90000001:1
1:1:1:1:1:2000:8500:3
2:1:1:1:1:2000:90000002:0
2:1:1:1:1:2000:90000001:2
2:1:1:1:1:2000:90000001:0
2:1:1:1:1:2000:90000001:1
3:1:1:1:1:2000:2000:2:1:2:1:4000:4000:1000:7
1:2:1:2:1:4000:7000:1
2:2:1:2:1:4000:90000001:0
2:2:1:2:1:4000:90000002:1
1:2:1:2:1:7000:8500:0
2:2:1:2:1:7000:90000002:0
2:2:1:2:1:7000:90000001:2
2:2:1:2:1:7000:90000001:0
3:2:1:2:1:7000:7000:1:1:1:1:8500:8500:500:9
2:1:1:1:1:8500:90000001:0
0 90000001 Call
0 End
1 MPI_Recv
0 90000002 Computation
0 End
1 compute
0 90000003 Phase
0 End
0 90000004 Event of the program
0 End
LEVEL NODE SIZE 2
node0
node1

LEVEL THREAD SIZE 2
rank0
rank1

# A reader of its own checks order, states without gap, names and places: of programs on two engines, with two ranks a node. The
# messages are those of the report, several processes write the same bytes, and a window has its part.

$ same() { p=$1; shift; nsimcc -O1 -o $p.so mpi/$p.c; nsim -q "$@" -p topology.dims=4 -p ranks.per_node=2 -o r.csv -f csv --paraver t.prv $p.so > out; python3 -I $PSIM/tests/cli/paraver_check.py t.prv > said; awk -F, '$1 == "program" && $2 == "messages" { print $4 }' r.csv > sent; awk '{ print $7 }' said | cmp - sent; }; same p2p -e linear; same collectives; for f in prv pcf row; do mv t.$f one.$f; done; same collectives -j 2; for f in prv pcf row; do cmp t.$f one.$f; done; nsim -q -p topology.dims=4 -p ranks.per_node=2 -o r.csv --window 100us:200us --window-ranks 2-3 --paraver t.prv collectives.so > out; python3 -I $PSIM/tests/cli/paraver_check.py t.prv | grep -o '^8 tasks'
8 tasks
