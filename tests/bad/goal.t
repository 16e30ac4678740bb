# GOAL schedules with mistakes: status 3, with file and line.

$ bad() { printf "$1" > t.goal; nsim -q -p topology.dims=4 --replay t.goal; echo $?; }; bad '// a comment\n'; bad '/* a comment\n'; bad 'num_ranks 0\n'; bad 'num_ranks 99999999\n'; bad 'num_ranks 2\nnum_ranks 2\n'; bad 'num_ranks 2 3\n'; bad 'num_ranks 2\nrank 2 {\n'; bad 'num_ranks 2\nrank 0\n'; bad 'num_ranks 2\nrank 0 {\n'; bad 'num_ranks 2\nrank 0 {\n}\n'; bad 'num_ranks 2\nrank 0 {}\nrank 0 {}\n'; bad '// no ranks\nrank 0 {\n'
nsim: t.goal:1: the file ends, expected num_ranks
3
nsim: t.goal:1: the file ends within a comment, expected */
3
nsim: t.goal:1: num_ranks: expected a number from 1 to 16777216, once
3
nsim: t.goal:1: num_ranks '99999999': expected a number from 0 to 16777216
3
nsim: t.goal:2: num_ranks: expected a number from 1 to 16777216, once
3
nsim: t.goal:1: '3': expected 'rank'
3
nsim: t.goal:2: rank '2 {': expected a number from 0 to 1
3
nsim: t.goal:2: '' behind a rank, expected {
3
nsim: t.goal:2: the file ends within a rank's block, expected }
3
nsim: t.goal:3: the file ends without a block of rank 1, expected one of each rank
3
nsim: t.goal:3: rank 0: expected one block of each rank
3
nsim: t.goal:2: 'rank 0 {': expected num_ranks before all blocks
3

$ bad() { printf "num_ranks 2\nrank 0 {\na: calc 1\n$1\n}\nrank 1 {\n}\n" > t.goal; nsim -q -p topology.dims=4 --replay t.goal; echo $?; }; bad '+'; bad 'b: fly 5'; bad 'b'; bad 'a: calc 2'; bad 'a requires b'; bad 'b irequires a'; bad 'a requires a b'; bad 'a wants a'; bad 'calc'; bad 'calc -1'; bad 'calc 1000000000000001'; bad 'calc 1 tag 2'; bad 'calc 1 cpu 256'; bad 'send 5 to 1'; bad 'send 5b from 1'; bad 'recv 5b to 1'; bad 'send 5b to 2'; bad 'send 5b to -1'; bad 'recv 5b from -2'; bad 'send 5b to 1 tag x'; bad 'send 5b to 1 nic 256'; bad 'send 99999999999999999999b to 1'; bad 'send 5b to 1 tag 18446744073709551616'; bad 'calc 1 }'; bad 'calc 1; calc 2'
nsim: t.goal:4: '+': expected an operation, a label of at most 200 characters or }
3
nsim: t.goal:4: 'fly 5': expected send, recv or calc
3
nsim: t.goal:4: '' behind a label, expected ':', requires or irequires
3
nsim: t.goal:4: label 'a' is in use, expected another one
3
nsim: t.goal:4: unknown label 'b', expected that of an operation above, in the same block
3
nsim: t.goal:4: unknown label 'b', expected that of an operation above, in the same block
3
nsim: t.goal:4: 'b' behind a label, expected the end of the line
3
nsim: t.goal:4: 'wants a' behind a label, expected ':', requires or irequires
3
nsim: t.goal:4: nanoseconds '': expected a number from 0 to 1000000000000000
3
nsim: t.goal:4: nanoseconds '-1': expected a number from 0 to 1000000000000000
3
nsim: t.goal:4: nanoseconds '1000000000000001': expected a number from 0 to 1000000000000000
3
nsim: t.goal:4: 'tag 2' in an operation, expected cpu or the end of the line
3
nsim: t.goal:4: cpu '256': expected a number from 0 to 255
3
nsim: t.goal:4: 'to 1': expected 'b'
3
nsim: t.goal:4: 'from 1': expected 'to'
3
nsim: t.goal:4: 'to 1': expected 'from'
3
nsim: t.goal:4: rank '2': expected a number from 0 to 1
3
nsim: t.goal:4: rank '-1': expected a number from 0 to 1
3
nsim: t.goal:4: rank '-2': expected a number from 0 to 1, or -1 for any
3
nsim: t.goal:4: tag 'x': expected a number from 0 to 18446744073709551615, or -1 for any
3
nsim: t.goal:4: nic '256': expected a number from 0 to 255
3
nsim: t.goal:4: size '99999999999999999999': expected a number from 0 to 1000000000000000
3
nsim: t.goal:4: tag '18446744073709551616': expected a number from 0 to 18446744073709551615, or -1 for any
3
nsim: t.goal:4: '}' in an operation, expected cpu or the end of the line
3
nsim: t.goal:4: '; calc 2' in an operation, expected cpu or the end of the line
3

# The binary form: magic number 4223; 1 rank, whose graph is from byte 22 to 30, has neither operations nor roots.

$ bad() { printf "\177\020\0\0\0\0\0\0$1" > b.bin; nsim -q -f csv -p topology.dims=4 --replay b.bin | grep program,complete; echo $?; }; z='\0\0\0\0\0\0\0'; bad "\001\0\0\0\0\0\026$z\036$z\0$z"; bad ''; bad "\0\0\0\0\0\0"; bad '\001\0\0\0\0\0'; bad "\001\0\0\0\0\0\026$z\037$z\0$z"; bad "\001\0\0\0\0\0\027$z\026$z\0$z"; bad "\001\0\0\0\0\0\026$z\035$z\0$z"; bad "\001\0\0\0\0\0\026$z\036$z\001$z"; printf '\177\021\0\0\0\0\0\0\001\0\0\0\0\0' > b.bin; nsim -q --replay b.bin
program,complete,,yes,
0
nsim: b.bin: the file ends early, expected a GOAL schedule
1
nsim: b.bin: 0 ranks in 14 bytes, expected 1 to 16777216
1
nsim: b.bin: 1 ranks in 14 bytes, expected 1 to 16777216
1
nsim: b.bin:rank 0: its graph is from byte 22 to 31, expected from 22 on, to at most 30
1
nsim: b.bin:rank 0: its graph is from byte 23 to 22, expected from 22 on, to at most 30
1
nsim: b.bin:rank 0: 7 bytes, expected 8 or more
1
nsim: b.bin:rank 0: 1 operations and 0 roots in 8 bytes, expected fewer
1
nsim: b.bin: magic number 4479, expected 4223 of a binary GOAL schedule
[3]
