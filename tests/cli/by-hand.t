# Networks and messages at the defaults beside values by hand: a router takes 94 ns, a cable 10 ns, a link 250 ps a byte, a call
# 200 ns. A packet has at most 2016 bytes of data behind 32 of header, in whole flits of 16 bytes.

# Alone in the network, 100 bytes (144 on a link, 36 ns) take 130 + 104 h ns over h links between routers. The farthest nodes; a step
# on the hyper-crossbar is two links.

$ far() { printf 'ranks %s\nsend 0 %s 1 100\n' $3 $4 > a.pat; nsim -q -o r -p topology.kind=$1 -p topology.dims=$2 --pattern-file a.pat --expect traffic.time=$5e-9 && echo $1 $2; }; far torus 3x5 15 7 442; far mesh 3x5 15 14 754; far torus 2x2x2 8 7 442; far torus 1x7 7 4 442; far mesh 7 7 6 754; far fat_tree 7 7 6 130; far fat_tree 3x5 15 14 338; far fat_tree 3x5x2 30 29 546; far dragonfly 2x4x2 72 71 442; far hypercube 2^4 16 15 546; far crossbar 7 7 6 130; far hyper_crossbar 3x5 15 14 546
torus 3x5
mesh 3x5
torus 2x2x2
torus 1x7
mesh 7
fat_tree 7
fat_tree 3x5
fat_tree 3x5x2
dragonfly 2x4x2
hypercube 2^4
crossbar 7
hyper_crossbar 3x5

# A send to the neighbour: 200 ns, 198 ns of two routers and a cable, and the bytes on the link: 32 of an empty message, 2048, 2048 +
# 48, 32 x 2048 + 1056, 16 more. Beyond 64 KiB two empty messages of 206 ns come first.

$ for c in 0:406 2016:910 2017:922 65536:17046 65537:17462; do printf "ranks 2\n0 send 1 7 ${c%:*}\n1 recv 0 7 ${c%:*}\n" > a.tr; nsim -q -o r -p topology.dims=2 --replay a.tr --expect program.seconds=${c#*:}e-9 && echo $c; done
0:406
2016:910
2017:922
65536:17046
65537:17462

# On a crossbar an exchange of 0 bytes is two calls, a router and 8 ns: 502 ns. Of 7 ranks a barrier by dissemination takes three. A
# doubling allreduce of 8 bytes (12 ns) takes a message there, two exchanges and a message back: 2 x 306 + 2 x 506.

$ for c in barrier:dissemination:1506 allreduce:recursive_doubling:1624; do set -- $(echo $c | tr : ' '); for r in 0 1 2 3 4 5 6; do echo $r $1 $([ $1 = barrier ] || echo 8); done | sed '1i ranks 7' > a.tr; nsim -q -o r -p topology.kind=crossbar -p topology.dims=7 -p mpi.collective_$1=$2 --replay a.tr --expect program.seconds=$3e-9 && echo $c; done
barrier:dissemination:1506
allreduce:recursive_doubling:1624

# Seven send 1 MiB to one: the link to it carries 7 times 520 x 2048 + 288 bytes, or as flows the data alone.

$ (echo ranks 8; for r in 1 2 3 4 5 6 7; do echo send $r 0 1 1MiB; done) > a.pat; for c in packet:1864278 flow:1835102 linear:1835102; do nsim -q -o r -e ${c%:*} -p topology.kind=crossbar -p topology.dims=8 --pattern-file a.pat --expect traffic.time=${c#*:}e-9 && echo $c; done
packet:1864278
flow:1835102
linear:1835102

# Max-min shares on a line of three nodes with NICs of 16 GB/s, messages of 4 MB: one over both links, one over the first, two over the
# second. On that each has 4/3 GB/s for 3 ms, and the other one 8/3 for 1.5 ms; two links take 302 ns, one 198.

$ printf 'ranks 3\noutstanding 2\nsend 0 2 1 4000000\nsend 0 1 2 4000000\nsend 1 2 1 4000000\nsend 1 2 2 4000000\n' > a.pat; nsim -q -o r -e flow -p topology.kind=mesh -p topology.dims=3 -p link.nic_bandwidth=16GB/s --pattern-file a.pat --expect traffic.latency_min=1500198e-9 --expect traffic.latency_max=3000302e-9 && echo shares
shares

# Paced: five packets of 512 ns, four gaps of 700 ns, 198 ns. Flows also pause after the last: 10080 bytes at 2048 bytes in 1212 ns.

$ printf 'ranks 2\nsend 0 1 1 10080 gap=700ns\n' > a.pat; for c in packet:5558e-9 flow:6163.3125e-9+-1e-12; do nsim -q -o r -e ${c%%:*} -p topology.dims=2 --pattern-file a.pat --expect traffic.time=${c#*:} && echo $c; done
packet:5558e-9
flow:6163.3125e-9+-1e-12

# Tornado on 8 x 8: three messages share each link of both dimensions, which carry 3 x 500 packets of 512 ns: 768 us, and at most 1 % for
# the way to the last node.

$ nsim -q -o r --pattern tornado:size=20160,messages=50,outstanding=8 --expect 'traffic.time>=768e-6' --expect 'traffic.time<=775.7e-6' && echo tornado
tornado

# Uniform traffic on a mesh of 8 x 8: 64/2 x 32/63 of the load crosses 8 links in the middle, which carry 2016 of 2048 bytes: 0.4845.

$ nsim -q -o r -p topology.kind=mesh --pattern uniform:size=2016,messages=200,load=1 --expect 'traffic.accepted>=0.46' --expect 'traffic.accepted<=0.4845' && echo mesh
nsim: warning: pattern: steady: no: ...
mesh

# A ring of 12 ranks, five apart by number, goes round a torus of 4 x 3: 12 MB over a link each.

$ (echo ranks 12; for r in 0 1 2 3 4 5 6 7 8 9 10 11; do echo $r $(((r + 5) % 12)) 1000000 1; done) > a.m; mopt -q -t torus:4x3 --refine 100 --anneal 1000 a.m -r r -o a.map --expect placed.cost=0.012 && echo ring
ring
