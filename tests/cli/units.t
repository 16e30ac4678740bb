# PEs that gather, compare, and compute with integers and with pairs of singles: docs/models/simd-isa.md.
# needs: sparc64-linux-gnu-gcc sparc64-linux-gnu-gfortran

$ for k in spmv mandelbrot black_scholes; do sparc64-linux-gnu-gcc -std=gnu17 -O3 -static -mcpu=ultrasparc3 -mfmaf -Wa,-Av9d -o $k traces/kernels/units/$k.c -lm || exit; done
$ psim-record -o spmv.trace.gz --warm-up 0 --region spmv --units gather -- spmv
spmv 500, 3554 elements: y[1] = -31, 0 rows wrong
$ psim-record -o mandelbrot.trace.gz --warm-up 0 --region mandelbrot --units select -- mandelbrot
mandelbrot 32 x 16: 33852 steps, 0 points wrong
$ psim-record -o black_scholes.trace.gz --warm-up 0 --region options --units divide,select,integer,single -- black_scholes
black_scholes 512: mean 13.6084, 0 prices differ, off by less than 0.002

# Any number of PEs computes the same.

$ for pes in 1 3 32; do for k in spmv mandelbrot black_scholes; do psim-record --no-trace --pes $pes --units divide,select,integer,single,gather -- $k; done; done
spmv 500, 3554 elements: y[1] = -31, 0 rows wrong
mandelbrot 32 x 16: 33852 steps, 0 points wrong
black_scholes 512: mean 13.6084, 0 prices differ, off by less than 0.002
spmv 500, 3554 elements: y[1] = -31, 0 rows wrong
mandelbrot 32 x 16: 33852 steps, 0 points wrong
black_scholes 512: mean 13.6084, 0 prices differ, off by less than 0.002
spmv 500, 3554 elements: y[1] = -31, 0 rows wrong
mandelbrot 32 x 16: 33852 steps, 0 points wrong
black_scholes 512: mean 13.6084, 0 prices differ, off by less than 0.002

# The functions of Fortran.

$ sparc64-linux-gnu-gfortran -O2 -static -mcpu=ultrasparc3 -fno-inline -fno-ipa-ra -fno-tree-loop-distribute-patterns -o lookup traces/kernels/psim_simd.f90 traces/kernels/psim_simd.c traces/kernels/units/lookup.f90
$ psim-record --no-trace --units select,integer,single,gather -- lookup
lookup: 0 wrong

# Replay has the report of the detailed core.

$ units='-p simd.divide=pe -p simd.select=yes -p simd.integer=yes -p simd.single=yes -p simd.gather=yes'; for k in spmv mandelbrot black_scholes; do for m in --no-memo --memo-check=1; do psim -q -c simd16.ini $units $m -f csv -o $k$m $k.trace.gz || exit; done; diff $k--no-memo $k--memo-check=1 | grep -vE '^[0-9]|^---|,command,'; done; true

# Operations of a pair of options, of which 16 rounds are on 16 PEs. Multiply-adds: 7 in each of three exponentials, 5 in the logarithm, 5 in each
# of two normal distributions, 1 in drift, d1, price: 39. Additions and subtractions: 1, 3, 1 and one for d2: 9.
# Products: 2 in the logarithm, 5 in each normal distribution, 2 in distances and in the discount, 1 in the price: 17.

$ psim -q -c simd16.ini -p simd.divide=pe -p simd.select=yes -p simd.integer=yes -p simd.single=yes -f csv black_scholes.trace.gz | awk -F, '/^energy.operations,operation/ { of[$3] = $4 } /^energy.operations,count/ && of[$3] ~ /^simd_(fma2|add2|mul2)$/ { print of[$3], $4 / 256 }'
simd_add2 9
simd_mul2 17
simd_fma2 39

# 422 steps of the slices' longest rows, rounded up to even numbers, each a gather in 16 PEs.

$ psim -q -c simd16.ini -p simd.gather=yes -f csv spmv.trace.gz | awk -F, '/^energy.operations,operation/ { of[$3] = $4 } /^energy.operations,count/ && of[$3] == "simd_index" { print $4 / 16 }'
422

# In the pipeline a gather adds its index in the two cycles between a load's B and SBM.

$ psim -q -c simd16.ini -p simd.gather=yes --pipe pipe.txt --pipe-format text --window 1500:200 -o r.txt spmv.trace.gz; sed -nE 's/^ *[0-9a-f]+  ([a-z]+).*(pbx*s+u1).*/\1 \2/p' pipe.txt | sort -u
gatherd pbxxsssu1
ld pbsssu1
ldd pbsssu1
