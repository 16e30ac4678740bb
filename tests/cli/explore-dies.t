# A study of which a process dies that simulates a batch of points. A library chooses the process, and the write instead of which it
# is killed (kill_child.c): with one job the first process has all 32 points, and its 40th write is one of a later point.

$ printf 'base = configs/sparc64v.ini\n[sweep]\ncore.rob_entries = 16, 32, 64, 128\nl2.latency = 8, 10, 12, 14\nmemory.latency = 60 ns, 120 ns\n[traces]\nsort = traces/samples/quicksort.trace.gz\n' > whole.ini; (echo 'sample = 1000/8000'; cat whole.ini) > units.ini; printf '%s\n' 'study=$1' 'jobs=$2' 'rm -f d.sqlite d.csv' '(export LD_PRELOAD=$BUILD/tests/cli/kill_child.so KILL_WRITES=$3; psim-explore -q -j $jobs -o d.sqlite --csv d.csv $study.ini > said; echo "status $?")' 'echo "$(diff $study.csv d.csv | grep -c "^[<>]") lines differ"' > dies.sh; for s in whole units; do psim-explore -q -j 1 --csv $s.csv $s.ini > said; wc -l < $s.csv; done
33
33

# The point gets a process of its own, and the points behind it another batch: nothing is lost.

$ sh dies.sh units 1 40; sh dies.sh units 3 0,20
status 0
0 lines differ
status 0
0 lines differ

# It dies in its own process too: one line says so, all other points have their figures, byte by byte, and the status is that of a
# failed run.

$ sh dies.sh units 1 40,1 2>&1 | sed 's/first: .* of sort/first: a point of sort/'
psim-explore: 1 of 32 points failed, the first: a point of sort: the simulation's process was killed by signal 9
psim-explore: note: d.sqlite was written before this
psim-explore: note: d.csv was written before this
status 1
1 lines differ

# The same command simulates what is missing.

$ psim-explore -v -q -o d.sqlite --csv d.csv units.ini 2>&1 > said | sed -n 1p; cmp units.csv d.csv && echo same
psim-explore: 31 of 32 points are in d.sqlite
same

# Two points die, each in a batch and alone. One of them is an anchor: the others are estimated without it, and as if nothing had
# happened once it is there.

$ sh dies.sh units 1 40,1,7,1 2>&1 | grep -v -e note: -e differ | sed 's/first: .* of sort/first: a point of sort/'
psim-explore: 2 of 32 points failed, the first: a point of sort: the simulation's process was killed by signal 9
status 1

$ psim-explore -q -o d.sqlite --csv d.csv units.ini > said; cmp units.csv d.csv && echo same
same

# Without units each point has its process: the third one dies.

$ sh dies.sh whole 1 0,0,1 2>&1 | grep -v note:; diff whole.csv d.csv | cut -c 1-15
psim-explore: 1 of 32 points failed, the first: core.rob_entries=16 l2.latency=10 memory.latency=60 ns of sort: the simulation's process was killed by signal 9
status 1
1 lines differ
4d3
< sort,16,10,60

$ psim-explore -q -o d.sqlite --csv d.csv whole.ini > said; cmp whole.csv d.csv && echo same
same
