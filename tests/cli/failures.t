# Links that are down or fail. A ring of four routers with a node each: without a-b it is a line, and a message from a to b
# goes by d and c.
#
# By flows it takes its bytes over the bandwidth, 1 ms, and the latency: 198 ns with one link between routers (two routers
# of 94 ns, a cable of 10 ns), 406 ns with three (four routers, three cables).

$ printf 'a b\nb c\nc d\nd a\n' > ring; printf 'ranks 4\nsend 0 1 0 1000000\nreceive 1 0 0\n' > one; ring() { nsim -q --graph ring -p link.bandwidth=1GB/s "$@" --check -f csv; }; time_of() { ring "$@" | sed -n 's/^traffic,time,,\(.*\),s/\1/p'; }; time_of -e flow --pattern-file one; time_of -e flow --pattern-file one -p topology.down=a-b; time_of -e flow --pattern-file one -p topology.down=b-a,c-d
0.001000198
0.001000406
nsim: a message from node a to node b at 0 s: no way leads there, the network has 2 parts, expected one

# It fails after 0.5 ms beside a message from d to c: both have 0.5 MB left, share d-c, and take 1 ms more. Repaired at
# 1 ms, when both have 0.25 MB left, it gets its link back: 0.25 ms more.

$ printf 'send 3 2 0 1000000\nreceive 2 3 0\n' | cat one - > two; ring() { nsim -q --graph ring -p link.bandwidth=1GB/s "$@" --check -f csv; }; time_of() { ring "$@" | sed -n 's/^traffic,time,,\(.*\),s/\1/p'; }; time_of -e flow -p flow.latency=none --pattern-file two; time_of -e flow -p flow.latency=none --pattern-file two --fail 0.5ms:a-b; ring -e flow -p flow.latency=none --pattern-file two --fail 0.5ms:a-b --repair 1ms:a-b | grep -E '^(traffic,time|changes)'
0.001
0.0015
traffic,time,,0.00125,s
changes,time,0,0.0005,s
changes,what,0,down a-b,
changes,happened,0,yes,
changes,links_down,0,2,
changes,parts,0,1,
changes,messages,0,1,
changes,bytes,0,500000,bytes
changes,time,1,0.001,s
changes,what,1,up a-b,
changes,happened,1,yes,
changes,links_down,1,0,
changes,parts,1,1,
changes,messages,1,1,
changes,bytes,1,250000,bytes

# A packet of 1024 bytes and a header of 32 takes 264 ns over a link of 4 GB/s. Its head is ready in router a after 12 ns
# (stages), in the next router 104 ns later (stages, traversal, switch, cable), at its node 82 ns later: 12 + 104 + 82 +
# 264 = 462 ns; over three links 12 + 3 * 104 + 82 + 264 = 670 ns. It leaves b at 116 ns. If a-b fails at 100 ns, a sends it
# again when its stages are done, at 112 ns: 112 + 3 * 104 + 82 + 264 = 770 ns. At 120 ns its head has left b: 462 ns.

$ printf 'ranks 4\nsend 0 1 0 1024\nreceive 1 0 0\n' > small; for more in '-v' '-p topology.down=a-b' '--fail 100ns:a-b' '--fail 120ns:a-b' '--fail 100ns:router:a'; do nsim -q --graph ring --pattern-file small $more --check -f csv 2>&1 | grep -E '^(traffic,time|changes,(messages|bytes|packets)|nsim)' | tr '\n' ' '; echo; done
traffic,time,,4.62e-07,s 
traffic,time,,6.7e-07,s 
traffic,time,,7.7e-07,s changes,messages,0,1, changes,bytes,0,1056,bytes changes,packets,0,1, 
traffic,time,,4.62e-07,s changes,messages,0,0, changes,bytes,0,0,bytes changes,packets,0,0, 
nsim: a message from node a to node b at 1e-07 s: node a is down, expected no message of it 

# A fat tree of two leaves with four nodes and four up-links each loses a quarter of its bisection with one up-link. Four
# messages of 3 MB from one leaf to the other, each drawing its packets' ways, then take 4 ms in place of 3, at 1 GB/s;
# the draws (1489 packets of a message, of which 512 differ) move the busiest of the three links by less than 5 %.

$ printf 'ranks 8\n' > four; for i in 0 1 2 3; do printf "send $i $((i + 4)) 0 3000000\nreceive $((i + 4)) $i 0\n"; done >> four; tree() { nsim -q -e flow -p topology.kind=fat_tree -p topology.dims=4x2 -p topology.routing=random -p topology.down=0-2 -p link.bandwidth=1GB/s "$@" -f csv; }; tree --pattern-file four --topology-report | awk -F, '/^traffic,time/ { print ($4 >= 0.004 && $4 < 0.0042) } /^topology,(links_down|bandwidth_lost|bisection|bisection_lost),/ { print $2, $4 }'
1
bisection 3000000000
links_down 2
bandwidth_lost 0.125
bisection_lost 0.25

# The nodes of a router that is down have no ranks: 15 are left, and each sends to 14. All its links down: it is alone.

$ nsim -q -p topology.kind=torus -p topology.dims=4x4 -p topology.routing=up_down -p topology.down=router:5 --pattern all_to_all --check -f csv | grep -E '^traffic,(ranks|messages),'; nsim -q -p topology.kind=torus -p topology.dims=4x4 -p topology.down=node:5 --pattern all_to_all --check -f csv | grep -E '^traffic,(ranks|messages),'; nsim -q -p topology.kind=torus -p topology.dims=4x4 -p topology.routing=minimal -p topology.down=5-1,5-4,5-6,5-9 --topology-report --pattern-file one -n 4 -f csv | grep -E '^topology.*(.part_sizes|,parts,|_down)'; nsim -q -p topology.kind=torus -p topology.dims=4x4 -p topology.routing=minimal -p topology.down=5-1,5-4,5-6,5-9 --pattern shift
traffic,ranks,,15,
traffic,messages,,210,messages
traffic,ranks,,15,
traffic,messages,,210,messages
topology,links_down,,8,links
topology,routers_down,,0,
topology,nodes_down,,0,
topology,parts,,2,
topology.part_sizes,part,0,0,
topology.part_sizes,routers,0,15,
topology.part_sizes,nodes,0,15,
topology.part_sizes,part,1,1,
topology.part_sizes,routers,1,1,
topology.part_sizes,nodes,1,1,
nsim: a message from node 5 to node 13 at 0 s: no way leads there, the network has 2 parts, expected one
[1]

# Every routing over any graph, with links that fail and return under load: nothing is lost, whatever the order of events.
# Several processes run what is down from the start, one what changes.

$ for e in packet flow; do for r in minimal ecmp random adaptive up_down valiant ugal; do nsim -q -e $e -p topology.kind=torus -p topology.dims=4x4 -p topology.routing=$r -p topology.nics=2 --fail 20us:0-1 --fail 30us:5-6 --repair 50us:0-1 --fail 40us:10-11 --pattern all_to_all:size=20KiB --check -f csv > out || echo $e $r; grep -cE '^(traffic,messages,,240,|changes,happened,3,yes)' out; done; done | sort | uniq -c
     14 2

$ torus() { nsim -q -p topology.kind=torus -p topology.dims=4x4 -p topology.routing=$1 -p topology.down=0.1:3,node:9 --pattern all_to_all:size=20KiB --check -f csv -j $2 | grep -v ^run; }; for r in minimal adaptive up_down; do torus $r 1 > one; torus $r 3 > three; cmp one three && echo same; done; nsim -p topology.kind=torus -p topology.dims=4x4 -p topology.routing=minimal --fail 20us:0-1 --pattern all_to_all -j 2 2>&1 | grep note
same
same
same
nsim: note: links fail or are repaired during the run: one process runs it

# The ranks of a program get what they sent, also of messages that were given other ways.

$ nsimcc -O2 -o sort.so examples/sample_sort.c; for e in packet flow; do nsim -q -e $e -n 16 -p topology.dims=4x4 -p topology.routing=minimal --check --fail 5us:0-1 --fail 8us:5-6 --repair 12us:0-1 -f csv -o out sort.so; grep -cE '^changes,happened,[012],yes' out; done
16000 numbers on 16 ranks, sum 17172126342562: sorted
3
16000 numbers on 16 ranks, sum 17172126342562: sorted
3

# Messages do not share a fat pipe: the halves of a dragonfly whose global links are fat have the bandwidth of 36 NICs of 4 GB/s.

$ printf '[topology]\nkind=dragonfly\ndims=2x4x2\n[link.global]\nfat=yes\n' > fat.ini; nsim -q -e flow --pattern shift --topology-report -c fat.ini -f csv | grep bisection
topology,bisection,,144000000000,B/s

# Links that share a bandwidth are one for the hottest link: four hosts at a switch, 12 pairs. A backbone of 200 MB/s carries each
# pair once: full where 4 x 125 MB/s x load = 200 MB/s. Half-duplex cables carry the 3 pairs from a host and the 3 to it: 125 MB/s of
# them are full where 2 x load x 125 MB/s = 125 MB/s; full-duplex ones at a load of 1. A fifth host is down.

$ printf 's a bus\ns b bus\ns c bus\ns d bus\ns e bus\nnodes s 0\n' > star.graph; for o in 'link.bus.backbone=yes -p link.bus.bandwidth=200MB/s' 'link.bus.half_duplex=yes -p link.bus.bandwidth=125MB/s' 'link.bus.bandwidth=125MB/s'; do nsim -q -e flow --graph star.graph -p topology.down=node:e -p $o -p link.nic_bandwidth=125MB/s --pattern shift:size=1000 --topology-report -f csv -n 4 | grep -E '^topology,hottest'; done
topology,hottest_link,,bus,
topology,hottest_full,,0.4,
topology,hottest_link,,s-a,
topology,hottest_full,,0.5,
topology,hottest_link,,s-a,
topology,hottest_full,,1,

# The network of a page knows when a link is down: of the three lines of a ring one is from the second interval on, after 1 us.

$ nsim -q -e flow -p topology.kind=torus -p topology.dims=3 -p topology.routing=minimal -p engine.interval=1us --pattern shift:size=1000,messages=20 --fail 1us:0-1 --html ring.html; sed -n 's/^const report = .*"n":"intervals"[^}]*"v":\([0-9]*\)}.*"n":"use"[^}]*"v":"\([^"]*\)".*/\1 \2/p' ring.html | awk '{ print substr($2, 1, 3) ~ /!/, gsub(/!/, "", $2) - $1 }'
0 -1
