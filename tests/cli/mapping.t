# mopt's searches, and its mappings in nsim.

# The NAS benchmarks' messages: CG on 8 ranks (2 rows of 4) swaps in 26 products 2 sums and a transposition, and in
# 53 sums of numbers twice: 26 x 3 + 53 x 2 = 184 messages a rank. SP on 9: 6 faces, and 3 sweeps forth and back of 2.
# Half of 75000 / 2 elements goes to the neighbour: 26 x 18750 x 8 bytes, and 53 sums of 8, one of them of 16.

$ for p in npb_cg npb_sp; do nsimcc -O2 -Wall -Wextra -Werror -o $p.so examples/$p.c; done; nsim -q -n 8 --expect program.messages=1472 --matrix cg.txt -o report npb_cg.so; nsim -q -n 9 --expect program.messages=162 --matrix sp.txt -o report npb_sp.so; grep '^0 1 ' cg.txt
0 1 3900432 79

$ nsim -q -n 6 npb_cg.so
npb_cg: class B on 6 ranks: expected S, W, A, B, C or D on a power of two
nsim: rank 0: MPI_Abort with code 1 ...
[1]

$ nsim -q -n 8 npb_sp.so
npb_sp: class B on 8 ranks: expected S, W, A, B, C or D on a square number
nsim: rank 0: MPI_Abort with code 1 ...
[1]

# Annealing: the same with any number of threads.

$ for n in 1 2 5; do mopt -q -t torus:4x4x2 --anneal 30 --weight 50 --threads $n bruck:30:100 -o $n.map -r report; done; cmp 1.map 2.map; cmp 1.map 5.map; grep -c . 1.map
32

$ mopt -q -t torus:4x4x2 --anneal 30 --weight 50 --seed 2 bruck:30:100 -o other.map -r report; cmp -s 1.map other.map
[1]

# Excluded nodes stay empty, whatever the method; greedy and bisect also on other networks.

$ for m in none mincost minlink bisect greedy; do mopt -q -t torus:4x4 --method $m --refine 3 --anneal 5 --exclude 0,5-6 bruck:13:100 -o m.map -r report; grep -cE '^[0-9]+ (0|5|6)$' m.map; done; true
0
0
0
0
0

# Ranks that stay together on a node: two on each of four nodes, then run there.

$ mopt -q -t torus:2x2 --method bisect --per-node 2 stencil:8:1000 -o m.map -r report; nsim -q -p topology.dims=2x2 -p ranks.per_node=2 --mapping m.map --expect program.ranks=8 -o report npb_cg.so

# The default is for every network: with as many ranks as nodes or fewer.

$ for n in torus:4x4 mesh:16 fat_tree:4x4 dragonfly:2x4x2 hypercube:2^4 hyper_crossbar:4x4 crossbar:16 tofu:2x1x1; do mopt -q -t $n bruck:16:100 -o m.map -r report && grep -cE '^[0-9]+ [0-9]+$' m.map; done | sort | uniq -c | sed 's/^ *//'
8 16

# For every graph: in pieces, without bytes, of one rank. Pairs are on a switch, where nothing is between them.

$ printf 'ranks 7\n0 5 7 1\n1 4 7 1\n6 2 7 1\n' > pieces.txt; printf 'ranks 5\n0 1 0 3\n4 4 9 1\n' > none.txt; echo 'ranks 1' > one.txt; for m in pieces none one; do for n in fat_tree:2x4 dragonfly:2x4x2; do mopt -q -t $n $m.txt --expect placed.cost=0 -r report && echo $m; done; done
pieces
pieces
none
none
one
one

# Its result is the same with any number of threads, and more effort costs no more than none.

$ for n in 1 2 5; do mopt -q -t fat_tree:4x4x2 --effort 2 --threads $n bruck:30:100 -o $n.map -r report; done; cmp 1.map 2.map; cmp 1.map 5.map; mopt -q -t torus:4x4x2 --effort 0 bruck:30:100 -f csv -r none.csv; mopt -q -t torus:4x4x2 --effort 3 bruck:30:100 -r report --expect "placed.cost<=$(sed -n 's/^placed,cost,,\([0-9.e+-]*\),.*/\1/p' none.csv)"

# A platform has all its links at one router, yet distances: node, backbone and node are 3 links, and all 107 bytes pass the
# backbone. Without one there are 2 links, and node 2 has one link each way: the most on a link is 100.

$ for b in 'bb_bw="200MBps" bb_lat="500us"' ''; do printf '<?xml version="1.0"?>\n<platform version="4.1"><zone id="w" routing="Full"><cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" bw="125MBps" lat="50us" %s/></zone></platform>\n' "$b" > p.xml; printf 'ranks 4\n0 2 100 1\n2 3 7 1\n' > m.txt; mopt -q -p topology.kind=platform -p topology.file=p.xml m.txt -o m.map -f csv -r r.csv; awk -F, '$1 == "placed" && ($2 == "mean_distance" || $2 == "max_link") { print $2, $4 }' r.csv; done
mean_distance 3
max_link 0.000107
mean_distance 2
max_link 0.0001

# An interrupt ends the default, too, with a whole mapping: here a search of hours.

$ python3 bad/../cli/when_ready.py INT mopt -q -t torus:8x8x8 --effort 1000000 bruck:512:1000 -o m.map -r report; grep -cE '^[0-9]+ [0-9]+$' m.map; grep -o 'complete *no' report
mopt: interrupted by signal 2: the placement is the best so far
512
complete              no

# An interrupt ends a search with the best placement found: a complete mapping, at most as expensive as the initial one.

$ mopt -q -t torus:8x8x8 --method mincost bruck:512:1000 -f csv -r begin.csv; cost=$(sed -n 's/^placed,cost,,\([0-9.e+-]*\),.*/\1/p' begin.csv); python3 bad/../cli/when_ready.py INT mopt -q -t torus:8x8x8 --method mincost --anneal 1000000 bruck:512:1000 -o m.map --expect "placed.cost<=$cost" -r report; grep -cE '^[0-9]+ [0-9]+$' m.map
mopt: interrupted by signal 2: the placement is the best so far
512

# The picture.

$ mopt -q -t torus:4x4 bruck:16:100 --picture p.svg -r report; head -c 4 p.svg; tail -n 1 p.svg
<svg</svg>
