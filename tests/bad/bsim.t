# Errors in skeletons, models and machines of bsim.
# needs: cc

$ bsimcc -o wrong.so bad/bsim/wrong.c && bsimcc -O1 -o stray.so bad/bsim/stray.c

$ bsim -q -n 2 wrong.so missing
bsim: rank 0: BSIM_Time at LMPI_Main (wrong.c:15): model 'dgemm': unknown model, expected a row of [models] or --model dgemm=FILE
[1]

$ for what in missing arguments negative nan; do bsim -q -n 2 --model zgemm=configs/models/simd-zgemm.model wrong.so $what; done
bsim: rank 0: BSIM_Time at LMPI_Main (wrong.c:15): model 'dgemm': unknown model, did you mean 'zgemm'?
bsim: rank 0: BSIM_Time at LMPI_Main (wrong.c:17): model 'zgemm': 2 arguments, expected 1: n
bsim: rank 0: BSIM_Add_time at LMPI_Main (wrong.c:19): -1 seconds: expected 0 to 6e6
bsim: rank 0: BSIM_Add_time at LMPI_Main (wrong.c:21): nan seconds: expected 0 to 6e6
[1]

$ bsim -q -n 2 wrong.so flops
bsim: rank 0: BSIM_Flops at LMPI_Main (wrong.c:23): -1 operations: expected 0 or more
[1]

# A model outside its range gives one warning, of the first such call, and a time; the report has the furthest one.

$ bsim -q -n 4 --model zgemm=configs/models/simd-zgemm.model -o r.txt wrong.so range; tr -s ' \n' ' ' < r.txt | grep -o 'n = [0-9]* is [^,]*, 256'
bsim: warning: model zgemm (configs/models/simd-zgemm.model) is used outside the range of its fit: n = 1000 is 3.91 times the largest fitted value, 256
n = 1900 is 7.42 times the largest fitted value, 256

$ bsim -q -n 2 wrong.so deadlock
bsim: the program is deadlocked: 2 of 2 ranks wait forever
2 ranks wait for each other:
  rank 0 in LMPI_Recv at LMPI_Main (wrong.c:28): receive from rank 1, tag 0
  rank 1 in LMPI_Recv at LMPI_Main (wrong.c:28): receive from rank 0, tag 0
[4]

# Arguments that must not be NULL; overflow of a clock.

$ for what in model array phase clock; do bsim -q -n 2 --model zgemm=configs/models/simd-zgemm.model stray.so $what; done
bsim: rank 0: BSIM_Time at LMPI_Main (stray.c:39): model NULL, expected a name
bsim: rank 0: BSIM_Time at LMPI_Main (stray.c:41): arguments NULL, expected an array
bsim: rank 0: BSIM_Phase at LMPI_Main (stray.c:43): name NULL, expected a string; "" ends a phase
bsim: rank 0: BSIM_Add_time at LMPI_Main (stray.c:48): the rank's clock overflows, expected at most 4.6e18 ps
[1]

# Frames larger than the guard page, and accesses past the end of a stack into another rank's.

$ for what in frame past; do bsim -q -n 4 -p ranks.stack=64KiB stray.so $what; done
bsim: rank 1: stack overflow in large_frame (stray.c:11): expected at most 65536 bytes ([ranks] stack)
bsim: rank 1: access past the end of its stack in past_end (stray.c:24): expected accesses within local variables
[1]

# A library that ends the process, and nothing is left behind; a rank that makes no calls, about a second after the
# signal: the rank is named, and the report covers the run up to there.

$ bsim -q -n 2 -o r.new --timeline t.new stray.so exit
bsim: libc calls its own exit
bsim: rank 1: a library ended the process, after LMPI_Comm_rank at LMPI_Main (stray.c:33)
[1]

$ python3 bad/../cli/when_ready.py TERM --said told sh -c 'exec bsim -q -n 2 -o r.new stray.so silent > told'; echo $?; ls -A | grep new; rm r.new
bsim: rank 1: interrupted in LMPI_Main (stray.c:52), a computation without calls
bsim: interrupted by signal 15: the results cover the run up to then
1
r.new

# Names on the command line that the skeleton never reads are reported after the run. Rows of machine files are
# for all skeletons: those are reported that are almost a name which this one reads.

$ printf '[skeleton]\nother = 1\n' > o.ini; bsim -q -n 2 -c o.ini --set second=2 --model zgemm=configs/models/simd-zgemm.model -o r.txt stray.so asks
bsim: warning: --model zgemm: the program never read it
bsim: warning: --set second: the program never read it, did you mean seconds?
$ printf '[skeleton]\nother = 1\nsecond = 2\n' > typo.ini; bsim -q -n 2 -c typo.ini -o r.txt stray.so asks; bsim -q -n 2 -j 2 -c typo.ini -o r.txt stray.so asks
bsim: warning: typo.ini:3: skeleton.second: the program never read it, did you mean seconds?
bsim: warning: typo.ini:3: skeleton.second: the program never read it, did you mean seconds?
$ bsim -q -n 2 -c o.ini -p skeleton.second=2 -p models.zgemm=configs/models/simd-zgemm.model -o r.txt stray.so asks
bsim: warning: -p models.zgemm: the program never read it
bsim: warning: -p skeleton.second: the program never read it, did you mean seconds?

$ bsim -q -n 2 --set seconds=2 --model block=configs/models/simd-zgemm.model -o r.txt stray.so asks
bsim: warning: --set seconds: the program never read it

# Files and values.

$ bsim -q --model zgemm=none.model wrong.so
bsim: --model zgemm=none.model: none.model: cannot open: No such file or directory, nor in ...configs and its folders
[3]

$ printf '[models]\nzgemm = none.model\n' > m.ini; bsim -q -c m.ini wrong.so
bsim: m.ini:2: none.model: cannot open: No such file or directory, nor in ...configs and its folders
[3]

$ bsim -q --model zgemm wrong.so
bsim: --model zgemm: expected NAME=VALUE
[2]

$ bsim -q --model zgemm=configs/models/simd-zgemm.model*-1 wrong.so
bsim: --model zgemm=configs/models/simd-zgemm.model*-1: factor -1, expected a number above 0
[2]

$ bsim -q --model zgemm=configs/models/simd-zgemm.model*two wrong.so
bsim: --model zgemm=configs/models/simd-zgemm.model*two: factor 'two', expected a number above 0
[2]

$ bsim -q --model zgemm=bad/bsim wrong.so
bsim: --model zgemm=bad/bsim: bad/bsim: cannot read: Is a directory
[3]

$ printf '[skeleton]\nblock = much\n' > s.ini; bsim -q -c s.ini wrong.so
bsim: s.ini:2: block = much: expected a number
[2]

$ printf '[machine]\npaek = 1\n' > k.ini; bsim -q -c k.ini wrong.so
bsim: k.ini:2: unknown key paek in section [machine], did you mean peak?
[2]

$ bsim -q -e linea wrong.so
bsim: engine.kind: unknown engine 'linea', expected one of packet, flow, linear, table, none
[2]

$ bsim -q -p topology.dims=2x2 -n 5 wrong.so
bsim: 5 ranks, 1 per node, do not fit 4 nodes: expected at most 4 ranks, or a larger topology.dims, --network-args or ranks.per_node
[2]

$ bsim -q -n 0 wrong.so; bsim -q -n 2 --window 0:1 wrong.so; bsim -q -n 2 --window-ranks 0-1 --critical-path wrong.so
bsim: -n 0: expected 1 or more
bsim: --window: expected --timeline, --paje, --paraver, --picture or --html too
bsim: --window-ranks: expected --timeline, --paje, --paraver, --picture or --html too
[2]

$ bsim -q -n 2 -e table -p table.file=none.times wrong.so; bsim -q -n 2 --mapping . wrong.so; mopt -t torus:4 none.matrix -o m
bsim: none.times: cannot open: No such file or directory
bsim: .: cannot read: Is a directory
mopt: none.matrix: cannot open: No such file or directory
[3]

# A file that cannot be written is named, and costs no report.

$ for o in '-o /dev/full' '--json -o /dev/full' '--matrix /dev/full -o r.new' '--timeline /dev/full -o r.new'; do bsim -q -n 2 $o wrong.so; done; ls -A | grep new
bsim: /dev/full: cannot write: No space left on device
bsim: /dev/full: cannot write: No space left on device
bsim: /dev/full: communication matrix: cannot write: No space left on device
bsim: note: r.new was written before this
bsim: /dev/full: cannot write: No space left on device
bsim: note: r.new was written before this
r.new

# Collective operations by table.

$ bsim -q -n 2 -p mpi.collectives=table wrong.so
bsim: collective operations by table: table.file is empty, expected a file of times (docs/formats/times-format.md)
[2]

$ printf 'message-times 1\ntable barrier\nbytes 0\n2 1us\n' > b.times; bsim -q -n 2 -p mpi.collective_bcast=table -p table.file=b.times wrong.so
bsim: mpi.collective_bcast = table: expected a table bcast in the file of table.file
[2]

$ printf 'table bcast\nbytes 0\n2 1us\n' >> b.times; bsim -q -n 2 -p mpi.collectives=table -p table.file=b.times wrong.so collective
bsim: rank 1: LMPI_Barrier at LMPI_Main (wrong.c:30): barrier, root 0, while another rank calls bcast, root 0: expected the same call
[1]

$ bsim-table -q --tables p2q; bsim-table -q --ranks 4,2; bsim-table -q -p topology.dims=2x2 --ranks 5; bsim-table -q --sizes 1KB
bsim-table: --tables p2q: unknown table p2q, expected p2p or a collective operation of bsim --list-collectives
bsim-table: --ranks 4,2: 2, expected ascending numbers
bsim-table: --ranks: 5, expected 2 to the machine's 4
bsim-table: --sizes 1KB: "1KB" has the unknown unit "KB", expected one of TiB, GiB, MiB, KiB, bytes, B
[2]

$ bsim-table -q --draw b.times; bsim-table -q --picture x.svg; bsim-table -q --draw none.times --picture x.svg; bsim-table -q --draw b.times --picture b.times; ls x.svg 2>&1
bsim-table: --draw b.times: expected --picture FILE too
bsim-table: --picture x.svg: expected -o FILE, or --draw FILE, too
bsim-table: none.times: cannot open: No such file or directory
bsim-table: b.times: is also an input, expected another file to write to
ls: cannot access 'x.svg': No such file or directory
[2]

# The error is reported before the first cell is simulated, and no file remains.

$ mkdir folder; bsim-table -q -o folder; bsim-table -q -o none/x; printf '[topology]\ndims = 4\n' > m.ini; bsim-table -q -c m.ini -o m.ini; ls folder* m.ini*
bsim-table: folder: cannot open for writing: Is a directory
bsim-table: none/x: cannot open for writing: No such file or directory
bsim-table: m.ini: is also an input, expected another file to write to
m.ini

folder:

# Communicators without rows in a table are reported once; unknown names of tables are errors.

$ printf 'message-times 1\ntable bcast\nbytes 0\n2 1us\n4 3us\n' > c.times; bsim -q -n 8 -p mpi.collectives=table -p table.file=c.times -o r.txt stray.so bcast; sed -n '/^collectives_by_table/,/^$/p' r.txt
bsim: warning: bcast by table on 8 ranks: table 'bcast' has rows for 2 to 4 ranks; the nearest one is used
collectives_by_table: operations whose time came from a table, and the communicator sizes of its rows
  operation  calls  least_ranks  most_ranks  row_from  row_to  calls_outside
  bcast          1            8           8         2       4              1

$ printf 'message-times 1\ntable bcsat\nbytes 0\n2 1us\n' > d.times; bsim -q -n 2 -p mpi.collectives=table -p table.file=d.times wrong.so
bsim: table.file: table bcsat: unknown operation, did you mean bcast
[3]

$ printf 'message-times 1\ntable p2p\nbytes 0\n1 1us\n' > e.times; bsim -q -n 2 -p mpi.collectives=table -p table.file=e.times wrong.so
bsim: table.file: no table of a collective operation, expected one with mpi.collectives = table (docs/formats/times-format.md)
[3]

$ printf 'message-times 1\ntable p2p\nhosts included\nbytes 0\n1 1us\n' > h.times; bsim -q -n 2 -e table -p table.file=h.times wrong.so; printf 'message-times 1\nhosts\n' > h.times; bsim -q -n 2 -e table -p table.file=h.times wrong.so
bsim: h.times:3: expected one line "hosts included", before the first table
bsim: h.times:2: expected one line "hosts included", before the first table
[3]
