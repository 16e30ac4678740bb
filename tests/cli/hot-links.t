# The hottest links, and who loads them (docs/programs/analysis.md#the-hottest-links).
# needs: cc

# Ranks 1 to 3 of a line send 5 messages of 1024 bytes each to rank 0: 5280 bytes each with headers of 32, and without them, as flows,
# 5120. Link 1-0 carries those of three ranks, 2-1 of two.

$ printf 'awk -F, -v table=$1 -v link=$2 -v columns="$3" -f rows.awk' > rows.sh; printf '$1 == table { x[$3, $2] = $4 ~ /^[0-9.]+(e-?[0-9]+)?$/ ? sprintf("%%.10g", $4) : $4 }\n$1 == table && $3 + 1 > n { n = $3 + 1 }\nEND { k = split(columns, name, " "); for (i = 0; i < n; i++) if (link == "all" || x[i, "link"] == link) { for (c = 1; c <= k; c++) printf "%%s%%s", x[i, name[c]], c < k ? " " : "\\n" } }\n' > rows.awk; for e in packet flow; do nsim -q -e $e -p topology.kind=mesh -p topology.dims=4 --pattern incast:messages=5 --hot-links -f csv -o $e.csv; sh rows.sh hot_links all 'link class bytes senders pairs' < $e.csv | sed -n 1,5p; sh rows.sh hot_link_pairs 2-1 'from to bytes share' < $e.csv; done; sh rows.sh hot_link_ranks 1-0 'rank as bytes' < packet.csv
1-0 -x 15840 3 3
0-node:0 eject 15840 3 3
2-1 -x 10560 2 2
3-2 -x 5280 1 1
node:1-1 inject 5280 1 1
2 0 5280 50
3 0 5280 50
1-0 -x 15360 3 3
0-node:0 eject 15360 3 3
2-1 -x 10240 2 2
3-2 -x 5120 1 1
node:1-1 inject 5120 1 1
2 0 5120 50
3 0 5120 50
1 sends 5280
2 sends 5280
3 sends 5280
0 receives 15840

# Three messages of 1000 bytes by one call, one of 2000 by another, and a Get of 3000 by a third, over link 1-2 or back; flits have 16
# bytes, so 1032 bytes take 1040. An answer counts with its call. The same on two processes, which one runs.

$ printf '#include <mpi.h>\nint main(int argc, char **argv)\n{\n\tstatic char data[4000];\n\tint rank, i;\n\tMPI_Win win;\n\tMPI_Init(&argc, &argv);\n\tMPI_Comm_rank(MPI_COMM_WORLD, &rank);\n\tfor (i = 0; i < 3 && rank == 0; i++)\n\t\tMPI_Send(data, 1000, MPI_CHAR, 2, 0, MPI_COMM_WORLD);\n\tfor (i = 0; i < 4 && rank == 2; i++)\n\t\tMPI_Recv(data, 4000, MPI_CHAR, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\tif (rank == 1)\n\t\tMPI_Ssend(data, 2000, MPI_CHAR, 2, 0, MPI_COMM_WORLD);\n\tMPI_Win_create(data, 4000, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);\n\tMPI_Win_fence(0, win);\n\tif (rank == 1)\n\t\tMPI_Get(data, 3000, MPI_CHAR, 2, 0, 3000, MPI_CHAR, win);\n\tMPI_Win_fence(0, win);\n\tMPI_Win_free(&win);\n\treturn MPI_Finalize();\n}\n' > calls.c; nsimcc -o calls.so calls.c; for j in 1 2; do nsim -q -j $j -p topology.kind=mesh -p topology.dims=3 -p mpi.control_bytes=0 --hot-links -f csv -o calls$j.csv calls.so; done; for l in 1-2 2-1; do sh rows.sh hot_link_calls $l 'call where bytes' < calls1.csv; done; grep ^hot calls1.csv > a; grep ^hot calls2.csv | cmp a - && echo same
MPI_Send main (calls.c:10) 3120
MPI_Ssend main (calls.c:14) 2064
MPI_Win_create main (calls.c:15) 64
MPI_Win_fence main (calls.c:16) 32
MPI_Win_fence main (calls.c:19) 32
others (2) 64
MPI_Get main (calls.c:18) 3072
MPI_Win_create main (calls.c:15) 64
MPI_Ssend main (calls.c:14) 32
MPI_Win_fence main (calls.c:16) 32
MPI_Win_fence main (calls.c:19) 32
others (1) 32
same

# A backbone is a link: four hosts send 100 MB each over it. A half-duplex link and that back are one.

$ printf 's a bus\ns b bus\ns c bus\ns d bus\nnodes s 0\n' > star.graph; printf 'a b wire\n' > wire.graph; for n in 'star.graph -p link.bus.backbone=yes -p link.bus.bandwidth=200MB/s' 'wire.graph -p link.wire.half_duplex=yes -p link.wire.bandwidth=125MB/s'; do nsim -q -e flow --graph $n -p link.nic_bandwidth=125MB/s --pattern shift:size=1000000 --hot-links -f csv | tee bus.csv | sh rows.sh hot_links all 'link class bytes time senders' | sed -n 1,1p; done; sh rows.sh hot_link_pairs a-b 'from to bytes share' < bus.csv
bus bus 400000000 2 4
a-b wire 200000000 1.6 2
0 1 100000000 50
1 0 100000000 50

# Ranks of jobs have the job before them.

$ nsim -q -p topology.kind=mesh -p topology.dims=4 --hot-links --job 'n=2 pattern=incast:messages=1' --job 'n=2 pattern=shift:messages=1,size=100' -f csv 2>/dev/null | sh rows.sh hot_link_pairs all 'link from to' | sed -n 1,4p
1-0 1:1 1:0
node:1-1 1:1 1:0
0-node:0 1:1 1:0
2-3 2:0 2:1

# Engines without links, and several runs, have no hottest ones.

$ nsim -q -e linear --pattern shift --hot-links
nsim: --hot-links: engine linear has no links, expected packet or flow
[2]
$ nsim -q --pattern shift --load 0.1 --hot-links
nsim: --load: several runs have no --hot-links
[2]
$ nsim -q --describe nodes=4,link=1GB/s,latency=1us --hot-links
nsim: --describe and --hot-links, expected one of them
[2]

# Series, pictures and energy count a backbone once: 200 MB/s; 400 MB at 2 pJ a bit are 6.4 mJ; its eight lines have one colour.

$ nsim -q -e flow --graph star.graph -p link.bus.backbone=yes -p link.bus.bandwidth=200MB/s -p link.nic_bandwidth=125MB/s -p link.energy=2 -p power.node=1 --pattern shift:size=1000000 --series --network-picture bus.svg -f csv -o bus.csv; sh rows.sh series_throughput all bus < bus.csv | sort -u; sh rows.sh link_energy all 'class carried energy' < bus.csv | sed -n 1,1p; sh rows.sh power_links all 'class carried full' < bus.csv | sed -n 1,1p; grep -o '<path[^>]*stroke="#[0-9a-f]*"' bus.svg | grep -o 'stroke=.*' | sort | uniq -c | wc -l
200000000
bus 400000000 0.0064
bus 0.0064 0.0032
1

# Power over time: the bus and the NICs carry 200 MB/s each all the time, 3.2 mW each at 2 pJ a bit, 9.6 mW from the first row to the last.

$ nsim -q -e flow --graph star.graph -p link.bus.backbone=yes -p link.bus.bandwidth=200MB/s -p link.nic_bandwidth=125MB/s -p link.energy=2 -p power.node=1 -p power.link_idle=0 --pattern shift:size=1000000 --power-series -f csv | awk -F, '$1 == "series_power" && $2 == "links" { printf "%.4f\n", $4 }' | sort -u
0.0096
