# Programs and patterns on described networks: nsim --network (docs/formats/ndl.md).

# The same network with the same routing, built in and described: figure by figure the same, but for the command and the names. Flows have no
# dateline.

$ printf '%s\n' 't=$1 n=$2 args=$3' 'shift 3' 'for e in packet flow; do [ $e = packet ] || dateline=; nsim -q -e $e $t $dateline "$@" | sed /command/d > a; nsim -q -e $e --network configs/ndl/$n.ndl --network-args "$args" "$@" | sed /command/d | cmp a - && echo $n $e: same; done' > same
$ dateline='-p topology.dateline=crossing' sh same '-p topology.dims=4x4x4 -p topology.ties=positive' torus-dateline 4x4x4 --pattern uniform:messages=50
torus-dateline packet: same
torus-dateline flow: same

$ dateline='-p topology.dateline=crossing' sh same '-p topology.dims=5x3x2' torus-dateline 5x3x2 --pattern all_to_all
torus-dateline packet: same
torus-dateline flow: same

$ dateline='-p topology.dateline=crossing' sh same '-p topology.kind=tofu -p topology.dims=2x2x3 -p topology.ties=positive' tofu '2 2 3' --pattern uniform:messages=20
tofu packet: same
tofu flow: same

$ sh same '-p topology.kind=hypercube -p topology.dims=2^6' hypercube '6' --pattern uniform:messages=20
hypercube packet: same
hypercube flow: same

$ sh same '-p topology.kind=fat_tree -p topology.dims=4x4x4' fat-tree '4 3' --pattern all_to_all
fat-tree packet: same
fat-tree flow: same

# One virtual channel leaves the paper's hyper-crossbar no choice.

$ sh same '-p topology.kind=hyper_crossbar -p topology.dims=4x4x4' hyper-crossbar '4 4 4 1' --pattern all_to_all
hyper-crossbar packet: same
hyper-crossbar flow: same

# An MPI program: hop counts and times too.

$ nsimcc examples/ring.c -o ring.so; nsim -q -p topology.dims=4x4 ring.so | sed /command/d > a; nsim -q --network configs/ndl/torus-dateline.ndl ring.so | sed /command/d > b; cmp a b && grep -c packet_hops a
1

# Adaptive routing: the choices of a description are those of the same routing built in. Flows with a built-in adaptive mesh have a
# note, which is left out: a described network is not measured.

$ sed -i 's#/command/d#"/command/d; /^notes:/,/^$/d; /^$/d"#g' same; sh same '-p topology.kind=mesh -p topology.dims=5x4 -p topology.routing=adaptive' mesh-adaptive '5 4' --pattern uniform:messages=20,size=3000
mesh-adaptive packet: same
mesh-adaptive flow: same

$ sh same '-p topology.kind=hyper_crossbar -p topology.dims=4x4x4 -p topology.routing=either_vc' hyper-crossbar '4 4 4 2' --pattern all_to_all
hyper-crossbar packet: same
hyper-crossbar flow: same

# The transpose of 8 x 8: dimension order loads the links at the corners with 7 nodes, so 1/7 of a link is accepted, 0.139 without
# headers. At 0.3 adaptive routing still has room.

$ for r in dimension_order adaptive; do nsim -q -p topology.kind=mesh -p topology.dims=8x8 -p topology.routing=$r --pattern transpose --load 0.13,0.3 -f csv | grep -E 'points,steady,' | cut -d, -f 2-4; done; nsim -q --network configs/ndl/mesh-adaptive.ndl --network-args '8 8' --pattern transpose --load 0.13,0.3 -f csv | grep 'points,steady,' | cut -d, -f 2-4
steady,0,yes
steady,1,behind
steady,0,yes
steady,1,yes
steady,0,yes
steady,1,yes

# Two processes, three: the same. Distances of a torus of 4 x 4: 1 + 1. The proof covers networks whose graph of channels the report does
# not search: 256 nodes.

$ for j in 1 2 3; do nsim -q -j $j --network configs/ndl/torus-adaptive.ndl --network-args '4 4' --pattern uniform:messages=30 --topology-report | sed /command/d > adaptive$j; cmp adaptive1 adaptive$j && echo same; done; grep -E '^  (routing|vcs|deadlock|mean_distance) ' adaptive1
same
same
same
  routing               adaptive            # choices of the description
  vcs                              3        # virtual channels that the routing needs
  deadlock              free                # the channel dependency graph has no cycle
  mean_distance                    2 links  # mean distance over all pairs, including each node with itself

$ nsim -q --network configs/ndl/torus-adaptive.ndl --network-args '16 16' -e flow --pattern shift --topology-report | grep -E '^  (deadlock|mean_distance) '
  deadlock              free                # the channel dependency graph has no cycle
  mean_distance                    8 links  # mean distance over all pairs, including each node with itself

# A description whose answers depend on the number of calls.

$ sed 's/if (dx \&\& swt/if (dx \&\& calls++ % 3 \&\& swt/; s/^static int X/static int calls; &/' configs/ndl/mesh-adaptive.ndl > forgets.ndl; nsim -q --network forgets.ndl --pattern shift
nsim: forgets.ndl:...: adaptive routing of sw(0,0) gives the same question another answer, expected one that depends on its message and on free channels alone
[3]

# A routing is refused if `inspire --check-network` does not prove it.

$ for f in escape-cycle escape-indirect escape-retry escape-wait; do nsim -q --network bad/ndl/$f.ndl --pattern shift 2>&1 | cut -c 1-140; done
nsim: bad/ndl/escape-cycle.ndl: this adaptive routing may deadlock: escape channels wait for each other: sw(0).o(0)#v(0) -> sw(1).o(0)#v(0)
nsim: bad/ndl/escape-indirect.ndl: this adaptive routing may deadlock: escape channels wait for each other: sw(0).o(0)#v(1) -> the first
nsim: bad/ndl/escape-retry.ndl: this adaptive routing may deadlock: a head can wait without an escape: bad/ndl/escape-retry.ndl:22: routing 
nsim: bad/ndl/escape-wait.ndl: this adaptive routing may deadlock: a head can wait without an escape: bad/ndl/escape-wait.ndl:22: routing of

$ nsim -q --network configs/ndl/torus1.ndl --network-args '4 4 5' --pattern uniform
nsim: configs/ndl/torus1.ndl: net_config took 2 of 3 operands, unexpected operand "5"
[2]

$ nsim -q --network bad/ndl/connected-twice.ndl --pattern uniform 2>&1 | grep -o 'bad/.*twice,'
bad/ndl/connected-twice.ndl:17: sw(0).i(1) is connected twice,

# A PU that is its own router (the paper's figure 3) becomes a node and a router: distances of a one-way
# ring of 4 are 0 1 2 3, so the mean of two is 3.

$ nsim -q --network configs/ndl/torus1.ndl --topology-report --pattern uniform | grep -E '^  (routers|vcs|deadlock|diameter|mean_distance) '
  routers                         16        # switches
  vcs                              2        # virtual channels that the routing needs
  deadlock              free                # the channel dependency graph has no cycle
  diameter                         6 links  # longest distance, in links between routers
  mean_distance                    3 links  # mean distance over all pairs, including each node with itself

# Tofu of 2 x 2 x 3 groups of 2 x 3 x 2: 12 x 12 nodes; rings of 2 have a mean distance of 1/2, rings of 3 of 2/3: 4/2 + 2 x 2/3.

$ nsim -q --network configs/ndl/tofu.ndl --network-args '2 2 3' --topology-report --pattern all_to_all | grep -E '^  (nodes|vcs|deadlock|mean_distance) '
  nodes                          144        # endpoints that inject and eject
  vcs                              2        # virtual channels that the routing needs
  deadlock              free                # the channel dependency graph has no cycle
  mean_distance              3.33333 links  # mean distance over all pairs, including each node with itself

# The others: none can deadlock. Mean links between different PUs, those of the PUs included: a full mesh of 8 routers with 2 PUs
# each: 14 of 15 others are at another router: 2 + 14 / 15.

$ for n in 'full-mesh 8 2' 'dragonfly 2 4 2' 'fat-tree 4 3' 'tofu 2 2 3' 'torus-dateline 4x4x4'; do set -- $n; f=$1; shift; echo $f $(inspire --check-network configs/ndl/$f.ndl $* | awk '/ (nodes|mean_links|routing) / { print $2 } / dependences / { print $2, $3 }'); done
full-mesh 16 2.93333 static no cycle
dragonfly 72 4.33803 static no cycle
fat-tree 64 5.42857 static no cycle
tofu 144 5.35664 static no cycle
torus-dateline 64 5.04762 static no cycle

# The nodes of a switch may have numbers that are far apart: here pu(l,n) is node 4 n + l.

$ printf '%s\n' 'int net_config(int argc, char **argv) { (void)argc; (void)argv; return 0; }' 'range A = [0:3]; range B = [0:1]; var l in A; var n in B;' 'resource{ node pu(4,2); switch leaf(4), spine(1); switch_size pu(l,n){i(1),o(1)}#v(1), leaf(l){i(3),o(3)}#v(1), spine(0){i(4),o(4)}#v(1); }' 'connection{ pu(l,n).o(0) | leaf(l).i(n); leaf(l).o(n) | pu(l,n).i(0); leaf(l).o(2) | spine(0).i(l); spine(0).o(l) | leaf(l).i(2); }' 'routing{ pu(l,n){ route(0, 0); } leaf(l){ if (msg_dest_dim(0) == l) route(msg_dest_dim(1), 0); else route(2, 0); } spine(l){ route(msg_dest_dim(0), 0); } }' > leaves.ndl; for j in 1 2 3 4; do nsim -q -j $j --network leaves.ndl --pattern all_to_all:size=5000 | sed /command/d > leaves$j; cmp leaves1 leaves$j && echo same; done
same
same
same
same

# Classes of links have a space in their names: a row of Paje has six fields, and JSON has the name.

$ nsim -q --network configs/ndl/torus-dateline.ndl --network-args 4x4 --pattern ring --log-packets --paje t.paje --timeline t.json -o report; python3 -c "import json, shlex; rows = [shlex.split(l) for l in open('t.paje') if l.startswith('4 0.0 l')]; print(len(rows), {len(r) for r in rows}, sorted({r[5].split()[1] for r in rows})); print(sum(' line ' in str(e.get('args')) for e in json.load(open('t.json'))['traceEvents']))"
96 {6} ['eject', 'inject', 'line']
64
