# Mistakes in network descriptions: one file each under tests/bad/ndl. Those in the text are found
# when it is read, the others when the network is built; the message has file, line and instance.
# leaks: a routing that faults is left by a jump, which frees nothing

$ inspire --check-network bad/ndl/no-config.ndl
inspire: bad/ndl/no-config.ndl:1: no net_config, expected `int net_config(int argc, char **argv)` in the C part
[3]

$ inspire --check-network bad/ndl/no-node.ndl
inspire: bad/ndl/no-node.ndl:1: no node is declared, expected `node name(size);` in resource{}
[3]

$ inspire --check-network bad/ndl/unknown-resource.ndl
inspire: bad/ndl/unknown-resource.ndl:18: unknown node or switch pe, expected one declared in resource{}
[3]

$ inspire --check-network bad/ndl/index-count.ndl
inspire: bad/ndl/index-count.ndl:16: sw has 2 indices, expected 1 as declared in line 10
[3]

$ inspire --check-network bad/ndl/twice-declared.ndl
inspire: bad/ndl/twice-declared.ndl:10: duplicate switch pu, first in line 9
[3]

$ inspire --check-network bad/ndl/twice-variable.ndl
inspire: bad/ndl/twice-variable.ndl:7: duplicate variable i, first in line 7
[3]

$ inspire --check-network bad/ndl/no-range.ndl
inspire: bad/ndl/no-range.ndl:7: unknown range R, expected `range R = [low:high];` before
[3]

$ inspire --check-network bad/ndl/range-bounds.ndl
inspire: bad/ndl/range-bounds.ndl:7: unexpected number, expected an operator or ':'
[3]

$ inspire --check-network bad/ndl/no-routing.ndl
inspire: bad/ndl/no-routing.ndl:10: sw has no routing, expected one in routing{}
[3]

$ inspire --check-network bad/ndl/routing-twice.ndl
inspire: bad/ndl/routing-twice.ndl:23: duplicate routing of sw, first in line 22
[3]

$ inspire --check-network bad/ndl/routing-index.ndl
inspire: bad/ndl/routing-index.ndl:22: routing of sw: index 1 is "i + 1", expected a name
[3]

$ inspire --check-network bad/ndl/routing-open.ndl
inspire: bad/ndl/routing-open.ndl:24: unterminated routing, expected '}'
[3]

$ inspire --check-network bad/ndl/comment-open.ndl
inspire: bad/ndl/comment-open.ndl:24: unterminated comment, expected */
[3]

$ inspire --check-network bad/ndl/direction-left.ndl
inspire: bad/ndl/direction-left.ndl:17: expected an output, .o(…), on the left of '|'
[3]

$ inspire --check-network bad/ndl/direction-right.ndl
inspire: bad/ndl/direction-right.ndl:17: expected an input, .i(…), on the right of '|'
[3]

$ inspire --check-network bad/ndl/size-letters.ndl
inspire: bad/ndl/size-letters.ndl:12: expected {i(inputs),o(outputs)}
[3]

$ inspire --check-network bad/ndl/semicolon.ndl
inspire: bad/ndl/semicolon.ndl:11: unexpected switch_size, expected ';' or ','
[3]

$ inspire --check-network bad/ndl/part-name.ndl
inspire: bad/ndl/part-name.ndl:15: unknown part 'conection', expected range, var, resource, connection, routing
[3]

$ inspire --check-network bad/ndl/character.ndl
inspire: bad/ndl/character.ndl:9: unexpected character '$'
[3]

$ inspire --check-network bad/ndl/many-indices.ndl
inspire: bad/ndl/many-indices.ndl:9: too many indices, expected at most 8
[3]

$ inspire --check-network bad/ndl/c-error.ndl
bad/ndl/c-error.ndl:...
...
inspire: the C parts of the description or the PU file do not compile
[3]

$ inspire --check-network bad/ndl/size-zero.ndl
bad/ndl/size-zero.ndl:10: size 1 of sw is 0, expected 1 to 16777216
bad/ndl/size-zero.ndl:13: sw(0): index 1 is out of range, expected 0 to -1
bad/ndl/size-zero.ndl:13: sw(1): index 1 is out of range, expected 0 to -1
bad/ndl/size-zero.ndl:13: sw(2): index 1 is out of range, expected 0 to -1
bad/ndl/size-zero.ndl:13: sw(3): index 1 is out of range, expected 0 to -1
bad/ndl/size-zero.ndl:16: sw(0): index 1 is out of range, expected 0 to -1
bad/ndl/size-zero.ndl:16: sw(1): index 1 is out of range, expected 0 to -1
bad/ndl/size-zero.ndl:16: sw(1): index 1 is out of range, expected 0 to -1
bad/ndl/size-zero.ndl:16: sw(2): index 1 is out of range, expected 0 to -1
bad/ndl/size-zero.ndl:16: sw(2): index 1 is out of range, expected 0 to -1
bad/ndl/size-zero.ndl:16: sw(3): index 1 is out of range, expected 0 to -1
bad/ndl/size-zero.ndl:16: sw(3): index 1 is out of range, expected 0 to -1
bad/ndl/size-zero.ndl:16: sw(0): index 1 is out of range, expected 0 to -1
bad/ndl/size-zero.ndl:17: sw(0): index 1 is out of range, expected 0 to -1
bad/ndl/size-zero.ndl:17: sw(1): index 1 is out of range, expected 0 to -1
bad/ndl/size-zero.ndl:17: sw(2): index 1 is out of range, expected 0 to -1
bad/ndl/size-zero.ndl:17: sw(3): index 1 is out of range, expected 0 to -1
bad/ndl/size-zero.ndl:18: sw(0): index 1 is out of range, expected 0 to -1
bad/ndl/size-zero.ndl:18: sw(1): index 1 is out of range, expected 0 to -1
bad/ndl/size-zero.ndl:18: sw(2): index 1 is out of range, expected 0 to -1
simulator: bad/ndl/size-zero.ndl:10: size 1 of sw is 0, expected 1 to 16777216 (and 28 more)
[3]

$ inspire --check-network bad/ndl/index-range.ndl
bad/ndl/index-range.ndl:16: sw(4): index 1 is out of range, expected 0 to 3
bad/ndl/index-range.ndl:13: sw(3).o(0) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/index-range.ndl:13: sw(0).i(0) is not connected, expected a connection, or fewer ports in switch_size
simulator: bad/ndl/index-range.ndl:16: sw(4): index 1 is out of range, expected 0 to 3 (and 2 more)
[3]

$ inspire --check-network bad/ndl/port-range.ndl
bad/ndl/port-range.ndl:18: sw(0).o(2): no such output, it has 2
bad/ndl/port-range.ndl:18: sw(1).o(2): no such output, it has 2
bad/ndl/port-range.ndl:18: sw(2).o(2): no such output, it has 2
bad/ndl/port-range.ndl:18: sw(3).o(2): no such output, it has 2
bad/ndl/port-range.ndl:13: sw(0).o(1) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/port-range.ndl:13: sw(1).o(1) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/port-range.ndl:13: sw(2).o(1) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/port-range.ndl:13: sw(3).o(1) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/port-range.ndl:12: pu(0).i(0) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/port-range.ndl:12: pu(1).i(0) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/port-range.ndl:12: pu(2).i(0) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/port-range.ndl:12: pu(3).i(0) is not connected, expected a connection, or fewer ports in switch_size
simulator: bad/ndl/port-range.ndl:18: sw(0).o(2): no such output, it has 2 (and 11 more)
[3]

$ inspire --check-network bad/ndl/connected-twice.ndl
bad/ndl/connected-twice.ndl:17: sw(0).i(1) is connected twice, first in line 17
bad/ndl/connected-twice.ndl:17: sw(0).i(1) is connected twice, first in line 17
bad/ndl/connected-twice.ndl:17: sw(0).i(1) is connected twice, first in line 17
bad/ndl/connected-twice.ndl:12: pu(1).o(0) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/connected-twice.ndl:12: pu(2).o(0) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/connected-twice.ndl:12: pu(3).o(0) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/connected-twice.ndl:13: sw(1).i(1) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/connected-twice.ndl:13: sw(2).i(1) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/connected-twice.ndl:13: sw(3).i(1) is not connected, expected a connection, or fewer ports in switch_size
simulator: bad/ndl/connected-twice.ndl:17: sw(0).i(1) is connected twice, first in line 17 (and 8 more)
[3]

$ inspire --check-network bad/ndl/unconnected.ndl
bad/ndl/unconnected.ndl:12: pu(0).o(0) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/unconnected.ndl:12: pu(1).o(0) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/unconnected.ndl:12: pu(2).o(0) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/unconnected.ndl:12: pu(3).o(0) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/unconnected.ndl:13: sw(0).i(1) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/unconnected.ndl:13: sw(1).i(1) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/unconnected.ndl:13: sw(2).i(1) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/unconnected.ndl:13: sw(3).i(1) is not connected, expected a connection, or fewer ports in switch_size
simulator: bad/ndl/unconnected.ndl:12: pu(0).o(0) is not connected, expected a connection, or fewer ports in switch_size (and 7 more)
[3]

$ inspire --check-network bad/ndl/no-size.ndl
bad/ndl/no-size.ndl:10: sw(1) has no switch_size
bad/ndl/no-size.ndl:10: sw(2) has no switch_size
bad/ndl/no-size.ndl:10: sw(3) has no switch_size
bad/ndl/no-size.ndl:12: pu(1).o(0) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/no-size.ndl:12: pu(2).o(0) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/no-size.ndl:12: pu(3).o(0) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/no-size.ndl:13: sw(0).o(0) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/no-size.ndl:12: pu(1).i(0) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/no-size.ndl:12: pu(2).i(0) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/no-size.ndl:12: pu(3).i(0) is not connected, expected a connection, or fewer ports in switch_size
bad/ndl/no-size.ndl:13: sw(0).i(0) is not connected, expected a connection, or fewer ports in switch_size
simulator: bad/ndl/no-size.ndl:10: sw(1) has no switch_size (and 10 more)
[3]

$ inspire --check-network bad/ndl/size-twice.ndl
simulator: bad/ndl/size-twice.ndl:13: sw(3) already has a size, given in line 13
[3]

$ inspire --check-network bad/ndl/channels-differ.ndl
bad/ndl/channels-differ.ndl:17: pu(0).o(0) has 2 virtual channels and sw(0).i(1) has 1, expected the same number
bad/ndl/channels-differ.ndl:17: pu(1).o(0) has 2 virtual channels and sw(1).i(1) has 1, expected the same number
bad/ndl/channels-differ.ndl:17: pu(2).o(0) has 2 virtual channels and sw(2).i(1) has 1, expected the same number
bad/ndl/channels-differ.ndl:17: pu(3).o(0) has 2 virtual channels and sw(3).i(1) has 1, expected the same number
bad/ndl/channels-differ.ndl:18: sw(0).o(1) has 1 virtual channels and pu(0).i(0) has 2, expected the same number
bad/ndl/channels-differ.ndl:18: sw(1).o(1) has 1 virtual channels and pu(1).i(0) has 2, expected the same number
bad/ndl/channels-differ.ndl:18: sw(2).o(1) has 1 virtual channels and pu(2).i(0) has 2, expected the same number
bad/ndl/channels-differ.ndl:18: sw(3).o(1) has 1 virtual channels and pu(3).i(0) has 2, expected the same number
simulator: bad/ndl/channels-differ.ndl:17: pu(0).o(0) has 2 virtual channels and sw(0).i(1) has 1, expected the same number (and 7 more)
[3]

$ inspire --check-network bad/ndl/channels-many.ndl
bad/ndl/channels-many.ndl:13: sw(0) has 65 virtual channels, expected 1 to 64
bad/ndl/channels-many.ndl:13: sw(1) has 65 virtual channels, expected 1 to 64
bad/ndl/channels-many.ndl:13: sw(2) has 65 virtual channels, expected 1 to 64
bad/ndl/channels-many.ndl:13: sw(3) has 65 virtual channels, expected 1 to 64
bad/ndl/channels-many.ndl:16: sw(0).o(0): no such output, it has 0
bad/ndl/channels-many.ndl:16: sw(1).i(0): no such input, it has 0
bad/ndl/channels-many.ndl:16: sw(1).o(0): no such output, it has 0
bad/ndl/channels-many.ndl:16: sw(2).i(0): no such input, it has 0
bad/ndl/channels-many.ndl:16: sw(2).o(0): no such output, it has 0
bad/ndl/channels-many.ndl:16: sw(3).i(0): no such input, it has 0
bad/ndl/channels-many.ndl:16: sw(3).o(0): no such output, it has 0
bad/ndl/channels-many.ndl:16: sw(0).i(0): no such input, it has 0
bad/ndl/channels-many.ndl:17: sw(0).i(1): no such input, it has 0
bad/ndl/channels-many.ndl:17: sw(1).i(1): no such input, it has 0
bad/ndl/channels-many.ndl:17: sw(2).i(1): no such input, it has 0
bad/ndl/channels-many.ndl:17: sw(3).i(1): no such input, it has 0
bad/ndl/channels-many.ndl:18: sw(0).o(1): no such output, it has 0
bad/ndl/channels-many.ndl:18: sw(1).o(1): no such output, it has 0
bad/ndl/channels-many.ndl:18: sw(2).o(1): no such output, it has 0
bad/ndl/channels-many.ndl:18: sw(3).o(1): no such output, it has 0
simulator: bad/ndl/channels-many.ndl:13: sw(0) has 65 virtual channels, expected 1 to 64 (and 27 more)
[3]

$ inspire --check-network bad/ndl/route-port.ndl
simulator: bad/ndl/route-port.ndl:22: routing of sw(0) (from sw(3).o(0)), for a message to pu(0), names output 2, virtual channel 0; expected 0 to 1 and 0 to 0
[3]

$ inspire --check-network bad/ndl/route-channel.ndl
simulator: bad/ndl/route-channel.ndl:22: routing of sw(1) (from pu(1).o(0)), for a message to pu(0), names output 0, virtual channel 1; expected 0 to 1 and 0 to 0
[3]

$ inspire --check-network bad/ndl/route-end.ndl
simulator: bad/ndl/route-end.ndl:22: routing of sw(0) (from sw(3).o(0)), for a message to pu(0), comes to its end, expected route or retry
[3]

$ inspire --check-network bad/ndl/route-wrong.ndl
simulator: bad/ndl/route-wrong.ndl:21: routing of pu(1), for a message to pu(0), never brings it there
[3]

$ inspire --check-network bad/ndl/route-round.ndl
simulator: bad/ndl/route-round.ndl:21: routing of pu(1), for a message to pu(0), never brings it there
[3]

$ inspire --check-network bad/ndl/route-retry.ndl
simulator: bad/ndl/route-retry.ndl:21: routing of pu(1), for a message to pu(0), returns retry, whatever is free
[3]

$ inspire --check-network bad/ndl/deadlock.ndl
simulator: bad/ndl/deadlock.ndl: possible deadlock, virtual channels wait for each other: sw(0).o(0) -> sw(1).o(0) -> sw(2).o(0) -> sw(3).o(0) -> the first
[3]

$ inspire --check-network bad/ndl/one-node.ndl
simulator: bad/ndl/one-node.ndl:1: the network has 1 nodes, expected at least 2
[3]

# Misspelt or incomplete statements.

$ inspire --check-network bad/ndl/part-var.ndl
inspire: bad/ndl/part-var.ndl:7: unknown part 'vra', expected range, var, resource, connection, routing
[3]

$ inspire --check-network bad/ndl/part-range.ndl
inspire: bad/ndl/part-range.ndl:7: unknown part 'rang', expected range, var, resource, connection, routing
[3]

$ inspire --check-network bad/ndl/part-brace.ndl
inspire: bad/ndl/part-brace.ndl:20: expected '{' after routing
[3]

$ inspire --check-network bad/ndl/element.ndl
inspire: bad/ndl/element.ndl:7: unexpected '[', expected an operator or ']'; an expression has no array elements: write a C function, deg(j) for deg[j]
[3]

$ inspire --check-network bad/ndl/statement-name.ndl
inspire: bad/ndl/statement-name.ndl:10: unexpected 'swich', expected node or switch or switch_size or link or '}'
[3]

$ inspire --check-network bad/ndl/link-unknown.ndl
inspire: bad/ndl/link-unknown.ndl:17: unknown link ring, expected one declared in resource{} (did you mean rng?)
[3]

$ inspire --check-network bad/ndl/link-twice.ndl
inspire: bad/ndl/link-twice.ndl:9: duplicate link ring, first in line 9
[3]

$ inspire --check-network bad/ndl/link-clocks.ndl
simulator: bad/ndl/link-clocks.ndl:9: link ring of 201 clocks, expected 0 to 200
[3]

$ inspire --check-network bad/ndl/link-flit.ndl
simulator: bad/ndl/link-flit.ndl:9: link ring of 0 clocks a flit, expected 1 to 200
[3]

$ inspire --check-network bad/ndl/link-name.ndl
inspire: bad/ndl/link-name.ndl:9: link a_class_of_links: a name of 16 letters, expected at most 15
[3]

$ inspire --check-network bad/ndl/link-three.ndl
inspire: bad/ndl/link-three.ndl:9: unexpected ',', expected an operator or ')'
[3]

$ inspire --check-network bad/ndl/variable-end.ndl
inspire: bad/ndl/variable-end.ndl:8: unexpected 'resource', expected ';' or ','
[3]

$ inspire --check-network bad/ndl/connection-end.ndl
inspire: bad/ndl/connection-end.ndl:18: unexpected 'sw', expected ';'
[3]

# The C statements of a routing: the compiler names the line of the description.

$ for f in route-none route-three word-unknown; do inspire --check-network bad/ndl/$f.ndl 2>&1 | grep -o '^bad.*error: [a-z ]*' | sed -n 1p; done
bad/ndl/route-none.ndl:21:...: error: static...
bad/ndl/route-three.ndl:21:...: error: static...
bad/ndl/word-unknown.ndl:22:...: error: implicit declaration of function 

$ inspire --check-network bad/ndl/recursion.ndl
simulator: bad/ndl/recursion.ndl:23: the routing of sw(1): invalid address, or infinite recursion
[3]

# Questions about what is not there. Nodes of several kinds may differ in their dimensions: io has index 0 only.

$ inspire --check-network bad/ndl/dest-dimension.ndl
simulator: bad/ndl/dest-dimension.ndl:22: msg_dest_dim in the routing of sw(1), for a message to pu(0): no dimension 1, expected 0 to 0
[3]

$ inspire --check-network bad/ndl/dest-kinds.ndl
simulator: bad/ndl/dest-kinds.ndl:26: msg_dest_dim in the routing of sw(0), for a message to io(0): no dimension 1, expected 0 to 0
[3]

$ inspire --check-network bad/ndl/word-output.ndl
simulator: bad/ndl/word-output.ndl:21: swt_virt_free in the routing of pu(1), for a message to pu(0): no output 2, expected 0 to 0
[3]

$ inspire --check-network bad/ndl/word-channel.ndl
simulator: bad/ndl/word-channel.ndl:21: swt_virt_free in the routing of pu(1), for a message to pu(0): no virtual channel 1, expected 0 to 0
[3]

# Escape channels (Duato). Without a dateline they wait for each other: a message from switch 3 to 1, which came from 2 on
# adaptive channel 2, wants sw(0).o(0)#v(0), so sw(2).o(0)#v(0) depends on it indirectly.

$ inspire --check-network bad/ndl/escape-cycle.ndl
simulator: bad/ndl/escape-cycle.ndl: possible deadlock, escape channels wait for each other: sw(0).o(0)#v(0) -> sw(1).o(0)#v(0) -> sw(2).o(0)#v(0) -> the first
[3]

# With a dateline there is no cycle, but for messages that go round again where their way out is held: a message to 1 that
# holds sw(0).o(0)#v(1) goes round on channel 2 and wants it again.

$ sed 's/escape(0,0)/escape(0, i < msg_dest_dim(0))/' bad/ndl/escape-cycle.ndl > line.ndl; inspire --check-network line.ndl | grep -o 'no cycle of escape channels'
no cycle of escape channels

$ inspire --check-network bad/ndl/escape-indirect.ndl
simulator: bad/ndl/escape-indirect.ndl: possible deadlock, escape channels wait for each other: sw(0).o(0)#v(1) -> the first
[3]

# A head may only wait for an escape channel.

$ inspire --check-network bad/ndl/escape-wait.ndl
simulator: bad/ndl/escape-wait.ndl: possible deadlock, a head can wait without an escape: bad/ndl/escape-wait.ndl:22: routing of sw(1) (from pu(1).o(0)#v(0)), for a message to pu(0), waits for sw(1).o(0)#v(2), expected escape, or a test by swt_virt_free that it is free
[3]

$ inspire --check-network bad/ndl/escape-retry.ndl
simulator: bad/ndl/escape-retry.ndl: possible deadlock, a head can wait without an escape: bad/ndl/escape-retry.ndl:22: routing of sw(1) (from pu(1).o(0)#v(0)), for a message to pu(0), says retry, expected a test by swt_virt_free that an escape channel is held
[3]

# The check of a large network follows some destinations only, not node 1; a mistake met later ends the run all the same.

$ for x in 'msg_dest_dim(7);' 'route(99);'; do sed "s/^\tsw(i){$/&if (msg_dest_dim(0) == 1) $x/" configs/ndl/torus-dateline.ndl > line.ndl; nsim -q --network line.ndl --network-args 16x16x16 --pattern ring || echo $?; done
nsim: line.ndl:59: msg_dest_dim in the routing of sw(0), for a message to pu(1): no dimension 7, expected 0 to 0
3
nsim: line.ndl:59: routing of sw(0), for a message to pu(1), leads to no output of it, expected 0 to 6
3

# Links of a described network: one bandwidth and one cable for all; nothing of topology.* counts.

$ for k in link.bandwidth=1GB/s,2GB/s,3GB/s link.cable=1ns,2ns topology.dims=3x0; do nsim -q --network configs/ndl/full-mesh.ndl -p $k --pattern all_to_all 2>&1 | sed -n 1p; done
nsim: -p: link.bandwidth: 3 values, expected one: it is that of every connection of --network
nsim: -p: link.cable: 2 values, expected one: it is that of every connection of --network
nsim: warning: -p: topology.dims is not used with --network

# Files that are not there, too many operands.

$ inspire nothing.ndl
inspire: nothing.ndl: No such file or directory, nor in ...configs and its folders
[3]

$ inspire configs/ndl/torus.ndl nothing.c
inspire: nothing.c: No such file or directory
[3]

$ inspire configs/ndl/torus.ndl a.c b.c
inspire: b.c: expected one description and at most one PU file
[2]

$ inspire
inspire: no operand, expected NETWORK.ndl [PU.c] | --check-network NETWORK.ndl [ARGS]: see inspire --help
[2]


# Operands that the network does not take are those of its messages; without a run there are none.

$ inspire configs/ndl/torus.ndl -o torus; ./torus -q 4 x
simulator: configs/ndl/torus.ndl: net_config rejects the operands
[2]

$ ./torus -q 4 4 1 2 10 other
simulator: operand "other" behind those of the network: expected self or nothing
[2]

$ ./torus -q 4 4 1 2 ten
simulator: operand "ten" behind those of the network: expected bytes of a message, 1 to 1000000000
[2]

$ inspire --check-network configs/ndl/hyper-crossbar.ndl 8 8
simulator: configs/ndl/hyper-crossbar.ndl: net_config took 0 of 2 operands, unexpected operand "8"
[2]


# The same cycle in a run: the watchdog reports the waits.

$ inspire bad/ndl/deadlock.ndl -o ring && ./ring -q --load 0.9 -p wormhole.watchdog_clocks=100
simulator: bad/ndl/deadlock.ndl: clock 155: deadlock, 49 messages cannot move; each waits for the next: sw(3).o(0) -> sw(0).o(0) -> sw(1).o(0) -> sw(2).o(0) -> the first
[4]


# More than fits.

$ nsimcc -w -o p.so bad/mpi/status.c
$ nsim -q -n 2 --network configs/ndl/torus.ndl --network-args "3000 3000 30" p.so
nsim: configs/ndl/torus.ndl:28: pu has too many elements, expected at most 16777216 in all
[3]


# The compiler names the line of the description: line 21 begins the routing of pu.

$ sed 's/pu(i){ route(0); }/pu(i){\n\t\troute(to);\n\t}/' bad/ndl/deadlock.ndl > line.ndl; inspire --check-network line.ndl 2>&1 | sed -n 's/^\(line.ndl:[0-9]*\):.*error:.*/\1/p' | sed -n 1p
line.ndl:22

# A check of a network says the same each time.

$ for i in 1 2; do inspire --check-network configs/ndl/torus.ndl 4 4 > check$i; done; cmp check1 check2; grep '^  command' check1
  command               simulator --check-only -- 4 4

# Temporary files are in TMPDIR.

$ TMPDIR=none inspire --check-network configs/ndl/torus.ndl; TMPDIR=none nsim -q -n 2 --network configs/ndl/torus.ndl p.so
inspire: temporary folder in none: No such file or directory, expected a folder in TMPDIR that you can write to
nsim: temporary folder in none: No such file or directory, expected a folder in TMPDIR that you can write to
[1]

# A signal ends the compiler and what it started, and the temporary folder is removed.

$ mkfifo ready; printf '#!/bin/sh\necho $$ > ready\nsleep 100000\n' > slow; chmod +x slow; mkdir tmp; TMPDIR=$PWD/tmp inspire --cc ./slow configs/ndl/torus.ndl -o slow.out & read pid < ready; kill -TERM $!; wait $!; echo status $?; ls tmp; kill -0 $pid 2> /dev/null || echo ended; rm -r ready slow tmp
inspire: ./slow: interrupted by signal 15
status 1
ended
