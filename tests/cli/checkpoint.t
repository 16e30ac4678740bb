# Runs that are killed at a chosen write of their checkpoint, and continue: the bytes of a run that nobody killed.

# The trace has 3773656 instructions, 18 segments of 209647. Write 1 is the plan, write n the record of sync point n + 2, and
# a segment has four of these: write 41 is in segment 10. On three processes there are 12 segments of 314471.

$ printf '%s\n' 'trace=$1' 'shift' 'go() { psim --json --checkpoint x.ck -o x.json "$@" $trace; }' 'psim -q --json "$@" $trace | grep -v \"command\": > whole' 'for k in $at; do (export LD_PRELOAD=$BUILD/tests/cli/kill_at.so KILL_AT=$k; go --checkpoint-minutes 0 "$@"; echo "killed: $?") 2>/dev/null; test -e x.json && echo "a report"; go "$@"; grep -v \"command\": x.json | cmp - whole && echo same; rm -f x.json; test -e x.ck && echo "a checkpoint"; done; :' > run.sh; ln -s traces/samples/dgemm-packed.trace.gz t.trace.gz; at='3 41' sh run.sh t.trace.gz -c configs/sparc64v.ini
killed: 137
psim: x.ck: continues at instruction 209647 of 3773656
same
killed: 137
psim: x.ck: continues at instruction 2096470 of 3773656
same

# Killed before the file has its name; on several processes; without replay; from the middle.

$ at=20 KILL_BEFORE=1 sh run.sh t.trace.gz; at=20 sh run.sh t.trace.gz -j 3; at=20 sh run.sh t.trace.gz --no-memo -c configs/sparc64v-prefetched.ini; at=9 sh run.sh t.trace.gz --skip 1000000
killed: 137
psim: x.ck: continues at instruction 1048235 of 3773656
same
killed: 137
psim: x.ck: continues at instruction 1058235 of 3773656
same
killed: 137
psim: x.ck: continues at instruction 1048235 of 3773656
same
killed: 137
psim: x.ck: continues at instruction 1426716 of 3773656
same

# Killed twice, the second time behind the place of the first; all bytes of the report. It continues at one of the sync
# points of segment 4.

$ export LD_PRELOAD=$BUILD/tests/cli/kill_at.so; go='psim --json --checkpoint x.ck --checkpoint-minutes 0 -o x.json'; $go t.trace.gz; mv x.json whole; for k in 12 7; do (export KILL_AT=$k; $go t.trace.gz; echo "killed: $?") 2>said; done; $go t.trace.gz; cmp x.json whole && echo same
killed: 137
killed: 137
psim: x.ck: continues at instruction 8...588 of 3773656
same

# Load curves, where write n is the n-th load or bisection that is done; sweeps of inspire's simulators; selections of
# collective algorithms. The command is the same, and so is each byte.

$ printf '%s\n' 'go() { "$@" --json --checkpoint n.ck --checkpoint-minutes 0 -o n.json $words; }' 'export LD_PRELOAD=$BUILD/tests/cli/kill_at.so' 'go "$@" && mv n.json whole' 'for k in $at; do (export KILL_AT=$k; go "$@"; echo "killed: $?") 2>said; grep -c ^part n.ck; go "$@"; cmp n.json whole && echo same; test -e n.ck && echo "a checkpoint"; done; :' > sweep.sh; at='2 6' sh sweep.sh nsim -j 2 -p topology.dims=8x8 --pattern transpose --load 0.1:0.3:0.1 --saturation
nsim: warning: load 0.245312: steady: no: the latency changes from ... us to ... us
killed: 137
2
nsim: n.ck: continues, has 2 parts
nsim: warning: load 0.245312: steady: no: the latency changes from ... us to ... us
same
killed: 137
6
nsim: n.ck: continues, has 6 parts
nsim: warning: load 0.245312: steady: no: the latency changes from ... us to ... us
same

$ inspire configs/ndl/torus.ndl -o torus; at=3 words='4 4' sh sweep.sh ./torus -q --load 0.1:0.5:5; nsimcc -O2 examples/ring.c -o ring.so; at=1 words='ring.so 3' sh sweep.sh nsim -q --interval -n 4 | grep -v ' step$\|ranks,'
killed: 137
3
same
killed: 137
1
same

# A curve of more loads continues from the same file; what a point depends on has to be the same.

$ curve='nsim -q -p topology.dims=4x4 --checkpoint c.ck --checkpoint-minutes 0 -o c.txt'; export LD_PRELOAD=$BUILD/tests/cli/kill_at.so; (KILL_AT=2 $curve --pattern uniform:messages=200 --load 0.1,0.2; :) 2>said; grep -c ^part c.ck; $curve --pattern uniform:messages=300 --load 0.1; $curve --seed 2 --pattern uniform:messages=200 --load 0.1; $curve -p nic.fifo=4KiB --pattern uniform:messages=200 --load 0.1; (KILL_AT=1 $curve --pattern uniform:messages=200 --load 0.1:0.3:0.1; :) 2>said; grep -c ^part c.ck
2
nsim: c.ck:6: of a run with options ..., expected options ...: remove the file, or name another one
nsim: c.ck:6: of a run with options ..., expected options ...: remove the file, or name another one
nsim: c.ck:4: of a run with configuration ..., expected configuration ...: remove the file, or name another one
3
