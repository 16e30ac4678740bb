# Energy of whole runs (docs/models/system-energy.md), by hand.
# needs: cc

$ printf '#include "bsim.h"\n#include "lmpi.h"\n#include <stdlib.h>\nint LMPI_Main(int argc, char *argv[])\n{\n\tint rank, size, bytes = argc > 1 ? atoi(argv[1]) : 1000000;\n\tdouble n = 5;\n\n\tLMPI_Comm_rank(LMPI_COMM_WORLD, &rank);\n\tLMPI_Comm_size(LMPI_COMM_WORLD, &size);\n\tBSIM_Phase("work");\n\tif (BSIM_Has_model("m"))\n\t\tBSIM_Add_model("m", 1, &n);\n\telse\n\t\tBSIM_Add_time(rank ? 0.002 : 0.001);\n\tBSIM_Flops(1e9);\n\tBSIM_Phase("pass");\n\tif (rank == 1)\n\t\tLMPI_Send(0, bytes, LMPI_BYTE, 0, 0, LMPI_COMM_WORLD);\n\telse if (size > 1)\n\t\tLMPI_Recv(0, bytes, LMPI_BYTE, 1, 0, LMPI_COMM_WORLD, LMPI_STATUS_IGNORE);\n\treturn 0;\n}\n' > two.c; bsimcc -O1 two.c -o two.so

# Two nodes on a crossbar of links of 1 GB/s. Hosts, memory and routers take no time.

$ printf 'unused = allowed\n[topology]\nkind = crossbar\ndims = 2\n[link]\nbandwidth = 1 GB/s\ncable = 0\nenergy = 2\n[nic]\ndma = 100 GB/s\nmemory = 100 GB/s\nheader = 0\n[router]\nroute = 0\nvc_allocation = 0\nswitch_allocation = 0\nflit_transfer = 0\nswitch_delay = 0\n[linear]\nlatency = 0\nbandwidth = 1 GB/s\n[mpi]\noverhead = 0\neager = 10 MiB\n' > net.ini
$ printf '$1 == "power_parts" { x[$2, $3] = $4 } END { for (i = 0; ("part", i) in x; i++) printf "%%s %%.6g\\n", x["part", i], x["energy", i] }' > parts.awk; printf 'exec awk -F, -f parts.awk' > parts; printf '$1 == "power" && $2 == name { printf "%%.6g\\n", $4 }' > figure.awk; printf 'exec awk -F, -v name="$1" -f figure.awk' > figure

# A rank that computes for 1 ms at 100 W, on a node of 20 W: 0.1 J and 0.02 J. EDP: 0.12 J x 1 ms; 1e9 operations for 0.12 J.

$ bsim -q -c net.ini -n 1 -p power.compute=100 -p power.node=20 -p power.link_idle=0 -f csv two.so > one.csv 2>/dev/null; sh parts < one.csv; for f in energy power edp nodes network flops_per_watt; do sh figure $f < one.csv; done | xargs
compute 0.1
nodes 0.02
0.12 120 0.00012 1 50 8.33333e+09

# Rank 0 computes for 1 ms, rank 1 for 2 ms, and then sends 1 MB in 1 ms. So 3 ms of computing; rank 0 waits 2 ms, rank 1 waits 1 ms,
# half a millisecond of each awake: 1 ms awake, 2 ms asleep. 8e6 bits are read and written in memory, pass two NICs, two links and
# the router. Four links of 16 mW for 3 ms are 192 uJ, of which bits take 32. All parts: 562.416 mJ, / 0.8, x 1.5.

$ printf '[power]\ncompute = 100\nwait = 50\nsleep = 10\nsleep_after = 500 us\nmemory = 5\nmemory_bit = 10\nnic = 3\nnic_bit = 2\nnode = 20\nrouter = 8\nrouter_bit = 4\nsupply = 0.8\ncooling = 0.5\n' > power.ini
$ bsim -q -c net.ini -c power.ini -n 2 -e flow --each-rank --json -o two.json two.so; bsim -q -c net.ini -c power.ini -n 2 -e flow --each-rank -f csv two.so > two.csv; sh parts < two.csv; sh figure energy < two.csv
compute 0.3
wait 0.05
sleep 0.02
memory 0.03
memory_bits 0.00016
nics 0.018
nic_bits 3.2e-05
nodes 0.12
routers 0.024
router_bits 3.2e-05
links 3.2e-05
links_idle 0.00016
supply 0.140604
cooling 0.35151
1.05453

# By rank, phase and call: rank 0 takes 100 + 25 + 15 mJ, rank 1 200 + 25 + 5.

$ awk -F, '$1 == "power_ranks" && $2 == "processor" || $1 == "power_calls" && $2 == "energy" || $1 == "power_phases" && $2 == "processors" { printf "%s %.6g\n", $1, $4 }' two.csv
power_phases 0
power_phases 0.3
power_phases 0.07
power_calls 0.04
power_calls 0.03
power_ranks 0.14
power_ranks 0.23

# Tables hold what their columns imply; two processes write the same bytes.

$ python3 $PSIM/tests/cli/tables.py $PSIM/tests/cli/tables.rules two.json | sed 's/: .*tables.*/: tables hold/'
two.json: tables hold
$ for e in flow packet linear; do for j in 1 2; do bsim -q -j $j -c net.ini -c power.ini -n 2 -e $e --each-rank -f csv two.so 2>/dev/null | grep -v -e ',command,' -e '^host,' > $e.$j; done; cmp $e.1 $e.2 && echo $e; done
flow
packet
linear

# The linear engine knows no links: bits through NICs, links and routers are unknown, and said to be. All else is the same.

$ bsim -c net.ini -p power.nic_bit=1 -n 2 -e linear -o linear.txt two.so; grep unknown linear.txt; bsim -q -c net.ini -c power.ini -n 2 -e linear -f csv two.so 2>/dev/null | sh parts | grep -E 'compute|wait|memory_bits|links|router'
bsim: warning: -p: power.nic_bit is not used by engine linear
  unknown               energy of bits through links, NICs and routers  # what the engine does not say: engines packet
compute 0.3
wait 0.05
memory_bits 0.00016
routers 0.024
links_idle 0.000192

# Models say joules and bytes, too: 1 ms, 0.2 J and 1 MB for each n, so 5 ms, 1 J and 5 MB for n = 5. What makes the run slower adds
# energy in proportion, and no bytes: 2 J, and 5 MB x 8 x 10 pJ.

$ awk 'BEGIN { print "n,seconds,joules,bytes"; for (n = 1; n <= 8; n++) print n "," n / 1000 "," n / 5 "," n * 1e6 }' > m.csv; psim-fit --terms n --energy joules --memory bytes --model m.model m.csv | awk '/^quantity_fits/,/^$/ { print $1, $2, $3, $4 }' | grep '^[em]'
energy joules 0.2*n 8
memory bytes 1e+06*n 8
$ bsim -q -c net.ini -n 1 -p power.compute=100 -p power.memory_bit=10 -p power.link_idle=0 --model m=m.model -f csv two.so 2>/dev/null | sh parts; bsim -q -c net.ini -n 1 -p power.compute=100 -p power.memory_bit=10 -p power.link_idle=0 -p machine.slowdown=2 --model m=m.model*1.5 -f csv two.so 2>/dev/null | sh parts
models 1
memory_bits 0.0004
models 3
memory_bits 0.0006
$ for j in 1 2; do bsim -q -j $j -c net.ini -c power.ini -n 2 -e flow --model m=m.model --each-rank -f csv two.so | grep -v -e ',command,' -e '^host,' > model.$j; done; cmp model.1 model.2 && echo same
same

# A machine of four nodes, of which two have ranks: they count, with half of the network; or all.

$ for c in used all; do bsim -q -c net.ini -n 2 -e flow -p topology.dims=4 -p power.node=20 -p power.router=8 -p power.count=$c -f csv two.so > c.csv; sh parts < c.csv | xargs; sh figure nodes < c.csv; done
nodes 0.12 routers 0.012 links 3.2e-05 links_idle 0.00016
2
nodes 0.24 routers 0.024 links 3.2e-05 links_idle 0.000352
4

# Traffic without a program: all processors wait. A node that is down takes nothing.

$ printf 'ranks 2\nsend 0 1 1 1000000\nreceive 1 0 1\n' > one.pattern; nsim -q -e flow -c net.ini -p power.wait=50 -p power.link_idle=0 --pattern-file one.pattern -f csv 2>/dev/null | sh parts
wait 0.1
links 3.2e-05
$ nsim -q -e flow -c net.ini -p topology.dims=4 -p topology.down=node:3 -p power.node=20 -p power.count=all --pattern-file one.pattern -f csv 2>/dev/null | sh parts | sed -n 1p
nodes 0.06

# Without figures there is no energy; presets are figures of machines.

$ bsim -q -c net.ini -n 2 -e flow -f csv two.so | grep -c '^power'; for p in k-computer bluegene-l; do bsim -q -c net.ini -c power/$p.ini -n 2 -e flow -f csv two.so 2>&1 | sh parts | sed -n 1p; done
0
compute 0.174
compute 0.0387

# Idle memory, a processor that works: (58 + 28) W / 0.9, and 12.9 W / 0.9.

$ for p in k-computer bluegene-l; do bsim -q -c net.ini -c power/$p.ini -n 1 -e flow -f csv two.so 2>&1 | sh figure power; done
95.5556
14.3333

# Failures change the time alone: 1 ms of sending, the link down for 1 ms more.

$ bsim -q -c net.ini -n 2 -e flow -p topology.kind=torus -p topology.dims=2x2 -p topology.routing=graph:minimal -p power.node=20 --fail 2500us:0-1 --check -f csv two.so > fail.csv && awk -F, '$1 == "program" && $2 == "seconds" { s = $4 } $1 == "power" && $2 == "energy" { e = $4 } $1 == "power_parts" && $2 == "energy" && $3 == 0 { printf "%.6f\n", $4 / (40 * s) }' fail.csv
1.000000

# Links that share a bandwidth (docs/formats/graph-format.md#a-backbone): four hosts send 100 MB each over a bus of 200 MB/s, 2 s at its
# full rate: use 1, and 200 MB/s x 8 x 2 pJ = 3.2 mW. It carries 400 MB, on eight links. A wire both ways: half of 125 MB/s each, 1 mW.

$ printf 's a bus\ns b bus\ns c bus\ns d bus\nnodes s 0\n' > star.graph; printf 'a b wire\n' > wire.graph; printf '($1 == "flow.links" && $2 ~ /^(carried|use|busy)/ || $1 == "power_links" && $2 == "full") && $3 == 0 { printf "%%s %%.4g\\n", $2, $4 }' > shared.awk
$ nsim -q -e flow --graph star.graph -p link.bus.backbone=yes -p link.bus.bandwidth=200MB/s -p link.nic_bandwidth=125MB/s -p link.energy=2 -p power.node=1 --pattern shift:size=1000000 -f csv | awk -F, -f shared.awk
carried 4e+08
use_mean 1
use_most 1
busy_mean 1
full 0.0032
$ nsim -q -e flow --graph wire.graph -p link.wire.half_duplex=yes -p link.wire.bandwidth=125MB/s -p link.nic_bandwidth=125MB/s -p link.energy=1 -p power.node=1 --pattern shift:size=1000000 -f csv | awk -F, -f shared.awk
carried 2e+08
use_mean 1
use_most 1
busy_mean 1
full 0.001
$ nsim -q -e flow -p topology.kind=mesh -p topology.dims=2 -p link.+x.half_duplex=yes --pattern shift 2>&1; nsim -q -e flow -p topology.kind=mesh -p topology.dims=2 -p link.+x.half_duplex=yes -p link.-x.half_duplex=yes -p link.-x.bandwidth=1GB/s --pattern shift 2>&1 | sed 's/, expected.*//'
nsim: flow engine: link 0-1, half duplex of class +x, has no link back of its class, expected one of a half-duplex class with its bandwidth
nsim: flow engine: link 0-1, half duplex of class +x, has no link back of its class

# Idle links take power by their rate and energy with all engines: these keys are used, unless idle links sleep.

$ for e in none linear flow; do bsim -q -c net.ini -p link.energy=3 -p link.bandwidth=2GB/s -p power.node=1 -n 2 -e $e -o none.txt two.so; done; bsim -q -n 2 -e none -p topology.kind=torus -p topology.dims=2 -p link.+x.energy=3 -p link.+x.bandwidth=1GB/s -p power.node=1 -o none.txt two.so
$ for i in 0 1; do bsim -q -n 2 -e none -p link.energy=3 -p link.bandwidth=2GB/s -p power.node=1 -p power.link_idle=$i -o none.txt two.so; done; bsim -q -n 2 -e none -p link.cable=1ns -p link.energy=3 -p power.node=1 -o none.txt two.so
bsim: warning: -p: link.bandwidth, link.energy are not used with power.link_idle = 0
bsim: warning: -p: link.cable is not used by engine none

# Sleep needs a time, and a figure.

$ bsim -n 2 -e flow -c net.ini -p power.wait=20 -p power.sleep=20 -o none.txt two.so; bsim -n 2 -e flow -c net.ini -p power.wait=20 -p power.sleep_after=10us -o none.txt two.so; bsim -n 2 -e flow -c net.ini -p power.wait=20 -p power.sleep_after=10us -p power.sleep=0 -o none.txt two.so
bsim: warning: -p: power.sleep is not used with power.sleep_after = 0
bsim: note: processors that wait for longer than power.sleep_after take 0 W: power.sleep is not given

# One run of one program or pattern has energy.

$ nsim -e flow -c net.ini -c power.ini --job 'n=1 pattern=uniform' --job 'n=1 pattern=uniform'
nsim: [power] and --job: expected one run of one program or pattern, or no power
[2]
$ nsim -e flow -c net.ini -c power.ini --pattern uniform --load 0.1
nsim: [power] and --load: expected one run of one program or pattern, or no power
[2]
$ bsim -c net.ini -p power.compute=-1 two.so; bsim -c net.ini -p power.wait=5 -p power.sleep=9 -p power.sleep_after=1us two.so; bsim -c net.ini -p power.suply=0.9 two.so; bsim -c net.ini -p power.cooling=0.5 -n 2 -o none.txt two.so
bsim: -p: power.compute: -1 is out of range, expected 0 to 1000000 W
bsim: -p: power.sleep = 9 W: expected at most power.wait = 5 W, which it saves
bsim: -p: unknown key suply in section [power], did you mean supply?
bsim: warning: -p: power.cooling is not used without figures in [power]

# Models that are none: a quantity that nobody knows, a term that is none, energy below zero at the program's size.

$ for s in 's/"energy"/"heat"/' 's/"term": "n"/"term": "n^"/' 's/0\.199[0-9]*/-0.2/'; do sed "/\"quantities\"/,/\]/$s" m.model > bad.model; bsim -q -c net.ini -n 1 -p power.compute=1 --model m=bad.model two.so; done
bsim: --model m=bad.model: bad.model: quantities: expected energy or memory
bsim: --model m=bad.model: bad.model: quantities: term 'n^': expected a power like 2, 1.5 or (3/2) at ''
bsim: rank 0: BSIM_Add_model at LMPI_Main (two.c:13): model 'm': energy below 0 or none at n = 5, expected 0 or more
[1]
$ psim-fit --terms n --terms 'n^2' --energy joules m.csv; psim-fit -i --memory bytes m.csv; psim-fit --terms n --energy watts m.csv
psim-fit: --energy: expected one sum of terms, not several --terms
psim-fit: --memory: expected one sum of terms, not --interpolate
psim-fit: --energy: m.csv:1: no column 'watts' in the header, expected it
[3]

# Where nodes fail (docs/models/reliability.md): two nodes of 8 h each, 4 h together; 1 h of work in intervals of 30 min with 2 min each.
# Daly: 14400 e^(60/14400) (e^(1920/14400) - 1) x 2 = 4124.9 s. The trials have it within their interval, with the energy of
# the run in proportion; on two processes the same.

$ for j in 1 2; do bsim -q -j $j -c net.ini -n 2 -e flow -p power.node=20 -p power.link_idle=0 -p reliability.node_mtbf=8 -p reliability.checkpoint=120 -p reliability.restart=60 -p reliability.interval=1800 -p reliability.work=3600 -p reliability.trials=2000 -f csv two.so > fails.$j; grep ^reliability fails.$j > rows.$j; done; cmp rows.1 rows.2; awk -F, '$1 == "reliability" { x[$2] = $4 } $1 == "program" && $2 == "seconds" { s = $4 } $1 == "power" && $2 == "energy" { e = $4 } END { d = x["seconds"] - x["expected"]; printf "%g %.1f %.1f %d %.6f\n", x["mtbf"], x["young"], x["expected"], d * d < 4 * x["seconds_error"]^2, x["energy"] / (e * x["seconds"] / s) }' rows.1 fails.1
14400 1859.0 4124.9 1 1.000000
$ bsim -q -c net.ini -p reliability.node_mtbf=8 -p reliability.work=3600 two.so; nsim -q -p reliability.node_mtbf=8 -p reliability.checkpoint=1 --job 'n=1 pattern=uniform' --job 'n=1 pattern=uniform'; bsim -q -c net.ini -n 2 -p reliability.node_mtbf=1e-4 -p reliability.checkpoint=1000 -p reliability.restart=1000 -p reliability.interval=1000 -p reliability.work=1e6 two.so 2>&1 | grep endless
bsim: -p: reliability.work without reliability.checkpoint: expected the time of a checkpoint, or reliability.interval, or the work of the run, in which the program marks checkpoints
nsim: [reliability] and --job: expected one run of one program or pattern, or no failures
  endless               the program hardly advances between failures  # why no time to solution is known
$ bsim -q -c net.ini -n 2 -p reliability.node_mtbf=8 -p reliability.checkpoint=1 -p reliability.interval=0.001 -p reliability.work=1e6 -o none.txt two.so
bsim: reliability: 1e+09 checkpoints of a work of 1e+06 s, expected at most 100000: a longer interval
[2]

# That is known before the run. Where the work is that of the run, the report stays, without a time to solution.

$ bsim -q -c net.ini -n 2 -p reliability.node_mtbf=8 -p reliability.interval=0.001 -p reliability.work=1e6 -o none.txt none.so
bsim: reliability: 1e+09 checkpoints of a work of 1e+06 s, expected at most 100000: a longer interval
[2]
$ bsim -q -c net.ini -n 2 -p power.node=20 -p reliability.node_mtbf=1e-9 -p reliability.interval=1e-20 -f csv two.so > many.csv; awk -F, '$1 == "program" && $2 == "seconds" { s = $4 } $1 == "power" && $2 == "energy" { e = $4 } $1 == "reliability" { x[$2] = $4; n = n " " $2 } END { print (s > 0), (e > 0), n, (x["work"] == s), sprintf("%.6f", x["checkpoints"] * 1e-20 / s) }' many.csv
1 1  work mtbf interval expected checkpoints 1 1.000000

# Formulas have rows where they hold: no expected time of a work that is shorter than its interval, no interval of Young where a
# checkpoint takes as long as two failures.

$ for o in interval=3600 'checkpoint=9 -p reliability.node_mtbf=0.001'; do bsim -q -c net.ini -n 2 -p reliability.node_mtbf=8 -p reliability.$o -f csv two.so | awk -F, '$1 == "reliability" { n = n " " $2 } END { print n }'; done
 work mtbf interval checkpoints failures saving repeated restarting seconds seconds_error seconds_low seconds_high lost
 work mtbf daly interval checkpoints failures saving repeated restarting seconds seconds_error seconds_low seconds_high lost
