# Mistakes in factors of nodes: one file each under tests/bad/slowdowns. The message has file and line.

$ { echo ranks 4; seq 0 3 | sed 's/$/ compute 0.000001/'; } > four.txt

$ nsim -q -e linear -p topology.kind=crossbar -p topology.dims=2 -p ranks.per_node=2 -p machine.slowdowns=bad/slowdowns/beyond.txt --replay four.txt
nsim: bad/slowdowns/beyond.txt:3: node 7, but the network has 2, expected 0 to 1
[3]

$ nsim -q -e linear -p topology.kind=crossbar -p topology.dims=2 -p ranks.per_node=2 -p machine.slowdowns=bad/slowdowns/empty.txt --replay four.txt
nsim: bad/slowdowns/empty.txt: no line of node 0, expected one of each node that has ranks
[3]

$ nsim -q -e linear -p topology.kind=crossbar -p topology.dims=2 -p ranks.per_node=2 -p machine.slowdowns=bad/slowdowns/head.txt --replay four.txt
nsim: bad/slowdowns/head.txt:1: no slowdowns, expected "slowdowns 1" at its beginning
[3]

$ nsim -q -e linear -p topology.kind=crossbar -p topology.dims=2 -p ranks.per_node=2 -p machine.slowdowns=bad/slowdowns/missing.txt --replay four.txt
nsim: bad/slowdowns/missing.txt: no line of node 1, expected one of each node that has ranks
[3]

$ nsim -q -e linear -p topology.kind=crossbar -p topology.dims=2 -p ranks.per_node=2 -p machine.slowdowns=bad/slowdowns/node.txt --replay four.txt
nsim: bad/slowdowns/node.txt:2: -1 is out of range, expected 0 to 4294967295
[3]

$ nsim -q -e linear -p topology.kind=crossbar -p topology.dims=2 -p ranks.per_node=2 -p machine.slowdowns=bad/slowdowns/none.txt --replay four.txt
nsim: bad/slowdowns/none.txt:2: expected a node and 1 to 256 factors of its ranks
[3]

$ nsim -q -e linear -p topology.kind=crossbar -p topology.dims=2 -p ranks.per_node=2 -p machine.slowdowns=bad/slowdowns/twice.txt --replay four.txt
nsim: bad/slowdowns/twice.txt:3: a second line of node 0
[3]

$ nsim -q -e linear -p topology.kind=crossbar -p topology.dims=2 -p ranks.per_node=2 -p machine.slowdowns=bad/slowdowns/word.txt --replay four.txt
nsim: bad/slowdowns/word.txt:2: 1x is not a number, expected 1e-06 to 1000000
[3]

$ nsim -q -e linear -p topology.kind=crossbar -p topology.dims=2 -p ranks.per_node=2 -p machine.slowdowns=bad/slowdowns/zero.txt --replay four.txt
nsim: bad/slowdowns/zero.txt:2: 0 is out of range, expected 1e-06 to 1000000
[3]

$ nsim -q -p machine.slowdowns=none.txt --replay four.txt
nsim: none.txt: cannot open: No such file or directory
[3]

$ nsim -q -p machine.spread=0.4 --replay four.txt
nsim: -p: machine.spread: 0.4 is out of range, expected 0 to 0.3
[2]

$ nsim -q -p machine.variation=0.6 --replay four.txt
nsim: -p: machine.variation: 0.6 is out of range, expected 0 to 0.5
[2]
