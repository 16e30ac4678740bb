# One run is kept as a whole, killed at a chosen write of its image, and continues to the bytes of a run that nobody killed.
# A library counts the writes (kill_at.c); its count is in the image too, so a run that continues goes on counting.
# needs: cc

# run.sh KILLS FILES WORDS: the report and other files of `nsim WORDS`, killed at each of KILLS, against the same without.

$ printf '%s\n' 'kills=$1' 'files=$2' 'shift 2' 'go() { "$@" -q --json --checkpoint x.ck --checkpoint-minutes 0 -o x.json $words; }' 'export LD_PRELOAD=$BUILD/tests/cli/kill_at.so' 'go "$@" > /dev/null' 'for f in x.json $files; do mv $f $f.whole; done' 'for k in $kills; do (export KILL_AT=$k; go "$@"; echo "killed: $?") 2>said | grep killed; test -e x.json && echo "a report"; done' 'go "$@" > /dev/null' 'for f in x.json $files; do cmp $f $f.whole && echo "$f: same"; done' 'test -e x.ck && echo "a checkpoint"; :' > run.sh; for e in packet flow linear; do sh run.sh '1 2' '' nsim -e $e -p topology.dims=4x4 --pattern uniform:messages=3000; done
killed: 137
killed: 137
x.json: same
killed: 137
killed: 137
x.json: same
killed: 137
killed: 137
x.json: same

# Programs: variables that are copied or mapped, files of ranks, what the report has beside it. Their trace is replayed.

$ nsimcc -O1 -o kept.so mpi/kept.c; for g in copy map; do words='kept.so 150' sh run.sh '1 2' 't.json t.prv rank.0 rank.7' nsim -p ranks.globals=$g -n 8 -p topology.dims=4x4 --critical-path --timeline t.json --paraver t.prv; done; nsim -q -n 8 -p topology.dims=4x4 --write-trace t.txt kept.so 300 > /dev/null; for e in packet flow linear; do sh run.sh '1' 'm.txt' nsim -e $e -p topology.dims=4x4 --matrix m.txt --replay t.txt; done
killed: 137
killed: 137
x.json: same
t.json: same
t.prv: same
rank.0: same
rank.7: same
killed: 137
killed: 137
x.json: same
t.json: same
t.prv: same
rank.0: same
rank.7: same
killed: 137
x.json: same
m.txt: same
killed: 137
x.json: same
m.txt: same
killed: 137
x.json: same
m.txt: same

# Replays of execution traces of Chakra, as JSON and protobuf, and of a GOAL schedule: a ring of 8 ranks, 1000 rounds of 1000 bytes.

$ nodes() { for i in $(seq 0 3 600); do echo "$i COMP_NODE us=5; $((i + 1)) COMM_COLL_NODE comm_type=0 comm_size=640000 data=$i; $((i + 2)) COMP_NODE us=2 data=$((i + 1))"; done | paste -sd ';'; }; python3 "$PSIM/tests/cli/chakra_trace.py" 8 "$(nodes)"; ring() { echo 'num_ranks 8'; for r in 0 1 2 3 4 5 6 7; do echo "rank $r {"; for i in $(seq 1000); do printf 'c%d: calc 500\ns%d: send 1000b to %d tag %d\nr%d: recv 1000b from %d tag %d\ns%d requires c%d\nr%d requires c%d\n' $i $i $(((r + 1) % 8)) $i $i $(((r + 7) % 8)) $i $i $i $i $i; [ $i = 1 ] || echo "c$i requires r$((i - 1))"; done; echo '}'; done; }; ring > ring.goal; for t in t.%d.json t.%d.et ring.goal; do sh run.sh 1 '' nsim -p topology.dims=4x2 --replay $t; done
killed: 137
x.json: same
killed: 137
x.json: same
killed: 137
x.json: same

# psim where the trace has no parts: the array, cores side by side, memory of banks and rows, a table over time.

$ printf '%s\n' 'go() { psim -q --energy-csv e.csv --checkpoint p.ck --checkpoint-minutes 0 -o p.json --json "$@"; }' 'export LD_PRELOAD=$BUILD/tests/cli/kill_at.so' 'go "$@"; for f in p.json e.csv; do mv $f $f.whole; done' '(export KILL_AT=1; go "$@"; echo "killed: $?") 2>said; test -e p.json && echo "a report"' 'go "$@"; for f in p.json e.csv; do cmp $f $f.whole && echo "$f: same"; done' > psim.sh; sh psim.sh -c configs/simd16.ini -p energy.interval=100000 traces/samples/simd-dgemm.trace.gz; sh psim.sh --check -p memory.kind=dram -p energy.interval=50000 traces/samples/dgemm.trace.gz; sh psim.sh -p energy.interval=50000 traces/samples/dgemm.trace.gz traces/samples/hello.trace.gz
killed: 137
p.json: same
e.csv: same
killed: 137
p.json: same
e.csv: same
killed: 137
p.json: same
e.csv: same

# Files that the run does not continue from: another command, content, owner's mode, another kind of file. They stay.

$ go='nsim -q -p topology.dims=4x4 --checkpoint x.ck --checkpoint-minutes 0'; (export LD_PRELOAD=$BUILD/tests/cli/kill_at.so KILL_AT=1; $go --pattern uniform:messages=3000; :) 2>said; ls x.ck; nsim -q -p topology.dims=4x4 --checkpoint x.ck --pattern uniform:messages=3000; $go --pattern uniform:messages=4000; $go --pattern uniform --load 0.1
x.ck
nsim: x.ck:7: of a run with command ..., expected command ...: remove the file, or name another one
nsim: x.ck:7: of a run with command ..., expected command ...: remove the file, or name another one
nsim: x.ck:4: of a run with build ..., expected configuration ...: remove the file, or name another one
[3]

# The environment is not in the file, and nobody else can read it.

$ run='nsim -q -n 8 -p topology.dims=4x4 --checkpoint e.ck --checkpoint-minutes 0 kept.so 400'; (export LD_PRELOAD=$BUILD/tests/cli/kill_at.so KILL_AT=1 SECRET=opensesame; $run; :) > said 2>&1; grep -c opensesame e.ck; grep -q kept.so e.ck && echo "the command"; ls -l e.ck | cut -c 1-10; rm e.ck
0
the command
-rw-------

# Damaged files: each is refused at its place, and the whole one is still good.

$ mv x.ck whole.ck; go='nsim -q -p topology.dims=4x4 --checkpoint x.ck --checkpoint-minutes 0 --pattern uniform:messages=3000'; head -c 100000 whole.ck > x.ck; chmod 600 x.ck; $go; (cat whole.ck; echo more) > x.ck; $go; (head -c 1000000 whole.ck; printf x; tail -c +1000002 whole.ck) > x.ck; $go; cp whole.ck x.ck; chmod g+w x.ck; $go; chmod g-w x.ck; $go | grep -c seconds; ls x.ck
nsim: x.ck: offset ...: damaged: the file ends here, expected the last record of its image: remove the file, or name another one
nsim: x.ck: offset ...: damaged: more behind its last record, expected none: remove the file, or name another one
nsim: x.ck: offset ...: damaged: another digest than that of its data: remove the file, or name another one
nsim: x.ck: other users can write it, expected a file of this user alone: its image is code
1
ls: cannot access 'x.ck': No such file or directory
[2]
