# Execution traces with mistakes: status 3, with file and node.

$ chakra() { python3 "$PSIM/tests/cli/chakra_trace.py" "$@"; }; bad() { chakra 2 "$1"; nsim -q -p topology.dims=4 --replay t.%d.et; echo $?; }; bad '1 COMP_NODE data=7'; bad '1 COMP_NODE ctrl=7'; bad '1 COMP_NODE; 1 COMP_NODE'; bad '1 COMP_NODE data=3; 2 COMP_NODE data=1; 3 COMP_NODE ctrl=2; 4 COMP_NODE; 5 COMP_NODE data=3'; bad '1 COMM_COLL_NODE comm_size=8'; bad '1 COMM_COLL_NODE comm_type=0'; bad '1 COMM_COLL_NODE comm_type=10 comm_size=8'; bad '1 COMM_COLL_NODE comm_type=5 comm_size=8 root=2'; bad '1 COMM_COLL_NODE comm_type=0 comm_size=99999999999'; bad '1 COMM_COLL_NODE comm_type=0 comm_size=8 pg_name=4'; bad '1 COMM_COLL_NODE comm_type=0 comm_size=8 involved_dim=10'; bad '1 COMM_SEND_NODE comm_size=8'; bad '1 COMM_SEND_NODE comm_dst=2 comm_size=8'; bad '1 COMM_RECV_NODE comm_src=0 comm_dst=1 comm_size=8'; bad '1 COMM_COLL_NODE comm_type=0 comm_size=-8'; bad '1 METADATA_NODE groups=[{"pg_name":1}]'; bad '1 METADATA_NODE groups=[{"pg_name":"1","ranks":[0,2]}]'; bad '1 METADATA_NODE groups=[{"pg_name":"1","ranks":[1]}]; 2 COMM_COLL_NODE comm_type=0 comm_size=8 pg_name=1'; bad '1 COMP_NODE us=1000000000001'; bad '1 COMM_COLL_NODE comm_type=0 comm_size={r}'; bad '{r} COMM_COLL_NODE comm_type={r} comm_size=8'
nsim: t.0.et: node 1 requires node 7 by data_deps, expected one of the file's
3
nsim: t.0.et: node 1 requires node 7 by ctrl_deps, expected one of the file's, or chakra.dependencies=data
3
nsim: t.0.et: two nodes of id 1, expected one
3
nsim: t.0.et: node 1 and 3 more never begin: what they require is a cycle, expected none
3
nsim: t.0.et:node 1: no comm_type, expected that of the collective operation
3
nsim: t.0.et:node 1: no comm_size, expected the bytes that a rank gives
3
nsim: t.0.et:node 1: comm_type 10: unknown, expected 0 to 9
3
nsim: t.0.et:node 1: root 2: expected 0 to 1
3
nsim: t.0.et:node 1: comm_size 99999999999: expected at most 34359738352 for 2 ranks
3
nsim: t.0.et:node 1: group '4': unknown, expected one of the file's process groups or of chakra.groups
3
nsim: t.0.et:node 1: involved_dim names some dimensions: expected chakra.dims, their sizes
3
nsim: t.0.et:node 1: no comm_dst, expected it of a message
3
nsim: t.0.et:node 1: comm_dst 2: expected 0 to 1
3
nsim: t.0.et:node 1: comm_dst 1: expected 0, the rank of the file
3
nsim: t.0.et:node 1: comm_size -8: expected 0 or more
3
nsim: t.0.et:node 1: process group 0: no pg_name, expected a text
3
nsim: t.0.et:node 1: group '1': entry 1 is no rank or one again, expected ranks from 0 to 1
3
nsim: t.0.et:node 2: group '1' has no rank 0, expected one that has
3
nsim: t.0.et:node 1: 1000000000001 us: expected at most 10^12
3
nsim: t.1.et:node 1: operation 1 of group 'all' is ALL_REDUCE of 1 bytes with root 0, expected ALL_REDUCE of 0 with root 0 as in the file of its first rank
3
nsim: t.1.et:node 1: operation 1 of group 'all' is REDUCE of 8 bytes with root 0, expected ALL_REDUCE of 8 with root 0 as in the file of its first rank
3

# Files: none, of another rank, cut, empty, not JSON, unknown types, kernels without figures of the machine.

$ chakra() { python3 "$PSIM/tests/cli/chakra_trace.py" "$@"; }; run() { nsim -q -p topology.dims=4 "$@"; echo $?; }; run --replay none.%d.et; chakra 2 '1 COMP_NODE us=3'; run --replay t.0.et; run --replay t.0.json; run -n 3 --replay t.%d.et; for n in 3 9 12; do head -c $n t.0.et > c.0.et; run --replay c.0.et; done; printf '' > c.0.et; run --replay c.0.et; printf '\377\377\377\377\377\377' > c.0.et; run --replay c.0.et; printf '\002\012\000\004\012\003aa' > c.0.et; run --replay c.0.et; printf '\001\000\001\031' > c.0.et; run --replay c.0.et; printf '\000\002\030\011' > c.0.et; run --replay c.0.et; for x in '' '[1]' '{"id": 1, "type": "FLY"}' '{"id": 1}' '{"id": -1, "type": 4}' '{"id": 1, "type": 9}' '{"id": 1, "type": 4' '{"nodes": 3}' '{"nodes": [3]}' '{"id": 1, "type": 7, "comm_type": "FLY", "comm_size": 5}' '{"id": 1, "type": 4, "attr": [{"name": "num_ops", "doubleVal": 1.5}]}'; do echo "$x" > c.0.json; run --replay c.0.json; done; chakra 2 '1 COMP_NODE num_ops=4 tensor_size=5'; run --replay t.%d.et -p chakra.kernels=roofline; run --replay t.%d.et -p chakra.dims=3x1; run --replay t.%d.et -p chakra.dims=2xx; echo '{"1": [0, 0]}' > g.json; run --replay t.%d.et -p chakra.groups=g.json
nsim: none.0.et: cannot open: No such file or directory
3
nsim: t.0.et: the file of rank 0 of several, expected %d in place of 0
3
nsim: t.0.json: the file of rank 0 of several, expected %d in place of 0
3
nsim: -n 3: the trace is for 2 ranks
2
nsim: c.0.et: ends in message 1, 2 of whose 7 bytes it has; expected all
3
nsim: c.0.et: ends in message 1, 0 of whose 14 bytes it has; expected all
3
nsim: c.0.et: ends in message 1, 3 of whose 14 bytes it has; expected all
3
nsim: c.0.et: no message, expected those of a Chakra trace
3
nsim: c.0.et: the length of a message is damaged, expected a varint
3
nsim: c.0.et:node 0: the node is damaged, expected a protobuf message of et_def.proto
3
nsim: c.0.et:node 0: the node is damaged, expected a protobuf message of et_def.proto
3
nsim: c.0.et:node 0: type 9: unknown, expected 0 to 7
3
nsim: c.0.json: no node, expected those of a Chakra trace
3
nsim: c.0.json: a value that is no object, expected nodes
3
nsim: c.0.json:node 1: type 'FLY': unknown, expected COMP_NODE or another of et_def.proto
3
nsim: c.0.json:node 1: no type, expected COMP_NODE or another of et_def.proto
3
nsim: c.0.json:node 0: id: expected a whole number of 0 or more
3
nsim: c.0.json:node 1: type 9: unknown, expected 0 to 7
3
nsim: c.0.json:2: not JSON: '}' expected near end of file; expected nodes of a Chakra trace
3
nsim: c.0.json: nodes: expected a list
3
nsim: c.0.json: node number 0 is no object, expected one
3
nsim: c.0.json:node 1: comm_type 'FLY': unknown, expected ALL_REDUCE or another of et_def.proto
3
nsim: c.0.json:node 1: num_ops: expected a whole number
3
nsim: t.0.et:node 1: kernels by a roofline: expected machine.peak and chakra.memory
3
nsim: chakra.dims '3x1': expected sizes of 1 to 2, as 8x4
2
nsim: chakra.dims '2xx': expected sizes of 1 to 2, as 8x4
2
nsim: g.json: group '1': entry 1 is no rank or one again, expected ranks from 0 to 1
3

# A collective operation that another rank does not have, and a message that nobody sends.

$ chakra() { python3 "$PSIM/tests/cli/chakra_trace.py" "$@"; }; run() { nsim -q -p topology.dims=4 "$@"; echo $?; }; chakra 2 '1 COMM_COLL_NODE comm_type=0 comm_size=8'; chakra 1 '1 COMP_NODE'; run --replay t.%d.json; chakra 2 '1 COMM_RECV_NODE comm_src={n} comm_size=8'; run --replay t.%d.et
nsim: t.%d.json: 1 of 2 ranks of group 'all' have its operation 1, ALL_REDUCE; expected all
3
nsim: the program is deadlocked: 2 of 2 ranks wait forever
2 ranks wait for each other:
  rank 0 in MPI_Waitany at t.%d.et:node 1: receive from rank 1, tag 0
  rank 1 in MPI_Waitany at t.%d.et:node 1: receive from rank 0, tag 0
4

# Workloads of ASTRA-sim.

$ bad() { printf "$1" > w.txt; shift; nsim -q -p topology.dims=4 "$@" --replay w.txt; echo $?; }; l='a -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 8 0\n'; bad 'HYBRID_CUSTOMIZED\n1\n'"$l"; bad 'DATA\n'; bad 'DATA\nx\n'"$l"; bad 'DATA\n2\n'"$l"; bad 'DATA\n1\na\n'; bad 'DATA\n1\na -1 1 ALLREDUCE 8 1 NONE 0 1 NONE 0 0\n'; bad 'DATA\n1\na -1 1 NONE 0 1 NONE 0 1 FLY 0 0\n'; bad 'DATA\n1\na -1 1 NONE 0 1 NONE 0 1 NONE 0\n'; bad 'DATA\n1\na -1 1 NONE 0 1 NONE 0 1 NONE 0 0 0\n'; bad 'DATA\n1\na -1 -5 NONE 0 1 NONE 0 1 NONE 0 0\n'; bad 'HYBRID_TRANSFORMER\n1\n'"$l"; bad 'HYBRID_TRANSFORMER model_parallel_NPU_group: 3\n1\n'"$l"; bad 'HYBRID_DATA_MODEL\n1\n'"$l"; bad 'HYBRID_DLRM 0\n1\n'"$l"; bad 'HYBRID_DLRM\n1\n'"$l"
nsim: w.txt:1: policy 'HYBRID_CUSTOMIZED' of ASTRA-sim: not known here, expected MICRO, DATA, MODEL, HYBRID_DATA_MODEL, HYBRID_MODEL_DATA, HYBRID_TRANSFORMER, HYBRID_DLRM or HYBRID_DLRM_ENHANCED
3
nsim: w.txt:1: expected the number of layers, from 1 to 1048576
3
nsim: w.txt:2: expected the number of layers, from 1 to 1048576
3
nsim: w.txt:3: 1 lines of layers, expected the 2 that line 2 names
3
nsim: w.txt:3: expected a layer: its name, a number that is not used, and what it does
3
nsim: w.txt:3: communication of the forward pass: ALLREDUCE in a workload of DATA, expected NONE
3
nsim: w.txt:3: communication of weight gradients 'FLY': expected NONE, ALLREDUCE, ALLTOALL, ALLGATHER or REDUCESCATTER
3
nsim: w.txt:3: no cycles of the update, expected a number
3
nsim: w.txt:3: '0' behind the update, expected the end of the line
3
nsim: w.txt:3: computation of the forward pass '-5': expected a number from 0 to 1000000000
3
nsim: w.txt:1: expected 'model_parallel_NPU_group: NUMBER' behind HYBRID_TRANSFORMER
3
nsim: w.txt:3: a model of 3 ranks: expected a divisor of 4, the ranks of the run
3
nsim: w.txt:3: HYBRID_DATA_MODEL: expected chakra.dims with two sizes or more, of which the first is that of its first word
3
nsim: w.txt:3: last bottom layer 0: expected one with a layer behind it
3
nsim: w.txt:1: no last bottom layer, expected a number
3
