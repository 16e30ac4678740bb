# Studies of systems (docs/guide/sweep-systems.md): programs on networks, by bsim and nsim.
# needs: cc

# Ranks share a second of work, or have one each; then each sends its neighbour 1 MB on a crossbar of 1 GB/s: 1 ms.

$ printf '#include "bsim.h"\n#include "lmpi.h"\n#include <stdlib.h>\nint LMPI_Main(int argc, char *argv[])\n{\n\tint rank, size;\n\n\t(void)argc;\n\tLMPI_Comm_rank(LMPI_COMM_WORLD, &rank);\n\tLMPI_Comm_size(LMPI_COMM_WORLD, &size);\n\tBSIM_Add_time(argv[1][0] == 0x73 ? 1.0 / size : 1);\n\tBSIM_Flops(1e9);\n\tif (atoi(argv[2]))\n\t\tLMPI_Sendrecv(0, atoi(argv[2]), LMPI_BYTE, (rank + 1) %% size, 0, 0, atoi(argv[2]), LMPI_BYTE, (rank + size - 1) %% size, 0, LMPI_COMM_WORLD, LMPI_STATUS_IGNORE);\n\treturn 0;\n}\n' > work.c; bsimcc -O1 work.c -o work.so; printf 'unused = allowed\n[topology]\nkind = crossbar\ndims = 64\n[link]\nbandwidth = 1 GB/s\n[nic]\ndma = 100 GB/s\nmemory = 100 GB/s\n[engine]\nkind = flow\n[flow]\nlatency = none\n[mpi]\noverhead = 0\neager = 10 MiB\n[power]\ncompute = 100\nlink_idle = 0\n[link]\nenergy = 0\n' > net.ini

# Without messages: strong scaling is perfect, 100 W for a second in all; a node costs 1 and a rank 10.

$ printf 'simulator = bsim\nbase = net.ini\n[set]\ncost.rank = 10\n[sweep]\nrun.ranks = 1..16*4\n[programs]\nwork = work.so strong 0\n' > strong.ini; psim-explore -q strong.ini -j 2 --scaling strong -f csv | awk -F, '$1 == "scaling" { x[$2, $3] = $4 } END { for (i = 0; i < 3; i++) printf "%g ranks %g s, %g, %g %%, cost %g, %g J\n", x["ranks", i], x["seconds", i], x["speed_up", i], x["efficiency", i], x["cost", i], x["system_j", i] }'
1 ranks 1 s, 1, 100 %, cost 11, 100 J
4 ranks 0.25 s, 4, 100 %, cost 44, 100 J
16 ranks 0.0625 s, 16, 100 %, cost 176, 100 J

# With messages of 1 MB: 1 s alone (a rank sends to itself at 100 GB/s, 10 us), 63.5 ms on 16: 1.00001 / (16 x 0.0635) = 98.426 %. Weak: 1.00001 of 1.001.

$ sed 's/strong 0/{arguments.kind} 1000000/; s/^\[sweep\]/arguments.kind = strong\n[sweep]/' strong.ini > sends.ini; sed 's/= strong/= weak/' sends.ini > weak.ini; for s in "sends strong" "weak weak"; do psim-explore -q ${s% *}.ini -j 2 --scaling ${s#* } --scaling-svg ${s% *}.svg -f csv | awk -F, '$1 == "scaling" && $2 == "efficiency" { printf "%.3f ", $4 } END { print "" }'; done; grep -c '<polyline' sends.svg; grep -o 'efficiency of [a-z]* scaling' weak.svg
100.000 99.603 98.426 
100.000 99.901 99.901 
1
efficiency of weak scaling

# The same command runs nothing again; shares and any number of jobs give the same bytes.

$ printf 'simulator = bsim\nbase = net.ini\n[sweep]\nrun.ranks = 2, 4\nlink.bandwidth = 1 GB/s, 2 GB/s\n[programs]\nwork = work.so strong 1000000\nidle = work.so strong 0\n' > all.ini; psim-explore -q all.ini -j 1 --csv one.csv > one.txt; psim-explore -v all.ini -j 3 --csv two.csv 2>&1 >two.txt | grep points; cmp one.csv two.csv; for k in 1 2; do psim-explore -q all.ini --share $k/2 > share.txt 2>&1; done; psim-explore --merge all-1-of-2.sqlite all-2-of-2.sqlite -o merged.sqlite; psim-explore -q all.ini --no-run -o merged.sqlite --csv merged.csv > merged.txt; cmp one.csv merged.csv; head -1 one.csv; wc -l < one.csv
psim-explore: 8 of 8 points are in all.sqlite
trace,run.ranks,link.bandwidth,seconds,cost,gflops,power_w,energy_delay_js,system_j,runs,seconds_error,system_error_j,solution_s,solution_error_s,interval_s,solution_j
9

# A study with other contents of a program, or of a file that a parameter names, has other points.

$ psim-explore --list all.ini | sort > before; sed 's/1.0 \/ size/2.0 \/ size/' work.c > other.c; bsimcc -O1 other.c -o work.so; psim-explore --list all.ini | sort | comm -12 - before | wc -l; bsimcc -O1 work.c -o work.so; printf 'a b\nb c\n' > g; printf 'simulator = nsim\n[set]\ntopology.kind = graph\ntopology.file = g\n[programs]\nu = --pattern uniform:messages=3\n' > graph.ini; psim-explore --list graph.ini | sort > before; printf 'a b\nb d\n' > g; psim-explore --list graph.ini | sort | comm -12 - before | wc -l
0
0
$ printf 'simulator = nsim\n[programs]\nm = --matrix m.txt\nn = --matrix=m.txt\n' > words.ini; printf '0 1 1000\n' > m.txt; psim-explore --list words.ini | sort > before; printf '0 1 2000\n' > m.txt; psim-explore --list words.ini | sort | comm -12 - before | wc -l
0

# The time and energy are those of bsim; fronts in the study's words; a page.

$ bsim -q -c net.ini -n 4 -p link.bandwidth=2GB/s -f csv work.so strong 1000000 | awk -F, '$1 == "program" && $2 == "seconds" || $1 == "power" && $2 == "energy" { print $4 }' | xargs; grep '^work,4,2 GB/s' one.csv | awk -F, '{ print $4, $9 }'
0.2505 100
0.2505 100
$ psim-explore -q all.ini --no-run --pareto --html all.html --svg all.svg | grep -E '^pareto|^best'; grep -c '\["cost"' all.html; sed -n '/off-chip/p' all.svg | wc -l
best: the best design by each criterion, geometric mean of 2 programs
pareto: 2 of 4 designs that are not dominated in time, energy and cost, geometric mean of 2 programs
1
0

# Several runs have other seeds: times of computations that vary differ.

$ printf 'simulator = bsim\nbase = net.ini\nruns = 4\n[set]\nmachine.variation = 0.1\n[programs]\nwork = work.so strong 0\n' > seeds.ini; psim-explore -q seeds.ini --csv - | awk -F, 'NR == 2 { print $8, ($9 > 0) }'
4 1

# Figures are those of systems: a cost in place of an area, no instructions, no energy without [power].

$ psim-explore -q strong.ini --no-run --front time,cost --where 'cost<100' --where 'power<1 kW' --columns cost,power --pareto 2>&1 | sed -n '/^pareto/,$p'
pareto: 2 of 2 designs that are not dominated in time and cost, program work
  run.ranks  cost  power_w
                         W
  4            44   400.00
  1            11   100.00
$ for o in '--where ipc<1' '--front density' '--columns l2_mpki' '--axes area,time' '--front cots'; do psim-explore -q strong.ini $o 2>&1 | sed 's/expected.*, gflops/.../'; done
psim-explore: --where 'ipc<1': unknown name, ..., time, energy, edp, power
psim-explore: --front: 'density' is no figure of a design, ..., time, energy, edp, power
psim-explore: --columns: 'l2_mpki', ..., time, energy, edp, power
psim-explore: --axes: 'area' is no figure of a design, ..., time, energy, edp, power
psim-explore: --front: 'cots' is no figure of a design, ..., time, energy, edp, power (did you mean cost?)
$ printf 'simulator = nsim\n[programs]\nu = --pattern uniform:messages=3\n' > cold.ini; psim-explore -q cold.ini 2>&1 >cold.txt
psim-explore: warning: cold.ini: no point has energy, expected figures in [power]

# Two designs of which neither is better than the other have all there is of a front; without energy it has no error.

$ printf 'simulator = nsim\nruns = 2\n[pair l]\nlink.bandwidth = 1 GB/s, 4 GB/s\ncost.node = 1, 2\n[programs]\nu = --pattern uniform:messages=3\nv = --pattern uniform:messages=4\n' > two.ini; psim-explore -q two.ini --search 2 --pareto -f csv 2>/dev/null | grep -E '^(search,hypervolume|pareto_spread,energy_error)' | tr '\n' ' '; psim-explore -q two.ini --where 'cost<0' 2>&1 | sed -n 's/.*satisfies it, //p'; psim-explore -q two.ini --axes time,cost --svg two.svg >/dev/null 2>&1; grep -o 'front of [a-z]* and [a-z]*' two.svg
search,hypervolume,0,100,% search,hypervolume,1,100,% pareto_spread,energy_error,0,0,% expected a value from 64 to 128 
front of time and cost

# A point that fails is named at the end, below the tables of the others, and a search goes on.

$ printf 'simulator = bsim\nbase = net.ini\n[sweep]\nrun.ranks = 100, 4, 8\n[programs]\nx = work.so strong 0\n' > some.ini; psim-explore -q some.ini --front time --pareto 2>error | sed -n '/^pareto/,$p'; cat error; psim-explore -q some.ini --search 3 -f csv 2>/dev/null | grep -c '^search,simulated'
pareto: 1 of 2 designs that are not dominated in time, program x
  run.ranks  seconds  system_j  cost  energy_delay_js
                  ms         J                    J s
  8           125.00    100.00     8           12.500
psim-explore: 1 of 3 points failed, the first: run.ranks=100 of x: 100 ranks, 1 per node, do not fit 64 nodes: expected at most 64 ranks, or a larger topology.dims, --network-args or ranks.per_node
3

# Mistakes.

$ for m in 'simulator = qsim' 'base = configs/sparc64v.ini\nsimulator = bsim' 'simulator = bsim\n[traces]\nx = y' 'simulator = bsim\n[programs]\nx = y.so' 'simulator = bsim\n[programs]\nx =' 'simulator = bsim\n[sweep]\nrun.rank = 3, 4' 'simulator = bsim\n[sweep]\ntopology.kind = torus, bogus' 'simulator = bsim' 'simulator = bsim\n[programs]\nx = work.so {arguments.n}' 'simulator = bsim\nsimulator = nsim'; do printf "$m\n" > bad.ini; psim-explore -q bad.ini; done
psim-explore: bad.ini:1: simulator qsim, expected psim, bsim or nsim
psim-explore: bad.ini:2: simulator behind base, expected it before
psim-explore: bad.ini:2: unknown section [traces], expected [set], [sweep], [pair NAME], [programs], [weights] or [limits]
psim-explore: bad.ini:3: program x: y.so: cannot open: No such file or directory
psim-explore: bad.ini:3: program x has no file, expected NAME = FILE
psim-explore: bad.ini:3: unknown key rank in section [run], did you mean ranks?
psim-explore: bad.ini:3: topology.kind: unknown value "bogus", expected one of mesh|torus|tofu|crossbar|hypercube|hyper_crossbar|fat_tree|dragonfly|dragonfly_plus|hyperx|express_cube|slim_fly|jellyfish|rails|graph|platform
psim-explore: bad.ini: no programs, expected [programs] with NAME = FILE
psim-explore: bad.ini:3: unknown parameter {arguments.n}, expected {section.key} from --list-params
psim-explore: bad.ini:2: simulator a second time, expected it once
[2]
$ printf 'simulator = bsim\nbase = net.ini\n[sweep]\nrun.ranks = 100\n[programs]\nx = work.so strong 0\n' > bad.ini; psim-explore -q bad.ini; printf 'simulator = bsim\nbase = net.ini\n[sweep]\nrun.ranks = 4, 2\n[programs]\nx = work.so strong 0\n' > bad.ini; psim-explore -q bad.ini --scaling weak; sed -i 's/4, 2/0, 2/' bad.ini; psim-explore -q bad.ini --scaling weak; psim-explore -q strong.ini --scaling-svg x.svg; psim-explore -q configs/explore/window.ini --scaling weak
psim-explore: 1 of 1 points failed, the first: run.ranks=100 of x: 100 ranks, 1 per node, do not fit 64 nodes: expected at most 64 ranks, or a larger topology.dims, --network-args or ranks.per_node
psim-explore: --scaling: bad.ini:4: run.ranks in another order, expected ascending
psim-explore: --scaling: bad.ini:4: run.ranks of 0, expected 1 or more
psim-explore: --scaling-svg: expected --scaling too, and not --over trace
psim-explore: --scaling: configs/explore/window.ini: run.ranks does not vary, expected several values
[2]

# Weak scaling of work that does not grow, 16 times as fast on 16 ranks: a warning. Ranks are on a scale of powers of two.

$ psim-explore -q strong.ini --no-run --scaling weak --scaling-svg weak.svg 2>&1 >/dev/null; grep -o 'tick"[^>]*>[0-9]*<' weak.svg | sed -n '1,5s/.*>\([0-9]*\)</\1/p' | xargs
psim-explore: warning: --scaling weak: with 16 times the ranks the time falls 16 times, expected work that grows with the ranks, or --scaling strong
1 2 4 8 16

# A study in which some points have no energy: a warning, for 0 J are on each front.

$ printf 'simulator = bsim\nbase = net.ini\n[set]\nrun.ranks = 4\n[sweep]\npower.compute = 0, 100\n[programs]\nwork = work.so strong 0\n' > mixed.ini; psim-explore -q mixed.ini 2>&1 >/dev/null
psim-explore: warning: mixed.ini: 1 of 2 points have no energy, the first: power.compute=0; fronts and means take it for 0, expected the same [power] and engines that know it, or --front time,cost

# A file that fails costs no report: each is written, and the error ends the program.

$ for o in matrix timeline paje picture network-picture series-picture write-trace write-pattern; do bsim -q -n 4 -c net.ini --$o /dev/full work.so strong 1000 > report 2> said; echo $? $(grep -c seconds report) $(grep -c 'No space' said) $o; done
1 1 1 matrix
1 1 1 timeline
1 1 1 paje
1 1 1 picture
1 1 1 network-picture
1 1 1 series-picture
1 1 1 write-trace
1 1 1 write-pattern

# Isoefficiency. Ranks share n microseconds of work; each has 10 us more of its own if there are several. On p ranks the overhead is
# 10 p us, and the efficiency n / (n + 10 p): 80 % needs n = 40 p, an exponent of 1, also between the sizes. 128 ranks would need more.

$ printf '#include "bsim.h"\n#include "lmpi.h"\n#include <stdlib.h>\nint LMPI_Main(int argc, char *argv[])\n{\n\tint size;\n\n\t(void)argc;\n\tLMPI_Comm_size(LMPI_COMM_WORLD, &size);\n\tBSIM_Add_time(1e-6 * atof(argv[1]) / size + (size > 1 ? 1e-5 : 0));\n\treturn 0;\n}\n' > iso.c; bsimcc -O1 iso.c -o iso.so; printf 'simulator = bsim\nbase = net.ini\n[set]\nengine.kind = none\ntopology.dims = 128\n[sweep]\nrun.ranks = 1, 4, 16, 64, 128\narguments.n = 100, 500, 900, 4000\n[programs]\niso = iso.so {arguments.n}\n' > iso.ini; psim-explore -q iso.ini --scaling strong --isoefficiency arguments.n=80 -f csv 2>/dev/null | awk -F, '$1 == "isoefficiency" { x[$2, $3] = $4 } END { for (i = 0; i < 4; i++) printf "%g ranks: %.6g %.6g; ", x["ranks", i], x["n", i], x["growth", i]; print "" }'
4 ranks: 160 0; 16 ranks: 640 1; 64 ranks: 2560 1; 128 ranks: 0 0; 
$ for o in '--isoefficiency arguments.n=80' '--scaling strong --isoefficiency arguments.n' '--scaling strong --isoefficiency arguments.n=100' '--scaling strong --isoefficiency run.ranks=50' '--scaling strong --isoefficiency link.cable=50'; do psim-explore -q iso.ini $o; done
psim-explore: --isoefficiency: expected --scaling strong too
psim-explore: --isoefficiency 'arguments.n': expected PARAMETER=PERCENT
psim-explore: --isoefficiency 'arguments.n=100': expected a percentage between 0 and 100
psim-explore: --isoefficiency 'run.ranks=50': expected a parameter of the study that varies, beside run.ranks
psim-explore: --isoefficiency 'link.cable=50': expected a parameter of the study that varies, beside run.ranks
[2]

# The cost of a machine by its parts. Of a 4-ary 3-tree of 64 nodes 16 count, and so a quarter of its network: of 48 routers with 8 ports
# each but 4 at the top, 320 in all; 128 cables between routers, 64 to nodes, 4 GB/s each. In a study, the same is `cost`.

$ bsim -q -n 16 -p topology.kind=fat_tree -p topology.dims=4x4x4 -p cost.node=1000 -p cost.rank=100 -p cost.nic=50 -p cost.router=500 -p cost.port=10 -p cost.cable=20 -p cost.node_cable=5 -p cost.rate=1 -f csv work.so strong 0 | awk -F, '$1 == "cost_parts" && ($2 == "count" || $2 == "cost") { x[$2, $3] = $4; n = $3 } $1 == "cost" && $2 == "total" { all = $4 } END { for (i = 0; i <= n; i++) { printf "%g %g; ", x["count", i], x["cost", i]; sum += x["cost", i] }; print all, all == sum }'
16 16000; 16 1600; 16 800; 12 6000; 80 800; 32 640; 16 80; 192 192; 26112 1
$ bsim -q -n 16 -p topology.kind=fat_tree -p topology.dims=4x4x4 -p cost.router=500 -p cost.count=all -f csv work.so strong 0 | grep '^cost,total'
cost,total,,24000,
$ printf 'simulator = bsim\n[set]\ntopology.dims = 4x4x4\ncost.node = 0\n[sweep]\ntopology.kind = fat_tree, torus\ncost.cable = 20, 40\n[programs]\nw = work.so strong 0\n' > cost.ini; psim-explore -q cost.ini --csv cost.csv > cost.txt; cut -d, -f 1-5 cost.csv
psim-explore: warning: cost.ini: no point has energy, expected figures in [power]
trace,topology.kind,cost.cable,seconds,cost
w,fat_tree,20,0.015625,2560
w,fat_tree,40,0.015625,5120
w,torus,20,0.015625,3840
w,torus,40,0.015625,7680

# Where nodes fail. Four parts of 0.25 s with a checkpoint of 0.1 s each: 1.4 s. A failure at 0.5 s is in the second part, which began at
# 0.35 s; a restart of 0.1 s, and the three other parts follow: 0.6 + 3 * 0.35 = 1.65 s. 100 W all the time. A file that ends too early
# leaves a point out, with its reason; so do the mistakes below.

$ printf 'failures 1\n0.5 node:0\nend 10\n' > one.fail; printf 'failures 1\nend 10\n' > none.fail; printf 'failures 1\nend 1\n' > early.fail; printf 'simulator = bsim\nbase = net.ini\n[set]\nreliability.checkpoint = 0.1\nreliability.restart = 0.1\nreliability.interval = 0.25\n[sweep]\nreliability.failures = none.fail, one.fail, early.fail\n[programs]\nw = work.so weak 0\n' > fails.ini; psim-explore -q fails.ini --pareto --front solution_s --csv fails.csv > fails.txt; awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["reliability.failures"], $at["seconds"], $at["solution_s"], $at["interval_s"], $at["solution_j"] }' fails.csv; sed -n '/^pareto/,/^$/p' fails.txt
psim-explore: 1 of 3 points failed, the first: reliability.failures=early.fail of w: [reliability]: no time to solution is known: the program hardly advances between failures, or the file of failures ends before it
psim-explore: note: fails.csv was written before this
none.fail 1 1.4 0.25 8960
one.fail 1 1.65 0.25 10560
pareto: 1 of 2 designs that are not dominated in solution_s, program w
  reliability.failures  seconds  system_j  cost  energy_delay_js  solution_s
                              s        kJ                   kJ s           s
  none.fail                   1    6.4000    64           6.4000      1.4000

# By rate: the mean over trials, and its interval, are those that bsim reports. With a rate of 0 nothing fails.

$ printf 'simulator = bsim\nbase = net.ini\n[set]\nreliability.checkpoint = 0.01\n[sweep]\nreliability.node_mtbf = 0, 0.001\n[programs]\nw = work.so weak 0\n' > rate.ini; psim-explore -q rate.ini --csv rate.csv > rate.txt; bsim -q -c net.ini -p reliability.checkpoint=0.01 -p reliability.node_mtbf=0.001 --seed=1 -f csv work.so weak 0 2>/dev/null | awk -F, '$1 == "reliability" && ($2 == "seconds" || $2 == "seconds_error") { print $4 + 0 }' > alone; awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 3 { print $at["solution_s"]; print $at["solution_error_s"] }' rate.csv | awk 'FNR == NR { x[FNR] = $1; next } { d = $1 / x[FNR] - 1; print (d * d < 1e-10 ? "equal" : $1 " " x[FNR]) }' alone -; awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["solution_s"] }' rate.csv
equal
equal
1
$ for m in reliability.node_mtbf=-1 reliability.interval=0.25,0.5 run.mapping=missing.map reliability.failures=missing.fail; do printf "simulator = bsim\nbase = net.ini\n[sweep]\n${m%%=*} = ${m#*=}\n[programs]\nw = work.so weak 0\n" > bad.ini; psim-explore -q bad.ini --csv bad.csv -o bad.sqlite > bad.txt 2>bad.log; echo $?; head -1 bad.log; rm -f bad.sqlite; done
2
psim-explore: bad.ini:4: reliability.node_mtbf: -1 is out of range, expected 0 to 1e+12 h
0
2
psim-explore: bad.ini: missing.map: cannot open: No such file or directory
2
psim-explore: bad.ini: missing.fail: cannot open: No such file or directory

# Files that place ranks, as `--mapping`. On a line of four, neighbours of a ring of four ranks beside each other, or not.
$ printf 'ranks 4\n0 0\n1 1\n2 2\n3 3\n' > near.map; printf 'ranks 4\n0 0\n1 2\n2 1\n3 3\n' > far.map; printf 'simulator = bsim\nbase = net.ini\n[set]\ntopology.kind = mesh\ntopology.dims = 4\n[sweep]\nrun.mapping = near.map, far.map\n[programs]\nw = work.so strong 1000000\n' > maps.ini; psim-explore -q maps.ini --csv maps.csv > maps.txt; cut -d, -f 2,3 maps.csv; for m in near far; do bsim -q -c net.ini -p topology.kind=mesh -p topology.dims=4 --mapping $m.map -f csv work.so strong 1000000 | grep ^program,seconds; done
run.mapping,seconds
near.map,0.251
far.map,0.252
program,seconds,,0.251,s
program,seconds,,0.252,s
