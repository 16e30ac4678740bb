# A protocol of the message library (docs/formats/protocol-format.md): each engine obeys it, patterns too, and what a run
# does not use of it is said.

# All engines add the same times to their own: 900 + 200 + 300 ns to an empty message, and of 4000 bytes 2 us more.
$ nsimcc -o one.so mpi/one_message.c; printf '[topology]\nkind = crossbar\ndims = 2\n[mpi]\noverhead = 0\nclock_overhead = 0\n' > pair.ini
$ for e in packet flow linear; do for b in 0 4000; do nsim -q -e $e -c pair.ini -o plain.txt one.so $b >plain; nsim -q -e $e -c pair.ini -p protocol.file=mpi/hosts.protocol -o hosts.txt one.so $b >hosts; echo $e $b $(paste hosts plain | awk '{ print $1 - $2 }'); done; done
packet 0 1400
packet 4000 3400
flow 0 1400
flow 4000 3400
linear 0 1400
linear 4000 3400

# Within a node the other table holds.
$ for e in packet flow linear; do nsim -q -n 2 -e $e -c pair.ini -p ranks.per_node=2 -o plain.txt one.so 0 >plain; nsim -q -n 2 -e $e -c pair.ini -p ranks.per_node=2 -p protocol.file=mpi/hosts.protocol -o hosts.txt one.so 0 >hosts; echo $e $(paste hosts plain | awk '{ print $1 - $2 }'); done
packet 5000
flow 5000
linear 5000

# Four messages begin every 200 ns, and arrive 1.9 us later; the processor takes one after the other, for 300 ns each, while
# it waits for the next: 2.1 + 4 x 0.3 us.
$ nsimcc -o four.so mpi/four_messages.c; nsim -q -e linear -c pair.ini -p linear.latency=1us -p linear.bandwidth=1GB/s -p protocol.file=mpi/hosts.protocol -o four.txt four.so
3300

# The critical path, and the picture, know the hosts.
$ nsim -q -e linear -c pair.ini -p protocol.file=mpi/hosts.protocol --critical-path --picture four.svg -o four.txt four.so; grep -c '^critical_path' four.txt
2394
4

# So does bsim-table: 100 bytes to the next node are delayed by 900 + 50 ns.
$ for f in '' mpi/hosts.protocol; do bsim-table -q -e linear -p topology.dims=4 ${f:+-p protocol.file=$f} --tables p2p --sizes 100 -o t.times; awk '/^1/ { print $2 + 0 }' t.times; done | paste -sd' ' | awk '{ print $2 - $1 }'
950000

# Messages beyond what was measured, and what a pattern has not.
$ nsim -q -c pair.ini -p protocol.file=mpi/hosts.protocol --json -o beyond.json one.so 32768 >time; jq -r '.notes[] | select(.about == "protocol.file").note' beyond.json
1 messages between nodes are longer than the 16384 bytes up to which the protocol was measured, up to 32768 bytes: their times are extrapolated
$ nsim -p protocol.file=mpi/hosts.protocol --pattern ring:size=10 -o ring.txt
nsim: note: a pattern has the delays and gaps of a protocol; its processor times and ways to send are those of programs

# Points of a load curve say the same of all their messages: two ranks send 200 each, at two loads.
$ nsim -e flow -p topology.kind=crossbar -p topology.dims=2 -p protocol.file=mpi/hosts.protocol --pattern shift:size=20000,messages=200 --load 0.1,0.2 -o load.txt
nsim: note: a pattern has the delays and gaps of a protocol; its processor times and ways to send are those of programs
nsim: note: 800 messages between nodes are longer than the 16384 bytes up to which the protocol was measured, up to 20000 bytes: their times are extrapolated

$ nsim -q -e none -p protocol.file=mpi/hosts.protocol -n 2 -o none.txt one.so 0 >time
nsim: warning: -p: protocol.file is not used by engine none

# A table that has a protocol's delays, and the protocol again: refused. A table without them, and the protocol: 500 ns more
# than the first one, the processor times of `send` and `receive`. A pattern that is written has less.
$ bsim-table -q -e linear -p topology.dims=4 -p protocol.file=mpi/hosts.protocol --tables p2p --sizes 0,100 -o hosts.times; bsim-table -q -e linear -p topology.dims=4 --tables p2p --sizes 0,100 -o plain.times; grep -c 'hosts included' hosts.times plain.times
hosts.times:1
plain.times:0
$ nsim -q -e table -p table.file=hosts.times -p topology.dims=4 -p protocol.file=mpi/hosts.protocol -n 2 one.so 0
nsim: protocol.file with hosts.times, whose times have a protocol's delays in them: expected a table that was made without protocol.file
[2]
$ for f in hosts plain; do nsim -q -e table -p table.file=$f.times -p topology.dims=4 $(test $f = hosts || echo -p protocol.file=mpi/hosts.protocol) -p mpi.overhead=0 -p mpi.clock_overhead=0 -n 2 -o $f.txt one.so 0; done
1098.0
1598.0
$ nsim -c pair.ini -p protocol.file=mpi/hosts.protocol --write-pattern one.pattern -o written.txt one.so 0 >time
nsim: note: ranks read clocks, and their computation takes no time: times and rates that they print are those of calls; ranks.measure = 1 adds the host's time
nsim: note: the pattern of --write-pattern has neither the receive times nor the rendezvous of the protocol

# Processor times by delays give the protocol's `send` and `receive` back: 200 and 300 ns, and mpi.overhead on each side.
$ nsimcc -o overheads.so examples/overheads.c; for o in 0 150ns; do nsim -q -e linear -c pair.ini -p mpi.overhead=$o -p mpi.clock_overhead=10ns -p protocol.file=mpi/hosts.protocol -o o.txt overheads.so 0 4000; done
bytes,send_us,receive_us
0,0.2000,0.3000
4000,0.2000,0.3000
bytes,send_us,receive_us
0,0.3500,0.4500
4000,0.3500,0.4500

# nsim-calibrate takes a host's processor times from the output of examples/overheads.c: less the call's 100 ns they are those of
# the protocol that the benchmarks ran on, 200 and 300 ns, and the delay is its 900 ns and 2 GB/s.
$ nsimcc -o overheads.so examples/overheads.c; nsimcc -o pingpong.so examples/pingpong.c
$ nsim -q -e linear -c pair.ini -p linear.latency=1us -p linear.bandwidth=1GB/s -p mpi.overhead=100ns -p mpi.eager=8191 -p mpi.clock_overhead=10ns -p protocol.file=mpi/hosts.protocol -o r.txt overheads.so 0 1000 4000 8000 >overheads.csv; cat overheads.csv
bytes,send_us,receive_us
0,0.3000,0.4000
1000,0.3000,0.4000
4000,0.3000,0.4000
8000,0.3000,0.4000
$ (echo bytes,latency_us; nsim -q -e linear -c pair.ini -p linear.latency=1us -p linear.bandwidth=1GB/s -p mpi.overhead=100ns -p mpi.eager=8191 -p protocol.file=mpi/hosts.protocol -o r.txt pingpong.so 0 500 1000 2000 4000 8000 | sed 's/ bytes: /,/; s/ us//') >latency.csv
$ nsim-calibrate -q -e linear -c pair.ini -p linear.latency=1us -p linear.bandwidth=1GB/s -p mpi.overhead=100ns -p mpi.eager=8191 --latency latency.csv --overheads overheads.csv --protocol back.protocol -o back.txt; grep -E '^[0-9]' back.protocol; grep -E '^  (overheads|held_out_most) ' back.txt
0         eager                   200ns              300ns        900ns+2GB/s                  0
  overheads             measured        # processor times of messages
  held_out_most                    0 %  # the largest one

# Exchanges of all ranks of a node with their neighbours, as IMB prints them, come back: two calls of 400 ns, and a copy by
# the receiver's processor.
$ printf '# Benchmarking Sendrecv \n# #processes = 4 \n#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n0 1000 1 1 1 0\n1024 1000 2 2 2 1\n4096 1000 5 5 5 1\n8192 1000 9 9 9 1\n' > sendrecv.txt
$ printf '#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\nstatic char a[8192], b[8192];\nint main(int c, char **v) { int me, n, bytes = atoi(v[c - 1]); double t; MPI_Init(&c, &v); MPI_Comm_rank(MPI_COMM_WORLD, &me); MPI_Comm_size(MPI_COMM_WORLD, &n); t = MPI_Wtime(); for (int i = 0; i < 100; i++) MPI_Sendrecv(a, bytes, MPI_CHAR, (me + 1) %% n, 0, b, bytes, MPI_CHAR, (me + n - 1) %% n, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); if (!me) printf("%%.2f\\n", (MPI_Wtime() - t) * 1e4); return MPI_Finalize(); }\n' > exchange.c; nsimcc -o exchange.so exchange.c
$ printf '[topology]\nkind = crossbar\ndims = 2\n[engine]\nkind = linear\n[linear]\nlatency = 1us\nbandwidth = 1GB/s\nlocal_latency = 0\nlocal_bandwidth = 1TB/s\n[mpi]\noverhead = 400ns\nclock_overhead = 0\n[ranks]\nper_node = 4\n' > node.ini
$ nsim-calibrate -q -c node.ini --within-latency sendrecv.txt --within-copies --protocol node.protocol -o fit.txt; for b in 0 1024 4096 8192; do nsim -q -c node.ini -p protocol.file=node.protocol -n 4 -o r.txt exchange.so $b; done
1.00
2.00
5.00
9.00

# A send that is fetched is complete when its data have arrived: by hand two messages of a handshake of 1 + 5 us each, then 1 us,
# 65.536 us and the delay of 5 us; by rendezvous it is when the last byte has left, 12 + 65.536 us.
$ printf '#include <mpi.h>\n#include <stdio.h>\nstatic char a[65536];\nint main(int c, char **v) { int me; double t; MPI_Init(&c, &v); MPI_Comm_rank(MPI_COMM_WORLD, &me); t = MPI_Wtime(); if (me) MPI_Recv(a, 65536, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); else MPI_Send(a, 65536, MPI_BYTE, 1, 0, MPI_COMM_WORLD); if (!me) printf("%%.3f\\n", 1e6 * (MPI_Wtime() - t)); return MPI_Finalize(); }\n' > long.c; nsimcc -o long.so long.c
$ for w in rendezvous fetched; do printf "message-protocol 1\nbetween\n0 $w 0 0 5us 0\n" > $w.protocol; nsim -q -e linear -p topology.kind=crossbar -p topology.dims=2 -p linear.latency=1us -p linear.bandwidth=1GB/s -p mpi.overhead=0 -p mpi.clock_overhead=0 -p protocol.file=$w.protocol -o r.txt long.so; done
77.536
83.536
$ for j in 1 2; do nsim -q -j $j -p topology.kind=crossbar -p topology.dims=2 -p protocol.file=fetched.protocol -f csv -o r.$j long.so 2>&1; grep -v '^run' r.$j > cut.$j; done | uniq | wc -l; cmp cut.1 cut.2
1
