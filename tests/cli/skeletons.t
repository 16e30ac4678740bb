# Skeletons (netlink/programs/skeletons) against values worked out on paper. With rates of 1 operations are seconds.
# needs: cc

$ for s in hpl cg eri stencil amr multigrid; do bsimcc -O2 -Wall -Wextra -Werror -o $s.so skeletons/$s.c || exit; done

# HPL, one rank, N = 4, NB = 2: panels w^2 (m - w/3) = 4 (4 - 2/3) + 4 (2 - 2/3) = 18.67, dtrsm 2 x 2 x 2 = 8, dgemm
# 2 x 2 x 2 x 2 = 16, in all 2/3 4^3; then two triangular solves of 2^2 each: 50.67.

$ bsim -q -o r.txt -e none --set dgemm_rate=1 --set panel_rate=1 -n 1 hpl.so 4 2 1 1
hpl N 4 NB 2 P 1 Q 1: 50.6667 s, ...

# On 2 x 2 ranks, no network. Panel 0 by column 0, each rank 2 rows: 4 (2 - 2/3) = 5.33. Column 1 solves (8); rank (1,1)
# has the 2 x 2 that is left (16): 29.33. Panel 1 on the same rank: 5.33. Solves on the ranks (1,1), (0,0), one after
# the other: 8. Look-ahead cannot help: rank (1,1) has all of the rest.

$ bsim -q -o r.txt -e none --set dgemm_rate=1 --set panel_rate=1 -n 4 hpl.so 4 2 2 2
hpl N 4 NB 2 P 2 Q 2: 42.6667 s, ...

$ bsim -q -o r.txt -e none --set dgemm_rate=1 --set panel_rate=1 -n 4 hpl.so 4 2 2 2 depth=1
hpl N 4 NB 2 P 2 Q 2: 42.6667 s, ...

# On 1 x 2, with look-ahead: panel 0 on rank 0, 13.33; rank 1 updates and factorises, 8 + 16 + 5.33; 8 for the solution.

$ for p in between within; do bsim -q -o r.txt -e none --set dgemm_rate=1 --set panel_rate=1 -n 2 hpl.so 4 2 1 2 depth=1 pass=$p; done
hpl N 4 NB 2 P 1 Q 2: 50.6667 s, ...
hpl N 4 NB 2 P 1 Q 2: 50.6667 s, ...

# Whatever the way of a panel or of rows: without a network it takes no time.

$ for b in 1ring 1ringM 2ring 2ringM long longM; do for s in binary long mix; do for p in between within; do bsim -q -o r.txt -e none --set panel_rate=1e8 -n 15 hpl.so 500 10 3 5 bcast=$b swap=$s pass=$p messages=all; done; done; done | sort -u | wc -l
1

# A sample of the steps of one rank: their time is a polynomial of degree 2 in the step, of which parabolas miss nothing. In
# all 2/3 4000^3 operations, and 400 x 2 x 10^2 of triangular solves.

$ for o in '' sample=4:5:2 sample=9:10:0; do bsim -q -o r.txt -e none --set dgemm_rate=1e6 --set panel_rate=1e6 -n 1 hpl.so 4000 10 1 1 $o; done | sed 's/error.*//'
hpl N 4000 NB 10 P 1 Q 1: 42666.7 s, 0.001001 GFlop/s
hpl N 4000 NB 10 P 1 Q 1: 42666.7 s, 0.001001 GFlop/s
sampled: 56 of 800 steps; 
hpl N 4000 NB 10 P 1 Q 1: 42666.7 s, 0.001001 GFlop/s
sampled: 180 of 800 steps; 

# Messages and bytes: N = 8, NB = 2 on 2 x 2 ranks, 4 blocks. Pivots: 2 columns in each of 4 panels, 8 numbers one way (the
# candidate, 2 + 4, and the row for it, 2) and 6 the other: 16 messages, 112 numbers. Panels along 2 rows: 2 x rows left + 7 each, rows
# left in both 6, 4, 2, 0: 8 messages, 80. Swaps, for n = 6 + 4 + 2 columns, in 5 updates: half of 2 n spread, a half each way in
# one step: 15 messages, 36. Solving: 4 blocks up, 2 numbers each; 3 parts to the next column, 2 each: 7 messages, 14. A barrier
# of 4: 8 messages. 54 messages, 242 numbers of 8 bytes. Operations: 2/3 8^3 + 3/2 8^2 = 437.33.
# With look-ahead column 1 has two updates of panel 0, for its blocks 1 and 3: 3 messages more, of the same numbers.

$ bsim -q -f csv -o r.csv -e none -n 4 hpl.so 8 2 2 2 messages=all swap=long; grep -E '^(program,(messages|bytes)|speed,flops),' r.csv | cut -d, -f1-4; bsim -q -f csv -o r.csv -e none -n 4 hpl.so 8 2 2 2 messages=all swap=long pass=within depth=1 >/dev/null; grep -E '^program,(messages|bytes),' r.csv | cut -d, -f1-4
hpl N 8 NB 2 P 2 Q 2: 1.91336e-07 s, 2.286 GFlop/s
program,messages,,54
program,bytes,,1936
speed,flops,,437.3333333333333
program,messages,,57
program,bytes,,1936

# Gathered messages take the time of all of them, nearly.

$ for m in all few; do bsim -q -o r.txt -e linear -n 64 hpl.so 20000 100 8 8 messages=$m swap=long; done
hpl N 20000 NB 100 P 8 Q 8: 92.5... s, ...
hpl N 20000 NB 100 P 8 Q 8: 92.5... s, ...

# Rolls in which ranks look for a panel have all their steps. N = 16, NB = 2 on 4 x 2: of 8 panels, 0 to 5 are behind updates
# of the column that has not the next one: 6 rolls of 3 steps instead of 2, each with 4 messages: 24 more, of the same numbers.

$ for p in between within; do bsim -q -f csv -o $p.csv -e none -n 8 hpl.so 16 2 4 2 swap=long depth=1 pass=$p > $p.txt; done
$ for w in messages bytes; do awk -F, -v w=$w '$1 == "program" && $2 == w { n[FILENAME] = $4 } END { print w, n["within.csv"] - n["between.csv"] }' between.csv within.csv; done
messages 24
bytes 0

# Stencil: 10 steps of 8 x 1000 operations at 8e6 a second, then a face of 800 bytes at 1 us and 800 MB/s: 1.002 ms, where
# the six of a rank take no notice of each other; one after the other they take 6 us: 1.007 ms.

$ for s in linear.sends=at_once 'linear.sends=in_turn -p mpi.send_done=copied'; do bsim -q -o r.txt -e linear -p mpi.overhead=0 -p mpi.eager=1GiB -p linear.latency=1us -p linear.bandwidth=800MB/s -p $s --set stencil_rate=8e6 -n 8 stencil.so weak 10 10 10 10 0; done
stencil weak: 10 steps, 1002 us a step
stencil weak: 10 steps, 1007 us a step

# AMR, a mesh of 8 blocks of 64 zones on 8 ranks, which stays as it is. At 64 zones a second a cycle has two stages of 1 s. With
# messages of 1 us alone: two exchanges, two numbers of all to all ranks and the least of the time steps in three steps each.

$ bsim -q -o r.txt -e none -p mpi.clock_overhead=0 -p mpi.collectives=mpich --set zone_rate=64 -n 8 amr.so 2 4 1 3
amr: 3 cycles of 8 blocks, 2e+06 us a cycle, 0 us of it to change the mesh
$ bsim -q -o r.txt -e linear -p mpi.clock_overhead=0 -p mpi.collectives=mpich -p mpi.overhead=0 -p mpi.eager=1GiB -p linear.latency=1us -p linear.bandwidth=1000TB/s --set zone_rate=1e18 -n 8 amr.so 2 4 1 3
amr: 3 cycles of 8 blocks, 11 us a cycle, 6 us of it to change the mesh

# A mesh of 8 blocks of a zone, of which the first is 9 instead: 16, 8 for each of two ranks. A cycle makes 9 more of it, 8 in
# the part of rank 0. The parts are 12.5 then, and the first has 12.5 x 9 / 18 = 6.25 of the old ones: rank 0 gives two away.
# Rank 0: two stages of 8 s, 16 s for the blocks of all, 8 for those made, 8 for its own. Numbers of 3 exchanges with one layer:
# each rank 2 faces of 2 x 2 blocks (4 + 8 edges + 4 corners), 8 edges of 4, 8 corners, 72 in 18 messages; two blocks of 27.
# Both gather 2 x 4 bytes, 9 / 8 x 56 / 2 = 31.5 bytes of places, and a time step of 8; two messages make the grid. In all
# 108 + 1 + 4 + 2 + 2 + 2 messages, 3456 + 432 + 16 + 64 + 16 bytes.

$ bsim -q -f csv -o r.csv -e none -p mpi.clock_overhead=0 -p mpi.collectives=mpich --set zone_rate=1 --set list_time=1 --set make_time=1 --set own_time=1 -n 2 amr.so 2 1 1 1 ghosts=1 blocks=16 refined=1 x=.25 y=.25 z=.25 created=9; grep -E '^program,(messages|bytes),' r.csv | cut -d, -f1-4
amr: 1 cycles of 16 blocks, 4.8e+07 us a cycle, 3.2e+07 us of it to change the mesh
program,messages,,119
program,bytes,,3984

# Whatever moves: each rank sends what another one expects, where parts move by more than their length, or become fewer blocks.

$ for n in 3 61 64; do for m in created=300 'created=10 destroyed=300'; do bsim -q -o r.txt -e none -n $n amr.so 5 4 1 2 blocks=500 refined=9 x=.8 $m | cut -d, -f1; done; done | sort | uniq -c | sed 's/^ *//'
6 amr: 2 cycles of 500 blocks

# Multigrid, one rank of 4 x 4 x 4 points: 64, 8 and 1. A level is smoothed twice and has a residual, the coarsest one is smoothed
# once: 14 (3 x 72 + 1) = 3038 operations.

$ bsim -q -o r.txt -e none -p mpi.clock_overhead=0 --set multigrid_rate=1 -n 1 multigrid.so 4 4 4 1
multigrid: 3 levels, 3.038e+09 us a cycle

# Eight ranks of a point, and then rank 0 of one. Three exchanges of six faces, 144 messages; seven give their points to rank 0, and
# get them back, 14; a sum in three steps, 24: 182 of a number. The grid's barrier has 24 without one. In time: 3 + 2 + 3 us.

$ bsim -q -f csv -o r.csv -e linear -p mpi.clock_overhead=0 -p mpi.collectives=mpich -p mpi.overhead=0 -p mpi.eager=1GiB -p linear.latency=1us -p linear.bandwidth=1000TB/s --set multigrid_rate=1e18 -n 8 multigrid.so 1 1 1 1; grep -E '^program,(messages|bytes),' r.csv | cut -d, -f1-4
multigrid: 2 levels, 8 us a cycle
program,messages,,206
program,bytes,,1456

# With 27 points each rank sends to 26 directions: 3 x 8 x 26 + 62 messages. Any number of ranks ends, and levels may be fewer.

$ bsim -q -f csv -o r.csv -e none -n 8 multigrid.so 1 1 1 1 stencil=27 >/dev/null; grep '^program,messages,' r.csv | cut -d, -f1-4
program,messages,,686
$ for n in 1 2 3 5 7 12 30 64; do bsim -q -o r.txt -e none -n $n multigrid.so 5 3 9 2 stencil=27 sweeps=2 sums=2; done | cut -d, -f1 | uniq -c | sed 's/^ *//'
2 multigrid: 5 levels
1 multigrid: 6 levels
2 multigrid: 7 levels
1 multigrid: 6 levels
2 multigrid: 7 levels
$ bsim -q -o r.txt -e none -p mpi.clock_overhead=0 --set multigrid_rate=1 -n 1 multigrid.so 4 4 4 1 levels=1 sums=0
multigrid: 1 levels, 8.96e+08 us a cycle

# CG, one rank, 10 rows of 1 x 2 nonzeros: 26 products of 40 operations, 129 vector operations of 20: 3620.

$ bsim -q -o r.txt -e none --set spmv_rate=1 --set vector_rate=1 -n 1 cg.so 10,1,1
cg 10,1,1: 3620 s, ...

# On 2 x 2 ranks, without computation: 26 products with a sum and a transposition, 52 + 2 inner products with a sum,
# each a message of 1 us.

$ bsim -q -o r.txt -e linear -p mpi.overhead=0 -p mpi.clock_overhead=0 -p mpi.eager=1GiB -p mpi.send_done=copied -p linear.latency=1us -p linear.bandwidth=1000TB/s --set spmv_rate=1e18 --set vector_rate=1e18 -n 4 cg.so 10,1,1
cg 10,1,1: 0.000106 s, ...

# ERI: fifteen glycines are the paper's molecule, 108 atoms and 1009 functions. What is counted does not depend on who
# counts it.

$ bsim -q -o r.txt -e none -n 64 eri.so
eri: 108 atoms, 460 shells, 1009 functions, 106030 pairs
142977509 quartets of 5621233465 pass the cut-off, 1.903e+11 units; the largest share is 1.163 of the mean

$ for n in 1 7 64; do bsim -q -o r.txt -e none -n $n eri.so 2 | sed -n 's/ pass.*//;2p'; done
1815614 quartets of 3088855
1815614 quartets of 3088855
1815614 quartets of 3088855
