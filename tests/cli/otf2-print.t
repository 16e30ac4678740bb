# OTF2 archives that nsim writes, as OTF2's own tool prints them.
# needs: otf2-print

# Rank 0 computes for 2 us; its synchronous send takes a handshake of 100 + 100 ns and 1000 ns for 1000
# bytes. Rank 1 receives up to 2000 bytes from anybody. The all-reduce of 12 bytes counts a part for each rank. A put of 32 bytes and its
# answer take 132 ns.

$ nsimcc -o archived.so mpi/archived.c; nsim -q -n 2 -e linear -p topology.kind=crossbar -p topology.dims=2 -p link.bandwidth=1GB/s -p linear.latency=0 -p linear.hop=0 -p mpi.overhead=0 -p mpi.control_bytes=100 --write-otf2 p --write-trace p.txt archived.so > out; nsim -q -n 2 -e linear -p topology.kind=crossbar -p topology.dims=2 -p link.bandwidth=1GB/s -p linear.latency=0 -p linear.hop=0 -p mpi.overhead=0 -p mpi.control_bytes=100 --write-trace q.txt archived.so > out; cmp p.txt q.txt; otf2-print -Werror --silent p/traces.otf2 | grep -i warn; otf2-print p/traces.otf2 | grep -E '^(MPI_I?(SEND|RECV)|MPI_COLLECTIVE_END|RMA_(PUT|WIN)|ENTER.*(computation|Ssend))' | tr -s ' '
ENTER 0 0 Region: "computation" <0>
MPI_IRECV_REQUEST 1 0 Request: 1
ENTER 0 2000000 Region: "MPI_Ssend" <2>
MPI_SEND 0 2000000 Receiver: 1 ("rank 1" <1>), Communicator: "MPI_COMM_WORLD" <0>, Tag: 7, Length: 1000
MPI_IRECV 1 3200000 Sender: 0 ("rank 0" <0>), Communicator: "MPI_COMM_WORLD" <0>, Tag: 7, Length: 1000, Request: 1
MPI_COLLECTIVE_END 0 ... Operation: ALLREDUCE, Communicator: "MPI_COMM_WORLD" <0>, Root: NONE, Sent: 24, Received: 24
RMA_WIN_CREATE 0 ... Window: "window 1" <0>
MPI_COLLECTIVE_END 1 ... Operation: ALLREDUCE, Communicator: "MPI_COMM_WORLD" <0>, Root: NONE, Sent: 24, Received: 24
RMA_WIN_CREATE 1 ... Window: "window 1" <0>
RMA_PUT 1 ... Window: "window 1" <0>, Remote: 0 ("rank 0" <0>), Bytes: 32, Matching: 2
RMA_WIN_DESTROY 0 ... Window: "window 1" <0>
RMA_WIN_DESTROY 1 ... Window: "window 1" <0>
$ otf2-print p/traces.otf2 | awk '/RMA_WIN_CREATE/ && $2 == 1 { from = $3 } /RMA_WIN_DESTROY/ && $2 == 1 { print $3 - from }'
132000
