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

# What cannot be.

$ bsim -q -e none -n 4 phase.so 2 2 1 2 2 1
phase: a grid of 2 x 1 is not for ranks: 4
bsim: rank 0 ended with status 1
[1]

$ bsim -q -e none -n 1 phase.so 2 2 1 2 1 1 random
phase: expected BANDS WAVES PROJECTORS GRID PB PG [cyclic|block [ITERATIONS]]
bsim: rank 0 ended with status 1
[1]
