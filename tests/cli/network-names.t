# A named network is shown by its names, in every output (docs/formats/graph-format.md#names): network_names.py has a row for each.
# needs: cc

$ nsimcc -O1 examples/ring.c -o ring.so; python3 "$PSIM/tests/cli/network_names.py"
24 outputs of 2 networks

# A program sees the name of its node; vertices that have numbers do not name nodes.

$ printf '#include <mpi.h>\n#include <stdio.h>\nint main(int argc, char **argv) { char name[MPI_MAX_PROCESSOR_NAME]; int n; MPI_Init(&argc, &argv); MPI_Get_processor_name(name, &n); printf("%%s %%d\\n", name, n); MPI_Finalize(); return 0; }\n' > where.c; nsimcc -o where.so where.c; nsim -q --graph g.graph -o o where.so | sort; printf '3 4\nnodes 4 2\n' > n.graph; nsim -q --graph n.graph -o o where.so | sort
edge 4
leaf.0 6
leaf.1 6
node0 5
node1 5
node2 5

# Items of --fail have them, and messages about failures do.

$ nsim -q -e flow --graph g.graph --pattern incast:size=1000 --fail 0:node:edge -o o
nsim: a message from node edge to node leaf.0 at 0 s: node edge is down, expected no message of it
[1]

$ nsim -q -e flow --graph g.graph --pattern incast:size=1000 --fail 0:node:nobody -o o
nsim: --fail: node:nobody: no node nobody, expected leaf.0 to edge
[2]

# Two jobs of two nodes each share the links between their routers, 1032 bytes of each. A note on a node has its name.

$ printf 'leaf spine\nspine edge\nnodes leaf 2\nnodes spine 0\nnodes edge 2\n' > four.graph; printf '0 2\n' > even; printf '1 3\n' > odd; for l in even odd; do echo "--job 'place=list:$l pattern=shift:size=1000'"; done | xargs nsim -q -e packet --graph four.graph -f csv | awk -F, '$1 == "job_links" && $3 < 2 { print $3, $2, $4 }' | sort | grep -v bytes; nsim --graph p.xml -p ranks.per_node=3 -n 3 -o o ring.so 2>&1 | sed -n "/note/p" | sed -n 1p
0 class link
0 from leaf
0 job 1
0 link leaf-spine
0 other 2
0 to spine
1 class link
1 from spine
1 job 1
1 link spine-leaf
1 other 2
1 to leaf
nsim: note: all 3 ranks are on node Tremblay: the network is not used
