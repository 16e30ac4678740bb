# Timelines of ranks: slices of calls and computation, arrows, counters, against times that are worked out by hand.
# needs: cc jq

# Overhead is 0.2 us a send or receive; a message of n bytes takes 1 us + n ns, and leaves within n ns. Rank 0 computes to
# 10, sends at 10.2 to 11.2, computes to 16.2, and waits for 8 bytes from 16.4 on. They are sent at 15.2 + 0.2 by rank 1,
# which has the 1000 bytes at 10.2 + 2 = 12.2: they are there at 15.4 + 1.008 = 16.408. Rank 1 computes to 35.4. The four
# times 5 us at one place are one slice. The wait at the end is one, too, though it takes no time: the engine has not got there yet.

$ nsimcc -O0 -Wall -Wextra -Werror -o timeline.so mpi/timeline.c && nsim -q -e linear -p linear.latency=1us -p linear.bandwidth=1GB/s -p linear.sends=in_turn -p mpi.overhead=200ns -p topology.kind=crossbar -p topology.dims=2 -o r --timeline t.json --paje t.paje timeline.so; jq -r '.traceEvents[] | select(.ph == "B" or .ph == "E") | "\(.pid - 268435456) \(.ts) \(if .ph == "B" then .cat + " " + .name + " " + .args.at else "end" end)"' t.json | sort -s -k1,1n
0 0 compute compute first (timeline.c:11)
0 10 end
0 10 call MPI_Send first (timeline.c:12)
0 11.2 end
0 11.2 compute compute first (timeline.c:13)
0 16.2 end
0 16.2 call MPI_Recv first (timeline.c:14)
0 16.408 end
1 0 call MPI_Recv second (timeline.c:21)
1 12.2 end
1 12.2 compute compute second (timeline.c:22)
1 15.2 end
1 15.2 call MPI_Isend second (timeline.c:23)
1 15.4 end
1 15.4 compute compute second (timeline.c:25)
1 35.4 end
1 35.4 call MPI_Wait second (timeline.c:26)
1 35.4 end

# Arrows: from the send to the end of the receive.

$ jq -c '.traceEvents[] | select(.ph == "s" or .ph == "f") | [.ph, .id, .pid - 268435456, .ts, .args.bytes, .args.tag, .bp]' t.json
["s","0x1",0,10.2,1000,1,null]
["f","0x1",1,12.2,null,null,"e"]
["s","0x10000000001",1,15.4,8,2,null]
["f","0x10000000001",0,16.408,null,null,"e"]

# Counters: ranks that compute, are in calls, wait; messages and bytes that are sent and not received yet.

$ jq -c '.traceEvents[] | select(.ph == "C" and .name == "ranks") | [.ts, .args.compute, .args.call, .args.wait]' t.json
[0,1,1,0]
[0.2,1,0,1]
[10,0,1,1]
[10.2,0,0,2]
[11.2,1,0,1]
[12.2,2,0,0]
[15.2,1,1,0]
[15.4,2,0,0]
[16.2,1,1,0]
[16.4,1,0,1]
[16.408,1,0,0]
[35.4,0,0,0]

$ jq -c '.traceEvents[] | select(.ph == "C" and .name != "ranks") | [.ts, .name, .args[]]' t.json
[10.2,"messages under way",1]
[10.2,"bytes under way",1000]
[12.2,"messages under way",0]
[12.2,"bytes under way",0]
[15.4,"messages under way",1]
[15.4,"bytes under way",8]
[16.408,"messages under way",0]
[16.408,"bytes under way",0]

$ jq -r '.traceEvents[] | select(.ph == "M") | .args.name' t.json | sort
counters
rank 0
rank 1

# Paje has the same.

$ grep -E '^14|[0-9] r[01] S| net [AV]' t.paje
14 "compute" S "compute" "0.0 0.62 0.45"
8 0.000000000000 r0 S "compute"
14 "MPI_Recv" S "MPI_Recv" "0.34 0.71 0.91"
8 0.000000000000 r1 S "MPI_Recv"
13 0.000000000000 net VC 1
13 0.000000000000 net VK 1
13 0.000000200000 net VK 0
13 0.000000200000 net VW 1
9 0.000010000000 r0 S
14 "MPI_Send" S "MPI_Send" "0.84 0.37 0.0"
8 0.000010000000 r0 S "MPI_Send"
13 0.000010000000 net VC 0
13 0.000010000000 net VK 1
6 0.000010200000 net A r0 1000 r0.1
13 0.000010200000 net VK 0
13 0.000010200000 net VW 2
13 0.000010200000 net VM 1
13 0.000010200000 net VB 1000
9 0.000011200000 r0 S
8 0.000011200000 r0 S "compute"
13 0.000011200000 net VC 1
13 0.000011200000 net VW 1
7 0.000012200000 net A r1 1000 r0.1
9 0.000012200000 r1 S
8 0.000012200000 r1 S "compute"
13 0.000012200000 net VC 2
13 0.000012200000 net VW 0
13 0.000012200000 net VM 0
13 0.000012200000 net VB 0
9 0.000015200000 r1 S
14 "MPI_Isend" S "MPI_Isend" "0.8 0.47 0.65"
8 0.000015200000 r1 S "MPI_Isend"
13 0.000015200000 net VC 1
13 0.000015200000 net VK 1
6 0.000015400000 net A r1 8 r1.1
9 0.000015400000 r1 S
8 0.000015400000 r1 S "compute"
13 0.000015400000 net VC 2
13 0.000015400000 net VK 0
13 0.000015400000 net VM 1
13 0.000015400000 net VB 8
9 0.000016200000 r0 S
8 0.000016200000 r0 S "MPI_Recv"
13 0.000016200000 net VC 1
13 0.000016200000 net VK 1
13 0.000016400000 net VK 0
13 0.000016400000 net VW 1
7 0.000016408000 net A r0 8 r1.1
9 0.000016408000 r0 S
13 0.000016408000 net VW 0
13 0.000016408000 net VM 0
13 0.000016408000 net VB 0
9 0.000035400000 r1 S
14 "MPI_Wait" S "MPI_Wait" "0.94 0.89 0.26"
8 0.000035400000 r1 S "MPI_Wait"
9 0.000035400000 r1 S
13 0.000035400000 net VC 0

# Rules that hold of any run: times in order; slices of a rank begin and end in turn, without gaps in between but where nothing
# takes time; each arrow begins and ends once, within a slice; each state is pushed and popped; counters end at 0. So it is
# for programs on each engine, and for a trace.

$ for p in p2p collectives steps windows; do nsimcc -O1 -o $p.so mpi/$p.c; for e in linear flow packet; do nsim -q -e $e -p topology.dims=4x2 -o r --timeline t.json --paje t.paje --log-packets $p.so > out && python3 -I "$PSIM/tests/cli/timeline_holds.py" t.json t.paje || echo $p $e; done; done
holds True True 0
holds True True 0
holds True True 0
holds True True 0
holds True True 0
holds True True 0
holds True True 0
holds True True 0
holds True True 0
holds True True 0
holds True True 0
holds True True 0

# One-sided operations have an arrow to the target, and one back with what they read. At 1 GB/s a lock and its grant take 100 ns each;
# the put of 700 bytes begins at 200 ns, its answer is there at 1000 ns; then 100 ns for the get and 500 ns for its data.

$ nsimcc -o put_get.so mpi/put_get.c; nsim -q -e linear -n 2 -p topology.kind=crossbar -p topology.dims=2 -p link.bandwidth=1GB/s -p linear.latency=0 -p linear.hop=0 -p mpi.overhead=0 -p mpi.control_bytes=100 --timeline t.json --paje t.paje -o r put_get.so; sed -n 's/.*arrow","ph":"\(.\).*"id":"\([^"]*\)","pid":26843545\([67]\).*"bytes":\([1-9]*00\).*"ts":/\1 \2 \3 \4 /p' t.json; sed -n 's/.*arrow","ph":"f".*"pid":26843545\([67]\).*"ts":\(0.9\|1.1\|1.6\)/f \1 \2/p' t.json
s 0x3 6 700 0.200000},
s 0x4 6 100 1.000000},
s 0x18000000001 7 500 1.100000},
f 7 0.900000},
f 7 1.100000},
f 6 1.600000},
f 6 1.600000},

$ nsim -q -p topology.dims=4x2 -o r --write-trace steps.trace steps.so; for e in linear flow packet; do nsim -q -e $e -p topology.dims=4x2 -o r --timeline t.json --paje t.paje --replay steps.trace && python3 -I "$PSIM/tests/cli/timeline_holds.py" t.json t.paje; done
holds True True 0
holds True True 0
holds True True 0
