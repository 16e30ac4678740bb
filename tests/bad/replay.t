# Traces of calls with mistakes: status 3, with file and line.

$ bad() { printf "$1" > t.txt; shift; nsim -q -p topology.dims=4 --replay t.txt "$@"; echo $?; }; bad ''; bad '# nothing\n'; bad '0 compute 1\n'; bad 'ranks 0\n'; bad 'ranks 99999999\n'; bad 'ranks 2 3\n'
nsim: t.txt: no line, expected 'ranks N'
3
nsim: t.txt: no line, expected 'ranks N'
3
nsim: t.txt:1: expected 'ranks N' before all events
3
nsim: t.txt:1: ranks: expected a number from 1 to 16777216
3
nsim: t.txt:1: ranks: expected a number from 1 to 16777216
3
nsim: t.txt:1: ranks: expected a number from 1 to 16777216
3

$ bad() { printf "ranks 2\n$1\n" > t.txt; nsim -q -p topology.dims=4 --replay t.txt; echo $?; }; bad '2 barrier'; bad 'x barrier'; bad 0; bad '0 fly'; bad '0 compute'; bad '0 compute -1'; bad '0 compute 1 2'; bad '0 send 1 7'; bad '0 send 1 7 3y8'; bad '0 send 1 7 3x0'; bad '0 send -1 7 3'; bad '0 send 1 any 3'; bad '0 wait 0'; bad '0 send 1 1 1 req=16777216'; bad '0 barrier comm=3'; bad '0 barrier speed=3'; bad '0 split 0 0'; bad '0 reduce 1 op=sum'; bad '0 alltoallv 1,2 1'
nsim: t.txt:2: expected a rank from 0 to 1 and its event
3
nsim: t.txt:2: expected a rank from 0 to 1 and its event
3
nsim: t.txt:2: expected a rank from 0 to 1 and its event
3
nsim: t.txt:2: unknown event 'fly'
3
nsim: t.txt:2: compute has 0 words, expected 1
3
nsim: t.txt:2: time '-1': expected seconds from 0 to 6e6
3
nsim: t.txt:2: '2' behind the words of compute, of which there are 1
3
nsim: t.txt:2: send has 2 words, expected 3
3
nsim: t.txt:2: 'y8' behind a count, expected COUNTxSIZE
3
nsim: t.txt:2: size of an element '0': expected a number from 1 to 2147483647
3
nsim: t.txt:2: destination '-1': expected a number from 0 to 2147483647
3
nsim: t.txt:2: tag 'any': expected a number from 0 to 1073741823
3
nsim: t.txt:2: wait for request 0: none of this number is under way
3
nsim: t.txt:2: req '16777216': expected a number from 0 to 16777215
3
nsim: t.txt:2: comm=3: unknown, expected one of an earlier event
3
nsim: t.txt:2: setting 'speed': expected req, comm, root, new, op, win or check
3
nsim: t.txt:2: no new=NUMBER, expected that of the communicator
3
nsim: t.txt:2: op=sum: expected own or ordered
3
nsim: t.txt:2: 1 counts, expected one for each of 2 ranks
3

# Calls that the trace lacks; communicators that ranks make without the others, or by a request.

$ bad() { printf "ranks 2\n$1\n" > t.txt; nsim -q -p topology.dims=4 --replay t.txt > /dev/null; echo $?; }; bad 'lacks 3'; bad 'lacks MPI_Bcast_c'; bad 'lacks -1 MPI_Bcast_c'; bad 'lacks 3 MPI_B\033'; bad '0 barrier comm=self\nlacks 3 MPI_Bcast_c'; bad '0 group 0'; bad '0 group 0,0 new=1'; bad '0 group 2 new=1'; bad '0 group 1 new=1'; bad '0 group none new=1'; bad '0 group 0,1 new=1'; bad '0 dup new=1'; bad '0 dup req=0'; bad '0 dup new=1 comm=self req=0\n0 barrier comm=1'
nsim: t.txt:2: lacks: expected a count and the name of a call
3
nsim: t.txt:2: lacks: expected a count and the name of a call
3
nsim: t.txt:2: lacks: expected a count and the name of a call
3
nsim: t.txt:2: lacks: expected a count and the name of a call
3
nsim: t.txt:3: expected a rank from 0 to 1 and its event
3
nsim: t.txt:2: no new=NUMBER, expected that of the communicator
3
nsim: t.txt:2: rank 0 twice, expected ranks once each
3
nsim: t.txt:2: rank '2': expected a number from 0 to 1
3
nsim: t.txt:2: group 1: expected rank 0 among its ranks
3
nsim: t.txt:2: group none: expected rank 0 among its ranks
3
nsim: the program is deadlocked: 1 of 2 ranks waits forever
  rank 0 in MPI_Comm_create_group at t.txt:2: receive from rank 1 (which has ended)
4
nsim: t.txt:2: no req=REQUEST, expected one
3
nsim: t.txt:2: no new=NUMBER, expected that of the communicator
3
nsim: t.txt:3: comm=1: unknown, expected one of an earlier event
3

# Windows of 100 bytes.

$ bad() { printf "ranks 2\n0 window 100 new=1\n1 window 100 new=1\n$1\n" > t.txt; nsim -q -p topology.dims=4 --replay t.txt; echo $?; }; fence='0 fence win=1\n1 fence win=1\n'; bad '0 put 1 0 8'; bad '0 put 1 0 8 win=2'; bad '0 put 1 0 8 win=1'; bad "${fence}0 put 1 93 8 win=1"; bad "${fence}0 put 1 100 1 win=1 req=0"; bad "${fence}0 get 2 0 8 win=1"; bad '0 unlock 1 win=1'; bad '0 lock 1 shared win=1\n0 lock 1 shared win=1'; bad '0 lock 1 any win=1'; bad '0 lock_all win=1\n0 lock_all win=1'; bad '0 unlock_all win=1'; bad '0 flush 1 win=1'; bad '0 post 1 win=1\n0 post 1 win=1'; bad '0 post 1,1 win=1'; bad '0 post 1;0 win=1'; bad '0 complete win=1'; bad '0 window_wait win=1'; bad '0 window 10'; bad '0 window -1 new=2'; bad '0 fence win=1 req=1'; bad '0 fence win=1 check=yes'; bad '0 window_free win=1\n1 window_free win=1\n0 fence win=1'
nsim: t.txt:4: no win=NUMBER, expected that of the window
3
nsim: t.txt:4: win=2: unknown, expected one of the rank's windows
3
nsim: t.txt:4: no access to rank 1, expected fence, start or lock before
3
nsim: t.txt:6: 8 bytes from byte 93: outside of the window of rank 1, which has 100 bytes
3
nsim: t.txt:6: 1 bytes from byte 100: outside of the window of rank 1, which has 100 bytes
3
nsim: t.txt:6: rank '2': expected a number from 0 to 1
3
nsim: t.txt:4: rank 1 is not locked, expected lock before
3
nsim: t.txt:5: rank 1 is locked already, expected unlock before
3
nsim: t.txt:4: lock 'any': expected shared or exclusive
3
nsim: t.txt:5: lock_all twice, expected unlock_all before
3
nsim: t.txt:4: unlock_all, expected lock_all before
3
nsim: t.txt:4: no lock, expected lock or lock_all before
3
nsim: t.txt:5: post twice, expected window_wait before
3
nsim: t.txt:4: rank 1 twice, expected ranks once each
3
nsim: t.txt:4: ';0' behind a rank, expected ranks as in 0,2,5
3
nsim: t.txt:4: complete, expected start before
3
nsim: t.txt:4: window_wait, expected post before
3
nsim: t.txt:4: no new=NUMBER, expected that of the window
3
nsim: t.txt:4: size of the window '-1': expected a number from 0 to 4611686018427387903
3
nsim: t.txt:4: req= of an event that blocks, expected none
3
nsim: t.txt:4: check=yes: expected no
3
nsim: t.txt:6: win=1: unknown, expected one of the rank's windows
3

$ printf 'ranks 2\n0 send 1 1 1 req=0\n0 send 1 1 1 req=0\n' > t.txt; nsim -q -p topology.dims=4 --replay t.txt
nsim: t.txt:3: req=0: in use, expected a wait before
[3]

$ bad() { printf "0 init\n$1\n" > t.txt; nsim -q -p topology.dims=4 --replay t.txt; echo $?; }; bad '0 fly'; bad '0 send 1'; bad '0 send 1 0 x'; bad '0 send 1 0 9 99'; bad '0 compute 5'; bad '0 send 1 0 -1'; bad 'x init'
nsim: t.txt:2: unknown action 'fly', expected one of SimGrid's traces
3
nsim: t.txt:2: the action has too few words
3
nsim: t.txt:2: expected numbers behind the action
3
nsim: t.txt:2: number of a datatype: expected 0 to 29
3
nsim: t.txt:2: computation in flop: expected machine.peak, the flop/s of a rank
3
nsim: t.txt:2: a count: expected 0 to 2147483647
3
nsim: t.txt:2: expected a rank below 16777216 and its action
3

# Names of MPI for what does not block, and names that are nearly right; a list of files, as SimGrid's tracer writes it.

$ bad() { printf "ranks 2\n$1\n" > t.txt; nsim -q -p topology.dims=4 --replay t.txt; echo $?; }; bad '0 isend 1 0 8'; bad '0 irecv 1 0 8'; bad '0 allreduc 8'; bad '0 waitt 0'; printf 'a.txt\nb.txt\n' > list; echo > a.txt; nsim -q --replay list
nsim: t.txt:2: unknown event 'isend', expected send with req=R
3
nsim: t.txt:2: unknown event 'irecv', expected recv with req=R
3
nsim: t.txt:2: unknown event 'allreduc', did you mean allreduce?
3
nsim: t.txt:2: unknown event 'waitt', did you mean wait?
3
nsim: list:1: the name of a file, expected its contents: cat $(cat list) > FILE joins all files
[3]

# Mistakes of a whole run have the trace's lines: too long a message, others' collective operation, a deadlock, on one process
# and on two.

$ run() { printf "ranks 2\n$1\n" > t.txt; shift; nsim -q -p topology.dims=2 --replay t.txt "$@"; echo $?; }; run '0 send 1 0 1024\n\n1 recv 0 0 512'; run '0 allreduce 8x8\n1 barrier' -p ranks.check=yes; for j in 1 2; do run '0 recv 1 0 9\n# comment\n1 recv 0 0 9' -j $j; done
nsim: rank 1: receive at t.txt:4: message of 1024 bytes from rank 0, tag 0, expected at most 512 bytes
1
nsim: rank 1: MPI_Barrier at t.txt:3: expected the same collective operation as in MPI_Allreduce of rank 0 at t.txt:2
1
nsim: the program is deadlocked: 2 of 2 ranks wait forever
2 ranks wait for each other:
  rank 0 in MPI_Recv at t.txt:2: receive from rank 1, tag 0
  rank 1 in MPI_Recv at t.txt:4: receive from rank 0, tag 0
4
nsim: the program is deadlocked: 2 of 2 ranks wait forever
2 ranks wait for each other:
  rank 0 in MPI_Recv at t.txt:2: receive from rank 1, tag 0
  rank 1 in MPI_Recv at t.txt:4: receive from rank 0, tag 0
4

# Compressed traces that are cut off; what cannot be read twice.

$ { echo ranks 2; seq -f '0 compute 0.00%.0f' 9999; } | gzip > t.gz; head -c 2000 t.gz > cut.gz; nsim -q -p topology.dims=2 -o r --replay cut.gz; printf '0 init\n1 init\n' | nsim -q --replay -; printf 'ranks 2\n0 compute 1\n' | nsim -q -j 2 -p topology.dims=2 --replay -
nsim: cut.gz: cannot read: compressed data is damaged or ends early, expected a whole gzip file
nsim: -: cannot be read twice: Illegal seek
nsim: -: expected a file that several processes can open
[2]

$ nsim -q --replay none.txt
nsim: none.txt: cannot open: No such file or directory
[3]

$ printf 'ranks 2\n' > t.txt; nsim -q -n 3 -p topology.dims=4 --replay t.txt; nsim -q --write-trace u.txt --replay t.txt; nsim -q --pattern ring --replay t.txt; nsim -q -o t.txt --replay t.txt
nsim: -n 3: the trace is for 2 ranks
nsim: --write-trace: expected a program
nsim: more than one of PROGRAM.so, --pattern, --pattern-file, --replay and --job, expected one
nsim: t.txt: is also an input, expected another file to write to
[2]

# A file that was cut: within a line, and between two, where rank 1 has no receive.

$ printf 'ranks 2\n0 send 1 7 10' > t.txt; nsim -q -p topology.dims=4 --replay t.txt -o o; echo $?; printf 'ranks 2\n0 send 1 7 1000000\n' > t.txt; nsim -q -p topology.dims=4 --replay t.txt -o o; echo $?
nsim: t.txt:2: the file ends within this line, expected a newline
3
nsim: the program is deadlocked: 1 of 2 ranks waits forever
  rank 0 in MPI_Send at t.txt:2: unreceived send to rank 1 (which has ended), tag 7
4
