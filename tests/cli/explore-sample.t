# A study of which most points are simulated by units of the trace: docs/programs/psim-explore.md.

$ printf 'base = configs/sparc64v.ini\n[sweep]\ncore.rob_entries = 16, 32, 64, 128\nl1d.size = 16 KiB, 64 KiB, 128 KiB\nmemory.latency = 60 ns, 120 ns\n[traces]\nsort = traces/samples/quicksort.trace.gz\n' > whole.ini; (echo 'sample = 1000/8000'; cat whole.ini) > units.ini

$ for s in whole units; do psim-explore -q $s.ini --pareto --csv $s.csv --svg $s.svg > $s.txt || echo $?; done; head -1 units.csv | grep -o 'seconds_error,system_error_j,simulated'; grep -c ',whole$' units.csv
seconds_error,system_error_j,simulated
8

# The eight anchors are as in the whole study. The estimates' intervals, of 95 %, contain the exact times and energies: at least 30
# of 32. Which points are anchors is drawn from all parameters, so that a new one draws others.

$ python3 bad/../cli/sampled_study.py points whole.csv units.csv
3... of 32 intervals hold; 0 are wide

# The front of the whole study is among what the sampled one has on its front, or says may be there.

$ psim-explore -q units.ini --pareto --json > units.json; psim-explore -q whole.ini --pareto --json > whole.json; python3 bad/../cli/sampled_study.py front whole.json units.json
missed: 0; wrong: 0

$ psim-explore -q units.ini -f csv | grep -E '^sample,(units|anchors|estimated|whole),'
sample,units,0,...
sample,anchors,0,8,
sample,estimated,0,16,
sample,whole,0,0,

# The picture has the intervals, and says what they are.

$ grep -c '95 % interval of an estimate' units.svg; grep -c '95 % interval' whole.svg
1
0
[1]

# As many jobs as one likes, without replay, killed and continued, in shares that are merged: the same
# lines. With the units of all shares, four of the 24 points are chosen to be simulated whole too.

$ for j in 1 3; do psim-explore -q -j $j -o j$j.sqlite --csv j$j.csv units.ini > said || echo $?; done; psim-explore -q --no-memo -o no-memo.sqlite --csv no-memo.csv units.ini > said; for t in 0.1 0.3 0.5; do timeout -s KILL $t psim-explore -q -o killed.sqlite units.ini > said 2>&1; done; psim-explore -q -o killed.sqlite --csv killed.csv units.ini > said; for f in j1 j3 no-memo killed; do cmp $f.csv units.csv && echo same; done
same
same
same
same

$ for k in 1 2; do psim-explore -q units.ini --share $k/2 > share$k.txt; done; psim-explore --merge units-2-of-2.sqlite units-1-of-2.sqlite -o merged.sqlite; psim-explore -v -o merged.sqlite --csv - units.ini | cmp - units.csv && echo same
psim-explore: warning: ... points are sampled and have no estimates yet, since units or whole runs that they need have no results: other shares have them (--merge)
psim-explore: warning: ... points are sampled and have no estimates yet, since units or whole runs that they need have no results: other shares have them (--merge)
psim-explore: 24 of 24 points are in merged.sqlite
psim-explore: 20 of 24 points are in merged.sqlite
same

# Machines that warm up alike share that, those in one process; as many jobs as points have one each: the same lines, with each kind
# of cache, predictor, prefetcher and memory.

$ printf 'sample = 1000/8000\nbase = configs/sparc64v.ini\n[set]\nl1d.size = 8 KiB\nl1i.size = 8 KiB\nl2.size = 64 KiB\nl2.ways = 8\nprefetch.enabled = yes\n[pair kinds]\nbpred.kind = brhis, gshare, tage, perceptron, tage\nbpred.targets = last, target_cache, ittage, last, ittage\nprefetch.kind = stream, best_offset, ampm, stride, next_line\nl2.replacement = lru, plru, srrip, drrip, random\nl3.size = 0, 0, 256 KiB, 0, 0\nl1d.victim_lines = 0, 8, 0, 8, 0\nmemory.kind = channel, dram, channel, dram, channel\nfetch.wrong_path = none, none, none, none, loads\n[sweep]\ncore.rob_entries = 16, 64\nl2.latency = 8, 16\n[traces]\nsort = traces/samples/quicksort.trace.gz\n' > kinds.ini; for j in 1 20; do psim-explore -q -j $j -o kinds$j.sqlite --csv kinds$j.csv kinds.ini > said || echo $?; done; cmp kinds1.csv kinds20.csv && echo same; psim-explore -q --check -o check.sqlite --csv check.csv kinds.ini > said; cmp kinds1.csv check.csv && echo same; grep -c units kinds1.csv
same
same
12

# A point that is known from the whole trace stays that.

$ cp whole.sqlite both.sqlite; psim-explore -q -o both.sqlite --csv - units.ini | grep -c ',whole$'
24

# A trace that is too short for 40 units, one with a SIMD array, and several cores: all points are simulated whole.

$ printf 'sample = auto\nbase = configs/simd16.ini\n[sweep]\ncore.rob_entries = 16, 32, 64, 128\nl2.latency = 8, 10, 12, 14\n[traces]\nhello = traces/samples/hello.trace.gz\narray = traces/samples/simd-fft.trace.gz\n' > short.ini; psim-explore -q short.ini --csv - | sed 's/,.*,/,/' | sort | uniq -c | sed 's/^ *//'
16 array,whole
16 hello,whole
1 trace,simulated

# Units with another checksum are damage.

$ cp units.sqlite damaged.sqlite; python3 -c "import sqlite3; d = sqlite3.connect('damaged.sqlite'); d.execute(\"UPDATE units SET data = '1 ' || data\"); d.commit()"; psim-explore -q -o damaged.sqlite units.ini
psim-explore: damaged.sqlite: damaged: the units of configuration ..., trace ... have another checksum, expected results of psim-explore
[3]

$ psim-explore --merge damaged.sqlite -o other.sqlite
psim-explore: damaged.sqlite: damaged: the units of configuration ..., trace ... have another checksum, expected results of psim-explore
psim-explore: note: other.sqlite was written before this
[3]
