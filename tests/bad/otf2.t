# OTF2 archives with mistakes: status 3, with the rank and its event; damaged ones with what OTF2's library says.

$ bad() { printf "$1" > b.txt; rm -rf b; $BUILD/tests/cli/otf2-writer b < b.txt; nsim -q -p topology.dims=4 --replay b/traces.otf2; echo $?; }; h='ranks 2 1000000000\ncomm 0 0 1\ncomm 1 1\n'; bad "$h"'0 1 send 2 0 7 8\n'; bad "$h"'0 1 send 1 5 7 8\n'; bad "$h"'0 1 send 0 1 7 8\n'; bad "$h"'0 1 send 1 0 4294967295 8\n'; bad "$h"'0 1 send 1 0 7 4294967297\n'; bad "$h"'0 1 begin\n0 2 end 99 0 0 8 8\n'; bad "$h"'0 1 begin\n0 2 end 1 0 2 8 8\n'; bad "$h"'0 1 isend_complete 5\n'; bad "$h"'0 1 isend 1 0 7 8 5\n0 2 isend 1 0 7 8 5\n'; bad "$h"'0 1 isend 1 0 7 8 5\n0 2 irecv 1 0 7 8 5\n'; bad "$h"'0 1 irecv_request 5\n0 2 complete 1 0 0 8 8 5\n'; bad "$h"'0 1 leave\n'; bad 'ranks 2 1\n0 1 enter\n0 9999999 leave\n0 99999999 enter\n'; bad 'ranks 2 0\n'; bad 'ranks 2 1\ncomm 0 0 2\n'; bad 'ranks 2 1\ncomm 0 0 0\n'; bad 'ranks 0 1\n'
nsim: b/traces.otf2: rank 0, event 1: rank 2 of a communicator of 2, expected less
3
nsim: b/traces.otf2: rank 0, event 1: communicator 5, expected one of groups of MPI's ranks that has this rank
3
nsim: b/traces.otf2: rank 0, event 1: communicator 1, expected one of groups of MPI's ranks that has this rank
3
nsim: b/traces.otf2: rank 0, event 1: tag 4294967295, expected at most 1073741823
3
nsim: b/traces.otf2: rank 0, event 1: 4294967297 bytes, expected at most 2147483647 elements
3
nsim: b/traces.otf2: rank 0, event 2: collective operation 99, expected 0 to 22
3
nsim: b/traces.otf2: rank 0, event 2: rank 2 of a communicator of 2, expected less
3
nsim: b/traces.otf2: rank 0, event 1: ends a request that has not begun, expected its begin before
3
nsim: b/traces.otf2: rank 0, event 2: begins a request that is under way, expected another number
3
nsim: b/traces.otf2: rank 0, event 2: ends a receive, expected a receive's request
3
nsim: b/traces.otf2: rank 0, event 2: ends a collective operation, expected the request of one
3
nsim: b/traces.otf2: rank 0, event 1: leaves a call, expected that it was entered
3
nsim: b/traces.otf2: rank 0, event 3: its time is more than 6e6 s after the first event's, expected less
3
nsim: b/traces.otf2: no clock properties, expected ticks per second
3
nsim: b/traces.otf2: group 1: rank 2, expected 0 to 1
3
nsim: b/traces.otf2: group 1: rank 0 is in it twice, expected once
3
nsim: b/traces.otf2: 0 ranks, expected 1 to 16777216
3

# Damaged archives, and other files.

$ printf 'ranks 2 1000000000\ncomm 0 0 1\n0 1 send 1 0 7 8\n1 1 recv 0 0 7 8\n' > g.txt; new() { rm -rf g; $BUILD/tests/cli/otf2-writer g < g.txt; }; run() { nsim -q -p topology.dims=4 --replay g/traces.otf2 -o out 2> err; s=$?; cat err; echo $s; }; new; run; new; : > g/traces.otf2; run; new; rm g/traces.def; run; new; rm g/traces/10.evt; run; new; printf 'hello' > g/traces/11.evt; run; new; printf '\002' | dd of=g/traces/11.evt bs=1 seek=27 conv=notrunc 2> /dev/null; run; nsim -q --replay none.otf2
0
nsim: g/traces.otf2: cannot be opened as an OTF2 archive: Zero bytes to read!
3
nsim: g/traces.otf2: its definitions cannot be read, expected those of an OTF2 archive: POSIX: 'g/traces.def'
3
nsim: g/traces.otf2: events of a rank cannot be read: POSIX: 'g/traces/10.evt'
3
nsim: g/traces.otf2: events of a rank cannot be read: This is no chunk header!
3
nsim: g/traces.otf2: rank 1 ends behind event 0, expected 1
3
nsim: none.otf2: cannot open: No such file or directory
[3]

# Another form of trace by such a name.

$ printf 'ranks 2\n' > text.otf2; nsim -q --replay text.otf2
nsim: text.otf2: cannot be opened as an OTF2 archive: This is no chunk header!
[3]

# nsim's own form of an event: of another event, with settings, of no window.

$ bad() { printf "ranks 2 1000000000\\ncomm 0 0 1\\n$1" > b.txt; rm -rf b; $BUILD/tests/cli/otf2-writer b < b.txt; nsim -q -p topology.dims=4 --replay b/traces.otf2; echo $?; }; bad '0 1 begin\nown gather 8 8\n0 2 end 1 0 0 8 8\n'; bad '0 1 begin\nown bcast 8 comm=1\n0 2 end 1 0 0 8 8\n'; bad '0 1 begin\nown bcast 8 8 8 8 8 8 8 8 8 8\n0 2 end 1 0 0 8 8\n'; bad 'own send 1 0 8\n0 1 put 1 0 8 1\n'; bad 'own put 1 0 8\n0 1 put 1 0 8 1\n'; bad 'own window 8\n0 1 put 1 0 8 1\n'; bad 'own probe 1\n0 1 enter\n'; bad 'own probe 1 2 comm=9\n0 1 enter\n'; bad 'own probe 1 x comm=0\n0 1 enter\n'
nsim: b/traces.otf2: rank 0, event 2: "gather 8 8" as nsim's form of an event, expected bcast
3
nsim: b/traces.otf2: rank 0, event 2: "bcast 8 comm=1" as nsim's form of an event, expected no settings
3
nsim: b/traces.otf2: rank 0, event 2: '8' behind the words of bcast, of which there are 1
3
nsim: b/traces.otf2: rank 0, event 1: "send 1 0 8" as nsim's form of an event, expected one of a window
3
nsim: b/traces.otf2: rank 0, event 1: win=0: unknown, expected one of the rank's windows
3
nsim: b/traces.otf2: rank 0, event 1: communicator 4294967295, expected one of groups of MPI's ranks that has this rank
3
nsim: b/traces.otf2: rank 0, event 2: "probe 1" as nsim's form of a call, expected probe SOURCE TAG comm=NUMBER
3
nsim: b/traces.otf2: rank 0, event 2: communicator 9, expected one of groups of MPI's ranks that has this rank
3
nsim: b/traces.otf2: rank 0, event 2: tag 'x': expected a number from 0 to 1073741823
3

# Archives that cannot be written.

$ nsimcc -o archived.so mpi/archived.c; w() { nsim -q -n 2 -p topology.dims=4 "$@"; }; mkdir there; w --write-otf2 there archived.so; w --write-otf2 no/w archived.so; w -j 2 --write-otf2 there archived.so; w --pattern ring --write-otf2 w
nsim: there: File exists, expected a folder that does not exist
nsim: no/w: No such file or directory
nsim: there: File exists, expected a folder that does not exist
nsim: --write-otf2: expected a program
[2]
