# The skeleton in Fortran against values worked out on paper.
# needs: gfortran
# leaks: the checker cannot follow the state that gfortran's library has for each rank

$ bsimf90 -O2 -Wall -Werror -o phase.so skeletons/phase.f90

# One rank: 2 bands of 2 waves, 1 projector, a grid of 2^3. Projections 8 x 4, twice; 4 transforms of 12 lines of 5 x 2
# operations; Gram-Schmidt with blocks of one band: 8 + 8 for each to make it orthonormal, 16 + 16 to subtract the first
# from the second. 64 + 480 + 64 = 608.

$ bsim -q -o r.txt -e none --set zgemm_rate=1 --set fft_rate=1 --set block=1 -n 1 phase.so 2 2 1 2 1 1
phase 2 bands: 608.000 s, ...

# Two ranks with a band each, no network: half of the projections and transforms; the first band's owner makes it
# orthonormal (16), then the second's subtracts (32) and does the same with its own (16). 32 + 240 + 64 = 336.

$ bsim -q -o r.txt -e none --set zgemm_rate=1 --set fft_rate=1 --set block=1 -n 2 phase.so 2 2 1 2 2 1
phase 2 bands: 336.000 s, ...

# Two ranks with a wave each: everything by halves. 304.

$ bsim -q -o r.txt -e none --set zgemm_rate=1 --set fft_rate=1 --set block=1 -n 2 phase.so 2 2 1 2 1 2
phase 2 bands: 304.000 s, ...

# The models' values show the shapes that they get: zgemm gives m + 100 n + 10000 k, panel w. 4 bands of 6 waves, 3 for each of
# two cores, 3 projectors, blocks of 2 bands. Projections: 4 x 3, 3 deep, 30304, and 3 x 4, 3 deep, 30403. A block with
# itself: half of 2 x 2, 3 deep, 15101, panels 2 x 2, half of 3 x 2, 2 deep, 10101.5; twice. The first from the second:
# 2 x 2, 3 deep, 30202, and 3 x 2, 2 deep, 20203. 60707 + 2 x 25206.5 + 50405 = 161525.

$ printf '{"model": {"format": "psim-model", "version": 1, "value": "t", "unit": "s", "max_error": 0, "errors": 2, "error_inside": 0, "error_outside": 0}, "variables": [{"variable": "m", "from": 1, "to": 9}, {"variable": "n", "from": 1, "to": 9}, {"variable": "k", "from": 1, "to": 9}], "terms": [{"term": "m", "coefficient": 1}, {"term": "n", "coefficient": 100}, {"term": "k", "coefficient": 10000}]}' >zgemm.model
$ printf '{"model": {"format": "psim-model", "version": 1, "value": "t", "unit": "s", "max_error": 0, "errors": 2, "error_inside": 0, "error_outside": 0}, "variables": [{"variable": "m", "from": 1, "to": 9}, {"variable": "w", "from": 1, "to": 9}], "terms": [{"term": "w", "coefficient": 1}]}' >panel.model
$ bsim -q -o r.txt -e none --model zgemm=zgemm.model --model panel=panel.model --set fft_rate=1e30 --set cores=2 --set block=2 -n 1 phase.so 4 6 3 2 1 1
phase 4 bands: 161525. s, ...

# Columns four at a time: 3 and 2 of them cost what 4 do, and a block with itself is whole. 60807 + 2 x (30402 + 20403 + 4)
# + 30402 + 20403 = 213230. 16 transforms take n, 10 n side by side: 8 cubes have 32 lines one way and 64 the other two,
# of each core 1 and 2 times 16: 1 x 2 + 2 x 20 = 42.

$ for i in 1 10; do printf '{"model": {"format": "psim-model", "version": 1, "value": "t", "unit": "s", "max_error": 0, "errors": 2, "error_inside": 0, "error_outside": 0}, "variables": [{"variable": "n", "from": 1, "to": 9}], "terms": [{"term": "n", "coefficient": %s}]}' $i >fft$i.model; done
$ bsim -q -o r.txt -e none --model zgemm=zgemm.model --model panel=panel.model --model fft=fft1.model --model fft_lines=fft10.model --set columns=4 --set cores=2 --set block=2 -n 1 phase.so 4 6 3 2 1 1
phase 4 bands: 213272. s, ...

# A byte a second: each redistribution copies 2 bands of 2 waves twice, 8 numbers of 8 bytes read and written, 256 bytes. Two
# redistributions, and four with three layouts: 608 + 512, 608 + 1024.

$ for l in two three; do bsim -q -o r.txt -e none --set zgemm_rate=1 --set fft_rate=1 --set memory_rate=1 --set block=1 -n 1 phase.so 2 2 1 2 1 1 layouts=$l; done
phase 2 bands: 1120.00 s, ...
phase 2 bands: 1632.00 s, ...

# A model of copies that gives k + 100 n: two bands of two waves are two rows of four numbers. 608 + 4 x (2 + 400).

$ printf '{"model": {"format": "psim-model", "version": 1, "value": "t", "unit": "s", "max_error": 0, "errors": 2, "error_inside": 0, "error_outside": 0}, "variables": [{"variable": "k", "from": 1, "to": 9}, {"variable": "n", "from": 1, "to": 9}], "terms": [{"term": "k", "coefficient": 1}, {"term": "n", "coefficient": 100}]}' >rows.model
$ bsim -q -o r.txt -e none --model rows=rows.model --set zgemm_rate=1 --set fft_rate=1 --set cores=1 --set block=1 -n 1 phase.so 2 2 1 2 1 1
phase 2 bands: 2216.00 s, ...

# Messages of 1 us, two ranks with half of the waves of 4 bands, blocks of one: a sum for the projector, two transpositions,
# 4 sums of a block with itself, 3 with the bands behind it (of pairs: 3 + 2 + 1), the barrier.

$ for s in rows pairs; do bsim -q -o r.txt -e linear -p mpi.overhead=0 -p mpi.clock_overhead=0 -p mpi.eager=1GiB -p mpi.send_done=copied -p linear.latency=1us -p linear.bandwidth=1000TB/s --set zgemm_rate=1e30 --set fft_rate=1e30 --set block=1 -n 2 phase.so 4 4 1 2 1 2 sums=$s; done
phase 4 bands: 0.110000E-4 s, ...
phase 4 bands: 0.140000E-4 s, ...

# Two ranks with 2 bands each: blocks go to and fro, 4 us for rank 0, and what it waits for at the barrier was sent before; a
# third layout is a transposition before that, and one behind it, after which rank 0 waits 1 us for rank 1 and 1 us more.

$ for l in two three; do bsim -q -o r.txt -e linear -p mpi.overhead=0 -p mpi.clock_overhead=0 -p mpi.eager=1GiB -p mpi.send_done=copied -p linear.latency=1us -p linear.bandwidth=1000TB/s --set zgemm_rate=1e30 --set fft_rate=1e30 --set block=1 -n 2 phase.so 4 4 1 2 2 1 layouts=$l; done
phase 4 bands: 0.400000E-5 s, ...
phase 4 bands: 0.700000E-5 s, ...

# Impossible arguments.

$ bsim -q -e none -n 4 phase.so 2 2 1 2 2 1
phase: a grid of 2 x 1 is not for ranks: 4
bsim: rank 0 ended with status 1
[1]

$ bsim -q -e none -n 1 phase.so 2 2 1 2 1 1 random
phase: expected BANDS WAVES PROJECTORS GRID PB PG [cyclic|block [ITERATIONS]] [sums=rows|pairs] [layouts=two|three]
bsim: rank 0 ended with status 1
[1]

# Crashes, and errors that gfortran's library finds, also name the rank, after the message of that library.

$ bsimf90 -w -o wrong.so bad/bsim/wrong.f90 && bsimf90 -w -fcheck=bounds -o checked.so bad/bsim/wrong.f90

$ bsim -q -n 2 -o r.new wrong.so crash; ls -A | grep new
bsim: rank 1: segmentation fault at address ... in MAIN__ (wrong.f90:14)
[1]

$ bsim -q -n 2 -o r.new wrong.so read 2>&1 | grep -v '^#\|^.at'; ls -A | grep new
At line 15 of file bad/bsim/wrong.f90
Fortran runtime error: Bad integer for item 1 in list input
bsim: rank 0: a library ended the process, after MPI_Comm_rank at MAIN__ (wrong.f90:11)
[1]

$ bsim -q -n 2 checked.so bounds
At line 16 of file bad/bsim/wrong.f90
Fortran runtime error: Index '5' of dimension 1 of array 'a' above upper bound of 4
bsim: rank 0: abort in the library, after MPI_Comm_rank at MAIN__ (wrong.f90:11)
[1]

$ for what in stop time tag; do bsim -q -n 2 wrong.so $what; done
bsim: rank 1 ended with status 6
bsim: rank 0: BSIM_Add_time at MAIN__ (wrong.f90:18): -1 seconds: expected 0 to 6e6
bsim: rank 0: MPI_Send at MAIN__ (wrong.f90:19): tag -1: expected 0 to 1073741823
[1]

# Common blocks of mpif.h beside modules: the linker has nothing to say.

$ printf '      program old\n      include "mpif.h"\n      integer e\n      call mpi_init(e)\n      call mpi_finalize(e)\n      end\n' > old.f; bsimf90 -o old.so old.f && bsim -q -n 2 -o r.txt old.so

# Named points of time reach the log, at 1 us.

$ bsimf90 -O2 -Wall -Werror -o event.so mpi/event.f90 && bsim -q -n 2 --timeline event.json -o r.txt event.so; grep -o '"name":"half way","ph":"i","s":"t","pid":[0-9]*,"tid":0,"ts":1.000000' event.json
"name":"half way","ph":"i","s":"t","pid":268435456,"tid":0,"ts":1.000000
"name":"half way","ph":"i","s":"t","pid":268435457,"tid":0,"ts":1.000000

# Sections of arrays in nonblocking calls of mpi_f08, with strides, backwards, and of strings: a(j,i) is 10 j + i at rank 0 and
# 0 at rank 1, so the sum there is that of the 9 elements, 9 x 40 + 9 x 4 = 396. Then the array whole: 9 x 9 x 55 = 4455.

$ nsimf90 -O1 -Wall -o sections.so mpi/sections.f90 && nsim -q -n 2 -p topology.dims=2 -p ranks.check=yes -o r.txt sections.so
 12 42 72 14 44 74 16 46 76  396
  124.  123.  122.  121.  324.  323.  322.  321.
;text1;;text3;;text5;
    0   99 4455

$ printf 'program gap\nuse mpi_f08\ninteger, asynchronous :: a(8) = 0\ntype(MPI_Request) :: q\ntype(MPI_Datatype) :: t\ncall MPI_Init()\ncall MPI_Type_vector(2, 1, 2, MPI_INTEGER, t)\ncall MPI_Type_commit(t)\ncall MPI_Isend(a(1:8:2), 1, t, 0, 0, MPI_COMM_WORLD, q)\ncall MPI_Finalize()\nend program\n' > gap.f90; nsimf90 -o gap.so gap.f90 && nsim -q -n 1 -o r.txt gap.so
nsim: a section of an array with gaps: expected a datatype without gaps that divides its elements
nsim: rank 0: MPI_Abort with code 1 at MAIN__ (gap.f90:9)
[1]

# Attributes that C sets and Fortran reads, and the other way round.

$ nsimcc -c -Wall -Wextra -Werror -o languages.o mpi/languages.c && nsimf90 -Wall -o languages.so mpi/languages.f90 languages.o && nsim -q -n 1 -o r.txt languages.so
3 of 3

# Lines of a rank are whole, in order of time, on any number of processes; clocks are the rank's. Round 1 ends for all ranks at the
# barrier, so their rest is in order of ranks.

$ nsimf90 -O1 -o said.so mpi/said.f90 && for j in 1 2 3; do nsim -q -e linear -j $j -n 3 -p topology.dims=3 -o r.txt said.so > said$j 2> error$j; done; cat said1 error1; cmp said1 said2; cmp said1 said3; cmp error1 error2; cmp error1 error3
begun by 0, ended by 0
begun by 1, ended by 1
begun by 2, ended by 2
begun by 0, ended by 0
0 seconds 1.5 1.5
begun by 1, ended by 1
1 seconds 1.5 1.5
begun by 2, ended by 2
2 seconds 1.5 1.5
error of 0
error of 1
error of 2
error of 0
error of 1
error of 2

# Units, random numbers and statements of each rank; the sum of the ranks is 0 + 1 + 2.

$ nsimf90 -O1 -o units.so mpi/units.f90 && for j in 1 2; do nsim -q -j $j -n 3 -p topology.dims=3 -o r.txt units.so > units$j; done; sort units1; cmp units1 units2; ! ls | grep '^units[.][^s]'
all 0  17  34
all 1  17  34
all 2  17  34
own 0 T     0   100 second
own 1 T     1   101 second
own 2 T     2   102 second
random 0 T
random 1 T
random 2 T
within 0 sum 3
within 1 sum 3
within 2 sum 3
