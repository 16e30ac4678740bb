# Mistakes in descriptions of networks: one file each under tests/bad/net. The message has file and
# line, what is wrong and what was expected; the status is 2.

$ mopt -c bad/net/bandwidth-list.ini bruck:4:1
mopt: bad/net/bandwidth-list.ini:5: link.bandwidth: 2 values, expected one, or one for each of the 3 dimensions or levels
[2]

$ mopt -c bad/net/bandwidth-unit.ini bruck:4:1
mopt: bad/net/bandwidth-unit.ini:2: link.bandwidth: "4 GB" has the unknown unit "GB", expected one of TB/s, GB/s, MB/s, kB/s, B/s, TiB/s, GiB/s, MiB/s, KiB/s, Tbit/s, Gbit/s, Mbit/s, kbit/s
[2]

$ mopt -c bad/net/bandwidth-zero.ini bruck:4:1
mopt: bad/net/bandwidth-zero.ini:2: link.bandwidth: 0 is out of range, expected 1 B/s to 1000 TB/s
[2]

$ mopt -c bad/net/cabinet-dims.ini bruck:4:1
mopt: bad/net/cabinet-dims.ini:3: topology.cabinet: 4: 1 sizes, expected one for each of the 2 dimensions
[2]

$ mopt -c bad/net/cabinet-tree.ini bruck:4:1
mopt: bad/net/cabinet-tree.ini:4: topology.cabinet: 4x4: a network of kind fat_tree has no cabinets, expected none
[2]

$ mopt -c bad/net/cabinet.ini bruck:4:1
mopt: bad/net/cabinet.ini:3: topology.cabinet: 3x8: cabinets of 3 nodes do not fill a dimension of 8, expected a divisor
[2]

$ mopt -c bad/net/cable-negative.ini bruck:4:1
mopt: bad/net/cable-negative.ini:2: link.cable: -1 ns is out of range, expected 0 to 1 s
[2]

$ mopt -c bad/net/cable-unit.ini bruck:4:1
mopt: bad/net/cable-unit.ini:2: link.cable: "10" has no unit, expected one of s, ms, us, ns, ps
[2]

$ mopt -c bad/net/class.ini bruck:4:1
mopt: bad/net/class.ini:5: [link.globl]: no links of class globl, expected one of local, global, inject, eject (did you mean global?)
[2]

$ mopt -c bad/net/class-key.ini bruck:4:1
mopt: bad/net/class-key.ini:2: unknown key clocks in section [link.global], expected one of bandwidth, energy, fat, half_duplex, backbone, cable
[2]

$ mopt -c bad/net/crossbar-links.ini bruck:4:1
mopt: bad/net/crossbar-links.ini:3: topology.dims: 40000: 40000 nodes of 2 NICs, expected at most 65535 links at the router
[2]

$ mopt -c bad/net/crossbar.ini bruck:4:1
mopt: bad/net/crossbar.ini:3: topology.dims: 4x4: 2 sizes, expected one: the number of nodes
[2]

$ mopt -c bad/net/dims-huge.ini bruck:4:1
mopt: bad/net/dims-huge.ini:2: topology.dims: 4096^3: too large, expected at most 16777216 nodes
[2]

$ mopt -c bad/net/dims-many.ini bruck:4:1
mopt: bad/net/dims-many.ini:2: topology.dims: 2^7: 7 dimensions, expected at most 6
[2]

$ mopt -c bad/net/dims-zero.ini bruck:4:1
mopt: bad/net/dims-zero.ini:2: topology.dims: "4x0" is not a list of sizes, expected for example 16 or 8x8x16 or 2^10, each from 1 to 16777216
[2]

$ mopt -c bad/net/dims.ini bruck:4:1
mopt: bad/net/dims.ini:3: topology.dims: "4 x 4" is not a list of sizes, expected for example 16 or 8x8x16 or 2^10, each from 1 to 16777216
[2]

$ mopt -c bad/net/dragonfly-groups.ini bruck:4:1
mopt: bad/net/dragonfly-groups.ini:4: topology.groups: 10 groups, expected at most 9: one more than a group has global links
[2]

$ mopt -c bad/net/dragonfly.ini bruck:4:1
mopt: bad/net/dragonfly.ini:3: topology.dims: 4x4: 2 sizes, expected 3: nodes per router, routers per group, global links per router
[2]

$ mopt -c bad/net/fat-tree-links.ini bruck:4:1
mopt: bad/net/fat-tree-links.ini:3: topology.dims: 4096x4096: too many links at level 1
[2]

$ mopt -c bad/net/fat-tree-up.ini bruck:4:1
mopt: bad/net/fat-tree-up.ini:4: topology.up: 4: 1 sizes, expected 2: one for each level but the last
[2]

$ mopt -c bad/net/hyper-crossbar.ini bruck:4:1
mopt: bad/net/hyper-crossbar.ini:3: topology.dims: 4x1: a dimension of 1, expected 2 to 16384
[2]

$ mopt -c bad/net/hypercube.ini bruck:4:1
mopt: bad/net/hypercube.ini:3: topology.dims: 10: expected 2x2x…, for instance 2^10 for 1024 nodes
[2]

$ mopt -c bad/net/key.ini bruck:4:1
mopt: bad/net/key.ini:3: unknown key dim in section [topology], did you mean dims?
[2]

$ mopt -c bad/net/dragonfly-plus.ini bruck:4:1
mopt: bad/net/dragonfly-plus.ini:3: topology.dims: 2x4x2: 3 sizes, expected 4: nodes per leaf, leaves and spines per group, global links per spine
[2]

$ mopt -c bad/net/slim-fly.ini bruck:4:1
mopt: bad/net/slim-fly.ini:3: topology.dims: 12: a field of 12 elements, expected a power of a prime, 3 to 256
[2]

$ mopt -c bad/net/kind.ini bruck:4:1
mopt: bad/net/kind.ini:2: topology.kind: unknown value "tours", expected one of mesh|torus|tofu|crossbar|hypercube|hyper_crossbar|fat_tree|dragonfly|dragonfly_plus|hyperx|express_cube|slim_fly|jellyfish|rails|graph|platform
[2]

$ mopt -c bad/net/nics.ini bruck:4:1
mopt: bad/net/nics.ini:2: topology.nics: 0 is out of range, expected 1 to 64 NICs
[2]

$ mopt -c bad/net/routing-near.ini bruck:4:1
mopt: bad/net/routing-near.ini:4: topology.routing: dragonfly: unknown routing 'minimla', expected one of minimal, valiant, ugal, ugal_vc, ugal_global; over any graph ecmp, random, adaptive, up_down, layered (did you mean minimal?)
[2]

$ mopt -c bad/net/routing.ini bruck:4:1
mopt: bad/net/routing.ini:4: topology.routing: fat_tree: unknown routing 'dimension_order', expected one of destination_digits, source_digits, random, adaptive; over any graph minimal, ecmp, up_down, layered, valiant, ugal
[2]

$ mopt -c bad/net/ties.ini bruck:4:1
mopt: bad/net/ties.ini:2: topology.ties: unknown value "both", expected one of positive|negative|parity|random|direct
[2]

$ mopt -c bad/net/tofu.ini bruck:4:1
mopt: bad/net/tofu.ini:3: topology.dims: 4x4: 2 sizes, expected 3: X, Y and Z of groups of 12 nodes
[2]

# Lists of edges (docs/formats/graph-format.md): the status is 3.

$ nsim -q --graph bad/net/graph-self.graph --pattern uniform
nsim: bad/net/graph-self.graph:2: an edge from b to itself, expected another vertex
[3]

$ nsim -q --graph bad/net/graph-twice.graph --pattern uniform
nsim: bad/net/graph-twice.graph:4: repeated edge of b and a, first in line 1
[3]

$ nsim -q --graph bad/net/graph-apart.graph --pattern uniform
nsim: bad/net/graph-apart.graph: no way from a to c, expected a connected graph
[3]

$ nsim -q --graph bad/net/graph-words.graph --pattern uniform
nsim: bad/net/graph-words.graph:1: 5 words, expected VERTEX VERTEX [CLASS [CLASS-BACK]] or nodes VERTEX COUNT
[3]

$ nsim -q --graph bad/net/graph-one.graph --pattern uniform
nsim: bad/net/graph-one.graph:2: 1 words, expected VERTEX VERTEX [CLASS [CLASS-BACK]] or nodes VERTEX COUNT
[3]

$ nsim -q --graph bad/net/graph-nodes.graph --pattern uniform
nsim: bad/net/graph-nodes.graph:2: -1 nodes of a, expected 0 to 60000
[3]

$ nsim -q --graph bad/net/graph-nodes-twice.graph --pattern uniform
nsim: bad/net/graph-nodes-twice.graph:3: nodes of a given twice, first in line 2
[3]

$ nsim -q --graph bad/net/graph-no-nodes.graph --pattern uniform
nsim: bad/net/graph-no-nodes.graph: 0 nodes, expected 1 to 16777216
[3]

$ nsim -q --graph bad/net/graph-empty.graph --pattern uniform
nsim: bad/net/graph-empty.graph: no vertex in it, expected edges
[3]

$ nsim -q --graph bad/net/graph-class.graph --pattern uniform
nsim: bad/net/graph-class.graph:1: class inject: that of the links of nodes, expected another name
[3]

$ nsim -q --graph bad/net/graph-class-long.graph --pattern uniform
nsim: bad/net/graph-class-long.graph:1: class a-class-of-links…: a name of 16 letters, expected at most 15
[3]

$ nsim -q --graph bad/net/graph-cut.graph --pattern uniform
nsim: bad/net/graph-cut.graph:2: the file ends within a line, expected the end of the line
[3]

# A class that no edge has; a file that is missing; a long line; more channels than engines have.

$ printf 'a b far\n' > x.graph; nsim -q --graph x.graph -p link.fra.cable=1us --pattern uniform
nsim: -p: [link.fra]: no links of class fra, expected one of far, inject, eject (did you mean far?)
[2]

$ nsim -q --graph none.graph --pattern uniform
nsim: none.graph: cannot open: No such file or directory
[3]

$ nsim -q -p topology.kind=graph --pattern uniform
nsim: default: topology.file: none, expected a list of edges (docs/formats/graph-format.md)
[2]

$ nsim -q --graph x.graph --network configs/ndl/mesh.ndl --pattern uniform
nsim: warning: --graph: topology.kind, topology.file are not used with --network
nsim: --graph and --network, expected one of them
[2]

$ seq 0 99 | awk '{ print $1, $1 + 1 }' > line.graph; nsim -q --graph line.graph --pattern uniform; nsim -q -p topology.routing=up_down --graph line.graph --pattern uniform -f csv | grep -c traffic,time; seq 0 399 | awk '{ print $1, $1 + 1 }' > line.graph; nsim -q -p topology.routing=up_down --graph line.graph --pattern uniform
nsim: routing minimal: paths of 100 links need as many virtual channels, expected at most 63: routing up_down needs one
1
nsim: routing up_down: 399 links from the root, expected at most 127
[2]

# A rate without a unit is bytes a second: a small one is not what was meant.

$ mopt -p link.bandwidth=8 bruck:4:1
mopt: -p: link.bandwidth: "8" has no unit, expected one of TB/s, GB/s, MB/s, kB/s, B/s, TiB/s, GiB/s, MiB/s, KiB/s, Tbit/s, Gbit/s, Mbit/s, kbit/s
[2]

$ for rate in 8B/s 1000 0; do mopt -q -p node.injection=$rate -o r bruck:4:1 >out 2>&1; echo $?; done
0
0
0
