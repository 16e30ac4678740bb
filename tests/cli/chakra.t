# Execution traces of Chakra. On a crossbar of 1 GB/s without latency a byte takes a nanosecond. A ring of 4 ranks all-reduces
# 4000 bytes in 6 steps of 1000; a kernel of 5 us before it, one of 2 us behind it by a control dependency: 13 us. Without
# control dependencies the second kernel is beside it: 11 us.

$ chakra() { python3 "$PSIM/tests/cli/chakra_trace.py" "$@"; }; simple="-e linear -p topology.kind=crossbar -p topology.dims=4 -p link.bandwidth=1GB/s -p linear.latency=0 -p linear.hop=0 -p mpi.overhead=0 -p mpi.eager=1MiB -p mpi.collective_allreduce=ring -p mpi.collective_allgather=ring"; us() { nsim -q --check -f csv $simple "$@" | awk -F, '$1 == "program" && $2 == "seconds" { printf "%.3f\n", $4 * 1e6 }'; }; chakra 4 '0 COMP_NODE us=5; 1 COMM_COLL_NODE comm_type=0 comm_size=4000 data=0; 2 COMP_NODE us=2 data=0 ctrl=1'; for f in json et; do us --replay t.%d.$f; us --replay t.%d.$f -p chakra.dependencies=data; us --replay t.%d.$f -p machine.slowdown=2; done
13.000
11.000
20.000
13.000
11.000
20.000

# Bytes of a rank: all-gather of 1000 bytes is 3 steps of 1000, reduce-scatter and all-to-all of 4000 are 3 of 1000, a broadcast
# by a tree 2 steps of 1000. Two collective operations without dependencies take turns, or with two streams share nothing on an
# engine whose sends begin at once. Then messages round the ring: 3 us beside a kernel of 1 us, and 4 us of a kernel behind them.

$ chakra() { python3 "$PSIM/tests/cli/chakra_trace.py" "$@"; }; simple="-e linear -p topology.kind=crossbar -p topology.dims=4 -p link.bandwidth=1GB/s -p linear.latency=0 -p linear.hop=0 -p mpi.overhead=0 -p mpi.eager=1MiB -p mpi.collective_allreduce=ring -p mpi.collective_allgather=ring -p mpi.collective_bcast=binomial -p mpi.collective_alltoall=pairwise -p mpi.collective_reduce_scatter=ring"; us() { nsim -q --check -f csv $simple "$@" | awk -F, '$1 == "program" && $2 == "seconds" { printf "%.3f\n", $4 * 1e6 }'; }; for x in '2 1000' '7 4000' '6 4000' '5 1000' '9 0'; do set -- $x; chakra 4 "1 COMM_COLL_NODE comm_type=$1 comm_size=$2"; echo "$x" $(for f in json et; do us --replay t.%d.$f; done); done; chakra 4 '0 COMM_COLL_NODE comm_type=2 comm_size=1000; 1 COMM_COLL_NODE comm_type=2 comm_size=1000'; for s in 1 2 0; do us --replay t.%d.et -p linear.sends=at_once -p chakra.streams=$s; done; chakra 4 '0 COMM_SEND_NODE comm_dst={n} comm_size=3000 comm_tag=5; 1 COMM_RECV_NODE comm_src={p} comm_size=3000 comm_tag=5; 2 COMP_NODE us=4 data=1; 3 COMP_NODE us=1'; us --replay t.%d.json
2 1000 3.000 3.000
7 4000 3.000 3.000
6 4000 3.000 3.000
5 1000 2.000 2.000
9 0 0.000 0.000
6.000
3.000
3.000
7.000

# Groups: by dimensions (2 x 2: rings of 2 take 2 steps of 2000), by name in a file or in a node. A kernel by a roofline: 6000
# operations at 1 Gflop/s, 2000 bytes at 1 GB/s; then 9000 bytes.

$ chakra() { python3 "$PSIM/tests/cli/chakra_trace.py" "$@"; }; simple="-e linear -p topology.kind=crossbar -p topology.dims=4 -p link.bandwidth=1GB/s -p linear.latency=0 -p linear.hop=0 -p mpi.overhead=0 -p mpi.eager=1MiB -p mpi.collective_allreduce=ring"; us() { nsim -q --check -f csv $simple "$@" | awk -F, '$1 == "program" && $2 == "seconds" { printf "%.3f\n", $4 * 1e6 }'; }; chakra 4 '1 COMM_COLL_NODE comm_type=0 comm_size=4000 involved_dim=01'; for f in json et; do us --replay t.%d.$f -p chakra.dims=2x2; done; echo '{"3": [3, 1, 0, 2]}' > groups.json; chakra 4 '1 COMM_COLL_NODE comm_type=0 comm_size=4000 pg_name=3'; us --replay t.%d.et -p chakra.groups=groups.json; chakra 4 '0 METADATA_NODE groups=[{"pg_name":"8","ranks":[]}]; 1 COMM_COLL_NODE comm_type=0 comm_size=4000 pg_name=8 data=0'; us --replay t.%d.et; us --replay t.%d.json; chakra 4 '0 COMP_NODE us=1 num_ops=6000 tensor_size=2000; 1 COMP_NODE num_ops=6000 tensor_size=9000 us=1 data=0; 2 COMP_NODE is_cpu_op=1 us=1 num_ops=9000 tensor_size=1 data=1; 3 MEM_LOAD_NODE us=1 tensor_size=500 data=2'; us --replay t.%d.et; us --replay t.%d.et -p chakra.kernels=roofline -p chakra.memory=1GB/s -p machine.peak=1e9
4.000
4.000
6.000
6.000
6.000
4.000
16.500

# The same on each engine, and on two processes.

$ chakra() { python3 "$PSIM/tests/cli/chakra_trace.py" "$@"; }; chakra 8 '0 COMP_NODE us=5; 1 COMM_COLL_NODE comm_type=0 comm_size=400000 data=0; 2 COMM_COLL_NODE comm_type=6 comm_size=8000 data=1; 3 COMM_SEND_NODE comm_dst={n} comm_size=300000 ctrl=0; 4 COMM_RECV_NODE comm_src={p} comm_size=300000; 5 COMP_NODE us=3 data=4'; for e in packet flow linear; do for f in json et; do for j in 1 2; do nsim -q -j $j -e $e --each-rank -f csv -p topology.dims=4x2 -o x --replay t.%d.$f; grep -E '^(ranks|program),' x | grep -v host | md5sum; done; done | uniq | wc -l; done
1
1
1

# Workloads of ASTRA-sim, by hand in us. DATA: forward passes to 2, weights of b to 3, which are reduced to 9; input gradients
# of b to 4, weights of a to 7, reduced to 15, updated to 15.5; without turns to 13.5; a second pass of 15.5. Transformer: 3, 2 of
# all-reduce of 2 ranks, 0.01, 2, 2, 4 of all-reduce of 2 ranks, 0.01. DLRM: 0.3, all-to-all to 3.3 beside 1, 1, weights to 4.9,
# reduced to 10.9, then all-to-all to 13.9 and the last all-reduce to 19.9. MICRO: 3 of all-to-all.

$ simple="-e linear -p topology.kind=crossbar -p topology.dims=4 -p link.bandwidth=1GB/s -p linear.latency=0 -p linear.hop=0 -p mpi.overhead=0 -p mpi.eager=1MiB -p mpi.collective_allreduce=ring -p mpi.collective_alltoall=pairwise"; us() { nsim -q --check -f csv $simple "$@" | awk -F, '$1 == "program" && $2 == "seconds" { printf "%.3f\n", $4 * 1e6 }'; }; printf 'DATA\n2\na -1 1000 NONE 0 2000 NONE 0 3000 ALLREDUCE 4000 500\nb\t-1\t1000 NONE 0 1000 NONE 0 1000 ALLREDUCE 4000 0\n' > data.txt; us --replay data.txt -n 4; us --replay data.txt -p chakra.streams=0 -p linear.sends=at_once; us --replay data.txt -p chakra.passes=2; us --replay data.txt -p chakra.cycle=2ns -p chakra.passes=1 -p link.bandwidth=500MB/s; printf 'HYBRID_TRANSFORMER model_parallel_NPU_group: 2\n1\na -1 3000 ALLREDUCE 2000 2000 NONE 0 2000 ALLREDUCE 4000 10\n' > t.txt; us --replay t.txt; sed 's/^HYBRID.*/HYBRID_DATA_MODEL/' t.txt > dm.txt; us --replay dm.txt -p chakra.dims=2x2; printf 'HYBRID_DLRM 1\n3\nE -1 300 ALLTOALL 4000 100 ALLTOALL 4000 200 NONE 0 0\nb -1 1000 NONE 0 500 NONE 0 500 ALLREDUCE 4000 0\nt -1 1000 NONE 0 700 NONE 0 600 ALLREDUCE 4000 0\n' > dlrm.txt; us --replay dlrm.txt; printf 'MICRO\n1\nconv1 -1 5 NONE 0 5 NONE 0 5  ALLTOALL 4000 0\n' > micro.txt; us --replay micro.txt
15.500
13.500
31.000
31.000
13.020
13.020
19.900
3.000
