# Files that a run writes besides the report, on several processes: the same bytes as on one.

$ echo 'for j in 1 2 4; do rm -rf d$j; mkdir d$j; (cd d$j && nsim -q -j $j "$@" > out 2> err || echo "status $?"; sed -i /command/d out); done; for j in 2 4; do diff -r d1 d$j > diff && echo "$j: $(ls d1 | tr "\\n" " ")" || sed -n 1,5p diff; done' > same; T='--series --series-picture s.svg --network-picture n.svg --timeline t.json --paje t.paje --log-packets'; sh same $T -p topology.dims=4x4 --pattern uniform:load=0.4; sh same $T -p topology.dims=4x4 -p topology.routing=adaptive --pattern all_to_all:size=20000; sh same $T --window 3us:0.00001 --window-ranks 2-9 -p topology.dims=4x4 --pattern uniform:load=0.4; grep -c '"ph":"b"' d1/t.json | tr '[1-9][0-9]*' n | cut -c1
2: err n.svg out s.svg t.json t.paje 
4: err n.svg out s.svg t.json t.paje 
2: err n.svg out s.svg t.json t.paje 
4: err n.svg out s.svg t.json t.paje 
2: err n.svg out s.svg t.json t.paje 
4: err n.svg out s.svg t.json t.paje 
n

# More points than a series keeps: neighbours are joined, in all processes at the same times.

$ sh same --series -p topology.dims=4x4 --pattern ring:size=4000000; awk '/^series_throughput/ { in_it = 1 } /^$/ { in_it = 0 } in_it { n++ } END { print (n > 128) }' d1/out
2: err out 
4: err out 
1

# Programs: logs, patterns, traces; and the trace in place of the program.

$ nsimcc -o all.so mpi/nonblocking.c && nsimcc -o steps.so mpi/steps.c; for p in all steps; do sh same -p topology.dims=4x2 --series --timeline t.json --paje t.paje --log-packets --write-pattern w.pat --write-trace w.trace ../$p.so; cp d1/w.trace $p.trace; sh same -p topology.dims=4x2 --each-rank --timeline t.json ../$p.so; sh same -p topology.dims=4x2 -e linear --each-rank --timeline t.json --replay ../$p.trace; done
2: err out t.json t.paje w.pat w.trace 
4: err out t.json t.paje w.pat w.trace 
2: err out t.json 
4: err out t.json 
2: err out t.json 
4: err out t.json 
2: err out t.json t.paje w.pat w.trace 
4: err out t.json t.paje w.pat w.trace 
2: err out t.json 
4: err out t.json 
2: err out t.json 
4: err out t.json 

# Slices, arrows and counters of collective and one-sided calls.

$ for p in collectives windows; do nsimcc -o $p.so mpi/$p.c && sh same -p topology.dims=4x2 --timeline t.json --paje t.paje ../$p.so; done; grep -c '"ph":"f"' d1/t.json | tr '[1-9][0-9]*' n | cut -c1
2: err out t.json t.paje 
4: err out t.json t.paje 
2: err out t.json t.paje 
4: err out t.json t.paje 
n

# A GOAL schedule, SimGrid's actions.

$ printf 'num_ranks 8\n' > ring.goal; for r in 0 1 2 3 4 5 6 7; do printf 'rank %d {\na: calc %d000\nb: send 30000b to %d\nc: recv 30000b from %d\nb requires a\n}\n' $r $r $(((r + 1) % 8)) $(((r + 7) % 8)); done >> ring.goal; for r in 0 1 2 3 4 5 6 7; do printf '%d init\n%d compute 1e6\n%d allreduce 1000 1e5\n%d finalize\n' $r $r $r $r; done > tit; sh same -p topology.dims=4x2 --each-rank --replay ../ring.goal; sh same -p topology.dims=4x2 -p machine.peak=1e9 --each-rank --replay ../tit
2: err out 
4: err out 
2: err out 
4: err out 

# Programs that fail or wait for ever say so once, and run once: each rank adds its line to a file. Messages that nobody receives arrive.

$ nsimcc -O1 -o fails.so mpi/fails.c; for how in abort crash stuck error unreceived status; do for j in 1 4; do rm -f log.txt; nsim -q -j $j -p topology.dims=4x2 -o r$j fails.so $how > out$j 2> err$j; echo $? >> out$j; [ -f r$j ] || echo none > r$j; sed -i /command/d r$j; sort log.txt > log$j; done; for f in r out err log; do cmp ${f}1 ${f}4; done; echo $how $(wc -l < log4) $(tail -1 out4) $(sed -n 1p err4); done
abort 8 7 nsim: rank 5: MPI_Abort with code 7 at main (fails.c:...)
crash 8 1 nsim: rank 6: segmentation fault at address (nil) in main (fails.c:...)
stuck 8 4 nsim: the program is deadlocked: 8 of 8 ranks wait forever
error 8 1 nsim: rank 3: MPI_Send at main (fails.c:...): destination 12: expected 0 to 7
unreceived 8 0
status 8 4 nsim: rank 4 ended with status 4
