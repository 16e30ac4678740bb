# Files: times by hand, of 8 MiB a rank in stripes of 1 MiB on 8 servers.

# A rank alone: 500 us, then its node's link at 2 GB/s (4194.304 us) for longer than a server at 1 GB/s (1048.576 us).
# Computation of 10 ms hides it.

$ nsimcc -O1 -w mpi/files_time.c -o t.so
$ free="-p mpi.clock_overhead=0 -e none"; echo "nsim -q -o r $free \"\$@\"" > run; sh run -n 1 t.so data
rank 0: 4694.304 us, 10 ms, 4694.304 us

# Two nodes with fast links: a server takes one rank's stripe after the other's.

$ sh run -n 2 -p files.client_bandwidth=1TB/s t.so data
rank 0: 1548.576 us, 10 ms, 1548.576 us
rank 1: 2597.152 us, 10 ms, 2597.152 us

# Two ranks of a node share its link.

$ sh run -n 2 -p ranks.per_node=2 t.so data
rank 0: 4694.304 us, 10 ms, 4694.304 us
rank 1: 8888.608 us, 10 ms, 8888.608 us

# One server has all stripes; none, no time.

$ sh run -n 1 -p files.servers=1 -p files.server_bandwidth=100MB/s t.so data
rank 0: 84386.080 us, 10 ms, 84386.080 us
$ sh run -n 1 -p files.servers=0 t.so data; test -e data || echo gone
rank 0: 0.000 us, 10 ms, 100.000 us
gone

# A program with a file is not recorded as a trace.

$ nsim -q -n 1 --write-trace w.trace t.so data
nsim: rank 0: MPI_File_open at main (files_time.c:...): a trace (--write-trace, --write-otf2) cannot have this call
[1]
