# Simulators from network descriptions: docs/formats/ndl.md.

# Uniform traffic at almost no load: the latency of a head is the number of links on its way.

$ inspire configs/ndl/hypercube.ndl -o cube && ./cube --check -q --load 0.001 6 > cube.txt; grep -E 'nodes|mean_links|dependences' cube.txt
  nodes                           64   # processing units
  mean_links                 5.04762   # links between two different nodes, mean over all pairs
  dependences           no cycle       # dependency graph of virtual channels: a cycle means that a deadlock is possible

# Beside the paper: mean distances 7, 18, 10 and 7.38, links to and from the router included.

$ ./cube --check-only 10 | awk '/mean_links/ { print $2 }'
7.00489

$ inspire configs/ndl/torus.ndl -o torus; for a in '32 32 1' '32 32' '8 8 16'; do ./torus --check-only $a | awk '/mean_links/ { print $2 }'; done
18.0156
18.0156
10.0078

$ inspire configs/ndl/hyper-crossbar.ndl -o hxb; ./hxb --check-only 8 8 16 | awk '/mean_links|routing/ { print $2 }'
7.38025
adaptive

# A sweep, and its picture; the same seed gives the same numbers, whatever is reported beside.

$ ./torus -q --load 0.05,0.2 --svg a.svg 8 8 1 | sed -n '/^points/,/^$/p' > a; ./torus -q --check --channels --load 0.05,0.2 8 8 1 | sed -n '/^points/,/^$/p' | cmp - a && python3 -c 'import xml.dom.minidom; print(xml.dom.minidom.parse("a.svg").documentElement.tagName)'
svg

# Curves of two networks in one picture: a line, a name and six points each; use of channels: 64 PUs with an output of two
# virtual channels (3 rows of 64 cells), 64 switches with 7 (21 rows): 24 * 64 = 1536, 11 boxes of the scale, and the ground.

$ ./torus -q -f csv --load 0.05,0.1,0.15,0.2,0.25,0.3 -o t.csv 4 4 1; ./cube -q --load 0.05,0.1,0.15,0.2,0.25,0.3 --svg both.svg --beside torus=t.csv 4 >/dev/null; grep -c '<polyline' both.svg; grep -c '<circle' both.svg; grep -oE '>(torus|hypercube.ndl):' both.svg
4
12
>hypercube.ndl:
>torus:

# Saturation is in the picture: latencies of a hundred times the least are points of the curve, within the frame, on a logarithmic
# axis; beside it is the most that the network accepted.

$ ./torus -q --load 0.05,0.2,0.9 --svg full.svg -f csv -o full.csv 4 4 1; grep -c '<circle' full.svg; grep -o ' points="[^"]*"' full.svg | wc -w; grep -c 'latency, logarithmic (clocks)' full.svg; sed -n 's/.*cy="\([0-9.]*\)".*/\1/p' full.svg | awk '$1 < 80 || $1 > 370'; awk -F, '$1 == "points" && $2 == "accepted" && $4 > most { most = $4 } END { printf "at most %.3g %%\n", 100 * most }' full.csv > most; grep -o 'at most [0-9.]* %' full.svg | cmp - most && echo same
3
6
1
same

# A list of names has room, also a name of 40 letters, of 6 to 9 pixels each.

$ ./torus -q --load 0.05,0.2 -o /dev/null --name $(printf %040d 1) --beside full=full.csv --svg two.svg 4 4 1; sed -n 's/.*viewBox="0 0 \([0-9]*\).*/\1/p' two.svg | awk '{ print ($1 - 630 > 40 * 6 && $1 - 630 < 60 * 9 ? "room" : $1) }'
room

$ ./torus -q --load 0.2 --use-svg use.svg 8 8 1 >/dev/null; grep -c '<rect' use.svg; ./cube -q -o /dev/null --svg b.svg --beside torus=a.svg 4
1548
simulator: a.svg: no table of points, expected a report of several loads (-f csv)
[3]

# The unidirectional torus of the paper's figure 3, where a PU is its own router, with Dally's two channels.

$ inspire configs/ndl/torus1.ndl -o torus1; ./torus1 --check-only 4 4 | grep -E 'switches|dependences|mean_links'
  switches                         0   # switches
  mean_links                     3.2   # links between two different nodes, mean over all pairs
  dependences           no cycle       # dependency graph of virtual channels: a cycle means that a deadlock is possible

# Duato's escape channels: all channels have a cycle, those of the dateline have none. Shortest ways: the torus's mean
# distance without itself is 64 x 4 / 63 = 4.06349, and 2 links to and from the routers. A buffer of several flits can hold two messages.

$ inspire configs/ndl/torus-adaptive.ndl -o adaptive; ./adaptive --check-only 8 8 | grep -oE 'mean_links +[0-9.]+|dependences.*channels '; ./adaptive -p wormhole.buffer_flits=4 --check-only 8 8 2>&1 | grep -oE 'warning: a deadlock is possible in spite|but a deadlock is possible'; sed 's/escape(/route(/' configs/ndl/torus-adaptive.ndl > line.ndl; inspire --check-network line.ndl 2>&1 | grep -o 'possible deadlock, virtual channels'
mean_links                 6.06349
dependences           no cycle of escape channels 
warning: a deadlock is possible in spite
but a deadlock is possible
possible deadlock, virtual channels

# Dimension order on 16 x 16 x 16: 4 links a dimension, over all pairs but a PU with itself, and 2 to and from routers.

$ ./torus --check-only 16 16 16 | grep -oE 'mean_links +[0-9.]+|no cycle'; awk 'BEGIN { printf "%.4f\n", 12 * 4096 / 4095 + 2 }'
mean_links                 14.0029
no cycle
14.0029

# Latency without load, message by message between all pairs of PUs, a PU and itself too: to the clock what BookSim 2's code
# says. Into the network: a clock to the link, and one on it. A head arrives in a router at clock A, has its route at A + 1,
# its virtual channel for A + 2, leaves then; 2 clocks later it is on the link (L clocks) or on the node's (1). Over H links
# between routers: 2 + H (4 + L) + 5, and a clock for each flit behind the head. H is 0 to 6 on the mesh of 4 x 4, 2.5 in
# the mean, 0 to 4 on the torus, 2 in the mean, and 3 on the butterfly of 4 stages.

$ printf '%s\n' 'router="-p wormhole.route_clocks=1 -p wormhole.grant_clocks=1 -p wormhole.output_clocks=2 -p wormhole.inject_clocks=1 -p wormhole.node_link_clocks=1 -p wormhole.one_per_input=yes -p wormhole.allocation=islip -p wormhole.buffer_flits=8 -p run.clocks=0"' 'inspire configs/ndl/$1.ndl configs/ndl/alone.c -o alone' 'for L in 1 2 10; do for F in 1 3; do' './alone --check -q $router -p wormhole.link_clocks=$L -p wormhole.credit_clocks=$((L + 1)) -- $2 $F | awk -v L=$L -v F=$F -v low=$3 -v mean=$4 -v high=$5 '"'"'$1 ~ /^(latency|tail_latency|latency_(least|most))$/ { is[$1] = $2 } function form(h) { return 7 + h * (4 + L) } END { print (is["latency"] == form(mean) && is["tail_latency"] == form(mean) + F - 1 && is["latency_least"] == form(low) && is["latency_most"] == form(high) ? "equal" : is["latency"] " " is["tail_latency"] " " is["latency_least"] " " is["latency_most"]) }'"'" 'done; done | uniq -c' > compare; sh compare mesh '4 4 2' 0 2.5 6; sh compare torus-partition 4x4 0 2 4; sh compare fly '2 4 2' 3 3 3
      6 equal
      6 equal
      6 equal

# The same over links of two classes, 10 and 100 clocks, on a dragonfly of 9 groups of 4 routers with 2 PUs: a message to
# another group (8/9) takes a global link and 1.5 local ones in the mean, one within a group a local one unless it ends at
# its router (3/36). BookSim 2, at a low load: 119.7.

$ inspire configs/ndl/dragonfly.ndl configs/ndl/alone.c -o groups; ./groups --check -q -p wormhole.route_clocks=1 -p wormhole.grant_clocks=1 -p wormhole.output_clocks=2 -p wormhole.inject_clocks=1 -p wormhole.node_link_clocks=1 -p wormhole.one_per_input=yes -p wormhole.allocation=islip -p wormhole.buffer_flits=256 -p wormhole.link_clocks=10 -p wormhole.credit_clocks=11 -p run.clocks=0 -p link.global.clocks=100 -- 2 4 2 1 | grep -oE '^ *latency(_least|_most|) +[0-9.]+'; awk 'BEGIN { printf "%.3f %d\n", 7 + 8 / 9 * (104 + 1.5 * 14) + 3 / 36 * 14, 7 + 14 + 104 + 14 }'
  latency                    119.278
  latency_least                    7
  latency_most                   139
119.278 139

$ ./groups -p link.far.clocks=2 2 4 2 1; ./groups -p link.globale.clocks=2 2 4 2 1; ./groups -p link.global.bandwidth=2 2 4 2 1; ./groups -p link.global.clocks=201 2 4 2 1
simulator: -p: [link.far]: configs/ndl/dragonfly.ndl declares no link far, expected one of its resource{}
simulator: -p: [link.globale]: configs/ndl/dragonfly.ndl declares no link globale, did you mean global?
simulator: -p: unknown key bandwidth in section [link.global], expected one of clocks, flit_clocks
simulator: -p: link.global.clocks: 201 is out of range, expected 0 to 200 clocks
[2]

# The description holds unless a section says more: the report has the use of each class.

$ sed 's/link local, global/link local, global(20, 2)/' configs/ndl/dragonfly.ndl > slow.ndl; inspire slow.ndl -o slow; ./slow -q -f csv --load 0.05 2 4 2 | grep -E 'classes,(class|links|busy),'
classes,class,0,-,
classes,links,0,144,
classes,busy,0,2.5788194444444446,%
classes,class,1,local,
classes,links,1,108,
classes,busy,1,2.414814814814815,%
classes,class,2,global,
classes,links,2,72,
classes,busy,2,4.5680555555555555,%

# nsim: a link of 1 clock has link.cable and link.bandwidth.

$ nsim -q --network slow.ndl --network-args '2 4 2' -p link.cable=10ns -p link.bandwidth=4GB/s --pattern uniform --topology-report -f csv | grep -E 'topology.links,(class|bandwidth|cable)'; nsim -q --network slow.ndl --network-args '2 4 2' -p link.global.cable=1us --pattern uniform --topology-report -f csv | grep 'topology.links,cable,1'
topology.links,class,0,local,
topology.links,bandwidth,0,4000000000,B/s
topology.links,cable,0,10000,ps
topology.links,class,1,global,
topology.links,bandwidth,1,2000000000,B/s
topology.links,cable,1,200000,ps
topology.links,class,2,inject,
topology.links,bandwidth,2,4000000000,B/s
topology.links,cable,2,0,ps
topology.links,class,3,eject,
topology.links,bandwidth,3,4000000000,B/s
topology.links,cable,3,0,ps
topology.links,cable,1,1000000,ps

# Bernoulli sources offer their load: an interval of 95 % has it in at least 17 of 20 runs (the probability of fewer is 1.6 %).
# Nothing is accepted that was not offered; a network that is far beyond saturation is not steady, and says so.

$ for s in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do ./torus -q --load 0.1 -p run.seed=$s 4 4 1; done | awk '$1 == "offered" { o = $2 } $1 == "offered_error" && o - $2 <= 0.1 && 0.1 <= o + $2 { in_it++ } $1 == "accepted" && $2 > o { print "more" } END { print (in_it >= 17 ? "at least 17" : in_it) }'
at least 17

$ ./torus --load 0.1,0.9 -f csv -o sweep.csv 4 4 1; grep '^points,steady' sweep.csv | cut -d, -f 3-4; ./torus -q --load 0.9 4 4 1 | grep -o 'no: less is accepted than offered'; ./torus -q --load 0.001 -p run.clocks=100 4 4 1 | awk '$1 ~ /^(steady|accepted_error)$/ { print $1, $2 }'
simulator: warning: load 0.9: steady: no: less is accepted than offered, and the latency goes from ... clocks to ... clocks
0,yes
1,behind
no: less is accepted than offered
steady -
accepted_error -

# A PU file: a token goes once round 4 x 4 PUs, x fastest. 16 messages; 12 go to a neighbour in x
# (3 links), 3 to the next row (x wraps and y steps: 4 links), the last from the end to the start (4); the tail is
# 9 clocks behind the head. 12 x 12 + 4 x 13 = 196 clocks; each head's clocks: (12 x 3 + 4 x 4) / 16 = 3.25.

$ inspire configs/ndl/torus.ndl configs/ndl/token.c -o token; ./token -q --check -p run.clocks=0 4 4 1 | grep -E ' (messages|latency|clocks) '
use: links by output: share of clocks with a flit, mean and maximum; share of clocks in which virtual channels were held
  latency                       3.25 clocks   # time from generation to the arrival of the head, mean
  latency_error                    - clocks   # half of its 95 % interval
  latency_p50                      3 clocks   # the same, median
  latency_p99                      4 clocks   # the same, 99th percentile
  latency_least                    3 clocks   # latency, minimum
  latency_most                     4 clocks   # latency, maximum
  tail_latency                 12.25 clocks   # time from generation to the arrival of the tail, mean
  network_latency              12.25 clocks   # time from injection to the arrival of the tail, mean
  messages                        16          # measured messages that arrived
  unfinished                       0          # measured messages that did not arrive
  clocks                         196 clocks   # clocks simulated in total
  clocks                0              # -p

# A check's report does not depend on the folder in which it is made.

$ inspire --check-network torus.ndl 4 4 1 | grep command
  command               simulator --check-only -- 4 4 1

# Two of 64 PUs send over one link, together 1.2 bytes a clock of the one that it carries; the others have links of their own. All
# together are accepted within 5 %, and the two are not.

$ printf '#include "netlink/engine/wormhole/pu.h"\nvoid *pu_init(struct pu *self, int argc, char **argv) { return (void)self, (void)argc, (void)argv, (void *)0; }\nstruct pu_action pu_exec(struct pu *self, void *variables)\n{\n\tuint32_t here = pu_number(self), two = here == 1 || here == 2;\n\t(void)variables;\n\tif (pu_random(self) < pu_load(self) / (two ? 10 : 20))\n\t\tpu_post(self, two ? 4 : (here + 8) %% 64, 10, 0, 0);\n\treturn pu_compute(1);\n}\n' > two.c; inspire configs/ndl/torus.ndl two.c -o two && for l in 0.1 0.6; do ./two -q -p run.clocks=50000 --load $l 8 8 1 2>/dev/null | awk '$1 == "offered" { o = $2 } $1 == "accepted" { a = $2 } $1 == "steady" { $1 = ""; sub(/ *#.*/, ""); s = $0 } END { print (a > 0.95 * o), s }' | sed 's/[0-9.]* of its/... of its/; s/sender [12] /sender ... /'; done
1  yes
1  no: of sender ... only ... of its load is accepted
