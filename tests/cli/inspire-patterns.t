# The patterns of nsim in simulators of inspire (docs/formats/ndl.md).

$ inspire configs/ndl/torus-dateline.ndl -o torus; inspire configs/ndl/mesh.ndl -o mesh

# A head takes a clock a link, two of them those of its PUs, and waits where it meets another. A tornado on 8 x 8 goes 3 links along each
# dimension, a neighbour 1; the complement on a mesh 1 to 7 along each. No two PUs share a link where all send to a neighbour.

$ for p in tornado neighbor; do ./torus -q --load 0.002 --pattern $p:size=1,dims=8x8 8x8 | awk '/latency_least/ { print $2 }'; done; ./torus -q --load 0.002 --pattern neighbor:size=1,dims=8x8 8x8 | awk '/latency_most/ { print $2 }'; ./mesh -q --load 0.002 --pattern bit_complement:size=1 8 8 | awk '/latency_least/ { print $2 } /latency_most/ { print ($2 >= 16) }'
8
4
4
4
1

# All but one send to that one: 1 of 64 bytes a clock and PU. In bursts the mean load is the same: 0.02, within 5 % in long runs.

$ ./mesh -q --load 0.1 --pattern incast 8 8 | awk '$1 == "accepted" { print $2 }'; for p in uniform mix:shift=1,uniform=3 uniform:burst=20; do ./mesh -q -p run.clocks=100000 --load 0.02 --pattern $p$(case $p in *:*) echo ,;; *) echo :;; esac)size=2 8 8 | awk '$1 == "offered" { print ($2 > 0.019 && $2 < 0.021) }'; done
0.015625
1
1
1

# The worst case of dimension order by nsim, as pairs: a link has 7 PUs' bytes, so 1/7 is accepted of its senders (a link carries
# 0.125 where all 57 of 64 send 1/7).

$ nsim -q --network configs/ndl/mesh.ndl --network-args '8 8 1' --pattern worst_case:messages=1 --matrix m.txt -o report; awk 'NF == 4 && $1 != "#" { print $1, $2 }' m.txt > worst.pairs; ./mesh -q --load 0.12,0.16 --pattern pairs:file=worst.pairs,size=1 8 8 1 | awk '/^  0/ { print $6 }'
yes
behind

# Mistakes.

$ ./mesh -q --pattern worst_case 8 8
simulator: pattern: worst_case is not for simulators, expected nsim --network, which knows paths
[2]
$ ./mesh -q --pattern uniform:gap=5 8 8
simulator: pattern: gap is not for simulators, expected load
[2]
$ ./mesh -q --pattern mix:uniform=1,worst_case=1 8 8
simulator: pattern: worst_case is not for simulators, expected nsim --network, which knows paths
[2]
$ ./mesh -q --load 0 --pattern uniform 8 8
simulator: pattern: a load of 0, expected one above 0
[2]
$ ./mesh -q --pattern uniform 8 8 2 100
simulator: ...: net_config took 3 of 4 operands, unexpected operand "100" with --pattern
[2]
$ ./mesh -q --strict --pattern uniform:root=5 8 8
simulator: pattern: pattern.root is not used by uniform, expected keys that are (--strict)
[2]
$ ./mesh -q --pattern pairs 8 8
simulator: pattern: pairs without a file, expected pairs:file=NAME
[2]

# A value is not a key: this file's name has two of them in it, and is read.

$ echo 0 1 > gap=worst_case; ./mesh -q --load 0.01 --pattern pairs:file=gap=worst_case,size=1 8 8 | awk '/latency_least/ { print $2 }'
3

# All but one of 64 PUs send to that one, which takes a byte a clock: the network saturates at 1/63 = 0.01587. The same on several processes, also
# where each load is given; a PU file that fails says so.

$ for j in 1 2; do ./mesh -q -j $j --pattern incast:size=1 --load 0.004:0.04:0.004 --saturation -p run.clocks=20000 -f csv 8 8 | grep -v ',command,' > saturation$j.csv; ./mesh -q -j $j --load 0.05,0.1,0.2 --use-svg use$j.svg -f csv 8 8 | grep -v ',command,' > loads$j.csv; done; cmp saturation1.csv saturation2.csv; cmp loads1.csv loads2.csv; cmp use1.svg use2.svg; awk -F, '$1 == "saturation" { x[$2] = $4 } END { print (x["below"] > 0.0145 && x["above"] < 0.0168 && x["above"] - x["below"] <= 0.01 * x["above"]), (x["accepted"] < 1 / 64 + 0.0002) }' saturation1.csv
1 1
$ printf '#include <stdlib.h>\n#include "netlink/engine/wormhole/pu.h"\nvoid *pu_init(struct pu *self, int argc, char **argv) { return (void)self, (void)argc, (void)argv, (void *)0; }\nstruct pu_action pu_exec(struct pu *self, void *variables) { (void)variables; if (pu_load(self) > 0.1) abort(); return pu_compute(1); }\n' > stops.c; inspire configs/ndl/mesh.ndl stops.c -o stops && ./stops -q -j 2 --load 0.05,0.2 8 8
simulator: load 0.2: configs/ndl/mesh.ndl: pu_exec of pu(0,0): call of abort
[3]
$ ./mesh -q -j 2 --load 0.1 8 8
simulator: --processes (-j) 2: one load, expected several (--load)
[2]
$ ./mesh -q --saturation --load 0,0.1 8 8
simulator: --load: 0 is no load, expected above 0 to 1e+06
[2]

# A load has the figures of a run alone, also where the description keeps variables: mesh.ndl has where messages went.

$ ./mesh -q --load 0.1,0.2 --pattern transpose:size=1 -f csv 8 8 | awk -F, '$2 == "accepted" && $3 == 1 { print $4 }' > several; ./mesh -q --load 0.2 --pattern transpose:size=1 -f csv 8 8 | awk -F, '$1 == "result" && $2 == "accepted" { print $4 }' | cmp - several && echo same
same
