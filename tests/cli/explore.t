# A small study from its file to its tables: docs/programs/psim-explore.md.

$ printf 'title = Small\nbase = configs/sparc64v.ini\n[sweep]\ncore.rob_entries = 16..64*2\n[pair width]\ndecode.width = 2, 4\ncore.commit_width = 2, 4\n[traces]\nhello = traces/samples/hello.trace.gz\nchase = traces/samples/chase.trace.gz\n' > small.ini

$ psim-explore --list small.ini
... hello core.rob_entries=16 decode.width=2 core.commit_width=2
... chase core.rob_entries=16 decode.width=2 core.commit_width=2
... hello core.rob_entries=16 decode.width=4 core.commit_width=4
... chase core.rob_entries=16 decode.width=4 core.commit_width=4
... hello core.rob_entries=32 decode.width=2 core.commit_width=2
... chase core.rob_entries=32 decode.width=2 core.commit_width=2
... hello core.rob_entries=32 decode.width=4 core.commit_width=4
... chase core.rob_entries=32 decode.width=4 core.commit_width=4
... hello core.rob_entries=64 decode.width=2 core.commit_width=2
... chase core.rob_entries=64 decode.width=2 core.commit_width=2
... hello core.rob_entries=64 decode.width=4 core.commit_width=4
... chase core.rob_entries=64 decode.width=4 core.commit_width=4

$ psim-explore -v small.ini --pareto
psim-explore: 0 of 12 points are in small.sqlite
run: identification of the run
...
study: the study and its points
...
  points                          12 ...
...
best: the best design by each criterion, geometric mean of 2 traces
...
pareto: ... of 6 designs that are not dominated in time, energy and area, geometric mean of 2 traces
  core.rob_entries  decode.width  seconds  system_j  area_mm2  energy_delay_js
...

# Again: nothing is simulated, and the tables are the same.

$ psim-explore -v small.ini -f csv > again.csv
psim-explore: 12 of 12 points are in small.sqlite

# Each figure is psim's.

$ psim-explore small.ini --csv - | grep ^chase,32,4,4
chase,32,4,4,...
...
$ a=$(psim-explore small.ini --csv - | grep ^hello,32,4,4 | cut -d, -f5); b=$(psim -c configs/sparc64v.ini -p core.rob_entries=32 -f csv traces/samples/hello.trace.gz | grep ^core,seconds | cut -d, -f4); [ -n "$a" ] && [ "$a" = "$b" ] && echo same
same

# A picture: a dot for each of the six designs, and for each trace.

$ psim-explore small.ini --svg small.svg > said; grep -c '</title></circle>' small.svg
6

$ psim-explore small.ini --over trace --colour decode.width --svg - | grep -c '</title></circle>'
12

# As many jobs as one likes: the same lines.

$ for j in 1 3 7; do psim-explore -j $j -o j$j.sqlite --csv j$j.csv small.ini > said || echo $?; cksum < j$j.csv; done | sort -u | wc -l
1

$ wc -l < j1.csv
13

# Killed at some moment, and again, and at last left alone: as if nothing had been.

$ for t in 0.1 0.2 0.3 0.5; do timeout -s KILL $t psim-explore -q -o killed.sqlite small.ini > said 2>&1; done; psim-explore -o killed.sqlite --csv killed.csv small.ini > said; cmp killed.csv j1.csv && echo same
same

# SIGINT: finished points are kept.

$ printf 'base = configs/sparc64v.ini\n[sweep]\nmemory.latency = 101 ns..1000 ns+1 ns\nmemory.bandwidth = 1 GB/s..20 GB/s+1 GB/s\n[traces]\nq = traces/samples/quicksort.trace.gz\n' > long.ini

$ python3 bad/../cli/when_ready.py INT psim-explore -q long.ini
psim-explore: interrupted: ... of 18000 points are in long.sqlite; the same command continues
[1]

# Two at a time into one file share the work's result.

$ psim-explore -q -o shared.sqlite small.ini > said & psim-explore -q -o shared.sqlite small.ini > said2; wait; psim-explore --no-run -o shared.sqlite --csv shared.csv small.ini > said; cmp shared.csv j1.csv && echo same
same

# The studies of the tree: every combination is a processor. Traces of simd.ini are still to be recorded: here
# another takes their place.

$ for s in voltage window; do echo "$(psim-explore --list configs/explore/$s.ini | wc -l) $s"; done
24 voltage
40 window

$ psim-explore --list configs/explore/simd.ini
psim-explore: configs/explore/simd.ini:17: trace dgemm: configs/explore/traces/dgemm-0-16 KiB.trace.gz: cannot open: No such file or directory
[3]

$ sed -e '/^\[traces\]/,$d' -e "s|^base = \.\./|base = $PWD/configs/|" configs/explore/simd.ini > simd.ini; printf '[traces]\nhello = traces/samples/hello.trace.gz\n' >> simd.ini; psim-explore --list simd.ini | wc -l
48

# A combination that does not fit is skipped and reported; parameters that vary without a cost are reported; conditions and weights.

$ printf 'base = configs/sparc64v.ini\n[sweep]\nlatency.fp_fma = 4, 8\nfetch.width_bytes = 24, 32\nlsu.forwarding = yes, no\n[traces]\nhello = traces/samples/hello.trace.gz\n[weights]\nhello = 2\n' > misfit.ini

$ psim-explore -q misfit.ini --pareto --where lsu.forwarding=yes -f csv | grep -E '^study,(skipped|points)|^study.skipped_reasons,(combinations|why)|free:|^pareto,lsu'
psim-explore: warning: 6 of 8 combinations are skipped (table study.skipped_reasons), the first: misfit.ini:4: fetch.width_bytes = 24 ...
study,skipped,,6,
study,points,,2,
study.parameters,cost,2,free: memory order needs the search of the store queue anyway; Rs has the latches of the data,
study.skipped_reasons,combinations,0,4,
study.skipped_reasons,why,0,"misfit.ini:4: fetch.width_bytes = 24 is not a power of two, expected one",
study.skipped_reasons,combinations,1,2,
study.skipped_reasons,why,1,"misfit.ini: energy: path fp_fma (FP multiply-add): its logic must be 2.000 times as fast as the reference's, expected at most 1.620, the fastest published; no realistic supply is sufficient: lower chip.frequency",
pareto,lsu.forwarding,0,yes,

$ psim-explore -q misfit.ini --where 'core.rob_entries<64'
psim-explore: --where 'core.rob_entries<64': unknown name, expected section.key of a parameter that varies, or one of seconds, system_j, ...
[2]

# The warning has the first reason, with what is expected. L2's 12 ways of 64 bytes divide 6 MiB, and no power of two.

$ printf 'base = configs/sparc64v.ini\n[sweep]\nl2.size = 4 MiB, 6 MiB\n[traces]\nhello = traces/samples/hello.trace.gz\n' > ways.ini; psim-explore -q ways.ini > report
psim-explore: warning: 1 of 2 combinations are skipped (table study.skipped_reasons), the first: ways.ini:3: l2.size = 4194304 is not a whole number of sets, expected a multiple of ways * line_bytes = 12 * 64 = 768, or l2.ways = 8 or 16 (l2.size=4 MiB)

# A condition that no design satisfies is a mistake: the two designs have fp_fma = 8, widths 32, and forwarding yes and no.

$ psim-explore -q misfit.ini --where lsu.forwarding=yes --where latency.fp_fma=4 --csv none.csv
psim-explore: warning: 6 of 8 combinations are skipped (table study.skipped_reasons), the first: misfit.ini:4: fetch.width_bytes = 24 ...
psim-explore: --where 'latency.fp_fma=4': no design of 1 satisfies it, expected a value from 8 to 8
[2]
$ psim-explore -q misfit.ini --where 'area_mm2<1' --over trace 2>&1 | sed 's/from [0-9.]* to [0-9.]* mm2/from A to B mm2/'; test -e none.csv || echo no file
psim-explore: warning: 6 of 8 combinations are skipped (table study.skipped_reasons), the first: misfit.ini:4: fetch.width_bytes = 24 ...
psim-explore: --where 'area_mm2<1': no design of 2 satisfies it, expected a value from A to B mm2
no file
$ cp misfit.sqlite empty.sqlite; python3 -c "import sqlite3; d = sqlite3.connect('empty.sqlite'); d.execute('DELETE FROM point'); d.commit()"; psim-explore -q misfit.ini -o empty.sqlite --no-run --where 'area_mm2<1' | grep -o '^best: the best design'
psim-explore: warning: 6 of 8 combinations are skipped (table study.skipped_reasons), the first: misfit.ini:4: fetch.width_bytes = 24 ...
psim-explore: warning: 2 of 2 points have no results in empty.sqlite
best: the best design

# A condition on power, which with one trace is energy by time; a front of four figures; JSON. The picture has other axes.

$ psim-explore -q configs/explore/window.ini -o power.sqlite --where 'power_w<22' --front time,energy,area,power_w --over trace --pareto --json >power.json; python3 -c 'import json; d = json.load(open("power.json")); rows = d["dgemm_pareto"]; print(len(rows) > 3, all(r["power_w"] < 22 and abs(r["power_w"] * r["seconds"] + r["memory_j"] - r["system_j"]) < 1e-9 for r in rows))'
True True
$ psim-explore -q configs/explore/window.ini -o power.sqlite --axes area,power_w --svg axes.svg >report; grep -oE '>(area of core and L2|power of core and L2)[^<]*<|front of area and power_w' axes.svg
>area of core and L2 (mm²)<
>power of core and L2 (W)<
front of area and power_w

# In shares, each with a file: merged, in whatever order, they are the whole. The list says what each share has.

$ for k in 1 2 3; do psim-explore -q small.ini --share $k/3 > said || echo $?; psim-explore --list --share $k/3 small.ini; done | sort > shares; psim-explore --list small.ini | sort | cmp - shares && echo same
same

$ psim-explore --merge small-3-of-3.sqlite small-1-of-3.sqlite small-2-of-3.sqlite -o merged.sqlite; psim-explore -v -o merged.sqlite small.ini --csv - | cmp - j1.csv && echo same
psim-explore: 12 of 12 points are in merged.sqlite
same

$ psim-explore --merge merged.sqlite -o merged.sqlite
psim-explore: merged.sqlite: is also an input, expected another file to write to
[2]

$ psim-explore --merge small-1-of-3.sqlite
psim-explore: --merge: expected results files, and -o FILE, which gets all results
[2]

$ psim-explore --merge small-1-of-3.sqlite -o merged.sqlite --pareto
psim-explore: --merge: expected results files and -o alone
[2]

# Without one of the files nothing is made.

$ psim-explore --merge small-1-of-3.sqlite nowhere.sqlite -o other.sqlite; ls other.sqlite
psim-explore: nowhere.sqlite: unable to open database file
ls: cannot access 'other.sqlite': No such file or directory
[2]

# Results that a share did not bring, or another version did, are missing: a warning says so, and the study's command simulates
# them. A share is by hash: here the first one that has points is left out.

$ k=$(for k in 1 2 3; do psim-explore --list --share $k/3 small.ini | grep -q hello && echo $k; done | sed -n 1p); psim-explore --merge $(ls small-?-of-3.sqlite | grep -v small-$k-of) -o most.sqlite; psim-explore --no-run -o most.sqlite small.ini > said; psim-explore -q -o most.sqlite small.ini --csv - | cmp - j1.csv && echo same
psim-explore: warning: ... of 12 points have no results in most.sqlite
same

$ cp merged.sqlite old.sqlite; python3 -c "import sqlite3; d = sqlite3.connect('old.sqlite'); d.execute('UPDATE point SET version = 1 WHERE cycles > 20000'); d.commit()"; psim-explore -q -o old.sqlite small.ini --csv - | cmp - j1.csv && echo same
psim-explore: warning: old.sqlite has ... points of another version only, expected 0.1.0 ...
same

# A result that has changed is not merged, nor one that differs, here of another machine's making.

$ cp merged.sqlite wrong.sqlite; python3 -c "import sqlite3; d = sqlite3.connect('wrong.sqlite'); d.execute('UPDATE point SET cycles = 1'); d.commit()"; psim-explore --merge wrong.sqlite -o merged.sqlite
psim-explore: wrong.sqlite: damaged: the result of configuration ..., trace ... has another checksum, expected results of psim-explore
[3]

$ printf 'import sqlite3, struct, zlib\nd = sqlite3.connect("wrong.sqlite")\nfor r in d.execute("SELECT * FROM point").fetchall():\n    key = b"".join(t.encode() + b"\\0" for t in r[:3])\n    d.execute("UPDATE point SET crc = ? WHERE configuration = ? AND trace = ?", (zlib.crc32(key + struct.pack("%%dd" %% len(r[3:-1]), *r[3:-1])), r[0], r[1]))\nd.commit()\n' > crc.py; python3 crc.py; psim-explore --merge wrong.sqlite -o merged.sqlite
psim-explore: wrong.sqlite: configuration ..., trace ...: other figures than in merged.sqlite, expected the same
[3]

$ psim-explore --share 4/3 small.ini
psim-explore: --share 4/3: expected K/N, the share K of N, from 1/N to N/N
[2]

# No free lunch: the front over latency, window, caches, clock and supply is a curve, not a corner. Each value of each
# of them is that of some design of the front.

$ sed -e 's|^base = .*|base = configs/sparc64v.ini|' -e 's|= ../samples|= traces/samples|' -e '/^quicksort/d' -e 's/5, 6, 8, 12/5, 8, 12/; s/3, 3, 4, 6/3, 4, 6/; s/32, 64, 128$/32, 128/; s/16, 32, 64$/16, 64/' -e 's/32 KiB, 128 KiB/8 KiB, 64 KiB/; s/1.25 GHz, 1.5 GHz, 2 GHz/1.25 GHz, 2 GHz/; s/0.8..1.2+0.1/0.8, 1.0, 1.2/' configs/explore/design.ini > front.ini; psim-explore -q front.ini --pareto -f csv > front.csv; for a in latency.fp_fma core.rob_entries l1d.size chip.frequency energy.voltage; do echo "$a $(grep "^pareto,$a," front.csv | cut -d, -f4 | sort -u | wc -l)"; done
psim-explore: warning: 16 of 108 combinations are skipped (table study.skipped_reasons), the first: ...
latency.fp_fma 3
core.rob_entries 2
l1d.size 2
chip.frequency 3
energy.voltage 3

# Sensitivity: a row for each of two axes and four criteria; the largest ratio of a criterion is first.

$ psim-explore -q small.ini --sensitivity -f csv | grep '^sensitivity,' > effects; grep -c '^sensitivity,parameter,' effects
8

$ grep '^sensitivity,criterion,[02],' effects; grep '^sensitivity,lines,[01],' effects | cut -d, -f4 | sort -n
sensitivity,criterion,0,time,
sensitivity,criterion,2,energy,
2
3

# Three windows and two widths: the ratio in area is that of the CSV's areas, a geometric mean of three lines.

$ psim-explore -q small.ini --csv - | python3 -c "import csv, math, sys; a = {(r['core.rob_entries'], r['decode.width']): math.log(float(r['area_mm2'])) for r in csv.DictReader(sys.stdin)}; print('%.9g' % math.exp(sum(a[w, '4'] - a[w, '2'] for w in ('16', '32', '64')) / 3))" > by-hand; psim-explore -q small.ini --sensitivity -f csv | python3 -c "import csv, sys; t = {}; [t.setdefault(r[2], {}).update({r[1]: r[3]}) for r in csv.reader(sys.stdin) if r[0] == 'sensitivity']; print('%.9g' % [float(r['ratio']) for r in t.values() if r['criterion'] == 'area' and r['parameter'] == 'pair width'][0])" | cmp - by-hand && echo same
same

$ psim-explore -q small.ini --tornado - | grep -c '</title></rect>'
8

$ psim-explore -q small.ini --tornado one --svg one
psim-explore: --svg and --tornado both write to one, expected different files
[2]

# A part of the combinations: their number, chosen by the seed; the results of others are not reported.

$ psim-explore -q small.ini --sample 2 -f csv | grep -E '^study,(chosen|points|known)' | cut -d, -f2,4
chosen,2
points,4
known,4

$ psim-explore -q small.ini --sample 2 --csv - | wc -l
5

$ for s in 1 2 3 4 5 6; do psim-explore --list small.ini --sample 3 --seed $s | cksum; done | sort -u | wc -l > seeds; psim-explore --list small.ini --sample 3 --seed 2 | wc -l; [ $(cat seeds) -gt 2 ] && echo different
6
different

# A search: the same designs, whatever the jobs, and whether they are in the file already.

$ psim-explore -q -j 1 -o searched.sqlite small.ini --search 4 --csv - > once; psim-explore -q -j 4 small.ini --search 4 --csv - | cmp - once && wc -l < once
9

$ psim-explore -q small.ini --search 100 --csv - | cmp - j1.csv && echo all
all

$ psim-explore small.ini --sample 2 --search 2
psim-explore: --sample and --search: expected one of them
[2]

$ psim-explore small.ini --search 2 --share 1/2
psim-explore: --search with --share: expected neither, since each step needs all results so far
[2]

$ psim-explore small.ini --seed 3
psim-explore: --seed without --sample or --search: nothing is random
[2]

$ psim-explore small.ini --search 0
psim-explore: --search 0: expected 1 or more combinations
[2]

$ psim-explore small.ini --sample x
psim-explore: --sample x: not a number, expected digits and perhaps k, M or G
[2]

# A search obeys its conditions: of parameters it simulates nothing else; what breaks a limit of the study is counted. The
# last step has the whole hypervolume.

$ psim-explore -q small.ini --search 4 --where 'core.rob_entries>=32' --csv - | cut -d, -f2 | sort | uniq -c | awk '{ print $2 }'
32
64
core.rob_entries

$ sed 's/^\[traces\]/[limits]\narea = 1 mm2\n[traces]/' small.ini > limited.ini; psim-explore -q limited.ini -o small.sqlite --no-run 2>&1 | sed 's/from [0-9.]* to [0-9.]*/from A to B/'
psim-explore: limited.ini:9: limit area = 1 mm2: no design of 6 satisfies it, expected a value from A to B mm2

$ a=$(psim-explore -q small.ini --csv - | cut -d, -f7 | tail -n +2 | sort -g | uniq | sed -n 3p); sed "s/^\[traces\]/[limits]\narea = $a\n[traces]/" small.ini > limited.ini; psim-explore -q limited.ini -o small.sqlite --search 6 -f csv > limited.csv; grep ^conditions limited.csv; grep ^search,hypervolume limited.csv | tail -n 1
conditions,feasible,,3,
conditions,infeasible,,3,
search,hypervolume,5,100,%

$ psim-explore -q small.ini --where 'core.rob_entries=16' --where 'core.rob_entries=32' --search 3
psim-explore: no valid combination satisfies the conditions on parameters (--where)
[2]

# Columns of the text, of choice; programs read all.

$ psim-explore -q small.ini --columns core.rob_entries,power,edp | sed -n '/^best/,$p' | sed -n 2p
  least                 core.rob_entries  energy_delay_js  power_w
$ psim-explore -q small.ini --columns speed 2>&1 | cut -c 1-100
psim-explore: --columns: 'speed', expected all, section.key of a parameter that varies, or some of s
$ psim-explore -q small.ini --front edp,energy_low_j,power --pareto -f csv | grep -c '^pareto,energy_low_j,'
...

# Skipped combinations are in the JSON report, with their number and their reasons.

$ psim-explore -q misfit.ini -f json | jq -c '.study.skipped, (.study.skipped_reasons | length)'
psim-explore: warning: 6 of 8 combinations are skipped (table study.skipped_reasons), the first: misfit.ini:4: fetch.width_bytes = 24 ...
6
2

# Machines with an array and traces that do not use it: of one trace of two, on both machines, and of none.

$ for base in simd16 sparc64v; do printf 'base = configs/%s.ini\n[sweep]\nlatency.fp_fma = 5, 8\n[traces]\nhello = traces/samples/hello.trace.gz\n' $base > idle.ini; if test $base = simd16; then echo 'axpy = traces/samples/axpy.trace.gz' >> idle.ini; fi; psim-explore -q idle.ini -f csv | grep -E '^study,(points|idle_arrays)'; done
study,points,,4,
study,idle_arrays,,2,
study,points,,2,

# Designs beyond the range of the models are counted.

$ printf 'base = configs/sparc64v.ini\n[sweep]\nenergy.voltage = 1.0, 3.0\n[traces]\nh = traces/samples/hello.trace.gz\n' > hot.ini; psim-explore -q hot.ini 2>&1 >/dev/null
psim-explore: warning: 1 of 2 combinations are beyond the range of the models, the first: energy.voltage=3: energy: supply 3 V: the laws hold for 0.70 to 1.30 V at 90 nm

# A design with a thermal runaway is invalid, and no error: 20 K/W from 318 K are 420 K, the hottest junction, at 5.1 W. Again:
# nothing runs. If no design is left, the reason is the error.

$ printf 'base = configs/sparc64v.ini\n[sweep]\nenergy.package = 0.2, 20\n[traces]\nhello = traces/samples/hello.trace.gz\n' > hot.ini; for n in 1 2; do psim-explore -q hot.ini -f csv 2>/dev/null | grep -E '^study,(skipped|known)|reasons,(comb|why)|^best,energy.package,0'; done
study,skipped,,1,
study,known,,1,
study.skipped_reasons,combinations,0,1,
study.skipped_reasons,why,0,"hot.ini: energy: thermal runaway: with energy.package = 20 K/W from 318 K no junction's temperature carries off the power of trace hello, expected a smaller one, or a lower clock",
best,energy.package,0,0.2,
study,skipped,,1,
study,known,,1,
study.skipped_reasons,combinations,0,1,
study.skipped_reasons,why,0,"hot.ini: energy: thermal runaway: with energy.package = 20 K/W from 318 K no junction's temperature carries off the power of trace hello, expected a smaller one, or a lower clock",
best,energy.package,0,0.2,
$ sed 's/0.2, 20/20, 30/' hot.ini > hotter.ini; psim-explore -q hotter.ini 2>&1 | tail -1
psim-explore: hotter.ini: energy: thermal runaway: with energy.package = 20 K/W from 318 K ... (energy.package=20)

# An output that fails costs no other one, and no report.

$ psim-explore -q hot.ini --svg /dev/full --csv rest.csv 2>&1 | grep -E '^best: |^psim-explore: /dev'; wc -l < rest.csv
best: the best design by each criterion, trace hello
psim-explore: /dev/full: cannot write: No space left on device
2

# The studies of the tree and of the pages: a line of their tables has at most 120 characters, and with all columns 160. A study of
# nine parameters, whose names need several lines, is among them.

$ python3 bad/../cli/study_widths.py configs/explore docs traces/samples
design.ini 120 160
window.ini 120 160
voltage.ini 120 160
...
$ psim-explore --list-figures | grep -cE '^  (thermal_w|period_j|power_w_mm2) '; psim-explore --list-figures x; psim-explore
3
psim-explore: --list-figures: expected no study
psim-explore: no operand, expected STUDY.ini: see psim-explore --help
[2]
