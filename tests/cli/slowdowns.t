# Factors on the time of computation: of nodes from a file, drawn for nodes, drawn for each computation.

# A microsecond on ranks 0 and 1 of node 0, 2 and 3 of node 1: with factors 1 and 2, 3 and 4, that many; twice that with
# machine.slowdown=2. Placed in turn, ranks 0 and 2 are on node 0. Before that: the factors' mean and the largest.

$ for n in 4 5 10000; do { echo ranks $n; seq 0 $((n - 1)) | sed 's/$/ compute 0.000001/'; } > $n.txt; done; printf 'slowdowns 1\n1 3 4 # second\n0 1 2\n' > s.txt
$ echo '/^ranks,compute/ { printf "%s ", 1e6 * $4 } /^program,slowdown/ { printf "%s ", $4 } END { print "" }' > us.awk; echo 'nsim -q --each-rank -f csv -e linear -p topology.kind=crossbar -p topology.dims=2 -p ranks.per_node=2 -p machine.slowdowns=s.txt "$@" | awk -F, -f us.awk' > run
$ sh run --replay 4.txt; sh run -p machine.slowdown=2 --replay 4.txt; sh run -p ranks.placement=cyclic --replay 4.txt
2.5 4 1 2 3 4 
5 8 2 4 6 8 
2.5 4 1 3 2 4 

# A schedule's calc has them too, and a run on two processes.

$ printf 'num_ranks 4\n' > four.goal; for i in 0 1 2 3; do printf "rank $i {\na: calc 1000\n}\n"; done >> four.goal; sh run --replay four.goal; sh run -j 2 --replay 4.txt
2.5 4 1 2 3 4 
2.5 4 1 2 3 4 

# Three factors for five ranks of a node: those of rank i are number 3 i / 5.

$ printf 'slowdowns 1\n0 7 8 9\n' > s.txt; sh run -p ranks.per_node=5 --replay 5.txt
7.8 9 7 7 8 8 9 

# Drawn for 10000 nodes, of mean 1 and deviation 0.1, cut at 3 deviations, which leaves 0.0987 (a normal variable within 3
# deviations has 0.98658). The mean's own deviation is 0.001, that of the deviation 0.0007.

$ echo '/^ranks,compute/ { x = 1e6 * $4; n++; s += x; q += x * x; if (n == 1 || x < least) least = x; if (x > most) most = x } END { m = s / n; print n, (m > 0.996 && m < 1.004), sqrt(q / n - m * m), least, most }' > drawn.awk
$ nsim -q --each-rank -f csv -e linear -p topology.kind=crossbar -p topology.dims=10000 -p machine.spread=0.1 --replay 10000.txt | awk -F, -f drawn.awk | awk '{ print $1, $2, ($3 > 0.0957 && $3 < 0.1017), ($4 >= 0.7 && $5 <= 1.3) }'
10000 1 1 1

# For each computation: half-normal, never below 1 - 0.1 sqrt(2 / pi) / sqrt(1 - 2 / pi) = 0.86764, which 10000 draws come near.

$ nsim -q --each-rank -f csv -e linear -p topology.kind=crossbar -p topology.dims=10000 -p machine.variation=0.1 --replay 10000.txt | awk -F, -f drawn.awk | awk '{ print $1, $2, ($3 > 0.096 && $3 < 0.104), ($4 >= 0.86764 && $4 < 0.8682), ($5 > 1.3) }'
10000 1 1 1 1

# The same seed draws the same, on several processes too; another one does not.

$ for o in '' '-j 2' '--seed 2'; do nsim -q $o --each-rank -f csv -e linear -p topology.dims=4x4 -p machine.spread=0.1 -p machine.variation=0.1 --replay 4.txt | grep ^ranks,compute | cksum; done | uniq -c | awk '{ print $1 }'
2
1
