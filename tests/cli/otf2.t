# OTF2 archives. The same communication as a trace of calls gives the same time of each rank, engine by engine.

$ otf2_writer=$BUILD/tests/cli/otf2-writer; same() { for f in t.txt t/traces.otf2; do nsim -q --each-rank -f csv "$@" --replay $f -o a.csv; grep -E '^(ranks,(time|compute|messages|bytes|received)|program,(seconds|messages|bytes)),' a.csv > ${f#*.}.cut; done; [ $(wc -l < otf2.cut) -gt 10 ] && cmp txt.cut otf2.cut && echo same; }; for n in 4 7 16; do python3 "$PSIM/tests/cli/otf2_calls.py" $n; rm -rf t; $otf2_writer t < t.events; echo $n: $(for e in linear flow packet; do for x in mpi.eager=64KiB mpi.eager=1000 mpi.overhead=0 machine.slowdown=3; do same -e $e -p $x -p topology.dims=4x4; done; done); done
4: same same same same same same same same same same same same
7: same same same same same same same same same same same same
16: same same same same same same same same same same same same

# On a crossbar of 1 GB/s without latency a byte takes a nanosecond. Rank 0 computes for 2 us of its clock of 1 GHz, sends 1000
# bytes, 1 us, whose 7 us in the archive do not count, and computes for 300 ns beside the 200 ns of the tracer's writing: 3300 ns.
# Rank 1 computes for 1500 ns between the begin of its receive and the wait, which ends at 3000 ns. At half speed it is 4000 + 1000
# + 600 ns, and 5000 ns, for the message; with a clock of 500 MHz the same.

$ run() { printf "ranks 2 $1\ncomm 0 0 1\n0 0 enter_own\n0 2000 enter\n0 2000 send 1 0 7 1000\n0 9000 leave\n0 9100 flush 9300\n0 9500 leave_own\n1 5000 enter\n1 5000 irecv_request 3\n1 5001 leave\n1 6501 enter\n1 8000 irecv 0 0 7 1000 3\n1 9000 leave\n" > two; rm -rf two.d; $BUILD/tests/cli/otf2-writer two.d < two; nsim -q --each-rank -f csv -e linear -p topology.kind=crossbar -p topology.dims=2 -p link.bandwidth=1GB/s -p linear.latency=0 -p linear.hop=0 -p mpi.overhead=0 -p machine.slowdown=$2 --replay two.d/traces.otf2 | awk -F, '/^ranks,time,/ { printf "%.9f\n", $4 }'; }; run 1000000000 1; run 1000000000 2; run 500000000 1
0.000003300
0.000003000
0.000005600
0.000005000
0.000005600
0.000005000

# Events without regions, as a tracer of communication alone has them: time between them is computation, that of a collective operation is not.
# A clock of 1 MHz: rank 1 broadcasts 1000 bytes at 3 us; rank 0 has them at 4 us, computes for 2 us and broadcasts 2000 bytes until 8 us, and
# computes for 3 us.

$ printf 'ranks 2 1000000\ncomm 0 0 1\n0 10 test 1\n0 12 begin\n0 20 end 1 0 1 0 1000\n0 22 begin\n0 30 end 1 0 0 4000 2000\n0 33 test 1\n1 0 test 1\n1 3 begin\n1 4 end 1 0 1 2000 1000\n1 4 begin\n1 9 end 1 0 0 0 2000\n' | $BUILD/tests/cli/otf2-writer bare; nsim -q --each-rank -f csv -e linear -p topology.kind=crossbar -p topology.dims=2 -p link.bandwidth=1GB/s -p linear.latency=0 -p linear.hop=0 -p mpi.overhead=0 --replay bare/traces.otf2 | awk -F, '/^ranks,time,/ { printf "%.9f\n", $4 }'
0.000011000
0.000008000

# A send and a receive of one call are MPI_Sendrecv's: as two calls, each of two ranks would wait for the other's receive. Sends have the
# mode of their region's name.

$ printf 'ranks 2 1000000000\ncomm 0 0 1\n0 0 enter\n0 0 send 1 0 7 1000000\n0 9 recv 1 0 7 1000000\n0 9 leave\n1 0 enter\n1 0 send 0 0 7 1000000\n1 9 recv 0 0 7 1000000\n1 9 leave\n' | $BUILD/tests/cli/otf2-writer both; nsim -q --each-rank -f csv -e linear -p topology.kind=crossbar -p topology.dims=2 -p link.bandwidth=1GB/s -p linear.latency=0 -p linear.hop=0 -p mpi.overhead=0 -p mpi.control_bytes=500 --replay both/traces.otf2 | awk -F, '/^ranks,time,/ { printf "%.9f\n", $4 }'
0.001001000
0.001001000

# --write-otf2: the same program on line and from its archive, engine by engine: messages of all kinds, collective operations,
# communicators, windows.

$ same() { rm -rf w; nsim -q --check --each-rank -f csv "$@" --write-otf2 w -o a.csv $program.so > out; nsim -q --check --each-rank -f csv "$@" --replay w/traces.otf2 -o b.csv; for f in a b; do grep -E '^(ranks,(time|messages|bytes|received)|program,(seconds|messages|bytes)),' $f.csv > $f.cut; done; [ $(wc -l < a.cut) -gt 10 ] && diff a.cut b.cut && echo same; }; for program in traced windows traced_windows; do nsimcc -O1 -o $program.so mpi/$program.c -lm; echo $program: $(for e in linear flow packet; do for n in 3 8; do same -e $e -p topology.dims=4x4 -n $n; done; done; same -e packet -p topology.dims=4x4 -n 8 -p mpi.eager=1000 -p mpi.overhead=70ns); done
traced: same same same same same same same
windows: same same same same same same same
traced_windows: same same same same same same same

# On several processes the same bytes, also of a run that one process repeats; a run that fails leaves none. Each rank numbers its windows itself.

$ same() { for j in 1 2 4; do rm -rf d$j; mkdir d$j; (cd d$j && nsim -q -j $j -p topology.dims=4x2 --write-otf2 w --write-trace t "$@" > out 2> err; echo "status $?" >> out; sed -i /command/d out; rm -f log.txt); done; for j in 2 4; do diff -r d1 d$j > diff && echo $j: $(cd d1 && ls -d w/*.* t 2> /dev/null) $(tail -1 d1/out) || sed -n 1,5p diff; done; }; for p in traced traced_windows halves; do nsimcc -O1 -o $p.so mpi/$p.c -lm; same ../$p.so; done; grep '^7 window ' d1/t; nsimcc -o fails.so mpi/fails.c; same ../fails.so stuck; nsimcc -O0 -o wrong.so mpi/wrong.c; same -n 2 -p ranks.check=yes ../wrong.so 8
2: t w/traces.def w/traces.otf2 status 0
4: t w/traces.def w/traces.otf2 status 0
2: t w/traces.def w/traces.otf2 status 0
4: t w/traces.def w/traces.otf2 status 0
2: t w/traces.def w/traces.otf2 status 0
4: t w/traces.def w/traces.otf2 status 0
7 window 16 new=1 comm=1
7 window 16 new=2 comm=self
2: status 4
4: status 4
2: status 1
4: status 1
