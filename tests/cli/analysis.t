# Where the time of a run goes: what docs/programs/analysis.md does not show of its example.
# needs: cc python3

$ bsimcc -O2 -o imbalance.so examples/imbalance.c; printf '[linear]\nlatency = 40 us\nbandwidth = 100 MB/s\nsends = at_once\n' > slow.ini; bsim -q -c slow.ini -n 16 --critical-path --timeline t.json -o r.txt imbalance.so; sed -n '/^critical_path_phases:/,/^$/p; /^waiting:/,/^$/p' r.txt
waiting: waiting time of all ranks
  waits                          410        # waits of more than zero time
  pairs                           78        # pairs of ranks with a wait
  wait                       807.115 us     # waiting time of a rank, mean
  late                         34.97 us     # waiting time until the other rank began the call that ended the wait, mean
  network                    772.145 us     # waiting time for messages in flight, mean
...
critical_path_phases: critical path by phase
  phase       time  share  compute  overhead  communication
                ms      %       ms        ms             ms
  stencil   2.5912  88.10   2.2100  0.015400        0.36576
  residual  0.3498  11.90   0.0260  0.003200        0.32064

# Ticks of ranks are in the middle of the ranks' bars.

$ bsim -q -c slow.ini -n 16 --critical-path --picture ranks.svg -o r.txt imbalance.so; printf 'import re\ns = open("ranks.svg").read()\nbars = [float(x) + float(w) / 2 for x, w in re.findall(r"<rect x=.([0-9.]+). y=.[0-9.]+. width=.([0-9.]+). height=.[0-9.]+. fill=.#0072b2./>", s) if w != "12.00"]\nticks = re.findall(r"<text x=.([0-9.]+). y=.368.0. class=.tick. text-anchor=.middle.>([0-9]+)<", s)\nprint(len(bars), "bars,", len(ticks), "ticks,", all(abs(float(x) - bars[int(n)]) < 0.1 for x, n in ticks))\n' | python3 -
16 bars, 8 ticks, True

# Slices sum up to the ranks' time. Computation: 14 ranks of 20 steps of 100 us and 2 residuals of 10 us, 2 ranks with 30 %
# more, are 28280 + 5252 us. All 16 ranks send 8 KiB to both sides at once.

$ printf 'import collections, json\ntime, begins, most = collections.Counter(), {}, 0\nfor e in json.load(open("t.json"))["traceEvents"]:\n if e["ph"] == "B": begins[e["pid"], e["tid"]] = e\n elif e["ph"] == "E": begin = begins.pop((e["pid"], e["tid"])); time[begin["cat"]] += e["ts"] - begin["ts"]\n elif e["ph"] == "C" and e["name"] == "bytes under way": most = max(most, e["args"]["bytes"])\nprint("%%.1f us of computation, %%.1f us in all, at most %%d bytes" %% (time["compute"], time["compute"] + time["call"], most))\n' >slices.py; python3 slices.py; bsim -q -c slow.ini -n 16 --each-rank -f csv imbalance.so | awk -F, '/^ranks,time,/ { s += $4 } END { printf "%.1f us of all ranks\n", s * 1e6 }'
33532.0 us of computation, 46753.0 us in all, at most 262144 bytes
46753.0 us of all ranks

# A change helps: the run without the excess of every eighth rank, and with a tenth of the latency, side by side.

$ run() { bsim -q -c slow.ini -n 16 --critical-path --json -o "$@"; }; run a.json imbalance.so; run even.json imbalance.so 20 0; run fast.json -p linear.latency=4us imbalance.so
$ psim-diff a.json even.json fast.json | grep 'program.seconds '
  program.seconds           0.002941                  0.00279824                0.0026656                   -9.36  s

# Sums over ranks, messages and links of more than 2^63 ps, which are 107 days. Rank 0 of 16 computes for 3, the others for 1 million
# seconds; these wait for it for 2 million.

$ printf '#include <bsim.h>\n#include <mpi.h>\nint main(int argc, char **argv)\n{\n\tint rank;\n\n\tMPI_Init(&argc, &argv);\n\tMPI_Comm_rank(MPI_COMM_WORLD, &rank);\n\tBSIM_Add_time(rank ? 1e6 : 3e6);\n\tMPI_Barrier(MPI_COMM_WORLD);\n\treturn MPI_Finalize();\n}\n' > days.c; bsimcc -o days.so days.c; for j in 1 3; do bsim -q -j $j -n 16 --critical-path -f csv days.so | awk -F, '/^(program,compute|program,wait|waiting,wait|waiting,late),/ || /^critical_path_places,all_ranks,0,/ { printf "%s %.0f\n", $2, $4 }'; done
compute 1125000
wait 1875000
wait 1875000
late 1875000
all_ranks 18000000
compute 1125000
wait 1875000
wait 1875000
late 1875000
all_ranks 18000000

# Each of 64 ranks sends 63 messages of 1000 s at once, one after the other: 32000 s is the mean of 1000 to 63000. Links to both sides
# of 128 ranks carry a message for 50000 s, and those of a NIC two.

$ for j in 1 3; do nsim -q -j $j -e linear -p topology.dims=8x8 -p linear.bandwidth=1MB/s --pattern all_to_all:size=1000000000,outstanding=64 -f csv | awk -F, '/^messages,mean_delay/ { printf "%.0f\n", $4 }'; done; nsim -q -v -p topology.dims=128 -p link.bandwidth=1kB/s -p nic.mtu=64KiB -p router.vc_buffer=256KiB -p nic.fifo=256KiB -p nic.receive_fifo=256KiB --pattern ring:size=50000000 -f csv | awk -F, '/^link_classes,busy,/ { printf "%.0f\n", $4 }'
32000
32000
50
50
100
100
