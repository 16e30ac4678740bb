# Flows where the routing leaves a choice: messages are spread over its ways. What packets take is the measure: flows are within
# 20 % of them by adaptive routing and Valiant's, and UGAL gets away from links that minimal ways share: the
# first one on a dragonfly, some in the middle of a mesh.

$ way() { nsim -q -e $1 -p topology.kind=$2 -p topology.dims=$3 -p topology.routing=$4 --pattern $5:size=256KiB -f csv | sed -n 's/^traffic,time,,\(.*\),s/\1/p'; }; near() { echo "$(way flow "$@") $(way packet "$@")" | awk '{ print ($1 / $2 > 0.8 && $1 / $2 < 1.2 ? "near" : "not near: " $0) }'; }; near torus 8x8 adaptive tornado; near torus 8x8 valiant tornado; near torus 8x8 ugal tornado; near mesh 6x6 adaptive transpose; near mesh 6x6 valiant transpose; near dragonfly 2x4x2 valiant next_group; near dragonfly 2x4x2 ugal uniform; near fat_tree 4x4 adaptive uniform; echo $(way flow mesh 6x6 dimension_order transpose) $(way flow mesh 6x6 ugal transpose) | awk '{ print ($2 < 0.85 * $1) }'; echo $(way flow dragonfly 2x4x2 minimal next_group) $(way flow dragonfly 2x4x2 valiant next_group) $(way flow dragonfly 2x4x2 ugal next_group) | awk '{ print ($2 < 0.4 * $1), ($3 < 0.6 * $1) }'
near
near
near
near
near
near
near
near
1
1 1

# Modes n and f have one way for a message.

$ nsim -q -e flow -p flow.mode=n -p topology.routing=adaptive --pattern ring:size=8
nsim: flow.mode = n uses a single path, expected maxmin with topology.routing = adaptive
[2]
