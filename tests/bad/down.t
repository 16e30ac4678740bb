# Mistakes in what is down, and in what fails.

$ down() { nsim -q -p topology.kind=torus -p topology.dims=4x4 -p topology.routing=${2:-minimal} -p topology.down=$1 --pattern all_to_all; echo $?; }; down 0-5; down 0-99; down 0-1,1-0; down router:16; down node:x; down 2; down 0.1:x; down links; down 0-1 dimension_order; down ,
nsim: topology.down: 0-5: no link between these routers, expected a neighbour of 0: 1, 3, 4, 12
2
nsim: topology.down: 0-99: no router 99, expected one of 16 routers, 0 to 15
2
nsim: topology.down: 1-0: it is down already, expected what is up
2
nsim: topology.down: router:16: no router 16, expected one of 16 routers, 0 to 15
2
nsim: topology.down: node:x: no node x, expected 0 to 15
2
nsim: -p: topology.down: 2: a share of 2, expected above 0 to 1
2
nsim: -p: topology.down: 0.1:x: seed 'x', expected a number of up to 18 digits
2
nsim: -p: topology.down: links: expected a link A-B, router:R, node:N or a share of the links SHARE:SEED
2
nsim: -p: topology.routing: torus: routing dimension_order does not go round links that are down, expected one over any graph: minimal, ecmp, random, adaptive, up_down, layered, valiant, ugal
2
nsim: -p: topology.down: no item, expected none or a link, router, node or share
2

$ fail() { nsim -q -p topology.kind=torus -p topology.dims=4x4 -p topology.routing=minimal "$@" --pattern all_to_all; echo $?; }; fail --fail 0-1; fail --fail -1us:0-1; fail --fail 1us:; fail --fail 1us:0-5; fail --repair 1us:0-1; fail --fail 2us:0-1 --repair 1us:0-1; fail --fail 1us:0-1 --fail 2us:1-0; fail --fail 1us:0.1 --repair 2us:0.1; fail --fail 1us:0-1 -p router.queues=per_vc; fail --fail 1us:0-1 -p topology.routing=default
nsim: --fail 0-1: expected TIME:ITEM, a time from 0 up and a link A-B, router:R or node:N
2
nsim: --fail -1us:0-1: expected TIME:ITEM, a time from 0 up and a link A-B, router:R or node:N
2
nsim: --fail 1us:: no item, expected a link A-B, router:R or node:N
2
nsim: --fail: 0-5: no link between these routers, expected a neighbour of 0: 1, 3, 4, 12
2
nsim: --repair: 0-1: it is up, expected what has failed before
2
nsim: --repair: 0-1: it is up, expected what has failed before
2
nsim: --fail: 1-0: it is down already, expected what is up
2
nsim: --repair: 0.1: a share, expected a link A-B, router:R or node:N
2
nsim: links that fail during a run: expected router.queues = per_output, router.input_port = unlimited, router.classes = 1 and nic.window = 0
2
nsim: -p: topology.routing: torus: routing dimension_order does not go round links that are down, expected one over any graph: minimal, ecmp, random, adaptive, up_down, layered, valiant, ugal
2

# Engines and programs that do not take them.

$ fail() { nsim -q -p topology.kind=torus -p topology.dims=4x4 -p topology.routing=minimal "$@" --pattern all_to_all; echo $?; }; fail -e linear --fail 1us:0-1; fail -e table -p topology.down=0-1; bsim -p topology.dims=4x4 -p topology.routing=minimal -p topology.down=0-1 nothing.so; nsim -q --network configs/ndl/mesh.ndl --fail 1us:0-1 --pattern all_to_all; mopt -t torus:4x4 -p topology.routing=minimal -p topology.down=node:3 bruck:4:1; printf 'ranks 2\n0 0\n1 3\n' > map; nsim -q -p topology.dims=4x4 -p topology.down=node:3 --mapping map --pattern all_to_all
nsim: warning: -p: topology.routing is not used by engine linear
nsim: --fail: engine linear does not model links, expected engine packet or flow
2
nsim: warning: -p: topology.routing is not used by engine table
nsim: topology.down: engine table does not model links, expected engine packet or flow
2
bsim: warning: -p: topology.routing is not used by engine linear
bsim: topology.down: engine linear does not model links, expected engine packet or flow
nsim: --fail: a description has its own links and routing (--network), expected a network of topology.kind
mopt: topology.down: no way from node 0 to node 3, expected a network in one part with all of its nodes
nsim: map: rank 1 on node 3, which is down, expected another node
[3]

$ nsim -q -p topology.dims=4x4 -p topology.routing=layered --pattern ring:size=1 --fail 1us:0-1
nsim: -p: topology.routing: torus: layers of one network and of the next have cycles together: expected another routing than layered where links fail during a run
[2]
