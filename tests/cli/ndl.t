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

$ ./torus -q -f csv --load 0.05,0.1,0.15,0.2,0.25,0.3 -o t.csv 4 4 1; ./cube -q --load 0.05,0.1,0.15,0.2,0.25,0.3 --svg both.svg --beside torus=t.csv 4 >/dev/null; grep -c '<polyline' both.svg; grep -c '<circle' both.svg; grep -o '>[a-z.]*<' both.svg | grep -E 'torus|hypercube'
2
12
>hypercube.ndl<
>torus<

$ ./torus -q --load 0.2 --use-svg use.svg 8 8 1 >/dev/null; grep -c '<rect' use.svg; ./cube -q -o /dev/null --svg b.svg --beside torus=a.svg 4
1548
simulator: a.svg: no table of points, expected a simulator's report of several loads (-f csv)
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

# A PU file: a token goes once round 4 x 4 PUs, x fastest. 16 messages; 12 go to a neighbour in x
# (3 links), 3 to the next row (x wraps and y steps: 4 links), the last from the end to the start (4); the tail is
# 9 clocks behind the head. 12 x 12 + 4 x 13 = 196 clocks; each head's clocks: (12 x 3 + 4 x 4) / 16 = 3.25.

$ inspire configs/ndl/torus.ndl configs/ndl/token.c -o token; ./token -q --check -p run.clocks=0 4 4 1 | grep -E ' (messages|latency|clocks) '
use: links by output: share of clocks with a flit, mean and maximum; share of clocks in which virtual channels were held
  latency                       3.25 clocks   # time from generation to the arrival of the head, mean
  latency_error                    - clocks   # half of the latency's 95 % interval, from ten batches; -: too few messages
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
