# Every algorithm of every collective operation, on numbers of ranks that are powers of two, squares and neither:
# the program checks each result. docs/models/collectives.md lists them.
# needs: cc

$ nsimcc -O1 -o coll.so mpi/collectives.c

$ nsim --list-collectives | awk '$2 != "table" { print $1 "=" $2 }' > all; [ $(wc -l < all) -gt 40 ] && echo many
many

$ for a in $(cat all); do for n in 1 3 8 9 13; do nsim -q --check -p topology.dims=4x4 -p topology.nics=4 -n $n -p mpi.collective_$a coll.so | sed -n 1p; done | grep -c 'all checks hold' | grep -q '^5$' || echo "$a"; done

# Each engine but that of tables, which needs a file, carries them.

$ for e in $(nsim --list-engines | awk '$1 != "table" { print $1 }'); do nsim -q --check -e $e -p topology.dims=4x4 -n 9 coll.so | grep -q 'all checks hold' || echo $e; done

# Without message times an all-to-all takes 10 ns: the call of Wtime at its end.

$ nsimcc -o alltoall.so examples/alltoall.c; nsim -q -e none -p topology.dims=4x2 -n 8 alltoall.so 4 1 | sed -n 1p
all-to-all, 4 bytes: rank 0 took 0.000010 ms each

# MPICH reduces 1 MiB of the standard's sum on 8 ranks by halving and doubling: each sends 2 x 7/8 MiB. An operation of
# the program's own goes by recursive doubling: 3 MiB each.

$ printf '#include "mpi.h"\nstatic double a[131072], b[131072];\nstatic void own(void *in, void *out, int *n, MPI_Datatype *t) { (void)in; (void)out; (void)n; (void)t; }\nint main(int argc, char **argv) { MPI_Op op = MPI_SUM; MPI_Init(&argc, &argv); if (argc > 1) MPI_Op_create(own, 1, &op); MPI_Allreduce(a, b, 131072, MPI_DOUBLE, op, MPI_COMM_WORLD); return MPI_Finalize(); }\n' > op.c; nsimcc -o op.so op.c; for own in '' own; do nsim -q -p topology.dims=4x2 -p mpi.collectives=mpich -f csv op.so $own | awk -F, '/^program,bytes,/ { print $4 / 8 / 1048576 }'; done
1.75
3

# Selections of MPI libraries, and the cheapest algorithms.

$ for c in auto mpich openmpi; do for n in 1 2 3 8 9 13 16; do nsim -q --check -p topology.dims=4x4 -n $n -p mpi.collectives=$c coll.so | sed -n 1p; done | grep -c 'all checks hold'; done
7
7
7

# In two levels: the results of each operation, whatever ranks a node has; and MPICH's selection, which takes them.

$ for a in barrier bcast reduce allreduce allgather; do for r in 2/block/9 3/cyclic/13 4/random/16 4/block/16; do nsim -q --check -p topology.dims=4x4 -p ranks.per_node=${r%%/*} -p ranks.placement=$(echo $r | cut -d/ -f2) -n ${r##*/} -p mpi.collective_$a=two_level coll.so | sed -n 1p; done | grep -c 'all checks hold'; done
4
4
4
4
4

# In shared memory: the same results with one and three leaders; nodes of one rank take another algorithm. Times within
# nodes by hand, with 1 us and 1 GB/s between them: 1 MiB on one node of 4 takes the table's 200 us, on two of them Rabenseifner's
# two exchanges of 512 KiB more, each with a handshake: 2 x (1 + 524.288 + 2) us. Three ranks are halfway between two and four.

$ printf 'message-times 1\ntable barrier\nbytes 0\n2 1us\ntable bcast\nbytes 0 1MiB\n2 1us 50us\ntable reduce\nbytes 0 1MiB\n2 1us 90us\ntable allreduce\nbytes 0 1MiB\n2 1us 100us\n4 2us 200us\n' > node.times
$ for l in 1 3; do for r in 2/block/9 3/cyclic/13 4/random/16 5/block/16 16/block/16; do nsim -q --check -p topology.dims=4x4 -p ranks.per_node=${r%%/*} -p ranks.placement=$(echo $r | cut -d/ -f2) -n ${r##*/} -p mpi.node_times=node.times -p mpi.leaders=$l -f csv -o shared.csv coll.so | sed -n 1p; grep -c ',shared,' shared.csv; done; done | sort | uniq -c | sed 's/^ *//'
2 0
8 4
2 collectives: all checks hold on 13 ranks
6 collectives: all checks hold on 16 ranks
2 collectives: all checks hold on 9 ranks

$ printf '#include "mpi.h"\n#include <stdio.h>\nstatic char a[1 << 20], b[1 << 20];\nint main(int argc, char **argv) { double t; int r; MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &r); t = MPI_Wtime(); MPI_Allreduce(a, b, argc > 1 ? 0 : 1 << 20, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD); if (!r) printf("%%.3f\\n", 1e6 * (MPI_Wtime() - t)); return MPI_Finalize(); }\n' > mib.c; nsimcc -o mib.so mib.c
$ for n in 3 4 8; do nsim -q -e linear -p topology.kind=crossbar -p topology.dims=2 -n $n -p ranks.per_node=4 -p linear.latency=1us -p linear.bandwidth=1GB/s -p mpi.overhead=0 -p mpi.clock_overhead=0 -p mpi.collectives=mpich -p mpi.node_times=node.times mib.so | sed -n 1p; done
150.000
200.000
1254.576

$ for j in 1 3; do nsim -q -j $j -p topology.dims=4x4 -p ranks.per_node=3 -n 48 -p mpi.node_times=node.times -p mpi.leaders=2 -f csv mib.so 2>&1 | grep -v '^run' > shared.$j; done; cmp shared.1 shared.3 && echo same
same

$ nsim -q -p topology.dims=4 -p mpi.node_times=node.times -p mpi.island=2 mib.so; nsim -q -p topology.dims=4 -p mpi.leaders=2 mib.so; printf 'message-times 1\ntable gather\nbytes 0\n2 1us\n' > gather.times; nsim -q -p topology.dims=4 -p mpi.node_times=gather.times mib.so
nsim: -p: mpi.node_times: expected mpi.island = 1, since islands share no memory
nsim: -p: mpi.leaders: expected mpi.node_times, or 1
nsim: gather.times: table gather: expected barrier, bcast, reduce or allreduce
[3]

# 8 bytes on 4 nodes of 4 ranks: in two levels each node has 3 messages to its first rank and 3 back, and the first ranks
# have 2 rounds of 4: 32. With a rank a node it is 4 rounds of 16. The report names what ran.

$ printf '#include "mpi.h"\nstatic double a[1000], b[1000];\nint main(int argc, char **argv) { MPI_Init(&argc, &argv); MPI_Allreduce(a, b, argc > 1 ? 1000 : 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); return MPI_Finalize(); }\n' > sum.c; nsimcc -o sum.so sum.c; for n in 1 4; do nsim -q -p topology.dims=4x4 -n 16 -p ranks.per_node=$n -p mpi.collectives=mpich -f csv sum.so | awk -F, '/^program,messages,/ || /^collective_algorithms,algorithm,/ { printf "%s ", $4 } END { print "" }'; done
64 recursive_doubling 
32 binomial binomial recursive_doubling two_level 

# Two ranks combine 8000 bytes at 1 GB/s: 8 us more than in no time. Of three ranks one adds its
# neighbour's data first: 16 us.

$ for n in 2 3; do for r in 0 1GB/s; do nsim -q -e linear -p topology.dims=4 -n $n -p mpi.collective_allreduce=recursive_doubling -p mpi.combine=$r -f csv sum.so 8000 | awk -F, '/^program,seconds,/ { print $4 * 1e6 }'; done; done | paste -sd' ' | awk '{ print $2 - $1, $4 - $3 }'
8 16

# Rules of a file. The most ranks, then the most bytes; what cannot run, or has no rule, is the library's choice. In a file of
# Open MPI sizes are totals of all parts: 8 parts of 8 KiB are 64 KiB.

$ printf 'collective-rules 1\nallreduce 9 0 ring\nallreduce 0 8000 rabenseifner\nallreduce 0 0 reduce_bcast\nreduce 0 0 chain 1KiB\n' > own.rules; for n in 8 9; do for a in '' 8000; do nsim -q -p topology.dims=4x4 -n $n -p mpi.rules=own.rules -f csv sum.so $a | awk -F, '/^collective_algorithms,algorithm,/ { printf "%s ", $4 } END { print "" }'; done; done
binomial chain reduce_bcast 
rabenseifner 
ring 
ring 

$ printf 'rule-file-version-2\n1 # one\n3\n2\n4\n1\n0 1 0 0\n8\n2\n0 3 0 0 32\n65536 2 0 0\n' > open.rules; for n in 2 4 8; do for b in 8191 8192; do nsim -q -p topology.dims=4x4 -n $n -p mpi.collectives=mpich -p mpi.rules=open.rules -f csv alltoall.so $b 1 2>/dev/null | awk -F, '/^collective_algorithms,algorithm,/ { printf "%s ", $4 }'; done; done; echo
scattered scattered spread spread bruck pairwise 

# All selections, on a network of 1 us without an end to its rates: MPICH's Bruck has 4 rounds for 16 ranks, Open MPI sends
# 200 bytes to all at once, and so does the cheapest. An algorithm by name leaves nothing to select: pairwise has 15 rounds.

$ printf '#include <mpi.h>\nstatic char a[16 * 200], b[16 * 200];\nint main(void) { MPI_Init(0, 0); MPI_Alltoall(a, 200, MPI_BYTE, b, 200, MPI_BYTE, MPI_COMM_WORLD); return MPI_Finalize(); }\n' > once.c; nsimcc -o once.so once.c
$ printf '[topology]\nkind = crossbar\ndims = 16\n[linear]\nlatency = 1us\nbandwidth = 1e15B/s\nsends = at_once\n[mpi]\noverhead = 0\n' > wide.ini
$ for a in auto pairwise; do nsim -q --interval -e linear -c wide.ini -p mpi.collective_alltoall=$a -f csv once.so | awk -F, '/^selections/ { print $2, $3, $4 + 0 ? sprintf("%.1f", $4 * 1e6) : $4 }'; done
least  1.0
least_of  openmpi
most  4.0
most_of  mpich
selection 0 mpich
seconds 0 4.0
selection 1 openmpi
seconds 1 1.0
selection 2 auto
seconds 2 1.0
least  15.0
least_of  mpich
most  15.0
most_of  mpich
selection 0 mpich
seconds 0 15.0
selection 1 openmpi
seconds 1 15.0
selection 2 auto
seconds 2 15.0

# Copies of a rank's own data, by hand, for 4 ranks with 1000 bytes each: at 1 GB/s, then 100 ns a part. Bruck's all-to-all
# copies all four parts before its rounds (2 pieces), packs and unpacks two in either round, and copies all twice in the end
# (2 pieces, and 4 parts): 20000 bytes, 2 + 8 + 6 parts. Others copy the own part. Bruck's all-gather copies that,
# and all in the end: 5000 bytes, 3 parts. So it is with data and without.

$ printf '#include <mpi.h>\nstatic char a[4000], b[4000];\nint main(int argc, char **argv) { int n[4] = {1000, 1000, 1000, 1000}, d[4] = {0, 1000, 2000, 3000}; MPI_Init(0, 0); if (argc > 2) MPI_Allgatherv(a, 1000, MPI_BYTE, b, n, d, MPI_BYTE, MPI_COMM_WORLD); else if (argc > 1) MPI_Allgather(a, 1000, MPI_BYTE, b, 1000, MPI_BYTE, MPI_COMM_WORLD); else MPI_Alltoall(a, 1000, MPI_BYTE, b, 1000, MPI_BYTE, MPI_COMM_WORLD); return MPI_Finalize(); }\n' > copies.c; nsimcc -o copies.so copies.c
$ copies() { for p in mpi.payload=yes mpi.payload=yes,mpi.copy=1GB/s mpi.payload=no,mpi.copy=1GB/s mpi.copy_part=100ns; do nsim -q -e linear -c wide.ini -n 4 -p $(echo $p | sed 's/,/ -p /') "$@" | awk -F, '/^program,seconds,/ { print $4 * 1e6 }'; done | paste -sd' ' | awk '{ print $2 - $1, $3 - $1, $4 - $1 }'; }; for a in bruck pairwise spread; do copies -p mpi.collective_alltoall=$a -f csv copies.so; done
20 20 1.6
1 1 0.1
1 1 0.1
$ copies() { for p in mpi.payload=yes mpi.payload=yes,mpi.copy=1GB/s mpi.payload=no,mpi.copy=1GB/s mpi.copy_part=100ns; do nsim -q -e linear -c wide.ini -n 4 -p $(echo $p | sed 's/,/ -p /') "$@" | awk -F, '/^program,seconds,/ { print $4 * 1e6 }'; done | paste -sd' ' | awk '{ print $2 - $1, $3 - $1, $4 - $1 }'; }; for a in bruck ring; do copies -p mpi.collective_allgather=$a -f csv copies.so gather; copies -p mpi.collective_allgatherv=$a -f csv copies.so gather v; done
5 5 0.3
5 5 0.5
1 1 0.1
1 1 0.1

$ printf 'message-times 1\ntable p2p\nbytes 0\n0 1us\n' > one.times; for e in $(nsim --list-engines | awk '{ print $1 }'); do for c in 0 1GB/s; do nsim -q -e $e -p table.file=one.times -p topology.kind=crossbar -p topology.dims=16 -n 4 -p mpi.copy=$c -p mpi.collective_alltoall=bruck -f csv copies.so 2>/dev/null | awk -F, '/^program,seconds,/ { print $4 * 1e6 }'; done | paste -sd' ' | awk '{ print $2 - $1 }'; done | sort | uniq -c | sed 's/^ *//'
5 20

# A search passes half of the other entries: of three messages at once the first one passes 2 receives of three, the next one
# 1, so 1.5 entries of 100 ns. In pairs there is one receive at a time.

$ for a in spread pairwise; do for s in 0 100ns; do nsim -q -e linear -c wide.ini -n 4 -p mpi.search=$s -p mpi.collective_alltoall=$a -f csv copies.so | awk -F, '/^program,seconds,/ { print $4 * 1e6 }'; done | paste -sd' ' | awk '{ print $2 - $1 }'; done
0.15
0

# A selection's ranks neither print nor write; those of the run do, once.

$ nsim -q --interval -e linear -c wide.ini --matrix m.txt -o r.txt alltoall.so 8 1 | grep -c rank; nsim -q -e linear -c wide.ini --matrix n.txt -o r.txt alltoall.so 8 1 | grep -c rank; cmp m.txt n.txt
1
1

# Each selection reads a file on standard input from the same place: rank 0 takes 1 s for its second line, the others none.
# The program's own file has a line of each of the three runs.

$ printf '#include <mpi.h>\n#include <stdio.h>\n#include "bsim.h"\nint main(int argc, char **argv) { char s[9]; int r; MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &r); if (fgets(s, 9, stdin) && s[0] == 50) BSIM_Add_time(1); if (!r && argc > 1) { FILE *f = fopen(argv[1], "a"); fputs(s, f); fclose(f); } return MPI_Finalize(); }\n' > reads.c; nsimcc -o reads.so reads.c; printf '1\n2\n3\n' > lines
$ (read -r x; nsim -q --interval -n 4 -f csv reads.so seen) < lines | awk -F, '/^selections/ { print $2, $4 + 0 ? sprintf("%.3f", $4) : $4 }' | grep -e ^least -e ^most -e ^sec; cat seen
least 1.000
least_of mpich
most 1.000
most_of mpich
seconds 1.000
seconds 1.000
seconds 1.000
2
2
2

# A pipe has one reader. A program that does not read it runs.

$ printf '2\n' | nsim -q --interval -n 4 -o r.txt reads.so
nsim: --interval: standard input is read, and is a pipe or a terminal, expected a file, which each selection can read
[2]
$ printf '2\n' | nsim -q --interval -e linear -c wide.ini -o r.txt once.so; grep -c '^selections_interval' r.txt
1

# A selection that fails leaves the report of the run: Bruck's 4 us end a limit of 2 us, 1 us of Open MPI do not.

$ nsim -q --interval --time-limit 2us -e linear -c wide.ini -p mpi.collectives=openmpi -o r.txt once.so; grep -c '^program' r.txt; grep -c '^selections' r.txt
nsim: --interval, mpich: rank 0 exceeds the time limit of 2e-06 s, in MPI_Alltoall at main (once.c:3)
nsim: note: r.txt was written before this
1
0
[1]

# A name that is none.

$ nsim -q -p mpi.collective_alltoall=brick -n 2 coll.so
nsim: -p: mpi.collective_alltoall: unknown algorithm 'brick', expected auto, bruck, pairwise, spread, scattered, a2at, rails, table
[2]

# Sets of NCCL: the results of each, with islands of 4 nodes, and with nodes of 2 ranks.

$ for c in ring tree levels rails; do for n in 1 3 8 13 16; do nsim -q --check -p topology.dims=4x4 -n $n -p mpi.island=4 -p mpi.collectives=nccl_$c coll.so | sed -n 1p; done | grep -c 'all checks hold'; nsim -q --check -p topology.dims=4x2 -p ranks.per_node=2 -n 16 -p mpi.collectives=nccl_$c coll.so | sed -n 1p; done
5
collectives: all checks hold on 16 ranks
5
collectives: all checks hold on 16 ranks
5
collectives: all checks hold on 16 ranks
5
collectives: all checks hold on 16 ranks

# One process or several: the same figures, but for the command and what the host took.

$ for c in ring tree levels rails; do for j in 1 3; do nsim -q -e flow -j $j -p topology.dims=4x4 -p mpi.island=4 -p mpi.collectives=nccl_$c -f csv coll.so 2>/dev/null | grep -vE '^(run|host|parallel)' | md5sum; done | sort -u | wc -l; done | uniq -c
      4 1

# Closed forms, in us at 1 GB/s and 1 us: a ring of p ranks all-reduces n bytes in 2 (p - 1) / p n / B + 2 (p - 1) L, for 8 ranks
# and 8000 bytes 14 + 14. Two trees take 2 log2 p L for nothing, and for much at least 2 n / B, at most a sixteenth more.

$ all_reduce() { python3 "$PSIM/tests/cli/chakra_trace.py" $1 "1 COMM_COLL_NODE comm_type=0 comm_size=$2"; nsim -q --check -f csv -e linear -p topology.kind=crossbar -p topology.dims=16 -p link.bandwidth=1GB/s -p linear.latency=1us -p linear.hop=0 -p mpi.overhead=0 -p mpi.eager=1GiB -p mpi.collectives=nccl_$3 --replay t.%d.et | awk -F, '$1 == "program" && $2 == "seconds" { print $4 * 1e6 }'; rm t.*; }; all_reduce 8 8000 ring; all_reduce 4 4000000 ring; for p in 2 4 8 16; do all_reduce $p 0 tree; done; for p in 4 8 9 16; do all_reduce $p 8000000 tree | awk '{ print ($1 >= 16000 && $1 <= 17000) }'; done
28
6006
2
4
6
8
1
1
1
1

# Bus bandwidths of the best algorithms are those of a link, 1e9 B/s, whatever the operation: all-reduce, all-gather,
# reduce-scatter, all-to-all.

$ for x in '0 8000' '2 1000' '7 8000' '6 8000'; do set -- $x; python3 "$PSIM/tests/cli/chakra_trace.py" 8 "1 COMM_COLL_NODE comm_type=$1 comm_size=$2"; nsim -q -f csv -e linear -p topology.kind=crossbar -p topology.dims=8 -p link.bandwidth=1GB/s -p linear.latency=0 -p linear.hop=0 -p mpi.overhead=0 -p mpi.collectives=nccl_ring --replay t.%d.json | awk -F, '/^collective_bandwidths,(bytes|time|bandwidth|bus_bandwidth),/ { printf "%s ", $4 } END { print "" }'; done
8000 1.4e-05 571428571.4285715 1000000000 
8000 7e-06 1142857142.857143 1000000000 
8000 7e-06 1142857142.857143 1000000000 
8000 7e-06 1142857142.857143 1000000000 
