# Mistakes in skeletons, and in what bsim is told of models and machines.
# needs: cc

$ bsimcc -o wrong.so bad/bsim/wrong.c

$ bsim -q -n 2 wrong.so missing
bsim: rank 0: BSIM_Time at LMPI_Main (wrong.c:15): model 'dgemm': there is none, expected a row of [models] or --model dgemm=FILE
[1]

$ bsim -q -n 2 wrong.so flops
bsim: rank 0: BSIM_Flops at LMPI_Main (wrong.c:23): -1 operations: expected 0 or more
[1]

# Outside its range a model is told once, and gives a time all the same.

$ bsim -q -n 4 --model zgemm=configs/models/simd-zgemm.model -o r.txt wrong.so range; grep -c 'times the largest fitted value' r.txt
bsim: warning: model zgemm (configs/models/simd-zgemm.model) is used outside the range of its fit: n = 1900 is 7.42 times the largest fitted value, 256
1

$ bsim -q -n 2 wrong.so deadlock
bsim: the program is stuck: 2 of 2 ranks wait for what never comes
2 ranks wait for each other:
  rank 0 in MPI_Recv at LMPI_Main (wrong.c:28): receive from rank 1, tag 0
  rank 1 in MPI_Recv at LMPI_Main (wrong.c:28): receive from rank 0, tag 0
[4]

# Files and values.

$ bsim -q --model zgemm=none.model wrong.so
bsim: --model zgemm=none.model: none.model: cannot open: No such file or directory
[3]

$ printf '[models]\nzgemm = none.model\n' > m.ini; bsim -q -c m.ini wrong.so
bsim: m.ini:2: none.model: cannot open: No such file or directory
[3]

$ bsim -q --model zgemm wrong.so
bsim: --model zgemm: expected NAME=VALUE
[2]

$ bsim -q --model zgemm=configs/models/simd-zgemm.model*-1 wrong.so
bsim: --model zgemm=configs/models/simd-zgemm.model*-1: a factor of -1, expected above 0
[2]

$ printf '[skeleton]\nblock = much\n' > s.ini; bsim -q -c s.ini wrong.so
bsim: s.ini:2: block = much: expected a number
[2]

$ printf '[machine]\npaek = 1\n' > k.ini; bsim -q -c k.ini wrong.so
bsim: k.ini:2: unknown key paek in section [machine], did you mean peak?
[2]

$ bsim -q -e linea wrong.so
bsim: engine.kind: there is no engine linea, expected one of packet, flow, linear, table, none
[2]

$ bsim -q -p topology.dims=2x2 -n 5 wrong.so
bsim: 5 ranks, 1 on a node, do not fit 4 nodes
[2]

# Collective operations by table.

$ bsim -q -n 2 -p mpi.collectives=table wrong.so
bsim: collective operations by table: expected their times in table.file (docs/times-format.md)
[2]

$ printf 'message-times 1\ntable barrier\nbytes 0\n2 1us\n' > b.times; bsim -q -n 2 -p mpi.collective_bcast=table -p table.file=b.times wrong.so
bsim: mpi.collective_bcast = table: expected a table bcast in the file of table.file
[2]

$ printf 'table bcast\nbytes 0\n2 1us\n' >> b.times; bsim -q -n 2 -p mpi.collectives=table -p table.file=b.times wrong.so collective
bsim: rank 1: MPI_Barrier at LMPI_Main (wrong.c:30): barrier, root 0, where another rank calls bcast, root 0
[1]

$ bsim-table -q --tables p2q; bsim-table -q --ranks 4,2; bsim-table -q -p topology.dims=2x2 --ranks 5; bsim-table -q --sizes 1KB
bsim-table: --tables p2q: there is no p2q, expected p2p or a collective operation of bsim --list-collectives
bsim-table: --ranks 4,2: 2, expected rising numbers
bsim-table: --ranks: 5, expected 2 to the machine's 4
bsim-table: --sizes 1KB: "1KB" has the unknown unit "KB", expected one of TiB, GiB, MiB, KiB, bytes, B
[2]

# Told before the first cell is simulated, and nothing is left.

$ mkdir folder; bsim-table -q -o folder; bsim-table -q -o none/x; printf '[topology]\ndims = 4\n' > m.ini; bsim-table -q -c m.ini -o m.ini; ls folder* m.ini*
bsim-table: folder: cannot open for writing: Is a directory
bsim-table: none/x: cannot open for writing: No such file or directory
bsim-table: m.ini: is what is read, expected another file to write to
m.ini

folder:
