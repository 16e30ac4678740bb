# Wrong pattern files and patterns, one mistake each: named with their line, status 3 (patterns: 2).

$ nsim -q -p topology.dims=2 -p engine.kind=flow --pattern-file bad/pattern/empty.pattern
nsim: bad/pattern/empty.pattern:1: end of the file, expected ranks N
[3]

$ nsim -q -p topology.dims=2 -p engine.kind=flow --pattern-file bad/pattern/early.pattern
nsim: bad/pattern/early.pattern:1: send before the number of ranks, expected ranks N
[3]

$ nsim -q -p topology.dims=2 -p engine.kind=flow --pattern-file bad/pattern/word.pattern
nsim: bad/pattern/word.pattern:2: unknown word snd, expected ranks, outstanding, send, receive, sends or pause
[3]

$ nsim -q -p topology.dims=2 -p engine.kind=flow --pattern-file bad/pattern/few.pattern
nsim: bad/pattern/few.pattern:2: send with 3 values, expected sender, destination, order, size
[3]

$ nsim -q -p topology.dims=2 -p engine.kind=flow --pattern-file bad/pattern/sender.pattern
nsim: bad/pattern/sender.pattern:2: sender 2, expected a number from 0 to 1
[3]

$ nsim -q -p topology.dims=2 -p engine.kind=flow --pattern-file bad/pattern/destination.pattern
nsim: bad/pattern/destination.pattern:2: destination -1, expected a number from 0 to 1
[3]

$ nsim -q -p topology.dims=2 -p engine.kind=flow --pattern-file bad/pattern/order.pattern
nsim: bad/pattern/order.pattern:2: order first, expected a number from 0 to 9223372036854775807
[3]

$ nsim -q -p topology.dims=2 -p engine.kind=flow --pattern-file bad/pattern/twice.pattern
nsim: bad/pattern/twice.pattern:4: rank 0: duplicate order 1, first in line 2, expected each once
[3]

$ nsim -q -p topology.dims=2 -p engine.kind=flow --pattern-file bad/pattern/size.pattern
nsim: bad/pattern/size.pattern:2: size 100MB: "100MB" has the unknown unit "MB", expected one of TiB, GiB, MiB, KiB, bytes, B
[3]

$ nsim -q -p topology.dims=2 -p engine.kind=flow --pattern-file bad/pattern/wait.pattern
nsim: bad/pattern/wait.pattern:2: wait soon: soon is not a number, expected 0 to 1000000 s
[3]

$ nsim -q -p topology.dims=2 -p engine.kind=flow --pattern-file bad/pattern/option.pattern
nsim: bad/pattern/option.pattern:2: unknown option nic=1 of receive, expected wait=TIME
[3]

$ nsim -q -p topology.dims=2 -p engine.kind=flow --pattern-file bad/pattern/ranks.pattern
nsim: bad/pattern/ranks.pattern:1: ranks 0, expected at least 1
[3]

$ nsim -q -p topology.dims=2 -p engine.kind=flow --pattern-file bad/pattern/ranks-twice.pattern
nsim: bad/pattern/ranks-twice.pattern:2: duplicate ranks, expected it once
[3]

$ nsim -q -p topology.dims=2 -p engine.kind=flow --pattern-file bad/pattern/outstanding.pattern
nsim: bad/pattern/outstanding.pattern:2: outstanding 0, expected at least 1
[3]

$ nsim -q -p topology.dims=2 -p engine.kind=flow --pattern-file bad/pattern/long.pattern
nsim: bad/pattern/long.pattern:2: a line of more than 510 characters
[3]

$ nsim -q -p topology.dims=2 -p engine.kind=flow --pattern-file bad/pattern/stuck.pattern
nsim: traffic: rank 1 waits for a message from rank 0 in its step 2, and no message is in flight
[4]

$ nsim -q -p topology.dims=6 -p engine.kind=flow --pattern ringg
nsim: pattern: unknown pattern 'ringg', expected one of all_to_all, pairwise, a2ass2d, a2at, ring, random_ring, ...
[2]

$ nsim -q -p topology.dims=6 -p engine.kind=flow --pattern pairwise
nsim: pattern: pairwise on 6 ranks, expected a power of two
[2]

$ nsim -q -p topology.dims=6 -p engine.kind=flow --pattern ring:sizes=3
nsim: pattern: unknown key sizes in section [pattern], did you mean size?
[2]

$ nsim -q -p topology.dims=6 -p engine.kind=flow --pattern ring:size=x
nsim: pattern: pattern.size: x is not a number, expected 0 to 976562500000 KiB
[2]

$ nsim -q -p topology.dims=6 -p engine.kind=flow --pattern a2at
nsim: pattern: a2at needs a grid of n x n = 6 ranks, expected dims=NxN
[2]

$ nsim -q -p topology.dims=6 -p engine.kind=flow --pattern uniform:wait=yes
nsim: pattern: wait=yes with uniform, whose receivers do not know the senders, expected wait=no
[2]

$ nsim -q -p topology.dims=2 -p engine.kind=flow --pattern-file bad/pattern/none.pattern
nsim: bad/pattern/none.pattern: cannot open: No such file or directory
[1]

$ nsim -q -p topology.dims=2 -p engine.kind=flow --pattern-file bad/pattern/sends.pattern
nsim: bad/pattern/sends.pattern:2: sends with 1 values, expected sender, order
[3]

$ nsim -q -p topology.dims=2 -p engine.kind=flow --pattern-file bad/pattern/pause.pattern
nsim: bad/pattern/pause.pattern:2: time soon: soon is not a number, expected 0 to 1000000 s
[3]

# A node has fewer NICs than the file, which another machine may have written.

$ printf 'ranks 2\nsend 0 1 1 8 nic=1\n' > nic.pattern; for e in packet flow linear; do nsim -q -e $e -p topology.dims=2 --pattern-file nic.pattern; done; nsim -q -o r -p topology.dims=2 -p topology.nics=2 --pattern-file nic.pattern
nsim: nic.pattern:2: nic 1, expected less than topology.nics = 1
nsim: nic.pattern:2: nic 1, expected less than topology.nics = 1
nsim: nic.pattern:2: nic 1, expected less than topology.nics = 1

# A load needs data, and a measured window needs messages: ten of 1 KiB at half of 4 GB/s take 5.12 us, a third of it is measured.

$ nsim -q --pattern uniform:load=0.5,size=0
nsim: pattern: load=0.5 with size=0, expected messages with data
[2]

$ nsim -q -o r --pattern uniform:load=0.5,messages=10,warmup=1ms
nsim: warning: pattern: steady: no: a rank sends its last message at 1.907 us, before the window ends

# Pairs of a file: ranks that there are, another receiver than the sender, a weight above 0.

$ for l in '0 64' '1 1' '0 1 0' '0' '0 1 2 3' ''; do echo "$l" > a.pairs; nsim -q --pattern pairs:file=a.pairs; done
nsim: a.pairs:1: 64 is no rank, expected 0 to 63
nsim: a.pairs:1: rank 1 as its own receiver, expected another
nsim: a.pairs:1: weight 0, expected more than 0, at most 1e9
nsim: a.pairs:1: 1 words, expected SENDER RECEIVER [WEIGHT]
nsim: a.pairs:1: 4 words, expected SENDER RECEIVER [WEIGHT]
nsim: a.pairs: no pairs, expected lines SENDER RECEIVER [WEIGHT]
[3]

# A job's figures are those of its whole run; in the background it must take time.

$ nsim -q --job 'n=8 pattern=uniform:load=0.2,window=1us' --job 'n=8 pattern=uniform'
nsim: --job 1: pattern: window of a job, whose figures are those of its whole run, expected none
[2]

$ nsim -q -e linear -p linear.latency=0 --job 'n=8 background pattern=uniform:size=0' --job 'n=8 pattern=uniform'
nsim: job 1: more than 10000 messages of each rank take no time: in the background they never end, expected messages with data, or an engine with latency
[4]
