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
                ms      %       ms        us             us
  stencil   2.5912  88.10   2.2100    15.400         365.76
  residual  0.3498  11.90   0.0260     3.200         320.64

# Slices sum up to the ranks' time. Computation: 14 ranks of 20 steps of 100 us and 2 residuals of 10 us, 2 ranks with 30 %
# more, are 28280 + 5252 us. All 16 ranks send 8 KiB to both sides at once.

$ printf 'import collections, json\ntime, begins, most = collections.Counter(), {}, 0\nfor e in json.load(open("t.json"))["traceEvents"]:\n if e["ph"] == "B": begins[e["pid"], e["tid"]] = e\n elif e["ph"] == "E": begin = begins.pop((e["pid"], e["tid"])); time[begin["cat"]] += e["ts"] - begin["ts"]\n elif e["ph"] == "C" and e["name"] == "bytes under way": most = max(most, e["args"]["bytes"])\nprint("%%.1f us of computation, %%.1f us in all, at most %%d bytes" %% (time["compute"], time["compute"] + time["call"], most))\n' >slices.py; python3 slices.py; bsim -q -c slow.ini -n 16 --each-rank -f csv imbalance.so | awk -F, '/^ranks,time,/ { s += $4 } END { printf "%.1f us of all ranks\n", s * 1e6 }'
33532.0 us of computation, 46753.0 us in all, at most 262144 bytes
46753.0 us of all ranks

# A change helps: the run without the excess of every eighth rank, and with a tenth of the latency, side by side.

$ run() { bsim -q -c slow.ini -n 16 --critical-path --json -o "$@"; }; run a.json imbalance.so; run even.json imbalance.so 20 0; run fast.json -p linear.latency=4us imbalance.so
$ psim-diff a.json even.json fast.json | grep 'program.seconds '
  program.seconds                                0.002941                    0.00279824                  0.0026656                     -9.36  s
