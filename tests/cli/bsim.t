# bsim: skeletons by closed forms, collective operations by table, machines.
# needs: cc

$ bsimcc -O1 -Wall -Werror -o skeleton.so examples/skeleton.c && bsimcc -O1 -o together.so mpi/together.c

# Without imbalance the closed form comes out. A round: 2 x 100^3 operations at 1 GFlop/s, 2 ms; 100 x 100 x 8 bytes to the next
# rank, 1 us + 80000 x 1 ns = 81 us; two steps of recursive doubling of 8 bytes, 2 x 1.008 us. Three rounds: 6.249048 ms.

$ bsim -q -n 4 -p mpi.overhead=0 -p mpi.eager='1 MiB' -p linear.latency='1 us' -p linear.bandwidth='1 GB/s' --expect program.seconds=6.249048e-3 --expect program.compute=6e-3 -o r.txt skeleton.so 3 100; grep -E '^  (compute|late) ' r.txt | tail -1
3 rounds on 4 ranks
  late           0.0000   0.00  0.0000            0  0.0000            0

# Without a network nothing but computation is left: 3 x 2 ms, twice as much by a parameter, ten times by the machine.

$ for o in '' '--set flops=5e8' '-p machine.slowdown=10'; do bsim -q -n 4 -e none $o -o r.txt skeleton.so 3 100 >/dev/null; grep '  seconds .*last' r.txt; done
  seconds                          6 ms     # time at which the last rank ended
  seconds                         12 ms     # time at which the last rank ended
  seconds                         60 ms     # time at which the last rank ended

# Where a number came from: the command line, the machine, or the skeleton.

$ printf '[skeleton]\nflops = 2e9\nother = 1\n' > f.ini; for o in '--set flops=5e8' '-c f.ini' ''; do bsim -q -n 4 -e none $o -o r.txt skeleton.so 3 100 >/dev/null; sed -n '/^parameters/,/^$/p' r.txt | sed -n 3p; done
  flops      500000000  --set
  flops      2000000000  [skeleton]
  flops      1000000000  program

# Models: by a file in a folder, relative to the ini file, with a factor; and by option, which comes first. For
# n = 100 the file's polynomial is 0.176 + 12.924 + 0.758 + 31.244 us = 45.102 us: twice that, once, once.

$ mkdir m; cp configs/models/simd-dgemm.model m/block.model; printf '[models]\nblock = block.model 2\n' > m/x.ini; for o in '-c m/x.ini' '--model block=m/block.model' '-c m/x.ini --model block=m/block.model'; do bsim -q -n 1 -e none $o -o r.txt skeleton.so 1 100 >/dev/null; grep -E 'seconds.*last|m/block.model' r.txt | grep -v command | awk '{ print $1, $2, $3, $4, $5 }'; done
seconds 90.2045 us # time
block m/block.model 2 1 90.204
seconds 45.1022 us # time
block m/block.model 1 1 45.102
seconds 45.1022 us # time
block m/block.model 1 1 45.102

# The models' error becomes an interval of the run's time. n^3 ns, 10 % inside 50 ... 100 and 50 % outside: three rounds of
# n = 100 are 3 ms +- 0.3 ms, of n = 200 24 ms +- 12 ms; at four times the range the error is twice that, and from 0 ms. Of a
# range that is not above 0 nothing says how far 100 is outside: the interval is unknown. With messages, of 1 us + 80 us and 1 us + 8 ns a round, 3.246024 ms
# may all be computation, +- 0.3246024 ms, or, on the critical path, 3 ms, +- 0.3 ms.

$ printf '{"model": {"format": "psim-model", "version": 1, "value": "v", "unit": "s", "max_error": 1, "errors": 2, "error_inside": 10, "error_outside": 50}, "variables": [{"variable": "n", "from": 50, "to": 100}], "terms": [{"term": "n^3", "coefficient": 1e-9}]}' > cube.model
$ for n in 100 200 400; do bsim -q -n 2 -e none --model block=cube.model -f csv -o r.csv skeleton.so 3 $n 2>/dev/null >&2; grep '^interval' r.csv | cut -d, -f2,4 | tr '\n' ' '; echo; done
error,10 low,0.0027 high,0.0033 calls_outside,0 
error,50 low,0.012 high,0.036000000000000004 calls_outside,6 
error,100 low,0 high,0.384 calls_outside,6 
$ sed 's/"from": 50, "to": 100/"from": -9, "to": 0/' cube.model > far.model; bsim -q -n 2 -e none --model block=far.model -o r.txt skeleton.so 3 100 2>/dev/null >&2; sed -n '/^interval/,/^$/p' r.txt | awk '{ print $1, $2 }'
interval: interval
error -
low -
high -
calls_outside 6

# Expected errors of an older psim-fit, or none, have one warning, and are doubts of the report.

$ sed 's/"errors": 2, //' cube.model > old.model; sed 's/"errors.*50}/"x": 1}/' cube.model > none.model; for m in old none; do bsim -q -n 2 -e none --model block=$m.model -f csv -o r.csv skeleton.so 3 100 >/dev/null; grep '^models,doubts' r.csv | cut -d, -f4; done
bsim: warning: model block (old.model) has expected errors of an older psim-fit: the run's interval may be too narrow, expected a model that psim-fit has fitted again
expected errors of an older psim-fit
bsim: warning: model block (none.model) has no expected errors: the run's interval may be too narrow, expected a model that psim-fit has fitted again
no expected errors

# Doubts of the fit come along with the model, each once, and every variable outside the range is named: n of 200 at the most, m of 4 at
# the least; 250 is 1.25 times, 1 is a quarter.

$ sed 's/"terms":/"warnings": [{"warning": "few sizes", "about": "x"}, {"warning": "data leave a cache", "about": "y"}, {"warning": "few sizes", "about": "z"}], "terms":/' cube.model > doubted.model; bsim -q -n 2 -e none --model block=doubted.model -f csv -o r.csv skeleton.so 3 100 >/dev/null; grep '^models,doubts' r.csv | cut -d, -f4
few sizes; data leave a cache
$ printf '%s\n' '#include <mpi.h>' '#include <bsim.h>' 'int main(int argc, char *argv[])' '{' 'MPI_Init(&argc, &argv);' 'BSIM_Add_model("two", 2, (double[]){100, 1});' 'BSIM_Add_model("two", 2, (double[]){250, 8});' 'MPI_Finalize();' 'return 0; }' > two.c; bsimcc -o two.so two.c; printf '{"model": {"format": "psim-model", "version": 1, "value": "v", "unit": "s", "max_error": 1, "errors": 2, "error_inside": 1, "error_outside": 1}, "variables": [{"variable": "n", "from": 50, "to": 200}, {"variable": "m", "from": 4, "to": 9}], "terms": [{"term": "n*m", "coefficient": 1e-9}]}' > two.model; bsim -n 1 -q -e none --model two=two.model -f csv -o r.csv two.so; grep -E '^models,(calls_outside|furthest)' r.csv | cut -d, -f4-
bsim: warning: model two (two.model) is used outside the range of its fit: m = 1 is 1/4 of the smallest fitted value, 4
2,
"n = 250 is 1.25 times the largest fitted value, 200; m = 1 is 1/4 of the smallest fitted value, 4",
$ for p in '' --critical-path; do bsim -q -n 2 -p mpi.overhead=0 -p mpi.eager='1 MiB' -p linear.latency='1 us' -p linear.bandwidth='1 GB/s' $p --model block=cube.model -f csv -o r.csv skeleton.so 3 100 >/dev/null; awk -F, '/^interval,(low|high)/ { printf "%s %.7f ", $2, 1e3 * $4 } END { print "ms" }' r.csv; done
low 2.9214216 high 3.5706264 ms 
low 2.9460240 high 3.5460240 ms 

# 2 n^3 operations in n^3 ns are 2 Gflop/s: a processor that has less cannot do them.

$ for peak in 1.9e9 2e9; do bsim -q -n 2 -e none -p machine.peak=$peak --model block=cube.model -o r.txt skeleton.so 3 100 >/dev/null; grep -E 'of_peak|doubt' r.txt; done
bsim: warning: 105.3 % of machine.peak: a model gives too little, or operations are counted twice
  of_peak                    105.263 %       # rate as a share of machine.peak
  doubt                 105.3 % of machine.peak: a model gives too little, or operations are counted twice
  of_peak                        100 %       # rate as a share of machine.peak

# When ranks leave operations that take the time of a table (mpi/together.c): 10 us for 0 bytes, 20 us for 1000, so 20 us
# after rank 1, which came at 1 ms; root of Gather 2 ms after rank 3 came; all of Allreduce 150 us after rank 3.

$ printf 'message-times 1\ntable barrier\nbytes 0\n4 0us\ntable bcast\nbytes 0 1000\n4 10us 20us\ntable gather\nbytes 0 1000\n4 1ms 2ms\ntable allreduce\nbytes 0 1000\n4 100us 200us\n' > t.times; bsim -q -n 4 -e none -p mpi.clock_overhead=0 -p table.file=t.times -p mpi.collectives=table -o r.txt together.so | sort
allreduce rank 0: 3150 us
allreduce rank 1: 2150 us
allreduce rank 2: 1150 us
allreduce rank 3: 150 us
bcast rank 0: 1020 us
bcast rank 1: 20 us
bcast rank 2: 0 us
bcast rank 3: 0 us
gather rank 0: 0 us
gather rank 1: 4000 us
gather rank 2: 0 us
gather rank 3: 0 us

# Data move all the same, also of nonblocking ones: programs that check what they get, all collectives by table.

$ bsim-table -q -e linear -p topology.dims=4x4 --sizes 0,1KiB,64KiB -o all.times; for p in collectives nonblocking; do nsimcc -o $p.so mpi/$p.c; nsim -q -p topology.dims=4x4 -n 13 -p table.file=all.times -p mpi.collectives=table -o r.txt $p.so; done; grep -E '^  (sent|messages) ' r.txt | sed -n 1p
collectives: all checks hold on 13 ranks
nonblocking: all checks hold on 13 ranks
...

# bsim-table by closed forms: 1 us + bytes x 1 ns + 100 ns a link; a barrier of 4 is two rounds of 0 bytes between neighbours on
# a ring of 4 nodes, the second over two links.

$ bsim-table -q -e linear -p topology.dims=4 -p mpi.overhead=0 -p linear.latency='1 us' -p linear.hop='100 ns' -p linear.bandwidth='1 GB/s' --sizes 0,1000 --ranks 2,4 --tables p2p,barrier
message-times 1
# simulated: ...
# engine linear, 4 nodes

table p2p
bytes 0 1000
0 1000000ps 2000000ps
1 1100000ps 2100000ps
2 1200000ps 2200000ps

table barrier
bytes 0
2 1100000ps
4 2300000ps

# A picture of a file: two curves of three points and a third row of points for a barrier. Axes are logarithmic, so the point of
# 100 bytes and 10 us is in the middle of its plot, which is from 82 to 420 and from 96 to 296 pixels.

$ printf 'message-times 1\ntable bcast\nbytes 10 100 1000\n4 1us 10us 100us\n5 2us 20us 90us\ntable barrier\nbytes 0\n2 1us\n4 2us\n8 3us\n' > hand.times; bsim-table --draw hand.times --picture hand.svg; python3 -c 'import xml.dom.minidom as x; d = x.parse("hand.svg"); e = d.getElementsByTagName; print(len([p for p in e("path") if p.getAttribute("fill") == "none"]), len(e("circle")), [(c.getAttribute("cx"), c.getAttribute("cy")) for c in e("circle")][1])'
2 9 ('251.0', '196.0')

$ bsim-table -q -e linear -p topology.dims=4 --tables barrier,scan --ranks 2,4 -o both.times --picture both.svg; grep -o '>barrier<\|>scan<' both.svg
>barrier<
>scan<

# A second call resumes: it does not simulate a kept cell again. Cells of another machine are not used.
# The first run fails when the whole table, which begins with a long command line, is longer than a file may be.

$ (ulimit -f 1; trap '' XFSZ; bsim-table $(yes -- -q | head -400) -e linear -p topology.dims=4 --tables barrier --ranks 2,4 -o x); sed -i 's/^barrier 4 .*/barrier 4 0 77/' x.part; cp x.part y.part; bsim-table -q -e linear -p topology.dims=4 --tables barrier --ranks 2,4 -o x; tail -1 x; ls x.part 2>&1; bsim-table -q -e linear -p topology.dims=8 --tables barrier --ranks 2,4 -o y; tail -1 y
bsim-table: x: cannot write: File too large
4 77ps
ls: cannot access 'x.part': No such file or directory
4 ...

# A table answers within a fifth for every communicator between its rows, power of two or not (prints none that does not); one
# without rows for such numbers says so.

$ printf '#include "mpi.h"\nint main(int argc, char **argv) { MPI_Init(&argc, &argv); MPI_Allreduce(NULL, NULL, 8192, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); return MPI_Finalize(); }\n' > ar.c; bsimcc -o ar.so ar.c; bsim-table -q -e linear -p topology.dims=4x4 --sizes 0,64KiB --tables allreduce -o ar.times; for n in 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do for c in auto table; do bsim -q -n $n -p topology.dims=4x4 -p mpi.collectives=$c $([ $c = auto ] || echo -p table.file=ar.times) -f csv ar.so | awk -F, '/^program,seconds/ { print $4 }'; done | awk -v n=$n 'NR == 1 { direct = $1 } NR == 2 && ($1 > 1.2 * direct || direct > 1.2 * $1) { print n, direct, $1 }'; done
$ bsim-table -q -e linear -p topology.dims=4x4 --ranks 4,8 --sizes 0,64KiB --tables allreduce -o two.times; bsim -q -n 5 -p topology.dims=4x4 -p mpi.collectives=table -p table.file=two.times -o r.txt ar.so
bsim: warning: allreduce by table on 5 ranks: table 'allreduce' lacks rows on one side that are no powers of two; times may be inaccurate

# Every machine runs a skeleton, on every engine; its critical path is as long as the run.

$ for m in configs/machines/*.ini; do for e in none linear flow packet; do bsim -q -c $m -e $e -n 128 -p machine.peak=0 --check --critical-path --model block=configs/models/simd-dgemm.model -f csv -o r.csv skeleton.so 1 64 >/dev/null || echo $m $e; [ $(grep -E '^(program|critical_path),seconds,' r.csv | cut -d, -f4 | uniq | wc -l) = 1 ] || echo $m $e path; done; done

# Timelines have a line of each rank's phases (BSIM_Phase) beside that of its waits, also in a window: rank 1 of 2 computes 2 ms
# in update, exchanges from 2 ms to 2.081 ms, and so on; 2.05 ms is in exchange.

$ bsim -q -n 2 -p mpi.overhead=0 -p mpi.eager='1 MiB' -p linear.latency='1 us' -p linear.bandwidth='1 GB/s' -o r.txt --timeline t.json --paje t.paje --window 2.05ms:2.1ms --window-ranks 1 skeleton.so 3 100 >/dev/null; grep -E '"name":"(exchange|residual|LMPI_Sendrecv)"' t.json; grep -cE ' r1 P "?(exchange|residual|update)"?$' t.paje
{"name":"exchange","cat":"phase","ph":"B","pid":268435457,"tid":1,"ts":2050.000000},
{"name":"LMPI_Sendrecv","cat":"call","ph":"B","pid":268435457,"tid":0,"args":{"at":"LMPI_Main (skeleton.c:27)"},"ts":2050.000000},
{"name":"residual","cat":"phase","ph":"B","pid":268435457,"tid":1,"ts":2081.000000},
3

# Computation has the name of its model; without one it is "compute".

$ for model in block=configs/models/simd-dgemm.model other=configs/models/simd-dgemm.model; do bsim -q -n 2 -o r.txt --timeline t.json --model $model skeleton.so 1 64 >out 2>err; grep -o '"name":"[a-z]*","cat":"compute".*"args":{[^}]*}' t.json | sort -u; done
"name":"block","cat":"compute","ph":"B","pid":268435456,"tid":0,"args":{"at":"LMPI_Main (skeleton.c:22)"}
"name":"block","cat":"compute","ph":"B","pid":268435457,"tid":0,"args":{"at":"LMPI_Main (skeleton.c:22)"}
"name":"compute","cat":"compute","ph":"B","pid":268435456,"tid":0,"args":{"at":"LMPI_Main (skeleton.c:24)"}
"name":"compute","cat":"compute","ph":"B","pid":268435457,"tid":0,"args":{"at":"LMPI_Main (skeleton.c:24)"}

# Fortran, where its compiler is there: variables of modules and common blocks are each rank's own.

$ command -v gfortran >/dev/null || echo 'token 12'; ! command -v gfortran >/dev/null || { bsimf90 -o f.so mpi/fortran.f90 && bsim -q -n 4 -o r.txt f.so | sed -n 1p; }
token ...

# The same command gives the same report, except for the host's cost.

$ for i in 1 2; do bsim -q -n 16 -f csv -o r$i.csv skeleton.so >/dev/null; grep -vE '^(run|host)' r$i.csv > r$i; done; cmp r1 r2 && wc -l < r1
...
