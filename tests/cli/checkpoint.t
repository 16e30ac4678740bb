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
psim: x.ck: continues at instruction 1572355 of 3773656
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
