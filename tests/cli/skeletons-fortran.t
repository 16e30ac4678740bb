# The skeleton in Fortran against what follows on paper.
# needs: gfortran

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

# Models say with what shapes they are asked: zgemm gives m + 100 n + 10000 k, panel w. 4 bands of 6 waves, 3 for each of
# two cores, 3 projectors, blocks of 2 bands. Projections: 4 x 3, 3 deep, 30304, and 3 x 4, 3 deep, 30403. A block with
# itself: half of 2 x 2, 3 deep, 15101, panels 2 x 2, half of 3 x 2, 2 deep, 10101.5; twice. The first from the second:
# 2 x 2, 3 deep, 30202, and 3 x 2, 2 deep, 20203. 60707 + 2 x 25206.5 + 50405 = 161525.

$ printf '{"model": {"format": "psim-model", "version": 1, "value": "t", "unit": "s", "max_error": 0}, "variables": [{"variable": "m", "from": 1, "to": 9}, {"variable": "n", "from": 1, "to": 9}, {"variable": "k", "from": 1, "to": 9}], "terms": [{"term": "m", "coefficient": 1}, {"term": "n", "coefficient": 100}, {"term": "k", "coefficient": 10000}]}' >zgemm.model
$ printf '{"model": {"format": "psim-model", "version": 1, "value": "t", "unit": "s", "max_error": 0}, "variables": [{"variable": "m", "from": 1, "to": 9}, {"variable": "w", "from": 1, "to": 9}], "terms": [{"term": "w", "coefficient": 1}]}' >panel.model
$ bsim -q -o r.txt -e none --model zgemm=zgemm.model --model panel=panel.model --set fft_rate=1e30 --set cores=2 --set block=2 -n 1 phase.so 4 6 3 2 1 1
phase 4 bands: 161525. s, ...

# Columns four at a time: 3 and 2 of them cost what 4 do, and a block with itself is whole. 60807 + 2 x (30402 + 20403 + 4)
# + 30402 + 20403 = 213230. 16 transforms take n, 10 n side by side: 8 cubes have 32 lines one way and 64 the other two,
# of each core 1 and 2 times 16: 1 x 2 + 2 x 20 = 42.

$ for i in 1 10; do printf '{"model": {"format": "psim-model", "version": 1, "value": "t", "unit": "s", "max_error": 0}, "variables": [{"variable": "n", "from": 1, "to": 9}], "terms": [{"term": "n", "coefficient": %s}]}' $i >fft$i.model; done
$ bsim -q -o r.txt -e none --model zgemm=zgemm.model --model panel=panel.model --model fft=fft1.model --model fft_lines=fft10.model --set columns=4 --set cores=2 --set block=2 -n 1 phase.so 4 6 3 2 1 1
phase 4 bands: 213272. s, ...

# What cannot be.

$ bsim -q -e none -n 4 phase.so 2 2 1 2 2 1
phase: a grid of 2 x 1 is not for ranks: 4
bsim: rank 0 ended with status 1
[1]

$ bsim -q -e none -n 1 phase.so 2 2 1 2 1 1 random
phase: expected BANDS WAVES PROJECTORS GRID PB PG [cyclic|block [ITERATIONS]]
bsim: rank 0 ended with status 1
[1]
